// The JSON report. Its fields are fixed. Only for chips, and for elements larger or smaller than a
// word, it also has `memory`, `word_bytes`, `max_stages` and `notes`: there the fixed fields do not
// say what was checked. Scripts can require that the counts in `checked` are not 0.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "formats.hpp"

namespace bankproof::cli {
namespace {

using Json = nlohmann::ordered_json;

Json worst_of(const AccessResult& access) {
  Json lanes = Json::array();
  for (const LaneReport& lane : access.worst) {
    lanes.push_back({{"lane", lane.lane},
                     {"index", lane.index},
                     {"address", lane.element},
                     {"bank", lane.place.bank},
                     {"group", lane.place.group}});
  }
  return {{"warp", access.report.worst_warp}, {"lanes", lanes}};
}

Json json_of(const AccessResult& access) {
  Json histogram = Json::object();
  for (std::size_t k = 0; k < access.report.histogram.size(); ++k) {
    if (access.report.histogram[k] > 0) histogram[std::to_string(k)] = access.report.histogram[k];
  }
  Json json = {{"stages", access.report.stages},   {"ideal", access.report.ideal},
               {"excess", access.report.excess()}, {"max", access.report.max},
               {"mean", access.report.mean()},     {"histogram", histogram},
               {"distribution", nullptr}};
  if (access.distribution) json["distribution"] = *access.distribution;
  if (access.sectors) {
    json["sectors"] = {{"actual", access.sectors->stages},
                       {"ideal", access.sectors->ideal},
                       {"excess", access.sectors->excess()}};
  }
  json["worst"] = worst_of(access);
  return json;
}

}  // namespace

std::string as_json(const CheckReport& report) {
  const MemoryChoice& memory = report.memory;
  Json json = {
      {"permutation", {{"name", report.permutation.name}, {"size", report.permutation.size()}}},
      {"machine", memory.machine},
      {"width", memory.width()}};
  if (memory.is_chip()) json["memory"] = memory.memory;
  if (memory.is_chip() || memory.element_bytes != word_bytes) {
    json["word_bytes"] = memory.element_bytes;
    json["max_stages"] = report.max_stages;
  }
  if (!memory.notes.empty()) json["notes"] = memory.notes;
  for (const AccessResult& access : report.accesses) {
    json[std::string(access.name())] = json_of(access);
  }
  json["within_limit"] = report.within_limit();
  json["checked"] = {{"permutations", 1}, {"warps", report.warps_checked()}};
  return json.dump(2) + "\n";
}

}  // namespace bankproof::cli
