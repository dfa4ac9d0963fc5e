// See predictions.hpp. A program for GPUs cannot predict.
#include "predictions.hpp"

#ifdef BANKPROOF_ON_MACHINE

#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "../../../cuda/runtime/reports.hpp"
#include "../../../ptx/report/text.hpp"
#include "scenarios.hpp"

namespace bankproof::cuda::tests {

namespace {

using Json = nlohmann::ordered_json;

bool has_modifier(const std::string& opcode, const std::string& modifier) {
  return (opcode + ".").find("." + modifier + ".") != std::string::npos;
}

/// Whether an opcode is a plain load or store of one memory: it is not atomic, not volatile, not
/// ordered, and not an asynchronous copy.
bool is_plain(const std::string& opcode, const ptx::AccessCounts& counts) {
  const std::string base = opcode.substr(0, opcode.find('.'));
  if (base != "ld" && base != "st") return false;
  for (const char* const ordered : {"volatile", "relaxed", "acquire", "release", "mmio"}) {
    if (has_modifier(opcode, ordered)) return false;
  }
  return counts.wavefronts == 0 || counts.lines == 0;
}

/// The nine metrics that count requests exactly (docs/fidelity.md).
Json metrics_of(const ptx::KernelReport& report) {
  std::map<std::string, ptx::AccessCounts> sums;
  std::uint64_t tags = 0;
  for (const auto& [opcode, counts] : report.opcodes) {
    if (has_modifier(opcode, "local")) continue;
    const bool shared = counts.wavefronts > 0;
    sums[std::string(shared ? "shared_" : "global_") + opcode.substr(0, 2)].add(counts);
    if (!shared) tags += counts.lines;
  }
  const auto of = [&](const std::string& what) { return sums[what]; };
  Json metrics;
  for (const char* const what : {"shared_ld", "shared_st", "global_ld", "global_st"}) {
    metrics[std::string("smsp__sass_inst_executed_op_") + what + ".sum"] = of(what).accesses;
  }
  for (const char* const what : {"shared_ld", "shared_st"}) {
    metrics["smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_" +
            std::string(what).substr(7) + ".sum"] = of(what).wavefronts;
  }
  for (const char* const what : {"global_ld", "global_st"}) {
    metrics["smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_" + std::string(what).substr(7) +
            ".sum"] = of(what).sectors;
  }
  metrics["smsp__sass_l1tex_tags_mem_global.sum"] = tags;
  return metrics;
}

}  // namespace

void write_predictions(std::ostream& out) {
  Json all = {{"machine", ""}, {"scenarios", Json::array()}};
  take_launches();
  for (const Scenario& scenario : all_scenarios()) {
    Json row = {{"name", scenario.name},
                {"right", scenario.is_right()},
                {"polls", scenario.polls},
                {"plain", true}};
    Json launches = Json::array();
    for (const ptx::KernelReport& report : take_launches()) {
      all["machine"] = report.machine;
      if (!report.faults.empty()) {
        std::cerr << scenario.name << ":\n" << ptx::as_text(report);
        row["right"] = false;
      }
      for (const auto& [opcode, counts] : report.opcodes) {
        if (is_plain(opcode, counts)) continue;
        row["plain"] = false;
        row["because"] = opcode;
      }
      launches.push_back({{"kernel", report.kernel}, {"metrics", metrics_of(report)}});
    }
    row["launches"] = launches;
    if (!row["right"]) std::cerr << "scenario " << scenario.name << " is wrong\n";
    all["scenarios"].push_back(row);
  }
  out << all.dump(1) << '\n';
}

}  // namespace bankproof::cuda::tests

#endif
