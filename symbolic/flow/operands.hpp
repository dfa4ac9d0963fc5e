// The parts of an operand, to be changed.
#pragma once

#include <cstddef>
#include <type_traits>
#include <variant>
#include <vector>

#include "../../ptx/syntax/syntax.hpp"

namespace bankproof::symbolic {

/// Calls f(scalar) for each scalar of the operand.
template <class F>
void each_scalar(ptx::Operand& operand, const F& f) {
  const auto all = [&](std::vector<ptx::Scalar>& scalars) {
    for (ptx::Scalar& one : scalars) f(one);
  };
  const auto inner = [&](auto& part) {
    ptx::Scalar scalar = part;
    f(scalar);
    part = std::get<std::decay_t<decltype(part)>>(scalar);
  };
  if (auto* const one = std::get_if<ptx::Scalar>(&operand.value)) {
    f(*one);
  } else if (auto* const address = std::get_if<ptx::Address>(&operand.value)) {
    std::visit(inner, address->base);
    all(address->more);
    all(address->coordinates);
  } else if (auto* const negated = std::get_if<ptx::Negated>(&operand.value)) {
    inner(negated->predicate);
  } else if (auto* const pair = std::get_if<ptx::Pair>(&operand.value)) {
    f(pair->first);
    f(pair->second);
  } else if (auto* const vector = std::get_if<ptx::Vector>(&operand.value)) {
    all(vector->elements);
  } else if (auto* const arguments = std::get_if<ptx::Arguments>(&operand.value)) {
    all(arguments->elements);
  }
}

/// The value that a load gives its destinations, or that a store takes from its sources.
inline std::vector<ptx::Scalar> elements_of(const ptx::Operand& operand) {
  if (const auto* const vector = std::get_if<ptx::Vector>(&operand.value)) return vector->elements;
  return {std::get<ptx::Scalar>(operand.value)};
}

/// Statements have other numbers now: names of labels and of variables follow them.
inline void move_names(ptx::Statement& statement, const std::vector<std::size_t>& at) {
  const auto label = [&](ptx::LabelName& name) {
    if (name.statement < at.size()) name.statement = at[name.statement];
  };
  if (auto* const i = std::get_if<ptx::Instruction>(&statement)) {
    for (ptx::Operand& operand : i->operands) {
      each_scalar(operand, [&](ptx::Scalar& one) {
        if (auto* const name = std::get_if<ptx::LabelName>(&one)) {
          label(*name);
        } else if (auto* const symbol = std::get_if<ptx::Symbol>(&one)) {
          if (symbol->kind == ptx::Symbol::Kind::local) symbol->index = at[symbol->index];
        }
      });
    }
  } else if (auto* const targets = std::get_if<ptx::BranchTargets>(&statement)) {
    for (ptx::LabelName& target : targets->targets) label(target);
  }
}

}  // namespace bankproof::symbolic
