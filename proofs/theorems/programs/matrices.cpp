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
  return all;
}

}  // namespace bankproof::proofs
