// The programs of sums and of prefix sums make the rounds of cost().
#include "../../../algorithms/prefix_sums.hpp"
#include "../../../algorithms/sum.hpp"
#include "../../programs/theorem.hpp"
#include "../lists.hpp"

namespace bankproof::proofs {
namespace {

using WrittenTask = TaskOf<Written>;

/// Runs a program on the one memory of a machine.
template <class Run>
WrittenRun on_one_memory(const WrittenTask& task, Run run) {
  WrittenWarp warp({.machine = task.machine, .threads = task.machine.p});
  run(warp, task.sizes["n"]);
  return warp.result();
}

WrittenRun run_pairwise(const WrittenTask& task) {
  return on_one_memory(task, [](WrittenWarp& warp, const Written& n) {
    WrittenArray a(warp, n);
    warp.run(sum_pairwise<int>(warp, a, n));
  });
}

WrittenRun run_columns(const WrittenTask& task) {
  return on_one_memory(task, [&](WrittenWarp& warp, const Written& n) {
    WrittenArray a(warp, n);
    WrittenArray b(warp, smaller(n, task.machine.p));
    warp.run(sum_columns_in_memory<int>(warp, a, b));
  });
}

/// A launch in which each DMM runs a block.
WrittenRun run_columns_of_blocks(const WrittenTask& task) {
  const Written& n = task.sizes["n"];
  WrittenWarp warp({.machine = task.machine, .threads = task.machine.p, .blocks = task.machine.d});
  WrittenArray a(warp, n);
  WrittenArray c(warp, task.machine.d);
  warp.run(sum_columns<int>(warp, a, c));
  return warp.result();
}

WrittenRun run_simple(const WrittenTask& task) {
  return on_one_memory(task, [](WrittenWarp& warp, const Written& n) {
    WrittenArray a(warp, n);
    warp.run(prefix_sums_simple<int>(warp, a));
  });
}

/// The arrays of prefix_sums_optimal().
class WrittenLevels {
 public:
  WrittenLevels(WrittenWarp& warp, Written n) : warp_(warp), n_(std::move(n)) {}

  const Written& size() const { return n_; }
  WrittenArray& below(const Written& power) const { return array(power, n_ / power); }
  WrittenArray& above(const Written& power) const { return array(2 * power, n_ / power / 2); }

 private:
  WrittenArray& array(const Written& power, const Written& size) const {
    return arrays_.emplace_back(warp_, size, WrittenArrayName{name_.number, power});
  }

  WrittenWarp& warp_;
  Written n_;
  WrittenArrayName name_ = warp_.new_array();
  mutable std::deque<WrittenArray> arrays_;
};

WrittenRun run_optimal(const WrittenTask& task) {
  return on_one_memory(task, [](WrittenWarp& warp, const Written& n) {
    const WrittenLevels levels(warp, n);
    warp.run(prefix_sums_optimal<int>(warp, levels));
  });
}

Cost<Written> closed_columns_of_blocks(const WrittenTask& task) {
  const MachineParametersOf<Written>& m = task.machine;
  return columns_cost(task.sizes["n"], m.d, m.p, m.w);
}

}  // namespace

std::vector<Theorem> theorems_on_programs_of_sums() {
  std::vector<Theorem> all;
  for (const MachineKind machine : {MachineKind::dmm, MachineKind::umm}) {
    const std::string on = machine == MachineKind::dmm ? "DMM" : "UMM";
    const auto add = [&](const std::string& row, const std::string& source, const std::string& what,
                         std::string_view variant, auto run, auto closed) {
      add_theorems(all, {.id = row + ".program." + on,
                         .source = source,
                         .what = what + " on the " + on,
                         .domain = "all n, p, w",
                         .variant = variant,
                         .machine = machine,
                         .sizes = {"n"},
                         .run = run,
                         .closed = closed});
    };
    add("S2", "MOD 4", "the pairwise sum", "pairwise", run_pairwise, Sum::cost<Written>);
    add("P1", "MOD 6", "the simple algorithm for prefix sums", "simple", run_simple,
        PrefixSums::cost<Written>);
    add("P2", "MOD 7", "the optimal algorithm for prefix sums", "optimal", run_optimal,
        PrefixSums::cost<Written>);
  }
  add_theorems(all, {.id = "S1.program",
                     .source = "HMM V",
                     .what = "the sum of columns on the PRAM",
                     .domain = "all n, p",
                     .variant = "columns",
                     .machine = MachineKind::pram,
                     .sizes = {"n"},
                     .run = run_columns,
                     .closed = Sum::cost<Written>});
  add_theorems(all, {.id = "S4.program",
                     .source = "HMM VII",
                     .what = "a launch of the sum of columns on the HMM",
                     .domain = "all n, p, w, numbers of blocks",
                     .variant = "all-dmms",
                     .machine = MachineKind::hmm,
                     .sizes = {"n"},
                     .run = run_columns_of_blocks,
                     .closed = closed_columns_of_blocks});
  return all;
}

}  // namespace bankproof::proofs
