// Families of matrix products and image convolutions whose times come near to their upper bounds
// (families.hpp).
//
// A row has one number more than a warp has threads, so it takes two warps. There is one thread
// less than two rows need, so only w + 1 of the 4w − 1 threads work in a turn. The latency of
// 10,000 is so large that the time depends only on the number of turns.
#pragma once

#include "../../../algorithms/image_convolution.hpp"
#include "../../../algorithms/matrix_product.hpp"
#include "table.hpp"

namespace bankproof::proofs {

template <class N>
MachineParametersOf<N> with_idle_threads(MachineKind machine, const N& w) {
  return {.machine = machine, .w = w, .l = 10000, .p = 4 * w - 1};
}

/// Members are numbered by w: four rows of one term each, so that a turn has a third access, to c.
template <MachineKind on>
struct ProductOnOneMemory
    : Family<MatrixProduct, on_one_memory(on, "X1.tight.DMM", "X1.tight.UMM")> {
  template <class N>
  static TaskOf<N> task(const N& w) {
    return MemberTask{"MUL-DMM",
                      with_idle_threads(on, w),
                      {{"rows", 4}, {"inner", 1}, {"columns", w + 1}, {"m", 1}}};
  }
};

/// Members are numbered by w, with w rows and a kernel of radius 1: a turn reads 9 pixels and 9
/// weights, and writes.
template <MachineKind on>
struct ImageOnOneMemory
    : Family<ImageConvolution, on_one_memory(on, "I1.tight.DMM", "I1.tight.UMM")> {
  template <class N>
  static TaskOf<N> task(const N& w) {
    return MemberTask{
        "CONV-DMM", with_idle_threads(on, w), {{"rows", w}, {"columns", w + 1}, {"v", 1}}};
  }
};

/// Members are numbered by w: four tiles for little more than w² pixels, in two waves on three
/// DMMs. There is one thread less than a tile has pixels, so a tile takes two turns, and the window
/// of a tile takes three.
struct ImageByTiles : Family<ImageConvolution, "I2.tight"> {
  template <class N>
  static TaskOf<N> task(const N& w) {
    const MachineParametersOf<N> machine{.w = w, .l = 100 * w * w, .L = 1, .d = 3, .p = w * w - 1};
    return MemberTask{"CONV-HMM", machine, {{"rows", w + 1}, {"columns", w + 1}, {"v", 1}}};
  }
};

/// Members are numbered by w, with tiles of side m = w + 1: eight products of tiles for little more
/// than m³ terms, in two waves on three DMMs. A turn of 4w − 1 threads has one row of two warps.
struct ProductByTiles : Family<MatrixProduct, "X2.tight"> {
  template <class N>
  static TaskOf<N> task(const N& w) {
    return MemberTask<N>{"MUL-HMM",
                         {.w = w, .l = 10000, .L = 1, .d = 3, .p = 4 * w - 1},
                         {{"rows", w + 2}, {"inner", w + 2}, {"columns", w + 2}, {"m", w + 1}}};
  }
};

}  // namespace bankproof::proofs
