// All orders in which the steps of a tiny kernel can happen one after the other, and which of them
// race. It shares nothing with the machine, and keeps as close to the words of the PTX ISA ("Memory
// Consistency Model") as it can; it must never be fast.
//
// Two accesses race if they touch one word, one of them writes, they are not morally strong, and
// neither happened before the other: by the order of a thread's steps, by barriers, by fence.sc
// where strong reads show their order, and by release patterns that acquire patterns have observed.
//
// A simpler notion is that two such accesses follow one another at once in some interleaving. In
// kernels whose steps happen whatever is read the two agree: what only barriers and the order of
// steps keep apart can be moved together, and two neighbours have nothing between them that could
// order them. Where a step waits for what another one wrote they may not: with
//
//     thread 0: data = 1; flag = 1 (relaxed)        thread 1: wait for flag (relaxed); read data
//
// no interleaving has the accesses to `data` side by side, but a processor may perform the second
// before the first. It is a race, for there is no happens-before; so that is the notion that
// counts.
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

/// The word that a step accesses: words of shared memory are another one in each block.
std::uint32_t word_of(const TinyKernel& kernel, const StepName& step);

/// What was read, at place_of() of each step; 0 for the others.
using Numbers = std::vector<std::uint32_t>;

struct Interleavings {
  std::uint64_t count = 0;
  bool stuck = false;  // in some of them threads wait for ever
  std::set<Numbers> read;
  std::set<StepPair> races;     // in any of them
  std::set<StepPair> adjacent;  // conflicting steps that follow one another
  /// The races of those in which strong reads read the same; of weak ones the number counts as 0.
  std::map<Numbers, std::set<StepPair>> races_by_strong_reads;
};
Interleavings interleavings_of(const TinyKernel& kernel);

/// The numbers with 0 for those that were read by weak accesses.
Numbers of_strong_reads(const TinyKernel& kernel, Numbers numbers);

}  // namespace bankproof::ptx
