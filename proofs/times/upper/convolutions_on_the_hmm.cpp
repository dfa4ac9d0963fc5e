// How long direct convolution takes at most on the HMM (row D5), for all sizes, threads, widths and
// latencies.
#include <memory>
#include <tuple>

#include "../../../algorithms/convolution.hpp"
#include "../times.hpp"
#include "convolving.hpp"
#include "copying.hpp"

namespace bankproof::proofs {
namespace {

/// A task and its shares. That these are multiples of w, at most twice n/d numbers, is proved
/// first.
struct Shares {
  explicit Shares(Query& query)
      : q(query), sweeps(know_shares()), convolving(q, sweeps, Convolution::size_of(task)) {
    q.multiply_equals(w, rows, ceil_div(share, w));
    q.prove("whole rows", padded == share);
    q.multiply_equals(d, padded, share);
    q.prove("words of all shares", n <= d * padded && d * padded <= IntTerm(2) * n);
    q.prove("numbers of all shares", d * share <= IntTerm(2) * n);
  }

  void prove_bound(std::uint64_t factor) const {
    give_wave();
    const Cost<IntTerm> cost = Convolution::cost(task);
    know_global(cost.global);
    know_shared(cost.shared);
    know_products(cost);
    q.prove("the bound", is_bounded<Convolution>(lockstep_time(cost, task.machine), task, factor));
  }

  RowSweeps know_shares() const {
    q.assume(p >= w && m * d <= n && n >= d * w);
    allow_factors(q, {n, m, p, w, w - one, l - one, L - one, d});
    for (const IntTerm& less : {w, m}) q.compare_multiples(d, ceil_div(n, d), less);
    q.prove("numbers of a share", share >= w && share >= m);
    q.multiply_by({d});
    q.prove("numbers of all shares", n <= d * share && d * share < n + d * w);
    q.multiply_by({});
    return {q, MemoryKind::banks, share, p, w};
  }

  /// All blocks are of one wave, one on each DMM.
  void give_wave() const {
    const IntTerm waves = ceil_div(d, d);
    q.compare_multiples(d, waves, one);
    q.prove("one wave", waves == one);
    const auto wave = std::make_shared<WaveOfAll>(WaveOfAll{IntTerm(0), one});
    q.give_invariant<SumInvariant<Cost<IntTerm>>>(
        [=, *this, step = Step()](const IntTerm& k, const Cost<IntTerm>& sum) mutable {
          step([&] {
            *wave = {k * d, smaller(d, d - k * d)};
            know_wave(k, *wave);
          });
          step.multiply_by(q, {d, p, ceil_div(wave->blocks, d)});
          const IntTerm zero(0);
          const auto& [global, shared] = std::tie(sum.global, sum.shared);
          const Truth nothing = w * global.stages == zero && global.rounds == zero &&
                                w * shared.stages == zero && p * shared.rounds == zero;
          const Truth all = w * global.stages <= d * (words + with_ends) &&
                            global.rounds <= turns &&
                            w * shared.stages <= with_ends + convolving.stages() &&
                            p * shared.rounds <= p * turns + convolving.rounds();
          return sum.overlap == zero && sum.constant.stages == zero && k <= one &&
                 implies(k <= zero, nothing) && implies(k >= one, all);
        });
    x.give(q, wave);
    y.give(q, wave);
    convolving.give(q);
    z.give(q, wave);
  }
  void know_wave(const IntTerm& k, const WaveOfAll& wave) const {
    const IntTerm zero(0);
    const IntTerm on_each = ceil_div(wave.blocks, d);
    q.multiply_equals(d, k, zero);
    q.prove("the first wave", k == zero && wave.first == zero && wave.blocks == d);
    q.compare_multiples(d, on_each, one);
    q.prove("one block each", on_each == one);
    q.multiply_equals(with_ends + convolving.stages(), on_each, one);
  }

  void know_global(const OfRounds& global) const {
    q.multiply_by({});
    q.prove("words", d * words <= IntTerm(6) * n);
    q.prove("turns", p * turns <= words + IntTerm(3) * p);
    q.multiply_by({n, p, w - one, d * (w - one)});
    q.prove("words and ends", d * p * with_ends <= IntTerm(15) * n * p);
    q.multiply_by({p});
    q.prove("stages of global memory", w * p * global.stages <= IntTerm(21) * n * p);
    q.multiply_by({d, d * p});
    q.prove("rounds of global memory", d * p * global.rounds <= IntTerm(6) * n + three * d * p);
    q.multiply_by({});
  }

  /// A stage and a round of the shared memories at most, times dwp and times dp.
  IntTerm most_stages() const { return IntTerm(24) * m * n * (p + w) + three * n * d * p; }
  IntTerm most_rounds() const {
    return IntTerm(24) * m * n + IntTerm(6) * d * p * (ceil_log2(m) + one);
  }
  void know_shared(const OfRounds& shared) const {
    const IntTerm& s = convolving.pieces();
    q.prove("at most a piece for each term", s >= one && s <= m);
    q.prove("as many levels", ceil_log2(s) <= ceil_log2(m));
    sweeps.know_turns(s);
    q.suppose(sweeps.has_whole_rows(), [&] { return know_whole_rows(shared); });
    q.suppose(!sweeps.has_whole_rows(), [&] { return know_single_piece(shared); });
    q.prove("shared memory", is_few(shared));
  }
  Truth is_few(const OfRounds& shared) const {
    return d * w * p * shared.stages <= most_stages() && d * p * shared.rounds <= most_rounds();
  }
  Truth know_whole_rows(const OfRounds& shared) const {
    const IntTerm& s = convolving.pieces();
    convolving.know_pieces_of_whole_rows(q);
    q.multiply_by({padded, s, s - one, s * convolving.terms()});
    q.prove("stages", w * shared.stages <= with_ends + (IntTerm(8) * m - IntTerm(5)) * padded);
    q.multiply_by({p, padded});
    q.prove("rounds", p * shared.rounds <= words + IntTerm(6) * p + three * p * ceil_log2(m) +
                                               (IntTerm(10) * m - IntTerm(6)) * padded);
    know_all_shares(shared, {d * p, p, m * p, n * p, m * w});
    return is_few(shared);
  }
  Truth know_single_piece(const OfRounds& shared) const {
    convolving.know_single_piece(q);
    q.multiply_equals(p * sweeps.pieces(), sweeps.of_row(), sweeps.reach());
    q.multiply_by({p, m});
    const IntTerm most = IntTerm(2) * (one + IntTerm(2) * m) * share;
    q.prove("stages", p * w * shared.stages <= p * with_ends + most * (p + w));
    q.prove("rounds", p * shared.rounds <= words + three * p + most);
    know_all_shares(shared, {d, m * p, m * w, p, w, n * p, n * w});
    return is_few(shared);
  }
  void know_all_shares(const OfRounds& shared, const std::vector<IntTerm>& factors) const {
    q.multiply_by(factors);
    q.prove("stages of all shares", d * w * p * shared.stages <= most_stages());
    q.multiply_by({d, m, n, d * p});
    q.prove("rounds of all shares", d * p * shared.rounds <= most_rounds());
    q.multiply_by({});
  }

  /// What the bound takes of these, times the denominators of its terms.
  void know_products(const Cost<IntTerm>& cost) const {
    const IntTerm zero(0);
    const IntTerm narrow = d * d * w * p;
    const IntTerm wide = w * narrow;
    const IntTerm widest = d * p * wide;
    const auto& [global, shared] = std::tie(cost.global, cost.shared);
    q.scale(d * narrow, w * p * global.stages, IntTerm(21) * n * p);
    q.scale(wide * (L - one), d * p * global.rounds, IntTerm(6) * n + three * d * p);
    q.scale(narrow, d * w * p * shared.stages, most_stages());
    q.scale(wide * (l - one), d * p * shared.rounds, most_rounds());
    for (const IntTerm& none : {cost.overlap, cost.constant.stages}) {
      q.multiply_equals(widest, none, zero);
    }
    for (const IntTerm& factor : {wide, wide * (L - one)}) q.scale(factor, zero, n);
    for (const IntTerm& factor : {widest, widest * (l - one)}) {
      q.scale(factor, zero, ceil_log2(m));
    }
    for (const IntTerm& factor : {L - one, l - one}) q.scale(widest, zero, factor);
  }

  Query& q;
  IntTerm one{1};
  IntTerm three{3};
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
  IntTerm rows = ceil_div(ceil_div(n, d), w);  ///< of banks, of a share
  RowSweeps sweeps;
  Convolving convolving;
  Copying x{task.machine, m, IntTerm(0), IntTerm(0), m};
  Copying y{task.machine, share + m - one, share, rows, n + m - one};
  Copying z{task.machine, share, share, rows, n};
  IntTerm words = x.words() + y.words() + z.words();  ///< that a block copies
  IntTerm turns = x.turns() + y.turns() + z.turns();
  IntTerm with_ends = words + turns * (w - one);
};

Theorem convolution_of_shares() {
  return {.id = "D5.upper",
          .source = "HMM theorem 9, corollary 10",
          .statement =
              "convolution takes at most 24(n/w + mn/(dw) + nL/P + mnl/P + L + l(log m + "
              "1)) on the HMM",
          .domain = "all n ≥ dw, m ≤ n/d, p ≥ w, l, L, d",
          .proof = [](Query& q) { Shares(q).prove_bound(24); },
          .false_twin =
              [](Query& q) {
                const IntTerm one(1);
                const auto task = task_on(MachineKind::hmm, "shares",
                                          {.w = one, .l = one, .L = one, .d = one, .p = one},
                                          {{"n", IntTerm(10)}, {"m", one}});
                q.prove("the bound", takes_at_most<Convolution>(task, 1));
              }};
}

}  // namespace

std::vector<Theorem> theorems_on_convolutions_on_the_hmm() { return {convolution_of_shares()}; }

}  // namespace bankproof::proofs
