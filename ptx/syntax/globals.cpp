// Compares each declaration of a name with the one that has won so far.
#include "globals.hpp"

#include <algorithm>

#include "layout.hpp"

namespace bankproof::ptx {

namespace {

constexpr int strong = 3;

// The parser bounds arrays, so that this does not overflow. 0: an array without a length.
std::uint64_t size_of(const Variable& variable) {
  std::uint64_t bytes = bytes_of(variable.type) * variable.vector;
  for (const std::uint64_t dimension : variable.dimensions) bytes *= dimension;
  return bytes;
}

std::vector<std::uint64_t> sizes_of(const std::vector<Variable>& parameters) {
  std::vector<std::uint64_t> sizes;
  sizes.reserve(parameters.size());
  for (const Variable& parameter : parameters) sizes.push_back(size_of(parameter));
  return sizes;
}

bool is_dynamic(const Variable& variable) {
  return variable.linkage == Linkage::external && variable.space == Space::shared;
}

// A function or variable may be declared and defined with different linkages; one that is not
// internal says that other modules share the name.
std::unordered_set<std::string> shared_names(const Module& module) {
  std::unordered_set<std::string> names;
  const auto add = [&](const auto& declaration) {
    if (declaration.linkage != Linkage::internal) names.insert(declaration.name);
  };
  std::for_each(module.variables.begin(), module.variables.end(), add);
  std::for_each(module.functions.begin(), module.functions.end(), add);
  return names;
}

}  // namespace

Globals::Globals(const std::vector<Module>& modules) : modules_(modules) {
  for (std::size_t m = 0; m < modules.size(); ++m) {
    const Module& module = modules[m];
    shared_.push_back(shared_names(module));
    for (std::size_t i = 0; i < module.variables.size(); ++i) {
      const Variable& variable = module.variables[i];
      if (shares(m, variable.name)) add(variable.name, {m, false, i});
      if (!is_dynamic(variable)) continue;
      std::uint64_t& alignment = dynamic_[variable.name];
      alignment = std::max(alignment, alignment_of(variable));
    }
    for (std::size_t i = 0; i < module.functions.size(); ++i) {
      const std::string& name = module.functions[i].name;
      if (shares(m, name)) add(name, {m, true, i});
    }
  }
}

const Variable& Globals::variable(const Declared& declared) const {
  return modules_[declared.module].variables[declared.index];
}

const Function& Globals::function(const Declared& declared) const {
  return modules_[declared.module].functions[declared.index];
}

int Globals::strength(const Declared& declared) const {
  const Linkage linkage =
      declared.is_function ? function(declared).linkage : variable(declared).linkage;
  const bool only_declared =
      declared.is_function ? !function(declared).defined : linkage == Linkage::external;
  if (only_declared) return 0;
  if (linkage == Linkage::common) return 1;
  return linkage == Linkage::weak ? 2 : strong;
}

std::string Globals::where(const Declared& declared) const {
  const Place place = declared.is_function ? function(declared).place : variable(declared).place;
  return modules_[declared.module].file + ":" + std::to_string(place.line) + ":" +
         std::to_string(place.column);
}

void Globals::fail(const std::string& what, const Declared& at) const {
  throw Error(what, modules_[at.module].file,
              at.is_function ? function(at).place : variable(at).place);
}

void Globals::require_agreement(const std::string& name, const Declared& a,
                                const Declared& b) const {
  const auto differ = [&](const std::string& what) {
    fail("'" + name + "' has another " + what + " than in " + where(a), b);
  };
  if (a.is_function != b.is_function) differ("kind");
  if (strength(a) == strong && strength(b) == strong) {
    fail("'" + name + "' is defined twice, also in " + where(a), b);
  }
  if (a.is_function) {
    const Function& f = function(a);
    const Function& g = function(b);
    // clang declares kernels of other files as functions.
    const bool is_one_kind = f.entry == g.entry || !(f.entry ? g : f).defined;
    if (!is_one_kind || sizes_of(f.results) != sizes_of(g.results) ||
        sizes_of(f.parameters) != sizes_of(g.parameters)) {
      differ("prototype");
    }
    return;
  }
  const Variable& v = variable(a);
  const Variable& w = variable(b);
  if (v.space != w.space) differ("state space");
  const bool both_common = v.linkage == Linkage::common && w.linkage == Linkage::common;
  const bool known = size_of(v) != 0 && size_of(w) != 0;
  const bool dynamic = is_dynamic(v) && is_dynamic(w);
  if (known && !both_common && !dynamic && size_of(v) != size_of(w)) differ("size");
}

bool Globals::wins(const Declared& made, const Declared& known) const {
  if (strength(made) != strength(known)) return strength(made) > strength(known);
  return strength(made) == 1 && size_of(variable(made)) > size_of(variable(known));
}

void Globals::add(const std::string& name, const Declared& declared) {
  const auto [known, is_new] = chosen_.try_emplace(name, declared);
  if (is_new) return;
  require_agreement(name, known->second, declared);
  if (wins(declared, known->second)) known->second = declared;
}

void Globals::require_definitions(
    const std::function<bool(const std::string&)>& is_supplied) const {
  for (const auto& [name, declared] : chosen_) {
    if (strength(declared) > 0) continue;
    const bool needs_none =
        declared.is_function ? is_supplied && is_supplied(name) : is_dynamic(variable(declared));
    if (!needs_none) fail("no module defines '" + name + "'", declared);
  }
}

Linkage Globals::linkage(const std::string& name) const {
  const Declared& declared = chosen_.at(name);
  return declared.is_function ? function(declared).linkage : variable(declared).linkage;
}

std::uint64_t Globals::dynamic_alignment(const std::string& name) const {
  const auto found = dynamic_.find(name);
  return found == dynamic_.end() ? 0 : found->second;
}

}  // namespace bankproof::ptx
