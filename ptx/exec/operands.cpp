// Turns operands into slots.
#include <algorithm>
#include <cstring>

#include "../alu/row.hpp"
#include "function_decoder.hpp"
#include "limits.hpp"
#include "system.hpp"

namespace bankproof::ptx {

const Operand& FunctionDecoder::operand(std::size_t index) const {
  if (index >= at_->operands.size()) unsupported("an operand is missing");
  return at_->operands[index];
}

std::vector<Scalar> FunctionDecoder::elements(const Operand& operand) {
  if (const auto* vector = std::get_if<Vector>(&operand.value)) return vector->elements;
  if (const auto* scalar = std::get_if<Scalar>(&operand.value)) return {*scalar};
  return {};
}

const Scalar& FunctionDecoder::scalar(const Operand& operand) const {
  const auto* found = std::get_if<Scalar>(&operand.value);
  if (found == nullptr) unsupported("this form of operand");
  return *found;
}

// Converts only to narrower lanes: in PTX, a register that is too narrow for an instruction is an
// error.
Slot FunctionDecoder::converted(Slot from, LaneType have, LaneType want) {
  if (have == want) return from;
  const char* opcode = nullptr;
  if (have == LaneType::b32 && want == LaneType::b16) opcode = "cvt.u16.u32";
  if (have == LaneType::b64 && want == LaneType::b16) opcode = "cvt.u16.u64";
  if (have == LaneType::b64 && want == LaneType::b32) opcode = "cvt.u32.u64";
  if (opcode == nullptr) unsupported("a register of another size");
  return computed(opcode, want, {from});
}

Slot FunctionDecoder::immediate(const Immediate& value, LaneType type) {
  if (value.kind == Immediate::Kind::f32 && type == LaneType::b64) {
    float narrow = 0;
    std::memcpy(&narrow, &value.bits, sizeof narrow);
    const double wide = narrow;
    std::uint64_t bits = 0;
    std::memcpy(&bits, &wide, sizeof bits);
    return slots_.constant(type, bits);
  }
  if (value.kind == Immediate::Kind::f64 && type == LaneType::b32) {
    double wide = 0;
    std::memcpy(&wide, &value.bits, sizeof wide);
    const auto narrow = static_cast<float>(wide);
    std::uint64_t bits = 0;
    std::memcpy(&bits, &narrow, sizeof narrow);
    return slots_.constant(type, bits);
  }
  return slots_.constant(type, value.bits);
}

// %envreg1 is the upper half of the address of the grid's workspace, %envreg2 the lower half;
// cooperative groups read both. PTX leaves the meaning of all %envreg registers to the driver.
Slot FunctionDecoder::grid_workspace(bool upper) {
  const Slot address = slots_.global(decoder_.variables.grid_workspace(), 0);
  if (!upper) return converted(address, LaneType::b64, LaneType::b32);
  const Slot half = slots_.constant(LaneType::b32, 32);
  return converted(computed("shr.u64", LaneType::b64, {address, half}), LaneType::b64,
                   LaneType::b32);
}

Slot FunctionDecoder::special(const std::string& name, LaneType type) {
  if (name == "%envreg1" || name == "%envreg2") {
    return converted(grid_workspace(name == "%envreg1"), LaneType::b32, type);
  }
  if (name == "%reserved_smem_offset_1") {
    const std::uint64_t offset = decoder_.variables.reserved_shared();
    return converted(slots_.constant(LaneType::b32, offset), LaneType::b32, type);
  }
  const std::optional<SpecialValue> value = special_value(name);
  if (!value) unsupported(name);
  if (value->kind == SpecialKind::clock || value->kind == SpecialKind::launch) {
    decoder_.program.differs_by_launch = true;
  }
  if (value->kind != SpecialKind::clock) {
    return converted(slots_.special(*value), value->type, type);
  }
  const Slot to = slots_.scratch(value->type);
  Op& op = emit(value->type == LaneType::b64 ? clock64_step : clock_step);
  op.d[0] = to;
  op.immediate = static_cast<std::int64_t>(value->number);
  return converted(to, value->type, type);
}

Slot FunctionDecoder::source(const Scalar& scalar, LaneType type) {
  if (const auto* r = std::get_if<Register>(&scalar)) {
    return converted(slots_.of(*r), slots_.type(*r), type);
  }
  if (const auto* value = std::get_if<Immediate>(&scalar)) return immediate(*value, type);
  if (const auto* name = std::get_if<Special>(&scalar)) return special(name->name, type);
  if (const auto* symbol = std::get_if<Symbol>(&scalar)) {
    return converted(symbol_address(*symbol), LaneType::b64, type);
  }
  unsupported("this form of operand");
}

Slot FunctionDecoder::source(const Operand& operand, LaneType type) {
  if (const auto* not_p = std::get_if<Negated>(&operand.value)) {
    return negated(slots_.of(not_p->predicate));
  }
  return source(scalar(operand), type);
}

Slot FunctionDecoder::negated(Slot predicate) {
  return computed("not.pred", LaneType::predicate, {predicate});
}

// The slot of a register, which must be as wide as the result; for `_`, a scratch slot.
Slot FunctionDecoder::destination(const Scalar& scalar, LaneType type) {
  if (std::holds_alternative<Sink>(scalar)) return slots_.scratch(type);
  const auto* r = std::get_if<Register>(&scalar);
  if (r == nullptr) unsupported("this form of result");
  if (slots_.type(*r) != type) unsupported("a register of another size");
  return slots_.written(*r);
}

std::uint64_t FunctionDecoder::parameter_offset(std::size_t index) const {
  return decoder_.program.parameters[index].offset;
}

const ParamArea* FunctionDecoder::area(const Symbol& symbol) {
  switch (symbol.kind) {
    case Symbol::Kind::parameter:
      return function_.entry ? nullptr : &code_.parameters[symbol.index];
    case Symbol::Kind::result:
      return &code_.results[symbol.index];
    case Symbol::Kind::local: {
      const auto& variable = std::get<Variable>(function_.body[symbol.index]);
      if (variable.space != Space::param) return nullptr;
      const auto [found, is_new] = areas_.try_emplace(symbol.index);
      if (is_new) found->second = slots_.area(std::max<std::uint64_t>(1, bytes_of(variable)));
      return &found->second;
    }
    case Symbol::Kind::variable:
    case Symbol::Kind::function:
      break;
  }
  return nullptr;
}

Slot FunctionDecoder::symbol_address(const Symbol& symbol) {
  const auto offset = static_cast<std::uint64_t>(symbol.offset);
  const auto of_variable = [&](const Variable& variable) {
    const VariableAddress address = decoder_.variables.address(variable);
    if (address.space == Space::global) return slots_.global(address.global, symbol.offset);
    if (!address.dynamic) return slots_.constant(LaneType::b64, address.offset + offset);
    const Slot slot = slots_.scratch(LaneType::b64);
    code_.constants.push_back({slot, LaneType::b64, offset});
    decoder_.dynamic.push_back({&code_, code_.constants.size() - 1});
    return slot;
  };
  switch (symbol.kind) {
    case Symbol::Kind::variable:
      return of_variable(decoder_.module.variables[symbol.index]);
    case Symbol::Kind::function:
      return slots_.constant(LaneType::b64, decoder_.address_of(symbol));
    case Symbol::Kind::parameter:
      if (function_.entry) {
        return slots_.constant(LaneType::b64, parameter_offset(symbol.index) + offset);
      }
      if (const auto copy = parameter_copies_.find(symbol.index); copy != parameter_copies_.end()) {
        return slots_.local(static_cast<std::int64_t>(copy->second + offset));
      }
      break;
    case Symbol::Kind::local: {
      const auto& variable = std::get<Variable>(function_.body[symbol.index]);
      if (variable.space == Space::param) break;
      if (variable.space != Space::local) return of_variable(variable);
      const auto [found, is_new] = local_offsets_.try_emplace(symbol.index, 0);
      if (is_new) {
        const std::uint64_t alignment = alignment_of(variable);
        found->second = (code_.local_bytes + alignment - 1) / alignment * alignment;
        code_.local_bytes = found->second + bytes_of(variable);
        if (code_.local_bytes > most_local_bytes) unsupported("more than 512 KiB of local memory");
      }
      return slots_.local(static_cast<std::int64_t>(found->second + offset));
    }
    case Symbol::Kind::result:
      break;
  }
  unsupported("the address of a parameter of a call, or of a result");
}

}  // namespace bankproof::ptx
