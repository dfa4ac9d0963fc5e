// Follows addresses of parameters through registers; see parameter_addresses.hpp.
#include "parameter_addresses.hpp"

#include <variant>
#include <vector>

#include "operands.hpp"
#include "registers.hpp"

namespace bankproof::symbolic {

namespace {

/// A register may be computed from itself.
constexpr int most_steps = 64;

class ParameterAddresses {
 public:
  explicit ParameterAddresses(const ptx::Function& kernel)
      : registers_(kernel), definitions_(registers_.count()) {
    for (const ptx::Statement& statement : kernel.body) {
      const auto* const i = std::get_if<ptx::Instruction>(&statement);
      if (i == nullptr) continue;
      each_register(*i, [&](const ptx::Register& r, bool is_written) {
        if (!is_written) return;
        Definition& one = definitions_[registers_.number(r)];
        one = {i, one.count + 1};
      });
    }
  }

  /// The parameter, and the byte of it, that the register has the address of wherever it is read.
  std::optional<ptx::Symbol> in(const ptx::Register& r, int steps = 0) const {
    const Definition& one = definitions_[registers_.number(r)];
    if (one.count != 1 || steps == most_steps) return std::nullopt;
    const ptx::Instruction& i = *one.instruction;
    const auto scalar = [&](std::size_t k) {
      return k < i.operands.size() ? std::get_if<ptx::Scalar>(&i.operands[k].value) : nullptr;
    };
    if (scalar(1) == nullptr) return std::nullopt;
    if (i.base == "mov") return of(*scalar(1), steps + 1);
    if (i.base != "add" || scalar(2) == nullptr) return std::nullopt;
    const auto* const by = std::get_if<ptx::Immediate>(scalar(2));
    std::optional<ptx::Symbol> place = by == nullptr ? std::nullopt : of(*scalar(1), steps + 1);
    if (place) place->offset += static_cast<std::int64_t>(by->bits);
    return place;
  }

 private:
  struct Definition {
    const ptx::Instruction* instruction = nullptr;  // the last one
    int count = 0;
  };

  std::optional<ptx::Symbol> of(const ptx::Scalar& scalar, int steps) const {
    if (const auto* const r = std::get_if<ptx::Register>(&scalar)) return in(*r, steps);
    const auto* const symbol = std::get_if<ptx::Symbol>(&scalar);
    const bool is_parameter = symbol != nullptr && symbol->kind == ptx::Symbol::Kind::parameter;
    return is_parameter ? std::optional(*symbol) : std::nullopt;
  }

  Registers registers_;
  std::vector<Definition> definitions_;
};

ptx::Address* address_in_register(ptx::Statement& statement) {
  auto* const i = std::get_if<ptx::Instruction>(&statement);
  if (i == nullptr || i->base != "ld" || !i->has("param") || i->operands.size() != 2)
    return nullptr;
  auto* const address = std::get_if<ptx::Address>(&i->operands[1].value);
  const bool is_register =
      address != nullptr && std::holds_alternative<ptx::Register>(address->base);
  return is_register ? address : nullptr;
}

}  // namespace

std::optional<ptx::Module> with_parameters_by_name(const ptx::Module& module,
                                                   std::size_t function) {
  const ParameterAddresses addresses(module.functions.at(function));
  std::optional<ptx::Module> made;
  for (std::size_t s = 0; s < module.functions[function].body.size(); ++s) {
    ptx::Statement statement = module.functions[function].body[s];
    ptx::Address* const address = address_in_register(statement);
    if (address == nullptr) continue;
    std::optional<ptx::Symbol> place = addresses.in(std::get<ptx::Register>(address->base));
    if (!place) continue;
    place->offset += address->offset;
    address->base = *place;
    address->offset = 0;
    if (!made) made = module;
    made->functions[function].body[s] = std::move(statement);
  }
  return made;
}

}  // namespace bankproof::symbolic
