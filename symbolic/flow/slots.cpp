// Registers for parts of variables; see slots.hpp.
#include "slots.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "../../ptx/syntax/types.hpp"
#include "operands.hpp"

namespace bankproof::symbolic {

namespace {

// No register of PTX has a blank in its name.
constexpr const char* slot_prefix = "part ";
constexpr std::int64_t most_result_bytes = 16;

const std::string& type_of(const ptx::Instruction& access) { return access.modifiers.back(); }

ptx::Instruction move(const ptx::Instruction& at, std::vector<std::string> modifiers,
                      ptx::Operand to, ptx::Operand from) {
  return {.guard = at.guard,
          .base = "mov",
          .modifiers = std::move(modifiers),
          .operands = {std::move(to), std::move(from)},
          .place = at.place};
}

}  // namespace

bool Slots::is_slot(const ptx::Register& r) { return r.name.rfind(slot_prefix, 0) == 0; }

ptx::Register Slots::made(const std::string& type) {
  const std::size_t declaration = function_.registers.size();
  const std::string name = slot_prefix + std::to_string(declaration);
  function_.registers.push_back({.type = type, .name = name, .count = {}, .place = {}});
  return {name, declaration, 0};
}

ptx::Register Slots::at(const Part& part) {
  const auto found = declarations_.find(part);
  if (found != declarations_.end()) {
    return {function_.registers[found->second].name, found->second, 0};
  }
  // As wide as the part, so that a counter of a loop is one.
  ptx::Register one = made(ptx::bits_type(std::min(part.bits, 64U)));
  declarations_.emplace(part, one.declaration);
  return one;
}

std::vector<Slots::Part> Slots::parts(const ptx::Instruction& access, Variable variable,
                                      std::int64_t begin) {
  const ptx::FundamentalType* const known =
      access.modifiers.empty() ? nullptr : ptx::find_type(type_of(access));
  const std::uint32_t bits = known == nullptr ? 64 : std::max(known->bits, 8U);
  std::vector<Part> all;
  const std::size_t count = elements_of(access.operands[access.base == "ld" ? 0 : 1]).size();
  for (std::size_t k = 0; k < count; ++k) {
    all.push_back({variable, begin + static_cast<std::int64_t>(k) * (bits / 8), bits});
  }
  return all;
}

void Slots::expect(const Part& part, bool is_stored) {
  at(part);
  if (is_stored) stored_.insert(part);
}

std::map<Slots::Part, bool> Slots::known() const {
  std::map<Part, bool> all;
  for (const auto& [part, declaration] : declarations_) all[part] = stored_.count(part) != 0;
  return all;
}

std::vector<ptx::Instruction> Slots::forgotten(const ptx::Instruction& at,
                                               std::vector<ptx::Scalar> registers) const {
  if (registers.empty()) return {};
  return {{.guard = at.guard,
           .base = "call",
           .modifiers = {external_modifier},
           .operands = {{ptx::Vector{std::move(registers)}, at.place}},
           .place = at.place}};
}

std::vector<ptx::Instruction> Slots::forgotten(const ptx::Instruction& at, Variable variable) {
  std::vector<ptx::Scalar> registers;
  for (const auto& [part, declaration] : declarations_) {
    if (part.variable == variable) registers.emplace_back(this->at(part));
  }
  return forgotten(at, std::move(registers));
}

std::vector<ptx::Scalar> Slots::any_parts(Variable variable) {
  std::vector<ptx::Scalar> all;
  for (const std::uint32_t bits : {8U, 16U, 32U, 64U}) {
    for (std::int64_t begin = 0; begin < most_result_bytes; begin += bits / 8) {
      const Part part{variable, begin, bits};
      stored_.insert(part);
      all.emplace_back(at(part));
    }
  }
  return all;
}

/// Updates the registers of the other parts that share bytes with a part that is stored.
void Slots::overwrite_others(const ptx::Instruction& store, const Part& part,
                             std::vector<ptx::Instruction>& made) {
  const auto has = [&](const Part& other) { return declarations_.count(other) != 0; };
  const auto operand = [&](auto value) { return ptx::Operand{std::move(value), store.place}; };
  const std::int64_t half = 4;
  const auto halves = [&](std::int64_t begin) {
    return std::pair(Part{part.variable, begin, 32}, Part{part.variable, begin + half, 32});
  };
  std::vector<ptx::Scalar> unknown;
  std::set<Part> known;
  if (part.bits == 64) {
    const auto [low, high] = halves(part.begin);
    if (has(low) || has(high)) {
      made.push_back(move(store, {"b64"}, operand(ptx::Vector{{at(low), at(high)}}),
                          operand(ptx::Scalar(at(part)))));
      known = {low, high};
      stored_.insert({low, high});
    }
  }
  for (const std::int64_t begin : {part.begin, part.begin - half}) {
    const Part whole{part.variable, begin, 64};
    const auto [low, high] = halves(begin);
    if (part.bits != 32 || !has(whole) || !has(low) || !has(high)) continue;
    made.push_back(move(store, {"b64"}, operand(ptx::Scalar(at(whole))),
                        operand(ptx::Vector{{at(low), at(high)}})));
    known.insert(whole);
    stored_.insert(whole);
  }
  for (const auto& [other, declaration] : declarations_) {
    const bool meets = other.variable == part.variable && other != part &&
                       other.begin < part.begin + part.bits / 8 &&
                       part.begin < other.begin + other.bits / 8;
    if (meets && known.count(other) == 0) unknown.emplace_back(at(other));
  }
  for (ptx::Instruction& one : forgotten(store, std::move(unknown))) made.push_back(std::move(one));
}

std::vector<ptx::Instruction> Slots::moves(const ptx::Instruction& access, Variable variable,
                                           std::int64_t begin) {
  const bool is_load = access.base == "ld";
  const std::string type = access.modifiers.empty() ? "" : type_of(access);
  const std::vector<ptx::Scalar> elements = elements_of(access.operands[is_load ? 0 : 1]);
  const std::vector<Part> all = parts(access, variable, begin);
  std::vector<ptx::Instruction> made;
  for (std::size_t k = 0; k < elements.size(); ++k) {
    const ptx::Scalar slot = at(all[k]);
    const ptx::Operand outside{elements[k], access.place};
    const ptx::Operand inside{slot, access.place};
    if (is_load) {
      // No store writes the part in this size: each load gives another value.
      if (stored_.count(all[k]) == 0) {
        for (ptx::Instruction& one : forgotten(access, {slot})) made.push_back(std::move(one));
      }
      made.push_back(move(access, {slot_modifier, type}, outside, inside));
    } else {
      stored_.insert(all[k]);
      made.push_back(move(access, {slot_modifier, type}, inside, outside));
      overwrite_others(access, all[k], made);
    }
  }
  return made;
}

}  // namespace bankproof::symbolic
