// Upper bounds on the global memory access costs of summed area tables, by THS 6 (rows A2, A3 and
// A6), for all sides of whole tiles, widths, latencies and threads.
#include <utility>

#include "../lists.hpp"
#include "../transpose/transposes.hpp"
#include "../turns/close.hpp"
#include "tables.hpp"

namespace bankproof::proofs {
namespace {

/// Gives the invariants of the launch of sum_along(): one stage for each thread, because rows are
/// at least w words apart.
void give_along(Query& q, const TableSums& sums, const IntTerm& side) {
  const IntTerm p = sums.task().machine.p;
  const auto before = [=](const IntTerm& k) { return smaller(k * p, side); };
  const auto threads_of = [=](const IntTerm& k) { return smaller(p, side - k * p); };
  const auto give_columns = [=, &q](const IntTerm& threads) {
    q.give(OverNumbers<OfRounds>("columns of a block")
               .holds([=](auto& k, auto& sum) { return sum.stages <= 2 * k * threads; })
               .step([=, &q](auto&) { q.give(of_one("writes of a column", threads)); }));
  };
  q.give(OverNumbers<OfRounds>("blocks of rows")
             .holds([=](auto& k, auto& sum) { return sum.stages <= 2 * side * before(k); })
             .step([=, &q](auto& k) {
               q.conclude("threads of a block", [&] {
                 q.multiply_by({p});
                 return threads_of(k) >= 1 && before(k) + threads_of(k) == before(k + 1);
               });
               q.multiply_by({side});
               give_columns(threads_of(k));
             }));
}

Theorem down_and_along() {
  return Theorem{.id = "A2.upper",
                 .source = "THS lemma 6.2.1",
                 .statement = "2R2W costs at most 2n + 2n/w + 2(L - 1)",
                 .domain = "all n = side², w | side, w ≥ 2, L, w | p"}
      .proof([](Query& q) {
        const TableSums sums(q, "2R2W");
        sums.prove_shape();
        const IntTerm& w = sums.w();
        const IntTerm side = w * sums.tiles();
        q.multiply_by({w, sums.tiles(), sums.latency()});
        q.multiply_by({side});
        sums.give_down({side, side}, side);
        give_along(q, sums, side);
        const auto accesses = SummedAreaTable::global_accesses(sums.task());

        q.multiply_by({w, side, w * sums.latency(), side * w});
        q.claim("the bound", sums.is_bounded(accesses));
      })
      .false_twin(prove_a_hundredth_less<TableDownAndAlong>);
}

Theorem with_transposes() {
  return Theorem{.id = "A3.upper",
                 .source = "THS lemma 6.2.2",
                 .statement = "4R4W costs at most 8n/w + 4(L - 1)",
                 .domain = "all n = side², w | side, w ≥ 2, L, w | p"}
      .proof([](Query& q) {
        const TableSums sums(q, "4R4W");
        sums.prove_shape();
        const auto& machine = sums.task().machine;
        const auto [w, tiles] = std::pair(sums.w(), sums.tiles());
        const IntTerm side = w * tiles;
        q.multiply_by({w, tiles, sums.latency()});
        const TransposeSums transpose(q, machine, {side, side, w}, machine.p, tiles, tiles);
        q.conclude("tiles", [&, tiles = tiles] {
          q.multiply_equals(tiles, ceil_div(side, w), tiles);
          q.multiply_equals(ceil_div(side, w), ceil_div(side, w), tiles);
          q.multiply_by({tiles});
          q.claim("tiles", transpose.tiles() == tiles * tiles && tiles * tiles >= 1);
          return transpose.numbers() && transpose.tiles() == tiles * tiles;
        });
        for (int way = 0; way < 2; ++way) {
          sums.give_down({side, side}, side);
          transpose.give_invariants(1);
        }
        q.multiply_by({w, tiles, w * tiles});
        const auto accesses = SummedAreaTable::global_accesses(sums.task());
        q.multiply_by({w, w * w, w * tiles, w * w * tiles, w * sums.latency()});
        q.claim("the bound", sums.is_bounded(accesses));
      })
      .false_twin(prove_a_hundredth_less<TableWithTransposes>);
}

Theorem one_pass() {
  return Theorem{.id = "A6.upper",
                 .source = "THS theorem 6.4.2",
                 .statement = "1R1W costs at most 2n/w + 6n/w² + (2√n/w - 1)(L - 1)",
                 .domain = "all n = side², w | side, w ≥ 2, L, w | p"}
      .proof([](Query& q) {
        const TableSums sums(q, "1R1W");
        sums.prove_shape();
        const auto [w, tiles] = std::pair(sums.w(), sums.tiles());
        q.multiply_by({w, tiles, sums.latency()});
        sums.give_diagonals();
        const auto accesses = SummedAreaTable::global_accesses(sums.task());
        const IntTerm each = 2 * w + 6;
        q.multiply_equals(tiles, ceil_div(w * tiles, w), tiles);
        q.multiply_equals(ceil_div(w * tiles, w), ceil_div(w * tiles, w), tiles);
        q.claim("its accesses",
                accesses.global.stages <= each * tiles * tiles && accesses.launches < 2 * tiles);
        q.multiply_by({w, w * w * w, w * w * w * sums.latency()});
        q.claim("the bound", sums.is_bounded(accesses));
      })
      .false_twin(prove_a_hundredth_less<TableInOnePass>);
}

}  // namespace

std::vector<Theorem> theorems_on_costs_of_tables() {
  return {down_and_along(), with_transposes(), one_pass()};
}

}  // namespace bankproof::proofs
