// How long copies to the shared memories take at most (row C5).
#include <memory>

#include "../../../algorithms/copy.hpp"
#include "../times.hpp"
#include "turns.hpp"

namespace bankproof::proofs {
namespace {

/// time ≤ groups/w + n/(dw) + n(l + L)/(dp) + l + L.
Truth is_bounded(const IntTerm& time, const CopyOf<IntTerm>& c, const IntTerm& groups) {
  const IntTerm all = c.d * c.p * c.w;
  const IntTerm latencies = c.l + c.L;
  return all * time <= groups * c.d * c.p + c.n * c.p + c.n * latencies * c.w + latencies * all;
}

/// A copy by full warps, and its shares.
struct Shares {
  IntTerm warps;
  CopyOf<IntTerm> c;
  IntTerm share;  ///< of so many warps' words; the first DMMs have one,
  IntTerm full;   ///< so many of them,
  IntTerm rest;   ///< and the next one has the words that are left.

  explicit Shares(Query& q)
      : warps(q.number("p/w", 1, 1)),
        c{q.number("n", 1, 20), q.number("d", 1, 2), q.number("w", 1, 4), warps,
          q.number("l", 1, 2),  q.number("L", 1, 5)} {
    const IntTerm zero(0);
    const IntTerm one(1);
    c.p = warps * c.w;
    const IntTerm each = ceil_div(c.n, c.d);
    share = ceil_div(each, c.w);
    q.compare_multiples(c.d, each, zero);
    q.prove("some words", each >= one);
    q.compare_multiples(c.w, share, zero);
    q.multiply_by({c.d, c.w});
    q.prove("a share", share >= one && c.d * (c.w * share) < c.n + c.d * c.w);
    std::tie(full, rest) = q.quotient(c.n, share * c.w);
    q.compare_multiples(share * c.w, c.d, full);
    q.prove("full shares", full <= c.d && rest >= zero);
  }

  /// Warps' words that a DMM with a full share has copied before round k, and one with the rest.
  IntTerm of_full(const IntTerm& k) const { return before(k, share); }
  IntTerm of_last(const IntTerm& k) const { return before(k, ceil_div(rest, c.w)); }

  /// In a round a DMM accesses one group for each warp.
  void prove_groups(Query& q, const IntTerm& dmm, const IntTerm& round) const {
    const IntTerm one(1);
    const IntTerm& w = c.w;
    const auto mine = c.share(dmm);
    q.multiply_by({w, warps, warps * w, share * w});
    q.compare_multiples(share * w, dmm, full);
    q.prove("its words", implies(dmm < full, mine.words() == share * w) &&
                             implies(dmm == full, mine.words() == rest) &&
                             implies(dmm > full, mine.words() == IntTerm(0)));
    q.prove("before", round * warps >= IntTerm(0) && round * c.p >= IntTerm(0));
    const IntTerm words = c.words(dmm, round);
    const IntTerm pieces = minus_or_zero(words, one) / w;
    for (const IntTerm& all : {share, ceil_div(rest, w)}) {
      q.compare_multiples(w, pieces, all - round * warps);
    }
    q.compare_multiples(w, pieces, warps);
    q.compare_multiples(w, (mine.first + round * c.p) / w, dmm * share + round * warps);
  }
  Truth has_groups(const IntTerm& dmm, const IntTerm& round) const {
    const IntTerm one(1);
    const IntTerm words = c.words(dmm, round);
    const IntTerm pieces = minus_or_zero(words, one) / c.w;
    const IntTerm start = c.share(dmm).first + round * c.p;
    return implies(words >= one,
                   dmm <= full && start % c.w == IntTerm(0) &&
                       implies(dmm < full, pieces < of_full(round + one) - of_full(round)) &&
                       implies(dmm == full, pieces < of_last(round + one) - of_last(round)));
  }
  Truth has_shared_stages(Query& q, const IntTerm& round) const {
    const IntTerm stages = c.shared_stages(round);
    q.multiply_by({c.w, warps, warps * c.w});
    for (const IntTerm& all : {warps, share - round * warps, IntTerm(0)}) {
      q.compare_multiples(c.w, all, stages);
    }
    return stages <= of_full(round + IntTerm(1)) - of_full(round);
  }

 private:
  IntTerm before(const IntTerm& k, const IntTerm& all) const {
    return k.constant() ? IntTerm(0) : smaller(k * warps, all);
  }
};

/// Gives the invariants of the rounds, and of the DMMs in a round.
void give_copy(Query& q, const Shares& of) {
  const IntTerm one(1);
  const auto round = std::make_shared<IntTerm>(0);
  q.give_invariant<SumInvariant<IntTerm>>([=, &q](const IntTerm& k, const IntTerm& time) {
    *round = k;
    if (!k.constant()) q.suppose(k >= one, [&] { return of.has_shared_stages(q, k - one); });
    return time <= of.full * of.of_full(k) + of.of_last(k) + of.of_full(k) +
                       k * (of.c.l + of.c.L - IntTerm(2));
  });
  q.give_invariant<SumInvariant<IntTerm>>([=, &q](const IntTerm& dmms, const IntTerm& stages) {
    const IntTerm& k = *round;
    const IntTerm each = of.of_full(k + one) - of.of_full(k);
    const IntTerm last = of.of_last(k + one) - of.of_last(k);
    q.multiply_equals(each, dmms, of.full);
    if (!dmms.constant()) {
      q.suppose(dmms >= one, [&] {
        of.prove_groups(q, dmms - one, k);
        return of.has_groups(dmms - one, k);
      });
    }
    return implies(dmms <= of.full, stages <= dmms * each) &&
           implies(dmms > of.full, stages <= of.full * each + last);
  });
}

Theorem copy() {
  return {.id = "C5.upper",
          .source = "OPT lemma 2",
          .statement =
              "copying n words from the global memory to d shared memories takes at most "
              "n/w + n/(dw) + n(l + L)/(dp) + l + L",
          .domain = "all n, d, w, l, L, multiples p of w",
          .proof =
              [](Query& q) {
                const IntTerm one(1);
                const Shares of(q);
                const auto& [n, d, p, w, l, L] = of.c;
                give_copy(q, of);
                const IntTerm time = of.c.lockstep_time();
                const IntTerm levels = of.c.levels();
                q.multiply_by({w, of.warps, of.full, of.full * w});
                q.prove("global stages",
                        w * (of.full * of.of_full(levels) + of.of_last(levels)) < n + w);
                q.compare_multiples(w, of.share + of.warps, of.warps * levels);
                q.prove("levels", of.warps * levels < of.share + of.warps);
                q.multiply_by({w, d * w, l - one, L - one});
                q.prove("rounds", d * p * levels < n + d * p);
                q.multiply_by({w, p, d * p, w * (l - one), w * (L - one), d * p * w});
                q.prove("the bound", is_bounded(time, of.c, n));
              },
          .false_twin =
              [](Query& q) {
                // As if the global memory had a port for each DMM.
                const IntTerm one(1);
                const CopyOf<IntTerm> c{IntTerm(64), IntTerm(4), one, one, one, one};
                q.prove("the bound", is_bounded(c.lockstep_time(), c, IntTerm(0)));
              }};
}

}  // namespace

std::vector<Theorem> theorems_on_copies() { return {copy()}; }

}  // namespace bankproof::proofs
