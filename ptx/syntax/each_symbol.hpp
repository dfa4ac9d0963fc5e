// Visits the symbols that stand in the operands of a function and in the initial values of a
// variable.
#pragma once

#include "syntax.hpp"

namespace bankproof::ptx {

template <class F>
void each_symbol(Scalar& scalar, const F& f) {
  if (auto* symbol = std::get_if<Symbol>(&scalar)) f(*symbol);
}

template <class F>
void each_symbol(std::vector<Scalar>& scalars, const F& f) {
  for (Scalar& scalar : scalars) each_symbol(scalar, f);
}

template <class F>
void each_symbol(Operand& operand, const F& f) {
  if (auto* scalar = std::get_if<Scalar>(&operand.value)) {
    each_symbol(*scalar, f);
  } else if (auto* address = std::get_if<Address>(&operand.value)) {
    if (auto* symbol = std::get_if<Symbol>(&address->base)) f(*symbol);
    each_symbol(address->more, f);
    each_symbol(address->coordinates, f);
  } else if (auto* pair = std::get_if<Pair>(&operand.value)) {
    each_symbol(pair->first, f);
    each_symbol(pair->second, f);
  } else if (auto* vector = std::get_if<Vector>(&operand.value)) {
    each_symbol(vector->elements, f);
  } else if (auto* arguments = std::get_if<Arguments>(&operand.value)) {
    each_symbol(arguments->elements, f);
  }
}

template <class F>
void each_symbol(Variable& variable, const F& f) {
  for (InitialValue& initial : variable.initial) {
    if (auto* symbol = std::get_if<Symbol>(&initial.value)) f(*symbol);
  }
}

template <class F>
void each_symbol(Function& function, const F& f) {
  for (Statement& statement : function.body) {
    auto* instruction = std::get_if<Instruction>(&statement);
    if (instruction == nullptr) continue;
    for (Operand& operand : instruction->operands) each_symbol(operand, f);
  }
}

}  // namespace bankproof::ptx
