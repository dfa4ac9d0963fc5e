// The registers and symbols that an instruction names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "../syntax/syntax.hpp"

namespace bankproof::ptx {

/// A register's declaration and number: what tells it from the function's other registers.
using RegisterName = std::pair<std::size_t, std::uint64_t>;

inline RegisterName name_of(const Register& r) { return {r.declaration, r.number}; }

/// Calls see(part) for each register, symbol, number and so on of the operand.
template <class See>
void each_part(const Operand& operand, const See& see) {
  const auto parts = [&](const auto& value) { std::visit(see, value); };
  const auto all = [&](const std::vector<Scalar>& scalars) {
    for (const Scalar& one : scalars) parts(one);
  };
  if (const auto* const one = std::get_if<Scalar>(&operand.value)) {
    parts(*one);
  } else if (const auto* const address = std::get_if<Address>(&operand.value)) {
    parts(address->base);
    all(address->more);
    all(address->coordinates);
  } else if (const auto* const negated = std::get_if<Negated>(&operand.value)) {
    see(negated->predicate);
  } else if (const auto* const pair = std::get_if<Pair>(&operand.value)) {
    parts(pair->first);
    parts(pair->second);
  } else if (const auto* const vector = std::get_if<Vector>(&operand.value)) {
    all(vector->elements);
  } else if (const auto* const arguments = std::get_if<Arguments>(&operand.value)) {
    all(arguments->elements);
  }
}

/// Calls see(part) for each part of the operand that is a Part: a Register or a Symbol.
template <class Part, class See>
void each(const Operand& operand, const See& see) {
  each_part(operand, [&](const auto& part) {
    if constexpr (std::is_same_v<std::decay_t<decltype(part)>, Part>) see(part);
  });
}

/// Calls see(register) for each register of the operand.
template <class See>
void each_register(const Operand& operand, const See& see) {
  each<Register>(operand, see);
}

/// Calls see(register) for each register that the instruction reads or writes.
template <class See>
void each_register(const Instruction& i, const See& see) {
  if (i.guard) see(i.guard->predicate);
  for (const Operand& operand : i.operands) each_register(operand, see);
}

/// Calls see(register) for each register that the instruction may write: those of its first
/// operand, but for addresses. Some instructions only read them.
template <class See>
void each_written_register(const Instruction& i, const See& see) {
  if (i.operands.empty() || std::holds_alternative<Address>(i.operands.front().value)) return;
  each_register(i.operands.front(), see);
}

/// Whether the operand, or the instruction, names the register.
template <class Naming>
bool mentions(const Naming& naming, const RegisterName& name) {
  bool found = false;
  each_register(naming, [&](const Register& r) { found = found || name_of(r) == name; });
  return found;
}

/// The operand, if it is a register; else null.
inline const Register* register_of(const Instruction& i, std::size_t operand) {
  if (operand >= i.operands.size()) return nullptr;
  const auto* const scalar = std::get_if<Scalar>(&i.operands[operand].value);
  return scalar == nullptr ? nullptr : std::get_if<Register>(scalar);
}

}  // namespace bankproof::ptx
