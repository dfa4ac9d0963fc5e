// See matrices.hpp.
#include "matrices.hpp"

#include <stdexcept>

namespace bankproof::ptx::reference {

namespace {

// The registers of lane l for each operand after the first.
using Brought = std::vector<std::vector<std::vector<std::uint64_t>>>;

// Element (row, column) of an 8 × 8 matrix of 16-bit elements; each lane holds two.
std::uint64_t pair_element(const Brought& brought, std::uint32_t row, std::uint32_t column) {
  return brought[4 * row + column / 2][0][0] >> (16 * (column % 2)) & 0xFFFFU;
}

// The four lanes from lane 4 · `group` on hold 16 bytes. Returns byte `number` of these bytes.
std::int64_t signed_byte(const Brought& brought, std::size_t operand, std::uint32_t group,
                         std::uint32_t number) {
  const std::uint64_t word = brought[4 * group + number / 4][operand][0];
  return static_cast<std::int8_t>(word >> (8 * (number % 4)) & 0xFFU);
}

}  // namespace

bool is_of_whole_warp(const Instruction& instruction) {
  return instruction.base == "mma" || instruction.base == "movmatrix";
}

void multiply_together(const std::vector<Thread*>& warp, const std::vector<std::uint32_t>& lanes,
                       Result& result) {
  const Instruction& i = warp[lanes.front()]->waits_at();
  result.inactive_lane = result.inactive_lane || lanes.size() != 32;
  Brought brought(32, {{0, 0}, {0, 0}, {0, 0}});
  for (const std::uint32_t lane : lanes) {
    result.inactive_lane = result.inactive_lane || &warp[lane]->waits_at() != &i;
    for (std::size_t operand = 1; operand < i.operands.size(); ++operand) {
      brought[lane][operand - 1] = warp[lane]->values(operand);
    }
  }
  const std::string opcode = i.opcode();
  if (opcode == "movmatrix.sync.aligned.m8n8.trans.b16") {
    for (const std::uint32_t lane : lanes) {
      const std::uint32_t column = lane / 4;
      const std::uint32_t row = lane % 4 * 2;
      warp[lane]->go_on_with(
          {pair_element(brought, row, column) | pair_element(brought, row + 1, column) << 16U});
    }
  } else if (opcode == "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32") {
    for (const std::uint32_t lane : lanes) {
      std::vector<std::uint64_t> sums = brought[lane][2];
      for (std::uint32_t k = 0; k < 16; ++k) {
        for (std::uint32_t e = 0; e < 2; ++e) {
          sums[e] += static_cast<std::uint64_t>(signed_byte(brought, 0, lane / 4, k) *
                                                signed_byte(brought, 1, lane % 4 * 2 + e, k));
        }
      }
      warp[lane]->go_on_with(sums);
    }
  } else {
    throw std::invalid_argument("the reference does not know " + opcode);
  }
}

}  // namespace bankproof::ptx::reference
