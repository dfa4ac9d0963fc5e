// Upper bounds on transposes in tiles (row H3), for all sizes, threads, widths and latencies.
#include <optional>

#include "../lists.hpp"
#include "../turns/close.hpp"
#include "transposes.hpp"

namespace bankproof::proofs {
namespace {

/// A transpose of R/w × C/w whole tiles.
struct TransposeOfTiles {
  IntTerm w, l, L, d, p, down, across, capacity;

  TransposeOfTiles(Query& q, IntTerm width, IntTerm threads)
      : w(std::move(width)),
        l(q.number("l", 1, 3)),
        L(q.number("L", 1, 5)),
        d(q.number("d", 1, 2)),
        p(std::move(threads)),
        down(q.number("R/w", 1, 2)),
        across(q.number("C/w", 1, 3)),
        capacity(q.number("capacity", 1, 12)) {}
  TaskOf<IntTerm> task() const {
    return task_on(MachineKind::hmm, "diagonal",
                   {.w = w, .l = l, .L = L, .d = d, .p = p, .capacity = capacity},
                   {{"rows", w * down}, {"columns", w * across}});
  }
  WholeTiles tiles() const { return {w, down, across}; }
};

/// The printed time: 2(n/w + L − 1) + 2(n/(dw) + l − 1).
Truth takes_the_printed_time(const IntTerm& time, const IntTerm& n,
                             const MachineParametersOf<IntTerm>& of) {
  const IntTerm dw = of.d * of.w;
  return dw * time == 2 * (of.d * n + n) + 2 * dw * (of.L - 1) + 2 * dw * (of.l - 1);
}

Theorem printed_transpose() {
  return Theorem{
      .id = "H3.time",
      .source = "THS 5.3",
      .statement =
          "the transpose in diagonal arrangement takes 2(n/w + L - 1) + 2(n/(dw) + l - 1), 4n/w + "
          "2L - 2 for d = l = 1",
      .domain = "all w, l, L, d, sides that w divides, d | n/w², dp ≥ n, with room for all tiles"}
      .proof([](Query& q) {
        const TransposeOfTiles of(q, q.number("w", 1, 2), q.number("p", 1, 12));
        const auto task = of.task();
        const auto [w, d] = std::pair(of.w, of.d);
        // The number of tiles of each DMM.
        const IntTerm each = q.number("tiles/d", 1, 3);
        q.assume(of.down * of.across == d * each);
        q.assume(of.p >= w * w * each && of.capacity >= w * w * each);
        std::optional<TransposeSums> sums;
        q.conclude("a wave of a turn", [&] {
          const auto matrix = Transpose::matrix_of(task);
          sums.emplace(q, task.machine, matrix, matrix.threads(of.p), of.down, of.across);
          of.tiles().prove(q);
          sums->prove_one_wave(each);
          return sums->has_one_wave(each) && of.tiles().are_whole();
        });
        q.multiply_by({w});
        sums->give_exactly();
        const Cost<IntTerm> cost = Transpose::cost(task);
        q.multiply_by({w, w * sums->tiles_of_a_dmm()});
        q.claim("its rounds", cost.global.stages == 2 * w * d * each && cost.global.rounds == 2 &&
                                  cost.shared.stages == 2 * w * each && cost.shared.rounds == 2);
        q.multiply_by({d * w, w * w, d * w * w, of.L - 1, of.l - 1});
        q.multiply_by({d * w, w * w, d * w * w, d * w * (of.L - 1), d * w * (of.l - 1)});
        const IntTerm time = lockstep_time(cost, task.machine);
        q.claim("the time",
                takes_the_printed_time(time, w * of.down * w * of.across, task.machine));
      })
      .false_twin([](Query& q) {
        const auto task =
            task_on(MachineKind::hmm, "diagonal", {.w = 2, .l = 1, .L = 5, .p = 4, .capacity = 4},
                    {{"rows", 2}, {"columns", 2}});
        q.claim("the time", takes_the_printed_time(time_of<Transpose>(task) + 1, 4, task.machine));
      });
}

/// Proves that each DMM processes one tile at a time, with p ≤ w² threads, whether or not p is a
/// multiple of w.
void prove_one_at_a_time(Query& q, const TransposeSums& sums, const TaskOf<IntTerm>& task) {
  const auto [w, p] = std::pair(task.machine.w, task.machine.p);
  const IntTerm block = rounded_up(sums.threads(), w);
  q.compare_multiples(w, ceil_div(sums.threads(), w), ceil_div(p, w));
  q.claim("threads", sums.threads() == p && ceil_div(sums.threads(), w) == ceil_div(p, w));
  q.compare_multiples(block, rounded_up(p, w) / block, 1);
  q.multiply_by({w});
  q.claim("a block", block >= p && rounded_up(p, w) == block);
  q.claim("a slot", sums.slots() == 1);
  q.multiply_equals(task.machine.d, sums.slots(), 1);
}

Theorem full() {
  return Theorem{
      .id = "H3.upper.full",
      .source = "THS 5.3",
      .statement =
          "the transpose in diagonal arrangement takes at most 2(n/w + n/(dw) + nL/(dp) + nl/(dp))",
      .domain = "all w, l, L, d, p and sides: w divides the sides and p, p divides w², d | n/w²"}
      .proof([](Query& q) {
        const auto [rows, turns] = q.numbers({{"p/w", 1, 1}, {"turns", 1, 2}});
        const TransposeOfTiles of(q, rows * turns, rows * turns * rows);
        const auto task = of.task();
        const auto [w, p, d] = std::tuple(of.w, of.p, of.d);
        const IntTerm each = q.number("tiles/d", 1, 3);
        q.assume(of.down * of.across == d * each);
        std::optional<TransposeSums> sums;
        q.conclude("full waves and turns", [&, w = w, p = p, d = d] {
          q.multiply_by({rows, turns, rows * turns, rows * rows * turns, d});
          q.claim("whole warps", w >= rows && p >= w && w * w >= p && d * each >= d);
          const auto matrix = Transpose::matrix_of(task);
          sums.emplace(q, task.machine, matrix, matrix.threads(of.p), of.down, of.across);
          prove_one_at_a_time(q, *sums, task);
          sums->sweep().prove_shape();
          of.tiles().prove(q);
          q.claim("all tiles", sums->tiles() == d * each && sums->tiles() >= 1);
          q.compare_multiples(w, sums->rows(), rows);
          q.claim("rows in a turn", sums->rows() == rows);
          q.multiply_equals(sums->turns(), sums->rows(), rows);
          q.compare_multiples(rows, sums->turns(), turns);
          q.claim("turns", sums->turns() == turns);
          q.multiply_equals(sums->waves(), d * sums->slots(), d);
          q.compare_multiples(d, sums->waves(), each);
          q.claim("waves", sums->waves() == each && sums->tiles_of_a_dmm() <= 1);
          q.multiply_equals(turns, sums->waves(), each);
          q.multiply_equals(sums->waves(), sums->turns(), turns);
          return sums->numbers() && of.tiles().are_whole() && sums->tiles() == d * each &&
                 sums->waves() == each && sums->waves() * sums->turns() == each * turns &&
                 sums->tiles_of_a_dmm() <= 1;
        });
        q.multiply_by({w});
        sums->give_invariants(1);
        const Cost<IntTerm> cost = Transpose::cost(task);
        q.multiply_by({w, w * sums->waves()});
        q.claim("its rounds",
                cost.global.stages <= 2 * w * d * each && cost.global.rounds <= 2 * each * turns &&
                    cost.shared.stages <= 2 * w * each && cost.shared.rounds <= 2 * each * turns);
        const IntTerm L = of.L - 1;
        const IntTerm l = of.l - 1;
        const IntTerm all = d * d * d * w * w * p * p;
        const IntTerm wide = d * d * w * w * w * w * p;
        q.multiply_by({l, L});
        q.multiply_by({all, all * L, all * l, all * w, d * d * w * w * w * p * p, wide, wide * L,
                       wide * l, d * wide});
        q.claim("the bound", is_bounded<Transpose>(lockstep_time(cost, task.machine), task, 2));
      })
      .false_twin(prove_a_hundredth_less<TransposeOfWholeTiles>);
}

/// For n words and sides of at least w, d times the number of waves is at most 6n/w². The worst
/// case is four tiles for little more than w² words, in two waves on three DMMs.
Truth words_of_waves(Query& q, const TransposeSums& sums, const MachineParametersOf<IntTerm>& m) {
  const auto [w, d] = std::pair(m.w, m.d);
  const auto [rows, columns] = std::pair(sums.matrix().rows, sums.matrix().columns);
  const IntTerm down = ceil_div(rows, w);
  const IntTerm across = ceil_div(columns, w);
  const IntTerm waves = sums.waves();
  const auto claim = [&] { return w * w * d * waves <= 6 * rows * columns; };
  q.multiply_by({w});
  for (const IntTerm& side : {down, across}) q.compare_multiples(w, side, 1);
  q.claim("tiles of sides",
          down >= 1 && across >= 1 && w * down <= 2 * rows && w * across <= 2 * columns);
  q.multiply_by({down, w * across, rows});
  const Truth tiles = down * across >= 1 && w * w * down * across <= 4 * rows * columns;
  q.claim("tiles", tiles);
  q.multiply_equals(waves, d * sums.slots(), d);
  q.claim("waves", d * waves < down * across + d);
  q.suppose(waves <= 1, [&] {
    q.multiply_by({d, w * w, w * w * d});
    return claim();
  });
  q.suppose(waves > 1, [&] {
    q.multiply_by({d});
    q.claim("waves of all DMMs", d * waves <= 2 * (down * across - 1));
    q.suppose(down == 1, [&] {
      q.multiply_equals(across, down, 1);
      q.multiply_by({w, w * w, columns});
      return claim();
    });
    q.suppose(across == 1, [&] {
      q.multiply_equals(down, across, 1);
      q.multiply_by({w, w * w, rows});
      return claim();
    });
    q.suppose(down > 1 && across > 1, [&] {
      q.multiply_by({across - 2});
      q.claim("inner tiles", down * across - 1 <= 3 * (down - 1) * (across - 1));
      q.multiply_by({w * (across - 1), rows});
      q.claim("words", w * w * (down - 1) * (across - 1) <= rows * columns);
      q.multiply_by({w * w});
      return claim();
    });
    return claim();
  });
  return claim() && tiles;
}

/// p times the turns of a tile is at most 2w².
Truth threads_of_turns(Query& q, const TransposeSums& sums, const MachineParametersOf<IntTerm>& m) {
  const auto [w, p] = std::pair(m.w, m.p);
  const IntTerm rows = sums.rows();
  const IntTerm turns = sums.turns();
  q.apply(multiples_are_apart(), {w, w, rows});
  q.claim("rows", rows <= w);
  const auto claim = [&] { return p * turns <= 2 * w * w; };
  q.suppose(rows >= w, [&] {
    q.multiply_equals(turns, rows, w);
    q.compare_multiples(w, turns, 1);
    q.claim("a turn", turns <= 1);
    q.multiply_by({p});
    return claim();
  });
  q.suppose(rows < w, [&] {
    q.multiply_by({rows * turns, w * rows + w - 1});
    q.claim("threads of all turns", rows * turns * p <= (w + rows - 1) * (w * rows + w - 1));
    q.multiply_by({rows - 1, w * (rows - 1)});
    q.claim("words", (w + rows - 1) * (w * rows + w - 1) <= 2 * rows * w * w);
    q.apply(multiples_are_apart(), {rows, 2 * w * w, turns * p});
    return claim();
  });
  return claim();
}

Theorem general() {
  return Theorem{
      .id = "H3.upper",
      .source = "THS 5.3",
      .statement =
          "the transpose in diagonal arrangement takes at most 24(n/w + n/(dw) + nL/(dp) + "
          "nl/(dp))",
      .domain = "all w, l, L, sides and tiles, w ≤ p ≤ w², a tile for each DMM, sides ≥ w"}
      .proof([](Query& q) {
        const auto [w, p, d] =
            std::tuple(q.number("w", 1, 3), q.number("p", 1, 5), q.number("d", 1, 3));
        const auto [rows, columns] = std::pair(q.number("rows", 1, 4), q.number("columns", 1, 4));
        const auto task = task_on(MachineKind::hmm, "diagonal",
                                  {.w = w,
                                   .l = q.number("l", 1, 3),
                                   .L = q.number("L", 1, 5),
                                   .d = d,
                                   .p = p,
                                   .capacity = q.number("capacity", 1, 9)},
                                  {{"rows", rows}, {"columns", columns}});
        const auto matrix = Transpose::matrix_of(task);
        const Truth domain =
            p >= w && p <= w * w && matrix.tiles() >= d && rows >= w && columns >= w;
        q.conclude("its domain", [&] { return implies(Transpose::upper(task)->domain, domain); });
        q.assume(domain);
        const IntTerm n = rows * columns;
        std::optional<TransposeSums> sums;
        IntTerm waves;
        q.conclude("waves and turns", [&, w = w, p = p, d = d, rows = rows, columns = columns] {
          sums.emplace(q, task.machine, matrix, matrix.threads(p), ceil_div(rows, w),
                       ceil_div(columns, w));
          prove_one_at_a_time(q, *sums, task);
          sums->sweep().prove_shape();
          waves = sums->waves();
          q.conclude("words of waves", [&] { return words_of_waves(q, *sums, task.machine); });
          q.conclude("threads of turns", [&] { return threads_of_turns(q, *sums, task.machine); });
          q.multiply_by({d, d * waves});
          q.claim("all turns", d * p * waves * sums->turns() <= 12 * n);
          return sums->numbers() && sums->tiles_of_a_dmm() <= 1 && w * w * sums->tiles() <= 4 * n &&
                 w * w * d * waves <= 6 * n && d * p * waves * sums->turns() <= 12 * n;
        });
        q.multiply_by({w});
        sums->give_invariants(2);
        const Cost<IntTerm> cost = Transpose::cost(task);
        const IntTerm most = 24 * n;
        q.multiply_by({d, p, waves});
        q.multiply_by({w, w * w, d * w, d * p, d * w * w * waves});
        q.claim("its rounds", w * cost.global.stages <= most &&
                                  d * p * cost.global.rounds <= most &&
                                  d * w * cost.shared.stages <= most &&
                                  d * p * cost.shared.rounds <= most && n >= 0);
        const IntTerm L = task.machine.L - 1;
        const IntTerm l = task.machine.l - 1;
        const IntTerm wide = d * d * w * w * p;
        q.multiply_by({L, l, p});
        q.multiply_by(
            {d * wide * p, d * d * d * w * p * p, d * d * w * p * p, wide, wide * L, wide * l});
        q.claim("the bound", is_bounded<Transpose>(lockstep_time(cost, task.machine), task, 24));
      })
      .false_twin(prove_a_hundredth_less<TransposeJustAboveATile>);
}

}  // namespace

std::vector<Theorem> theorems_on_transposes() { return {printed_transpose(), full(), general()}; }

}  // namespace bankproof::proofs
