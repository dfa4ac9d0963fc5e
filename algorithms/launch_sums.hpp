// The work of launches on the global memory, added up in numbers of any type: the stages and
// requests of all blocks, and the number of launches. The global memory access cost of THS 6.1
// consists of these; it does not matter which rounds happen at the same time.
//
// Example: a launch of 3 blocks with 2 rounds of 4 stages each has 24 stages.
#pragma once

#include "block_steps.hpp"

namespace bankproof {

template <class N>
class BlockSum : public AddedUp<BlockSum<N>, N, Rounds<N>>, public BlockSteps<BlockSum<N>, N> {
 public:
  using Number = N;
  using AddedUp<BlockSum<N>, N, Rounds<N>>::AddedUp;

  void global(const N& stages, const N& requests) {
    this->total_.stages += stages;
    this->total_.requests += requests;
  }
  void shared(const N&, const N&) {}
};

template <class N>
class LaunchSum : public AddedUp<LaunchSum<N>, N, Rounds<N>> {
 public:
  using Number = N;
  using AddedUp<LaunchSum<N>, N, Rounds<N>>::AddedUp;

  /// Adds a block; of(rounds) goes through its rounds.
  template <class Of>
  void block(Of of) {
    BlockSum<N> rounds(this->machine_);
    of(rounds);
    this->total_ += rounds.total();
  }
};

/// Launches that run one after another. The total has only the stages and requests of their rounds.
template <class N>
class GlobalCost : public AddedUp<GlobalCost<N>, N, Cost<N>> {
 public:
  using Number = N;
  using AddedUp<GlobalCost<N>, N, Cost<N>>::AddedUp;

  /// Adds a launch; of(launch) goes through its blocks.
  template <class Of>
  void launch(Of of) {
    LaunchSum<N> sum(this->machine_);
    of(sum);
    this->total_.global += sum.total();
    this->total_.launches += smaller(sum.total().stages, N(1));
  }
  void add(const Cost<N>& cost) {
    this->total_.global.stages += cost.global.stages;
    this->total_.global.requests += cost.global.requests;
    this->total_.launches += cost.launches;
  }
};

}  // namespace bankproof
