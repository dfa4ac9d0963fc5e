// Families of direct convolutions whose times come near to their upper bounds (families.hpp).
//
// In some families the number of turns dominates the time, because few of the threads take part in
// a turn. In other families the number of stages dominates the time, because each access to w + 1
// numbers takes one warp more than an access to w numbers. If there is a piece for each term, and a
// thread for each element, each element of a row of partial sums takes part in 6 accesses: two read
// the factors, one writes the product, and three add a pair.
#pragma once

#include <cstdint>

#include "../../../algorithms/convolution.hpp"
#include "products.hpp"
#include "table.hpp"

namespace bankproof::proofs {

/// Members are numbered by m: the last of p + 1 numbers takes a whole turn.
struct ConvolutionOnPram : Family<Convolution, "D1.tight"> {
  template <class N>
  static TaskOf<N> task(const N& m) {
    TaskOf<N> task{"pram", {}, MachineParametersOf<N>::pram(N(128))};
    task.sizes.add("n", N(129));
    task.sizes.add("m", m);
    return task;
  }
};

/// Members are numbered by w: the last of w + 1 numbers takes a whole turn.
struct ConvolutionByNumbers : Family<Convolution, "D3.tight.DMM"> {
  template <class N>
  static TaskOf<N> task(const N& w) {
    TaskOf<N> task{"one-each", {}, {.machine = MachineKind::dmm, .w = w, .l = N(10000), .p = w}};
    task.sizes.add("n", w + N(1));
    task.sizes.add("m", w * w);
    return task;
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
    TaskOf<N> task{
        "one-each", {}, {.machine = MachineKind::umm, .w = N(w), .l = N(1), .p = N(warps * w + 1)}};
    task.sizes.add("n", n);
    task.sizes.add("m", N(1));
    return task;
  }
};

/// Members are numbered by w: m rows of products, and m − 1 rows of sums, with a turn for each row.
template <MachineKind on>
struct ConvolutionOfProducts
    : Family<Convolution, on_one_memory(on, "D2.tight.DMM", "D2.tight.UMM")> {
  template <class N>
  static TaskOf<N> task(const N& w) {
    TaskOf<N> task{"products", {}, with_idle_threads(on, w)};
    task.sizes.add("n", w + N(1));
    task.sizes.add("m", w * w);
    return task;
  }
};

/// Members are numbered by w: one turn has all rows, and each row has two warps. On groups the runs
/// of y are not aligned, so the factor is 13 instead of 12.
template <MachineKind on>
struct ConvolutionOfPieces
    : Family<Convolution, on_one_memory(on, "D4.tight.DMM", "D4.tight.UMM")> {
  template <class N>
  static TaskOf<N> task(const N& w) {
    TaskOf<N> task{"pieces", {}, {.machine = on, .w = w, .l = N(1), .p = N(2) * w * w * w}};
    task.sizes.add("n", w + N(1));
    task.sizes.add("m", w * w);
    return task;
  }
};

/// Members are numbered by w: one turn on one DMM has all rows, and each row has two warps. There
/// are no more terms than numbers in a share.
struct ConvolutionOfShares : Family<Convolution, "D5.tight"> {
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
