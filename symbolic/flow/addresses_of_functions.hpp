// The functions that a pointer can point to.
#pragma once

#include <cstddef>
#include <vector>

#include "../../ptx/syntax/syntax.hpp"

namespace bankproof::symbolic {

/// The functions with a body whose addresses the module takes, and that have so many parameters and
/// results: positions in Module::functions.
std::vector<std::size_t> functions_with_address(const ptx::Module& module, std::size_t parameters,
                                                std::size_t results);

}  // namespace bankproof::symbolic
