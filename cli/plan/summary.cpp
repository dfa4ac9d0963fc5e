// Predicts times by the closed forms of algorithms/permutation, which tests compare with the
// machines; see summary.hpp.
#include "summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <string_view>

#include "../../algorithms/permutation/affine_terms.hpp"
#include "../../algorithms/permutation/conflicts.hpp"
#include "../../algorithms/permutation/permute.hpp"
#include "../../algorithms/permutation/scheduled.hpp"
#include "../support/errors.hpp"
#include "../support/shown.hpp"
#include "../support/words.hpp"

namespace bankproof::cli {
namespace {

std::uint64_t stages(const Values& permutation, Designation designation, const AccessRule& rule) {
  return std::visit(
      [&](const auto& values) { return analyze(std::span(values), designation, rule).stages; },
      permutation);
}

/// Two arrays of this many 4-byte words take 224 KiB, the most that a block has on today's GPUs.
constexpr std::uint64_t most_lanes_in_shared_memory = 28672;

/// The machine's number of threads; if it is not given, `all` rounded up to whole warps.
std::uint64_t threads_of(const MachineArgument& machine, std::uint64_t all, Width width) {
  return machine.threads.value_or(ceil_div(all, width) * width);
}

Prediction on_dmm(const MadePlan& plan, const Worth& worth, const MachineArgument& machine) {
  const Permuting times{plan.n, threads_of(machine, plan.n, plan.width), plan.width,
                        *machine.latency};
  const std::uint64_t rounds = plan.affine ? 2 : 4;  // an affine plan computes s and d
  return {machine.to_string(), times.lockstep_time(3, worth.destination),
          times.lockstep_time(rounds)};
}

Prediction on_hmm(const MadePlan& plan, const Values& permutation, const MachineArgument& machine) {
  const MachineParameters hmm{.w = plan.width,
                              .l = *machine.latency,
                              .L = *machine.global_latency,
                              .d = *machine.dmms,
                              .p = *machine.threads};
  const std::uint64_t all = hmm.p * hmm.d;
  const Permuting designated{plan.n, all, plan.width, hmm.L};
  const std::uint64_t groups = stages(permutation, Designation::destination, umm_rule(plan.width));
  const Time before = designated.lockstep_time(3, groups);
  if (plan.kind == MadePlan::Kind::scheduled) {
    const Transposing matrix{plan.shape.rows, plan.shape.columns, plan.width};
    return {machine.to_string(), before, lockstep_time(permute_scheduled_cost(hmm, matrix), hmm)};
  }
  const PermutingRows row{1, lanes_of_plan(plan.n, plan.width), plan.width};
  const std::uint64_t threads = row.launch(hmm.p).threads;
  // A closed form computes s and d, and so saves reading them.
  const Permuting computed{plan.n, threads, plan.width, hmm.L};
  const Time saved = plan.affine ? computed.lockstep_time(2) : 0;
  return {machine.to_string(), before, lockstep_time(row.cost(hmm), hmm) - saved};
}

}  // namespace

Worth worth_of(const MadePlan& plan, const Values& permutation,
               const std::optional<MachineArgument>& machine) {
  const bool scheduled = plan.kind == MadePlan::Kind::scheduled;
  const AccessRule rule = scheduled ? AccessRule(umm_rule(plan.width)) : dmm_rule(plan.width);
  Worth worth;
  worth.ideal = ceil_div(plan.n, plan.width);
  worth.destination = stages(permutation, Designation::destination, rule);
  worth.source = stages(permutation, Designation::source, rule);
  const bool dmm = machine ? machine->name == "dmm" : !scheduled;
  const bool fits = plan.passes.front().lanes <= most_lanes_in_shared_memory;
  const bool hmm = machine ? machine->name == "hmm" : scheduled || fits;
  if (dmm) {
    MachineArgument chosen = machine.value_or(parse_machine("dmm:l=1"));
    chosen.width = plan.width;
    chosen.latency = chosen.latency.value_or(1);
    worth.predictions.push_back(on_dmm(plan, worth, chosen));
  }
  if (hmm) {
    const MachineArgument usual = parse_machine("hmm:l=1,L=400,d=16");
    MachineArgument chosen = machine.value_or(usual);
    chosen.width = plan.width;
    chosen.latency = chosen.latency.value_or(*usual.latency);
    chosen.global_latency = chosen.global_latency.value_or(*usual.global_latency);
    chosen.dmms = chosen.dmms.value_or(*usual.dmms);
    chosen.threads =
        chosen.threads.value_or(std::max<std::uint64_t>(1024 / plan.width, 1) * plan.width);
    worth.predictions.push_back(on_hmm(plan, permutation, chosen));
  }
  return worth;
}

std::string as_summary(const MadePlan& plan, const Worth& worth, const std::string& folder) {
  const bool scheduled = plan.kind == MadePlan::Kind::scheduled;
  std::string text =
      fmt::format("{}: {}, width {}\n", plan.permutation, counted(plan.n, "element"), plan.width);
  if (scheduled) {
    text += fmt::format("three passes over {} x {}: {}, every one conflict-free, verified\n",
                        plan.shape.rows, plan.shape.columns, counted(plan.warps(), "warp"));
  } else {
    text += fmt::format("{}, every one conflict-free, verified\n", counted(plan.warps(), "warp"));
  }
  text += fmt::format("\n{:<28}{:>12}{:>12}\n",
                      scheduled ? "address groups of an access" : "stages", "before", "after");
  const auto row = [&](std::string_view what, std::uint64_t before) {
    text += fmt::format("{:<28}{:>12}{:>12}\n", what, before, worth.ideal);
  };
  row("writing b[P(i)] = a[i]", worth.destination);
  row("reading b[i] = a[Q(i)]", worth.source);
  text += fmt::format("\n{:<40} {:>15} {:>11}\n", "time units in lockstep", "D-designated", "plan");
  for (const Prediction& p : worth.predictions) {
    text += fmt::format("{:<40} {:>15} {:>11}   {}\n", p.machine, p.designated, p.planned,
                        p.planned < p.designated ? "the plan is faster" : "the plan is not faster");
  }
  if (plan.affine) {
    text += fmt::format("\nclosed form: s = {}, d = {}\n",
                        c_expression(plan.affine->s, "j", plan.n > std::uint64_t{1} << 31),
                        c_expression(*plan.form.map, "s", plan.n > std::uint64_t{1} << 31));
  } else if (!scheduled && plan.form.index) {
    text +=
        fmt::format("\nno closed form: not affine over GF(2), as P({}) shows\n", *plan.form.index);
  } else if (!scheduled) {
    text += fmt::format("\nno closed form: {} not a power of two\n",
                        plan.form.map ? fmt::format("width {} is", plan.width)
                                      : fmt::format("{} elements are", plan.n));
  }
  if (!folder.empty()) text += fmt::format("\nwritten to {}\n", shown(folder));
  return text;
}

}  // namespace bankproof::cli
