// The upper bounds on convolutions are tight (rows D1, D2 and D3): the times of all members of
// families of tasks come near to them.
#include "../lists.hpp"
#include "../turns/tight_by_width.hpp"

namespace bankproof::proofs {
namespace {

/// All terms take two turns, because there is one processor less than there are numbers.
Theorem tight_on_the_pram() {
  using Family = ConvolutionOnPram;
  return tight<Family>([](Query& q) {
    const IntTerm m = q.number("m", Family::row.least, Family::row.least);
    prove_small_logarithm(q, m, 14, 1170);
    const auto task = Family::task(m);
    const auto size = Convolution::size_of(task);
    q.claim("one piece", size.pieces == 1);
    q.multiply_equals(size.terms(), size.pieces, 1);
    q.claim("all terms", size.terms() == m);
    const IntTerm turns = ceil_div(size.pieces * size.n, task.machine.p);
    q.claim("two turns", turns == 2);
    q.multiply_equals(size.terms(), turns, 2);
    q.give(
        OverPowers<OfRounds>("levels").holds([](auto&, auto&, auto&) { return IntTerm(0) == 0; }));
    const IntTerm time = time_of<Convolution>(task);
    q.claim("the time", time >= 4 * m);
    q.claim("near", comes_near<Family>(time, task));
  });
}

/// There are two turns of 2m + 1 accesses each.
Theorem tight_turns_by_numbers() {
  return tight_by_width<ConvolutionByNumbers>(
      [](Query& q, const TaskOf<IntTerm>& task) {
        const IntTerm& w = task.machine.w;
        const IntTerm& m = task.sizes["m"];
        q.multiply_by({w});
        prove_small_logarithm(q, m, 16, 4096);
        const OneRow row{{1, task.sizes["n"], task.machine.p, w}};
        const IntTerm terms = Convolution::size_of(task).terms();
        q.conclude("its turns", [&] {
          row.know_shape(q);
          q.compare_multiples(w, row.turns(), 2);
          q.claim("two turns", row.turns() == 2);
          q.multiply_equals(m, row.shape.turns(), 2);
          return row.has_shape() && row.turns() == 2 && m * row.shape.turns() == 2 * m &&
                 terms == m;
        });
        q.give(OverNumbers<OfRounds>("turns")
                   .holds([=](auto& k, auto& sum) {
                     return sum.rounds >= (2 * m + 1) * k && sum.stages >= sum.rounds;
                   })
                   .step([=, &q](auto& k) {
                     row.know_turn(k);
                     const SweepTurn<IntTerm> turn = row.shape.turn(k);
                     const IntTerm warps = ceil_div(turn.columns, w);
                     row.know_terms(turn, terms, m, {warps});
                     q.compare_multiples(w, warps, 0);
                     q.scale(m, 1, warps);
                     q.give(of_stages());
                     q.give(of_stages());
                   }));
      },
      [](const IntTerm& w) { return 4 * w * w + 2; });
}

/// There is one turn for each of m rows, and one for each pair of a level.
template <MachineKind on>
Theorem tight_products() {
  return tight_by_width<ConvolutionOfProducts<on>>(
      [](Query& q, const TaskOf<IntTerm>& task) {
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
          q.claim("some rows", m >= 1);
          q.compare_multiples(m, terms, 1);
          return products.has_shape() && ceil_div(w + 1, w) == 2 && terms == 1 && m >= 1;
        });
        q.give(of_rounds(products, 3, [=, &q](const SweepTurn<IntTerm>& turn) {
          const IntTerm warps = ceil_div(turn.columns, w);
          for (const IntTerm& row : {turn.row, turn.row + turn.rows}) {
            q.multiply_equals(row, terms, 1);
          }
          const IntTerm end = smaller(turn.row * terms + turn.rows * terms, m);
          const IntTerm all = minus_or_zero(end, turn.row * terms);
          q.claim("a term", all == 1);
          q.compare_multiples(w, warps, 0);
          q.multiply_equals(warps, all, 1);
          q.give(of_stages());
          q.give(of_stages());
        }));
        q.give(OverPowers<OfRounds>("levels")
                   .holds([=](auto&, auto& power, auto& sum) {
                     return sum.rounds >= 3 * (smaller(power, m) - 1) && sum.stages >= sum.rounds;
                   })
                   .step([=, &q](auto& power) {
                     const RowByRow pairs = sweep_of(machine, pairs_of_level(m, power));
                     pairs.know_shape(q);
                     q.give(of_rounds(pairs, 3,
                                      [&q](const SweepTurn<IntTerm>&) { q.give(of_stages()); }));
                   }));
      },
      [](const IntTerm& w) { return 6 * w * w - 3; });
}

}  // namespace

std::vector<Theorem> theorems_on_tightness_of_products() {
  constexpr MachineKind dmm = MachineKind::dmm;
  constexpr MachineKind umm = MachineKind::umm;
  return {tight_on_the_pram(), tight_turns_by_numbers(), tight_products<dmm>(),
          tight_products<umm>()};
}

}  // namespace bankproof::proofs
