// Upper bounds on direct convolutions on one memory and on the PRAM (rows D1 to D4), for all sizes,
// threads, widths and latencies.
#include <string>
#include <tuple>

#include "../../../algorithms/convolution.hpp"
#include "../lists.hpp"
#include "../turns/close.hpp"
#include "../turns/one_row.hpp"
#include "convolving.hpp"

namespace bankproof::proofs {
namespace {

/// A variant of convolution on one memory, and its bound.
struct Way {
  std::string row;
  std::string source;
  std::string words;
  std::string variant;
  std::string domain;
  std::uint64_t on_banks;  ///< factors of the bound
  std::uint64_t on_groups;
};

/// A task of this variant, and its sums.
struct OneMemory {
  Query& q;
  TaskOf<IntTerm> task;
  std::uint64_t factor;
  IntTerm n = task.sizes["n"];
  IntTerm m = task.sizes["m"];
  IntTerm p = task.machine.p;
  IntTerm w = task.machine.w;
  IntTerm l = task.machine.l;
  RowSweeps sweeps{q, task.machine.memory(), n, p, w};
  Convolving convolving{q, sweeps, Convolution::size_of(task)};

  /// Whether the stages and rounds are few enough to imply the bound.
  Truth is_few(const OfRounds& rounds) const {
    const IntTerm most = factor * m * n;
    return w * p * rounds.stages <= most * (p + w) &&
           p * rounds.rounds <= most + 3 * p * (ceil_log2(m) + 1);
  }
};

/// For the variant with a piece for each product, in which each piece has one term.
void bound_products(const OneMemory& c, const OfRounds& rounds) {
  const auto& [q, p, terms] = std::tie(c.q, c.p, c.convolving.terms());
  q.compare_multiples(c.m, terms, 1);
  q.claim("one term", terms == 1);
  q.multiply_equals(p * c.sweeps.sweep(c.m).turns(), terms, 1);
  q.multiply_equals(c.m * c.sweeps.pieces() * c.sweeps.reach(), terms, 1);
  q.multiply_by({c.m, p, p * c.sweeps.pieces(), c.m * p, c.m * c.w});
  q.claim("stages and rounds", c.is_few(rounds));
}

/// Either one turn processes all pieces of all numbers, or each number has a single piece.
void bound_pieces(const OneMemory& c, const OfRounds& rounds) {
  Query& q = c.q;
  const auto& [n, m, p, w, s] = std::tie(c.n, c.m, c.p, c.w, c.convolving.pieces());
  q.claim("at most a piece for each term", s >= 1 && s <= m);
  q.claim("as many levels", ceil_log2(s) <= ceil_log2(m));
  q.suppose(c.sweeps.has_whole_rows(), [&, &n = n, &m = m, &p = p, &w = w, &s = s] {
    c.convolving.know_pieces_of_whole_rows(q);
    q.multiply_by({m, s, m - s});
    q.claim("stages", w * rounds.stages <= c.factor * m * n);
    q.multiply_by({p, n, m, s, m * n});
    return c.is_few(rounds);
  });
  q.suppose(!c.sweeps.has_whole_rows(), [&, &n = n, &m = m, &p = p, &w = w] {
    c.convolving.know_single_piece(q);
    q.multiply_by({n, p, w});
    q.multiply_by({n, m, p, n * p, n * w});
    return c.is_few(rounds);
  });
  q.claim("stages and rounds", c.is_few(rounds));
}

using Bounding = void (*)(const OneMemory&, const OfRounds&);
using Twin = void (*)(Query&);

Theorem on_one_memory(MachineKind machine, const Way& way, Bounding bound, Twin twin) {
  const bool banks = machine == MachineKind::dmm;
  const std::uint64_t factor = banks ? way.on_banks : way.on_groups;
  const std::string on = banks ? "DMM" : "UMM";
  return Theorem{.id = way.row + ".upper." + on,
                 .source = way.source,
                 .statement = "convolution with " + way.words + " takes at most " +
                              std::to_string(factor) + "(mn/w + mnl/p + l(log m + 1)) on the " + on,
                 .domain = way.domain}
      .proof([=](Query& q) {
        const auto [n, m, p, w, l] =
            q.numbers({{"n", 1, 9}, {"m", 1, 3}, {"p", 1, 4}, {"w", 1, 2}, {"l", 1, 3}});
        q.assume(p >= w && n >= w);
        const OneMemory c{
            q, task_on(machine, way.variant, {.w = w, .l = l, .p = p}, {{"n", n}, {"m", m}}),
            factor};
        c.convolving.give(q);
        const Cost<IntTerm> cost = Convolution::cost(c.task);
        c.convolving.know(q, cost.global);
        bound(c, cost.global);
        q.multiply_by({l - 1, w, m, p});
        q.multiply_by({w * (l - 1), p * w, p * w * (l - 1), m * p, m * w});
        q.claim("the bound",
                is_bounded<Convolution>(lockstep_time(cost, c.task.machine), c.task, factor));
      })
      .false_twin(twin);
}

/// Gives the invariants of the sums in a turn: the sum over the row of z, and the sum over the
/// terms. w times the stages of an access is at most reach·pieces.
void give_accesses(Query& q, const IntTerm& w, const IntTerm& reach, std::uint64_t pieces) {
  const auto times_width = [=, &q](const IntTerm&, const IntTerm&) { q.multiply_by({w}); };
  const auto few = [=](const IntTerm& k, const IntTerm& stages) {
    return w * stages <= pieces * reach * k;
  };
  q.give(OverNumbers<IntTerm>("rows of z")
             .holds([=, &q](auto& k, auto& stages) {
               if (!k.constant()) {  // there is at most one row
                 for (const std::uint64_t number : {0U, 1U}) {
                   q.multiply_equals(reach, k, number);
                 }
               }
               return k <= 1 && few(k, stages);
             })
             .after(times_width));
  q.give(OverNumbers<IntTerm>("terms").holds(few).after(times_width));
}

/// Gives the invariants of convolve_cost() for one piece.
void give_convolution(Query& q, const OneRow& row, const IntTerm& m, const IntTerm& terms,
                      std::uint64_t pieces) {
  const IntTerm& w = row.shape.w;
  q.give(OverNumbers<OfRounds>("turns")
             .holds([=](auto& k, auto& sum) {
               const IntTerm each = (pieces + 1) * m + pieces;
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

/// A turn of c ≤ p numbers makes 2m + 1 accesses. Each access has at most (c + w − 1)/w stages on
/// banks. On groups the bound is twice as large, except for the m accesses to x.
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
                w * cost.global.stages <= ((pieces + 1) * m + pieces) * (n + turns * (w - 1)));
        q.multiply_by({w, m, p, l - 1});
        q.multiply_by(
            {p, w, m, m * p, m * w, w - 1, m * (w - 1), n - p, p * (n - w), w * (n - p), p * w});
        const IntTerm most = factor * m * n;
        q.claim("stages", w * p * cost.global.stages <= most * (p + w) + factor * w * p);
        q.claim("rounds", p * cost.global.rounds <= most + factor * p);
        q.multiply_by({w * (l - 1), p * w, p * w * (l - 1)});
        q.claim("the bound",
                is_bounded<Convolution>(lockstep_time(cost, task.machine), task, factor));
      })
      .false_twin(machine == MachineKind::dmm ? prove_a_hundredth_less<ConvolutionByNumbers>
                                              : prove_a_hundredth_less<ConvolutionInsideGroups>);
}

/// There are two cases: if p ≥ n, all sums of a level take one turn; otherwise each number has one
/// piece.
Theorem on_the_pram() {
  return Theorem{.id = "D1.upper",
                 .source = "HMM lemma 4",
                 .statement = "convolution takes at most 4(mn/p + log m + 1) on the PRAM",
                 .domain = "all n, m, p"}
      .proof([](Query& q) {
        const auto [n, m, p] = q.numbers({{"n", 1, 9}, {"m", 1, 3}, {"p", 1, 4}});
        const auto task =
            task_on(MachineKind::pram, "pram", {.w = 1, .l = 1, .p = p}, {{"n", n}, {"m", m}});
        const auto size = Convolution::size_of(task);
        const IntTerm s = size.pieces;
        const IntTerm terms = size.terms();
        const IntTerm of_each = p / n;
        const IntTerm turns = ceil_div(s * n, p);
        q.claim("at most a piece for each term", s >= 1 && s <= m);
        q.claim("as many levels", ceil_log2(s) <= ceil_log2(m));
        q.multiply_by({n});
        q.claim("all pieces at once", s * n <= p || s == 1);
        q.give(OverPowers<OfRounds>("levels").holds([=, &q](auto& k, auto& power, auto& sum) {
          const IntTerm sums = pairs_of_level(s, power) * n;
          q.compare_multiples(p, ceil_div(sums, p), 1);
          return sum.stages <= 3 * k && sum.rounds <= 3 * k;
        }));
        const Cost<IntTerm> cost = Convolution::cost(task);
        q.suppose(s * n <= p, [&] {
          q.compare_multiples(p, turns, 1);
          q.multiply_equals(terms, turns, 1);
          q.compare_multiples(s, terms, 1);
          q.multiply_equals(terms, s, of_each);
          q.multiply_equals(of_each, terms, 1);
          q.compare_multiples(n, of_each, 1);
          q.claim("threads of a number", of_each >= 1 && turns == 1);
          q.claim("terms of a piece", terms >= 1 && of_each * (terms - 1) <= m);
          q.multiply_by({n, terms - 1});
          q.claim("terms", p * (terms - 1) <= 2 * n * m);
          q.multiply_by({p});
          return is_bounded<Convolution>(lockstep_time(cost, task.machine), task, 4);
        });
        q.suppose(s * n > p, [&] {
          q.multiply_equals(n, s, 1);
          q.multiply_equals(terms, s, 1);
          q.claim("all terms", terms == m);
          q.multiply_equals(p * turns, terms, m);
          q.multiply_by({p, m, m - 1});
          return is_bounded<Convolution>(lockstep_time(cost, task.machine), task, 4);
        });
        q.claim("the bound", is_bounded<Convolution>(lockstep_time(cost, task.machine), task, 4));
      })
      .false_twin(prove_a_hundredth_less<ConvolutionOnPram>);
}

}  // namespace

std::vector<Theorem> theorems_on_convolutions() {
  const Way products = {.row = "D2",
                        .source = "HMM VIII",
                        .words = "a piece for each product",
                        .variant = "products",
                        .domain = "all n ≥ w, m, p ≥ w, l",
                        .on_banks = 24,
                        .on_groups = 24};
  const Way pieces = {.row = "D4",
                      .source = "HMM theorem 8",
                      .words = "p/n pieces for each number",
                      .variant = "pieces",
                      .domain = "all n ≥ w, m, p ≥ w, l",
                      .on_banks = 12,
                      .on_groups = 13};
  return {on_the_pram(),
          on_one_memory(MachineKind::dmm, products, bound_products,
                        prove_a_hundredth_less<ConvolutionOfProducts<MachineKind::dmm>>),
          on_one_memory(MachineKind::umm, products, bound_products,
                        prove_a_hundredth_less<ConvolutionOfProducts<MachineKind::umm>>),
          on_one_memory(MachineKind::dmm, pieces, bound_pieces,
                        prove_a_hundredth_less<ConvolutionOfPieces<MachineKind::dmm>>),
          on_one_memory(MachineKind::umm, pieces, bound_pieces,
                        prove_a_hundredth_less<ConvolutionOfPieces<MachineKind::umm>>),
          a_thread_for_each_number(MachineKind::dmm),
          a_thread_for_each_number(MachineKind::umm)};
}

}  // namespace bankproof::proofs
