// Families of convolutions and matrix products that take nearly as long as they may
// (families.hpp).
//
// Rows are a number more than a warp has threads, so that each takes two warps, and threads are one
// less than two rows take: a turn has w + 1 of 4w − 1 threads at work. With a latency of 10,000
// nothing but how many turns there are counts.
#pragma once

#include <cstdint>
#include <string_view>

#include "../../../algorithms/convolution.hpp"
#include "../../../algorithms/image_convolution.hpp"
#include "../../../algorithms/matrix_product.hpp"

namespace bankproof::proofs {

template <class N>
LettersOf<N> with_idle_threads(MachineKind machine, const N& w) {
  return {.machine = machine, .w = w, .l = N(10000), .p = N(4) * w - N(1)};
}
constexpr std::string_view on_one_memory(MachineKind machine, std::string_view dmm,
                                         std::string_view umm) {
  return machine == MachineKind::dmm ? dmm : umm;
}

/// By m: of p + 1 numbers, the last takes a turn of its own.
struct ConvolutionOnPram {
  using Algorithm = Convolution;
  static constexpr std::string_view id = "D1.tight";
  static constexpr std::string_view source = "HMM lemma 4";
  static constexpr std::string_view what = "convolution takes on the PRAM";
  static constexpr std::string_view terms = "(mn/p + log m + 1)";
  static constexpr std::string_view domain = "all m > 2^13, n = 129, p = 128";
  static constexpr std::uint64_t factor = 4;
  static constexpr std::uint64_t least = (1U << 13U) + 1;
  static constexpr std::uint64_t small = 2;
  static constexpr std::uint64_t largest = 1U << 14U;
  static constexpr std::uint64_t thousandths = 3965;
  template <class N>
  static TaskOf<N> task(const N& m) {
    TaskOf<N> task{"pram", {}, LettersOf<N>::pram(N(128))};
    task.sizes.add("n", N(129));
    task.sizes.add("m", m);
    return task;
  }
};

/// By w: of w + 1 numbers, the last takes a turn of its own.
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
  static constexpr std::uint64_t small = 3;
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

/// By n: a thread sums one term. A turn begins inside an address group, but for one turn of w,
/// where what it wants of y and of z has two pieces a warp and one more.
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
  static constexpr std::uint64_t small = 64;
  static constexpr std::uint64_t largest = 1U << 23U;
  static constexpr std::uint64_t thousandths = 4961;
  static constexpr std::uint64_t w = 64;
  static constexpr std::uint64_t warps = 300;  ///< of a turn, but for one thread
  template <class N>
  static TaskOf<N> task(const N& n) {
    TaskOf<N> task{
        "one-each", {}, {.machine = MachineKind::umm, .w = N(w), .l = N(1), .p = N(warps * w + 1)}};
    task.sizes.add("n", n);
    task.sizes.add("m", N(1));
    return task;
  }
};

/// By w: m rows of products, and m − 1 of sums, a turn each.
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
  static constexpr std::uint64_t small = 3;
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

/// By w: four rows of one term each, so that a turn has a third access, to c.
template <MachineKind on>
struct ProductOnOneMemory {
  using Algorithm = MatrixProduct;
  static constexpr std::string_view id = on_one_memory(on, "X1.tight.DMM", "X1.tight.UMM");
  static constexpr std::string_view source = "OPT lemma 7";
  static constexpr std::string_view what =
      on_one_memory(on, "MUL-DMM takes on the DMM", "MUL-DMM takes on the UMM");
  static constexpr std::string_view terms = "(RKC/w + RKCl/p)";
  static constexpr std::string_view domain =
      "all w ≥ 160, R = 4, K = 1, C = w + 1, p = 4w − 1, l = 10,000";
  static constexpr std::uint64_t factor = 12;
  static constexpr std::uint64_t least = 160;
  static constexpr std::uint64_t small = 3;
  static constexpr std::uint64_t largest = widest_warp;
  static constexpr std::uint64_t thousandths = on == MachineKind::dmm ? 11765 : 11766;
  template <class N>
  static TaskOf<N> task(const N& w) {
    TaskOf<N> task{"MUL-DMM", {}, with_idle_threads(on, w)};
    task.sizes.add("rows", N(4));
    task.sizes.add("inner", N(1));
    task.sizes.add("columns", w + N(1));
    task.sizes.add("m", N(1));
    return task;
  }
};

/// By w, with w rows: of a kernel of radius 1 a turn reads 9 pixels and weights, and writes.
template <MachineKind on>
struct ImageOnOneMemory {
  using Algorithm = ImageConvolution;
  static constexpr std::string_view id = on_one_memory(on, "I1.tight.DMM", "I1.tight.UMM");
  static constexpr std::string_view source = "OPT lemma 4";
  static constexpr std::string_view what =
      on_one_memory(on, "CONV-DMM takes on the DMM", "CONV-DMM takes on the UMM");
  static constexpr std::string_view terms = "(RCv²/w + RCv²l/p)";
  static constexpr std::string_view domain =
      "all w ≥ 256, R = w, C = w + 1, v = 1, p = 4w − 1, l = 10,000";
  static constexpr std::uint64_t factor = 76;
  static constexpr std::uint64_t least = 256;
  static constexpr std::uint64_t small = 4;
  static constexpr std::uint64_t largest = widest_warp;
  static constexpr std::uint64_t thousandths = on == MachineKind::dmm ? 73778 : 73782;
  template <class N>
  static TaskOf<N> task(const N& w) {
    TaskOf<N> task{"CONV-DMM", {}, with_idle_threads(on, w)};
    task.sizes.add("rows", w);
    task.sizes.add("columns", w + N(1));
    task.sizes.add("v", N(1));
    return task;
  }
};

}  // namespace bankproof::proofs
