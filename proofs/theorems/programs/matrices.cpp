// The programs that sweep over matrices make the rounds of cost().
#include "matrices.hpp"

#include "../lists.hpp"

namespace bankproof::proofs {

std::vector<Theorem> theorems_on_programs_of_matrices() {
  std::vector<Theorem> all;
  for (const MachineKind machine : {MachineKind::dmm, MachineKind::umm}) {
    const std::string on = machine == MachineKind::dmm ? "DMM" : "UMM";
    all.push_back(theorem_on({.id = "X1.program." + on,
                              .source = "OPT V",
                              .what = "MUL-DMM on the " + on,
                              .domain = "all R, K, C, p, w",
                              .variant = "MUL-DMM",
                              .machine = machine,
                              .sizes = {"rows", "inner", "columns"},
                              .run = run_product,
                              .closed = MatrixProduct::cost<Written>,
                              .sweeps = sweeps_of_product}));
  }
  all.push_back(theorem_on({.id = "I1.program.DMM",
                            .source = "OPT III",
                            .what = "CONV-DMM on the DMM",
                            .domain = "all R, C, v ≥ 1, p, w",
                            .variant = "CONV-DMM",
                            .machine = MachineKind::dmm,
                            .sizes = {"rows", "columns", "v"},
                            .run = run_convolution,
                            .closed = ImageConvolution::cost<Written>,
                            .sweeps = sweeps_of_image}));
  all.push_back(theorem_on({.id = "X2.program",
                            .source = "OPT V",
                            .what = "MUL-HMM",
                            .domain = "all R, K, C, m, p, w, d",
                            .variant = "MUL-HMM",
                            .machine = MachineKind::hmm,
                            .sizes = {"rows", "inner", "columns", "m"},
                            .run = run_product_of_tiles,
                            .closed = MatrixProduct::cost<Written>,
                            .sweeps = sweeps_of_tiles}));
  for (const std::string_view variant : {"diagonal", "row-major"}) {
    const bool is_diagonal = variant == "diagonal";
    all.push_back(theorem_on({.id = is_diagonal ? "H3.program" : "H3.program.row-major",
                              .source = "THS 5.3",
                              .what = std::string("the transpose in ") +
                                      (is_diagonal ? "diagonal" : "row-major") +
                                      (is_diagonal ? " arrangement" : " order"),
                              .domain = "all R, C, p, w, d, capacities",
                              .variant = variant,
                              .machine = MachineKind::hmm,
                              .sizes = {"rows", "columns"},
                              .run = run_transpose,
                              .closed = Transpose::cost<Written>,
                              .sweeps = sweeps_of_transpose}));
  }
  return all;
}

}  // namespace bankproof::proofs
