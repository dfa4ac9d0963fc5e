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
    return MemberTask<N>{
        "access", {.machine = MachineKind::dmm, .w = 1, .l = n, .p = 1}, {{"n", n}}};
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
    return MemberTask<N>{
        "access", {.machine = MachineKind::umm, .w = 64, .l = 1, .p = p}, {{"n", 64 * p * k}}};
  }
};

/// A task of n = w³ words in n/w − w + 1 arrays: w² − w arrays of two words, the pairs, and one
/// array of the other words.
template <class N>
TaskOf<N> of_cut_arrays(const MachineParametersOf<N>& machine) {
  const N& w = machine.w;
  return MemberTask{"arrays", machine, {{"n", w * w * w}, {"pairs", w * w - w}}};
}

/// Members are numbered by w: one round accesses all words.
struct AccessToCutArrays : Family<AccessesToArrays, "C3.tight"> {
  template <class N>
  static TaskOf<N> task(const N& w) {
    return of_cut_arrays<N>({.machine = MachineKind::umm, .w = w, .l = 1, .p = w * w * w});
  }
};

/// Members are numbered by k: k conflict-free accesses of a warp.
struct ConflictFreeAccess : Family<ConflictFreeAccesses, "C4.tight"> {
  template <class N>
  static TaskOf<N> task(const N& k) {
    return MemberTask<N>{
        "access", {.machine = MachineKind::dmm, .w = 32, .l = 1000}, {{"n", 32 * k}}};
  }
};

/// Members are numbered by k: k rounds, in each of which one warp of each of two DMMs copies.
struct CopyToShared : Family<Copies, "C5.tight"> {
  template <class N>
  static TaskOf<N> task(const N& k) {
    return MemberTask<N>{"copy", {.w = 32, .L = 1000, .d = 2}, {{"n", 64 * k}}};
  }
};

/// Members are numbered by w: one round copies all words, w² words for each of w DMMs.
struct CopyOfCutArrays : Family<CopiesOfArrays, "C6.tight"> {
  template <class N>
  static TaskOf<N> task(const N& w) {
    return of_cut_arrays<N>({.w = w, .l = 1, .L = 1, .d = w, .p = w * w});
  }
};

}  // namespace bankproof::proofs
