// Steps of instructions on matrices: from the lanes' registers to fragments and rows, and back.
//
// All 32 lanes of the warp must execute the same instruction (.aligned). If some lanes do not
// execute it, or execute another copy of the instruction, the step reports a fault. Registers of
// missing lanes count as zeros.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "../matrix/fragments.hpp"
#include "../memory/access.hpp"
#include "collective.hpp"

namespace bankproof::ptx {

struct MatrixOperands {
  /// Exactly one of these three is set.
  const MultiplyForm* multiply = nullptr;
  const ExchangeForm* exchange = nullptr;
  const TileForm* tile = nullptr;
  LaneType lane = LaneType::b32;       // the type of the registers: b64 for f64
  std::vector<Slot> d;                 // results
  std::array<std::vector<Slot>, 3> s;  // a, b, c; a store or move has its source in s[0]
  MemoryOperands memory;               // for an access to memory; has no `values`
  Slot stride = no_slot;               // only for `tile`; no_slot: the program gives none
};

/// Executes the instruction for all lanes that take part; each lane is in one of the parts.
void execute_matrix(Warp& warp, std::span<const Part> parts);

// ---- For the lanes of one part

/// Reads the registers of source `number`.
void gather_source(const Part& part, std::size_t number, Fragment& to);
/// Writes the registers of the results.
void scatter_results(const Part& part, const Fragment& from);
/// The address that the lane brings.
std::uint64_t address_in_lane(const Part& part, std::uint32_t lane);

}  // namespace bankproof::ptx
