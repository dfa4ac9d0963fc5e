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
  /// The counter's value when the launch begins; it has as many bits as `drawn`.
  Term first{};
  /// drawn - first is less than each of them; of 64 bits, about the launch.
  std::vector<Term> ends{};
};

/// Whether threads write to the array, and all of them only by adding known positive numbers.
bool is_only_raised(const Subject& subject, Term object);

/// The ranges of the numbers that threads draw from a counter, if a condition names its array and
/// all threads of the launch have its address. The counter's first value becomes one of the
/// subject's elements, so that the condition holds for it. Assumed: the launch raises a counter by
/// less than 2^31 in all.
std::vector<DrawRange> draw_ranges(Subject& subject);

}  // namespace bankproof::symbolic
