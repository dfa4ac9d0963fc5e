// Statements with unknowns in place of where blocks begin in a grid.
//
// A block begins at blockIdx·blockDim along an axis, and its threads follow. Blocks are in the
// order of their indices and do not overlap: little else of this product matters. With a number
// for each begin, an index such as (z·height + y)·width + x has few products.
#pragma once

#include <vector>

#include "../terms/pool.hpp"

namespace bankproof::symbolic {

/// What cannot hold for any such numbers cannot hold for the begins of blocks. Returns the same
/// statements if they have no such product. Assumed: a launch has at most 2^30 threads, and
/// statements say that each index of a thread is less than the block's size, as that of a block is
/// less than the grid's.
std::vector<Term> with_places_hidden(Pool& pool, const std::vector<Term>& statements);

}  // namespace bankproof::symbolic
