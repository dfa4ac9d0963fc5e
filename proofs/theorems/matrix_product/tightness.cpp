// The upper bounds on convolutions and matrix products are tight (rows D1, D2, D3, X1 and I1): the
// times of all members of families of tasks come near to them. The times are long because only few
// threads work in each of many turns.
#include "../times.hpp"
#include "../turns/one_row.hpp"
#include "../turns/row_by_row.hpp"
#include "../turns/tight.hpp"
#include "../turns/turns.hpp"

namespace bankproof::proofs {
namespace {

/// The sweep over `rows` rows of w + 1 elements by 4w − 1 threads. A row has 2w threads.
RowByRow sweep_of(const MachineParametersOf<IntTerm>& m, const IntTerm& rows) {
  return {{rows, m.w + IntTerm(1), m.p, m.w}, IntTerm(2) * m.w};
}
/// Proves that a row takes two warps.
void prove_two_warps(Query& q, const IntTerm& w) {
  const IntTerm two(2);
  q.compare_multiples(w, ceil_div(w + IntTerm(1), w), two);
  q.claim("two warps", ceil_div(w + IntTerm(1), w) == two);
  q.multiply_equals(w, ceil_div(w + IntTerm(1), w), two);
}

/// The same sweep, with facts about its turns.
RowByRow known_sweep(Query& q, const MachineParametersOf<IntTerm>& m, const IntTerm& rows) {
  RowByRow sweep = sweep_of(m, rows);
  q.conclude("its turns", [&] {
    prove_two_warps(q, m.w);
    sweep.know_shape(q);
    return sweep.has_shape();
  });
  return sweep;
}

/// The theorem on a family numbered by w. `give` gives the invariants of the sums, which take at
/// least rounds(w) rounds.
template <class Family>
Theorem tight_by_width(const std::function<void(Query&, const TaskOf<IntTerm>&)>& give,
                       const std::function<IntTerm(const IntTerm&)>& rounds) {
  return tight<Family>([=](Query& q) {
    const IntTerm w = q.number("w", Family::row.least, Family::row.least);
    const auto task = Family::task(w);
    give(q, task);
    const IntTerm time = time_of<typename Family::Algorithm>(task);
    q.claim("the time", time >= task.machine.l * rounds(w));
    const IntTerm& p = task.machine.p;
    q.multiply_by({p});
    q.multiply_by({w * p, w, w * w, w * w * w});
    q.claim("near", comes_near<Family>(time, task));
  });
}

template <MachineKind on>
Theorem tight_product() {
  return tight_by_width<ProductOnOneMemory<on>>(
      [](Query& q, const TaskOf<IntTerm>& task) {
        const RowByRow sweep = known_sweep(q, task.machine, task.sizes["rows"]);
        const auto& m = task.machine;
        q.give(of_rounds(sweep, 3, [=, &q](const SweepTurn<IntTerm>& turn) {
          const IntTerm one(1);
          const WindowOf<IntTerm> b{one, m.w + one};
          const SweepTurn<IntTerm> row{IntTerm(0), one, turn.column, turn.columns};
          for (const IntTerm& stages :
               {ceil_div(turn.columns, m.w), b.round(m.memory(), row, m.w).stages}) {
            q.multiply_equals(stages, turn.rows, one);
          }
          q.give(of_stages());
        }));
      },
      [](const IntTerm&) { return IntTerm(12); });
}

/// For a pixel of the first row, or of the last row, 3 of the 9 terms are beyond the edge. So each
/// of these two rows saves 6 rounds.
template <MachineKind on>
Theorem tight_image() {
  return tight_by_width<ImageOnOneMemory<on>>(
      [](Query& q, const TaskOf<IntTerm>& task) {
        const RowByRow sweep = known_sweep(q, task.machine, task.sizes["rows"]);
        q.give(OverNumbers<OfRounds>{
            .name = "turns of a row each",
            .holds =
                [=](const IntTerm& k, const OfRounds& sum) {
                  const IntTerm six(6);
                  const IntTerm all = IntTerm(19) * k;
                  return implies(k < sweep.rows(), sum.rounds + six >= all) &&
                         sum.rounds + six + six >= all && sum.stages >= sum.rounds;
                },
            .step =
                [=, &q](const IntTerm& k) {
                  sweep.know_turn(k);
                  for (int round = 0; round < 19; ++round) q.give(of_stages());
                }});
      },
      [](const IntTerm& w) { return IntTerm(19) * w - IntTerm(12); });
}

/// All terms take two turns, because there is one processor less than there are numbers.
Theorem tight_on_the_pram() {
  using Family = ConvolutionOnPram;
  return tight<Family>([](Query& q) {
    const IntTerm one(1);
    const IntTerm m = q.number("m", Family::row.least, Family::row.least);
    prove_small_logarithm(q, m, 14, 1170);
    const auto task = Family::task(m);
    const auto size = Convolution::size_of(task);
    q.claim("one piece", size.pieces == one);
    q.multiply_equals(size.terms(), size.pieces, one);
    q.claim("all terms", size.terms() == m);
    const IntTerm turns = ceil_div(size.pieces * size.n, task.machine.p);
    q.claim("two turns", turns == IntTerm(2));
    q.multiply_equals(size.terms(), turns, IntTerm(2));
    q.give(OverPowers<OfRounds>{.name = "levels",
                                .holds = [](const IntTerm&, const IntTerm&, const OfRounds&) {
                                  return IntTerm(0) == IntTerm(0);
                                }});
    const IntTerm time = time_of<Convolution>(task);
    q.claim("the time", time >= IntTerm(4) * m);
    q.claim("near", comes_near<Family>(time, task));
  });
}

/// There are two turns of 2m + 1 accesses each.
Theorem tight_turns_by_numbers() {
  return tight_by_width<ConvolutionByNumbers>(
      [](Query& q, const TaskOf<IntTerm>& task) {
        const IntTerm zero(0);
        const IntTerm one(1);
        const IntTerm two(2);
        const IntTerm& w = task.machine.w;
        const IntTerm& m = task.sizes["m"];
        q.multiply_by({w});
        prove_small_logarithm(q, m, 16, 4096);
        const OneRow row{{one, task.sizes["n"], task.machine.p, w}};
        const IntTerm terms = Convolution::size_of(task).terms();
        q.conclude("its turns", [&] {
          row.know_shape(q);
          q.compare_multiples(w, row.turns(), two);
          q.claim("two turns", row.turns() == two);
          q.multiply_equals(m, row.shape.turns(), two);
          return row.has_shape() && row.turns() == two && m * row.shape.turns() == two * m &&
                 terms == m;
        });
        q.give(OverNumbers<OfRounds>{.name = "turns",
                                     .holds =
                                         [=](const IntTerm& k, const OfRounds& sum) {
                                           return sum.rounds >= (two * m + one) * k &&
                                                  sum.stages >= sum.rounds;
                                         },
                                     .step =
                                         [=, &q](const IntTerm& k) {
                                           row.know_turn(k);
                                           const SweepTurn<IntTerm> turn = row.shape.turn(k);
                                           const IntTerm warps = ceil_div(turn.columns, w);
                                           row.know_terms(turn, terms, m, {warps});
                                           q.compare_multiples(w, warps, zero);
                                           q.scale(m, one, warps);
                                           q.give(of_stages());
                                           q.give(of_stages());
                                         }});
      },
      [](const IntTerm& w) { return IntTerm(4) * w * w + IntTerm(2); });
}

/// There is one turn for each of m rows, and one for each pair of a level.
template <MachineKind on>
Theorem tight_products() {
  return tight_by_width<ConvolutionOfProducts<on>>(
      [](Query& q, const TaskOf<IntTerm>& task) {
        const IntTerm zero(0);
        const IntTerm one(1);
        const auto& machine = task.machine;
        const IntTerm& w = machine.w;
        const IntTerm& m = task.sizes["m"];
        q.multiply_by({w});
        prove_small_logarithm(q, m, 16, 4096);
        const IntTerm terms = Convolution::size_of(task).terms();
        const RowByRow products = sweep_of(machine, m);
        q.multiply_by({w});
        q.conclude("its turns", [&] {
          prove_two_warps(q, w);
          products.know_shape(q);
          q.claim("some rows", m >= one);
          q.compare_multiples(m, terms, one);
          return products.has_shape() && ceil_div(w + one, w) == IntTerm(2) && terms == one &&
                 m >= one;
        });
        q.give(of_rounds(products, 3, [=, &q](const SweepTurn<IntTerm>& turn) {
          const IntTerm warps = ceil_div(turn.columns, w);
          for (const IntTerm& row : {turn.row, turn.row + turn.rows}) {
            q.multiply_equals(row, terms, one);
          }
          const IntTerm end = smaller((turn.row + turn.rows) * terms, m);
          const IntTerm all = minus_or_zero(end, turn.row * terms);
          q.claim("a term", all == one);
          q.compare_multiples(w, warps, zero);
          q.multiply_equals(warps, all, one);
          q.give(of_stages());
          q.give(of_stages());
        }));
        q.give(OverPowers<OfRounds>{
            .name = "levels",
            .holds =
                [=](const IntTerm&, const IntTerm& power, const OfRounds& sum) {
                  return sum.rounds >= IntTerm(3) * (smaller(power, m) - one) &&
                         sum.stages >= sum.rounds;
                },
            .step =
                [=, &q](const IntTerm& power) {
                  const RowByRow pairs = sweep_of(machine, pairs_of_level(m, power));
                  pairs.know_shape(q);
                  q.give(of_rounds(pairs, 3,
                                   [&q](const SweepTurn<IntTerm>&) { q.give(of_stages()); }));
                }});
      },
      [](const IntTerm& w) { return IntTerm(6) * w * w - IntTerm(3); });
}

}  // namespace

std::vector<Theorem> theorems_on_tightness_of_products() {
  constexpr MachineKind dmm = MachineKind::dmm;
  constexpr MachineKind umm = MachineKind::umm;
  return {tight_on_the_pram(),   tight_turns_by_numbers(), tight_products<dmm>(),
          tight_products<umm>(), tight_product<dmm>(),     tight_product<umm>(),
          tight_image<dmm>(),    tight_image<umm>()};
}

}  // namespace bankproof::proofs
