// Upper bounds on copies to the shared memories: of one array (row C5), and of several arrays (row
// C6).
#include <functional>
#include <tuple>
#include <vector>

#include "../families/access_algorithms.hpp"
#include "../lists.hpp"
#include "../turns/begun.hpp"
#include "../turns/close.hpp"
#include "../turns/turns.hpp"

namespace bankproof::proofs {
namespace {

Truth copy_is_bounded(const IntTerm& time, const CopyOf<IntTerm>& c, std::uint64_t factor) {
  return is_at_most(time, factor, bound_of(c));
}

/// A copy by full warps, and its shares.
struct SharesOfCopy {
  IntTerm warps;
  CopyOf<IntTerm> c;
  IntTerm share;  ///< warps of words in a full share
  IntTerm full;   ///< number of DMMs with a full share; they come first
  IntTerm rest;   ///< the next DMM has the remaining words

  explicit SharesOfCopy(Query& q)
      : warps(q.number("p/w", 1, 1)),
        c{.n = q.number("n", 1, 20),
          .d = q.number("d", 1, 2),
          .p = 0,
          .w = q.number("w", 1, 4),
          .l = q.number("l", 1, 2),
          .L = q.number("L", 1, 5)} {
    c.p = warps * c.w;
    const IntTerm each = ceil_div(c.n, c.d);
    share = ceil_div(each, c.w);
    q.compare_multiples(c.d, each, 0);
    q.claim("some words", each >= 1);
    q.compare_multiples(c.w, share, 0);
    q.multiply_by({c.d, c.w});
    q.claim("a share", share >= 1 && c.d * (c.w * share) < c.n + c.d * c.w);
    std::tie(full, rest) = q.quotient(c.n, share * c.w);
    q.compare_multiples(share * c.w, c.d, full);
    q.claim("full shares", full <= c.d && rest >= 0);
  }

  /// How many warps of words, w words each, one DMM copies before round k: a DMM with a full share,
  /// and the DMM with the rest.
  IntTerm of_full(const IntTerm& k) const { return before(k, share); }
  IntTerm of_last(const IntTerm& k) const { return before(k, ceil_div(rest, c.w)); }

  /// Proves how many warps of a DMM have words to copy in a round.
  void prove_warps(Query& q, const IntTerm& dmm, const IntTerm& round) const {
    const IntTerm& w = c.w;
    const IntTerm mine = c.share(dmm).words();
    q.multiply_by({w, warps, warps * w, share * w});
    q.compare_multiples(share * w, dmm, full);
    q.claim("its words", implies(dmm < full, mine == share * w) &&
                             implies(dmm == full, mine == rest) && implies(dmm > full, mine == 0));
    q.claim("before", round * warps >= 0 && round * c.p >= 0);
    const IntTerm active = ceil_div(c.words(dmm, round), w);
    for (const IntTerm& all : {share, ceil_div(rest, w)}) {
      q.compare_multiples(w, active, all - round * warps);
    }
    for (const IntTerm& all : {IntTerm(0), warps}) q.compare_multiples(w, active, all);
  }
  Truth has_warps(const IntTerm& dmm, const IntTerm& round) const {
    const IntTerm words = c.words(dmm, round);
    const IntTerm active = ceil_div(words, c.w);
    return implies(dmm < full, active <= of_full(round + 1) - of_full(round)) &&
           implies(dmm == full, active <= of_last(round + 1) - of_last(round)) &&
           implies(dmm > full, words == 0 && active == 0);
  }
  /// Proves that the words of each warp are in one group.
  void prove_groups(Query& q, const IntTerm& dmm, const IntTerm& round) const {
    prove_warps(q, dmm, round);
    q.claim("its warps", has_warps(dmm, round));
    const IntTerm words = c.words(dmm, round);
    const IntTerm start = c.share(dmm).first + round * c.p;
    q.compare_multiples(c.w, minus_or_zero(words, 1) / c.w, ceil_div(words, c.w));
    q.compare_multiples(c.w, start / c.w, dmm * share + round * warps);
  }
  Truth has_groups(const IntTerm& dmm, const IntTerm& round) const {
    const IntTerm words = c.words(dmm, round);
    const IntTerm start = c.share(dmm).first + round * c.p;
    return has_warps(dmm, round) &&
           implies(words >= 1,
                   start % c.w == 0 && minus_or_zero(words, 1) / c.w < ceil_div(words, c.w));
  }
  Truth has_shared_stages(Query& q, const IntTerm& round) const {
    const IntTerm stages = c.shared_stages(round);
    q.multiply_by({c.w, warps, warps * c.w});
    for (const IntTerm& all : {warps, share - round * warps, IntTerm(0)}) {
      q.compare_multiples(c.w, all, stages);
    }
    return stages <= of_full(round + 1) - of_full(round);
  }

 private:
  IntTerm before(const IntTerm& k, const IntTerm& all) const {
    return k.constant() ? 0 : smaller(k * warps, all);
  }
};

/// The parts of the invariant that bounds a copy's stages on global memory. `prove` proves a bound
/// on the stages of a DMM in a round. If all DMMs together copy c warps of words before round k,
/// the bound before round k is each·(c + more(k)).
struct OnGlobal {
  std::uint64_t each;
  std::function<IntTerm(const IntTerm& k)> more;
  std::function<Truth(const IntTerm& dmm, const IntTerm& round)> prove;
};

/// Gives the invariants of the rounds, and of the DMMs in a round.
void give_shares_of_copy(Query& q, const SharesOfCopy& of, const OnGlobal& global) {
  const auto give_dmms = [=, &q](const IntTerm& round) {
    q.give(OverNumbers<IntTerm>("DMMs in a round").holds([=, &q](auto& dmms, auto& stages) {
      const IntTerm each = of.of_full(round + 1) - of.of_full(round);
      const IntTerm last = of.of_last(round + 1) - of.of_last(round);
      q.multiply_equals(each, dmms, of.full);
      if (!dmms.constant()) {
        q.suppose(dmms >= 1, [&] { return global.prove(dmms - 1, round); });
      }
      return implies(dmms <= of.full, stages <= dmms * each) &&
             implies(dmms > of.full, stages <= of.full * each + last);
    }));
  };
  q.give(OverNumbers<IntTerm>("rounds")
             .holds([=, &q](auto& k, auto& time) {
               if (!k.constant()) {
                 q.suppose(k >= 1, [&] { return of.has_shared_stages(q, k - 1); });
               }
               const IntTerm stages = of.full * of.of_full(k) + of.of_last(k) + global.more(k);
               return time <= global.each * stages + of.of_full(k) + k * (of.c.l + of.c.L - 2);
             })
             .step(give_dmms));
}

/// Proves the bound on a time whose invariants are known.
void prove_bound(Query& q, const SharesOfCopy& of, const IntTerm& time, std::uint64_t factor) {
  const auto& [n, d, p, w, l, L] = of.c;
  const IntTerm levels = of.c.levels();
  q.multiply_by({w, of.warps, of.full, of.full * w});
  q.claim("global stages", w * (of.full * of.of_full(levels) + of.of_last(levels)) < n + w);
  q.compare_multiples(w, of.share + of.warps, of.warps * levels);
  q.claim("levels", of.warps * levels < of.share + of.warps);
  q.multiply_by({w, d * w, l - 1, L - 1});
  q.claim("rounds", d * p * levels < n + d * p);
  q.multiply_by({w, p, d * p, w * (l - 1), w * (L - 1), d * p * w});
  const IntTerm all = d * p * w;
  const IntTerm terms = n * d * p + n * p + n * (l + L) * w + (l + L) * all;
  q.claim("the bound times dpw", all * time <= factor * terms);
  q.multiply_by({d * w});
  q.claim("the bound", copy_is_bounded(time, of.c, factor));
}

Theorem copy() {
  return Theorem{.id = "C5.upper",
                 .source = "OPT lemma 2",
                 .statement =
                     "copying n words from the global memory to d shared memories takes at most "
                     "n/w + n/(dw) + n(l + L)/(dp) + l + L",
                 .domain = "all n, d, w, l, L, multiples p of w"}
      .proof([](Query& q) {
        const SharesOfCopy of(q);
        give_shares_of_copy(q, of,
                            {.each = 1,
                             .more = [](const IntTerm&) { return 0; },
                             .prove =
                                 [&q, of](const IntTerm& dmm, const IntTerm& round) {
                                   of.prove_groups(q, dmm, round);
                                   return of.has_groups(dmm, round);
                                 }});
        prove_bound(q, of, of.c.lockstep_time(), 1);
      })
      .false_twin(prove_a_hundredth_less<CopyToShared>);
}

/// The time of a copy of arrays. The law of begun.hpp bounds the stages on global memory.
IntTerm time_of_arrays(const CopyOf<IntTerm>& c, const Begun& begun) {
  return sum_over(c.levels(), [&](const IntTerm& k) {
    const IntTerm warps =
        sum_over(c.d, [&](const IntTerm& dmm) { return ceil_div(c.words(dmm, k), c.w); });
    return begun.stages(k, warps) + c.L - 1 + c.shared_stages(k) + c.l - 1;
  });
}

Theorem copy_of_arrays() {
  return Theorem{.id = "C6.upper",
                 .source = "OPT lemma 3",
                 .statement =
                     "copying at most n/w segments of n words in all, numbered one after another, "
                     "from the global memory to d shared memories takes at most 4(n/w + n/(dw) + "
                     "n(l + L)/(dp) + l + L), where a round of k warps' accesses within which a "
                     "segments begin takes at most 2(k + a) stages",
                 .domain = "all n, d, w, l, L, multiples p of w"}
      .proof([](Query& q) {
        const SharesOfCopy of(q);
        const IntTerm arrays = q.number("arrays", 1, 3);
        q.assume(arrays * of.c.w <= of.c.n);
        const Begun begun(q);
        give_shares_of_copy(q, of,
                            {.each = 2,
                             .more = [=](const IntTerm& k) { return begun.before(k); },
                             .prove =
                                 [&q, of](const IntTerm& dmm, const IntTerm& round) {
                                   of.prove_warps(q, dmm, round);
                                   return of.has_warps(dmm, round);
                                 }});
        const IntTerm time = time_of_arrays(of.c, begun);
        q.assume(begun.before(of.c.levels()) <= arrays);
        prove_bound(q, of, time, 4);
      })
      .false_twin(prove_a_hundredth_less<CopyOfCutArrays>);
}

}  // namespace

std::vector<Theorem> theorems_on_copies() { return {copy(), copy_of_arrays()}; }

}  // namespace bankproof::proofs
