// See plan_json.hpp.
#include "plan_json.hpp"

#include <nlohmann/json.hpp>
#include <string>

#include "format.hpp"

namespace bankproof::cli {
namespace {

using Json = nlohmann::ordered_json;

Json as_json(const AffineMap& map) {
  Json columns = Json::array();
  for (unsigned k = 0; k < map.bits; ++k) columns.push_back(map.columns[k]);
  return {{"columns", columns}, {"offset", map.offset}};
}

Json passes_of(const MadePlan& plan, bool with_arrays) {
  Json passes = Json::array();
  for (std::size_t k = 0; k < plan.passes.size(); ++k) {
    const PassNames& names = plan.passes.size() == 1 ? bank_names : pass_names[k];
    Json pass = {{"rows", plan.passes[k].rows}, {"lanes", plan.passes[k].lanes}};
    if (with_arrays) {
      pass["s"] = names.s;
      pass["d"] = names.d;
    }
    passes.push_back(pass);
  }
  return passes;
}

}  // namespace

std::string as_plan_json(const MadePlan& plan, bool with_arrays) {
  Json json = {{"format", plan_format},
               {"version", plan_version},
               {"kind", name_of(plan.kind)},
               {"n", plan.n},
               {"width", plan.width},
               {"permutation", {{"name", plan.permutation}, {"sha256", plan.sha256}}},
               {"warps", plan.warps()}};
  if (plan.kind == MadePlan::Kind::scheduled) {
    json["shape"] = {{"rows", plan.shape.rows}, {"columns", plan.shape.columns}};
  }
  json["passes"] = passes_of(plan, with_arrays);
  if (plan.affine) {
    json["closed_form"] = {{"bits", plan.affine->s.bits},
                           {"s", as_json(plan.affine->s)},
                           {"d", as_json(plan.affine->d)}};
  }
  return json.dump(2) + "\n";
}

}  // namespace bankproof::cli
