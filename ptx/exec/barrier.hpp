// Barriers of a block (PTX ISA, "bar, barrier").
#pragma once

#include <cstdint>

#include "../isa/op.hpp"
#include "warp.hpp"

namespace bankproof::ptx {

inline constexpr std::uint32_t barriers_of_block = 16;

struct BarrierDetail {
  enum class Kind : std::uint8_t { sync, arrive, count, all, any };
  Kind kind = Kind::sync;
  bool aligned = true;  // all lanes of a warp execute it together
  Slot id = no_slot;
  Slot threads = no_slot;  // none: all threads of the block
  Slot predicate = no_slot;
};

inline const BarrierDetail& barrier_of(const Op* op) {
  return *static_cast<const BarrierDetail*>(op->detail);
}

/// A barrier since it was last complete.
struct BarrierPhase {
  const Op* first = nullptr;        // at which the first thread came; null: none did
  std::uint32_t threads = 0;        // for which it waits; 0: all of the block
  std::uint32_t early_threads = 0;  // that came by bar.arrive
  EarlyArrivals early;
};

/// Those of a warp in which no lane can run.
LaneMask lanes_at_aligned_barrier(const Warp& warp);

const Op* barrier_step(WarpState& state, const Op* op);

}  // namespace bankproof::ptx
