// Looks behind each load for the instructions that use it; see selected_loads.hpp.
#include "selected_loads.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <variant>
#include <vector>

namespace bankproof::ptx {

namespace {

using Name = std::pair<std::size_t, std::uint64_t>;  // a register's declaration and number

Name name_of(const Register& r) { return {r.declaration, r.number}; }

/// Calls see(register) for each register that the instruction reads or writes.
template <class See>
void each_register(const Instruction& i, const See& see) {
  const auto scalar = [&](const auto& value) {
    if (const auto* const r = std::get_if<Register>(&value)) see(*r);
  };
  const auto all = [&](const std::vector<Scalar>& scalars) {
    for (const Scalar& one : scalars) scalar(one);
  };
  if (i.guard) see(i.guard->predicate);
  for (const Operand& operand : i.operands) {
    if (const auto* const one = std::get_if<Scalar>(&operand.value)) {
      scalar(*one);
    } else if (const auto* const address = std::get_if<Address>(&operand.value)) {
      scalar(address->base);
      all(address->more);
      all(address->coordinates);
    } else if (const auto* const negated = std::get_if<Negated>(&operand.value)) {
      see(negated->predicate);
    } else if (const auto* const pair = std::get_if<Pair>(&operand.value)) {
      all({pair->first, pair->second});
    } else if (const auto* const vector = std::get_if<Vector>(&operand.value)) {
      all(vector->elements);
    } else if (const auto* const arguments = std::get_if<Arguments>(&operand.value)) {
      all(arguments->elements);
    }
  }
}

const Register* register_of(const Instruction& i, std::size_t operand) {
  if (operand >= i.operands.size()) return nullptr;
  const auto* const scalar = std::get_if<Scalar>(&i.operands[operand].value);
  return scalar == nullptr ? nullptr : std::get_if<Register>(scalar);
}

/// How the instruction selects the register's value; nothing if it does anything else with it.
std::optional<UnusedIf> selection(const Instruction& i, const Name& loaded) {
  if (i.base != "selp" || i.guard || i.operands.size() != 4) return std::nullopt;
  const auto is_loaded = [&](std::size_t operand) {
    const Register* const r = register_of(i, operand);
    return r != nullptr && name_of(*r) == loaded;
  };
  const Register* const predicate = register_of(i, 3);
  if (predicate == nullptr || is_loaded(0) || is_loaded(1) == is_loaded(2)) return std::nullopt;
  return UnusedIf{*predicate, is_loaded(2)};
}

bool mentions(const Instruction& i, const Name& name) {
  bool found = false;
  each_register(i, [&](const Register& r) { found = found || name_of(r) == name; });
  return found;
}

/// Finds what selects the value of the load at [begin], whose register is mentioned so often in
/// the whole function.
std::optional<UnusedIf> selected_behind(const Function& function, std::size_t begin,
                                        std::size_t end, const Name& loaded,
                                        std::size_t mentioned) {
  std::optional<UnusedIf> found;
  std::set<Name> before;  // what the instructions between the load and the last selection mention
  for (std::size_t at = begin + 1; at < end && mentioned > 1; ++at) {
    const auto* const i = std::get_if<Instruction>(&function.body[at]);
    if (i == nullptr) continue;
    if (!mentions(*i, loaded)) {
      each_register(*i, [&](const Register& r) { before.insert(name_of(r)); });
      continue;
    }
    const auto one = selection(*i, loaded);
    if (!one) return std::nullopt;
    if (found &&
        (name_of(found->predicate) != name_of(one->predicate) || found->value != one->value))
      return std::nullopt;
    // It may have been written.
    if (before.count(name_of(one->predicate)) != 0) return std::nullopt;
    found = one;
    --mentioned;
  }
  return mentioned == 1 ? found : std::nullopt;
}

}  // namespace

SelectedLoads::SelectedLoads(const Function& function, const Flow& flow) {
  std::map<Name, std::size_t> mentioned;
  bool selects = false;
  for (const Statement& statement : function.body) {
    const auto* const i = std::get_if<Instruction>(&statement);
    if (i == nullptr) continue;
    selects = selects || i->base == "selp";
    each_register(*i, [&](const Register& r) { ++mentioned[name_of(r)]; });
  }
  if (!selects) return;
  for (const Block& block : flow.blocks) {
    for (std::size_t at = block.begin; at < block.end; ++at) {
      const auto* const i = std::get_if<Instruction>(&function.body[at]);
      if (i == nullptr || i->base != "ld" || i->guard) continue;
      const Register* const loaded = register_of(*i, 0);
      if (loaded == nullptr) continue;
      const auto found = selected_behind(function, at, block.end, name_of(*loaded),
                                         mentioned.at(name_of(*loaded)));
      if (found) loads_.emplace(i, *found);
    }
  }
}

std::optional<UnusedIf> SelectedLoads::of(const Instruction& load) const {
  const auto found = loads_.find(&load);
  return found == loads_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace bankproof::ptx
