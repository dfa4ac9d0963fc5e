// Follows the paths from a load; see overwritten_loads.hpp.
#include "overwritten_loads.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "../syntax/types.hpp"
#include "registers.hpp"

namespace bankproof::ptx {

namespace {

constexpr int most_statements = 2000;

/// Instructions whose first operand is written, without being read.
constexpr std::array<std::string_view, 12> writing{"mov", "ld",  "cvt", "add", "sub", "mul",
                                                   "mad", "fma", "neg", "min", "max", "selp"};

enum class Use : std::uint8_t { none, overwritten, used };

Use use_of(const Instruction& i, const RegisterName& name) {
  const bool guards = i.guard && name_of(i.guard->predicate) == name;
  const auto names = [&](const Operand& operand) { return mentions(operand, name); };
  if (guards ||
      std::any_of(i.operands.begin() + (i.operands.empty() ? 0 : 1), i.operands.end(), names)) {
    return Use::used;
  }
  if (i.operands.empty() || !names(i.operands.front())) return Use::none;
  const bool writes = std::find(writing.begin(), writing.end(), i.base) != writing.end();
  return writes && !i.guard && register_of(i, 0) != nullptr ? Use::overwritten : Use::used;
}

/// The registers whose values are known, on one path.
class Constants {
 public:
  void execute(const Instruction& i) {
    std::optional<std::uint64_t> value;
    if (!i.guard && i.base == "mov") value = constant(i, 1);
    if (!i.guard && i.base == "setp") value = compared(i);
    each_written_register(i, [&](const Register& r) { known_.erase(name_of(r)); });
    const Register* const result = register_of(i, 0);
    if (value && result != nullptr) known_[name_of(*result)] = *value;
  }

  std::optional<std::uint64_t> of(const Register& r) const {
    const auto found = known_.find(name_of(r));
    return found == known_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::optional<std::uint64_t> constant(const Instruction& i, std::size_t operand) const {
    const FundamentalType* const type =
        i.modifiers.empty() ? nullptr : find_type(i.modifiers.back());
    if (operand >= i.operands.size() || type == nullptr || type->bits > 64) return std::nullopt;
    const auto* const scalar = std::get_if<Scalar>(&i.operands[operand].value);
    if (scalar == nullptr) return std::nullopt;
    const std::uint64_t bits = ~std::uint64_t{0} >> (64 - type->bits);
    if (const auto* const r = std::get_if<Register>(scalar)) {
      const auto value = of(*r);
      return value ? std::optional(*value & bits) : std::nullopt;
    }
    const auto* const number = std::get_if<Immediate>(scalar);
    const bool is_integer = number != nullptr && number->kind == Immediate::Kind::integer;
    return is_integer ? std::optional(number->bits & bits) : std::nullopt;
  }

  /// setp.eq and setp.ne of integers.
  std::optional<std::uint64_t> compared(const Instruction& i) const {
    if (i.modifiers.size() != 2 || i.operands.size() != 3) return std::nullopt;
    if (i.modifiers[0] != "eq" && i.modifiers[0] != "ne") return std::nullopt;
    const FundamentalType* const type = find_type(i.modifiers[1]);
    const bool is_integer = type != nullptr && !type->packed && type->number != Number::floating &&
                            type->number != Number::bfloat;
    if (!is_integer) return std::nullopt;
    const auto a = constant(i, 1);
    const auto b = constant(i, 2);
    if (!a || !b) return std::nullopt;
    return (*a == *b) == (i.modifiers[0] == "eq") ? 1 : 0;
  }

  std::map<RegisterName, std::uint64_t> known_;
};

class Search {
 public:
  /// With `all_ways`, takes both ways at each branch.
  Search(const Function& function, const Flow& flow, RegisterName loaded, bool all_ways)
      : function_(function), flow_(flow), loaded_(std::move(loaded)), all_ways_(all_ways) {}

  /// Whether no path from the statement on, which is in the block, uses the register.
  bool is_unused(std::size_t block, std::size_t statement, Constants constants) {
    for (;;) {
      const Instruction* last = nullptr;
      for (; statement < flow_.blocks[block].end; ++statement) {
        if (++seen_ > most_statements) return false;
        last = std::get_if<Instruction>(&function_.body[statement]);
        if (last == nullptr) continue;
        const Use use = use_of(*last, loaded_);
        if (use != Use::none) return use == Use::overwritten;
        constants.execute(*last);
      }
      const std::vector<std::size_t> next = successors(block, last, constants);
      for (std::size_t k = 1; k < next.size(); ++k) {
        if (!is_unused(next[k], flow_.blocks[next[k]].begin, constants)) return false;
      }
      if (next.empty()) return true;
      block = next.front();
      statement = flow_.blocks[block].begin;
    }
  }

 private:
  std::vector<std::size_t> successors(std::size_t block, const Instruction* last,
                                      const Constants& constants) const {
    const std::vector<std::size_t>& all = flow_.blocks[block].successors;
    if (all_ways_ || last == nullptr || last->base != "bra" || !last->guard) return all;
    const auto predicate = constants.of(last->guard->predicate);
    const auto& scalar = std::get<Scalar>(last->operands.back().value);
    const std::size_t target = flow_.block_of[std::get<LabelName>(scalar).statement];
    if (!predicate || all.size() < 2) return all;
    const bool taken = (*predicate != 0) != last->guard->negated;
    return {taken ? target : block + 1};
  }

  const Function& function_;
  const Flow& flow_;
  RegisterName loaded_;
  bool all_ways_ = false;
  int seen_ = 0;
};

}  // namespace

std::set<const Instruction*> overwritten_loads(const Function& function, const Flow& flow) {
  std::map<RegisterName, int> writes;
  for (const Statement& statement : function.body) {
    const auto* const i = std::get_if<Instruction>(&statement);
    if (i == nullptr) continue;
    each_written_register(*i, [&](const Register& r) { ++writes[name_of(r)]; });
  }
  std::set<const Instruction*> found;
  for (std::size_t at = 0; at < function.body.size(); ++at) {
    const auto* const i = std::get_if<Instruction>(&function.body[at]);
    if (i == nullptr || i->base != "ld" || i->guard || i->has("param")) continue;
    const bool is_weak =
        !i->has("volatile") && !i->has("relaxed") && !i->has("acquire") && !i->has("mmio");
    const Register* const loaded = register_of(*i, 0);
    if (!is_weak || loaded == nullptr || writes.at(name_of(*loaded)) < 2) continue;
    const auto is_unused = [&](bool all_ways) {
      return Search(function, flow, name_of(*loaded), all_ways)
          .is_unused(flow.block_of[at], at + 1, {});
    };
    if (is_unused(false) && !is_unused(true)) found.insert(i);
  }
  return found;
}

}  // namespace bankproof::ptx
