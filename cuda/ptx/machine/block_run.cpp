// Turns of warps, and what happens where nobody has one.
#include "block_run.hpp"

#include <algorithm>

namespace bankproof::ptx {

std::uint64_t shared_bytes(const Program& program, const LaunchShape& shape) {
  if (shape.dynamic_shared_bytes == 0) return program.shared_bytes;
  return program.dynamic_shared + shape.dynamic_shared_bytes;
}

void BlockRun::start(std::uint64_t number) {
  const bool is_new = warps_.empty();
  start_block(memory_, run_.memory, number,
              static_cast<std::uint32_t>(shared_bytes(run_.program, run_.shape)));
  for (std::uint32_t k = 0; k < run_.shape.warps(); ++k) {
    Warp& warp = is_new ? warps_.emplace_back() : warps_[k];
    if (is_new) {
      warp.run = this;
      warp.counts = run_.counts.data();
      warp.local.resize(run_.program.local_bytes);
    }
    start_warp(warp, run_.memory, memory_, run_.worker, k);
    if (run_.events != nullptr) {
      warp.events = &run_.events->warps[number * run_.shape.warps() + k];
      warp.events->clear();
    }
    begin(warp, take_frame(*run_.program.functions.front(), warp, nullptr), warp.existing);
  }
  arrivals_ = {};
}

Frame* BlockRun::take_frame(const FunctionCode& code, const Warp& warp, const Frame* caller) {
  Frame* const frame = run_.frames.take(code);
  frame->depth = caller == nullptr ? 0 : caller->depth + 1;
  frame->local = caller == nullptr ? 0 : caller->local + caller->code->local_bytes;
  run_.images.fill(*frame, warp.index, memory_.number);
  return frame;
}

bool BlockRun::take_turns() {
  for (Warp& warp : warps_) {
    if (warp.status != WarpStatus::can_run) continue;
    for (const Op* op = run_next(warp); op != nullptr;) op = op->step(warp, op);
    if (run_.stopped) return false;
  }
  const auto count = [&](WarpStatus status) {
    return std::count_if(warps_.begin(), warps_.end(),
                         [&](const Warp& warp) { return warp.status == status; });
  };
  const bool any_runs = count(WarpStatus::can_run) > 0;
  if (count(WarpStatus::waits) == 0) return any_runs;
  if (complete_barriers() || any_runs) return true;
  return let_go_on_alone();
}

bool BlockRun::let_go_on_alone() {
  bool any = false;
  for (Warp& warp : warps_) {
    // At an aligned barrier lanes are not to come apart from one another.
    if (lanes_at_aligned_barrier(warp) != 0 || !go_on_alone(warp)) continue;
    warp.status = WarpStatus::can_run;
    any = true;
  }
  return any;
}

bool BlockRun::ended() const {
  return std::all_of(warps_.begin(), warps_.end(),
                     [](const Warp& warp) { return warp.status == WarpStatus::ended; });
}

void BlockRun::tell_deadlock() {
  const Op* barrier = nullptr;
  bool divergent = false;
  for (const Warp& warp : warps_) {
    const LaneMask lanes = lanes_at_aligned_barrier(warp);
    if (lanes == 0 || lanes == warp.live) continue;
    tell_divergent(warp, lanes);
    divergent = true;
  }
  if (divergent) return;
  for (const Warp& warp : warps_) {
    for (const Split* const leaf : warp.leaves) {
      const bool at_barrier = leaf->waiting == Waiting::barrier;
      if (at_barrier && barrier != nullptr && barrier->site != leaf->at->site) {
        fault(FaultKind::barrier_divergence, barrier, leaf->at, warp, leaf->lanes, [] {
          return std::string("threads of the block wait at different barriers for one another");
        });
        return;
      }
      if (at_barrier) barrier = leaf->at;
    }
  }
  for (const Warp& warp : warps_) {
    for (const Split* const leaf : warp.leaves) {
      fault(FaultKind::deadlock, leaf->at, nullptr, warp, leaf->lanes, [&] {
        switch (leaf->waiting) {
          case Waiting::barrier:
            return std::string("waits at a barrier to which the others do not come");
          case Waiting::lanes:
            return std::string("waits for lanes of its mask that do not come");
          case Waiting::nothing:
          case Waiting::splits:
            break;
        }
        return std::string("waits in a loop for what nobody can do any more");
      });
    }
  }
}

}  // namespace bankproof::ptx
