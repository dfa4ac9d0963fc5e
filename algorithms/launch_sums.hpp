// What launches do on the global memory, added up in numbers of any type: the stages and requests
// of all blocks, and how many launches there are. That is what the global memory access cost of
// THS 6.1 is made of; which rounds are at the same time does not matter.
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

  /// A block, whose rounds of(rounds) goes through.
  template <class Of>
  void block(Of of) {
    BlockSum<N> rounds(this->machine_);
    of(rounds);
    this->total_ += rounds.total();
  }
};

/// Launches one after another; of their rounds the total has stages and requests only.
template <class N>
class GlobalCost : public AddedUp<GlobalCost<N>, N, Cost<N>> {
 public:
  using Number = N;
  using AddedUp<GlobalCost<N>, N, Cost<N>>::AddedUp;

  /// A launch, through whose blocks of(launch) goes.
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
