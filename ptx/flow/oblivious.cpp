// Marks what may hold loaded values; see oblivious.hpp.
#include "oblivious.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>
#include <variant>

#include "selected_loads.hpp"

namespace bankproof::ptx {

namespace {

using Names = std::initializer_list<std::string_view>;

bool is_one_of(std::string_view name, Names names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Whether a modifier names the space: `shared` or `shared::cta`.
bool has_space(const Instruction& i, std::string_view space) {
  return std::any_of(i.modifiers.begin(), i.modifiers.end(), [&](const std::string& modifier) {
    return modifier == space ||
           (modifier.starts_with(space) && modifier.substr(space.size()).starts_with("::"));
  });
}

/// Special registers whose values differ from launch to launch.
bool differs_by_launch(const std::string& special) {
  return special.starts_with("%clock") || special.starts_with("%globaltimer") ||
         special == "%gridid";
}

class Marking {
 public:
  explicit Marking(const Function& kernel)
      : kernel_(kernel), selected_loads_(kernel, flow_of(kernel, {})) {}

  std::optional<DataDependence> run() {
    do {
      changes_ = false;
      for (const Statement& statement : kernel_.body) {
        const auto* const i = std::get_if<Instruction>(&statement);
        if (i == nullptr) continue;
        if (const char* const what = look_at(*i)) return DataDependence{what, i->place};
      }
    } while (changes_);
    return std::nullopt;
  }

 private:
  using Name = std::pair<std::size_t, std::uint32_t>;

  // ---- What is marked

  bool marked(const Register& r) const { return marked_.count({r.declaration, r.number}) != 0; }
  bool marked(const Scalar& scalar) const {
    if (const auto* const r = std::get_if<Register>(&scalar)) return marked(*r);
    const auto* const special = std::get_if<Special>(&scalar);
    return special != nullptr && differs_by_launch(special->name);
  }
  bool marked(const std::vector<Scalar>& scalars) const {
    return std::any_of(scalars.begin(), scalars.end(),
                       [&](const Scalar& one) { return marked(one); });
  }
  /// Whether the value of a source is marked; an address is not a value.
  bool marked(const Operand& operand) const {
    if (const auto* const scalar = std::get_if<Scalar>(&operand.value)) return marked(*scalar);
    if (const auto* const vector = std::get_if<Vector>(&operand.value)) {
      return marked(vector->elements);
    }
    const auto* const negated = std::get_if<Negated>(&operand.value);
    return negated != nullptr && marked(negated->predicate);
  }
  bool guard_is_marked(const Instruction& i) const { return i.guard && marked(i.guard->predicate); }

  static bool is_address(const Operand& operand) {
    return std::holds_alternative<Address>(operand.value);
  }
  bool an_address_is_marked(const Instruction& i) const {
    return std::any_of(i.operands.begin(), i.operands.end(), [&](const Operand& operand) {
      const auto* const address = std::get_if<Address>(&operand.value);
      if (address == nullptr) return false;
      const auto* const base = std::get_if<Register>(&address->base);
      return base != nullptr && marked(*base);
    });
  }
  /// Whether a value is marked among the operands from `from` on.
  bool any_marked(const Instruction& i, std::size_t from) const {
    return from < i.operands.size() &&
           std::any_of(i.operands.begin() + static_cast<std::ptrdiff_t>(from), i.operands.end(),
                       [&](const Operand& operand) { return marked(operand); });
  }

  // ---- Marking

  void set(bool& flag) {
    changes_ = changes_ || !flag;
    flag = true;
  }
  void mark(const Scalar& scalar) {
    const auto* const r = std::get_if<Register>(&scalar);
    if (r != nullptr && marked_.insert({r->declaration, r->number}).second) changes_ = true;
  }
  void mark(const Operand& operand) {
    if (const auto* const scalar = std::get_if<Scalar>(&operand.value)) mark(*scalar);
    if (const auto* const pair = std::get_if<Pair>(&operand.value)) {
      mark(pair->first);
      mark(pair->second);
    }
    if (const auto* const vector = std::get_if<Vector>(&operand.value)) {
      for (const Scalar& one : vector->elements) mark(one);
    }
  }
  /// The instruction stores marked values.
  void mark_memory(const Instruction& i) {
    if (has_space(i, "global")) return;  // all loads of global memory are marked anyway
    const bool generic = !has_space(i, "shared") && !has_space(i, "local");
    if (generic || has_space(i, "shared")) set(shared_);
    if (generic || has_space(i, "local")) set(local_);
  }

  // ---- Instructions. Each function returns what depends on a loaded value, or null.

  const char* look_at(const Instruction& i) {
    if (is_one_of(i.base, {"call"})) return "a call";
    if (is_one_of(i.base, {"bra", "brx", "ret", "exit", "trap", "brkpt"})) {
      return guard_is_marked(i) || any_marked(i, 0) ? "a branch" : nullptr;
    }
    if (is_one_of(i.base,
                  {"fence", "membar", "nanosleep", "griddepcontrol", "setmaxnreg", "pmevent"})) {
      return guard_is_marked(i) ? "a guard" : nullptr;
    }
    if (is_one_of(i.base, {"bar", "barrier"}) || is_collective(i)) return take_part(i);
    const bool accesses = std::any_of(i.operands.begin(), i.operands.end(), is_address) ||
                          is_one_of(i.base, {"cp", "mbarrier"});
    return accesses ? access(i) : compute(i);
  }

  static bool is_collective(const Instruction& i) {
    return is_one_of(i.base, {"shfl", "vote", "match", "redux", "activemask", "elect"});
  }

  const char* compute(const Instruction& i) {
    const bool carries = is_one_of(i.base, {"addc", "subc", "madc"});
    const bool from_marked = guard_is_marked(i) || any_marked(i, 1) || (carries && carry_);
    if (!from_marked || i.operands.empty()) return nullptr;
    mark(i.operands.front());
    if (i.has("cc")) set(carry_);
    return nullptr;
  }

  /// Lanes or threads exchange values. Who takes part, and with whom, must not depend on loaded
  /// values.
  const char* take_part(const Instruction& i) {
    if (guard_is_marked(i)) return "a guard";
    const bool of_block = i.base == "bar" || i.base == "barrier";
    // The value is the last operand of a barrier, and of others the operand after the result. The
    // only operand of elect says who takes part.
    const bool has_result = !of_block || i.has("red");
    const bool has_value = has_result && i.base != "elect";
    const std::size_t value = !has_value ? i.operands.size() : of_block ? i.operands.size() - 1 : 1;
    for (std::size_t k = has_result ? 1 : 0; k < i.operands.size(); ++k) {
      if (k != value && marked(i.operands[k])) return "who takes part";
    }
    if (has_result && value < i.operands.size() && marked(i.operands[value])) {
      mark(i.operands.front());
    }
    return nullptr;
  }

  const char* access(const Instruction& i) {
    if (guard_is_marked(i)) return "a guard";
    if (an_address_is_marked(i)) return "an address";
    if (i.base == "ld" || i.base == "ldu" || i.base == "ldmatrix") {
      return load(i);
    } else if (i.base == "st" || i.base == "red" || i.base == "stmatrix") {
      if (any_marked(i, 0)) mark_memory(i);
    } else if (i.base == "atom") {
      mark(i.operands.front());
      if (any_marked(i, 1)) mark_memory(i);
    } else if (i.base == "wmma" && i.has("load")) {
      if (any_marked(i, 1)) return "an address";  // the stride
      mark(i.operands.front());
    } else if (i.base == "wmma" && i.has("store")) {
      const bool stride = i.operands.size() > 2 && any_marked(i, 2);
      if (stride) return "an address";
      if (any_marked(i, 1)) mark_memory(i);
    } else if (i.base == "cp" && i.has("async") && !i.has("bulk")) {
      if (any_marked(i, 0)) return "the size of a copy";
      set(shared_);
    } else if (is_one_of(i.base, {"prefetch", "prefetchu"})) {
      return nullptr;
    } else {
      return "an instruction that is not followed";
    }
    return nullptr;
  }

  const char* load(const Instruction& i) {
    // Lanes that drop the value do not race.
    const auto unused = selected_loads_.of(i);
    if (unused && marked(unused->predicate)) return "who uses a loaded value";
    const bool fixed = has_space(i, "param") || has_space(i, "const") ||
                       (has_space(i, "local") && !local_) ||
                       ((has_space(i, "shared") || i.base == "ldmatrix") && !shared_);
    if (!fixed) mark(i.operands.front());
    return nullptr;
  }

  const Function& kernel_;
  const SelectedLoads selected_loads_;
  std::set<Name> marked_;  // registers
  bool carry_ = false;
  bool local_ = false;
  bool shared_ = false;
  bool changes_ = false;
};

}  // namespace

std::optional<DataDependence> data_dependence(const Function& kernel) {
  return Marking(kernel).run();
}

}  // namespace bankproof::ptx
