// Lanes of a warp come to a barrier. They must name the same barrier and the same number of
// threads, a multiple of 32. Lanes that already wait at this barrier must have named the same
// number (PTX ISA, "barrier").
#include <algorithm>
#include <bit>
#include <string>

#include "barrier.hpp"
#include "block_run.hpp"

namespace bankproof::ptx {

namespace {

using BarrierKind = BarrierOperands::Kind;

bool reduces(BarrierKind kind) { return kind != BarrierKind::sync && kind != BarrierKind::arrive; }

bool is_uniform(const std::uint32_t* values, LaneMask lanes) {
  bool uniform = true;
  const std::uint32_t first = values[std::countr_zero(lanes)];
  each_lane(lanes, [&](std::uint32_t lane) { uniform = uniform && values[lane] == first; });
  return uniform;
}

std::string threads_text(std::uint32_t threads) {
  return threads == 0 ? "all threads" : std::to_string(threads) + " threads";
}

const Op* come_or_arrive(WarpState& state, const Op* op, const BarrierOperands& barrier) {
  Warp& warp = warp_of(state);
  const LaneMask lanes = guarded_lanes(warp, op);
  if (lanes == 0) return op + 1;
  const auto* const ids = warp.lanes<const std::uint32_t>(barrier.id);
  const LaneMask naming = barrier.constant_id ? lanes & (0U - lanes) : lanes;
  for (LaneMask left = naming; left != 0; left &= left - 1) {
    const std::uint32_t id = ids[std::countr_zero(left)];
    if (id < barriers_of_block) continue;
    warp.run->stop(op, warp, left & (0U - left), [&] {
      return "there is no barrier " + std::to_string(id) + ": a block has those from 0 to " +
             std::to_string(barriers_of_block - 1);
    });
    return nullptr;
  }
  const std::uint32_t id = ids[std::countr_zero(lanes)];
  if (barrier.kind != BarrierKind::arrive && lanes != warp.active) {
    const std::array<Path, 2> paths{{{op, lanes}, {op + 1, warp.active & ~lanes}}};
    return diverge(warp, paths, nullptr);
  }
  warp.run->come_to_barrier(warp, op, lanes, id);
  if (barrier.kind == BarrierKind::arrive) {
    warp.run->arrive_at_barrier(warp, op, lanes, id);
    return op + 1;
  }
  warp.run->wait_at_barrier(warp, op, id);
  return run_next(warp);
}

}  // namespace

constinit const StepWith<BarrierOperands> barrier_step = handled_by<come_or_arrive>;

void BlockRun::come_to_barrier(Warp& warp, const Op* op, LaneMask lanes, std::uint32_t id) {
  const BarrierOperands& barrier = barrier_of(op);
  const auto tell = [&](const Op* other, const auto& message) {
    fault(FaultKind::barrier_divergence, op, other, warp, lanes, message);
  };
  if (!barrier.constant_id && !is_uniform(warp.lanes<const std::uint32_t>(barrier.id), lanes)) {
    tell(nullptr, [] { return std::string("threads of a warp name different barriers"); });
  }
  std::uint32_t threads = 0;
  if (barrier.threads != no_slot) {
    const auto* const given = warp.lanes<const std::uint32_t>(barrier.threads);
    threads = given[std::countr_zero(lanes)];
    if (!is_uniform(given, lanes) || threads == 0 || threads % warp_lanes != 0) {
      tell(nullptr, [&] {
        return "a barrier of " + std::to_string(threads) +
               " threads, which has to be a multiple of 32 and the same in all threads of a warp";
      });
    }
    threads = std::max(threads, 1U);  // a 0 given by the program does not mean all threads
  }
  // If the number of threads is that of the block's warps, the barrier also waits for the whole
  // block.
  const auto all = static_cast<std::uint32_t>(warps_.size()) * warp_lanes;
  BarrierPhase& phase = phases_[id];
  if (phase.first == nullptr) {
    phase.first = op;
    phase.threads = threads;
    return;
  }
  const auto or_all = [&](std::uint32_t number) { return number == 0 ? all : number; };
  if (or_all(threads) != or_all(phase.threads)) {
    tell(phase.first, [&] {
      return "reaches barrier " + std::to_string(id) + " for " + threads_text(threads) +
             ", but others wait there for " + threads_text(phase.threads);
    });
  }
  const BarrierKind kind = barrier.kind;
  const BarrierKind first = barrier_of(phase.first).kind;
  if ((reduces(kind) || reduces(first)) && kind != first) {
    tell(phase.first, [&] {
      return "comes to barrier " + std::to_string(id) +
             " by another instruction than others, one "
             "of which is bar.red";
    });
  }
}

void BlockRun::arrive_at_barrier(Warp& warp, const Op* op, LaneMask lanes, std::uint32_t id) {
  BarrierPhase& phase = phases_[id];
  // A warp counts as 32 threads when all its live lanes arrive; lanes that have ended do not
  // matter.
  const bool whole = barrier_of(op).aligned || lanes == warp.live;
  phase.early_threads += whole ? warp_lanes : static_cast<std::uint32_t>(std::popcount(lanes));
  arrive(warp, lanes, phase.early);
  if (phase.threads != 0) complete(id);
}

void BlockRun::wait_at_barrier(Warp& warp, const Op* op, std::uint32_t id) {
  wait_at(warp, op, Waiting::barrier, 0);
  if (phases_[id].threads != 0) complete(id);
}

}  // namespace bankproof::ptx
