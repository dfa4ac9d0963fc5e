// Lockstep rounds of a launch whose blocks may go through different rounds. A block takes the slot
// of its DMM that becomes free first. The rounds of a slot are the rounds of its blocks, one block
// after the other; round r of the launch is round r of every slot.
//
// A round on several memories lasts as long as the slowest memory; the cost's overlap is the time
// that this saves.
//
// Example: one slot on each DMM. DMM 0 runs blocks of 2 and 1 rounds, DMM 1 runs a block of 4
// rounds. The launch has 4 rounds; the third is the first round of DMM 0's second block.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "block_steps.hpp"

namespace bankproof {

/// The rounds of one block, in order, including rounds in which no thread takes part.
class BlockRounds : public InOrder<BlockRounds>, public BlockSteps<BlockRounds, std::uint64_t> {
 public:
  using Number = std::uint64_t;
  explicit BlockRounds(const MachineParameters& machine) : machine_(machine) {}

  struct Round {
    MemoryKind memory;  ///< groups: the global memory; banks: the shared memory
    std::uint64_t stages;
    std::uint64_t requests;
  };

  void global(std::uint64_t stages, std::uint64_t requests) {
    rounds_.push_back({MemoryKind::groups, stages, requests});
  }
  void shared(std::uint64_t stages, std::uint64_t requests) {
    rounds_.push_back({MemoryKind::banks, stages, requests});
  }
  void constant(std::uint64_t stages, std::uint64_t requests) {
    rounds_.push_back({MemoryKind::broadcast, stages, requests});
  }

  const MachineParameters& machine() const { return machine_; }
  const std::vector<Round>& rounds() const { return rounds_; }

 private:
  const MachineParameters& machine_;
  std::vector<Round> rounds_;
};

/// The rounds of a launch with `slots` slots on each DMM. Its blocks are added in the order of
/// their numbers.
class LaunchRounds : public InOrder<LaunchRounds> {
 public:
  using Number = std::uint64_t;
  explicit LaunchRounds(const MachineParameters& machine, std::uint64_t slots = 1)
      : machine_(machine), next_(machine.d, std::vector<std::uint64_t>(slots)) {}

  void add(const BlockRounds& block) {
    const std::uint64_t dmm = blocks_++ % machine_.d;
    auto& slots = next_[dmm];
    std::uint64_t& next = *std::ranges::min_element(slots);  // of equal slots, the lowest
    if (rounds_.size() < next + block.rounds().size()) {
      rounds_.resize(next + block.rounds().size(), Round(machine_.d));
    }
    for (const BlockRounds::Round& round : block.rounds()) {
      Round& all = rounds_[next++];
      switch (round.memory) {
        case MemoryKind::groups:
          all.global_stages += round.stages;
          all.global_requests += round.requests;
          break;
        case MemoryKind::broadcast:
          all.constant_stages += round.stages;
          all.constant_requests += round.requests;
          break;
        default:
          all.shared_stages[dmm] += round.stages;
          all.shared_requests += round.requests;
      }
    }
  }

  /// Adds a block; of(rounds) goes through its rounds.
  template <class Of>
  void block(Of of) {
    BlockRounds rounds(machine_);
    of(rounds);
    add(rounds);
  }

  const MachineParameters& machine() const { return machine_; }

  Cost<std::uint64_t> cost() const {
    Cost<std::uint64_t> cost;
    for (const Round& round : rounds_) {
      const auto global = one_round(round.global_stages, round.global_requests);
      const auto shared = one_round(std::ranges::max(round.shared_stages), round.shared_requests);
      const auto constant = one_round(round.constant_stages, round.constant_requests);
      cost.global += global;
      cost.shared += shared;
      cost.constant += constant;
      const auto times = {global.time(machine_.L), shared.time(machine_.l), constant.stages};
      cost.overlap +=
          std::accumulate(times.begin(), times.end(), std::uint64_t{0}) - std::ranges::max(times);
    }
    cost.launches = smaller<std::uint64_t>(cost.global.rounds, 1);
    return cost;
  }

 private:
  struct Round {
    explicit Round(std::uint64_t dmms) : shared_stages(dmms) {}
    std::uint64_t global_stages = 0;
    std::uint64_t global_requests = 0;
    std::uint64_t constant_stages = 0;
    std::uint64_t constant_requests = 0;
    std::vector<std::uint64_t> shared_stages;  ///< of each DMM
    std::uint64_t shared_requests = 0;
  };
  const MachineParameters& machine_;
  std::uint64_t blocks_ = 0;
  std::vector<std::vector<std::uint64_t>> next_;  ///< [DMM][slot]: the slot's next round
  std::vector<Round> rounds_;
};

/// The lockstep cost of launches that run one after another.
class LockstepCost : public InOrder<LockstepCost> {
 public:
  using Number = std::uint64_t;
  explicit LockstepCost(const MachineParameters& machine) : machine_(machine) {}

  /// Adds a launch; of(launch) goes through its blocks.
  template <class Of>
  void launch(Of of) {
    LaunchRounds rounds(machine_);
    of(rounds);
    cost_ += rounds.cost();
  }
  void add(const Cost<std::uint64_t>& cost) { cost_ += cost; }

  const MachineParameters& machine() const { return machine_; }
  const Cost<std::uint64_t>& cost() const { return cost_; }

 private:
  const MachineParameters& machine_;
  Cost<std::uint64_t> cost_;
};

}  // namespace bankproof
