// Invariants of the loops in algorithms, for proofs of upper bounds on the times of the algorithms.
//
// In a loop over n items by p threads, a turn of c items has at most c/w + (w − 1)/w stages for
// each access on banks, and twice as many on groups. There are at most n/p + (p − 1)/p turns.
#pragma once

#include <cstdint>
#include <string>

#include "../../builder/bounds.hpp"

namespace bankproof::proofs {

using OfRounds = Rounds<IntTerm>;

/// Upper bound on the pieces of a warp's access to consecutive words.
inline std::uint64_t pieces_on(MachineKind machine) { return machine == MachineKind::dmm ? 1 : 2; }

/// Bounds for a turn of c threads: at most (words·c + ends·(w − 1))/w stages in at most `rounds`
/// rounds.
struct OfTurn {
  std::uint64_t words;
  std::uint64_t ends;
  std::uint64_t rounds;
};

/// Invariant of over_turns(items, p, …) with turns of this kind.
inline OverNumbers<OfRounds> of_turns(const std::string& name, const IntTerm& w, const IntTerm& p,
                                      const OfTurn& turn, const IntTerm& items) {
  return OverNumbers<OfRounds>(name).holds([=](auto& k, auto& sum) {
    const IntTerm done = smaller(k * p, items);
    return w * sum.stages <= turn.words * done + turn.ends * k * (w - 1) &&
           sum.rounds <= turn.rounds * k;
  });
}
/// The same invariant for turns whose accesses go to consecutive words.
inline OverNumbers<OfRounds> of_turns(const std::string& name, const IntTerm& w, const IntTerm& p,
                                      std::uint64_t pieces, std::uint64_t rounds,
                                      const IntTerm& items) {
  return of_turns(name, w, p, {pieces, pieces, rounds}, items);
}

/// Makes these terms and their products factors. Proves that each term is ≥ 0. Call it early, while
/// few facts are known.
inline void allow_factors(Query& q, const std::vector<IntTerm>& factors) {
  for (const IntTerm& factor : factors) q.multiply_by({factor});
  q.multiply_by({});
}

/// Gives the invariants of pairwise_cost(kind, n, p, w), a sum over levels of sums over turns. The
/// first k levels have added min(2^k, n) − 1 numbers. These levels take at most (min(2^k, n) − 1)/p
/// + k turns.
inline void give_pairwise(Query& q, const IntTerm& w, const IntTerm& p, std::uint64_t pieces,
                          const IntTerm& n) {
  q.give(OverPowers<OfRounds>("levels")
             .holds([=](auto& k, auto& power, auto& sum) {
               const IntTerm added = smaller(power, n) - 1;
               const IntTerm turns = added + p * k;  // p times the turns
               return w * p * sum.stages <= 3 * pieces * (p * added + (w - 1) * turns) &&
                      p * sum.rounds <= 3 * turns;
             })
             .step([=, &q](auto& power) {
               q.give(of_turns("turns of a level", w, p, 3 * pieces, 3, smaller(power, n - power)));
             }));
}

/// Proves that a level of h = ⌊n/power⌋ numbers leaves ⌊h/2⌋ numbers for the next power.
inline void halve(const IntTerm& n, const IntTerm& power) {
  Query& q = n.query();
  const IntTerm before = n / power;
  const IntTerm after = n / (2 * power);
  for (const IntTerm& rest : {IntTerm(0), IntTerm(1)}) {
    q.multiply_equals(power, before % 2, rest);
  }
  q.multiply_equals(power, before, 2 * (before / 2) + before % 2);
  q.compare_multiples(2 * power, after, before / 2);
  q.claim("half of them are left", after == before / 2);
}

}  // namespace bankproof::proofs
