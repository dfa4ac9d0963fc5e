// Gives warps their turns, and handles the case in which no warp can take a turn.
#include "block_run.hpp"

#include <algorithm>

#include "collective.hpp"

namespace bankproof::ptx {

std::uint64_t shared_bytes(const Program& program, const LaunchShape& shape) {
  if (shape.dynamic_shared_bytes == 0) return program.shared_bytes;
  return program.dynamic_shared + shape.dynamic_shared_bytes;
}

std::uint64_t WorkerRun::instructions() const {
  std::uint64_t sum = 0;
  for (std::size_t k = 0; k < counts.size(); ++k) sum += counts[k].lanes * program.block_sites[k];
  return sum;
}

const CompiledPiece* WorkerRun::pieces() {
  if (compile.when == CompileOptions::When::never) return nullptr;
  if (compile.mixed != 0 && mixed() % 2 == 0) return nullptr;
  return program.compiled->pieces();
}

void WorkerRun::consider_compiling() {
  if (program.compiled->has_begun()) return;
  const std::uint64_t all = instructions();
  program.compiled->consider(program, compile, all - considered);
  considered = all;
}

void BlockRun::start(std::uint64_t number) {
  const bool is_new = warps_.empty();
  if (!is_new) keep_events();
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
    if (run_.events != nullptr) warp.events = &warp.own_events;
    if (is_new) {
      warp.of_kernel = take_frame(*run_.program.functions.front(), warp, nullptr);
    } else {
      run_.images.begin_again(*warp.of_kernel, number);
    }
    begin(warp, warp.of_kernel, warp.existing, run_.schedule);
  }
  phases_ = {};
}

void BlockRun::keep_events() {
  if (run_.events == nullptr) return;
  for (Warp& warp : warps_) {
    warp.kept_events = run_.lists->add(warp.own_events, warp.kept_events);
    run_.events->warps[number() * run_.shape.warps() + warp.index] = warp.kept_events;
    warp.own_events.clear();
  }
}

Frame* BlockRun::take_frame(const FunctionCode& code, const Warp& warp, const Frame* caller) {
  Frame* const frame = run_.frames.take(code);
  frame->depth = caller == nullptr ? 0 : caller->depth + 1;
  frame->local = caller == nullptr ? 0 : caller->local + caller->code->local_bytes;
  run_.images.fill(*frame, warp.index, memory_.number);
  return frame;
}

bool BlockRun::take_turns() {
  const CompiledPiece* const pieces = run_.pieces();
  for (Warp& warp : warps_) {
    if (warp.status != WarpStatus::can_run) continue;
    warp.pieces = pieces;
    for (const Op* op = run_next(warp); op != nullptr;) op = op->step(warp, op);
    if (run_.stopped) return false;
  }
  if (complete_usual()) return true;
  const auto any = [&](WarpStatus status) {
    return std::any_of(warps_.begin(), warps_.end(),
                       [&](const Warp& warp) { return warp.status == status; });
  };
  const bool any_runs = any(WarpStatus::can_run);
  if (!any(WarpStatus::waits)) return any_runs;
  if (complete_barriers() || any_runs) return true;
  return let_go_on_alone();
}

bool BlockRun::let_go_on_alone() {
  bool any = false;
  for (Warp& warp : warps_) {
    // Lanes that wait at an aligned barrier must not be separated from the warp's other lanes.
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

void BlockRun::tell_over_limit() {
  const auto message = [&] {
    return "still runs after " + std::to_string(run_.most_instructions) +
           " instructions, the limit of the launch: a loop never ends, or the limit is too low";
  };
  bool any = false;
  for (const Warp& warp : warps_) {
    if (warp.status != WarpStatus::can_run) continue;
    for (const Split* const leaf : warp.leaves) {
      if (leaf->waiting != Waiting::nothing) continue;
      fault(FaultKind::instruction_limit, leaf->at, nullptr, warp, leaf->lanes, message);
      any = true;
    }
  }
  if (any) return;
  // No warp can go on, since the block has ended. The report names the basic block that executed
  // the most instructions.
  const auto executed = [&](std::size_t block) {
    return run_.counts[block].lanes * run_.program.block_sites[block];
  };
  std::size_t most = 0;
  for (std::size_t k = 1; k < run_.counts.size(); ++k) {
    if (executed(k) > executed(most)) most = k;
  }
  const auto& sites = run_.program.sites;
  const auto first = std::find_if(sites.begin() + run_.program.first_site, sites.end(),
                                  [&](const Site& site) { return site.block == most; });
  run_.worker.faults.add(FaultKind::instruction_limit,
                         static_cast<std::uint32_t>(first - sites.begin()), no_site,
                         warps_.front().name(0), message);
}

void BlockRun::tell_deadlock(std::uint64_t not_started) {
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
            return std::string(missing_lanes(warp, *leaf));
          case Waiting::nothing:
          case Waiting::splits:
            break;
        }
        std::string text = "waits in a loop that no thread can end any more";
        if (not_started > 0 && run_.program.communicates) {
          text += "; " + std::to_string(not_started) +
                  (not_started == 1 ? " block has" : " blocks have") +
                  " not started, since no more than " + std::to_string(run_.resident) +
                  " are resident at a time (--resident)";
        }
        return text;
      });
    }
  }
}

}  // namespace bankproof::ptx
