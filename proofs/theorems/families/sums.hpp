// Families of sums and prefix sums whose times come near to their upper bounds (families.hpp).
//
// Example: for n numbers and 300n threads with a latency of 300n, the pairwise sum takes 3l log n
// on the DMM, and 3(n/w + nl/p + l log n) is little more.
#pragma once

#include <cstdint>
#include <string_view>

#include "../../../algorithms/prefix_sums.hpp"
#include "../../../algorithms/sum.hpp"

namespace bankproof::proofs {

/// A task of n numbers on this machine.
template <class N>
TaskOf<N> of_numbers(std::string_view variant, const MachineParametersOf<N>& letters, const N& n) {
  TaskOf<N> task{variant, {}, letters};
  task.sizes.add("n", n);
  return task;
}

/// A DMM with so many threads and so high a latency that only the latency of each round matters for
/// n numbers: n/w + nl/p is at most l/150.
template <class N>
MachineParametersOf<N> waiting_dmm(const N& n) {
  return {.machine = MachineKind::dmm, .w = N(1), .l = N(300) * n, .p = N(300) * n};
}

/// A UMM on which all turns but one in w begin inside an address group. Such a turn has two pieces
/// for each warp and one more: 601 stages, while the terms n/w + n/p grow by about 301.
template <class N>
MachineParametersOf<N> unaligned_umm() {
  return {.machine = MachineKind::umm, .w = N(64), .l = N(1), .p = N(300 * 64 + 1)};
}

struct SumOnPram {
  using Algorithm = Sum;
  static constexpr std::string_view id = "S1.tight";
  static constexpr std::string_view source = "HMM lemma 3";
  static constexpr std::string_view what = "the sum on the PRAM takes";
  static constexpr std::string_view terms = "(n/p + log n + 1)";
  static constexpr std::string_view domain = "all n > 2^33, p = 100n";
  static constexpr std::uint64_t factor = 3;
  static constexpr std::uint64_t least = (std::uint64_t{1} << 33U) + 1;
  static constexpr std::uint64_t largest = 1U << 15U;
  static constexpr std::uint64_t thousandths = 2935;
  template <class N>
  static TaskOf<N> task(const N& n) {
    return of_numbers("columns",
                      {.machine = MachineKind::pram, .w = N(widest_warp), .p = N(100) * n}, n);
  }
};

struct PairwiseSumOnDmm {
  using Algorithm = Sum;
  static constexpr std::string_view id = "S2.tight.DMM";
  static constexpr std::string_view source = "MOD theorem 1, HMM lemma 5";
  static constexpr std::string_view what = "the pairwise sum on the DMM takes";
  static constexpr std::string_view terms = "(n/w + nl/p + l log n)";
  static constexpr std::string_view domain = "all n ≥ 2, p = l = 300n, w = 1";
  static constexpr std::uint64_t factor = 3;
  static constexpr std::uint64_t least = 2;
  static constexpr std::uint64_t largest = 1U << 9U;
  static constexpr std::uint64_t thousandths = 2998;
  template <class N>
  static TaskOf<N> task(const N& n) {
    return of_numbers("pairwise", waiting_dmm(n), n);
  }
};

struct PairwiseSumOnUmm {
  using Algorithm = Sum;
  static constexpr std::string_view id = "S2.tight.UMM";
  static constexpr std::string_view source = "MOD theorem 1, HMM lemma 5";
  static constexpr std::string_view what = "the pairwise sum on the UMM takes";
  static constexpr std::string_view terms = "(n/w + nl/p + l log n)";
  static constexpr std::string_view domain = "all n > 2^31, p = 19,201, w = 64, l = 1";
  static constexpr std::uint64_t factor = 6;
  static constexpr std::uint64_t least = (std::uint64_t{1} << 31U) + 1;
  static constexpr std::uint64_t largest = 1U << 24U;
  static constexpr std::uint64_t thousandths = 5918;
  template <class N>
  static TaskOf<N> task(const N& n) {
    return of_numbers("pairwise", unaligned_umm<N>(), n);
  }
};

struct SumByOneDmm {
  using Algorithm = Sum;
  static constexpr std::string_view id = "S3.tight";
  static constexpr std::string_view source = "HMM lemma 6";
  static constexpr std::string_view what = "the sum by DMM(0) takes";
  static constexpr std::string_view terms = "(n/w + nL/p + L + l(log n + 1))";
  static constexpr std::string_view domain = "all n > 2,048, p = n, w = l = L = 1";
  static constexpr std::uint64_t factor = 5;
  static constexpr std::uint64_t least = (1U << 11U) + 1;
  static constexpr std::uint64_t largest = 1U << 17U;
  static constexpr std::uint64_t thousandths = 4999;
  template <class N>
  static TaskOf<N> task(const N& n) {
    return of_numbers("one-dmm", {.w = N(1), .l = N(1), .L = N(1), .d = N(1), .p = n}, n);
  }
};

/// Numbered by w, with n = w² and d = w.
struct SumByAllDmms {
  using Algorithm = Sum;
  static constexpr std::string_view id = "S4.tight";
  static constexpr std::string_view source = "HMM theorem 7";
  static constexpr std::string_view what = "the sum by all DMMs takes";
  static constexpr std::string_view terms = "(n/w + nL/P + L + l(log n + 1))";
  static constexpr std::string_view domain = "all w ≥ 2,897, n = p = w², d = w, l = L = 1";
  static constexpr std::uint64_t factor = 6;
  static constexpr std::uint64_t least = 2897;
  static constexpr std::uint64_t largest = widest_warp;
  static constexpr std::uint64_t thousandths = 5409;
  template <class N>
  static TaskOf<N> task(const N& w) {
    return of_numbers("all-dmms", {.w = w, .l = N(1), .L = N(1), .d = w, .p = w * w}, w * w);
  }
};

/// Numbered by p: two blocks, one of which has all numbers but one, and a second launch for their
/// sums.
struct SumRecursive {
  using Algorithm = Sum;
  static constexpr std::string_view id = "S4.recursive.tight";
  static constexpr std::string_view source = "HMM theorem 7";
  static constexpr std::string_view what = "the recursive sum takes";
  static constexpr std::string_view terms = "(n/w + nL/P + 2(L + l) + l log n)";
  static constexpr std::string_view domain = "all p ≥ 2,048, n = p + 1, d = 2, w = l = L = 1";
  static constexpr std::uint64_t factor = 5;
  static constexpr std::uint64_t least = 1U << 11U;
  static constexpr std::uint64_t largest = 1U << 17U;
  static constexpr std::uint64_t thousandths = 4999;
  template <class N>
  static TaskOf<N> task(const N& p) {
    return of_numbers("recursive", {.w = N(1), .l = N(1), .L = N(1), .d = N(2), .p = p}, p + N(1));
  }
};

struct SimplePrefixSumsOnDmm {
  using Algorithm = PrefixSums;
  static constexpr std::string_view id = "P1.tight.DMM";
  static constexpr std::string_view source = "MOD lemma 2";
  static constexpr std::string_view what = "simple prefix sums on the DMM take";
  static constexpr std::string_view terms = "(n/w + nl/p + l) log n";
  static constexpr std::string_view domain = "all n ≥ 2, p = l = 300n, w = 1";
  static constexpr std::uint64_t factor = 3;
  static constexpr std::uint64_t least = 2;
  static constexpr std::uint64_t largest = 1U << 9U;
  static constexpr std::uint64_t thousandths = 2988;
  template <class N>
  static TaskOf<N> task(const N& n) {
    return of_numbers("simple", waiting_dmm(n), n);
  }
};

struct SimplePrefixSumsOnUmm {
  using Algorithm = PrefixSums;
  static constexpr std::string_view id = "P1.tight.UMM";
  static constexpr std::string_view source = "MOD lemma 2";
  static constexpr std::string_view what = "simple prefix sums on the UMM take";
  static constexpr std::string_view terms = "(n/w + nl/p + l) log n";
  static constexpr std::string_view domain = "all n = 2^k, k ≥ 5,000, p = 19,201, w = 64, l = 1";
  static constexpr std::uint64_t factor = 6;
  static constexpr std::uint64_t largest = 1U << 22U;
  static constexpr std::uint64_t thousandths = 5667;
  template <class N>
  static TaskOf<N> task(const N& n) {
    return of_numbers("simple", unaligned_umm<N>(), n);
  }
};

/// With two banks, stride-2 accesses take two stages for each warp, and a level is a single turn.
/// Of the 12 stages for two pairs, 10 belong to these accesses.
struct OptimalPrefixSumsOnDmm {
  using Algorithm = PrefixSums;
  static constexpr std::string_view id = "P2.tight.DMM";
  static constexpr std::string_view source = "MOD theorem 3";
  static constexpr std::string_view what = "optimal prefix sums on the DMM take";
  static constexpr std::string_view terms = "(n/w + nl/p + l log n)";
  static constexpr std::string_view domain = "all n > 2^13, p = n, w = 2, l = 1";
  static constexpr std::uint64_t factor = 12;
  static constexpr std::uint64_t least = (1U << 13U) + 1;
  static constexpr std::uint64_t largest = 1U << 16U;
  static constexpr std::uint64_t thousandths = 11992;
  template <class N>
  static TaskOf<N> task(const N& n) {
    return of_numbers("optimal", {.machine = MachineKind::dmm, .w = N(2), .l = N(1), .p = n}, n);
  }
};

/// A turn that starts mid-group splits w stride-2 words into three pieces. With 64 banks one turn
/// in 32 begins with a group.
struct OptimalPrefixSumsOnUmm {
  using Algorithm = PrefixSums;
  static constexpr std::string_view id = "P2.tight.UMM";
  static constexpr std::string_view source = "MOD theorem 3";
  static constexpr std::string_view what = "optimal prefix sums on the UMM take";
  static constexpr std::string_view terms = "(n/w + nl/p + l log n)";
  static constexpr std::string_view domain = "all n > 2^41, p = 640,001, w = 64, l = 1";
  static constexpr std::uint64_t factor = 19;
  static constexpr std::uint64_t least = (std::uint64_t{1} << 41U) + 1;
  static constexpr std::uint64_t largest = 1U << 23U;
  static constexpr std::uint64_t thousandths = 17226;
  static constexpr std::uint64_t w = 64;
  static constexpr std::uint64_t warps = 10000;  ///< warps of a turn, besides one more thread
  template <class N>
  static TaskOf<N> task(const N& n) {
    return of_numbers(
        "optimal", {.machine = MachineKind::umm, .w = N(w), .l = N(1), .p = N(warps * w + 1)}, n);
  }
};

}  // namespace bankproof::proofs
