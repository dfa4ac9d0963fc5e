// The checks before a launch. Each throws std::invalid_argument.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../isa/shape.hpp"
#include "program.hpp"

namespace bankproof::ptx {

/// For a shape or parameters that the kernel cannot have.
void check_launch(const Program& program, const LaunchShape& shape, std::size_t parameter_bytes);

/// Refuses a launch if the local memory and registers of the blocks that run at the same time
/// exceed this computer's memory, as a hostile kernel could try.
void check_memory(const Program& program, const LaunchShape& shape, std::uint64_t blocks);

}  // namespace bankproof::ptx
