// Statements with unknowns in place of sums with products.
//
// Where a thread is in a grid, blockIdx·blockDim + threadIdx, is a sum with a product of unknowns.
// Two threads of one block have the same product, and often nothing else of it matters: their
// places are numbers within some bounds, which differ as threadIdx does. Numbers in the place of
// such sums leave questions without products.
#pragma once

#include <vector>

#include "../terms/pool.hpp"

namespace bankproof::symbolic {

/// What cannot hold for any numbers in the place of the sums cannot hold for the sums. Returns the
/// same statements if they widen no such sum. Assumed: a launch has at most 2^30 threads.
std::vector<Term> with_sums_hidden(Pool& pool, const std::vector<Term>& statements);

}  // namespace bankproof::symbolic
