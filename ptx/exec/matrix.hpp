// Steps of instructions on matrices: from the lanes' registers to fragments and rows, and back.
//
// All 32 lanes of the warp must execute the same instruction (.aligned). A fault is reported if
// some lanes do not, or if they come to another copy of it. Missing lanes count as zeros.
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
  Slot stride = no_slot;               // for `tile`; no_slot if the program writes no stride
};

/// The parts hold all lanes that take part.
void execute_matrix(Warp& warp, std::span<const Part> parts);

// ---- For the lanes of one part

/// Reads the registers of source `number`.
void gather_source(const Part& part, std::size_t number, Fragment& to);
/// Writes the registers of the results.
void scatter_results(const Part& part, const Fragment& from);
/// The address that the lane brings.
std::uint64_t address_in_lane(const Part& part, std::uint32_t lane);

}  // namespace bankproof::ptx
