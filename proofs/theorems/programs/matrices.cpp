// The programs that sweep over matrices make the rounds of cost().
#include "../../../algorithms/matrix_product.hpp"
#include "../../programs/theorem.hpp"
#include "../lists.hpp"

namespace bankproof::proofs {
namespace {

Cost<Written> run_product(const TaskOf<Written>& task) {
  const MultiplyingOf<Written> size = MatrixProduct::size_of(task.sizes);
  WrittenWarp warp({.machine = task.machine, .threads = task.machine.p});
  WrittenArray a(warp, size.rows * size.inner);
  WrittenArray b(warp, size.inner * size.columns);
  WrittenArray c(warp, size.rows * size.columns);
  warp.run(multiply<int>(warp, a, b, c, size, false));
  return warp.cost();
}

std::vector<SweepShape<Written>> sweeps_of_product(const TaskOf<Written>& task) {
  const MultiplyingOf<Written> size = MatrixProduct::size_of(task.sizes);
  return {{size.rows, size.columns, task.machine.p, task.machine.w}};
}

}  // namespace

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
  return all;
}

}  // namespace bankproof::proofs
