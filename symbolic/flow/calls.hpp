// What a call passes, and what it calls.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "../../ptx/syntax/syntax.hpp"

namespace bankproof::symbolic {

/// The variables that hold the results and the parameters of a call.
struct Passed {
  std::vector<ptx::Scalar> results{};
  std::vector<ptx::Scalar> parameters{};
};
inline Passed passed_by(const ptx::Instruction& call) {
  Passed all;
  bool is_before_name = true;
  for (const ptx::Operand& operand : call.operands) {
    const auto* const arguments = std::get_if<ptx::Arguments>(&operand.value);
    if (arguments == nullptr) {
      is_before_name = false;
    } else {
      (is_before_name ? all.results : all.parameters) = arguments->elements;
    }
  }
  return all;
}

/// One variable would be two: what the function returns, and what it was passed.
inline bool has_result_among_parameters(const ptx::Instruction& call) {
  const auto index_of = [](const ptx::Scalar& one) {
    const auto* const symbol = std::get_if<ptx::Symbol>(&one);
    return symbol == nullptr ? std::nullopt : std::optional(std::pair(symbol->kind, symbol->index));
  };
  const Passed all = passed_by(call);
  return std::any_of(all.results.begin(), all.results.end(), [&](const ptx::Scalar& result) {
    return std::any_of(all.parameters.begin(), all.parameters.end(), [&](const auto& parameter) {
      return index_of(result) && index_of(result) == index_of(parameter);
    });
  });
}

/// The function that it names, if it does.
inline const ptx::Symbol* callee_of(const ptx::Instruction& call) {
  for (const ptx::Operand& operand : call.operands) {
    const auto* const scalar = std::get_if<ptx::Scalar>(&operand.value);
    const auto* const symbol = scalar == nullptr ? nullptr : std::get_if<ptx::Symbol>(scalar);
    if (symbol != nullptr && symbol->kind == ptx::Symbol::Kind::function) return symbol;
  }
  return nullptr;
}

}  // namespace bankproof::symbolic
