// Decodes instructions that have a row in the table of arithmetic, and instructions that only move
// addresses.
#include <algorithm>
#include <utility>

#include "../alu/row.hpp"
#include "../memory/spaces.hpp"
#include "function_decoder.hpp"
#include "system.hpp"

namespace bankproof::ptx {

namespace {

// The state space that the first such modifier of the instruction names.
std::optional<Space> space_of_conversion(const Instruction& i) {
  for (const std::string& modifier : i.modifiers) {
    if (const auto found = space_named(modifier)) return found;
  }
  return std::nullopt;
}

// The opcode that converts a value to the width of another register and keeps the low bits.
std::string widening(LaneType from, LaneType to, bool is_signed) {
  const auto bits = [](LaneType type) { return std::to_string(8 * lane_bytes(type)); };
  const std::string sign = is_signed ? "s" : "u";
  return "cvt." + sign + bits(to) + "." + sign + bits(from);
}

}  // namespace

std::string FunctionDecoder::type_modifier() const {
  if (at_->modifiers.empty()) unsupported(opcode_);
  return at_->modifiers.back();
}

void FunctionDecoder::arithmetic() {
  writes_all_lanes_ = true;
  if (at_->base == "cvta") return convert_address();
  if (at_->base == "isspacep") return test_space();
  const auto is_vector = [](const Operand& o) { return std::holds_alternative<Vector>(o.value); };
  if (at_->base == "mov" && std::any_of(at_->operands.begin(), at_->operands.end(), is_vector)) {
    return vector_move();
  }
  // Assembly in headers of CUDA has .f32.ftz in the place of .ftz.f32.
  if (constexpr std::string_view late = ".f32.ftz"; opcode_.ends_with(late)) {
    opcode_.replace(opcode_.size() - late.size(), late.size(), ".ftz.f32");
  }
  if (decoder_.row(opcode_) == nullptr) unsupported(opcode_);
  // The first operand is the destination, or a pair of two destinations.
  std::vector<Scalar> to;
  if (const auto* pair = std::get_if<Pair>(&operand(0).value)) {
    to = {pair->first, pair->second};
  } else {
    to = {scalar(operand(0))};
  }
  const Row* const row = decoder_.row(opcode_, to.size());
  if (row == nullptr) unsupported("another number of results");
  const std::size_t sources = row->sources.size() - (row->carry_in ? 1U : 0U);
  const std::size_t destinations = row->destinations.size() - (row->carry_out ? 1U : 0U);
  if (destinations != to.size() || sources + 1 != at_->operands.size()) {
    unsupported("another number of operands");
  }
  Op op;
  for (std::size_t k = 0; k < sources; ++k) op.s[k] = source(operand(k + 1), row->sources[k]);
  if (row->carry_in) op.s[sources] = slots_.carry();
  // If the destination register is wider than the result, as for cvt.u32.u16 into a 64-bit
  // register, the result is extended to the register's width.
  struct Wide {
    Slot from;
    LaneType have;
    Slot to;
    LaneType want;
  };
  std::vector<Wide> wide;
  for (std::size_t k = 0; k < destinations; ++k) {
    const auto* r = std::get_if<Register>(&to[k]);
    const LaneType type = row->destinations[k];
    if (r != nullptr && slots_.type(*r) != type && at_->base == "cvt" &&
        lane_bytes(slots_.type(*r)) > lane_bytes(type)) {
      op.d[k] = slots_.scratch(type);
      wide.push_back({op.d[k], type, slots_.written(*r), slots_.type(*r)});
    } else {
      op.d[k] = destination(to[k], type);
    }
  }
  if (row->carry_out) op.d[destinations] = slots_.carry();
  Op& made = emit_guarded(row->step);
  made.s = op.s;
  made.d = op.d;
  for (const Wide& w : wide) {
    const bool is_signed_result = is_signed(at_->modifiers.at(at_->modifiers.size() - 2));
    Op& extend = emit_row(widening(w.have, w.want, is_signed_result));
    extend.s[0] = w.from;
    extend.d[0] = w.to;
  }
}

// mov.b64 {%r1, %r2}, %rd1; and back
void FunctionDecoder::vector_move() {
  const std::uint32_t bits = bits_of(type_modifier());
  const LaneType whole = lane_type_of(type_modifier());
  const auto* to = std::get_if<Vector>(&operand(0).value);
  const auto* from = std::get_if<Vector>(&operand(1).value);
  if ((to != nullptr) == (from != nullptr)) unsupported("this form of vector");
  const std::size_t count = to != nullptr ? to->elements.size() : from->elements.size();
  if (count == 0 || count > 4) unsupported("this form of vector");
  const std::string part = bits_type(bits / count);
  const std::string opcode =
      (to != nullptr ? "unpack.b" : "pack.b") + std::to_string(bits) + "." + part;
  const LaneType type = lane_type_of(part);
  Op op;
  if (to != nullptr) {
    op.s[0] = source(operand(1), whole);
    for (std::size_t k = 0; k < count; ++k) op.d[k] = destination(to->elements[k], type);
  } else {
    for (std::size_t k = 0; k < count; ++k) op.s[k] = source(from->elements[k], type);
    op.d[0] = destination(scalar(operand(0)), whole);
  }
  Op& made = emit_row(opcode, to != nullptr ? count : 1);
  made.s = op.s;
  made.d = op.d;
}

void FunctionDecoder::convert_address() {
  const std::optional<Space> space = space_of_conversion(*at_);
  if (!space || type_modifier() != "u64") unsupported(opcode_);
  const auto window = static_cast<std::int64_t>(window_of(*space));
  const Slot from = source(operand(1), LaneType::b64);
  Op& op = emit_guarded(address_step);
  op.s[0] = from;
  op.d[0] = destination(scalar(operand(0)), LaneType::b64);
  op.immediate = at_->has("to") ? -window : window;
}

void FunctionDecoder::test_space() {
  const std::optional<Space> space = space_of_conversion(*at_);
  if (!space) unsupported(opcode_);
  const Slot from = source(operand(1), LaneType::b64);
  Op& op = emit_guarded(space_step);
  op.s[0] = from;
  op.d[0] = destination(scalar(operand(0)), LaneType::predicate);
  op.immediate = static_cast<std::int64_t>(*space);
}

}  // namespace bankproof::ptx
