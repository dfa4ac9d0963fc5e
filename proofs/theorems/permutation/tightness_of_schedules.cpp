// The upper bound on scheduled permutations is tight (row H6): the times of all members of a family
// of tasks come near to it. Rows and tiles need more threads than there are, so each takes two
// turns.
#include "../lists.hpp"
#include "../turns/row_by_row.hpp"
#include "../turns/sweeps.hpp"
#include "../turns/tight.hpp"

namespace bankproof::proofs {
namespace {

/// A member of the family, and facts about it.
class Member {
 public:
  explicit Member(Query& q)
      : query_(q),
        task_(PermutationBySchedule::task(
            q.number("w", PermutationBySchedule::row.least, PermutationBySchedule::row.least))),
        matrix_(PermutesBySchedule::matrix_of(task_)),
        rows_{matrix_.rows, matrix_.columns, matrix_.w},
        block_(rows_.threads(task_.machine.p)),
        threads_(matrix_.threads(task_.machine.p)),
        tile_(q, matrix_.w, threads_) {}

  const TaskOf<IntTerm>& task() const { return task_; }

  /// Proves that one block runs at a time, in two turns.
  void know_turns() const {
    const IntTerm& w = matrix_.w;
    const IntTerm& p = task_.machine.p;
    const IntTerm& side = matrix_.rows;
    Query& q = query_;
    q.conclude("waves and turns", [&] {
      q.multiply_by({w});
      q.claim("threads", p >= w && p < side && threads_ == p);
      q.compare_multiples(w, ceil_div(side, w), w);
      q.compare_multiples(w, ceil_div(p, w), w - 1);
      q.compare_multiples(w, p / w, w - 1);
      q.claim("warps", ceil_div(side, w) == w && ceil_div(p, w) == w - 1 && p / w == w - 1);
      q.multiply_equals(w, ceil_div(side, w), w);
      q.multiply_equals(w, ceil_div(p, w), w - 1);
      q.multiply_equals(w, p / w, w - 1);
      q.multiply_equals(ceil_div(side, w), ceil_div(side, w), w);
      q.claim("a block", block_ == p && rounded_up(p, w) == p && matrix_.tiles() == side);
      for (const auto& [of, words] :
           {std::pair(block_, rows_.shared_words()), std::pair(threads_, matrix_.shared_words())}) {
        const IntTerm fit = rounded_up(p, w) / rounded_up(of, w);
        q.multiply_equals(w, ceil_div(of, w), w - 1);
        q.compare_multiples(w, ceil_div(of, w), w - 1);
        q.claim("warps of a block", ceil_div(of, w) == w - 1 && rounded_up(of, w) == p);
        q.multiply_equals(fit, rounded_up(of, w), p);
        q.compare_multiples(p, fit, 1);
        q.claim("a block at a time", fit == 1 && task_.machine.slots(of, words) == 1);
      }
      const IntTerm waves = waves_of_rows();
      q.multiply_equals(waves, task_.machine.slots(block_, rows_.shared_words()), 1);
      q.multiply_equals(waves_of_tiles(), slots(), 1);
      q.compare_multiples(block_, pieces(), 2);
      q.multiply_equals(pieces(), block_, p);
      q.compare_multiples(p, pieces(), 2);
      q.claim("waves", waves == side && waves_of_tiles() == side && pieces() == 2);
      q.multiply_equals(waves, pieces(), 2);
      tile_.prove_shape();
      q.compare_multiples(w, tile_.rows(), w - 1);
      q.claim("rows of a turn", tile_.rows() == w - 1);
      q.multiply_equals(tile_.turns(), tile_.rows(), w - 1);
      q.compare_multiples(w - 1, tile_.turns(), 2);
      return tile_.numbers() && tile_.rows() == w - 1 && tile_.turns() == 2 &&
             waves_of_tiles() == side && waves == side && pieces() == 2 &&
             waves * pieces() == 2 * side && slots() == 1 && matrix_.tiles() == side &&
             ceil_div(side, task_.machine.d) == side && threads_ == p && side >= 1 && p >= w;
    });
  }

  /// Gives the invariants of a transpose.
  void give_transpose() const {
    Query& q = query_;
    const auto give_copies = [*this, &q](const IntTerm& wave) {
      q.multiply_equals(wave, slots(), 1);
      for (int copies = 0; copies < 2; ++copies) {
        give_windows(q);
        give_tile();
      }
    };
    q.give(OverNumbers<Cost<IntTerm>>("waves")
               .holds([](auto& k, auto& sum) {
                 return sum.shared.rounds >= 4 * k && sum.overlap == 0;
               })
               .step(give_copies));
  }

 private:
  IntTerm waves_of_rows() const {
    return ceil_div(ceil_div(rows_.rows, task_.machine.d),
                    task_.machine.slots(block_, rows_.shared_words()));
  }
  /// How many blocks of a transpose run at the same time.
  IntTerm slots() const { return task_.machine.slots(threads_, matrix_.shared_words()); }
  IntTerm waves_of_tiles() const { return ceil_div(matrix_.tiles(), task_.machine.d * slots()); }
  /// Turns of a row.
  IntTerm pieces() const { return ceil_div(rows_.columns, block_); }

  void give_tile() const {
    query_.give(OverNumbers<OfRounds>("turns of a tile")
                    .holds([](auto& k, auto& sum) { return sum.rounds >= k; })
                    .step([*this](auto& k) {
                      tile_.prove_turn(k);
                      query_.give(of_stages());
                    }));
  }

  Query& query_;
  TaskOf<IntTerm> task_;
  TransposingOf<IntTerm> matrix_;
  PermutingRowsOf<IntTerm> rows_;
  IntTerm block_;    ///< threads of a row's block
  IntTerm threads_;  ///< threads of a tile's block
  SweepSums tile_;
};

Theorem tight_schedule() {
  using Family = PermutationBySchedule;
  return tight<Family>([](Query& q) {
    const Member member(q);
    member.know_turns();
    member.give_transpose();
    member.give_transpose();
    const auto& task = member.task();
    const Cost<IntTerm> cost = Family::Algorithm::cost(task);
    const IntTerm time = lockstep_time(cost, task.machine);
    const IntTerm& w = task.machine.w;
    const IntTerm& p = task.machine.p;
    const IntTerm more = task.machine.l - 1;
    q.claim("its rounds", cost.shared.rounds >= 32 * w * w);
    const IntTerm& side = task.sizes["side"];
    const IntTerm of_a_dmm = ceil_div(side, task.machine.d);
    q.multiply_by({side, of_a_dmm});
    q.claim("its stages", side * side >= 0 && cost.global.stages + cost.shared.stages >= 0);
    q.multiply_by({more});
    q.claim("the time", time >= 32 * w * w * more);
    q.multiply_by({p});
    std::vector<IntTerm> factors = powers(w, 1, 8);
    factors.push_back(w * w * p * p);
    q.multiply_by(factors);
    q.claim("near", comes_near<Family>(time, task));
  });
}

}  // namespace

std::vector<Theorem> theorems_on_tightness_of_schedules() { return {tight_schedule()}; }

}  // namespace bankproof::proofs
