// Families of matrix products and image convolutions whose times come near to their upper bounds
// (families.hpp).
//
// A row has one number more than a warp has threads, so it takes two warps. There is one thread
// less than two rows need, so only w + 1 of the 4w − 1 threads work in a turn. The latency of
// 10,000 is so large that the time depends only on the number of turns.
#pragma once

#include <cstdint>
#include <string_view>

#include "../../../algorithms/image_convolution.hpp"
#include "../../../algorithms/matrix_product.hpp"
#include "table.hpp"

namespace bankproof::proofs {

template <class N>
MachineParametersOf<N> with_idle_threads(MachineKind machine, const N& w) {
  return {.machine = machine, .w = w, .l = N(10000), .p = N(4) * w - N(1)};
}

/// Members are numbered by w: four rows of one term each, so that a turn has a third access, to c.
template <MachineKind on>
struct ProductOnOneMemory
    : Family<MatrixProduct, on_one_memory(on, "X1.tight.DMM", "X1.tight.UMM")> {
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

/// Members are numbered by w, with w rows and a kernel of radius 1: a turn reads 9 pixels and 9
/// weights, and writes.
template <MachineKind on>
struct ImageOnOneMemory
    : Family<ImageConvolution, on_one_memory(on, "I1.tight.DMM", "I1.tight.UMM")> {
  template <class N>
  static TaskOf<N> task(const N& w) {
    TaskOf<N> task{"CONV-DMM", {}, with_idle_threads(on, w)};
    task.sizes.add("rows", w);
    task.sizes.add("columns", w + N(1));
    task.sizes.add("v", N(1));
    return task;
  }
};

/// Members are numbered by w: four tiles for little more than w² pixels, in two waves on three
/// DMMs. There is one thread less than a tile has pixels, so a tile takes two turns, and the window
/// of a tile takes three.
struct ImageByTiles : Family<ImageConvolution, "I2.tight"> {
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

/// Members are numbered by w, with tiles of side m = w + 1: eight products of tiles for little more
/// than m³ terms, in two waves on three DMMs. A turn of 4w − 1 threads has one row of two warps.
struct ProductByTiles : Family<MatrixProduct, "X2.tight"> {
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
