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
  bool aligned = true;  // all lanes of a warp execute it together
  Slot id = no_slot;
  Slot threads = no_slot;  // no_slot: all threads of the block
  Slot predicate = no_slot;
};

extern const StepWith<BarrierOperands> barrier_step;

/// The operands of an operation that is a barrier.
inline const BarrierOperands& barrier_of(const Op* op) { return op->operands(barrier_step); }

/// The state of a barrier since it was last complete.
struct BarrierPhase {
  const Op* first = nullptr;        // where the first thread waits; null: no thread
  std::uint32_t threads = 0;        // the number the barrier waits for; 0: all threads of the block
  std::uint32_t early_threads = 0;  // threads that came by bar.arrive
  EarlyArrivals early;
};

/// The lanes that wait at an aligned barrier; 0 if the warp can run or has ended.
LaneMask lanes_at_aligned_barrier(const Warp& warp);

}  // namespace bankproof::ptx
