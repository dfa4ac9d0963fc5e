// Programs that add up a line, on formulas.
#pragma once

#include "../../../algorithms/prefix_sums.hpp"
#include "../../../algorithms/sum.hpp"
#include "../../../proofs/programs/warp.hpp"

namespace bankproof::proofs {

/// Runs a program on the array of a task, with the warp and the array.
template <class Run>
WrittenRun run_of(const TaskOf<Written>& task, Run run) {
  WrittenWarp warp({.machine = task.machine, .threads = task.machine.p});
  WrittenArray a(warp, task.sizes["n"]);
  run(warp, a);
  return warp.result();
}
inline WrittenRun pairwise(const TaskOf<Written>& task) {
  return run_of(task, [](auto& warp, auto& a) { warp.run(sum_pairwise<int>(warp, a, a.size())); });
}
inline WrittenRun simple(const TaskOf<Written>& task) {
  return run_of(task, [](auto& warp, auto& a) { warp.run(prefix_sums_simple<int>(warp, a)); });
}

}  // namespace bankproof::proofs
