// Decides when a barrier is complete, and what its threads learn there.
//
// A warp is at a barrier when all its live lanes wait there. If only some lanes of a warp wait at
// an aligned barrier and the other lanes cannot come any more, the warp has diverged. The engine
// reports this divergence, and then treats the warp as if all its lanes waited, so that it can
// check the rest of the kernel. A barrier for some threads of the block counts whole warps (PTX
// ISA, "barrier"). It is complete as soon as enough warps are there; a warp that comes later waits
// for the next completion.
#include "barrier.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "block_run.hpp"

namespace bankproof::ptx {

namespace {

std::uint32_t id_at(const Split& leaf) {
  const auto lane = static_cast<std::uint32_t>(std::countr_zero(leaf.lanes));
  return reinterpret_cast<const std::uint32_t*>(leaf.frame->data + barrier_of(leaf.at).id)[lane];
}

bool holds(const Split& leaf, std::uint32_t lane) {
  const BarrierOperands& barrier = barrier_of(leaf.at);
  const auto* const lanes =
      reinterpret_cast<const std::uint32_t*>(leaf.frame->data + barrier.predicate);
  return lanes[lane] != 0;
}

// bar.red combines the predicates of the threads that wait; every thread gets this result.
std::uint32_t reduced(BarrierOperands::Kind kind, const std::vector<Split*>& leaves) {
  std::uint32_t count = 0;
  std::uint32_t threads = 0;
  for (const Split* const leaf : leaves) {
    if (barrier_of(leaf->at).predicate == no_slot) continue;
    each_lane(leaf->lanes, [&](std::uint32_t lane) {
      ++threads;
      count += holds(*leaf, lane) ? 1U : 0U;
    });
  }
  if (kind == BarrierOperands::Kind::count) return count;
  const bool result = kind == BarrierOperands::Kind::all ? count == threads : count > 0;
  return result ? all_lanes : 0;
}

}  // namespace

LaneMask lanes_at_aligned_barrier(const Warp& warp) {
  LaneMask lanes = 0;
  if (warp.status != WarpStatus::waits) return lanes;
  for (const Split* const leaf : warp.leaves) {
    if (leaf->waiting == Waiting::barrier && barrier_of(leaf->at).aligned) lanes |= leaf->lanes;
  }
  return lanes;
}

void BlockRun::tell_divergent(const Warp& warp, LaneMask lanes) {
  for (const Split* const leaf : warp.leaves) {
    if ((leaf->lanes & lanes) == 0) continue;
    fault(FaultKind::barrier_divergence, leaf->at, nullptr, warp, leaf->lanes, [&] {
      return "only " + std::to_string(std::popcount(lanes)) + " of " +
             std::to_string(std::popcount(warp.live)) + " threads of a warp reached a barrier";
    });
  }
}

bool BlockRun::complete_barriers() {
  std::uint32_t ids = 0;
  for (const Warp& warp : warps_) {
    for (const Split* const leaf : warp.leaves) {
      if (leaf->waiting != Waiting::barrier) continue;
      ids |= 1U << id_at(*leaf);
    }
  }
  bool any = false;
  each_lane(ids, [&](std::uint32_t id) {
    if (complete(id)) any = true;
  });
  return any;
}

/// The usual barrier is one of the whole block, at which all warps wait as a whole at one
/// instruction; its number is constant, and it combines nothing. Completes it as complete() would.
bool BlockRun::complete_usual() {
  const Op* at = nullptr;
  for (const Warp& warp : warps_) {
    if (warp.status != WarpStatus::waits || warp.leaves.size() != 1) return false;
    const Split& leaf = *warp.leaves.front();
    if (leaf.waiting != Waiting::barrier || leaf.lanes != warp.live || warp.clocks) return false;
    if (at == nullptr) at = leaf.at;
    if (leaf.at != at) return false;
  }
  if (at == nullptr) return false;
  const BarrierOperands& barrier = barrier_of(at);
  const bool is_usual =
      barrier.constant_id && barrier.threads == no_slot && barrier.predicate == no_slot;
  if (!is_usual) return false;
  BarrierPhase& phase = phases_[id_at(*warps_.front().leaves.front())];
  if (phase.threads != 0 || phase.early_threads != 0) return false;
  block_barrier(memory_, {});
  for (Warp& warp : warps_) {
    if (warp.events != nullptr) warp.events->push_back(Event::barrier());
    Split& leaf = *warp.leaves.front();
    leaf.waiting = Waiting::nothing;
    ++leaf.at;
    warp.status = WarpStatus::can_run;
  }
  phase.first = nullptr;
  return true;
}

bool BlockRun::complete(std::uint32_t id) {
  BarrierPhase& phase = phases_[id];
  const bool of_some = phase.threads != 0;
  std::vector<Split*>& leaves = waiting_;
  std::vector<Arrival>& arrivals = arrivals_;
  leaves.clear();
  arrivals.clear();
  std::uint32_t threads = phase.early_threads;
  bool all_came = true;
  bool any_left = false;
  const Op* first = nullptr;
  const Op* other = nullptr;
  std::vector<std::pair<const Warp*, LaneMask>> divergent;
  for (Warp& warp : warps_) {
    LaneMask lanes = 0;
    bool aligned = false;
    const std::size_t before = leaves.size();
    for (Split* const leaf : warp.leaves) {
      if (leaf->waiting != Waiting::barrier || id_at(*leaf) != id) continue;
      lanes |= leaf->lanes;
      leaves.push_back(leaf);
      aligned = aligned || barrier_of(leaf->at).aligned;
      if (first == nullptr) first = leaf->at;
      if (first->site != leaf->at->site && barrier_of(leaf->at).aligned) other = leaf->at;
    }
    const bool whole = lanes == warp.live;
    const bool came = whole || (aligned && warp.status == WarpStatus::waits);
    all_came = all_came && came;
    if (!came) {
      if (lanes != 0) any_left = true;
      leaves.resize(before);
      continue;
    }
    if (lanes != 0) threads += warp_lanes;
    if (aligned && !whole) divergent.emplace_back(&warp, lanes);
    const LaneMask ended = warp.existing & ~warp.live;
    if (lanes != 0 || !of_some) arrivals.push_back({&warp, lanes | ended});
  }
  if (of_some ? threads < phase.threads : !all_came) return false;

  for (const auto& [warp, lanes] : divergent) tell_divergent(*warp, lanes);
  if (!of_some && other != nullptr) {
    fault(FaultKind::barrier_divergence, first, other, warps_.front(), 1, [] {
      return std::string(
          "threads of the block wait at different barrier instructions as if these were one "
          "barrier");
    });
  }
  block_barrier(memory_, arrivals, phase.early_threads != 0 ? &phase.early : nullptr);
  // Only a barrier of the whole block is an event: a barrier of some warps delays no other warp,
  // and the model lacks such barriers.
  const bool is_event = !of_some || phase.threads >= memory_.threads;
  for (const Arrival& arrival : arrivals) {
    auto& warp = static_cast<Warp&>(*arrival.warp);
    if (is_event && warp.events != nullptr && warp.live != 0) {
      warp.events->push_back(Event::barrier());
    }
  }
  for (const Split* const leaf : leaves) {
    const BarrierOperands& barrier = barrier_of(leaf->at);
    if (barrier.predicate == no_slot) continue;
    const std::uint32_t result = reduced(barrier.kind, leaves);
    auto* const to = reinterpret_cast<std::uint32_t*>(leaf->frame->data + leaf->at->d[0]);
    each_lane(leaf->lanes, [&](std::uint32_t lane) { to[lane] = result; });
  }
  for (Split* const leaf : leaves) {
    leaf->waiting = Waiting::nothing;
    ++leaf->at;
  }
  for (Warp& warp : warps_) {
    const bool can_run = std::any_of(warp.leaves.begin(), warp.leaves.end(), [](const Split* leaf) {
      return leaf->waiting == Waiting::nothing;
    });
    if (can_run) warp.status = WarpStatus::can_run;
  }
  // The splits that still wait are at the same barrier and wait for the same number of threads.
  phase = {any_left ? phase.first : nullptr, any_left ? phase.threads : 0, 0, {}};
  return true;
}

}  // namespace bankproof::ptx
