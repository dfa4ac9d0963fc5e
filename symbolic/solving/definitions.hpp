// Statements in which what a size is stands in place of the size.
//
// A user who states `N == 128 * gridDim.x` says what N is. With blockIdx.x < gridDim.x, products of
// N are then known to be larger than those of 128 * blockIdx.x.
#pragma once

#include <vector>

#include "../terms/pool.hpp"

namespace bankproof::symbolic {

/// If the new statements cannot all be true, the given ones cannot either. Returns the given ones
/// if none of them says what an unknown is.
std::vector<Term> with_definitions(Pool& pool, const std::vector<Term>& statements);

}  // namespace bankproof::symbolic
