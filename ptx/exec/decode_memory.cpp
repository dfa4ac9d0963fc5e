// Decodes accesses: finds the slots that hold addresses and values. Parameters of calls lie in
// frames; the launch puts the kernel's own parameters into slots before the kernel begins.
#include <algorithm>
#include <array>

#include "../alu/row.hpp"
#include "../memory/access.hpp"
#include "function_decoder.hpp"
#include "system.hpp"
#include "warp.hpp"

namespace bankproof::ptx {

namespace {

constexpr std::array<std::string_view, 4> without_effect{"griddepcontrol", "setmaxnreg", "pmevent",
                                                         "mbarrier.inval"};

/// The number of operands that are results, and the number of operands that the access stores or
/// combines. Each element of a vector counts as one operand.
struct ValueCounts {
  std::size_t results = 0;
  std::size_t sources = 0;
};
ValueCounts values_of(const Access& access) {
  const std::size_t operands =
      std::size_t{access.vector} * (access.atomic == AtomicOperation::compare_and_swap ? 2U : 1U);
  switch (access.operation) {
    case Operation::load:
      return {access.vector, 0};
    case Operation::store:
      return {0, access.vector};
    case Operation::atomic:
      return {access.vector, operands};
    case Operation::reduction:
      return {0, operands};
    case Operation::prefetch:
    case Operation::copy:
      break;
  }
  return {};
}

}  // namespace

bool FunctionDecoder::memory() {
  const bool nothing =
      std::any_of(without_effect.begin(), without_effect.end(), [&](std::string_view opcode) {
        return opcode_ == opcode || opcode_.starts_with(std::string(opcode) + ".");
      });
  if (nothing) return true;
  if (at_->base == "fence" || at_->base == "membar") {
    fence();
    return true;
  }
  if (at_->base == "nanosleep") {
    const Slot time = source(operand(0), LaneType::b32);
    emit_guarded(sleep_step).s[0] = time;
    return true;
  }
  if (mbarrier() || group_of_copies()) return true;
  if (!is_access(*at_)) return false;
  const bool is_load = at_->base == "ld";
  if (is_load || at_->base == "st") {
    const auto* address = std::get_if<Address>(&operand(is_load ? 1 : 0).value);
    const auto* symbol = address == nullptr ? nullptr : std::get_if<Symbol>(&address->base);
    if (symbol != nullptr) {
      if (const ParamArea* place = area(*symbol)) {
        area_access(*place, symbol->offset + address->offset);
        return true;
      }
      if (is_load && symbol->kind == Symbol::Kind::parameter) {
        Symbol at = *symbol;
        at.offset += address->offset;
        parameter_load(at);
        return true;
      }
    }
  }
  memory_access();
  return true;
}

void FunctionDecoder::parameter_load(const Symbol& symbol) {
  writes_all_lanes_ = true;
  const Type type = type_modifier();
  const std::uint32_t bytes = bits_of(type) / 8;
  std::uint64_t at = parameter_offset(symbol.index) + static_cast<std::uint64_t>(symbol.offset);
  for (const Scalar& to : elements(operand(0))) {
    if (symbol.offset < 0 || at + bytes > decoder_.program.parameter_bytes || bytes > 8) {
      unsupported("a load behind the parameters");
    }
    if (const auto* r = std::get_if<Register>(&to)) {
      const LaneType lane = slots_.type(*r);
      const Slot from = slots_.parameter(lane, at, bytes, is_signed(type));
      Op& op = emit_row("mov.b" + std::to_string(8 * lane_bytes(lane)));
      op.s[0] = from;
      op.d[0] = slots_.written(*r);
    }
    at += bytes;
  }
}

void FunctionDecoder::area_access(const ParamArea& place, std::int64_t offset) {
  const Type type = type_modifier();
  const bool is_load = at_->base == "ld";
  writes_all_lanes_ = is_load;
  AreaOperands operands{.area = place.slot, .area_bytes = place.bytes};
  operands.bytes = bits_of(type) / 8;
  operands.sign_extended = is_signed(type);
  for (const Scalar& value : elements(operand(is_load ? 0 : 1))) {
    if (offset < 0 || static_cast<std::uint64_t>(offset) + operands.bytes > place.bytes) {
      unsupported("an access behind a parameter");
    }
    operands.offset = static_cast<std::uint32_t>(offset);
    const auto* r = std::get_if<Register>(&value);
    operands.type = r != nullptr ? slots_.type(*r) : lane_type_of(type);
    const bool is_sink = std::holds_alternative<Sink>(value);
    operands.value = is_load ? destination(value, operands.type)
                             : (is_sink ? no_slot : source(value, operands.type));
    if (operands.value != no_slot) {
      emit_guarded(is_load ? load_area_step : store_area_step, operands);
    }
    offset += operands.bytes;
  }
}

// The slot of the address without the offset. Sets `wide` to whether the slot has 64 bits.
Slot FunctionDecoder::address_slot(const Address& address, bool& wide) {
  wide = true;
  if (const auto* r = std::get_if<Register>(&address.base)) {
    wide = slots_.type(*r) == LaneType::b64;
    if (!wide && slots_.type(*r) != LaneType::b32) {
      unsupported("an address in a register of this size");
    }
    return slots_.of(*r);
  }
  if (const auto* symbol = std::get_if<Symbol>(&address.base)) return symbol_address(*symbol);
  return slots_.constant(LaneType::b64, std::get<Immediate>(address.base).bits);
}

void FunctionDecoder::memory_access() {
  Program& program = decoder_.program;
  MemoryOperands operands;
  operands.access = access_of(*at_, file_of(decoder_.module, function_));
  // A device function's parameter whose address was taken lies in local memory.
  if (!function_.entry && operands.access.space == Space::param) {
    operands.access.space = Space::local;
  }
  program.precise = program.precise || needs_exact_clocks(*at_);
  const Access& access = operands.access;
  // A lane whose address is out of bounds loads zeros.
  writes_all_lanes_ = access.operation == Operation::load;
  const bool other_blocks_see = access.generic || access.space == Space::global;
  const bool orders = access.operation == Operation::atomic ||
                      access.operation == Operation::reduction ||
                      access.semantics != Semantics::weak;
  program.communicates = program.communicates || (other_blocks_see && orders);

  // Separates the operands into addresses and values, and keeps the order of each.
  std::vector<Slot> addresses;
  std::vector<std::int64_t> offsets;
  std::vector<Scalar> values;
  for (const Operand& o : at_->operands) {
    const auto* address = std::get_if<Address>(&o.value);
    if (address == nullptr) {
      for (const Scalar& value : elements(o)) values.push_back(value);
      continue;
    }
    // The first address of a copy is its destination, in shared memory, and may have 32 bits.
    bool wide = true;
    addresses.push_back(address_slot(*address, wide));
    if (addresses.size() == 1) operands.wide_address = wide;
    if (addresses.size() == 2 && !wide) unsupported("a source with an address of 32 bits");
    offsets.push_back(address->offset);
  }
  if (addresses.size() != (access.operation == Operation::copy ? 2U : 1U)) {
    unsupported("another number of addresses");
  }
  operands.address = addresses.front();
  if (access.operation == Operation::copy) {
    program.copies = true;
    operands.source = addresses[1];
    operands.source_offset = offsets[1];
    // The first value is the size of the copy, which access_of() has read. The second value, if
    // there is one, is the number of bytes that are read from the source.
    if (values.size() > 1) operands.source_bytes = source(values[1], LaneType::b32);
    values.clear();
  }
  operands.type = lane_type_of(bits_type(std::max(8 * access.element_bytes, 16U)));
  for (const Scalar& value : values) {
    if (const auto* r = std::get_if<Register>(&value)) operands.type = slots_.type(*r);
  }
  if (operands.type == LaneType::predicate || lane_bytes(operands.type) < access.element_bytes) {
    unsupported("a register that is too small");
  }
  const ValueCounts counts = values_of(access);
  if (values.size() != counts.results + counts.sources) unsupported("another number of values");
  for (const Scalar& value : values) {
    const bool is_result = operands.values.size() < counts.results;
    if (is_result && std::holds_alternative<Sink>(value)) {
      operands.values.push_back(no_slot);
    } else {
      operands.values.push_back(is_result ? destination(value, operands.type)
                                          : source(value, operands.type));
    }
  }
  if (access.operation == Operation::load) {
    if (!used_bits_) {
      used_bits_.emplace(function_, unread_arguments(function_, decoder_.module));
      overwritten_loads_ = overwritten_loads(function_, flow_);
    }
    operands.unused = overwritten_loads_->contains(at_);
    operands.unused_bytes = used_bits_->unused_bytes(*at_, access.element_bytes);
    if (const auto unused = selected_loads_->of(*at_)) {
      operands.unused_if = slots_.of(unused->predicate);
      operands.unused_value = unused->value;
    }
  }
  if (orders) emit(yield_step);
  choose_short_ways(operands, decoder_.level);
  const StepWith<MemoryOperands> step = step_of(access);
  emit_guarded(step, std::move(operands)).immediate = offsets.front();
}

bool FunctionDecoder::group_of_copies() {
  if (opcode_ == "cp.async.commit_group") {
    emit_guarded(commit_copies_step);
  } else if (opcode_ == "cp.async.wait_all") {
    emit_guarded(wait_for_all_copies_step);
  } else if (opcode_ == "cp.async.wait_group") {
    const auto* scalar = std::get_if<Scalar>(&operand(0).value);
    const auto* groups = scalar == nullptr ? nullptr : std::get_if<Immediate>(scalar);
    if (groups == nullptr) unsupported("a number of groups that is not constant");
    emit_guarded(wait_for_copies_step).immediate = static_cast<std::int64_t>(groups->bits);
  } else {
    return false;
  }
  return true;
}

void FunctionDecoder::fence() {
  Program& program = decoder_.program;
  // A fence without a modifier for its semantics is fence.sc, and membar is fence.sc (PTX ISA,
  // "membar, fence").
  FenceOperands operands{.sequential = true};
  for (const std::string& modifier : at_->modifiers) {
    if (modifier == "cta" || modifier == "cluster") operands.scope = Scope::block;
    if (modifier == "acq_rel" || modifier == "acquire" || modifier == "release") {
      operands.sequential = false;
    }
    const bool known = modifier == "cta" || modifier == "cluster" || modifier == "gpu" ||
                       modifier == "sys" || modifier == "gl" || modifier == "sc" ||
                       modifier == "acq_rel" || modifier == "acquire" || modifier == "release";
    if (!known) unsupported(opcode_);
  }
  program.precise = program.precise || needs_exact_clocks(*at_);
  program.communicates = program.communicates || operands.scope == Scope::device;
  emit_guarded(fence_step, operands);
}

}  // namespace bankproof::ptx
