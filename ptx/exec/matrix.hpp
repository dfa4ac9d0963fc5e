// Steps of instructions on matrices: from registers of the lanes to fragments and rows, and back.
//
// All 32 lanes of the warp have to execute the same instruction (.aligned): that some do not, or
// come to another copy of it, is told. Lanes that are not there count as zeros.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "../matrix/fragments.hpp"
#include "../memory/access.hpp"
#include "collective.hpp"

namespace bankproof::ptx {

struct MatrixDetail {
  /// One of the three.
  const MultiplyForm* multiply = nullptr;
  const ExchangeForm* exchange = nullptr;
  const TileForm* tile = nullptr;
  LaneType lane = LaneType::b32;       // of registers: b64 for f64
  std::vector<Slot> d;                 // results
  std::array<std::vector<Slot>, 3> s;  // a, b, c; or in the first what is stored or moved
  MemoryDetail memory;                 // of what accesses memory, without values
  Slot stride = no_slot;               // of `tile`, if there is one
};

/// The parts are all lanes that take part.
void execute_matrix(Warp& warp, std::span<const Part> parts);

// ---- For the lanes of one part

/// The registers of source `number`.
void gather_source(const Part& part, std::size_t number, Fragment& to);
/// The registers of the results.
void scatter_results(const Part& part, const Fragment& from);
/// The address that the lane brings.
std::uint64_t address_in_lane(const Part& part, std::uint32_t lane);

}  // namespace bankproof::ptx
