// Finds functions whose addresses are taken; see addresses_of_functions.hpp.
#include "addresses_of_functions.hpp"

#include <set>
#include <string>
#include <variant>

#include "operands.hpp"

namespace bankproof::symbolic {

std::vector<std::size_t> functions_with_address(const ptx::Module& module, std::size_t parameters,
                                                std::size_t results) {
  std::set<std::string> taken;
  const auto see = [&](const ptx::Scalar& one) {
    const auto* const symbol = std::get_if<ptx::Symbol>(&one);
    if (symbol != nullptr && symbol->kind == ptx::Symbol::Kind::function)
      taken.insert(symbol->name);
  };
  for (const ptx::Function& function : module.functions) {
    for (const ptx::Statement& statement : function.body) {
      const auto* const i = std::get_if<ptx::Instruction>(&statement);
      if (i == nullptr || i->base == "call") continue;
      for (ptx::Operand operand : i->operands) each_scalar(operand, see);
    }
  }
  for (const ptx::Variable& variable : module.variables) {
    for (const ptx::InitialValue& initial : variable.initial) {
      if (const auto* const symbol = std::get_if<ptx::Symbol>(&initial.value)) see(*symbol);
    }
  }
  std::vector<std::size_t> all;
  for (std::size_t f = 0; f < module.functions.size(); ++f) {
    const ptx::Function& one = module.functions[f];
    if (one.defined && !one.entry && taken.count(one.name) != 0 &&
        one.parameters.size() == parameters && one.results.size() == results) {
      all.push_back(f);
    }
  }
  return all;
}

}  // namespace bankproof::symbolic
