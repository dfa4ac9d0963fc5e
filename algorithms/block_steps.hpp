// Algorithms write down the rounds of their blocks once, for all uses. An algorithm goes through
// its launches, blocks and rounds and hands them to a sink. For lockstep, the sink keeps all rounds
// in order (launch_rounds.hpp). For quantities that only add up, the sink is a sum, in numbers of
// any type (launch_sums.hpp). The sink therefore provides the loops and the conditions on numbers:
// times() and where().
//
// Example: sink.times(rows, of) calls of(sink, i) for each row i. A sink that adds up passes a
// fresh sink to each call of of(), and adds the total of this fresh sink to its own total.
#pragma once

#include <cstdint>

#include "algorithm.hpp"
#include "window.hpp"

namespace bankproof {

/// Base of sinks that keep rounds in order.
template <class Self>
class InOrder {
 public:
  /// Calls `of(sink, k)` for k = 0 … count − 1.
  template <class Of>
  void times(std::uint64_t count, Of of) {
    for (std::uint64_t k = 0; k < count; ++k) of(static_cast<Self&>(*this), k);
  }
  /// Calls `of(sink, k)` for the powers of two k below `end`.
  template <class Of>
  void powers(std::uint64_t end, Of of) {
    for (std::uint64_t k = 1; k < end; k *= 2) of(static_cast<Self&>(*this), k);
  }
  template <class Of>
  void where(bool condition, Of of) {
    if (condition) of(static_cast<Self&>(*this));
  }
  /// Calls `of(sink)` for another level of a recursion if the condition holds.
  template <class Of>
  void again(bool condition, Of of) {
    where(condition, of);
  }
};

/// Base of sinks that add up a Total.
template <class Self, class N, class Total>
class AddedUp {
 public:
  explicit AddedUp(const MachineParametersOf<N>& machine) : machine_(machine) {}

  template <class Of>
  void times(const N& count, Of of) {
    total_ += sum_over(count, one_by_one(of));
  }
  template <class Of>
  void powers(const N& end, Of of) {
    total_ += sum_over_powers(end, one_by_one(of));
  }
  template <class Of>
  void where(const TruthOf<N>& condition, Of of) {
    times(select(condition, N(1), N(0)), [&](Self& sink, const N&) { of(sink); });
  }
  template <class Of>
  void again(const TruthOf<N>& condition, Of of) {
    where(condition, of);
  }

  const MachineParametersOf<N>& machine() const { return machine_; }
  const Total& total() const { return total_; }

 protected:
  template <class Of>
  auto one_by_one(Of& of) const {
    return [&](const N& k) {
      Self sink(machine_);
      of(sink, k);
      return sink.total();
    };
  }

  const MachineParametersOf<N>& machine_;
  Total total_;
};

/// The rounds of a block. Each step reports its rounds to a sink, by calls of global(stages,
/// requests) and shared(stages, requests).
template <class Self, class N>
class BlockSteps {
 public:
  /// The block's first threads access consecutive words of global memory.
  void global_run(const Run<N>& run) {
    self().global(group_stages(run, self().machine().w), run.count);
  }
  /// The block's threads access every step-th word of global memory.
  void global_stride(const Run<N>& run, const N& step) {
    self().global(stages_of_stride(MemoryKind::groups, run, step, self().machine().w), run.count);
  }
  /// `count` threads (0 or 1) access one word of global memory.
  void global_word(const N& count) { self().global(count, count); }
  /// `count` threads of the first warp access words in different banks of shared memory.
  void tile_row(const N& count) { self().shared(smaller(count, N(1)), count); }

  /// Calls `of(sink, start, count)` for each turn of the parallel for over 0 ≤ i < n.
  template <class Of>
  void each(const N& n, Of of) {
    const N& p = self().machine().p;
    self().times(ceil_div(n, p),
                 [&](Self& sink, const N& turn) { of(sink, turn * p, smaller(p, n - turn * p)); });
  }
  /// Copies a w × w window to a tile in shared memory, or back. The window may be of any type that
  /// knows its rounds.
  template <class AnyWindow>
  void copy(const AnyWindow& window, bool to_shared) {
    const N& w = self().machine().w;
    const SweepShape<N> shape{w, w, self().machine().p, w};
    self().times(shape.turns(), [&](Self& sink, const N& t) {
      const auto inside = window.round(MemoryKind::groups, shape.turn(t), w);
      const auto tile = WindowOf<N>{w, w}.round(MemoryKind::banks, shape.turn(t), w);
      if (to_shared) sink.global(inside.stages, inside.requests);
      sink.shared(tile.stages, tile.requests);
      if (!to_shared) sink.global(inside.stages, inside.requests);
    });
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
};

}  // namespace bankproof
