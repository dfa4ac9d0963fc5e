// The report on a layout as JSON, with fixed fields.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>

#include "layout_report.hpp"

namespace bankproof::cli {
namespace {

using Json = nlohmann::ordered_json;
using formulas::Decision;

/// The fields of a counterexample, which depend on its kind.
class Fields {
 public:
  explicit Fields(const LayoutReport& report) : report_(report) {}

  Json operator()(const formulas::NoValue& e) const {
    return {{"formula", e.formula},
            {"i", e.input},
            {"let", e.where.name},
            {"column", e.where.at + 1},
            {"why", what_is_undefined(e.where)}};
  }
  Json operator()(const formulas::OutOfRange& e) const {
    return {{"threads", {e.thread}}, {"addresses", {e.value}}};
  }
  Json operator()(const formulas::Repeated& e) const {
    return {{"threads", {e.first, e.second}}, {"addresses", {e.value, e.value}}};
  }
  Json operator()(const formulas::Mismatch& e) const {
    return {{"threads", {e.thread}},
            {"source", e.source},
            {"permutation", e.permuted},
            {"destination", e.destination}};
  }
  Json operator()(const formulas::Conflict& e) const {
    const ConflictView view = view_of(e, report_);
    Json json = {{"warp", e.warp},
                 {"stages", e.stages},
                 {"threads", Json::array()},
                 {"addresses", Json::array()}};
    if (view.pair) {
      const auto& [a, b] = *view.pair;
      json["threads"] = {a.index, b.index};
      json["addresses"] = {a.element, b.element};
      if (conflicts_in_groups(report_.memory.rule)) {
        json["groups"] = {a.place.group, b.place.group};
      } else {
        json["bank"] = view.bank;
      }
    } else {  // each thread alone takes more turns than allowed
      json["threads"] = {view.lanes.front().index};
      json["addresses"] = {view.lanes.front().element};
      if (conflicts_in_groups(report_.memory.rule)) {
        json["groups"] = {view.lanes.front().place.group};
      } else {
        json["bank"] = view.bank;
      }
    }
    Json lanes = Json::array();
    for (const LaneReport& lane : view.lanes) {
      lanes.push_back({{"lane", lane.lane},
                       {"index", lane.index},
                       {"address", lane.element},
                       {"bank", lane.place.bank},
                       {"group", lane.place.group}});
    }
    json["lanes"] = lanes;
    return json;
  }

 private:
  const LayoutReport& report_;
};

Json counterexample_of(const Decision& decision, const LayoutReport& report) {
  Json json = std::visit(Fields(report), decision.counterexample->failure);
  Json variables = Json::object();
  for (std::size_t k = 0; k < report.question.variables.size(); ++k) {
    variables[report.question.variables[k].name] = decision.counterexample->variables[k];
  }
  json["variables"] = variables;
  return json;
}

Json property_of(const Decision& decision, const LayoutReport& report) {
  Json json = {{"property", decision.property.name(report.question)},
               {"verdict", name_of(decision.verdict)},
               {"method", nullptr},
               {"seconds", decision.seconds},
               {"solvers", decision.solvers}};
  if (decision.method) json["method"] = name_of(*decision.method);
  if (decision.verdict == formulas::Verdict::unknown) json["why"] = decision.why;
  if (!decision.second.empty()) json["why"] = decision.second;
  return json;
}

/// The weakest method of all decisions: the one that is farthest from a proof for all words.
formulas::Method weakest_method(const LayoutReport& report) {
  formulas::Method weakest = formulas::Method::words;
  for (const Decision& decision : report.decisions) weakest = std::max(weakest, *decision.method);
  return weakest;
}

}  // namespace

std::string layout_as_json(const LayoutReport& report) {
  const Decision* const decisive = report.decisive();
  Json json = {
      {"verdict", name_of(decisive == nullptr ? formulas::Verdict::proved : decisive->verdict)},
      {"method", nullptr},
      {"property", nullptr},
      {"size", report.question.size},
      {"width", report.question.width()},
      {"counterexample", nullptr}};
  if (decisive == nullptr) {
    json["method"] = name_of(weakest_method(report));
  } else {
    json["property"] = decisive->property.name(report.question);
    if (decisive->method) json["method"] = name_of(*decisive->method);
    if (decisive->counterexample) json["counterexample"] = counterexample_of(*decisive, report);
  }
  json["machine"] = report.memory.machine;
  if (report.memory.is_chip()) json["memory"] = report.memory.memory;
  json["word_bytes"] = report.memory.element_bytes;
  json["max_stages"] = report.question.max_stages;
  if (const auto notes = notes_of(report); !notes.empty()) json["notes"] = notes;
  Json properties = Json::array();
  for (const Decision& decision : report.decisions)
    properties.push_back(property_of(decision, report));
  json["properties"] = properties;
  return json.dump(2) + "\n";
}

}  // namespace bankproof::cli
