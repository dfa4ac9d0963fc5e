// Decodes instructions on matrices: which registers hold the fragments.
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
void FunctionDecoder::multiply_operands(MatrixDetail& detail) {
  const MultiplyForm& form = *detail.multiply;
  const auto& [m, n, k] = form.shape;
  if (at_->operands.size() != 4) unsupported("another number of operands");
  const auto count = [&](ElementType type, std::uint32_t elements) {
    return form.repeats ? most_fragment_registers : fragment_registers(type, elements);
  };
  detail.lane = form.d == ElementType::f64 ? LaneType::b64 : LaneType::b32;
  detail.d = registers(operand(0), fragment_registers(form.d, m * n), detail.lane, true);
  detail.s = {registers(operand(1), count(form.a, m * k), detail.lane, false),
              registers(operand(2), count(form.b, k * n), detail.lane, false),
              registers(operand(3), fragment_registers(form.c, m * n), detail.lane, false)};
}

void FunctionDecoder::matrix_address(const Operand& operand, MatrixDetail& detail) {
  const auto* const address = std::get_if<Address>(&operand.value);
  if (address == nullptr) unsupported("no address");
  detail.memory.address = address_slot(*address, detail.memory.wide_address);
}

// ldmatrix d, [address]; stmatrix [address], s; movmatrix d, s.
void FunctionDecoder::exchange_operands(MatrixDetail& detail) {
  using Kind = ExchangeForm::Kind;
  const ExchangeForm& form = *detail.exchange;
  if (at_->operands.size() != 2) unsupported("another number of operands");
  const bool loads = form.kind == Kind::load;
  if (form.kind != Kind::store) {
    detail.d = registers(operand(0), form.matrices, detail.lane, true);
  }
  if (!loads) detail.s[0] = registers(operand(1), form.matrices, detail.lane, false);
  if (form.kind == Kind::move) return;
  Access& access = detail.memory.access;
  access.operation = loads ? Operation::load : Operation::store;
  access.space = Space::shared;
  access.generic = form.generic;
  access.element_bytes = matrix_row_bytes;
  matrix_address(operand(loads ? 1 : 0), detail);
}

// wmma.load d, [address]{, stride}; wmma.store [address], s{, stride}
void FunctionDecoder::tile_operands(MatrixDetail& detail) {
  const TileForm& form = *detail.tile;
  const std::size_t operands = at_->operands.size();
  if (operands != 2 && operands != 3) unsupported("another number of operands");
  const bool loads = form.matrix != 'd';
  detail.lane = form.type == ElementType::f64 ? LaneType::b64 : LaneType::b32;
  auto moved = registers(operand(loads ? 0 : 1), tile_registers(form), detail.lane, loads);
  (loads ? detail.d : detail.s[0]) = std::move(moved);
  if (operands == 3) detail.stride = source(operand(2), LaneType::b32);
  Access& access = detail.memory.access;
  access.operation = loads ? Operation::load : Operation::store;
  access.space = form.space.value_or(Space::global);
  access.generic = !form.space;
  access.element_bytes = bits_of(form.type) / 8;
  matrix_address(operand(loads ? 1 : 0), detail);
}

bool FunctionDecoder::matrix() {
  const std::string& base = at_->base;
  if (base != "mma" && base != "wmma" && base != "ldmatrix" && base != "stmatrix" &&
      base != "movmatrix") {
    return false;
  }
  MatrixDetail detail;
  detail.multiply = find_multiply_form(opcode_);
  detail.exchange = find_exchange_form(opcode_);
  detail.tile = find_tile_form(opcode_);
  if (detail.multiply != nullptr) {
    multiply_operands(detail);
  } else if (detail.exchange != nullptr) {
    exchange_operands(detail);
  } else if (detail.tile != nullptr) {
    tile_operands(detail);
  } else {
    unsupported(opcode_);
  }
  CollectiveDetail collective;
  collective.kind = CollectiveDetail::Kind::matrix;
  collective.members = slots_.constant(LaneType::b32, all_lanes);
  collective.spelled = opcode_;
  collective.matrix = decoder_.program.keep(std::move(detail));
  Op& op = emit_guarded(collective_step);
  op.detail = decoder_.program.keep(std::move(collective));
  for (const Operand& one : at_->operands) {
    if (const auto* address = std::get_if<Address>(&one.value)) op.immediate = address->offset;
  }
  return true;
}

}  // namespace bankproof::ptx
