// How long matrix products take at most (rows X1 and X2), for all sizes, threads, widths and
// latencies.
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "../../../algorithms/matrix_product.hpp"
#include "../times.hpp"
#include "matrix_sweeps.hpp"
#include "tiles.hpp"

namespace bankproof::proofs {
namespace {

/// Gives the invariants of multiply_cost(kind, size, writes, p, w), of which the sweep is, for at
/// most so many writes.
void give_product(Query& q, const Sweeping& sweep, const IntTerm& w, const IntTerm& inner,
                  std::uint64_t pieces, std::uint64_t most_writes, const Later& writes) {
  const IntTerm most(most_writes);
  q.give_invariant(sweep.turns([=] { return IntTerm(pieces + 1) * inner + IntTerm(pieces) * most; },
                               IntTerm(2) * inner + most,
                               [=, &q] {
                                 const auto [rows, reach] = std::pair(sweep.rows(), sweep.reach());
                                 const IntTerm warps = ceil_div(sweep.columns(), w);
                                 know_factors(q, {rows, reach});
                                 q.prove("warps of a row", w * warps <= reach);
                                 q.multiply_by({inner * rows});
                                 q.prove("words of a",
                                         inner * rows * warps * w <= inner * rows * reach);
                                 q.multiply_by({});
                               },
                               [=] {
                                 return std::vector{inner, writes(), sweep.rows() * sweep.reach()};
                               }));
  // The words of b of one k, for each row of the turn.
  q.give_invariant(with_factors<OfRounds>(
      [=] { return std::vector{sweep.rows()}; },
      [=](const IntTerm& k, const OfRounds& sum) {
        return w * sum.stages <= IntTerm(pieces) * k * sweep.rows() * sweep.reach() &&
               sum.rounds <= k;
      }));
  q.give_invariant(sweep.of_one_row(pieces));
  q.give_invariant(sweep.of_rows(pieces));
}

Theorem product_on_one_memory(MachineKind machine) {
  const std::uint64_t pieces = pieces_on(machine);
  const std::string on = machine == MachineKind::dmm ? "DMM" : "UMM";
  return {.id = "X1.upper." + on,
          .source = "OPT lemma 7",
          .statement =
              "MUL-DMM takes at most 12(RKC/w + RKCl/p) for an R × K and a K × C matrix on "
              "the " +
              on,
          .domain = "all R, K, l, C ≥ w, w ≤ p ≤ RC",
          .proof =
              [=](Query& q) {
                const Sweeping::Laws laws(q);
                const IntTerm one(1);
                const IntTerm rows = q.number("R", 1, 5);
                const IntTerm inner = q.number("K", 1, 3);
                const IntTerm columns = q.number("C", 1, 7);
                const IntTerm p = q.number("p", 1, 9);
                const IntTerm w = q.number("w", 1, 4);
                const IntTerm l = q.number("l", 1, 3);
                q.assume(columns >= w && w <= p && p <= rows * columns);
                const Sweeping sweep(q, laws, {rows, columns, p, w});
                give_product(q, sweep, w, inner, pieces, 1, [] { return IntTerm(1); });
                const auto task =
                    task_on(machine, "MUL-DMM", {.w = w, .l = l, .p = p},
                            {{"rows", rows}, {"inner", inner}, {"columns", columns}, {"m", one}});
                const Cost<IntTerm> cost = MatrixProduct::cost(task);
                const IntTerm stages = IntTerm(pieces + 1) * inner + IntTerm(pieces);
                const IntTerm rounds = IntTerm(2) * inner + one;
                q.prove("a turn", stages <= IntTerm(5) * inner && rounds <= IntTerm(3) * inner);
                prove_bound_of_sweep<MatrixProduct>(q, cost, task, 12, rows * columns, inner,
                                                    stages, rounds);
              },
          .false_twin =
              [=](Query& q) {
                const IntTerm one(1);
                const auto task =
                    task_on(machine, "MUL-DMM", {.w = one, .l = IntTerm(1000), .p = one},
                            {{"rows", one}, {"inner", one}, {"columns", one}, {"m", one}});
                q.prove("the bound", takes_at_most<MatrixProduct>(task, 2));
              }};
}

/// The numbers of MUL-HMM, in its domain.
struct Tiled {
  IntTerm rows;
  IntTerm inner;
  IntTerm columns;
  IntTerm m;
  IntTerm p;
  IntTerm w;
  IntTerm l;
  IntTerm L;
  IntTerm d;

  explicit Tiled(Query& q)
      : rows(q.number("R", 1, 5)),
        inner(q.number("K", 1, 5)),
        columns(q.number("C", 1, 7)),
        m(q.number("m", 1, 4)),
        p(q.number("p", 1, 9)),
        w(q.number("w", 1, 3)),
        l(q.number("l", 1, 3)),
        L(q.number("L", 1, 5)),
        d(q.number("d", 1, 3)) {
    q.assume(w <= m && m <= rows && m <= columns && m <= inner && w <= p && p <= m * m);
  }
  auto tie() const { return std::tie(rows, inner, columns, m, p, w, d); }
  TaskOf<IntTerm> task() const {
    return task_on(MachineKind::hmm, "MUL-HMM", {.w = w, .l = l, .L = L, .d = d, .p = p},
                   {{"rows", rows}, {"inner", inner}, {"columns", columns}, {"m", m}});
  }
};

constexpr std::uint64_t factor_of_tiles = 120;

/// Gives the invariants of the waves: a block copies two tiles in each step, and one in the end.
void give_waves(Query& q, const Tiled& of, const Tiling& tiles, const Sweeping& sweep,
                const IntTerm& copies, const IntTerm& shared_rounds) {
  const auto [one, two] = std::pair(IntTerm(1), IntTerm(2));
  const IntTerm of_step = two * of.m + IntTerm(4);
  const IntTerm area = sweep.area();
  const IntTerm turns = sweep.count();
  const IntTerm steps = ceil_div(of.inner, of.m);
  q.give_invariant(tiles.of_waves(
      {two * copies * area, copies * turns, shared_rounds * area, shared_rounds * turns}, [=] {
        return std::vector{tiles.no_more_blocks(), area, steps * area};
      }));
  tiles.give_copy(q, sweep);
  const auto writes = std::make_shared<IntTerm>();
  q.give_invariant(tiles.of_steps(
      {IntTerm(4) * area, two * turns, of_step * area, of_step * turns},
      [=, &q](const IntTerm& k) {
        *writes = select(k == IntTerm(0), one, two);
        know_factors(q, {*writes});
      },
      [=] { return std::vector{tiles.no_more_blocks()}; }));
  tiles.give_copy(q, sweep);
  tiles.give_copy(q, sweep);
  give_product(q, sweep, of.w, of.m, 1, 2, [=] { return *writes; });
}

/// What the parts of the cost come to at most, in products and m(m + 1) times.
void prove_parts(Query& q, const Tiled& of, const Tiling& tiles, const Cost<IntTerm>& cost,
                 const IntTerm& area, const IntTerm& copies, const IntTerm& shared_rounds) {
  const auto& [rows, inner, columns, m, p, w, d] = of.tie();
  const IntTerm steps = ceil_div(inner, m);
  const IntTerm& waves = tiles.waves();
  const IntTerm most = IntTerm(factor_of_tiles) * rows * inner * columns;
  q.multiply_by({m});
  q.prove("a tile", area <= IntTerm(3) * m * m && copies * m <= IntTerm(5) * inner &&
                        shared_rounds * m <= IntTerm(4) * inner * (m + IntTerm(1)) + m);
  know_factors(q, {copies, shared_rounds});
  q.multiply_by({area, steps * area, copies * tiles.tiles()});
  q.prove("stages of copies",
          w * cost.global.stages <= IntTerm(6) * copies * m * m * tiles.tiles());
  q.multiply_by({m, inner, m * m * tiles.tiles()});
  q.prove("global stages", m * w * cost.global.stages <= most);
  q.multiply_by({m * d * p, copies * waves * d * m, m * m * waves * d, inner});
  q.prove("global rounds", m * d * p * cost.global.rounds <= most);
  q.multiply_by({d, shared_rounds * waves * d, m * waves * d, inner, rows * columns});
  q.prove("shared stages", d * w * cost.shared.stages <= most);
  q.multiply_by({d * p, shared_rounds * waves * d, m * waves * d, inner, rows * columns});
  q.prove("shared rounds", d * p * cost.shared.rounds <= most);
}

Theorem product_by_tiles() {
  return {
      .id = "X2.upper",
      .source = "OPT theorem 8",
      .statement = "MUL-HMM takes at most " + std::to_string(factor_of_tiles) +
                   "(RKC/(mw) + RKCL/(mdp) + RKC/(dw) + RKCl/(dp)) for an R × K and a K × C "
                   "matrix",
      .domain = "all l, L, w ≤ m ≤ R, K, C, w ≤ p ≤ m², d ≤ ⌈R/m⌉⌈C/m⌉",
      .proof =
          [](Query& q) {
            const Sweeping::Laws laws(q);
            const Tiled of(q);
            const auto& [rows, inner, columns, m, p, w, d] = of.tie();
            const IntTerm products = rows * inner * columns;
            q.multiply_by({columns, rows * columns});
            q.prove("some products", products >= IntTerm(1));
            const BoundOfLaunch<MatrixProduct> bound(
                q, of.task(), factor_of_tiles,
                {{{products, m * w}, {products, m * d * p}, {products, d * w}, {products, d * p}}});
            const Tiling tiles(rows, columns, m, d, w);
            q.assume(d <= tiles.tiles());
            tiles.know_bounds(q);
            know_lengths(q, inner, m);
            const Sweeping sweep(q, laws, {m, m, p, w});
            const IntTerm steps = ceil_div(inner, m);
            know_factors(q, {sweep.area(), steps});
            const IntTerm copies = IntTerm(2) * steps + IntTerm(1);
            const IntTerm shared_rounds =
                (IntTerm(2) * m + IntTerm(4)) * steps + IntTerm(1);  // in a sweep's turn
            give_waves(q, of, tiles, sweep, copies, shared_rounds);
            const Cost<IntTerm> cost = MatrixProduct::cost(of.task());
            prove_parts(q, of, tiles, cost, sweep.area(), copies, shared_rounds);
            bound.prove(q, cost);
          },
      .false_twin =
          [](Query& q) {
            const IntTerm one(1);
            const auto task =
                task_on(MachineKind::hmm, "MUL-HMM",
                        {.w = one, .l = one, .L = IntTerm(1000), .d = one, .p = one},
                        {{"rows", one}, {"inner", one}, {"columns", one}, {"m", one}});
            q.prove("the bound", takes_at_most<MatrixProduct>(task, 2));
          }};
}

}  // namespace

std::vector<Theorem> theorems_on_matrix_products() {
  return {product_on_one_memory(MachineKind::dmm), product_on_one_memory(MachineKind::umm),
          product_by_tiles()};
}

}  // namespace bankproof::proofs
