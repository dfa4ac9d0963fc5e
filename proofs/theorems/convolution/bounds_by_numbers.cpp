// Upper bounds on the direct convolution with a thread for each number on one memory (row D3). A
// turn of c ≤ p numbers makes 2m + 1 accesses. Each access has at most (c + w − 1)/w stages on
// banks. On groups the bound is twice as large, except for the m accesses to x.
#include <string>

#include "../../../algorithms/convolution.hpp"
#include "../lists.hpp"
#include "../turns/close.hpp"
#include "../turns/one_row.hpp"
#include "../turns/turns.hpp"

namespace bankproof::proofs {
namespace {

/// Gives the invariants of the sums in a turn: the sum over the row of z, and the sum over the
/// terms. The product reach·pieces is an upper bound on w times the stages of an access.
void give_accesses(Query& q, const IntTerm& w, const IntTerm& reach, std::uint64_t pieces) {
  const auto times_width = [=, &q](const IntTerm&, const IntTerm&) { q.multiply_by({w}); };
  const auto few = [=](const IntTerm& k, const IntTerm& stages) {
    return w * stages <= IntTerm(pieces) * reach * k;
  };
  q.give(OverNumbers<IntTerm>("rows of z")
             .holds([=, &q](auto& k, auto& stages) {
               if (!k.constant()) {  // there is at most one row
                 for (const std::uint64_t number : {0U, 1U}) {
                   q.multiply_equals(reach, k, IntTerm(number));
                 }
               }
               return k <= 1 && few(k, stages);
             })
             .after(times_width));
  q.give(OverNumbers<IntTerm>("terms").holds(few).after(times_width));
}

/// Gives the invariants of convolve_cost() if each number has one piece.
void give_convolution(Query& q, const OneRow& row, const IntTerm& m, const IntTerm& terms,
                      std::uint64_t pieces) {
  const IntTerm& w = row.shape.w;
  q.give(OverNumbers<OfRounds>("turns")
             .holds([=](auto& k, auto& sum) {
               const IntTerm each = IntTerm(pieces + 1) * m + IntTerm(pieces);
               return w * sum.stages <= each * (row.before(k) + k * (w - 1)) &&
                      sum.rounds <= (2 * m + 1) * k;
             })
             .step([=, &q](auto& k) {
               row.know_turn(k);
               const SweepTurn<IntTerm> turn = row.shape.turn(k);
               const IntTerm warps = ceil_div(turn.columns, w);
               const IntTerm reach = turn.columns + w - 1;
               row.know_terms(turn, terms, m, {w * warps, reach});
               q.scale(m, w * warps, reach);
               give_accesses(q, w, reach, pieces);
             })
             .after([=, &q](auto&, auto&) { q.multiply_by({m}); }));
}

Theorem a_thread_for_each_number(MachineKind machine) {
  const std::uint64_t pieces = pieces_on(machine);
  const std::uint64_t factor = 3 + pieces;
  const std::string on = machine == MachineKind::dmm ? "DMM" : "UMM";
  return Theorem{.id = "D3.upper." + on,
                 .source = "HMM VIII",
                 .statement = "convolution with one piece for each number takes at most " +
                              std::to_string(factor) + "(mn/w + mnl/p + l(log m + 1)) on the " + on,
                 .domain = "all n ≥ p ≥ w, m, l"}
      .proof([=](Query& q) {
        const auto [n, m, p, w, l] =
            q.numbers({{"n", 1, 9}, {"m", 1, 3}, {"p", 1, 4}, {"w", 1, 2}, {"l", 1, 3}});
        q.assume(p >= w && n >= p);
        const OneRow row{{1, n, p, w}};
        q.conclude("its turns", [&] {
          row.know_shape(q);
          return row.has_shape();
        });
        const auto task =
            task_on(machine, "one-each", {.w = w, .l = l, .p = p}, {{"n", n}, {"m", m}});
        const IntTerm terms = Convolution::size_of(task).terms();
        q.claim("all terms", terms == m);
        give_convolution(q, row, m, terms, pieces);
        const Cost<IntTerm> cost = Convolution::cost(task);
        const IntTerm turns = row.turns();
        for (const IntTerm& number : {m, w, m * w}) {
          q.multiply_equals(number, row.shape.turns(), turns);
        }
        q.multiply_by({m});
        q.claim("rounds of all turns", cost.global.rounds <= (2 * m + 1) * turns);
        q.claim("stages of all turns",
                w * cost.global.stages <=
                    (IntTerm(pieces + 1) * m + IntTerm(pieces)) * (n + turns * (w - 1)));
        q.multiply_by({w, m, p, l - 1});
        q.multiply_by(
            {p, w, m, m * p, m * w, w - 1, m * (w - 1), n - p, p * (n - w), w * (n - p), p * w});
        const IntTerm most = IntTerm(factor) * m * n;
        q.claim("stages", w * p * cost.global.stages <= most * (p + w) + IntTerm(factor) * w * p);
        q.claim("rounds", p * cost.global.rounds <= most + IntTerm(factor) * p);
        q.multiply_by({w * (l - 1), p * w, p * w * (l - 1)});
        q.claim("the bound",
                is_bounded<Convolution>(lockstep_time(cost, task.machine), task, factor));
      })
      .false_twin(machine == MachineKind::dmm ? prove_a_hundredth_less<ConvolutionByNumbers>
                                              : prove_a_hundredth_less<ConvolutionInsideGroups>);
}

}  // namespace

std::vector<Theorem> theorems_on_convolutions_by_numbers() {
  return {a_thread_for_each_number(MachineKind::dmm), a_thread_for_each_number(MachineKind::umm)};
}

}  // namespace bankproof::proofs
