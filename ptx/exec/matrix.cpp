// Executes instructions on matrices; see matrix.hpp.
#include "matrix.hpp"

#include <bit>
#include <cstring>
#include <string>

#include "../matrix/multiply.hpp"
#include "../memory/matrix_rows.hpp"
#include "block_run.hpp"
#include "matrix_tiles.hpp"

namespace bankproof::ptx {

namespace {

const MatrixOperands& matrix_of(const Part& part) { return *collective_of(part.op).matrix; }

template <class Lane>
void gather_lanes(const Part& part, const std::vector<Slot>& slots, Fragment& to) {
  for (std::size_t index = 0; index < slots.size(); ++index) {
    const auto* const from = reinterpret_cast<const Lane*>(part.frame + slots[index]);
    each_lane(part.lanes, [&](std::uint32_t lane) { to[index][lane] = from[lane]; });
  }
}

template <class Lane>
void scatter_lanes(const Part& part, const std::vector<Slot>& slots, const Fragment& from) {
  for (std::size_t index = 0; index < slots.size(); ++index) {
    auto* const to = reinterpret_cast<Lane*>(part.frame + slots[index]);
    each_lane(part.lanes,
              [&](std::uint32_t lane) { to[lane] = static_cast<Lane>(from[index][lane]); });
  }
}

void multiply(std::span<const Part> parts) {
  std::array<Fragment, 3> operands{};
  for (const Part& part : parts) {
    for (std::size_t k = 0; k < operands.size(); ++k) gather_source(part, k, operands[k]);
  }
  const MultiplyForm& form = *matrix_of(parts.front()).multiply;
  const Fragment d = multiplied(form, operands[0], operands[1], operands[2]);
  for (const Part& part : parts) scatter_results(part, d);
}

// ---- 8 × 8 matrices. In a register, lane 4 · r + j holds elements 2 · j and 2 · j + 1 of row r
// or, if the matrix is transposed, of column r.

// The byte at which element `e` of the lane, in matrix `number`, begins in the rows of all
// matrices.
std::size_t byte_in_rows(bool transposed, std::uint32_t number, std::uint32_t lane,
                         std::uint32_t e) {
  const std::uint32_t along = lane / 4;
  const std::uint32_t across = 2 * (lane % 4) + e;
  const std::uint32_t row = transposed ? across : along;
  const std::uint32_t column = transposed ? along : across;
  return std::size_t{number * rows_of_matrix + row} * matrix_row_bytes +
         column * sizeof(std::uint16_t);
}

void rows_to_registers(bool transposed, std::uint32_t matrices, const LaneBytes& rows,
                       Fragment& to) {
  for (std::uint32_t number = 0; number < matrices; ++number) {
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
      std::array<std::uint16_t, 2> pair{};
      for (std::uint32_t e = 0; e < 2; ++e) {
        std::memcpy(&pair[e], rows.bytes.data() + byte_in_rows(transposed, number, lane, e),
                    sizeof pair[e]);
      }
      to[number][lane] = pair[0] | std::uint32_t{pair[1]} << 16U;
    }
  }
}

void registers_to_rows(bool transposed, std::uint32_t matrices, const Fragment& from,
                       LaneBytes& rows) {
  for (std::uint32_t number = 0; number < matrices; ++number) {
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
      for (std::uint32_t e = 0; e < 2; ++e) {
        const auto half = static_cast<std::uint16_t>(from[number][lane] >> (16 * e));
        std::memcpy(rows.bytes.data() + byte_in_rows(transposed, number, lane, e), &half,
                    sizeof half);
      }
    }
  }
}

// Only the first lanes give addresses: eight lanes for each matrix.
LaneMask gather_row_addresses(std::span<const Part> parts, std::uint32_t matrices,
                              LaneAddresses& addresses) {
  const auto giving = static_cast<LaneMask>((std::uint64_t{1} << (matrices * rows_of_matrix)) - 1);
  LaneMask given = 0;
  for (const Part& part : parts) {
    each_lane(part.lanes & giving,
              [&](std::uint32_t lane) { addresses[lane] = address_in_lane(part, lane); });
    given |= part.lanes & giving;
  }
  return given;
}

void exchange(Warp& warp, std::span<const Part> parts) {
  const MatrixOperands& operands = matrix_of(parts.front());
  const ExchangeForm& form = *operands.exchange;
  LaneBytes rows;
  Fragment registers{};
  if (form.kind != ExchangeForm::Kind::load) {
    for (const Part& part : parts) {
      gather_source(part, 0, registers);
    }
    const bool transposed = form.transposed && form.kind == ExchangeForm::Kind::store;
    registers_to_rows(transposed, form.matrices, registers, rows);
  }
  if (form.kind != ExchangeForm::Kind::move) {
    LaneAddresses addresses{};
    const LaneMask lanes = gather_row_addresses(parts, form.matrices, addresses);
    access_matrix_rows(warp, operands.memory, parts.front().op->site, addresses, lanes, rows);
  }
  if (form.kind != ExchangeForm::Kind::store) {
    rows_to_registers(form.transposed, form.matrices, rows, registers);
    for (const Part& part : parts) {
      scatter_results(part, registers);
    }
  }
}

void check_alignment(Warp& warp, std::span<const Part> parts) {
  LaneMask lanes = 0;
  for (const Part& part : parts) {
    lanes |= part.lanes;
    if (part.op->site == parts.front().op->site) continue;
    warp.run->fault(FaultKind::inactive_lane, parts.front().op, part.op, warp, part.lanes, [&] {
      return "lanes of one warp execute different .aligned instructions; all lanes must execute "
             "the same one";
    });
  }
  if (lanes == all_lanes) return;
  warp.run->fault(FaultKind::inactive_lane, parts.front().op, nullptr, warp, lanes, [&] {
    return "an instruction of the whole warp, in which " + std::to_string(std::popcount(~lanes)) +
           " lanes do not take part";
  });
}

}  // namespace

void gather_source(const Part& part, std::size_t number, Fragment& to) {
  const MatrixOperands& operands = matrix_of(part);
  if (operands.lane == LaneType::b64) {
    gather_lanes<std::uint64_t>(part, operands.s[number], to);
  } else {
    gather_lanes<std::uint32_t>(part, operands.s[number], to);
  }
}

void scatter_results(const Part& part, const Fragment& from) {
  const MatrixOperands& operands = matrix_of(part);
  if (operands.lane == LaneType::b64) {
    scatter_lanes<std::uint64_t>(part, operands.d, from);
  } else {
    scatter_lanes<std::uint32_t>(part, operands.d, from);
  }
}

std::uint64_t address_in_lane(const Part& part, std::uint32_t lane) {
  const MemoryOperands& operands = matrix_of(part).memory;
  const auto offset = static_cast<std::uint64_t>(part.op->immediate);
  const std::byte* const from = part.frame + operands.address;
  if (operands.wide_address) return reinterpret_cast<const std::uint64_t*>(from)[lane] + offset;
  return reinterpret_cast<const std::uint32_t*>(from)[lane] + static_cast<std::uint32_t>(offset);
}

void execute_matrix(Warp& warp, std::span<const Part> parts) {
  check_alignment(warp, parts);
  const MatrixOperands& operands = matrix_of(parts.front());
  if (operands.exchange != nullptr) {
    exchange(warp, parts);
  } else if (operands.tile != nullptr) {
    execute_tile(warp, parts);
  } else {
    multiply(parts);
  }
}

}  // namespace bankproof::ptx
