// Follows addresses on the stack; see stack_addresses.hpp.
#include "stack_addresses.hpp"

#include <algorithm>
#include <variant>

#include "../../ptx/syntax/layout.hpp"
#include "operands.hpp"

namespace bankproof::symbolic {

StackAddresses::StackAddresses(const ptx::Function& function)
    : function_(function), registers_(function), values_(registers_.count()) {
  for (std::size_t s = 0; s < function.body.size(); ++s) {
    const auto* const variable = std::get_if<ptx::Variable>(&function.body[s]);
    if (variable != nullptr && variable->space == ptx::Space::local) variables_.insert(s);
  }
  if (variables_.empty()) return;
  do {
    changes_ = false;
    for (const ptx::Statement& statement : function.body) {
      if (const auto* const i = std::get_if<ptx::Instruction>(&statement)) look(*i);
    }
  } while (changes_);
}

bool StackAddresses::is_access(const ptx::Instruction& i) {
  return (i.base == "ld" || i.base == "st") && i.operands.size() == 2 &&
         std::holds_alternative<ptx::Address>(i.operands[i.base == "ld" ? 1 : 0].value);
}

std::optional<StackAddresses::Place> StackAddresses::place(const ptx::Instruction& access) const {
  if (!is_access(access)) return std::nullopt;
  const auto place = exact(
      access, address(std::get<ptx::Address>(access.operands[access.base == "ld" ? 1 : 0].value)));
  if (!place || in_memory_.count(place->variable) != 0) return std::nullopt;
  return place;
}

// ---- Values

StackAddresses::Value StackAddresses::anywhere(Value value) {
  for (auto& [variable, byte] : value.bytes) byte.reset();
  return value;
}

StackAddresses::Value StackAddresses::moved(Value value, std::int64_t by) {
  for (auto& [variable, byte] : value.bytes) {
    if (byte) *byte += by;
  }
  return value;
}

/// Bits of an address below the alignment of its variable are those of the byte.
StackAddresses::Value StackAddresses::with_bits(Value value, std::uint64_t bits) const {
  for (auto& [variable, byte] : value.bytes) {
    const auto align = std::get<ptx::Variable>(function_.body[variable]).align.value_or(1);
    if (byte)
      byte = bits < align ? std::optional(*byte | static_cast<std::int64_t>(bits)) : std::nullopt;
  }
  return value;
}

StackAddresses::Value StackAddresses::of(const ptx::Scalar& scalar) const {
  if (const auto* const r = std::get_if<ptx::Register>(&scalar)) {
    return values_[registers_.number(*r)];
  }
  const auto* const symbol = std::get_if<ptx::Symbol>(&scalar);
  if (symbol != nullptr && symbol->kind == ptx::Symbol::Kind::local &&
      variables_.count(symbol->index) != 0) {
    return {{{symbol->index, symbol->offset}}, false, Kind::local};
  }
  return {{}, true};
}

StackAddresses::Value StackAddresses::of(const ptx::Operand& operand) const {
  Value all;
  ptx::Operand copy = operand;
  each_scalar(copy,
              [&](const ptx::Scalar& one) { all = joined(std::move(all), anywhere(of(one))); });
  return all;
}

/// Both; where the bytes of a variable differ, any byte.
StackAddresses::Value StackAddresses::joined(Value a, const Value& b) {
  a.has_others = a.has_others || b.has_others;
  for (const auto& [variable, byte] : b.bytes) {
    const auto [found, is_new] = a.bytes.try_emplace(variable, byte);
    if (!is_new && found->second != byte) found->second.reset();
  }
  if (a.kind == Kind::none) {
    a.kind = b.kind;
  } else if (b.kind != Kind::none && b.kind != a.kind) {
    a.kind = Kind::unknown;
  }
  return a;
}

/// What a move makes of an address: cvta goes between local memory and generic addresses, and half
/// of a generic address is none.
StackAddresses::Value StackAddresses::converted(const ptx::Instruction& i, Value value) {
  if (value.kind == Kind::none) return value;
  if (i.base == "cvta") {
    const bool to = i.has("to");
    const bool fits = i.has("local") && value.kind == (to ? Kind::generic : Kind::local);
    value.kind = !fits ? Kind::unknown : to ? Kind::local : Kind::generic;
  } else if (i.opcode() == "cvt.u32.u64" && value.kind == Kind::generic) {
    value.kind = Kind::unknown;
  }
  return value;
}

StackAddresses::Value StackAddresses::address(const ptx::Address& address) const {
  const auto base =
      std::visit([&](const auto& part) { return of(ptx::Scalar(part)); }, address.base);
  return moved(base, address.offset);
}

std::optional<StackAddresses::Place> StackAddresses::exact(const ptx::Instruction& access,
                                                           const Value& value) const {
  if (value.has_others || value.bytes.size() != 1) return std::nullopt;
  const auto has_space = [&](ptx::Space space) {
    return std::any_of(access.modifiers.begin(), access.modifiers.end(),
                       [&](const auto& one) { return ptx::space_named(one) == space; });
  };
  const bool has_any = std::any_of(access.modifiers.begin(), access.modifiers.end(),
                                   [](const auto& one) { return ptx::space_named(one); });
  const bool is_of_kind = has_space(ptx::Space::local) ? value.kind == Kind::local
                                                       : !has_any && value.kind == Kind::generic;
  const auto& [variable, byte] = *value.bytes.begin();
  if (!byte || !is_of_kind) return std::nullopt;
  return Place{variable, *byte};
}

void StackAddresses::add(Value& to, const Value& more) {
  const Value before = to;
  to = joined(std::move(to), more);
  changes_ = changes_ || !(to == before);
}

void StackAddresses::put(const ptx::Instruction& i, const Value& value) {
  each_register(i, [&](const ptx::Register& r, bool is_written) {
    if (is_written) add(values_[registers_.number(r)], value);
  });
}

void StackAddresses::put(const ptx::Scalar& to, const Value& value) {
  if (const auto* const r = std::get_if<ptx::Register>(&to)) {
    add(values_[registers_.number(*r)], value);
  }
}

void StackAddresses::keep_in_memory(const Value& value) {
  for (const auto& [variable, byte] : value.bytes) {
    changes_ = in_memory_.insert(variable).second || changes_;
    for (const auto& [part, held] : parts_) {
      if (part.variable == variable) add(elsewhere_, anywhere(held));
    }
  }
}

// ---- Instructions

void StackAddresses::look(const ptx::Instruction& i) {
  if (is_access(i)) return look_at_access(i);
  if (i.base == "call" && i.has(external_modifier)) return put(i, {{}, true});
  const bool is_computed = std::none_of(i.operands.begin(), i.operands.end(), [](const auto& one) {
    return std::holds_alternative<ptx::Address>(one.value);
  });
  if (is_computed && i.base != "call") return compute(i);
  // Atomic operations, copies, calls that are not followed.
  Value all;
  for (const ptx::Operand& operand : i.operands) {
    all = joined(std::move(all), of(operand));
  }
  keep_in_memory(all);
  add(elsewhere_, all);
  all = elsewhere_;
  all.has_others = true;
  put(i, all);
}

void StackAddresses::look_at_access(const ptx::Instruction& i) {
  const bool is_load = i.base == "ld";
  const ptx::Operand& outside = i.operands[is_load ? 0 : 1];
  const Value at = address(std::get<ptx::Address>(i.operands[is_load ? 1 : 0].value));
  if (at == Value{}) return;  // nothing is written to the register, or not yet
  std::optional<Place> place = exact(i, at);
  if (place) {
    const auto& variable = std::get<ptx::Variable>(function_.body[place->variable]);
    const auto size = static_cast<std::int64_t>(ptx::bytes_of(variable));
    const std::vector<Slots::Part> parts = Slots::parts(i, place->variable, place->byte);
    const std::int64_t end = parts.back().begin + parts.back().bits / 8;
    const std::int64_t bytes = end - place->byte;
    const auto align =
        static_cast<std::int64_t>(variable.align.value_or(ptx::bytes_of(variable.type)));
    // What lies outside, or may begin where it must not, is a question of `bounds`.
    if (place->byte < 0 || end > size || place->byte % bytes != 0 || align % bytes != 0) {
      place.reset();
    }
  }
  if (!place) keep_in_memory(at);
  const bool is_followed = place && in_memory_.count(place->variable) == 0;
  if (!is_followed) {
    if (is_load) {
      Value loaded = elsewhere_;
      loaded.has_others = true;
      return put(i, loaded);
    }
    return add(elsewhere_, of(outside));
  }
  const std::vector<ptx::Scalar> elements = elements_of(outside);
  const std::vector<Slots::Part> parts = Slots::parts(i, place->variable, place->byte);
  for (std::size_t k = 0; k < elements.size(); ++k) {
    if (!is_load) {
      add(parts_[parts[k]], of(elements[k]));
      continue;
    }
    for (const auto& [other, held] : std::map(parts_)) {
      if (other == parts[k]) {
        put(elements[k], held);
      } else if (other.variable == place->variable &&
                 other.begin < parts[k].begin + parts[k].bits / 8 &&
                 parts[k].begin < other.begin + other.bits / 8) {
        put(elements[k], anywhere(held));
      }
    }
  }
}

void StackAddresses::compute(const ptx::Instruction& i) {
  const auto scalar = [&](std::size_t k) {
    return k < i.operands.size() ? std::get_if<ptx::Scalar>(&i.operands[k].value) : nullptr;
  };
  const bool is_move =
      i.base == "mov" || i.base == "cvta" ||
      (i.base == "cvt" && (i.opcode() == "cvt.u64.u32" || i.opcode() == "cvt.u32.u64"));
  if (is_move && scalar(0) != nullptr && scalar(1) != nullptr) {
    return put(i, converted(i, of(*scalar(1))));
  }
  const bool is_sum = i.base == "add" || i.base == "sub";
  if (is_sum && scalar(1) != nullptr && scalar(2) != nullptr) {
    if (const auto* const number = std::get_if<ptx::Immediate>(scalar(2))) {
      const auto by = static_cast<std::int64_t>(number->bits);
      return put(i, moved(of(*scalar(1)), i.base == "add" ? by : -by));
    }
  }
  if (i.base == "or" && scalar(1) != nullptr && scalar(2) != nullptr) {
    if (const auto* const number = std::get_if<ptx::Immediate>(scalar(2))) {
      return put(i, with_bits(of(*scalar(1)), number->bits));
    }
  }
  Value all;
  for (const ptx::Operand& operand : i.operands) {
    all = joined(std::move(all), of(operand));
  }
  put(i, all);
}

}  // namespace bankproof::symbolic
