// Families of matrix products and image convolutions whose times come near to their upper bounds
// (families.hpp).
//
// A row has one number more than a warp has threads, so it takes two warps. There is one thread
// less than two rows need, so w + 1 of the 4w − 1 threads work in a turn. The latency of 10,000
// makes the number of turns the only thing that matters.
#pragma once

#include <cstdint>
#include <string_view>

#include "../../../algorithms/image_convolution.hpp"
#include "../../../algorithms/matrix_product.hpp"

namespace bankproof::proofs {

template <class N>
MachineParametersOf<N> with_idle_threads(MachineKind machine, const N& w) {
  return {.machine = machine, .w = w, .l = N(10000), .p = N(4) * w - N(1)};
}
constexpr std::string_view on_one_memory(MachineKind machine, std::string_view dmm,
                                         std::string_view umm) {
  return machine == MachineKind::dmm ? dmm : umm;
}

/// Numbered by w: four rows of one term each, so that a turn has a third access, to c.
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

/// Numbered by w, with w rows and a kernel of radius 1: a turn reads 9 pixels and 9 weights, and
/// writes.
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

/// Numbered by w: four tiles for little more than w² pixels, in two waves on three DMMs. There is
/// one thread less than a tile has pixels, so that a tile takes two turns, and its window three.
struct ImageByTiles {
  using Algorithm = ImageConvolution;
  static constexpr std::string_view id = "I2.tight";
  static constexpr std::string_view source = "OPT theorem 5";
  static constexpr std::string_view what = "CONV-HMM takes";
  static constexpr std::string_view terms = "(RC/w + RCL/(dp) + RCv²/(dw) + RCv²l/(dp))";
  static constexpr std::string_view domain =
      "all w ≥ 256, R = C = w + 1, v = 1, p = w² − 1, d = 3, l = 100w², L = 1";
  static constexpr std::uint64_t factor = 264;
  static constexpr std::uint64_t least = 256;
  static constexpr std::uint64_t largest = widest_warp;
  static constexpr std::uint64_t thousandths = 255739;
  template <class N>
  static TaskOf<N> task(const N& w) {
    TaskOf<N> task{
        "CONV-HMM", {}, {.w = w, .l = N(100) * w * w, .L = N(1), .d = N(3), .p = w * w - N(1)}};
    task.sizes.add("rows", w + N(1));
    task.sizes.add("columns", w + N(1));
    task.sizes.add("v", N(1));
    return task;
  }
};

/// Numbered by w, with tiles of side m = w + 1: eight products of tiles for little more than m³
/// terms, in two waves on three DMMs. A turn of 4w − 1 threads has one row of two warps.
struct ProductByTiles {
  using Algorithm = MatrixProduct;
  static constexpr std::string_view id = "X2.tight";
  static constexpr std::string_view source = "OPT theorem 8";
  static constexpr std::string_view what = "MUL-HMM takes";
  static constexpr std::string_view terms = "(RKC/(mw) + RKCL/(mdp) + RKC/(dw) + RKCl/(dp))";
  static constexpr std::string_view domain =
      "all w ≥ 300, m = w + 1, R = K = C = w + 2, p = 4w − 1, d = 3, l = 10,000, L = 1";
  static constexpr std::uint64_t factor = 96;
  static constexpr std::uint64_t least = 300;
  static constexpr std::uint64_t largest = widest_warp;
  static constexpr std::uint64_t thousandths = 92676;
  template <class N>
  static TaskOf<N> task(const N& w) {
    TaskOf<N> task{
        "MUL-HMM", {}, {.w = w, .l = N(10000), .L = N(1), .d = N(3), .p = N(4) * w - N(1)}};
    for (const std::string_view side : {"rows", "inner", "columns"}) task.sizes.add(side, w + N(2));
    task.sizes.add("m", w + N(1));
    return task;
  }
};

}  // namespace bankproof::proofs
