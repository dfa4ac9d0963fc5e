// Compares calls with the bodies of the called functions; see unread_arguments.hpp.
#include "unread_arguments.hpp"

#include <variant>

#include "registers.hpp"

namespace bankproof::ptx {

namespace {

/// The parameters that the function's body mentions.
std::set<std::size_t> mentioned_parameters(const Function& function) {
  std::set<std::size_t> found;
  for (const Statement& statement : function.body) {
    const auto* const i = std::get_if<Instruction>(&statement);
    if (i == nullptr) continue;
    for (const Operand& operand : i->operands) {
      each<Symbol>(operand, [&](const Symbol& symbol) {
        if (symbol.kind == Symbol::Kind::parameter) found.insert(symbol.index);
      });
    }
  }
  return found;
}

/// The variables that the call passes as arguments which its function does not read.
std::set<std::size_t> unread_by(const Instruction& call, const Module& module) {
  const Function* called = nullptr;
  std::set<std::size_t> found;
  std::set<std::size_t> read;
  for (const Operand& operand : call.operands) {
    if (const auto* const scalar = std::get_if<Scalar>(&operand.value)) {
      const auto* const symbol = std::get_if<Symbol>(scalar);
      if (symbol == nullptr || symbol->kind != Symbol::Kind::function) return {};
      called = definition(module, symbol->name);
    } else if (const auto* const arguments = std::get_if<Arguments>(&operand.value)) {
      if (called == nullptr) continue;  // these are the results
      const std::set<std::size_t> mentioned = mentioned_parameters(*called);
      for (std::size_t k = 0; k < arguments->elements.size(); ++k) {
        const auto* const argument = std::get_if<Symbol>(&arguments->elements[k]);
        if (argument == nullptr || argument->kind != Symbol::Kind::local) continue;
        (mentioned.count(k) == 0 ? found : read).insert(argument->index);
      }
    }
  }
  for (const std::size_t variable : read) found.erase(variable);
  return found;
}

bool is_store_to_parameter(const Instruction& i) { return i.base == "st" && i.has("param"); }

}  // namespace

std::set<std::size_t> unread_arguments(const Function& function, const Module& module) {
  std::set<std::size_t> unread;
  std::set<std::size_t> others;
  for (const Statement& statement : function.body) {
    const auto* const i = std::get_if<Instruction>(&statement);
    if (i == nullptr) continue;
    std::set<std::size_t> passed;
    if (i->base == "call") passed = unread_by(*i, module);
    unread.insert(passed.begin(), passed.end());
    for (std::size_t k = is_store_to_parameter(*i) ? 1 : 0; k < i->operands.size(); ++k) {
      each<Symbol>(i->operands[k], [&](const Symbol& symbol) {
        const bool is_other = symbol.kind == Symbol::Kind::local && !passed.contains(symbol.index);
        if (is_other) others.insert(symbol.index);
      });
    }
  }
  for (const std::size_t variable : others) unread.erase(variable);
  return unread;
}

}  // namespace bankproof::ptx
