// The names of threads in messages.
#pragma once

#include <string>

#include "faults.hpp"
#include "shape.hpp"

namespace bankproof::ptx {

/// "block (1,0), thread (3,2)", with a coordinate for each dimension of the grid and of the block.
std::string thread_text(const ThreadName& thread, const Extent& grid, const Extent& block);

}  // namespace bankproof::ptx
