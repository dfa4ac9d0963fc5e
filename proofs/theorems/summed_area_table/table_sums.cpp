// Invariants of the sums of accesses to summed area tables.
#include <string>
#include <utility>

#include "../turns/tight.hpp"
#include "tables.hpp"

namespace bankproof::proofs {

TableSums::TableSums(Query& q, std::string_view variant, IntTerm w, IntTerm warps, IntTerm tiles,
                     const IntTerm& L)
    : query_(q),
      w_(std::move(w)),
      warps_(std::move(warps)),
      tiles_(std::move(tiles)),
      task_(task_on(MachineKind::hmm, variant,
                    {.w = w_, .L = L, .p = w_ * warps_, .capacity = w_ * w_},
                    {{"rows", w_ * tiles_}, {"columns", w_ * tiles_}})),
      tiling_{{w_ * tiles_, w_ * tiles_}, w_},
      sweep_(q, w_, w_ * warps_) {}

void TableSums::prove_shape() const {
  query_.conclude("its shape", [&] {
    query_.multiply_by({w_});
    query_.claim("threads", task_.machine.p >= w_ && w_ * tiles_ >= w_);
    sweep_.prove_shape();
    query_.compare_multiples(w_, ceil_div(w_ * tiles_, w_), tiles_);
    query_.compare_multiples(task_.machine.p, ceil_div(w_, task_.machine.p), 1);
    const IntTerm turns = ceil_div(w_, task_.machine.p);
    return sweep_.numbers() && 0 <= turns && turns <= 1 && ceil_div(w_ * tiles_, w_) == tiles_ &&
           task_.machine.p >= w_ && w_ * tiles_ >= w_;
  });
}

void TableSums::prove_run(const Run<IntTerm>& run, const IntTerm& multiple, const IntTerm& most,
                          const Truth& where) const {
  query_.conclude("a run", [&] {
    const IntTerm stages = group_stages(run, w_);
    if (at_least_) {
      query_.multiply_by({});
      return implies(where && run.count >= 1, stages >= 1);
    }
    if (pieces_ == 1) {
      query_.compare_multiples(w_, run.address / w_, multiple);
      query_.apply(multiples_are_apart(), {w_, most, stages});
    } else {
      for (const IntTerm& first : {run.thread, run.address}) {
        query_.apply(multiples_are_apart(), {w_, most, boundaries(first, run.count, w_)});
      }
      query_.apply(multiples_are_apart(), {w_, most, 1 + boundaries(run.thread, run.count, w_)});
    }
    query_.multiply_by({w_});
    return implies(where, stages <= pieces_ * most);
  });
}

IntTerm TableSums::height(const IntTerm& y) const {
  return pieces_ == 1 ? w_ : smaller(w_, tiling_.matrix.rows - y * w_);
}
IntTerm TableSums::height_before(const IntTerm& y) const {
  return pieces_ == 1 ? y * w_ : smaller(y * w_, tiling_.matrix.rows);
}

void TableSums::give_down(const SummingOf<IntTerm>& matrix, const IntTerm& rows,
                          bool on_stairs) const {
  const auto before = [=, this](const IntTerm& k) { return smaller(k * warps_, tiles_); };
  const auto holds = [=, this](const IntTerm& k, const OfRounds& sum) {
    return sum.stages <= 2 * pieces_ * rows * before(k);
  };
  const auto give_block = [=, this](const IntTerm& k) {
    const IntTerm groups = before(k + 1) - before(k);
    query_.conclude("groups of a block", [&] {
      query_.multiply_by({warps_, w_ * warps_});
      return groups >= 0 && w_ * k * warps_ >= 0;
    });
    query_.multiply_by({rows});
    give_rows_down(matrix, k, groups, on_stairs);
  };
  query_.give(OverNumbers<OfRounds>("blocks of columns").holds(holds).step(give_block));
}

void TableSums::give_rows_down(const SummingOf<IntTerm>& matrix, const IntTerm& block,
                               const IntTerm& groups, bool on_stairs) const {
  const auto run = [=, this](const IntTerm& i, const IntTerm& begin, const IntTerm& stair,
                             const Truth& where) {
    const IntTerm first = block * task_.machine.p;
    const IntTerm from = larger(begin, first);
    const IntTerm end = smaller(matrix.end(i), first + task_.machine.p);
    const Run<IntTerm> words{i * matrix.columns + from, minus_or_zero(end, from), from - first};
    if (on_stairs) {
      query_.compare_multiples(w_, words.address / w_, i * tiles_ + stair);
      query_.compare_multiples(w_, words.thread / w_, stair - block * warps_);
    }
    prove_run(words, i * tiles_ + block * warps_, groups, where);
  };
  query_.give(
      OverNumbers<OfRounds>("rows of a block")
          .holds([=, this](auto& k, auto& sum) { return sum.stages <= 2 * pieces_ * k * groups; })
          .step([=, this](auto& k) {
            query_.multiply_equals(k, matrix.columns, tiling_.matrix.columns);
            const auto stair = [=](const IntTerm& row) { return minus_or_zero(matrix.first, row); };
            if (!on_stairs) {
              query_.claim("from the first column on", implies(k >= 1, stair(k - 1) == 0));
            }
            run(k, matrix.begin(k), stair(k), k >= 0);
            run(k, matrix.begin(k - 1), stair(k - 1), k > 0);
            query_.give(of_one("writes of a row", pieces_ * groups));
          }));
}

void TableSums::give_copy(const IntTerm& y, const IntTerm& x) const {
  query_.give(OverNumbers<OfRounds>("turns of a copy")
                  .holds([=, this](auto& k, auto& sum) {
                    return bounded(sum.stages, pieces_ * smaller(sweep_.rows_before(k), height(y)));
                  })
                  .step([=, this](auto& k) {
                    sweep_.prove_turn(k);
                    give_rows_of_copy(y, x, sweep_.shape().turn(k));
                    query_.give(
                        OverNumbers<IntTerm>("rows in shared memory").holds([](auto& row, auto&) {
                          return row >= 0;
                        }));
                  }));
}

void TableSums::give_rows_of_copy(const IntTerm& y, const IntTerm& x,
                                  const SweepTurn<IntTerm>& turn) const {
  query_.give(OverNumbers<OfRounds>("rows of a window")
                  .holds([=, this](auto& k, auto& sum) { return bounded(sum.stages, pieces_ * k); })
                  .step([=, this](auto& k) {
                    const TileWindowOf<IntTerm> window = tiling_.window(y, x);
                    const SummingOf<IntTerm>& matrix = window.matrix;
                    const IntTerm row = window.top + turn.row + k;
                    const IntTerm column = window.left + turn.column;
                    const IntTerm begin = larger(matrix.begin(row), column);
                    const IntTerm end = smaller(matrix.end(row), column + turn.columns);
                    prove_run(
                        {row * matrix.columns + begin, minus_or_zero(end, begin), begin - column},
                        row * tiles_ + x, 1, k >= 0);
                  }));
}

void TableSums::give_any_copy() const {
  query_.give(anything<OfRounds>("turns of a copy", [this](const IntTerm& k) {
    sweep_.prove_turn(k);
    query_.give(anything<OfRounds>("rows of a window"));
    query_.give(anything<IntTerm>("rows in shared memory"));
  }));
}

void TableSums::give_run(const IntTerm& address, const IntTerm& present, const IntTerm& multiple,
                         const std::function<void(const IntTerm&)>& step) const {
  const std::string name = "turns of a run";
  if (at_least_) return query_.give(anything<OfRounds>(name, step));
  const IntTerm most = smaller(present, 1);
  query_.give(of_one(name, pieces_ * most, [=, this](const IntTerm& k) {
    const IntTerm& p = task_.machine.p;
    const IntTerm start = k * p;
    const IntTerm words = smaller(smaller(p, w_ - start), minus_or_zero(present, start));
    query_.multiply_equals(p, k, 0);
    prove_run({address + start, words}, multiple, most, k >= 0);
    if (step) step(k);
  }));
}

void TableSums::give_table_of_tile() const {
  for (const auto* name : {"turns down a tile", "turns along a tile"}) {
    query_.give(of_none(
        name, [this](const IntTerm&) { query_.give(of_none("accesses to shared memory")); }));
  }
}

void TableSums::give_diagonals(const IntTerm& first) const {
  const IntTerm each = 2 * w_ + (at_least_ ? 0 : 6);
  query_.give(
      OverNumbers<Cost<IntTerm>>("diagonals")
          .holds([=, this](auto& stages, auto& sum) {
            const IntTerm k = first + stages;
            const IntTerm before = growing(first);
            const IntTerm all = 2 * sum.global.stages;
            return implies(k <= tiles_, bounded(all, each * (growing(k) - before))) &&
                   implies(k >= tiles_, bounded(all, each * (shrinking(k) - before))) &&
                   sum.launches <= stages;
          })
          .step([=, this](auto& stages) {
            const IntTerm k = first + stages;
            const auto diagonal = DiagonalOf<IntTerm>::of(k, tiling_.down(), tiling_.across());
            query_.conclude("tiles of a diagonal", [&] {
              const auto& [number, row, count] = diagonal;
              const IntTerm next = k + 1;
              query_.multiply_equals(next, next, tiles_);
              query_.multiply_equals(tiles_, next, tiles_);
              return implies(next == tiles_, growing(next) == shrinking(next)) &&
                     implies(k < tiles_, row == 0 && count == k + 1) &&
                     implies(k >= tiles_, row == k + 1 - tiles_ && count == 2 * tiles_ - 1 - k) &&
                     count >= 0;
            });
            query_.multiply_by({w_});
            give_diagonal(diagonal, each);
          }));
}

void TableSums::give_diagonal(const DiagonalOf<IntTerm>& diagonal, const IntTerm& each) const {
  query_.give(OverNumbers<OfRounds>("tiles of a diagonal")
                  .holds([=, this](auto& k, auto& sum) { return bounded(sum.stages, each * k); })
                  .step([=, this](auto& k) {
                    const IntTerm y = diagonal.row + k;
                    const IntTerm x = diagonal.k - y;
                    query_.conclude("its place", [&] {
                      query_.multiply_by({});
                      return y >= 0 && y < tiles_ && x >= 0 && x < tiles_;
                    });
                    give_tile_of_diagonal(y, x);
                  }));
}

void TableSums::give_tile_of_diagonal(const IntTerm& y, const IntTerm& x) const {
  const Truth always = IntTerm(0) == 0;
  const EdgePlacesOf<IntTerm> at(tiling_, y, x);
  give_copy(y, x);
  give_run(at.above_row, at.columns_above(), minus_or_zero(y, 1) * tiles_ + x);
  query_.give(of_none("differences along the top"));
  give_run(at.left_row, at.rows_left(), minus_or_zero(x, 1) * tiles_ + y);
  query_.give(of_none("differences along the left"));
  give_table_of_tile();
  give_run(at.own_bottom, select(always && at.below, at.columns, 0), y * tiles_ + x);
  give_run(at.own_right, select(always && at.right, at.rows, 0), x * tiles_ + y);
  give_copy(y, x);
}

namespace {

Truth costs_at_most(const Cost<IntTerm>& accesses, const TaskOf<IntTerm>& task,
                    const BoundOf<IntTerm>& bound) {
  return is_at_most(global_access_cost(accesses, task.machine), bound.factor, bound);
}

}  // namespace

Truth TableSums::is_bounded(const Cost<IntTerm>& accesses) const {
  return costs_at_most(accesses, task_, *SummedAreaTable::global_cost_upper(task_));
}

}  // namespace bankproof::proofs
