// Decodes instructions on matrices: finds the registers that hold the fragments.
#include <utility>

#include "../matrix/fragments.hpp"
#include "../memory/matrix_rows.hpp"
#include "function_decoder.hpp"
#include "matrix.hpp"
#include "matrix_tiles.hpp"

namespace bankproof::ptx {

std::vector<Slot> FunctionDecoder::registers(const Operand& operand, std::size_t count,
                                             LaneType lane, bool is_result) {
  const std::vector<Scalar> all = elements(operand);
  if (all.size() != count) unsupported("another number of registers");
  std::vector<Slot> slots;
  slots.reserve(count);
  for (const Scalar& one : all) {
    slots.push_back(is_result ? destination(one, lane) : source(one, lane));
  }
  return slots;
}

// mma d, a, b, c
void FunctionDecoder::multiply_operands(MatrixOperands& operands) {
  const MultiplyForm& form = *operands.multiply;
  const auto& [m, n, k] = form.shape;
  if (at_->operands.size() != 4) unsupported("another number of operands");
  const auto count = [&](ElementType type, std::uint32_t elements) {
    return form.repeats ? most_fragment_registers : fragment_registers(type, elements);
  };
  operands.lane = form.d == ElementType::f64 ? LaneType::b64 : LaneType::b32;
  operands.d = registers(operand(0), fragment_registers(form.d, m * n), operands.lane, true);
  operands.s = {registers(operand(1), count(form.a, m * k), operands.lane, false),
                registers(operand(2), count(form.b, k * n), operands.lane, false),
                registers(operand(3), fragment_registers(form.c, m * n), operands.lane, false)};
}

void FunctionDecoder::matrix_address(const Operand& operand, MatrixOperands& operands) {
  const auto* const address = std::get_if<Address>(&operand.value);
  if (address == nullptr) unsupported("no address");
  operands.memory.address = address_slot(*address, operands.memory.wide_address);
}

// ldmatrix d, [address]; stmatrix [address], s; movmatrix d, s.
void FunctionDecoder::exchange_operands(MatrixOperands& operands) {
  using Kind = ExchangeForm::Kind;
  const ExchangeForm& form = *operands.exchange;
  if (at_->operands.size() != 2) unsupported("another number of operands");
  const bool loads = form.kind == Kind::load;
  if (form.kind != Kind::store) {
    operands.d = registers(operand(0), form.matrices, operands.lane, true);
  }
  if (!loads) operands.s[0] = registers(operand(1), form.matrices, operands.lane, false);
  if (form.kind == Kind::move) return;
  Access& access = operands.memory.access;
  access.operation = loads ? Operation::load : Operation::store;
  access.space = Space::shared;
  access.generic = form.generic;
  access.element_bytes = matrix_row_bytes;
  matrix_address(operand(loads ? 1 : 0), operands);
}

// wmma.load d, [address]{, stride}; wmma.store [address], s{, stride}
void FunctionDecoder::tile_operands(MatrixOperands& operands) {
  const TileForm& form = *operands.tile;
  const std::size_t count = at_->operands.size();
  if (count != 2 && count != 3) unsupported("another number of operands");
  const bool loads = form.matrix != 'd';
  operands.lane = form.type == ElementType::f64 ? LaneType::b64 : LaneType::b32;
  auto moved = registers(operand(loads ? 0 : 1), tile_registers(form), operands.lane, loads);
  (loads ? operands.d : operands.s[0]) = std::move(moved);
  if (count == 3) operands.stride = source(operand(2), LaneType::b32);
  Access& access = operands.memory.access;
  access.operation = loads ? Operation::load : Operation::store;
  access.space = form.space.value_or(Space::global);
  access.generic = !form.space;
  access.element_bytes = bits_of(form.type) / 8;
  matrix_address(operand(loads ? 1 : 0), operands);
}

bool FunctionDecoder::matrix() {
  const std::string& base = at_->base;
  if (base != "mma" && base != "wmma" && base != "ldmatrix" && base != "stmatrix" &&
      base != "movmatrix") {
    return false;
  }
  MatrixOperands operands;
  operands.multiply = find_multiply_form(opcode_);
  operands.exchange = find_exchange_form(opcode_);
  operands.tile = find_tile_form(opcode_);
  if (operands.multiply != nullptr) {
    multiply_operands(operands);
  } else if (operands.exchange != nullptr) {
    exchange_operands(operands);
  } else if (operands.tile != nullptr) {
    tile_operands(operands);
  } else {
    unsupported(opcode_);
  }
  CollectiveOperands collective;
  collective.kind = CollectiveOperands::Kind::matrix;
  collective.members = slots_.constant(LaneType::b32, all_lanes);
  collective.spelled = opcode_;
  collective.matrix = decoder_.program.keep(std::move(operands));
  Op& op = emit_guarded(collective_step, std::move(collective));
  for (const Operand& one : at_->operands) {
    if (const auto* address = std::get_if<Address>(&one.value)) op.immediate = address->offset;
  }
  return true;
}

}  // namespace bankproof::ptx
