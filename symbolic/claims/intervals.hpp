// Which events of two threads of a block no barrier separates.
//
// Each thread comes to the same barriers in the same order (the claim `barriers`). So two events
// lie in one interval if some barrier, or the begin, leads to both without another barrier between.
// In a loop with barriers all threads are in the same iteration, or one of them already in the next
// one: the path from the barrier says by how many iterations each event is later than the barrier.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "../execution/trace.hpp"

namespace bankproof::symbolic {

/// More paths lead from a barrier to accesses than can be followed.
struct TooManyPaths {};

/// In which iteration of a loop an event is.
struct Late {
  bool entered = false;  // the path entered the loop: counted from its first iteration
  unsigned by = 0;       // else from the iteration of the barrier; `many`: any number
  bool passed = false;   // the path has come from before the loop to behind it, and not entered it
  auto operator<=>(const Late&) const = default;
};

/// A path that begins the next iteration of a loop so often without a barrier may do so any number
/// of times.
inline constexpr unsigned many = 2;

/// For the loops around the barrier; those with barriers that the path has entered, or of which it
/// has begun an iteration; and those that it has passed, if no other loop is around them.
using Lateness = std::map<std::size_t, Late>;

struct Together {
  std::size_t first = 0;  // in Trace::accesses
  std::size_t second = 0;
  Lateness first_late;
  Lateness second_late;
  auto operator<=>(const Together&) const = default;
};

/// All pairs with first ≤ second. Throws TooManyPaths, as together_in_warp() does.
std::set<Together> together(const Trace& trace);

/// The pairs of accesses that no barrier separates, those of warps included: of two threads of one
/// warp, others are ordered.
std::set<std::pair<std::size_t, std::size_t>> together_in_warp(const Trace& trace);

/// The loops in which an event is, from the innermost one outwards.
std::vector<std::size_t> loops_around(const Trace& trace, const Event& event);

}  // namespace bankproof::symbolic
