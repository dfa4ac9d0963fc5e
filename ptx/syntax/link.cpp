// Takes one module after the other into the linked one, and then looks up all symbols by their new
// names.
#include "link.hpp"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "each_symbol.hpp"
#include "globals.hpp"
#include "merged_lines.hpp"

namespace bankproof::ptx {

namespace {

using Names = std::unordered_map<std::string, std::string>;

class Linker {
 public:
  explicit Linker(std::vector<Module>& modules) : modules_(modules), globals_(modules) {
    globals_.each([&](const std::string& name) { taken_.insert(name); });
  }

  Module run(const IsSupplied& is_supplied) {
    globals_.require_definitions(is_supplied);
    head();
    // The names first: taking a module empties it, and globals_ looks at all of them.
    choose();
    for (std::size_t m = 0; m < modules_.size(); ++m) take(m);
    finish();
    return std::move(linked_);
  }

 private:
  void head() {
    linked_.file = modules_.front().file;
    if (modules_.size() > 1) {
      linked_.file += " and " + std::to_string(modules_.size() - 1) + " more";
    }
    linked_.target = modules_.front().target;
    linked_.address_size = modules_.front().address_size;
    for (const Module& module : modules_) {
      if (module.address_size != linked_.address_size) {
        throw Error("addresses have another size than in " + modules_.front().file, module.file,
                    {1, 1});
      }
      if (std::pair(module.major, module.minor) > std::pair(linked_.major, linked_.minor)) {
        linked_.major = module.major;
        linked_.minor = module.minor;
      }
    }
  }

  // What becomes of each declaration.
  struct Fate {
    std::string name;
    Linkage linkage = Linkage::internal;
    bool chosen = false;  // else it stands for another module's declaration
    std::uint64_t dynamic_alignment = 0;
  };

  template <class Declarations>
  std::vector<Fate> fates(std::size_t m, bool is_function, const Declarations& declarations,
                          Names& own) {
    std::vector<Fate> result;
    for (std::size_t i = 0; i < declarations.size(); ++i) {
      const std::string& name = declarations[i].name;
      if (globals_.shares(m, name)) {
        result.push_back({name, globals_.linkage(name),
                          globals_.is_chosen(name, {m, is_function, i}),
                          globals_.dynamic_alignment(name)});
        continue;
      }
      const auto [known, is_new] = own.try_emplace(name);
      if (is_new) known->second = unused_name(name, "__intern__", taken_);
      result.push_back({known->second, declarations[i].linkage, true, 0});
    }
    return result;
  }

  void choose() {
    names_.resize(modules_.size());
    for (std::size_t m = 0; m < modules_.size(); ++m) {
      const Module& module = modules_[m];
      variables_.push_back(fates(m, false, module.variables, names_[m]));
      functions_.push_back(fates(m, true, module.functions, names_[m]));
    }
  }

  void take(std::size_t m) {
    Module& module = modules_[m];
    lines_.take(module);
    const auto rename = [&](Symbol& symbol) {
      const bool of_module =
          symbol.kind == Symbol::Kind::variable || symbol.kind == Symbol::Kind::function;
      const auto own = names_[m].find(symbol.name);
      if (of_module && own != names_[m].end()) symbol.name = own->second;
    };
    for (std::size_t i = 0; i < module.variables.size(); ++i) {
      if (variables_[m][i].chosen)
        take(std::move(module.variables[i]), variables_[m][i], m, rename);
    }
    for (std::size_t i = 0; i < module.functions.size(); ++i) {
      take(std::move(module.functions[i]), functions_[m][i], m, rename);
    }
  }

  template <class Rename>
  void take(Variable variable, const Fate& fate, std::size_t m, const Rename& rename) {
    variable.name = fate.name;
    variable.file = modules_[m].file;
    const bool dynamic = variable.linkage == Linkage::external;
    if (dynamic && fate.dynamic_alignment != 0) variable.align = fate.dynamic_alignment;
    each_symbol(variable, rename);
    linked_.variables.push_back(std::move(variable));
  }

  template <class Rename>
  void take(Function function, const Fate& fate, std::size_t m, const Rename& rename) {
    function.name = fate.name;
    function.linkage = fate.linkage;
    function.file = modules_[m].file;
    if (function.defined && fate.chosen) {
      for (Statement& statement : function.body) {
        if (auto* local = std::get_if<Variable>(&statement)) local->file = function.file;
      }
      each_symbol(function, rename);
      bodies_.push_back(std::move(function));
    } else if (!(function.entry && function.defined) && declared_.insert(function.name).second) {
      function.defined = false;
      function.registers.clear();
      function.body.clear();
      linked_.functions.push_back(std::move(function));
    }
  }

  void finish() {
    std::move(bodies_.begin(), bodies_.end(), std::back_inserter(linked_.functions));
    linked_.files = std::move(lines_.files);
    linked_.strings = std::move(lines_.strings);
    std::unordered_map<std::string, Symbol> meanings;
    const auto declare = [&](const std::string& name, bool is_function, std::size_t index) {
      const auto kind = is_function ? Symbol::Kind::function : Symbol::Kind::variable;
      meanings.try_emplace(name, Symbol{name, kind, index, 0});
      linked_.order.push_back({is_function, index});
    };
    for (std::size_t i = 0; i < linked_.variables.size(); ++i) {
      declare(linked_.variables[i].name, false, i);
    }
    for (std::size_t i = 0; i < linked_.functions.size(); ++i) {
      declare(linked_.functions[i].name, true, i);
    }
    const auto look_up = [&](Symbol& symbol) {
      if (symbol.kind != Symbol::Kind::variable && symbol.kind != Symbol::Kind::function) return;
      symbol.index = meanings.at(symbol.name).index;
    };
    for (Variable& variable : linked_.variables) each_symbol(variable, look_up);
    for (Function& function : linked_.functions) each_symbol(function, look_up);
  }

  std::vector<Module>& modules_;
  Globals globals_;
  std::unordered_set<std::string> taken_;
  std::vector<Names> names_;  // the new names, of each module
  std::vector<std::vector<Fate>> variables_;
  std::vector<std::vector<Fate>> functions_;
  MergedLines lines_;
  std::unordered_set<std::string> declared_;
  std::vector<Function> bodies_;
  Module linked_;
};

}  // namespace

Module link(std::vector<Module> modules, const IsSupplied& is_supplied) {
  if (modules.empty()) throw std::invalid_argument("there are no modules to link");
  return Linker(modules).run(is_supplied);
}

}  // namespace bankproof::ptx
