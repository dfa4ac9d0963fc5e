// Launches with a block for each tile of a matrix, in waves of one block on each DMM
// (algorithms/window.hpp), for proofs of upper bounds on times.
//
// There are at most 4·rows·columns/(m(m + 1)) tiles of size m × m. If each of d DMMs gets at least
// one tile, d times the number of waves is at most 6·rows·columns/(m(m + 1)). Four tiles in waves
// of three nearly reach this bound.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "../../../algorithms/window.hpp"
#include "matrix_sweeps.hpp"

namespace bankproof::proofs {

/// Proves a bound on n = ⌈length/m⌉, for length ≥ m: n(m + 1) ≤ 2·length.
inline void know_lengths(Query& q, const IntTerm& length, const IntTerm& m) {
  const IntTerm lengths = ceil_div(length, m);
  know(q, [&] {
    q.apply(multiples_are_apart(), {m, lengths, 1});
    q.suppose(lengths >= 2, [&] {
      q.multiply_by({m - 1});
      return lengths * (m + 1) <= 2 * length;
    });
    return lengths >= 1 && lengths * (m + 1) <= 2 * length && lengths * m < length + m;
  });
}

/// A bound on a part of a time: n/d, times the factor of the whole bound.
struct PartOfBound {
  IntTerm n;
  IntTerm d;
};

/// The upper bound of algorithm A for a launch on the HMM, from bounds on the four parts of its
/// time: the stages on global memory; the rounds there, which take L − 1 each; and the same two
/// parts for shared memories. The constructor proves for arbitrary numbers that the parts add up to
/// the bound. Construct it early, while few facts are known.
template <class A>
class BoundOfLaunch {
 public:
  using Parts = std::array<IntTerm, 4>;

  BoundOfLaunch(Query& q, TaskOf<IntTerm> task, std::uint64_t factor,
                std::array<PartOfBound, 4> shares)
      : task_(std::move(task)), factor_(factor), shares_(std::move(shares)) {
    const Query::Scope scope(q);
    const auto& [a, b, c, d] = shares_;
    const IntTerm of_b = a.d * c.d * d.d;
    const IntTerm of_d = a.d * b.d * c.d;
    q.claim("no negative bounds", b.n >= 0 && d.n >= 0);
    know_factors(q, {global_wait(), shared_wait()});
    const Parts parts = {q.unknown("part"), q.unknown("part"), q.unknown("part"),
                         q.unknown("part")};
    const IntTerm time = q.unknown("time");
    q.assume(are_bounded(parts, time));
    q.multiply_by({b.d * c.d * d.d, of_b, of_b * global_wait(), a.d * b.d * d.d, of_d,
                   of_d * shared_wait(), of_d * d.d});
    q.claim("their sum", is_bounded<A>(time, task_, factor_));
  }

  void prove(Query& q, const Cost<IntTerm>& cost) const {
    const Parts parts = {cost.global.stages, cost.global.rounds, cost.shared.stages,
                         cost.shared.rounds};
    const IntTerm time = q.define("time", lockstep_time(cost, task_.machine));
    q.multiply_by({global_wait(), shared_wait()});
    q.claim("the parts of the time", are_bounded(parts, time));
    q.multiply_by({});
    q.assume_shown(implies(are_bounded(parts, time), is_bounded<A>(time, task_, factor_)));
    q.claim("the bound", is_bounded<A>(time, task_, factor_));
  }

 private:
  IntTerm global_wait() const { return task_.machine.L - 1; }
  IntTerm shared_wait() const { return task_.machine.l - 1; }
  Truth are_bounded(const Parts& parts, const IntTerm& time) const {
    Truth all = time == parts[0] + parts[1] * global_wait() + parts[2] + parts[3] * shared_wait();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      all = all && shares_[i].d * parts[i] <= factor_ * shares_[i].n;
    }
    return all;
  }

  TaskOf<IntTerm> task_;
  std::uint64_t factor_;
  std::array<PartOfBound, 4> shares_;
};

/// A launch with a block for each m × m tile.
class Tiling {
 public:
  Tiling(IntTerm rows, IntTerm columns, IntTerm m, IntTerm d, IntTerm w)
      : rows_(std::move(rows)),
        columns_(std::move(columns)),
        m_(std::move(m)),
        d_(std::move(d)),
        w_(std::move(w)),
        down_(ceil_div(rows_, m_)),
        across_(ceil_div(columns_, m_)),
        waves_(ceil_div(tiles(), d_)) {}

  IntTerm tiles() const { return down_ * across_; }
  const IntTerm& waves() const { return waves_; }

  /// Proves upper bounds on m(m + 1) times the numbers of tiles and waves, and therefore on m²
  /// times these numbers, for m ≤ rows, m ≤ columns and d ≤ tiles().
  void know_bounds(Query& q) const {
    const IntTerm square = m_ * (m_ + 1);
    const IntTerm elements = rows_ * columns_;
    know(q, [&, this] {
      know_lengths(q, rows_, m_);
      know_lengths(q, columns_, m_);
      know_factors(q, {rows_, columns_, m_, d_, m_ - 1, m_ + 1, down_, across_});
      know_waves(q);
      q.multiply_by({square, m_ * across_, (m_ + 1) * across_, rows_ * 2});
      q.claim("tiles and waves",
              square * tiles() <= 4 * elements && square * d_ * waves_ <= 6 * elements);
      q.multiply_by({m_ * across_, m_ * d_});
      return square * tiles() <= 4 * elements && square * d_ * waves_ <= 6 * elements &&
             m_ * m_ * tiles() <= 4 * elements && m_ * m_ * d_ * waves_ <= 6 * elements;
    });
    know_factors(q, {down_, across_, waves_});
  }

  /// Upper bounds on the work of a wave or step: w times the stages, and the number of rounds.
  /// `global_stages` is for each block.
  struct Most {
    IntTerm global_stages;
    IntTerm global_rounds;
    IntTerm shared_stages;
    IntTerm shared_rounds;
  };
  /// A wave: the number of its blocks, and the number of its blocks on DMM 0.
  struct Wave {
    IntTerm blocks;
    IntTerm blocks_of_one;
  };
  /// The parts that a proof adds to the invariant of a sum over waves or steps. `step` proves facts
  /// about a term and gives the invariants of the sums in this term. `factors` are for the goal
  /// that one more term keeps the invariant true.
  template <class Term>
  struct Inside {
    std::function<void(const Term&)> step;
    std::function<std::vector<IntTerm>(const Term&)> factors;
  };
  /// The invariant of the sum over the waves of a launch, and of the sum over the steps that each
  /// block of a wave makes.
  OverNumbers<Cost<IntTerm>> of_waves(const Most& of_wave, const Inside<Wave>& inside) const {
    return OverNumbers<Cost<IntTerm>>("waves")
        .holds(
            [=, *this](auto& k, auto& sum) { return is_at_most(sum, of_wave, tiles_before(k), k); })
        .step([=, *this](auto& k) {
          know_wave(k);
          inside.step(wave(k));
        })
        .after([=, *this](auto& k, auto&) { k.query().multiply_by(inside.factors(wave(k))); });
  }
  OverNumbers<Cost<IntTerm>> of_steps(const Most& of_step, const IntTerm& blocks,
                                      const Inside<IntTerm>& inside) const {
    return OverNumbers<Cost<IntTerm>>("steps of a wave")
        .holds([=, *this](auto& k, auto& sum) { return is_at_most(sum, of_step, blocks * k, k); })
        .step(inside.step)
        .after([=](auto& k, auto&) { k.query().multiply_by(inside.factors(k)); });
  }
  /// A factor by which the proof multiplies facts. It is w·(1 − b) ≥ 0, where DMM 0 has b ≤ 1
  /// blocks. So b·w·stages is at most w·stages.
  IntTerm no_more_blocks(const Wave& wave) const { return w_ * (1 - wave.blocks_of_one); }

  /// Gives the invariants of a copy in sweeps, from a window of each block to its tile or back.
  /// If `inside` is given, only this number of rows of each window lie in the matrix, and a turn on
  /// a row outside the matrix takes no round.
  void give_copy(Query& q, const Sweeping& sweep, const IntTerm& blocks,
                 const std::optional<IntTerm>& inside = {}) const {
    const auto rows_of_blocks = [=, *this, &q](const IntTerm& k, const Sweeping::Turn& turn) {
      if (inside) sweep.know_row(k, *inside, blocks);
      give_windows_of_blocks(q, sweep, turn, inside);
    };
    OverNumbers<OfRounds> global =
        sweep.turns(2 * blocks, 1, {.step = rows_of_blocks, .factors = {blocks}});
    if (inside) {
      global.holds([=, *this, fewer = global](auto& k, auto& sum) {
        return fewer.statement(k, sum) &&
               implies(sweep.has_turns_of_one_row(),
                       sum.rounds <= sweep.shape().pieces() * *inside &&
                           w_ * sum.stages <= 2 * blocks * *inside * sweep.area_of_row());
      });
    }
    q.give(global);
    q.give(sweep.turns(1, 1,
                       {.step = [=, &q](auto&, auto& turn) { q.give(sweep.of_rows(turn, 1)); }}));
  }
  /// Gives the invariants of a copy of `words` consecutive words of each block, p at a time.
  void give_copy_of_row(Query& q, const IntTerm& words, const IntTerm& p,
                        const IntTerm& blocks) const {
    const auto know_turn = [=, &q](const IntTerm& k) {
      q.apply(multiples_are_apart(), {p, k, ceil_div(words, p)});
    };
    const auto area_of = [=, *this](const IntTerm& k) {
      return (k.constant() == 0 ? k : smaller(k * p, words)) + k * (w_ - 1);
    };
    const auto times_width = [&q, w = w_](const IntTerm&, const OfRounds&) { q.multiply_by({w}); };
    q.give(OverNumbers<OfRounds>("turns on global memory")
               .holds([=, *this](auto& k, auto& sum) {
                 return w_ * sum.stages <= 2 * blocks * area_of(k) && sum.rounds <= k;
               })
               .step([=, *this, &q](auto& k) {
                 know_turn(k);
                 const IntTerm count = smaller(p, words - k * p);
                 q.give(OverNumbers<OfRounds>("blocks of a wave")
                            .holds([=, *this](auto& block, auto& sum) {
                              return w_ * sum.stages <= 2 * block * (count + w_ - 1);
                            })
                            .after(times_width));
               })
               .after([=, &q](auto&, auto&) { q.multiply_by({blocks}); }));
    q.give(OverNumbers<OfRounds>("turns on shared memory")
               .holds([=, *this](auto& k, auto& sum) {
                 return w_ * sum.stages <= area_of(k) && sum.rounds <= k;
               })
               .step(know_turn)
               .after(times_width));
  }

 private:
  /// Gives the invariants of the sum over the blocks of a wave in a turn of a copy.
  void give_windows_of_blocks(Query& q, const Sweeping& sweep, const Sweeping::Turn& turn,
                              const std::optional<IntTerm>& inside) const {
    OverNumbers<IntTerm> rows = sweep.of_rows(turn, 2);
    if (inside) {
      rows.holds([=, *this, &q, fewer = rows](auto& k, auto& stages) {
        q.multiply_equals(turn.reach, k, 0);  // no row, no stage
        q.apply(multiples_are_apart(), {w_, 0, stages});
        q.multiply_equals(w_, stages, 0);
        return fewer.statement(k, stages);
      });
    }
    q.give(OverNumbers<OfRounds>("blocks of a wave")
               .holds([=, *this](auto& k, auto& sum) {
                 Truth holds = w_ * sum.stages <= 2 * k * turn.rows * turn.reach;
                 if (!inside) return holds;
                 return holds &&
                        implies(turn.row >= *inside, sum.stages == 0 && w_ * sum.stages == 0);
               })
               .step([=, &q](auto&) { q.give(rows); })
               .after([&q](auto&, auto&) { q.multiply_by({}); }));
  }

  /// Proves that d·waves is at most `tiles` if there is one wave, and at most 2·tiles − 2 if there
  /// are several. Relative to the source's bound, 2·tiles − 2 is largest for 2 × 2 tiles.
  void know_waves(Query& q) const {
    const IntTerm square = m_ * (m_ + 1);
    const auto few = [&, this] { return square * (2 * tiles() - 2) <= 6 * rows_ * columns_; };
    q.apply(multiples_are_apart(), {d_, 1, waves_});
    q.apply(multiples_are_apart(), {d_, waves_, 1});
    q.multiply_equals(d_, waves_, 1);
    q.claim("one wave or several", d_ * waves_ <= tiles() || d_ * waves_ <= 2 * tiles() - 2);
    for (const auto& [single, others, length] :
         {std::tie(down_, across_, columns_), std::tie(across_, down_, rows_)}) {
      q.suppose(single == 1, [&, single = single, others = others, length = length, this] {
        q.multiply_equals(others, single, 1);
        q.multiply_by({m_ + 1, length, square});
        return few();
      });
    }
    q.suppose(down_ >= 2 && across_ >= 2, [&, this] {
      const IntTerm down = down_ - 2;
      const IntTerm across = across_ - 2;
      const IntTerm least_rows = (down_ - 1) * m_ + 1;
      know_factors(q, {down, across, least_rows});
      q.multiply_by({columns_, least_rows, m_, m_ * m_, down * m_, down * m_ * m_, across * m_,
                     across * m_ * m_, down * across * m_});
      return few();
    });
    q.claim("few waves", few());
  }

  Truth is_at_most(const Cost<IntTerm>& sum, const Most& most, const IntTerm& blocks,
                   const IntTerm& k) const {
    return w_ * sum.global.stages <= most.global_stages * blocks &&
           sum.global.rounds <= most.global_rounds * k &&
           w_ * sum.shared.stages <= most.shared_stages * k &&
           sum.shared.rounds <= most.shared_rounds * k && sum.constant.stages == 0 &&
           sum.overlap == 0;
  }
  /// The number of tiles in the first k waves.
  IntTerm tiles_before(const IntTerm& k) const {
    return k.constant() == 0 ? k : smaller(k * d_, tiles());
  }
  Wave wave(const IntTerm& k) const {
    IntTerm blocks = smaller(d_, tiles() - k * d_);
    return {blocks, ceil_div(blocks, d_)};
  }
  void know_wave(const IntTerm& k) const {
    Query& q = k.query();
    const auto [blocks, blocks_of_one] = wave(k);
    const IntTerm before = tiles_before(k);
    const IntTerm after = tiles_before(k + 1);
    know(q, [&, blocks = blocks, blocks_of_one = blocks_of_one, this] {
      q.apply(multiples_are_apart(), {d_, k, waves_});
      q.apply(multiples_are_apart(), {d_, blocks_of_one, 1});
      q.apply(multiples_are_apart(), {d_, 1, blocks_of_one});
      return blocks >= 1 && blocks_of_one == 1 && before + blocks <= after;
    });
    know_factors(q, {blocks, 1 - blocks_of_one});
  }

  IntTerm rows_;
  IntTerm columns_;
  IntTerm m_;
  IntTerm d_;
  IntTerm w_;
  IntTerm down_;
  IntTerm across_;
  IntTerm waves_;
};

}  // namespace bankproof::proofs
