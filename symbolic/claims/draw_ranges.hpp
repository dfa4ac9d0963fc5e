// Between which numbers threads draw, if something is stated of what a counter is at first:
//
//   --where 'count[i] == 0'
//   if (i < n) position = atomicAdd(count, 1);        0 <= position < n
//
// Each time that a thread raises the counter, it adds a known number. So a thread draws a number
// that is less than the first one and all that is added.
#pragma once

#include <vector>

#include "../execution/trace.hpp"

namespace bankproof::symbolic {

struct Subject;

struct DrawRange {
  Term drawn{};
  Term guard{};  // the thread draws it
  /// What the counter is at first, of as many bits.
  Term first{};
  /// drawn - first is less than each of them; of 64 bits, about the launch.
  std::vector<Term> ends{};
};

/// Whether threads write to the array, and all of them only by adding known positive numbers.
bool is_only_raised(const Subject& subject, Term object);

/// Of numbers that are drawn from counters of which something is stated, as long as all threads of
/// the launch have the address. Each first number is added to the subject's elements. Assumed: a
/// counter is raised by less than 2^31 in all.
std::vector<DrawRange> draw_ranges(Subject& subject);

}  // namespace bankproof::symbolic
