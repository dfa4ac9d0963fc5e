// The upper bounds on the global memory access costs of summed area tables are tight (rows A2 to
// A7): the costs of all members of families of tasks come near to them.
//
// For the families whose members are numbered by w, the proofs count only the copies of tiles. The
// more tiles there are, the deeper the recursion of 2R1W.
#include <utility>
#include <vector>

#include "../lists.hpp"
#include "../turns/tight.hpp"
#include "hybrid.hpp"

namespace bankproof::proofs {
namespace {

/// A member of a family numbered by w, for lower bounds on its sums.
template <class Family>
TableSums least_of(Query& q) {
  const IntTerm w = q.number("w", Family::row.least, Family::row.least);
  const TableSums sums(q, Family::task(w).variant, w, 1, q.number("side/w", 1, 3), 1);
  sums.prove_shape();
  return sums.at_least();
}

/// Proves that a member with at least `least` stages comes near its bound.
template <class Family>
void prove_table_near(Query& q, const TableSums& sums, const TaskOf<IntTerm>& task,
                      const Cost<IntTerm>& cost, const IntTerm& least) {
  const auto [w, tiles] = std::pair(sums.w(), sums.tiles());
  const IntTerm down = sums.tiling().down();
  for (const IntTerm& factor : {down, tiles}) q.multiply_equals(factor, down, tiles);
  for (const IntTerm& number : {down * down, down * tiles}) {
    q.multiply_equals(w, number, tiles * tiles);
  }
  q.multiply_by({w});
  q.claim("copies", cost.global.stages >= least);
  const IntTerm w3 = w * w * w;
  const IntTerm some = w3 * tiles * tiles;
  const std::vector<IntTerm> powers = {w3, some, some * w, some * w * w, some * w3, w3 * w3};
  q.conclude("products of numbers above zero", [&, w = w, tiles = tiles] {
    q.multiply_by({w, tiles, w * w, w * tiles, w3 * tiles});
    q.claim("three factors", w3 >= 1 && w3 * tiles >= 1);
    q.multiply_by({w, w * w, w3, tiles, w3 * tiles});
    q.claim("five", some >= 1);
    q.multiply_by(powers);
    return some >= 1 && some * w >= some && some * w * w >= some;
  });
  q.multiply_by(powers);
  q.claim("near", comes_near<Family>(cost.global.stages, task));
}

Theorem tight_in_one_pass() {
  using Family = TableInOnePass;
  return tight<Family>([](Query& q) {
    const TableSums sums = least_of<Family>(q);
    const IntTerm& w = sums.w();
    q.multiply_by({w, sums.tiles()});
    sums.give_diagonals();
    const auto task = Family::of(w, sums.tiles());
    const Cost<IntTerm> cost = SummedAreaTable::global_accesses(task);
    prove_table_near<Family>(q, sums, task, cost, 2 * w * sums.tiles() * sums.tiles());
  });
}

Theorem tight_in_two_passes() {
  using Family = TableInTwoPasses;
  return tight<Family>([](Query& q) {
    const TableSums sums = least_of<Family>(q);
    const IntTerm& w = sums.w();
    const PartOf<IntTerm> part(sums.tiling());
    q.multiply_by({w, sums.tiles()});
    sums.give_edges(part);
    give_any_sums(q, sums);
    sums.give_tables(part);
    const auto task = Family::of(w, sums.tiles());
    const Cost<IntTerm> cost = SummedAreaTable::global_accesses(task, 0);
    Depth(q, w).give();
    prove_table_near<Family>(q, sums, task, cost, 3 * w * sums.tiles() * sums.tiles());
  });
}

Theorem tight_by_hybrid() {
  using Family = TableByHybrid;
  return tight<Family>([](Query& q) {
    TableSums sums = least_of<Family>(q);
    const IntTerm diagonals = q.number("t", 0, 1);
    sums.take_triangles(diagonals);
    const auto [w, tiles] = std::pair(sums.w(), sums.tiles());
    const SummedAreaTable::Parts<IntTerm> parts(sums.task(), sums.tiling());
    const IntTerm& t = parts.t;
    q.claim("diagonals", t >= 0 && t < tiles);
    const Triangle first(q, sums, parts.first, t, false);
    const Triangle last(q, sums, parts.last, t, true);
    GlobalCost<IntTerm> launches(sums.task().machine);
    const auto triangle = [&](const Triangle& of) {
      q.multiply_by({});
      of.give_least();
      launches.where(!of.part().empty(),
                     [&](GlobalCost<IntTerm>& some) { two_passes_rounds(some, of.part(), 0); });
    };
    triangle(first);
    q.multiply_by({w});
    sums.give_diagonals(t);
    tile_diagonals_rounds(launches, sums.tiling(), t, parts.last_begin);
    triangle(last);
    for (const IntTerm& factor : {t, w, w * t}) q.multiply_equals(factor, t, 0);
    const IntTerm down = sums.tiling().down();
    q.multiply_equals(t, down, tiles);
    q.multiply_equals(w, t * down, t * tiles);
    q.conclude("no negative share", [&, w = w] {
      const IntTerm w7 = w * w * w * w * w * w * w;
      q.multiply_by({t, w7, w7 * t});
      return w7 * t * (t + 1) >= 0;
    });
    for (int way = 0; way < 2; ++way) Depth(q, w).give();
    prove_table_near<Family>(q, sums, Family::of(w, tiles, diagonals), launches.total(),
                             w * (2 * tiles * tiles + t * (t + 1)));
  });
}

}  // namespace

std::vector<Theorem> theorems_on_tightness_of_tables() {
  return {tight_by_latency<TableDownAndAlong>(),
          tight_by_latency<TableWithTransposes>(),
          tight_in_two_passes(),
          tight_by_latency<TableByDiagonals>(),
          tight_in_one_pass(),
          tight_by_hybrid()};
}

}  // namespace bankproof::proofs
