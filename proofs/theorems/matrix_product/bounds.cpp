// Upper bounds on matrix products (rows X1 and X2), for all sizes, threads, widths and latencies.
#include <string>
#include <tuple>
#include <vector>

#include "../../../algorithms/matrix_product.hpp"
#include "../lists.hpp"
#include "../turns/close.hpp"
#include "../turns/matrix_sweeps.hpp"
#include "../turns/tiles.hpp"
#include "square_sweeps.hpp"

namespace bankproof::proofs {
namespace {

/// Gives the invariants of multiply_cost(kind, size, writes, p, w) for this sweep and writes ≤
/// most_writes.
void give_product(Query& q, const Sweeping& sweep, const IntTerm& w, const IntTerm& inner,
                  std::uint64_t pieces, std::uint64_t most_writes, const IntTerm& writes) {
  const auto in_turn = [=, &q](const IntTerm&, const Sweeping::Turn& turn) {
    const IntTerm warps = ceil_div(turn.columns, w);
    know_factors(q, {turn.rows, turn.reach});
    q.claim("warps of a row", w * warps <= turn.reach);
    q.multiply_by({inner * turn.rows});
    q.claim("words of a", inner * turn.rows * warps * w <= inner * turn.rows * turn.reach);
    q.multiply_by({});
    // For one k, each row of the turn reads words of b.
    q.give(OverNumbers<OfRounds>("words of b")
               .holds([=](auto& k, auto& sum) {
                 return w * sum.stages <= pieces * k * turn.rows * turn.reach && sum.rounds <= k;
               })
               .after([=, &q](auto&, auto&) {
                 q.multiply_by({w, turn.rows, turn.rows * w});
               }));
    q.give(sweep.of_rows(turn, pieces));
  };
  OverNumbers<OfRounds> turns = sweep.turns((pieces + 1) * inner + pieces * most_writes,
                                            2 * inner + writes, {.step = in_turn});
  turns.after([=, &q](auto& k, auto&) {
    const Sweeping::Turn turn = sweep.turn(k);
    q.multiply_by({inner, writes, turn.rows * turn.reach});
  });
  q.give(turns);
}

template <MachineKind machine>
Theorem product_on_one_memory() {
  const std::uint64_t pieces = pieces_on(machine);
  const std::string on = machine == MachineKind::dmm ? "DMM" : "UMM";
  return Theorem{
      .id = "X1.upper." + on,
      .source = "OPT lemma 7",
      .statement =
          "MUL-DMM takes at most 12(RKC/w + RKCl/p) for an R × K and a K × C matrix on the " + on,
      .domain = "all R, K, l, C ≥ w, w ≤ p ≤ RC"}
      .proof([=](Query& q) {
        const Sweeping::Laws laws(q);
        const auto [rows, inner, columns, p, w, l] = q.numbers(
            {{"R", 1, 5}, {"K", 1, 3}, {"C", 1, 7}, {"p", 1, 9}, {"w", 1, 4}, {"l", 1, 3}});
        q.assume(columns >= w && w <= p && p <= rows * columns);
        const Sweeping sweep(q, laws, {rows, columns, p, w});
        give_product(q, sweep, w, inner, pieces, 1, 1);
        const auto task =
            task_on(machine, "MUL-DMM", {.w = w, .l = l, .p = p},
                    {{"rows", rows}, {"inner", inner}, {"columns", columns}, {"m", 1}});
        const Cost<IntTerm> cost = MatrixProduct::cost(task);
        const IntTerm stages = (pieces + 1) * inner + pieces;
        const IntTerm rounds = 2 * inner + 1;
        q.claim("a turn", stages <= 5 * inner && rounds <= 3 * inner);
        prove_bound_of_sweep<MatrixProduct>(q, cost, task, 12, rows * columns, inner, stages,
                                            rounds);
      })
      .false_twin(prove_a_hundredth_less<ProductOnOneMemory<machine>>);
}

/// The numbers of MUL-HMM in its domain.
struct TiledProduct {
  Query& q;
  IntTerm rows = q.number("R", 1, 5);
  IntTerm inner = q.number("K", 1, 5);
  IntTerm columns = q.number("C", 1, 7);
  IntTerm m = q.number("m", 1, 4);
  IntTerm p = q.number("p", 1, 9);
  IntTerm w = q.number("w", 1, 3);
  IntTerm l = q.number("l", 1, 3);
  IntTerm L = q.number("L", 1, 5);
  IntTerm d = q.number("d", 1, 3);

  explicit TiledProduct(Query& query) : q(query) {
    q.assume(w <= m && m <= rows && m <= columns && m <= inner && w <= p && p <= m * m);
  }
  auto tie() const { return std::tie(rows, inner, columns, m, p, w, d); }
  TaskOf<IntTerm> task() const {
    return task_on(MachineKind::hmm, "MUL-HMM", {.w = w, .l = l, .L = L, .d = d, .p = p},
                   {{"rows", rows}, {"inner", inner}, {"columns", columns}, {"m", m}});
  }
};

constexpr std::uint64_t factor_of_product_tiles = 96;

/// Upper bounds on a wave. In each step a block copies a tile of a and a tile of b. At the end it
/// copies a tile of c. If turns have one row, the copy of a tile of b takes a turn for each row.
struct Wave {
  IntTerm steps;
  IntTerm copies;
  IntTerm global_stages;  ///< w times the stages of each block
  IntTerm global_rounds;
  IntTerm shared_rounds;  ///< in a turn of the sweep; the first step accesses c once less

  Wave(Query& q, const TiledProduct& of, const Sweeping& sweep)
      : steps(ceil_div(of.inner, of.m)), copies(2 * steps + 1), shared_rounds(of_step(of) * steps) {
    const auto all = [&](const IntTerm& of_sweep, const IntTerm& of_row) {
      return select(sweep.has_turns_of_one_row(), of_sweep * (steps + 1) + of_row * of.inner,
                    of_sweep * copies);
    };
    global_stages = q.define("stages_of_wave", all(2 * sweep.area(), 2 * sweep.area_of_row()));
    global_rounds = q.define("rounds_of_wave", all(sweep.count(), sweep.shape().pieces()));
  }
  static IntTerm of_step(const TiledProduct& of) { return 2 * of.m + 4; }

  /// Proves two bounds on the accesses of the wave to global memory: p times the rounds are at most
  /// 16K(m + 1), and w times the stages of one block are at most 24mK.
  void know_rounds(Query& q, const TiledProduct& of, const Sweeping& sweep) const {
    const auto& [m, p, inner] = std::tie(of.m, of.p, of.inner);
    const IntTerm turns = sweep.count();
    const IntTerm pieces = sweep.shape().pieces();
    const IntTerm most = 16 * inner * (m + 1);
    know(q, [&, m = m, p = p, inner = inner] {
      q.multiply_by({turns, steps, pieces});
      q.claim("no negative rounds", global_rounds >= 0);
      q.suppose(sweep.has_turns_of_one_row(), [&, m = m, p = p, inner = inner] {
        q.multiply_equals(p * steps, turns, m * pieces);
        q.multiply_equals(p, turns, m * pieces);
        q.multiply_by({p, p * pieces, steps * m + m + inner});
        q.claim("rounds of turns", p * global_rounds <= 4 * m * (steps * m + m + inner));
        q.multiply_by({m, inner});
        return p * global_rounds <= most;
      });
      q.suppose(!sweep.has_turns_of_one_row(), [&, m = m, p = p, inner = inner] {
        q.multiply_by({p, copies});
        q.claim("rounds of turns", 5 * p * global_rounds <= 16 * m * copies * (m + 1));
        q.multiply_by({m + 1});
        return p * global_rounds <= most;
      });
      return global_rounds >= 0 && p * global_rounds <= most;
    });
    know(q, [&, m = m, inner = inner] {
      const IntTerm most_stages = 24 * m * inner;
      q.multiply_by({sweep.area(), sweep.area() * steps, inner, inner * pieces});
      q.claim("no negative stages", global_stages >= 0);
      q.suppose(sweep.has_turns_of_one_row(), [&, m = m, inner = inner] {
        q.multiply_by({steps + 1, m * (steps + 1), inner});
        q.claim("stages of rows", global_stages <= 6 * m * (m * steps + m + inner));
        q.multiply_by({m, inner});
        return global_stages <= most_stages;
      });
      q.suppose(!sweep.has_turns_of_one_row(), [&, m = m, inner = inner] {
        q.multiply_by({copies});
        q.claim("stages of whole rows", global_stages <= 4 * m * m * copies);
        q.multiply_by({m});
        return global_stages <= most_stages;
      });
      return global_stages >= 0 && global_stages <= most_stages;
    });
    know(q, [&] {
      q.multiply_by({pieces});
      return sweep.area_of_row() >= 0;
    });
    know_factors(q, {global_stages, sweep.area_of_row()});
  }
};

/// Gives the invariants of the steps of a wave.
void give_product_steps(Query& q, const TiledProduct& of, const Tiling& tiles,
                        const Sweeping& sweep, const Wave& wave, const Tiling::Wave& of_wave) {
  const IntTerm& inner = of.inner;
  const IntTerm& m = of.m;
  const IntTerm& blocks = of_wave.blocks;
  const IntTerm of_step = Wave::of_step(of);
  const IntTerm area = sweep.area();
  const IntTerm turns = sweep.count();
  const IntTerm pieces = sweep.shape().pieces();
  const auto in_step = [=, &q](const IntTerm& k) {
    const IntTerm writes = 1 + select(k > 0, 1, 0);
    const IntTerm inside = smaller(m, inner - k * m);  // rows of b's tile
    q.apply(multiples_are_apart(), {m, k, wave.steps});
    know_factors(q, {writes, inside});
    q.multiply_by({pieces, blocks, blocks * pieces, inside * pieces, inside * blocks,
                   inside * blocks * pieces});
    const IntTerm before = smaller(k, 1);
    q.claim("accesses to c and rows of b",
            writes == 1 + before && smaller(k + 1, 1) == 1 &&
                smaller(k * m, inner) + inside == smaller((k + 1) * m, inner));
    q.claim("some turns and words", pieces * inside >= 0 && blocks * sweep.area_of_row() >= 0 &&
                                        blocks * inside * sweep.area_of_row() >= 0);
    q.multiply_by({});
    tiles.give_copy(q, sweep, blocks);
    tiles.give_copy(q, sweep, blocks, inside);
    give_product(q, sweep, of.w, m, 1, 2, writes);
  };
  const auto factors = [=](const IntTerm&) {
    return std::vector{tiles.no_more_blocks(of_wave), turns, pieces, blocks,
                       blocks * sweep.area_of_row()};
  };
  OverNumbers<Cost<IntTerm>> steps =
      tiles.of_steps({4 * area, 2 * turns, of_step * area, of_step * turns}, blocks,
                     {.step = in_step, .factors = factors});
  steps.holds([=, fewer = steps](auto& k, auto& sum) {
    const bool none = k.constant() == 0;
    const IntTerm rows = none ? k : smaller(k * m, inner);
    const IntTerm less = none ? k : smaller(k, 1);
    return fewer.statement(k, sum) && sum.shared.rounds + turns * less <= of_step * turns * k &&
           implies(sweep.has_turns_of_one_row(),
                   sum.global.rounds <= turns * k + pieces * rows &&
                       of.w * sum.global.stages <=
                           2 * blocks * (area * k + sweep.area_of_row() * rows));
  });
  q.give(steps);
}

/// Gives the invariants of the waves.
void give_product_waves(Query& q, const TiledProduct& of, const Tiling& tiles,
                        const Sweeping& sweep, const Wave& wave) {
  const IntTerm area = sweep.area();
  const IntTerm turns = sweep.count();
  const IntTerm pieces = sweep.shape().pieces();
  const IntTerm& steps = wave.steps;
  const auto factors = [=, &q](const Tiling::Wave& of_wave) {
    q.multiply_equals(of_wave.blocks, sweep.shape().rows_at_once(), 1);
    q.multiply_equals(turns, smaller(steps, 1), 1);
    return std::vector{tiles.no_more_blocks(of_wave),
                       area,
                       steps * area,
                       wave.global_stages,
                       of_wave.blocks,
                       pieces,
                       of_wave.blocks * sweep.area_of_row()};
  };
  const auto inside = [=, &q](const Tiling::Wave& of_wave) {
    tiles.give_copy(q, sweep, of_wave.blocks);
    give_product_steps(q, of, tiles, sweep, wave, of_wave);
  };
  q.give(tiles.of_waves({wave.global_stages, wave.global_rounds, (wave.shared_rounds + 1) * area,
                         wave.shared_rounds * turns},
                        {.step = inside, .factors = factors}));
}

/// Proves upper bounds on the parts of the cost, by multiplying by the number of products and by
/// m(m + 1).
void prove_product_parts(Query& q, const TiledProduct& of, const Tiling& tiles,
                         const Cost<IntTerm>& cost, const IntTerm& area, const Wave& wave) {
  const auto& [rows, inner, columns, m, p, w, d] = of.tie();
  const IntTerm& waves = tiles.waves();
  const IntTerm& copies = wave.copies;
  const IntTerm most = factor_of_product_tiles * rows * inner * columns;
  const IntTerm each = wave.shared_rounds + 1;
  q.multiply_by({m});
  q.claim("a tile",
          area <= 3 * m * m && copies * m <= 5 * inner && each * m <= 4 * inner * (m + 1) + m);
  know_factors(q, {copies, each, wave.global_rounds, wave.shared_rounds});
  q.multiply_by({wave.global_stages});
  q.claim("stages of copies", w * cost.global.stages <= wave.global_stages * tiles.tiles());
  q.multiply_by({m, tiles.tiles(), m * tiles.tiles(), inner});
  q.claim("global stages", m * w * cost.global.stages <= most);
  q.multiply_by({m * d * p, m * waves * d, inner});
  q.claim("global rounds", m * d * p * cost.global.rounds <= most);
  q.multiply_by({d, each * waves * d, m * waves * d, inner, rows * columns});
  q.claim("shared stages", d * w * cost.shared.stages <= most);
  const IntTerm square = (m + 1) * (m + 1);
  const IntTerm d_waves = d * waves;
  q.multiply_by({d * p, wave.shared_rounds * d_waves});
  q.claim("shared rounds of turns",
          d * p * cost.shared.rounds <= 4 * m * m * wave.shared_rounds * d_waves);
  q.multiply_by({Wave::of_step(of), (m + 1) * m * m * d_waves});
  q.multiply_by({square, (m + 1) * m * m * d_waves * Wave::of_step(of),
                 m * inner * Wave::of_step(of), rows * inner * columns});
  q.claim("shared rounds, times a square", square * d * p * cost.shared.rounds <= square * most);
  q.apply(multiples_are_apart(), {square, most, d * p * cost.shared.rounds});
  q.claim("shared rounds", d * p * cost.shared.rounds <= most);
}

Theorem product_by_tiles() {
  return Theorem{
      .id = "X2.upper",
      .source = "OPT theorem 8",
      .statement = "MUL-HMM takes at most " + std::to_string(factor_of_product_tiles) +
                   "(RKC/(mw) + RKCL/(mdp) + RKC/(dw) + RKCl/(dp)) for an R × K and a K × C matrix",
      .domain = "all l, L, w ≤ m ≤ R, K, C, w ≤ p ≤ m², d ≤ ⌈R/m⌉⌈C/m⌉"}
      .proof([](Query& q) {
        const Sweeping::Laws laws(q);
        const SquareLaws squares(q, laws);
        const TiledProduct of(q);
        const auto& [rows, inner, columns, m, p, w, d] = of.tie();
        const IntTerm products = rows * inner * columns;
        q.multiply_by({columns, rows * columns});
        q.claim("some products", products >= 1);
        const BoundOfLaunch<MatrixProduct> bound(
            q, of.task(), factor_of_product_tiles,
            {{{products, m * w}, {products, m * d * p}, {products, d * w}, {products, d * p}}});
        const Tiling tiles(rows, columns, m, d, w);
        q.assume(d <= tiles.tiles());
        tiles.know_bounds(q);
        know_lengths(q, inner, m);
        const Sweeping sweep(q, laws, {m, m, p, w});
        squares.apply(q, sweep);
        const Wave wave(q, of, sweep);
        know_factors(q, {sweep.area(), wave.steps, sweep.count(), sweep.shape().pieces()});
        wave.know_rounds(q, of, sweep);
        give_product_waves(q, of, tiles, sweep, wave);
        const Cost<IntTerm> cost = MatrixProduct::cost(of.task());
        prove_product_parts(q, of, tiles, cost, sweep.area(), wave);
        bound.prove(q, cost);
      })
      .false_twin(prove_a_hundredth_less<ProductByTiles>);
}

}  // namespace

std::vector<Theorem> theorems_on_matrix_products() {
  return {product_on_one_memory<MachineKind::dmm>(), product_on_one_memory<MachineKind::umm>(),
          product_by_tiles()};
}

}  // namespace bankproof::proofs
