// Families of direct convolutions whose times come near to their upper bounds (families.hpp).
//
// In some families the number of turns dominates the time, because few of the threads take part in
// a turn. In other families the number of stages dominates the time, because each access to w + 1
// numbers takes one warp more than an access to w numbers. If there is a piece for each term, and a
// thread for each element, each element of a row of partial sums takes part in 6 accesses: two read
// the factors, one writes the product, and three add a pair.
#pragma once

#include "../../../algorithms/convolution.hpp"
#include "products.hpp"
#include "table.hpp"

namespace bankproof::proofs {

/// Members are numbered by m: the last of p + 1 numbers takes a whole turn.
struct ConvolutionOnPram : Family<Convolution, "D1.tight"> {
  template <class N>
  static TaskOf<N> task(const N& m) {
    return MemberTask{"pram", MachineParametersOf<N>::pram(128), {{"n", 129}, {"m", m}}};
  }
};

/// Members are numbered by w: the last of w + 1 numbers takes a whole turn.
struct ConvolutionByNumbers : Family<Convolution, "D3.tight.DMM"> {
  template <class N>
  static TaskOf<N> task(const N& w) {
    return MemberTask<N>{"one-each",
                         {.machine = MachineKind::dmm, .w = w, .l = 10000, .p = w},
                         {{"n", w + 1}, {"m", w * w}}};
  }
};

/// Members are numbered by n: a thread sums one term. All turns but one in w begin inside an
/// address group. In these turns each access to y or z has two pieces for each warp, and one more
/// piece.
struct ConvolutionInsideGroups : Family<Convolution, "D3.tight.UMM"> {
  static constexpr std::uint64_t w = 64;
  static constexpr std::uint64_t warps = 300;  ///< a turn has these warps and one more thread
  template <class N>
  static TaskOf<N> task(const N& n) {
    return MemberTask<N>{"one-each",
                         {.machine = MachineKind::umm, .w = w, .l = 1, .p = warps * w + 1},
                         {{"n", n}, {"m", 1}}};
  }
};

/// Members are numbered by w: m rows of products, and m − 1 rows of sums, with a turn for each row.
template <MachineKind on>
struct ConvolutionOfProducts
    : Family<Convolution, on_one_memory(on, "D2.tight.DMM", "D2.tight.UMM")> {
  template <class N>
  static TaskOf<N> task(const N& w) {
    return MemberTask{"products", with_idle_threads(on, w), {{"n", w + 1}, {"m", w * w}}};
  }
};

/// Members are numbered by w: one turn has all rows, and each row has two warps. On groups the runs
/// of y are not aligned, so the factor is 13 instead of 12.
template <MachineKind on>
struct ConvolutionOfPieces
    : Family<Convolution, on_one_memory(on, "D4.tight.DMM", "D4.tight.UMM")> {
  template <class N>
  static TaskOf<N> task(const N& w) {
    const MachineParametersOf<N> machine{.machine = on, .w = w, .l = 1, .p = 2 * w * w * w};
    return MemberTask{"pieces", machine, {{"n", w + 1}, {"m", w * w}}};
  }
};

/// Members are numbered by w: one turn on one DMM has all rows, and each row has two warps. There
/// are no more terms than numbers in a share.
struct ConvolutionOfShares : Family<Convolution, "D5.tight"> {
  template <class N>
  static TaskOf<N> task(const N& w) {
    const MachineParametersOf<N> machine{.w = w, .l = 1, .L = 1, .d = 1, .p = 2 * w * w};
    return MemberTask{"shares", machine, {{"n", w + 1}, {"m", w}}};
  }
};

}  // namespace bankproof::proofs
