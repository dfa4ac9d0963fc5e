// Families of sums and prefix sums whose times come near to their upper bounds (families.hpp).
//
// Example: for n numbers and 300n threads with a latency of 300n, the pairwise sum takes 3l log n
// on the DMM. Its upper bound, 3(n/w + nl/p + l log n), is little more.
#pragma once

#include <cstdint>
#include <string_view>

#include "../../../algorithms/prefix_sums.hpp"
#include "../../../algorithms/sum.hpp"
#include "table.hpp"

namespace bankproof::proofs {

/// A task of n numbers on this machine.
template <class N>
TaskOf<N> of_numbers(std::string_view variant, const MachineParametersOf<N>& letters, const N& n) {
  return MemberTask{variant, letters, {{"n", n}}};
}

/// A DMM on which n numbers have n/w + nl/p ≤ l/150, so that the time depends almost only on the
/// latencies of the rounds.
template <class N>
MachineParametersOf<N> waiting_dmm(const N& n) {
  return {.machine = MachineKind::dmm, .w = 1, .l = 300 * n, .p = 300 * n};
}

/// A UMM on which all turns but one in w begin inside an address group. Each of these turns has two
/// pieces for each warp and one more piece: 601 stages. With each turn of p numbers, n/w + n/p
/// grows by about 301.
template <class N>
MachineParametersOf<N> unaligned_umm() {
  return {.machine = MachineKind::umm, .w = 64, .l = 1, .p = 300 * 64 + 1};
}

struct SumOnPram : Family<Sum, "S1.tight"> {
  static auto task(const auto& n) {
    return of_numbers("columns", {.machine = MachineKind::pram, .w = widest_warp, .p = 100 * n}, n);
  }
};

struct PairwiseSumOnDmm : Family<Sum, "S2.tight.DMM"> {
  static auto task(const auto& n) { return of_numbers("pairwise", waiting_dmm(n), n); }
};

struct PairwiseSumOnUmm : Family<Sum, "S2.tight.UMM"> {
  template <class N>
  static TaskOf<N> task(const N& n) {
    return of_numbers("pairwise", unaligned_umm<N>(), n);
  }
};

struct SumByOneDmm : Family<Sum, "S3.tight"> {
  static auto task(const auto& n) {
    return of_numbers("one-dmm", {.w = 1, .l = 1, .L = 1, .d = 1, .p = n}, n);
  }
};

/// Members are numbered by w, with n = w² and d = w.
struct SumByAllDmms : Family<Sum, "S4.tight"> {
  static auto task(const auto& w) {
    return of_numbers("all-dmms", {.w = w, .l = 1, .L = 1, .d = w, .p = w * w}, w * w);
  }
};

/// Members are numbered by p: two blocks, one of which has all numbers but one, and a second launch
/// for their sums.
struct SumRecursive : Family<Sum, "S4.recursive.tight"> {
  static auto task(const auto& p) {
    return of_numbers("recursive", {.w = 1, .l = 1, .L = 1, .d = 2, .p = p}, p + 1);
  }
};

struct SimplePrefixSumsOnDmm : Family<PrefixSums, "P1.tight.DMM"> {
  static auto task(const auto& n) { return of_numbers("simple", waiting_dmm(n), n); }
};

struct SimplePrefixSumsOnUmm : Family<PrefixSums, "P1.tight.UMM"> {
  template <class N>
  static TaskOf<N> task(const N& n) {
    return of_numbers("simple", unaligned_umm<N>(), n);
  }
};

/// With two banks, stride-2 accesses take two stages for each warp, and a level is a single turn.
/// Two pairs take 12 stages, 10 of them for stride-2 accesses.
struct OptimalPrefixSumsOnDmm : Family<PrefixSums, "P2.tight.DMM"> {
  static auto task(const auto& n) {
    return of_numbers("optimal", {.machine = MachineKind::dmm, .w = 2, .l = 1, .p = n}, n);
  }
};

/// A turn that starts mid-group splits w stride-2 words into three pieces. With w = 64, one turn in
/// 32 begins with a group.
struct OptimalPrefixSumsOnUmm : Family<PrefixSums, "P2.tight.UMM"> {
  static constexpr std::uint64_t w = 64;
  static constexpr std::uint64_t warps = 10000;  ///< a turn has these warps and one more thread
  static auto task(const auto& n) {
    return of_numbers("optimal", {.machine = MachineKind::umm, .w = w, .l = 1, .p = warps * w + 1},
                      n);
  }
};

}  // namespace bankproof::proofs
