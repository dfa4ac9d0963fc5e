// The table of families (families.hpp). A row states the theorem on a family in words, and says how
// near the family's members come to their bounds. The other headers of this folder make the
// members.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../../algorithms/algorithm.hpp"

namespace bankproof::proofs {

struct FamilyRow {
  std::string_view id;  ///< the theorem's id
  std::string_view source;
  std::string_view what;  ///< in words: the algorithm whose time comes near its bound
  std::string_view terms;
  std::string_view domain;
  std::uint64_t factor;       ///< the bound's factor
  std::uint64_t least;        ///< the least member that comes near; 0 if the domain says which do
  std::uint64_t largest;      ///< the largest member that runs in a second
  std::uint64_t thousandths;  ///< the largest member's time, in thousandths of the terms
  bool least_takes_long = false;  ///< whether it takes long to evaluate `least`
};

inline constexpr std::array family_rows = {
    FamilyRow{"C1.tight.DMM", "HMM theorem 2", "in lockstep contiguous access on the DMM takes",
              "(n/w + nl/p + l)", "all n = l ≥ 200, p = w = 1", 1, 200, 4000, 999},
    FamilyRow{"C2.tight.DMM", "MOD 3", "without barriers contiguous access on the DMM takes",
              "(n/w + nl/p + l)", "all n = l ≥ 200, p = w = 1", 1, 200, 4000, 999},
    FamilyRow{"C1.tight.UMM", "HMM theorem 2", "in lockstep contiguous access on the UMM takes",
              "(n/w + nl/p + l)", "all n = 64kp, p = 64,001, w = 64, l = 1", 2, 1, 2, 1983},
    FamilyRow{"C2.tight.UMM", "MOD 3", "without barriers contiguous access on the UMM takes",
              "(n/w + nl/p + l)", "all n = 64kp, p = 64,001, w = 64, l = 1", 2, 1, 2, 1983},
    FamilyRow{"C3.tight", "HMM theorem 2",
              "access to n/w − w + 1 arrays of n words in all, numbered one after another, of "
              "which all but one are two words in two groups, takes on the UMM",
              "(n/w + nl/p + l)", "all w ≥ 200, n = p = w³, l = 1", 4, 200, widest_warp, 3905},
    FamilyRow{"C4.tight", "OPT lemma 1", "n conflict-free accesses take", "(n/w + nl/p + l)",
              "all n = 32k, k ≥ 200, p = w = 32, l = 1,000", 1, 200, 2000, 998},
    FamilyRow{"C5.tight", "OPT lemma 2",
              "copying n words from the global memory to d shared memories takes",
              "(n/w + n/(dw) + n(l + L)/(dp) + l + L)",
              "all n = 64k, k ≥ 200, d = 2, p = w = 32, l = 1, L = 1,000", 1, 200, 2000, 997},
    FamilyRow{"C6.tight", "OPT lemma 3",
              "copying n/w − w + 1 segments of n words in all, of which all but one are two words "
              "in two groups, from the global memory to d shared memories takes",
              "(n/w + n/(dw) + n(l + L)/(dp) + l + L)",
              "all w ≥ 300, n = w³, d = w, p = w², l = L = 1", 4, 300, widest_warp, 3858},
    FamilyRow{"S1.tight", "HMM lemma 3", "the sum on the PRAM takes", "(n/p + log n + 1)",
              "all n > 2^33, p = 100n", 3, (std::uint64_t{1} << 33U) + 1, 1U << 15U, 2935},
    FamilyRow{"S2.tight.DMM", "MOD theorem 1, HMM lemma 5", "the pairwise sum on the DMM takes",
              "(n/w + nl/p + l log n)", "all n ≥ 2, p = l = 300n, w = 1", 3, 2, 1U << 9U, 2998},
    FamilyRow{"S2.tight.UMM", "MOD theorem 1, HMM lemma 5", "the pairwise sum on the UMM takes",
              "(n/w + nl/p + l log n)", "all n > 2^31, p = 19,201, w = 64, l = 1", 6,
              (std::uint64_t{1} << 31U) + 1, 1U << 24U, 5918},
    FamilyRow{"S3.tight", "HMM lemma 6", "the sum by DMM(0) takes",
              "(n/w + nL/p + L + l(log n + 1))", "all n > 2,048, p = n, w = l = L = 1", 5,
              (1U << 11U) + 1, 1U << 17U, 4999},
    FamilyRow{"S4.tight", "HMM theorem 7", "the sum by all DMMs takes",
              "(n/w + nL/P + L + l(log n + 1))", "all w ≥ 2,897, n = p = w², d = w, l = L = 1", 6,
              2897, widest_warp, 5409},
    FamilyRow{"S4.recursive.tight", "HMM theorem 7", "the recursive sum takes",
              "(n/w + nL/P + 2(L + l) + l log n)", "all p ≥ 2,048, n = p + 1, d = 2, w = l = L = 1",
              5, 1U << 11U, 1U << 17U, 4999},
    FamilyRow{"P1.tight.DMM", "MOD lemma 2", "simple prefix sums on the DMM take",
              "(n/w + nl/p + l) log n", "all n ≥ 2, p = l = 300n, w = 1", 3, 2, 1U << 9U, 2988},
    FamilyRow{"P1.tight.UMM", "MOD lemma 2", "simple prefix sums on the UMM take",
              "(n/w + nl/p + l) log n", "all n = 2^k, k ≥ 5,000, p = 19,201, w = 64, l = 1", 6, 0,
              1U << 22U, 5667},
    FamilyRow{"P2.tight.DMM", "MOD theorem 3", "optimal prefix sums on the DMM take",
              "(n/w + nl/p + l log n)", "all n > 2^13, p = n, w = 2, l = 1", 12, (1U << 13U) + 1,
              1U << 16U, 11992},
    FamilyRow{"P2.tight.UMM", "MOD theorem 3", "optimal prefix sums on the UMM take",
              "(n/w + nl/p + l log n)", "all n > 2^41, p = 640,001, w = 64, l = 1", 19,
              (std::uint64_t{1} << 41U) + 1, 1U << 23U, 17226},
    FamilyRow{"R3.tight", "THS 4.1", "the conflict-free permutation takes", "(⌈n/w⌉ + nl/p + l)",
              "all n = 32k, k ≥ 200, p = w = 32, l = 1,000", 4, 200, 2000, 3994},
    FamilyRow{"H2.tight", "THS lemma 5.2.3",
              "the permutation by destination, with S stages of its casual access, takes",
              "(S + nl/p + l)", "all n = 32k, k ≥ 200, p = w = 32, l = 1,000, S = n/w on the DMM",
              3, 200, 2000, 2995},
    FamilyRow{"H6.tight", "THS 5.5", "the scheduled permutation takes",
              "(n/w + n/(dw) + nL/(dp) + nl/(dp) + L + l)",
              "all w ≥ 150, R = C = w², p = w² − w, d = 1, l = 1,000w, L = 1", 32, 150, 24, 30585,
              true},
    FamilyRow{"H3.tight.full", "THS 5.3", "the transpose in diagonal arrangement takes",
              "(n/w + n/(dw) + nL/(dp) + nl/(dp))", "all L, n = p = w², w = 32, d = 1, l = 200", 2,
              1, 1U << 20U, 1999},
    FamilyRow{"H3.tight", "THS 5.3", "the transpose in diagonal arrangement takes",
              "(n/w + n/(dw) + nL/(dp) + nl/(dp))",
              "all w ≥ 300, n = (w + 1)², p = 2w − 1, d = 3, l = 10,000, L = 1", 24, 300,
              widest_warp, 23068},
    FamilyRow{"A2.tight", "THS lemma 6.2.1", "2R2W costs", "(2n + 2n/w + 2(L - 1))",
              "all L, n = 64², p = w = 64, d = 1", 1, 1, 1, 992},
    FamilyRow{"A3.tight", "THS lemma 6.2.2", "4R4W costs", "(8n/w + 4(L - 1))",
              "all L, n = 32², p = w = 32, d = 1", 1, 1, 1, 992},
    FamilyRow{"A4.tight", "THS lemma 6.3.1", "2R1W costs",
              "(3n/w + 10n/w² + 20n/w³ + (2k+3)(L - 1))",
              "all w ≥ 340, n = side², w | side, p = w, d = L = 1", 1, 340, 32, 991},
    FamilyRow{"A6.tight", "THS theorem 6.4.2", "1R1W costs", "(2n/w + 6n/w² + (2√n/w - 1)(L - 1))",
              "all w ≥ 300, n = side², w | side, p = w, d = L = 1", 1, 300, 32, 996},
    FamilyRow{"A7.tight", "THS theorem 6.5.1", "(1+r)R1W costs",
              "((2+r)n/w + 17n/w² + 40n/w³ + (2√n/w - 2t + 5 + 2k)(L - 1))",
              "all t and w ≥ 860, n = side², w | side, p = w, d = L = 1", 1, 860, 32, 926, true},
    FamilyRow{"A5.tight", "THS lemma 6.4.1", "4R1W costs", "(5n + (2√n - 1)(L - 1))",
              "all L, n = 90², p = 90, w = 45, d = 1", 1, 1, 1, 991},
    FamilyRow{"D1.tight", "HMM lemma 4", "convolution takes on the PRAM", "(mn/p + log m + 1)",
              "all m > 2^13, n = 129, p = 128", 4, (1U << 13U) + 1, 1U << 14U, 3965},
    FamilyRow{"D3.tight.DMM", "HMM VIII",
              "convolution with one piece for each number takes on the DMM",
              "(mn/w + mnl/p + l(log m + 1))", "all w ≥ 256, n = w + 1, m = w², p = w, l = 10,000",
              4, 256, widest_warp, 3926},
    FamilyRow{"D3.tight.UMM", "HMM VIII",
              "convolution with one piece for each number takes on the UMM",
              "(mn/w + mnl/p + l(log m + 1))", "all n > 2^25, m = 1, p = 19,201, w = 64, l = 1", 5,
              (1U << 25U) + 1, 1U << 23U, 4961},
    FamilyRow{
        "D2.tight.DMM", "HMM VIII", "convolution with a piece for each product takes on the DMM",
        "(mn/w + mnl/p + l(log m + 1))", "all w ≥ 256, n = w + 1, m = w², p = 4w − 1, l = 10,000",
        24, 256, widest_warp, 23239},
    FamilyRow{
        "D2.tight.UMM", "HMM VIII", "convolution with a piece for each product takes on the UMM",
        "(mn/w + mnl/p + l(log m + 1))", "all w ≥ 256, n = w + 1, m = w², p = 4w − 1, l = 10,000",
        24, 256, widest_warp, 23239},
    FamilyRow{"D4.tight.DMM", "HMM theorem 8",
              "convolution with p/n pieces for each number takes on the DMM",
              "(mn/w + mnl/p + l(log m + 1))", "all w ≥ 256, n = w + 1, m = w², p = 2w³, l = 1", 12,
              256, widest_warp, 11775},
    FamilyRow{"D4.tight.UMM", "HMM theorem 8",
              "convolution with p/n pieces for each number takes on the UMM",
              "(mn/w + mnl/p + l(log m + 1))", "all w ≥ 256, n = w + 1, m = w², p = 2w³, l = 1", 13,
              256, widest_warp, 12741},
    FamilyRow{"D5.tight", "HMM theorem 9, corollary 10", "convolution takes on the HMM",
              "(n/w + mn/(dw) + nL/P + mnl/P + L + l(log m + 1))",
              "all w > 2^11, n = w + 1, m = w, p = 2w², d = 1, l = L = 1", 12, (1U << 11U) + 1,
              widest_warp, 10371},
    FamilyRow{"X1.tight.DMM", "OPT lemma 7", "MUL-DMM takes on the DMM", "(RKC/w + RKCl/p)",
              "all w ≥ 160, R = 4, K = 1, C = w + 1, p = 4w − 1, l = 10,000", 12, 160, widest_warp,
              11765},
    FamilyRow{"X1.tight.UMM", "OPT lemma 7", "MUL-DMM takes on the UMM", "(RKC/w + RKCl/p)",
              "all w ≥ 160, R = 4, K = 1, C = w + 1, p = 4w − 1, l = 10,000", 12, 160, widest_warp,
              11766},
    FamilyRow{"I1.tight.DMM", "OPT lemma 4", "CONV-DMM takes on the DMM", "(RCv²/w + RCv²l/p)",
              "all w ≥ 256, R = w, C = w + 1, v = 1, p = 4w − 1, l = 10,000", 76, 256, widest_warp,
              73778},
    FamilyRow{"I1.tight.UMM", "OPT lemma 4", "CONV-DMM takes on the UMM", "(RCv²/w + RCv²l/p)",
              "all w ≥ 256, R = w, C = w + 1, v = 1, p = 4w − 1, l = 10,000", 76, 256, widest_warp,
              73782},
    FamilyRow{"I2.tight", "OPT theorem 5", "CONV-HMM takes",
              "(RC/w + RCL/(dp) + RCv²/(dw) + RCv²l/(dp))",
              "all w ≥ 256, R = C = w + 1, v = 1, p = w² − 1, d = 3, l = 100w², L = 1", 264, 256,
              widest_warp, 255739},
    FamilyRow{"X2.tight", "OPT theorem 8", "MUL-HMM takes",
              "(RKC/(mw) + RKCL/(mdp) + RKC/(dw) + RKCl/(dp))",
              "all w ≥ 300, m = w + 1, R = K = C = w + 2, p = 4w − 1, d = 3, l = 10,000, L = 1", 96,
              300, widest_warp, 92676}};

/// The id of a family's row, as an argument of a template.
struct FamilyId {
  static constexpr std::size_t most = 24;
  std::array<char, most> text{};

  template <std::size_t n>
  constexpr FamilyId(const char (&id)[n]) {  // NOLINT(google-explicit-constructor)
    static_assert(n <= most);
    std::copy_n(id, n, text.begin());
  }
  constexpr std::string_view view() const { return text.data(); }
};

/// Chooses one of two ids by the machine, or by the mode.
constexpr FamilyId on_one_memory(MachineKind machine, FamilyId dmm, FamilyId umm) {
  return machine == MachineKind::dmm ? dmm : umm;
}
constexpr FamilyId in_mode(Mode mode, FamilyId lockstep, FamilyId overlapped) {
  return mode == Mode::lockstep ? lockstep : overlapped;
}

/// The row of a family. An id without a row does not compile.
template <FamilyId id>
inline constexpr FamilyRow row_of =
    *std::find_if(family_rows.begin(), family_rows.end(),
                  [](const FamilyRow& row) { return row.id == id.view(); });

/// A task with these sizes. Write its arguments in braces: they are evaluated from left to right.
template <class N>
struct MemberTask : TaskOf<N> {
  MemberTask(std::string_view variant, const MachineParametersOf<N>& machine,
             const std::vector<std::pair<std::string_view, std::type_identity_t<N>>>& sizes)
      : TaskOf<N>{variant, {}, machine} {
    for (const auto& [name, value] : sizes) this->sizes.add(name, value);
  }
};

/// Base of a family of tasks of A.
template <class A, FamilyId name>
struct Family {
  using Algorithm = A;
  static constexpr FamilyRow row = row_of<name>;
};

}  // namespace bankproof::proofs
