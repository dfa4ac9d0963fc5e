// The JSON report of a kernel; scripts rely on its fields.
#include <nlohmann/json.hpp>

#include "../support/shown.hpp"
#include "formats.hpp"

namespace bankproof::cli {
namespace {

using Json = nlohmann::ordered_json;

Json shared_json(const ptx::AccessCounts& counts, std::uint64_t excess) {
  return {
      {"wavefronts", counts.wavefronts}, {"ideal", counts.ideal_wavefronts}, {"excess", excess}};
}

Json global_json(const ptx::AccessCounts& counts, std::uint64_t excess) {
  return {{"lines", counts.lines},
          {"ideal_lines", counts.ideal_lines},
          {"sectors", counts.sectors},
          {"ideal_sectors", counts.ideal_sectors},
          {"excess_sectors", excess}};
}

Json place_json(const ptx::SourceLine& at) { return {{"file", shown(at.file)}, {"line", at.line}}; }

Json places_json(const std::vector<ptx::SourceLine>& places) {
  Json all = Json::array();
  for (const ptx::SourceLine& at : places) all.push_back(place_json(at));
  return all;
}

Json line_json(const ptx::LineReport& line) {
  Json json = place_json(line.at);
  json["visits"] = line.visits;
  json["shared"] = shared_json(line.counts, line.shared_excess());
  json["global"] = global_json(line.counts, line.global_excess());
  json["active_lanes"] = line.active_lanes;
  json["time"] = line.time;
  json["inlined"] = places_json(line.inlined);
  json["fingerprint"] = line.fingerprint;
  return json;
}

Json fault_json(const ptx::FaultReport& fault) {
  Json json = {{"kind", name_of(fault.kind)}};
  json.update(place_json(fault.at));
  json["message"] = shown(fault.message);
  json["count"] = fault.count;
  json["chain"] = places_json(fault.chain);
  json["suppressed"] = fault.suppressed;
  json["fingerprint"] = fault.fingerprint;
  json["known"] = fault.known;
  if (!fault.command.empty()) json["command"] = shown(fault.command);
  return json;
}

Json totals_json(const ptx::KernelReport& report) {
  std::uint64_t shared = 0;
  std::uint64_t global = 0;
  for (const ptx::LineReport& line : report.lines) {
    shared += line.shared_excess();
    global += line.global_excess();
  }
  return {{"shared", shared_json(report.totals, shared)},
          {"global", global_json(report.totals, global)},
          {"instructions", report.instructions}};
}

}  // namespace

Json checked_json(const ptx::KernelReport& report) {
  Json json = {{"launches", report.launches}, {"accesses", report.totals.accesses}};
  if (!report.library_calls.empty()) json["library_calls"] = report.library_calls;
  return json;
}

Json taken_json(const ptx::KernelReport& report) {
  Json all = Json::array();
  for (const ptx::TakenLaunches& taken : report.taken) {
    Json ranges = Json::array();
    for (const ptx::LaunchRange& range : taken.launches)
      ranges.push_back({range.first, range.last});
    all.push_back({{"kernel", shown(taken.kernel)},
                   {"from", taken.from},
                   {"executed", taken.executed},
                   {"launches", ranges}});
  }
  return all;
}

Json children_json(const ptx::KernelReport& report) {
  Json all = Json::array();
  for (const ptx::ChildLaunches& child : report.children) {
    all.push_back({{"kernel", shown(child.kernel)},
                   {"parent", shown(child.parent)},
                   {"launches", child.launches}});
  }
  return all;
}

std::string kernel_as_json(const ptx::KernelReport& report, const ptx::Limits& limits,
                           const std::vector<std::string>& notes) {
  Json lines = Json::array();
  for (const ptx::LineReport& line : report.lines) lines.push_back(line_json(line));
  Json faults = Json::array();
  for (const ptx::FaultReport& fault : report.faults) faults.push_back(fault_json(fault));
  Json said = Json::array();
  for (const std::string& note : notes) said.push_back(shown(note));
  const Json json = {{"kernel", shown(report.kernel)},
                     {"launches", report.launches},
                     {"time", report.time},
                     {"lines", lines},
                     {"faults", faults},
                     {"totals", totals_json(report)},
                     {"machine", report.machine},
                     {"passes", judge(report, limits).passes()},
                     {"notes", said},
                     {"checked", checked_json(report)},
                     {"taken", taken_json(report)},
                     {"children", children_json(report)}};
  return json.dump(1) + "\n";
}

}  // namespace bankproof::cli
