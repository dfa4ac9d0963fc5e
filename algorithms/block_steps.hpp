// How rounds of blocks are written down, once for all that is made of them: an algorithm goes
// through its launches, blocks and rounds, and hands them to a sink. In lockstep all rounds are
// kept, in order (launch_rounds.hpp); for what only adds up, sums do, in numbers of any type
// (launch_sums.hpp). So loops and conditions on numbers are the sink's, times() and where().
//
// Example: sink.times(rows, of) calls of(sink, i) for each row i; a sink that adds up gives of()
// another one each time, and adds what that has.
#pragma once

#include <cstdint>

#include "algorithm.hpp"
#include "window.hpp"

namespace bankproof {

/// Of sinks that keep things in order.
template <class Self>
class InOrder {
 public:
  /// of(sink, k) for k = 0 … count − 1.
  template <class Of>
  void times(std::uint64_t count, Of of) {
    for (std::uint64_t k = 0; k < count; ++k) of(static_cast<Self&>(*this), k);
  }
  /// of(sink, k) for the powers of two k below `end`.
  template <class Of>
  void powers(std::uint64_t end, Of of) {
    for (std::uint64_t k = 1; k < end; k *= 2) of(static_cast<Self&>(*this), k);
  }
  template <class Of>
  void where(bool condition, Of of) {
    if (condition) of(static_cast<Self&>(*this));
  }
  /// Of another level of a recursion.
  template <class Of>
  void again(bool condition, Of of) {
    where(condition, of);
  }
};

/// Of sinks that add up a Total.
template <class Self, class N, class Total>
class AddedUp {
 public:
  explicit AddedUp(const LettersOf<N>& machine) : machine_(machine) {}

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

  const LettersOf<N>& machine() const { return machine_; }
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

  const LettersOf<N>& machine_;
  Total total_;
};

/// What blocks do in their rounds, of sinks that take global(stages, requests) and shared(stages,
/// requests).
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
  /// One thread accesses a word of global memory, or none.
  void global_word(const N& count) { self().global(count, count); }
  /// So many threads of the first warp access words in different banks of shared memory.
  void tile_row(const N& count) { self().shared(smaller(count, N(1)), count); }

  /// of(sink, start, count) for each turn of the parallel for over 0 ≤ i < n.
  template <class Of>
  void each(const N& n, Of of) {
    const N& p = self().machine().p;
    self().times(ceil_div(n, p),
                 [&](Self& sink, const N& turn) { of(sink, turn * p, smaller(p, n - turn * p)); });
  }
  /// The copy of a w × w window, of any kind that knows its rounds, to a tile in shared memory, or
  /// back.
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
