// Families of accesses: what a compiler makes of one access in a loop that it unrolls.
//
// The addresses of a family differ by multiples of some products: C[(row + i)·n + column + j] is
// stored for each i and j below 8. With unknowns in place of i and j, one question about two
// threads is about all pairs of such accesses. What is excluded for all numbers that the unknowns
// may be is excluded for each pair.
#pragma once

#include <cstddef>
#include <vector>

#include "subject.hpp"

namespace bankproof::symbolic {

struct Family {
  /// In Trace::accesses, in their order.
  std::vector<std::size_t> members;
  /// The first member, with unknowns in its address; the member itself if it is the only one.
  Access access;
  /// Statements about the unknowns: which numbers they stand for.
  std::vector<Term> bounds{};
};

/// Each access of the trace is in one family. Accesses that atomic or volatile instructions make
/// are alone, as are those whose addresses differ by more.
std::vector<Family> families_of(Subject& subject);

}  // namespace bankproof::symbolic
