// The program of contiguous access makes the rounds whose times rows C1 and C2 are about.
#include "../../programs/theorem.hpp"
#include "../access/access.hpp"
#include "../lists.hpp"

namespace bankproof::proofs {
namespace {

using WrittenTask = TaskOf<Written>;

struct IgnoreAll {
  template <class... All>
  void operator()(const All&...) const {}
};

WrittenRun run_access(const WrittenTask& task) {
  WrittenWarp warp({.machine = task.machine, .threads = task.machine.p});
  WrittenArray a(warp, task.sizes["n"]);
  IgnoreAll ignore;
  warp.run(contiguous_read<int>(warp, a, a.size(), ignore));
  return warp.result();
}

Cost<Written> closed_access(const WrittenTask& task) {
  const MachineParametersOf<Written>& m = task.machine;
  return Cost<Written>::on_one_memory(
      rounds_of(m.memory(), ContiguousAccessOf<Written>{task.sizes["n"], m.p, m.w, m.l}));
}

}  // namespace

std::vector<Theorem> theorems_on_programs_of_accesses() {
  std::vector<Theorem> all;
  for (const MachineKind machine : {MachineKind::dmm, MachineKind::umm}) {
    const std::string on = machine == MachineKind::dmm ? "DMM" : "UMM";
    const ProgramOnFormulas program{.id = "C1.program." + on,
                                    .source = "HMM IV, MOD 3",
                                    .what = "contiguous access on the " + on,
                                    .domain = "all n, p, w",
                                    .variant = "read",
                                    .machine = machine,
                                    .sizes = {"n"},
                                    .run = run_access,
                                    .closed = closed_access};
    // It writes nothing, so nothing races.
    all.push_back(theorem_on(program));
    all.push_back(theorem_on_accesses_of(program));
  }
  return all;
}

}  // namespace bankproof::proofs
