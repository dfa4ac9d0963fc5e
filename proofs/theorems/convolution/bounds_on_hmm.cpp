// The upper bound on direct convolution on the HMM (row D5), for all sizes, threads, widths and
// latencies.
#include <cstdint>
#include <tuple>

#include "../../../algorithms/convolution.hpp"
#include "../lists.hpp"
#include "../turns/close.hpp"
#include "../turns/copying.hpp"
#include "convolving.hpp"

namespace bankproof::proofs {
namespace {

/// A task and its shares. The constructor proves that a share is a multiple of w, and at most 2n/d.
struct SharesOfConvolution {
  explicit SharesOfConvolution(Query& query)
      : q(query), sweeps(know_shares()), convolving(q, sweeps, Convolution::size_of(task)) {
    q.multiply_equals(w, rows, ceil_div(share, w));
    q.claim("whole rows", padded == share);
    for (const IntTerm& times : {d, m}) q.multiply_equals(times, padded, share);
    q.claim("words of all shares", n <= d * padded && d * padded <= 2 * n);
    q.claim("numbers of all shares", d * share <= 2 * n);
  }

  void prove_bound() const {
    give_wave();
    const Cost<IntTerm> cost = Convolution::cost(task);
    know_global(cost.global);
    know_shared(cost);
    know_products(cost);
    q.claim("the bound", is_bounded<Convolution>(lockstep_time(cost, task.machine), task, factor));
  }

  RowSweeps know_shares() const {
    prove_few_pieces(q, w);
    q.assume(p >= w && m * d <= n && n >= d * w);
    allow_factors(q, {n, m, p, w, w - 1, l - 1, L - 1, d});
    for (const IntTerm& less : {w, m}) q.compare_multiples(d, ceil_div(n, d), less);
    q.claim("numbers of a share", share >= w && share >= m);
    q.multiply_by({d});
    q.claim("numbers of all shares", n <= d * share && d * share < n + d * w);
    q.multiply_by({});
    return {q, MemoryKind::banks, share, p, w};
  }

  /// Gives the invariants of the only wave, which has one block on each DMM.
  void give_wave() const {
    const IntTerm waves = ceil_div(d, d);
    q.compare_multiples(d, waves, 1);
    q.claim("one wave", waves == 1);
    for (const Copying* copying : {&x, &y, &z}) copying->know_turns(q);
    q.give(OverNumbers<Cost<IntTerm>>("waves")
               .holds([*this](auto& k, auto& sum) { return holds_of_waves(k, sum); })
               .step([*this](auto& k) {
                 const WaveOfAll of_all = wave(k);
                 know_wave(k, of_all);
                 x.give(q, of_all);
                 y.give(q, of_all);
                 convolving.give(q);
                 z.give(q, of_all);
               })
               .after([*this](auto& k, auto&) {
                 q.multiply_by({p, ceil_div(wave(k).blocks, d)});
               }));
  }
  WaveOfAll wave(const IntTerm& k) const { return {k * d, smaller(d, d - k * d)}; }
  /// The invariant of the cost of the first k waves. There is at most one wave.
  Truth holds_of_waves(const IntTerm& k, const Cost<IntTerm>& sum) const {
    const auto& [global, shared] = std::tie(sum.global, sum.shared);
    const Truth nothing = w * global.stages == 0 && global.rounds == 0 && w * shared.stages == 0 &&
                          shared.rounds == 0;
    const Truth all = w * global.stages <= of_blocks && global.rounds <= turns &&
                      w * shared.stages <= with_ends + convolving.stages() &&
                      p * shared.rounds <= p * turns + convolving.rounds() &&
                      implies(convolving.has_one_turn(),
                              w * shared.stages <= with_ends + convolving.stages_of_one_turn() &&
                                  shared.rounds <= turns + convolving.rounds_of_one_turn());
    return sum.overlap == 0 && sum.constant.stages == 0 && k <= 1 && implies(k <= 0, nothing) &&
           implies(k >= 1, all);
  }
  void know_wave(const IntTerm& k, const WaveOfAll& wave) const {
    const IntTerm on_each = ceil_div(wave.blocks, d);
    q.multiply_equals(d, k, 0);
    q.claim("the first wave", k == 0 && wave.first == 0 && wave.blocks == d);
    q.compare_multiples(d, on_each, 1);
    q.claim("one block each", on_each == 1);
    convolving.know_one_turn();
    for (const IntTerm& most : {convolving.stages(), convolving.stages_of_one_turn()}) {
      q.multiply_equals(with_ends + most, on_each, 1);
    }
  }

  /// All but one of the blocks that copy words of y copy a whole share. The same holds for z.
  void know_global(const OfRounds& global) const {
    for (const Copying* copying : {&x, &y, &z}) copying->know(q);
    const IntTerm of_x = d * x.of_block() + 3 * d * (m - 1);
    q.suppose(m <= p, [&] {
      q.multiply_by({d});
      return of_x <= d * (4 * m + w - 4);
    });
    q.suppose(m > p, [&] {
      q.multiply_by({d});
      return of_x <= 6 * d * m;
    });
    q.multiply_equals(d, m, 1);
    q.claim("stages for x", of_x <= 6 * n && implies(m <= 1, of_x <= n));
    q.scale(y.blocks(), y.of_block(), 3 * y.words());
    q.scale(z.blocks(), z.of_block(), 3 * z.words());
    q.scale(m - 1, y.blocks(), d);
    const IntTerm most = 12 * n + 6 * share + 3 * m;
    q.claim("stages of global memory",
            w * global.stages <= most && implies(m <= 1, w * global.stages <= most - 5 * n));
    q.scale(d, w * global.stages, most);
    q.scale(d, w * global.stages, most - 5 * n);
    q.multiply_by({d});
    q.claim("words", d * words <= 6 * n);
    q.claim("turns", p * turns <= words + 3 * p);
    q.multiply_by({d, d * p});
    q.claim("rounds of global memory", d * p * global.rounds <= 6 * n + 3 * d * p);
    q.multiply_by({});
  }

  /// Upper bounds, once they are multiplied by `factor`: most_stages() bounds dw times the stages
  /// on all memories, and most_rounds() bounds dp times the rounds on the shared memories.
  IntTerm most_stages() const { return n * d + m * n + d * w * (ceil_log2(m) + 2); }
  IntTerm most_rounds() const { return m * n + d * p * (ceil_log2(m) + 1); }
  Truth is_few(const Cost<IntTerm>& cost) const {
    return d * w * (cost.global.stages + cost.shared.stages) <= factor * most_stages() &&
           d * p * cost.shared.rounds <= factor * most_rounds();
  }
  void know_shared(const Cost<IntTerm>& cost) const {
    const IntTerm& s = convolving.pieces();
    q.claim("at most a piece for each term", s >= 1 && s <= m);
    q.claim("as many levels", ceil_log2(s) <= ceil_log2(m));
    q.apply(powers_of_two_grow(), {ceil_log2(m), 1});
    q.claim("a level", implies(m > 1, ceil_log2(m) >= 1));
    for (const IntTerm& letter : {w, p}) q.scale(d * letter, 0, ceil_log2(m));
    q.suppose(sweeps.has_whole_rows(), [&] { return know_whole_rows(cost); });
    q.suppose(!sweeps.has_whole_rows(), [&] { return know_single_piece(cost); });
    q.claim("stages and rounds", is_few(cost));
  }
  Truth know_whole_rows(const Cost<IntTerm>& cost) const {
    convolving.know_pieces_of_whole_rows(q);
    q.multiply_by({});
    q.compare_multiples(p, y.turns(), 2);
    q.claim("turns of copies", turns <= 4);
    for (const IntTerm& times : {w - 1, p}) q.scale(times, turns, 4);
    q.scale(p, cost.shared.rounds, turns + convolving.rounds_of_one_turn());
    q.scale(p, ceil_log2(convolving.pieces()), ceil_log2(m));
    know_all_shares(cost, words + 4 * (w - 1) + (6 * m - 3) * share,
                    7 * p + 4 * share * m + 3 * p * ceil_log2(m));
    return is_few(cost);
  }
  Truth know_single_piece(const Cost<IntTerm>& cost) const {
    const IntTerm& of_row = sweeps.pieces();
    const IntTerm most = 2 * (share + w) - 4;
    convolving.know_single_piece(q);
    q.compare_multiples(sweeps.threads(), of_row, 1);
    q.multiply_equals(of_row, sweeps.threads(), p);
    q.claim("some pieces of rows", of_row >= 2 && p * (of_row - 1) < share);
    q.multiply_by({of_row - 2});
    q.claim("stages of a row", of_row * (p + w - 1) <= most);
    q.multiply_by({});
    q.multiply_equals(of_row, sweeps.of_row(), sweeps.reach());
    for (const IntTerm& times : {of_row, m * of_row}) {
      q.scale(times, sweeps.reach(), p + w - 1);
    }
    q.scale(m, of_row * (p + w - 1), most);
    q.scale(d, p, share);
    q.claim("threads of all DMMs", d * p <= 2 * n);
    q.scale(m, p * of_row, share + p);
    q.multiply_equals(p, ceil_log2(convolving.pieces()), 0);
    know_all_shares(cost, 2 * words + 3 * (w - 2) + (1 + 2 * m) * most,
                    (1 + 2 * m) * (share + p) + words + 3 * p);
    return is_few(cost);
  }
  /// Multiplies the bounds for one DMM by d to get the bounds for all DMMs. All shares together
  /// have less than n + dw numbers.
  void know_all_shares(const Cost<IntTerm>& cost, const IntTerm& stages,
                       const IntTerm& rounds) const {
    const auto& shared = cost.shared;
    q.claim("stages", w * shared.stages <= stages);
    q.claim("rounds", p * shared.rounds <= rounds);
    q.scale(d, w * shared.stages, stages);
    q.scale(d, p * shared.rounds, rounds);
    q.scale(n, 1, d);
    q.scale(d, w, p);
    q.scale(d, 1, m);
    q.suppose(m <= 1, [&] {
      for (const IntTerm& times : {n, share, d, d * share, d * w, d * p}) {
        q.multiply_equals(times, m, 1);
      }
      return is_few(cost);
    });
    q.suppose(m > 1, [&] {
      q.scale(d * w, 1, ceil_log2(m));
      q.scale(m, d * share, n + d * w);
      q.scale(m, d * share, 2 * n);
      for (const IntTerm& less : {IntTerm(0), d * w}) q.scale(m - 2, less, n);
      q.scale(m - 2, d * p, 2 * n);
      return is_few(cost);
    });
  }

  /// Multiplies the bounds on stages and rounds by the denominators of the source's bound.
  void know_products(const Cost<IntTerm>& cost) const {
    const IntTerm wide = d * d * w * w * p;
    const IntTerm widest = d * p * wide;
    const auto& [global, shared] = std::tie(cost.global, cost.shared);
    q.scale(d * d * w * p * p, d * w * (global.stages + shared.stages), factor * most_stages());
    q.scale(wide * (L - 1), d * p * global.rounds, 6 * n + 3 * d * p);
    q.scale(wide * (l - 1), d * p * shared.rounds, factor * most_rounds());
    for (const IntTerm& none : {cost.overlap, cost.constant.stages}) {
      q.multiply_equals(widest, none, 0);
    }
    for (const IntTerm& times : {IntTerm(1), m, L - 1}) q.scale(wide * times, 0, n);
    q.scale(widest, 0, L - 1);
  }

  static constexpr std::uint64_t factor = 12;
  Query& q;
  IntTerm n = q.number("n", 1, 9);
  IntTerm m = q.number("m", 1, 3);
  IntTerm p = q.number("p", 1, 4);
  IntTerm w = q.number("w", 1, 2);
  IntTerm l = q.number("l", 1, 3);
  IntTerm L = q.number("L", 1, 5);
  IntTerm d = q.number("d", 1, 2);
  TaskOf<IntTerm> task = task_on(MachineKind::hmm, "shares",
                                 {.w = w, .l = l, .L = L, .d = d, .p = p}, {{"n", n}, {"m", m}});
  IntTerm share = Convolution::share(task);
  IntTerm padded = rounded_up(share, w);
  IntTerm rows = ceil_div(ceil_div(n, d), w);  ///< rows of banks in a share
  RowSweeps sweeps;
  Convolving convolving;
  Copying x{task.machine, m, 0, 0, m};
  Copying y{task.machine, share + m - 1, share, rows, n + m - 1};
  Copying z{task.machine, share, share, rows, n};
  IntTerm words = x.words() + y.words() + z.words();  ///< words that a block copies
  IntTerm turns = x.turns() + y.turns() + z.turns();
  IntTerm with_ends = words + turns * (w - 1);
  IntTerm of_blocks = x.stages() + y.stages() + z.stages();
};

Theorem convolution_of_shares() {
  return Theorem{.id = "D5.upper",
                 .source = "HMM theorem 9, corollary 10",
                 .statement =
                     "convolution takes at most 12(n/w + mn/(dw) + nL/P + mnl/P + L + l(log m + "
                     "1)) on the HMM",
                 .domain = "all n ≥ dw, m ≤ n/d, p ≥ w, l, L, d"}
      .proof([](Query& q) { SharesOfConvolution(q).prove_bound(); })
      .false_twin(prove_a_hundredth_less<ConvolutionOfShares>);
}

}  // namespace

std::vector<Theorem> theorems_on_convolutions_on_the_hmm() { return {convolution_of_shares()}; }

}  // namespace bankproof::proofs
