// Barriers of a block (PTX ISA, "bar, barrier").
#pragma once

#include <cstdint>

#include "../isa/op.hpp"
#include "../memory/barriers.hpp"
#include "warp.hpp"

namespace bankproof::ptx {

inline constexpr std::uint32_t barriers_of_block = 16;

struct BarrierOperands {
  enum class Kind : std::uint8_t { sync, arrive, count, all, any };
  Kind kind = Kind::sync;
  bool aligned = true;  // all lanes of a warp must come together
  Slot id = no_slot;
  bool constant_id = false;  // so that all threads name the same barrier
  Slot threads = no_slot;    // no_slot: all threads of the block
  Slot predicate = no_slot;
};

extern const StepWith<BarrierOperands> barrier_step;

/// The operands of `op`, whose step must be barrier_step.
inline const BarrierOperands& barrier_of(const Op* op) { return op->operands(barrier_step); }

/// The arrivals at a barrier since its last completion.
struct BarrierPhase {
  const Op* first = nullptr;        // where the first thread waits; null: no thread
  std::uint32_t threads = 0;        // to wait for; 0: all threads of the block
  std::uint32_t early_threads = 0;  // threads that came by bar.arrive
  EarlyArrivals early;
};

/// The lanes of the warp that wait at an aligned barrier; no lanes if the warp can run or has
/// ended.
LaneMask lanes_at_aligned_barrier(const Warp& warp);

}  // namespace bankproof::ptx
