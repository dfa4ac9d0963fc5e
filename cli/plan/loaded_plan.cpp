// See loaded_plan.hpp.
#include "loaded_plan.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <system_error>

#include "../../text/typed.hpp"
#include "../readers/text_file.hpp"
#include "../support/errors.hpp"
#include "../support/shown.hpp"
#include "../support/words.hpp"
#include "format.hpp"

namespace bankproof::cli {
namespace {

using Json = nlohmann::ordered_json;

/// The plan.json of a plan with a closed form of 64 bits has 20 KiB.
constexpr std::size_t longest_json = std::size_t{1} << 20;

/// The fields of plan.json; each function checks the type of the field that it reads.
class Fields {
 public:
  Fields(std::string path, const Json& json) : path_(std::move(path)), json_(json) {}

  [[noreturn]] void fail(const std::string& why) const {
    throw InputError(shown(path_) + ": " + why);
  }

  const Json& get(const char* name) const {
    if (!json_.is_object() || !json_.contains(name)) {
      fail("has no field " + in_quotes(name) + "; it is not a plan of version " +
           std::to_string(plan_version));
    }
    return json_[name];
  }
  Fields object(const char* name) const { return {path_, get(name)}; }
  std::string text(const char* name) const {
    const Json& value = get(name);
    if (!value.is_string()) fail(in_quotes(name) + " has to be a string");
    return value.get<std::string>();
  }
  std::uint64_t number(const char* name) const {
    const Json& value = get(name);
    if (!value.is_number_unsigned()) fail(in_quotes(name) + " must be a whole number, 0 or more");
    return value.get<std::uint64_t>();
  }
  const Json& array(const char* name) const {
    const Json& value = get(name);
    if (!value.is_array()) fail(in_quotes(name) + " has to be an array");
    return value;
  }
  bool has(const char* name) const { return json_.is_object() && json_.contains(name); }

 private:
  std::string path_;
  const Json& json_;
};

LoadedMap map_of(const Fields& fields, std::uint64_t bits) {
  LoadedMap map{{}, fields.number("offset")};
  for (const Json& column : fields.array("columns")) {
    if (!column.is_number_unsigned()) fields.fail("a closed form's columns have to be numbers");
    map.columns.push_back(column.get<std::uint64_t>());
  }
  if (map.columns.size() != bits || bits >= 64) {
    fields.fail("a closed form of " + std::to_string(bits) + " bits has " +
                std::to_string(map.columns.size()) + " columns");
  }
  return map;
}

/// Opens only files that a plan can have, whatever plan.json says.
NpyLanes lanes_of(const std::string& folder, const Fields& fields, const std::string& name) {
  if (std::ranges::find(plan_file_names, name) == plan_file_names.end()) {
    fields.fail("names the file " + in_quotes(name) +
                ", which no plan has; they are s.npy and d.npy, and s1.npy to d3.npy");
  }
  const std::string path = folder + "/" + name;
  require_regular_file(path);
  FileInput input(path);
  return read_npy_lanes(input);
}

}  // namespace

LoadedPlan load_plan(const std::string& folder) {
  const std::string path = folder + "/" + std::string(plan_json_name);
  const std::string text = whole_file(path, longest_json, "plan.json");
  const Json json = parsed_json(path, text);
  const Fields fields(path, json);
  if (fields.text("format") != plan_format) {
    fields.fail("has format " + in_quotes(fields.text("format")) + ", expected " +
                in_quotes(plan_format));
  }
  if (fields.number("version") != plan_version) {
    fields.fail("has version " + std::to_string(fields.number("version")) +
                "; this program reads " + std::to_string(plan_version));
  }
  LoadedPlan plan;
  plan.kind = fields.text("kind");
  plan.n = fields.number("n");
  plan.warps = fields.number("warps");
  plan.sha256 = fields.object("permutation").text("sha256");
  const std::uint64_t width = fields.number("width");
  if (width == 0 || width > widest_access) {
    fields.fail("has width " + std::to_string(width) + "; widths are 1 to " +
                std::to_string(widest_access));
  }
  plan.width = static_cast<Width>(width);
  const bool scheduled = plan.kind == "scheduled";
  if (!scheduled && plan.kind != "banks" && plan.kind != "affine") {
    fields.fail("has kind " + in_quotes(plan.kind) + "; there are banks, affine and scheduled");
  }
  if (scheduled) {
    plan.rows = fields.object("shape").number("rows");
    plan.columns = fields.object("shape").number("columns");
    const std::uint64_t most = std::uint64_t{1} << 44;
    if (plan.rows == 0 || plan.columns == 0 || plan.columns > most / plan.rows ||
        plan.rows * plan.columns < plan.n) {
      fields.fail("has a shape of " + std::to_string(plan.rows) + " x " +
                  std::to_string(plan.columns) + ", which has no room for " +
                  counted(plan.n, "element"));
    }
  }
  const std::size_t passes = scheduled ? 3 : 1;
  if (fields.array("passes").size() != passes) {
    fields.fail("has " + std::to_string(fields.array("passes").size()) + " passes, expected " +
                std::to_string(passes));
  }
  for (const Json& pass : fields.array("passes")) {
    const Fields names(path, pass);
    if (!names.has("s") || !names.has("d")) {
      fields.fail(
          "has no arrays to verify: the plan was written without npy; make it again with --emit "
          "npy,c");
    }
    const std::string s = names.text("s");
    const std::string d = names.text("d");
    plan.passes.push_back({names.number("rows"), names.number("lanes"), s, d,
                           lanes_of(folder, fields, s), lanes_of(folder, fields, d)});
  }
  if (plan.kind == "affine") {
    const Fields form = fields.object("closed_form");
    plan.s_map = map_of(form.object("s"), form.number("bits"));
    plan.d_map = map_of(form.object("d"), form.number("bits"));
  }
  return plan;
}

}  // namespace bankproof::cli
