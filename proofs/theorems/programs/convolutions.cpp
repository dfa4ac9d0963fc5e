// The programs that convolve lines make the rounds of cost().
#include "convolutions.hpp"

#include "../../../algorithms/convolution.hpp"
#include "../../programs/theorem.hpp"
#include "../lists.hpp"

namespace bankproof::proofs {

std::vector<Theorem> theorems_on_programs_of_convolutions() {
  struct Variant {
    std::string row;
    std::string_view name;
    std::string what;
  };
  std::vector<Theorem> all;
  for (const MachineKind machine : {MachineKind::dmm, MachineKind::umm}) {
    const std::string on = machine == MachineKind::dmm ? "DMM" : "UMM";
    for (const Variant& variant : {Variant{"D3", "one-each", "a thread for each number"},
                                   Variant{"D4", "pieces", "p/n threads for each number"},
                                   Variant{"D2", "products", "m threads for each number"}}) {
      add_theorems(all, {.id = variant.row + ".program." + on,
                         .source = "HMM VIII",
                         .what = "the convolution by " + variant.what + ", on the " + on,
                         .domain = "all n, m, p, w",
                         .variant = variant.name,
                         .machine = machine,
                         .sizes = {"n", "m"},
                         .run = run_line_convolution,
                         .closed = Convolution::cost<Written>,
                         .sweeps = sweeps_of_lines,
                         .level = sweep_of_level});
    }
  }
  add_theorems(all, {.id = "D5.program",
                     .source = "HMM IX",
                     .what = "the convolution by shares",
                     .domain = "all n, m, p, w, d",
                     .variant = "shares",
                     .machine = MachineKind::hmm,
                     .sizes = {"n", "m"},
                     .run = run_convolution_of_shares,
                     .closed = Convolution::cost<Written>,
                     .sweeps = sweeps_of_lines,
                     .level = sweep_of_level});
  return all;
}

}  // namespace bankproof::proofs
