// Which declaration each name that modules share means: the names that are .visible, .weak, .extern
// or .common (PTX ISA, "Linking Directives").
//
// A strong definition, which is .visible, wins over .weak ones, these over .common ones, and those
// over mere declarations. Of equals the first wins, and of two .common ones the larger. Arrays of
// dynamic shared memory are .extern and have no definition.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <unordered_set>
#include <vector>

#include "syntax.hpp"

namespace bankproof::ptx {

/// A variable or function of one of several modules.
struct Declared {
  std::size_t module = 0;
  bool is_function = false;
  std::size_t index = 0;
  bool operator==(const Declared&) const = default;
};

class Globals {
 public:
  /// Throws Error if two declarations contradict each other. The modules have to outlive this.
  explicit Globals(const std::vector<Module>& modules);

  /// Throws Error for a declared function or variable that no module defines, unless it is a
  /// function that the machine supplies.
  void require_definitions(const std::function<bool(const std::string&)>& is_supplied) const;

  /// Whether the module shares its function or variable of that name with other modules.
  bool shares(std::size_t module, const std::string& name) const {
    return shared_[module].contains(name);
  }
  bool is_chosen(const std::string& name, const Declared& declared) const {
    return chosen_.at(name) == declared;
  }
  /// Calls f(name) for each name.
  template <class F>
  void each(F f) const {
    for (const auto& [name, declared] : chosen_) f(name);
  }
  /// The linkage of the declaration that won.
  Linkage linkage(const std::string& name) const;
  /// The greatest alignment of the dynamic arrays of that name; else 0.
  std::uint64_t dynamic_alignment(const std::string& name) const;

 private:
  void add(const std::string& name, const Declared& declared);
  void require_agreement(const std::string& name, const Declared& a, const Declared& b) const;
  [[noreturn]] void fail(const std::string& what, const Declared& at) const;
  std::string where(const Declared& declared) const;
  const Variable& variable(const Declared& declared) const;
  const Function& function(const Declared& declared) const;
  int strength(const Declared& declared) const;
  bool wins(const Declared& made, const Declared& known) const;

  const std::vector<Module>& modules_;
  std::vector<std::unordered_set<std::string>> shared_;  // names, of each module
  std::map<std::string, Declared> chosen_;
  std::map<std::string, std::uint64_t> dynamic_;
};

}  // namespace bankproof::ptx
