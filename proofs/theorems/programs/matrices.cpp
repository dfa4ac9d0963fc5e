// The programs that sweep over matrices make the rounds of cost().
#include "matrices.hpp"

#include "../lists.hpp"

namespace bankproof::proofs {

std::vector<Theorem> theorems_on_programs_of_matrices() {
  std::vector<Theorem> all;
  for (const MachineKind machine : {MachineKind::dmm, MachineKind::umm}) {
    const std::string on = machine == MachineKind::dmm ? "DMM" : "UMM";
    add_theorems(all, {.id = "X1.program." + on,
                       .source = "OPT V",
                       .what = "MUL-DMM on the " + on,
                       .domain = "all R, K, C, p, w",
                       .variant = "MUL-DMM",
                       .machine = machine,
                       .sizes = {"rows", "inner", "columns"},
                       .run = run_product,
                       .closed = MatrixProduct::cost<Written>,
                       .sweeps = sweeps_of_product});
  }
  for (const MachineKind machine : {MachineKind::dmm, MachineKind::umm}) {
    const std::string on = machine == MachineKind::dmm ? "DMM" : "UMM";
    add_theorems(all, {.id = "I1.program." + on,
                       .source = "OPT III",
                       .what = "CONV-DMM on the " + on,
                       .domain = "all R, C, v ≥ 1, p, w",
                       .variant = "CONV-DMM",
                       .machine = machine,
                       .sizes = {"rows", "columns", "v"},
                       .run = run_convolution,
                       .closed = ImageConvolution::cost<Written>,
                       .sweeps = sweeps_of_image});
  }
  add_theorems(all, {.id = "I2.program",
                     .source = "OPT III",
                     .what = "CONV-HMM",
                     .domain = "all R, C, v ≥ 1, p, w, d",
                     .variant = "CONV-HMM",
                     .machine = MachineKind::hmm,
                     .sizes = {"rows", "columns", "v"},
                     .run = run_convolution_of_tiles,
                     .closed = ImageConvolution::cost<Written>,
                     .sweeps = sweeps_of_window});
  add_theorems(all, {.id = "X2.program",
                     .source = "OPT V",
                     .what = "MUL-HMM",
                     .domain = "all R, K, C, m, p, w, d",
                     .variant = "MUL-HMM",
                     .machine = MachineKind::hmm,
                     .sizes = {"rows", "inner", "columns", "m"},
                     .run = run_product_of_tiles,
                     .closed = MatrixProduct::cost<Written>,
                     .sweeps = sweeps_of_tiles});
  struct TransposeProgram {
    std::string id;
    std::string what;
    std::string_view variant;
  };
  for (const TransposeProgram& one : {TransposeProgram{"", "in diagonal arrangement", "diagonal"},
                                      {".row-major", "in row-major order", "row-major"},
                                      {".direct", "without shared memory", "direct"}}) {
    add_theorems(all, {.id = "H3.program" + one.id,
                       .source = "THS 5.3",
                       .what = "the transpose " + one.what,
                       .domain = "all R, C, p, w, d, capacities",
                       .variant = one.variant,
                       .machine = MachineKind::hmm,
                       .sizes = {"rows", "columns"},
                       .run = run_transpose,
                       .closed = Transpose::cost<Written>,
                       .sweeps = sweeps_of_transpose});
  }
  return all;
}

}  // namespace bankproof::proofs
