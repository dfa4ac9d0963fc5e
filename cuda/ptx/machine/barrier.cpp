// When a barrier is complete, and what its threads learn there.
//
// A warp is at a barrier when all its lanes that live wait there. A warp that waits at an aligned
// barrier with only some of them, while the others cannot come any more, is a divergent one: that
// is told, and it counts as all of the warp so that the rest can be checked too.
#include "barrier.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "block_run.hpp"

namespace bankproof::ptx {

namespace {

std::uint32_t value_at(const Split& leaf, Slot slot) {
  const auto lane = static_cast<std::uint32_t>(std::countr_zero(leaf.lanes));
  return reinterpret_cast<const std::uint32_t*>(leaf.frame->data + slot)[lane];
}

bool holds(const Split& leaf, std::uint32_t lane) {
  const BarrierDetail& barrier = barrier_of(leaf.at);
  const auto* const lanes =
      reinterpret_cast<const std::uint32_t*>(leaf.frame->data + barrier.predicate);
  return lanes[lane] != 0;
}

// bar.red: what all threads learn.
std::uint32_t reduced(BarrierDetail::Kind kind, const std::vector<Split*>& leaves) {
  std::uint32_t count = 0;
  std::uint32_t threads = 0;
  for (const Split* const leaf : leaves) {
    if (barrier_of(leaf->at).predicate == no_slot) continue;
    each_lane(leaf->lanes, [&](std::uint32_t lane) {
      ++threads;
      count += holds(*leaf, lane) ? 1U : 0U;
    });
  }
  if (kind == BarrierDetail::Kind::count) return count;
  const bool result = kind == BarrierDetail::Kind::all ? count == threads : count > 0;
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
    if (leaf->waiting != Waiting::barrier || (leaf->lanes & lanes) == 0) continue;
    fault(FaultKind::barrier_divergence, leaf->at, nullptr, warp, leaf->lanes, [&] {
      return std::to_string(std::popcount(lanes)) + " of " +
             std::to_string(std::popcount(warp.live)) +
             " threads of a warp come to a barrier without the others";
    });
  }
}

const Op* barrier_step(WarpState& state, const Op* op) {
  Warp& warp = warp_of(state);
  const LaneMask lanes = guarded_lanes(warp, op);
  if (lanes == 0) return op + 1;
  const auto* const ids = warp.lanes<const std::uint32_t>(barrier_of(op).id);
  for (LaneMask left = lanes; left != 0; left &= left - 1) {
    const std::uint32_t id = ids[std::countr_zero(left)];
    if (id < barriers_of_block) continue;
    warp.run->stop(op, warp, left & (0U - left), [&] {
      return "there is no barrier " + std::to_string(id) + ": a block has those from 0 to " +
             std::to_string(barriers_of_block - 1);
    });
    return nullptr;
  }
  if (barrier_of(op).kind == BarrierDetail::Kind::arrive) {
    warp.run->arrive_at(warp, op, lanes);
    return op + 1;
  }
  if (lanes != warp.active) {
    const std::array<Way, 2> ways{{{op, lanes}, {op + 1, warp.active & ~lanes}}};
    return part(warp, ways, nullptr);
  }
  wait_at(warp, op, Waiting::barrier, 0);
  return run_next(warp);
}

void BlockRun::arrive_at(Warp& warp, const Op* op, LaneMask lanes) {
  const Split at{.frame = warp.current->frame, .lanes = lanes};
  const std::uint32_t id = value_at(at, barrier_of(op).id);
  arrivals_[id].threads +=
      barrier_of(op).aligned ? warp_lanes : static_cast<std::uint32_t>(std::popcount(lanes));
  arrive(warp, lanes, arrivals_[id].early);
  arrivals_[id].any = true;
}

bool BlockRun::complete_barriers() {
  std::uint32_t ids = 0;
  for (const Warp& warp : warps_) {
    for (const Split* const leaf : warp.leaves) {
      if (leaf->waiting != Waiting::barrier) continue;
      ids |= 1U << value_at(*leaf, barrier_of(leaf->at).id);
    }
  }
  bool any = false;
  each_lane(ids, [&](std::uint32_t id) { any = complete(id) || any; });
  return any;
}

bool BlockRun::complete(std::uint32_t id) {
  BarrierArrivals& early = arrivals_[id];
  std::vector<Split*> leaves;
  std::vector<Arrival> arrivals;
  std::optional<std::uint32_t> expected;
  std::uint32_t threads = early.threads;
  bool all_came = true;
  const Op* first = nullptr;
  const Op* other = nullptr;
  std::vector<std::pair<const Warp*, LaneMask>> divergent;
  for (Warp& warp : warps_) {
    LaneMask lanes = 0;
    bool aligned = false;
    for (Split* const leaf : warp.leaves) {
      if (leaf->waiting != Waiting::barrier) continue;
      const BarrierDetail& barrier = barrier_of(leaf->at);
      if (value_at(*leaf, barrier.id) != id) continue;
      lanes |= leaf->lanes;
      leaves.push_back(leaf);
      aligned = aligned || barrier.aligned;
      if (barrier.threads != no_slot) expected = value_at(*leaf, barrier.threads);
      if (first == nullptr) first = leaf->at;
      if (first->site != leaf->at->site && barrier.aligned) other = leaf->at;
    }
    const bool whole = lanes == warp.live;
    const bool came = whole || (aligned && warp.status == WarpStatus::waits);
    all_came = all_came && came;
    if (came && aligned) {
      if (lanes != 0) threads += warp_lanes;
      if (!whole) divergent.emplace_back(&warp, lanes);
    } else {
      threads += static_cast<std::uint32_t>(std::popcount(lanes));
    }
    const LaneMask ended = warp.existing & ~warp.live;
    if (lanes != 0 || !expected) arrivals.push_back({&warp, lanes | ended});
  }
  if (expected ? threads < *expected : !all_came) return false;

  for (const auto& [warp, lanes] : divergent) tell_divergent(*warp, lanes);
  if (!expected && other != nullptr) {
    fault(FaultKind::barrier_divergence, first, other, warps_.front(), 1, [] {
      return std::string("threads of the block wait at different barriers as if at one");
    });
  }
  block_barrier(memory_, arrivals, early.any ? &early.early : nullptr);
  // A barrier of some warps holds up no others, and is none of the model's.
  const bool of_all = !expected || *expected >= memory_.threads;
  for (const Arrival& arrival : arrivals) {
    auto& warp = static_cast<Warp&>(*arrival.warp);
    if (of_all && warp.events != nullptr && warp.live != 0) {
      warp.events->push_back(Event::barrier());
    }
  }
  for (const Split* const leaf : leaves) {
    const BarrierDetail& barrier = barrier_of(leaf->at);
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
  early = {};
  return true;
}

}  // namespace bankproof::ptx
