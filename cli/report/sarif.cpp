// The SARIF 2.1.0 report, for code scanning: each warp over the limit is a result that points at
// the input, most severe first.
//
// A destination-designated result points at the elements P(i) of the warp's threads, which are
// adjacent in the input. The threads of a source-designated access appear as values of P, scattered
// over the input, so the result points at one of these elements. Positions are lines and columns in
// a text, and bytes in .npy and .bin files. A named permutation has no such position, so every
// result also carries a logical location.
//
// The report lists only the worst results.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <tuple>
#include <variant>
#include <vector>

#include "../support/errors.hpp"
#include "formats.hpp"
#include "sarif_parts.hpp"

namespace bankproof::cli {
namespace {

using Json = nlohmann::ordered_json;

/// One warp over the limit.
struct Finding {
  const AccessResult* access;
  std::uint64_t warp;
  std::uint32_t stages;
  std::vector<LaneReport> lanes;  // filled in only for reported findings
};

/// Most severe first; among equals, destination before source, then by warp.
bool is_before(const Finding& a, const Finding& b) {
  return std::tuple(b.stages, a.access, a.warp) < std::tuple(a.stages, b.access, b.warp);
}

/// The most severe findings, at most `most`.
template <class Index>
std::vector<Finding> worst_findings(std::span<const Index> permutation, const CheckReport& report,
                                    std::size_t most) {
  std::vector<Finding> worst;  // a heap with the least severe finding at its front
  for (const AccessResult& access : report.accesses) {
    if (access.over_limit == 0) continue;
    visit_warps(permutation, access.designation, report.memory.rule,
                [&](std::uint64_t warp, std::uint32_t stages) {
                  if (stages <= report.max_stages) return;
                  Finding finding{&access, warp, stages, {}};
                  if (worst.size() == most) {
                    if (!is_before(finding, worst.front())) return;
                    std::pop_heap(worst.begin(), worst.end(), is_before);
                    worst.pop_back();
                  }
                  worst.push_back(finding);
                  std::push_heap(worst.begin(), worst.end(), is_before);
                });
  }
  std::sort(worst.begin(), worst.end(), is_before);

  // Computes one inverse for all findings instead of a search for each.
  std::vector<Index> inverse;
  for (Finding& finding : worst) {
    const bool reads = finding.access->designation == Designation::source;
    if (reads && inverse.empty()) inverse = inverse_of(permutation);
    finding.lanes = look_at_access(reads ? std::span<const Index>(inverse) : permutation,
                                   report.memory.rule, finding.warp);
  }
  return worst;
}

Json artifact_location(const Source& source) {
  if (source.path == "-") return {{"description", {{"text", "standard input"}}}};
  return {{"uri", sarif_uri(source.path)}};
}

/// The region of the elements first … last of the input; null for a named permutation.
Json region_of(const PermutationArgument& permutation, std::uint64_t first, std::uint64_t last) {
  const Source& source = permutation.source;
  if (const auto begin = source.bytes(first)) {
    const ByteRange end = *source.bytes(last);
    return {{"byteOffset", begin->offset}, {"byteLength", end.offset + end.length - begin->offset}};
  }
  const auto begin = source.position(first);
  if (!begin) return nullptr;
  const TextPosition end = *source.position(last);
  Json region = {{"startLine", begin->line}, {"startColumn", begin->column}, {"endLine", end.line}};
  if (last + 1 < permutation.size()) {
    const TextPosition next = *source.position(last + 1);
    if (next.line == end.line) region["endColumn"] = next.column;
  }
  return region;
}

/// The element that a source-designated finding points at: the first in the most crowded bank.
std::uint64_t element_to_show(const Finding& finding, const MemoryChoice& memory) {
  if (conflicts_in_groups(memory.rule)) return finding.lanes.front().element;
  const Bank bank = most_crowded_bank(finding.lanes).bank;
  return std::find_if(finding.lanes.begin(), finding.lanes.end(),
                      [&](const LaneReport& lane) { return lane.place.bank == bank; })
      ->element;
}

Json location_of(const Finding& finding, const CheckReport& report) {
  const std::string warp = fmt::format("warp {}", finding.warp);
  Json location;
  const bool writes = finding.access->designation == Designation::destination;
  const std::uint64_t shown = writes ? 0 : element_to_show(finding, report.memory);
  const Json region = region_of(report.permutation, writes ? finding.lanes.front().index : shown,
                                writes ? finding.lanes.back().index : shown);
  if (!region.is_null()) {
    location["physicalLocation"] = {
        {"artifactLocation", artifact_location(report.permutation.source)}, {"region", region}};
  }
  location["logicalLocations"] =
      Json::array({{{"name", warp},
                    {"fullyQualifiedName", fmt::format("{}/{}/{}", report.permutation.name,
                                                       finding.access->name(), warp)},
                    {"kind", "warp"}}});
  return location;
}

Json result_of(const Finding& finding, const CheckReport& report) {
  const MemoryChoice& memory = report.memory;
  const bool groups = conflicts_in_groups(memory.rule);
  const std::string message = fmt::format(
      "{} {}: warp {} (threads {} to {}) takes {} on {} where {} would do at best; {}.",
      finding.access->name(), finding.access->formula(), finding.warp, finding.lanes.front().index,
      finding.lanes.back().index, counted(finding.stages, memory.unit()), memory.description(),
      ideal_of_distinct(memory.rule, static_cast<Width>(finding.lanes.size())),
      reason(memory, finding.lanes));
  return {{"ruleId", groups ? "uncoalesced-access" : "bank-conflict"},
          {"ruleIndex", groups ? 1 : 0},
          {"level", report.limit_is_given ? "error" : "warning"},
          {"message", {{"text", message}}},
          {"locations", Json::array({location_of(finding, report)})},
          {"partialFingerprints",
           {{"bankproofWarp/v1", fmt::format("{}/{}", finding.access->name(), finding.warp)}}},
          {"properties", {{"warp", finding.warp}, {"stages", finding.stages}}}};
}

/// The last result if not all fit: it says how many more there are.
Json rest_of(std::uint64_t more, const CheckReport& report) {
  const bool groups = conflicts_in_groups(report.memory.rule);
  return {
      {"ruleId", groups ? "uncoalesced-access" : "bank-conflict"},
      {"ruleIndex", groups ? 1 : 0},
      {"level", "note"},
      {"message",
       {{"text", fmt::format("{} not listed here: only the worst are.",
                             more == 1 ? "1 more warp over the limit is"
                                       : fmt::format("{} more warps over the limit are", more))}}}};
}

Json rules() {
  return Json::array(
      {sarif_rule("bank-conflict", "BankConflict", "A warp's access needs a bank more than once.",
                  "A memory bank serves different words one after another, so the access takes one "
                  "stage for each word that it asks of its fullest bank. Another order of the "
                  "threads, padding or a swizzle spreads the words over the banks."),
       sarif_rule("uncoalesced-access", "UncoalescedAccess",
                  "A warp's access touches more groups than it needs.",
                  "The memory serves one address group (a line) at a time, so the access takes one "
                  "stage for each group that it touches.")});
}

Json invocation(const CheckReport& report) {
  Json invocation = {{"executionSuccessful", true},
                     {"exitCode", report.within_limit() ? exit_clean : exit_finding}};
  Json notes = Json::array();
  for (const std::string& note : report.memory.notes) {
    notes.push_back({{"level", "note"}, {"message", {{"text", note}}}});
  }
  if (!notes.empty()) invocation["toolExecutionNotifications"] = notes;
  return invocation;
}

}  // namespace

std::string as_sarif(const CheckReport& report) {
  std::uint64_t over_limit = 0;
  for (const AccessResult& access : report.accesses) over_limit += access.over_limit;
  const std::size_t room =
      over_limit > most_sarif_results ? most_sarif_results - 1 : most_sarif_results;
  const std::vector<Finding> findings = std::visit(
      [&]<class Index>(const std::vector<Index>& values) {
        return worst_findings(std::span<const Index>(values), report, room);
      },
      report.permutation.values);

  Json results = Json::array();
  for (const Finding& finding : findings) results.push_back(result_of(finding, report));
  if (over_limit > findings.size()) {
    results.push_back(rest_of(over_limit - findings.size(), report));
  }
  Json run = sarif_run(rules(), invocation(report));
  run["results"] = results;
  run["properties"] = {{"checked", {{"permutations", 1}, {"warps", report.warps_checked()}}}};
  const Source& source = report.permutation.source;
  if (source.kind != Source::Kind::name) {
    Json roles = Json::array({"analysisTarget"});
    if (source.path == "-") roles.push_back("standardStream");
    run["artifacts"] = Json::array({{{"location", artifact_location(source)}, {"roles", roles}}});
  }
  return sarif_text(run);
}

}  // namespace bankproof::cli
