// Families of direct convolutions whose times come near to their upper bounds (families.hpp).
//
// Either the number of turns dominates, because few of the threads take part; or the number of
// stages, because each access to w + 1 numbers takes one warp more than an access to w numbers.
// With a piece for each term, and a thread for each element, an element of a row of partial sums
// takes part in 6 accesses: two for the factors, one to write, and three for a pair.
#pragma once

#include <cstdint>
#include <string_view>

#include "../../../algorithms/convolution.hpp"
#include "products.hpp"

namespace bankproof::proofs {

/// Numbered by m: the last of p + 1 numbers takes a turn of its own.
struct ConvolutionOnPram {
  using Algorithm = Convolution;
  static constexpr std::string_view id = "D1.tight";
  static constexpr std::string_view source = "HMM lemma 4";
  static constexpr std::string_view what = "convolution takes on the PRAM";
  static constexpr std::string_view terms = "(mn/p + log m + 1)";
  static constexpr std::string_view domain = "all m > 2^13, n = 129, p = 128";
  static constexpr std::uint64_t factor = 4;
  static constexpr std::uint64_t least = (1U << 13U) + 1;
  static constexpr std::uint64_t largest = 1U << 14U;
  static constexpr std::uint64_t thousandths = 3965;
  template <class N>
  static TaskOf<N> task(const N& m) {
    TaskOf<N> task{"pram", {}, MachineParametersOf<N>::pram(N(128))};
    task.sizes.add("n", N(129));
    task.sizes.add("m", m);
    return task;
  }
};

/// Numbered by w: the last of w + 1 numbers takes a turn of its own.
struct ConvolutionByNumbers {
  using Algorithm = Convolution;
  static constexpr std::string_view id = "D3.tight.DMM";
  static constexpr std::string_view source = "HMM VIII";
  static constexpr std::string_view what =
      "convolution with one piece for each number takes on the DMM";
  static constexpr std::string_view terms = "(mn/w + mnl/p + l(log m + 1))";
  static constexpr std::string_view domain = "all w ≥ 256, n = w + 1, m = w², p = w, l = 10,000";
  static constexpr std::uint64_t factor = 4;
  static constexpr std::uint64_t least = 256;
  static constexpr std::uint64_t largest = widest_warp;
  static constexpr std::uint64_t thousandths = 3926;
  template <class N>
  static TaskOf<N> task(const N& w) {
    TaskOf<N> task{"one-each", {}, {.machine = MachineKind::dmm, .w = w, .l = N(10000), .p = w}};
    task.sizes.add("n", w + N(1));
    task.sizes.add("m", w * w);
    return task;
  }
};

/// Numbered by n: a thread sums one term. All turns but one in w begin inside an address group.
/// There the accesses to y and to z have two pieces for each warp, and one more.
struct ConvolutionInsideGroups {
  using Algorithm = Convolution;
  static constexpr std::string_view id = "D3.tight.UMM";
  static constexpr std::string_view source = "HMM VIII";
  static constexpr std::string_view what =
      "convolution with one piece for each number takes on the UMM";
  static constexpr std::string_view terms = "(mn/w + mnl/p + l(log m + 1))";
  static constexpr std::string_view domain = "all n > 2^25, m = 1, p = 19,201, w = 64, l = 1";
  static constexpr std::uint64_t factor = 5;
  static constexpr std::uint64_t least = (1U << 25U) + 1;
  static constexpr std::uint64_t largest = 1U << 23U;
  static constexpr std::uint64_t thousandths = 4961;
  static constexpr std::uint64_t w = 64;
  static constexpr std::uint64_t warps = 300;  ///< warps of a turn, besides one more thread
  template <class N>
  static TaskOf<N> task(const N& n) {
    TaskOf<N> task{
        "one-each", {}, {.machine = MachineKind::umm, .w = N(w), .l = N(1), .p = N(warps * w + 1)}};
    task.sizes.add("n", n);
    task.sizes.add("m", N(1));
    return task;
  }
};

/// Numbered by w: m rows of products, and m − 1 rows of sums, with a turn for each row.
template <MachineKind on>
struct ConvolutionOfProducts {
  using Algorithm = Convolution;
  static constexpr std::string_view id = on_one_memory(on, "D2.tight.DMM", "D2.tight.UMM");
  static constexpr std::string_view source = "HMM VIII";
  static constexpr std::string_view what =
      on_one_memory(on, "convolution with a piece for each product takes on the DMM",
                    "convolution with a piece for each product takes on the UMM");
  static constexpr std::string_view terms = "(mn/w + mnl/p + l(log m + 1))";
  static constexpr std::string_view domain =
      "all w ≥ 256, n = w + 1, m = w², p = 4w − 1, l = 10,000";
  static constexpr std::uint64_t factor = 24;
  static constexpr std::uint64_t least = 256;
  static constexpr std::uint64_t largest = widest_warp;
  static constexpr std::uint64_t thousandths = 23239;
  template <class N>
  static TaskOf<N> task(const N& w) {
    TaskOf<N> task{"products", {}, with_idle_threads(on, w)};
    task.sizes.add("n", w + N(1));
    task.sizes.add("m", w * w);
    return task;
  }
};

/// Numbered by w: one turn has all rows of two warps. On groups the runs of y are not aligned, so
/// the factor is 13 instead of 12.
template <MachineKind on>
struct ConvolutionOfPieces {
  using Algorithm = Convolution;
  static constexpr std::string_view id = on_one_memory(on, "D4.tight.DMM", "D4.tight.UMM");
  static constexpr std::string_view source = "HMM theorem 8";
  static constexpr std::string_view what =
      on_one_memory(on, "convolution with p/n pieces for each number takes on the DMM",
                    "convolution with p/n pieces for each number takes on the UMM");
  static constexpr std::string_view terms = "(mn/w + mnl/p + l(log m + 1))";
  static constexpr std::string_view domain = "all w ≥ 256, n = w + 1, m = w², p = 2w³, l = 1";
  static constexpr std::uint64_t factor = on == MachineKind::dmm ? 12 : 13;
  static constexpr std::uint64_t least = 256;
  static constexpr std::uint64_t largest = widest_warp;
  static constexpr std::uint64_t thousandths = on == MachineKind::dmm ? 11775 : 12741;
  template <class N>
  static TaskOf<N> task(const N& w) {
    TaskOf<N> task{"pieces", {}, {.machine = on, .w = w, .l = N(1), .p = N(2) * w * w * w}};
    task.sizes.add("n", w + N(1));
    task.sizes.add("m", w * w);
    return task;
  }
};

/// Numbered by w: one turn has all rows of two warps, on one DMM. There are no more terms than
/// numbers in a share.
struct ConvolutionOfShares {
  using Algorithm = Convolution;
  static constexpr std::string_view id = "D5.tight";
  static constexpr std::string_view source = "HMM theorem 9, corollary 10";
  static constexpr std::string_view what = "convolution takes on the HMM";
  static constexpr std::string_view terms = "(n/w + mn/(dw) + nL/P + mnl/P + L + l(log m + 1))";
  static constexpr std::string_view domain =
      "all w > 2^11, n = w + 1, m = w, p = 2w², d = 1, l = L = 1";
  static constexpr std::uint64_t factor = 12;
  static constexpr std::uint64_t least = (1U << 11U) + 1;
  static constexpr std::uint64_t largest = widest_warp;
  static constexpr std::uint64_t thousandths = 10371;
  template <class N>
  static TaskOf<N> task(const N& w) {
    TaskOf<N> task{
        "shares",
        {},
        {.machine = MachineKind::hmm, .w = w, .l = N(1), .L = N(1), .d = N(1), .p = N(2) * w * w}};
    task.sizes.add("n", w + N(1));
    task.sizes.add("m", w);
    return task;
  }
};

}  // namespace bankproof::proofs
