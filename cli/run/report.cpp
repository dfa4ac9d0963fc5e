// See report.hpp. The fields of the JSON report are fixed.
#include "report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "../support/shown.hpp"
#include "task_argument.hpp"

namespace bankproof::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string_view name_of_mode(Mode mode) {
  return mode == Mode::lockstep ? "lockstep" : "overlapped";
}

/// The PRAM always runs in lockstep.
bool in_lockstep(const RunReport& report) {
  return report.mode == Mode::lockstep || report.task.machine.machine == MachineKind::pram;
}

/// The greatest of the lower bounds (rounded up) and the time that the accesses alone need.
Time lower_bound(const RunReport& report) {
  Time most = least_time(report.cost, report.task.machine);
  for (const Bound& bound : report.algorithm.lower(report.task)) {
    most = std::max(most, static_cast<Time>(std::ceil(bound.value() * (1 - 1e-12))));
  }
  return most;
}

std::array<std::pair<std::string_view, std::uint64_t>, 6> rounds_of(const MemoryStatistics& s) {
  return {{{"coalesced_read", s.observed_reading.coalesced},
           {"coalesced_write", s.observed_writing.coalesced},
           {"conflict_free_read", s.observed_reading.conflict_free},
           {"conflict_free_write", s.observed_writing.conflict_free},
           {"casual_read", s.observed_reading.casual},
           {"casual_write", s.observed_writing.casual}}};
}

std::string sum_of_terms(const Bound& bound) {
  std::string text;
  for (const Term& term : bound.terms) {
    text += (text.empty() ? "" : " + ") + std::string(term.name);
  }
  if (bound.factor == 1) return text;
  return bound.terms.size() == 1 ? fmt::format("{}·{}", bound.factor, text)
                                 : fmt::format("{}·({})", bound.factor, text);
}

std::string upper_bound_text(std::string_view lead, const Bound& bound, std::string_view what) {
  const auto most = std::ranges::max_element(
      bound.terms, [](const Term& a, const Term& b) { return a.value() < b.value(); });
  return fmt::format("{}{:>14.2f}  {}{}, of which {} is most\n", lead, bound.value(), what,
                     sum_of_terms(bound), most->name);
}

std::string bounds_text(const RunReport& report) {
  std::string text;
  for (const Bound& bound : report.algorithm.lower(report.task)) {
    text += fmt::format("  at least  {:>14.2f}  {}\n", bound.value(), sum_of_terms(bound));
  }
  if (is_hierarchical(report.task.machine.machine)) {
    text += fmt::format("  at least  {:>14}  C/w + S + (B+1)(L-1), its global memory access cost\n",
                        global_access_cost(report.cost, report.task.machine));
    if (const auto bound = report.algorithm.global_cost_bound(report.task)) {
      text += upper_bound_text("    at most ", *bound, "the source's bound of this cost: ");
    }
  }
  text += fmt::format("  at least  {:>14}  the stages and latencies of its accesses\n",
                      least_time(report.cost, report.task.machine));
  if (!in_lockstep(report)) {
    if (const auto exact = report.algorithm.overlapped_time(report.task)) {
      text += fmt::format("  exactly   {:>14}  closed form\n", *exact);
    }
  }
  const auto closed = lockstep_time(report.cost, report.task.machine);
  text += fmt::format("  {}  {:>14}  closed form in lockstep\n",
                      in_lockstep(report) ? "exactly " : "at most ", closed);
  if (const auto bound = report.algorithm.upper(report.task)) {
    text += upper_bound_text("  at most   ", *bound, "");
  } else {
    text +=
        "  at most                ?  the source bounds no time of this variant and these sizes\n";
  }
  return text;
}

Time rounded_down(const Bound& bound) {
  return static_cast<Time>(std::floor(bound.value() * (1 + 1e-12)));
}

/// The global memory access cost and its bound in the source; null if the source states no bound.
Json global_cost(const RunReport& report) {
  Json json = {{"value", global_access_cost(report.cost, report.task.machine)}, {"bound", nullptr}};
  if (const auto bound = report.algorithm.global_cost_bound(report.task)) {
    json["bound"] = rounded_down(*bound);
  }
  return json;
}

}  // namespace

std::string run_heading(const RunReport& report) {
  const Task& task = report.task;
  const auto variant = std::ranges::find(report.algorithm.variants, task.variant, &Variant::name);
  return fmt::format("{} {} ({}), {} on {}, {}", report.algorithm.name, task.variant,
                     variant->source, sizes_text(report.algorithm, task),
                     machine_text(task.machine),
                     in_lockstep(report) ? "in lockstep" : "overlapped");
}

std::string run_as_text(const RunReport& report) {
  std::string text = run_heading(report) + "\n";
  for (const std::string& note : report.notes) text += note + "\n";
  text += (report.finding.empty() ? "the result is the oracle's" : shown(report.finding)) + "\n";
  if (report.passes > 1) {
    text += fmt::format(
        "{} channels, run one after another; the numbers below are those of each channel\n",
        report.passes);
  }
  text += fmt::format("\n{:<10} {:>12} {:>12} {:>12} {:>12}\n", "memory", "requests", "stages",
                      "ideal", "excess");
  for (const MemoryUse& memory : report.memories) {
    const MemoryStatistics& s = memory.statistics;
    text += fmt::format("{:<10} {:>12} {:>12} {:>12} {:>12}\n", memory.name, s.requests, s.stages,
                        s.ideal_stages, s.excess_stages());
  }
  text += fmt::format("\n{:<18} {:>12} {:>14} {:>8}\n", "rounds", "coalesced", "conflict-free",
                      "casual");
  for (const MemoryUse& memory : report.memories) {
    for (const auto& [way, counts] : {std::pair{"read", memory.statistics.observed_reading},
                                      {"write", memory.statistics.observed_writing}}) {
      text += fmt::format("{:<11}{:<7} {:>12} {:>14} {:>8}\n", memory.name, way, counts.coalesced,
                          counts.conflict_free, counts.casual);
    }
  }
  return text + fmt::format("\n{} time units\n", report.time) + bounds_text(report);
}

std::string run_as_json(const RunReport& report) {
  Json closed_form;  // null if the mode has no closed form
  if (in_lockstep(report)) {
    closed_form = lockstep_time(report.cost, report.task.machine);
  } else if (const auto exact = report.algorithm.overlapped_time(report.task)) {
    closed_form = *exact;
  }
  Json upper_bound;  // rounded down; null if the source states no bound
  if (const auto bound = report.algorithm.upper(report.task)) {
    upper_bound = rounded_down(*bound);
  }
  Json memories = Json::array();
  for (const MemoryUse& memory : report.memories) {
    Json rounds;
    for (const auto& [kind, count] : rounds_of(memory.statistics))
      rounds[std::string(kind)] = count;
    memories.push_back({{"name", memory.name},
                        {"rounds", rounds},
                        {"requests", memory.statistics.requests},
                        {"stages", memory.statistics.stages},
                        {"ideal", memory.statistics.ideal_stages},
                        {"excess", memory.statistics.excess_stages()}});
  }
  Json json = {{"algorithm", report.algorithm.name},
               {"variant", report.task.variant},
               {"machine", machine_text(report.task.machine)},
               {"mode", name_of_mode(in_lockstep(report) ? Mode::lockstep : Mode::overlapped)},
               {"time", report.time},
               {"closed_form", closed_form},
               {"lower_bound", lower_bound(report)},
               {"upper_bound", upper_bound},
               {"memories", memories}};
  for (const SizeKey& key : sizes_of(report.algorithm, report.task)) {
    json["sizes"][std::string(key.name)] = report.task.sizes[key.name];
  }
  if (is_hierarchical(report.task.machine.machine)) json["global_cost"] = global_cost(report);
  if (report.passes > 1) json["passes"] = report.passes;
  if (!report.finding.empty()) json["finding"] = report.finding;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace bankproof::cli
