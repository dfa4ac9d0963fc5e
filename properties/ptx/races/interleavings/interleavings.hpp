// All orders in which the steps of a tiny kernel can happen one after the other, and the races of
// each order. The code shares nothing with the machine, follows the text of the PTX ISA ("Memory
// Consistency Model") as closely as it can, and must never be optimized.
//
// Two accesses race if they access one word, at least one of them writes, they are not morally
// strong, and neither happened before the other. An access happens before another by the order of a
// thread's steps, by barriers, by fence.sc whose order strong reads reveal, or by release patterns
// that acquire patterns observe.
//
// A simpler notion: two such accesses race if they are neighbors in some interleaving. The two
// notions agree for kernels whose steps do not depend on the values read: there, only barriers and
// the order of steps order accesses, so two accesses that neither of these orders are neighbors in
// some interleaving. The two notions may differ if a step waits for another thread's write. In
//
//     thread 0: data = 1; flag = 1 (relaxed)        thread 1: wait for flag (relaxed); read data
//
// no interleaving has the accesses to `data` side by side, but a processor may read `data` before
// the write to `data`. Happens-before does not order the accesses, so this is a race, and
// happens-before is the notion used here.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "tiny_kernel.hpp"

namespace bankproof::ptx {

/// Two steps, the smaller one first.
using StepPair = std::pair<StepName, StepName>;
inline StepPair pair_of(const StepName& a, const StepName& b) {
  return a < b ? StepPair{a, b} : StepPair{b, a};
}

/// The word that a step accesses. Each block has its own words of shared memory.
std::uint32_t word_of(const TinyKernel& kernel, const StepName& step);

/// The numbers that steps read, at the index place_of() of each step; 0 for steps that do not read.
using Numbers = std::vector<std::uint32_t>;

struct Interleavings {
  std::uint64_t count = 0;
  bool stuck = false;  // in some interleavings threads never return
  std::set<Numbers> read;
  std::set<StepPair> races;     // in any interleaving
  std::set<StepPair> adjacent;  // conflicting steps that are neighbors
  /// For the numbers that strong reads read (0 for weak reads): the races of the interleavings in
  /// which they read these numbers.
  std::map<Numbers, std::set<StepPair>> races_by_strong_reads;
};
Interleavings interleavings_of(const TinyKernel& kernel);

/// The numbers, with 0 in place of each number that a weak access read.
Numbers of_strong_reads(const TinyKernel& kernel, Numbers numbers);

}  // namespace bankproof::ptx
