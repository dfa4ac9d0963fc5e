// Runs the blocks of a grid on one host thread: some of them are resident and take turns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <vector>

#include "block_run.hpp"
#include "repetition.hpp"
#include "shares.hpp"

namespace bankproof::ptx {

/// The order in which blocks begin; CUDA promises no order. It is the order of the block numbers
/// or, with a schedule, a random order: a·k + b modulo the number of blocks.
class BlockOrder {
 public:
  BlockOrder(std::uint64_t blocks, std::uint64_t schedule) : blocks_(blocks) {
    if (schedule == 0) return;
    std::mt19937_64 random(schedule);
    first_ = random() % blocks;
    do {
      step_ = 1 + random() % blocks;
    } while (std::gcd(step_, blocks) != 1);
  }
  std::uint64_t operator[](std::uint64_t k) const {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((Wide{k} * step_ + first_) % blocks_);
  }

 private:
  std::uint64_t blocks_;
  std::uint64_t first_ = 0;
  std::uint64_t step_ = 1;
};

/// Runs blocks, up to `run.resident` at a time, until no block is left to take and all blocks taken
/// have ended. Calls `turned` each time that all running blocks have had a turn.
template <class Turned>
void run_blocks(WorkerRun& run, BlockShares& shares, std::uint64_t blocks, const Turned& turned) {
  const BlockOrder order(blocks, run.schedule);
  std::vector<std::unique_ptr<BlockRun>> places;
  std::vector<BlockRun*> active;
  const auto start_next = [&](BlockRun& block) {
    const std::optional<std::uint64_t> number = shares.take(run.worker.number);
    if (number) block.start(order[*number]);
    return number.has_value();
  };
  while (places.size() < run.resident) {
    places.push_back(std::make_unique<BlockRun>(run));
    if (!start_next(*places.back())) break;
    active.push_back(places.back().get());
  }
  constexpr std::uint32_t turns_between = 64;  // of blocks, from one look at the counts to the next
  std::uint32_t turns_left = turns_between;
  Repetition repetition;
  std::mt19937_64 random(run.schedule);
  std::vector<BlockRun*> turns;
  while (!active.empty() && !run.stopped) {
    turns = active;
    if (run.schedule != 0) std::shuffle(turns.begin(), turns.end(), random);
    for (BlockRun* const block : turns) {
      const bool goes_on = block->take_turns();
      if (run.compile.when == CompileOptions::When::earned && --turns_left == 0) {
        turns_left = turns_between;
        run.consider_compiling();
      }
      if (run.stopped) break;
      if (run.over_limit()) {
        block->tell_over_limit();
        run.stopped = true;
      } else if (!goes_on && !block->ended()) {
        block->tell_deadlock();
        run.stopped = true;
      } else if (!goes_on && !start_next(*block)) {
        std::erase(active, block);
      }
      if (run.stopped) break;
    }
    if (run.stopped) break;
    turned();
    if (!repetition.found(active, run.worker.changes)) continue;
    bool any = false;
    for (BlockRun* const block : active) any = block->let_go_on_alone() || any;
    if (any) continue;
    for (BlockRun* const block : active) block->tell_deadlock(shares.left());
    run.stopped = true;
  }
  for (const auto& block : places) block->keep_events();
}

}  // namespace bankproof::ptx
