// Puts variables on the stack into registers; see stack.hpp.
#include "stack.hpp"

#include <utility>
#include <variant>
#include <vector>

#include "operands.hpp"
#include "slots.hpp"
#include "stack_addresses.hpp"

namespace bankproof::symbolic {

namespace {

/// The variable of which nothing is known from here on: call.external variable (inlining.cpp).
std::optional<std::size_t> begins(const ptx::Instruction& i) {
  if (i.base != "call" || !i.has(external_modifier) || i.operands.empty()) return std::nullopt;
  const auto* const scalar = std::get_if<ptx::Scalar>(&i.operands[0].value);
  const auto* const symbol = scalar == nullptr ? nullptr : std::get_if<ptx::Symbol>(scalar);
  return symbol == nullptr ? std::nullopt : std::optional(symbol->index);
}

}  // namespace

std::optional<ptx::Module> with_stack_in_registers(const ptx::Module& module,
                                                   std::size_t function) {
  const ptx::Function& kernel = module.functions.at(function);
  const StackAddresses addresses(kernel);
  if (addresses.variables().empty()) return std::nullopt;
  ptx::Module made = module;
  ptx::Function& out = made.functions[function];
  out.body.clear();
  Slots slots(out);
  const auto each_instruction = [&](const auto& f) {
    for (const ptx::Statement& statement : kernel.body) {
      if (const auto* const i = std::get_if<ptx::Instruction>(&statement)) f(*i);
    }
  };
  // A loop may store further below what it loads above.
  each_instruction([&](const ptx::Instruction& i) {
    if (const auto place = addresses.place(i)) {
      for (const Slots::Part& part : Slots::parts(i, place->variable, place->byte)) {
        slots.expect(part, i.base == "st");
      }
    }
  });
  std::vector<std::size_t> at;
  for (const ptx::Statement& statement : kernel.body) {
    at.push_back(out.body.size());
    const auto* const i = std::get_if<ptx::Instruction>(&statement);
    std::vector<ptx::Instruction> instead;
    const auto place = i == nullptr ? std::nullopt : addresses.place(*i);
    const auto variable = i == nullptr ? std::nullopt : begins(*i);
    if (place) {
      instead = slots.moves(*i, place->variable, place->byte);
    } else if (variable) {
      instead = slots.forgotten(*i, *variable);
    } else {
      out.body.push_back(statement);
    }
    for (ptx::Instruction& one : instead) out.body.emplace_back(std::move(one));
  }
  at.push_back(out.body.size());
  for (ptx::Statement& statement : out.body) move_names(statement, at);
  return made;
}

}  // namespace bankproof::symbolic
