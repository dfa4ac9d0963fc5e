// Families of accesses and copies whose times come near to their upper bounds (families.hpp).
//
// Example: arrays of two words, each on both sides of the beginning of a group, take a stage for
// each word. A longer array that begins one word after a group's beginning gives each warp two
// pieces. So n words in n/w arrays take nearly 4n/w stages.
#pragma once

#include <cstdint>
#include <string_view>

#include "access_algorithms.hpp"

namespace bankproof::proofs {

/// Numbered by n = l: one thread waits for each word.
template <Mode mode>
struct AccessByOneThread {
  using Algorithm = ContiguousAccesses<mode>;
  static constexpr bool lockstep = mode == Mode::lockstep;
  static constexpr std::string_view id = lockstep ? "C1.tight.DMM" : "C2.tight.DMM";
  static constexpr std::string_view source = lockstep ? "HMM theorem 2" : "MOD 3";
  static constexpr std::string_view what =
      lockstep ? "in lockstep contiguous access on the DMM takes"
               : "without barriers contiguous access on the DMM takes";
  static constexpr std::string_view terms = "(n/w + nl/p + l)";
  static constexpr std::string_view domain = "all n = l ≥ 200, p = w = 1";
  static constexpr std::uint64_t factor = 1;
  static constexpr std::uint64_t least = 200;
  static constexpr std::uint64_t largest = 4000;
  static constexpr std::uint64_t thousandths = 999;
  template <class N>
  static TaskOf<N> task(const N& n) {
    TaskOf<N> task{"access", {}, {.machine = MachineKind::dmm, .w = N(1), .l = n, .p = N(1)}};
    task.sizes.add("n", n);
    return task;
  }
};

/// Numbered by k: one round in 64 begins with a group. In the other rounds each full warp is in
/// two.
template <Mode mode>
struct AccessAcrossGroups {
  using Algorithm = ContiguousAccesses<mode>;
  static constexpr bool lockstep = mode == Mode::lockstep;
  static constexpr std::string_view id = lockstep ? "C1.tight.UMM" : "C2.tight.UMM";
  static constexpr std::string_view source = lockstep ? "HMM theorem 2" : "MOD 3";
  static constexpr std::string_view what =
      lockstep ? "in lockstep contiguous access on the UMM takes"
               : "without barriers contiguous access on the UMM takes";
  static constexpr std::string_view terms = "(n/w + nl/p + l)";
  static constexpr std::string_view domain = "all n = 64kp, p = 64,001, w = 64, l = 1";
  static constexpr std::uint64_t factor = 2;
  static constexpr std::uint64_t least = 1;
  static constexpr std::uint64_t largest = 2;
  static constexpr std::uint64_t thousandths = 1983;
  template <class N>
  static TaskOf<N> task(const N& k) {
    const std::uint64_t p = 64'001;
    TaskOf<N> task{"access", {}, {.machine = MachineKind::umm, .w = N(64), .l = N(1), .p = N(p)}};
    task.sizes.add("n", N(64 * p) * k);
    return task;
  }
};

/// A task of n = w³ words, in pairs and one more array: n/w − w + 1 arrays in all.
template <class N>
TaskOf<N> of_cut_arrays(const MachineParametersOf<N>& machine) {
  const N& w = machine.w;
  TaskOf<N> task{"arrays", {}, machine};
  task.sizes.add("n", w * w * w);
  task.sizes.add("pairs", w * w - w);
  return task;
}

/// Numbered by w: one round of all words.
struct AccessToCutArrays {
  using Algorithm = AccessesToArrays;
  static constexpr std::string_view id = "C3.tight";
  static constexpr std::string_view source = "HMM theorem 2";
  static constexpr std::string_view what =
      "access to n/w − w + 1 arrays of n words in all, numbered one after another, of which all "
      "but "
      "one are two words in two groups, takes on the UMM";
  static constexpr std::string_view terms = "(n/w + nl/p + l)";
  static constexpr std::string_view domain = "all w ≥ 200, n = p = w³, l = 1";
  static constexpr std::uint64_t factor = 4;
  static constexpr std::uint64_t least = 200;
  static constexpr std::uint64_t largest = widest_warp;
  static constexpr std::uint64_t thousandths = 3905;
  template <class N>
  static TaskOf<N> task(const N& w) {
    return of_cut_arrays<N>({.machine = MachineKind::umm, .w = w, .l = N(1), .p = w * w * w});
  }
};

/// Numbered by k: k conflict-free accesses of a warp.
struct ConflictFreeAccess {
  using Algorithm = ConflictFreeAccesses;
  static constexpr std::string_view id = "C4.tight";
  static constexpr std::string_view source = "OPT lemma 1";
  static constexpr std::string_view what = "n conflict-free accesses take";
  static constexpr std::string_view terms = "(n/w + nl/p + l)";
  static constexpr std::string_view domain = "all n = 32k, k ≥ 200, p = w = 32, l = 1,000";
  static constexpr std::uint64_t factor = 1;
  static constexpr std::uint64_t least = 200;
  static constexpr std::uint64_t largest = 2000;
  static constexpr std::uint64_t thousandths = 998;
  template <class N>
  static TaskOf<N> task(const N& k) {
    TaskOf<N> task{"access", {}, {.machine = MachineKind::dmm, .w = N(32), .l = N(1000)}};
    task.sizes.add("n", N(32) * k);
    return task;
  }
};

/// Numbered by k: k rounds, with one warp of each of two DMMs.
struct CopyToShared {
  using Algorithm = Copies;
  static constexpr std::string_view id = "C5.tight";
  static constexpr std::string_view source = "OPT lemma 2";
  static constexpr std::string_view what =
      "copying n words from the global memory to d shared memories takes";
  static constexpr std::string_view terms = "(n/w + n/(dw) + n(l + L)/(dp) + l + L)";
  static constexpr std::string_view domain =
      "all n = 64k, k ≥ 200, d = 2, p = w = 32, l = 1, L = 1,000";
  static constexpr std::uint64_t factor = 1;
  static constexpr std::uint64_t least = 200;
  static constexpr std::uint64_t largest = 2000;
  static constexpr std::uint64_t thousandths = 997;
  template <class N>
  static TaskOf<N> task(const N& k) {
    TaskOf<N> task{"copy", {}, {.w = N(32), .L = N(1000), .d = N(2)}};
    task.sizes.add("n", N(64) * k);
    return task;
  }
};

/// Numbered by w: one round of all words, w² for each of w DMMs.
struct CopyOfCutArrays {
  using Algorithm = CopiesOfArrays;
  static constexpr std::string_view id = "C6.tight";
  static constexpr std::string_view source = "OPT lemma 3";
  static constexpr std::string_view what =
      "copying n/w − w + 1 segments of n words in all, of which all but one are two words in two "
      "groups, from the global memory to d shared memories takes";
  static constexpr std::string_view terms = "(n/w + n/(dw) + n(l + L)/(dp) + l + L)";
  static constexpr std::string_view domain = "all w ≥ 300, n = w³, d = w, p = w², l = L = 1";
  static constexpr std::uint64_t factor = 4;
  static constexpr std::uint64_t least = 300;
  static constexpr std::uint64_t largest = widest_warp;
  static constexpr std::uint64_t thousandths = 3858;
  template <class N>
  static TaskOf<N> task(const N& w) {
    return of_cut_arrays<N>({.w = w, .l = N(1), .L = N(1), .d = w, .p = w * w});
  }
};

}  // namespace bankproof::proofs
