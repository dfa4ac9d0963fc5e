// The upper bound on access to several arrays (row C3). The threads access the concatenation of the
// arrays.
#include "../lists.hpp"
#include "../turns/begun.hpp"
#include "../turns/close.hpp"
#include "../turns/turns.hpp"
#include "access.hpp"

namespace bankproof::proofs {
namespace {

/// The rounds of an access to arrays of n words in all, by the law of begun.hpp.
OfRounds rounds_of_arrays(Query& q, const Access& c, const IntTerm& arrays) {
  const Begun begun(q);
  q.give(OverNumbers<OfRounds>("rounds").holds([=](auto& t, auto& sum) {
    const IntTerm words = smaller(t * c.p, c.n);
    return c.w * sum.stages <= 2 * (words + t * (c.w - 1) + c.w * begun.before(t)) &&
           words <= c.n && sum.rounds <= t;
  }));
  OfRounds rounds = sum_over(c.rounds(), [&](const IntTerm& t) {
    const IntTerm words = smaller(c.p, c.n - t * c.p);
    return one_round(begun.stages(t, ceil_div(words, c.w)), words);
  });
  q.assume(begun.before(c.rounds()) <= arrays);
  return rounds;
}

Theorem shared_by_threads() {
  const auto claim = [](const OfRounds& rounds, const Access& c, std::uint64_t factor) {
    return is_at_most(rounds.time(c.l), factor, bound_of(c));
  };
  return Theorem{.id = "C3.upper",
                 .source = "HMM theorem 2",
                 .statement =
                     "access to at most n/w arrays of n words in all, numbered one after another "
                     "for the threads to share, takes at most 4(n/w + nl/p + l), where a round of "
                     "r words within which a arrays begin takes at most 2(⌈r/w⌉ + a) stages",
                 .domain = "all n, p, w, l"}
      .proof([=](Query& q) {
        const Access c = numbers(q, {10, 4, 2});
        const IntTerm arrays = q.number("arrays", 1, 3);
        q.assume(arrays * c.w <= c.n);
        q.multiply_by({c.p, c.w, c.w - 1});
        const OfRounds rounds = rounds_of_arrays(q, c, arrays);
        const IntTerm later = c.l - 1;
        q.multiply_by({c.p, c.w, later, c.p * c.w, c.w * later, c.p * c.w * later});
        q.claim("the bound", claim(rounds, c, 4));
      })
      .false_twin(prove_a_hundredth_less<AccessToCutArrays>);
}

}  // namespace

std::vector<Theorem> theorems_on_segments() { return {shared_by_threads()}; }

}  // namespace bankproof::proofs
