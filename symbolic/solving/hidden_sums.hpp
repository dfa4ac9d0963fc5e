// Statements with unknowns in place of sums with products.
//
// Two threads often have the same products in an index, and little else of these matters: their
// indices are numbers within some bounds. Numbers in the place of such sums leave questions without
// products.
#pragma once

#include <vector>

#include "../terms/pool.hpp"

namespace bankproof::symbolic {

/// What cannot hold for any numbers in the place of the sums cannot hold for the sums. Returns the
/// same statements if they widen no such sum.
std::vector<Term> with_sums_hidden(Pool& pool, const std::vector<Term>& statements);

}  // namespace bankproof::symbolic
