// Families of accesses and copies whose times come near to their upper bounds (families.hpp).
//
// Example: if the two words of an array lie on both sides of the beginning of a group, each word
// takes a stage. A longer array that begins one word after a group's beginning gives each warp two
// pieces. So n words in n/w arrays take nearly 4n/w stages.
#pragma once

#include <cstdint>

#include "access_algorithms.hpp"
#include "table.hpp"

namespace bankproof::proofs {

/// Members are numbered by n = l: one thread waits for each word.
template <Mode mode>
struct AccessByOneThread
    : Family<ContiguousAccesses<mode>, in_mode(mode, "C1.tight.DMM", "C2.tight.DMM")> {
  template <class N>
  static TaskOf<N> task(const N& n) {
    TaskOf<N> task{"access", {}, {.machine = MachineKind::dmm, .w = N(1), .l = n, .p = N(1)}};
    task.sizes.add("n", n);
    return task;
  }
};

/// Members are numbered by k: one round in 64 begins with a group. In the other rounds each full
/// warp accesses two groups.
template <Mode mode>
struct AccessAcrossGroups
    : Family<ContiguousAccesses<mode>, in_mode(mode, "C1.tight.UMM", "C2.tight.UMM")> {
  template <class N>
  static TaskOf<N> task(const N& k) {
    const std::uint64_t p = 64'001;
    TaskOf<N> task{"access", {}, {.machine = MachineKind::umm, .w = N(64), .l = N(1), .p = N(p)}};
    task.sizes.add("n", N(64 * p) * k);
    return task;
  }
};

/// A task of n = w³ words in n/w − w + 1 arrays: w² − w arrays of two words, the pairs, and one
/// array of the other words.
template <class N>
TaskOf<N> of_cut_arrays(const MachineParametersOf<N>& machine) {
  const N& w = machine.w;
  TaskOf<N> task{"arrays", {}, machine};
  task.sizes.add("n", w * w * w);
  task.sizes.add("pairs", w * w - w);
  return task;
}

/// Members are numbered by w: one round accesses all words.
struct AccessToCutArrays : Family<AccessesToArrays, "C3.tight"> {
  template <class N>
  static TaskOf<N> task(const N& w) {
    return of_cut_arrays<N>({.machine = MachineKind::umm, .w = w, .l = N(1), .p = w * w * w});
  }
};

/// Members are numbered by k: k conflict-free accesses of a warp.
struct ConflictFreeAccess : Family<ConflictFreeAccesses, "C4.tight"> {
  template <class N>
  static TaskOf<N> task(const N& k) {
    TaskOf<N> task{"access", {}, {.machine = MachineKind::dmm, .w = N(32), .l = N(1000)}};
    task.sizes.add("n", N(32) * k);
    return task;
  }
};

/// Members are numbered by k: k rounds, in each of which one warp of each of two DMMs copies.
struct CopyToShared : Family<Copies, "C5.tight"> {
  template <class N>
  static TaskOf<N> task(const N& k) {
    TaskOf<N> task{"copy", {}, {.w = N(32), .L = N(1000), .d = N(2)}};
    task.sizes.add("n", N(64) * k);
    return task;
  }
};

/// Members are numbered by w: one round copies all words, w² words for each of w DMMs.
struct CopyOfCutArrays : Family<CopiesOfArrays, "C6.tight"> {
  template <class N>
  static TaskOf<N> task(const N& w) {
    return of_cut_arrays<N>({.w = w, .l = N(1), .L = N(1), .d = w, .p = w * w});
  }
};

}  // namespace bankproof::proofs
