// Invariants of the loops that algorithms are made of, for proofs of how long they take at most.
//
// Of a loop over n items by p threads, a turn of c of them has at most c/w + (w − 1)/w stages an
// access on banks, and twice that on groups; there are at most n/p + (p − 1)/p turns.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "../../builder/bounds.hpp"

namespace bankproof::proofs {

using OfRounds = Rounds<IntTerm>;

/// Pieces that an access to consecutive words has at most where a warp has one.
inline std::uint64_t pieces_on(MachineKind machine) { return machine == MachineKind::dmm ? 1 : 2; }

/// What a turn of c threads has at most: (words·c + ends·(w − 1))/w stages in so many rounds.
struct OfTurn {
  std::uint64_t words;
  std::uint64_t ends;
  std::uint64_t rounds;
};

/// Of over_turns(items, p, …) with such turns.
inline SumInvariant<OfRounds> of_turns(const IntTerm& w, const IntTerm& p, const OfTurn& turn,
                                       const std::function<IntTerm()>& items) {
  return [=](const IntTerm& k, const OfRounds& sum) {
    const IntTerm done = smaller(k * p, items());
    return w * sum.stages <=
               IntTerm(turn.words) * done + IntTerm(turn.ends) * k * (w - IntTerm(1)) &&
           sum.rounds <= IntTerm(turn.rounds) * k;
  };
}
/// Likewise where words and ends are `pieces` accesses to consecutive words.
inline SumInvariant<OfRounds> of_turns(const IntTerm& w, const IntTerm& p, std::uint64_t pieces,
                                       std::uint64_t rounds,
                                       const std::function<IntTerm()>& items) {
  return of_turns(w, p, {pieces, pieces, rounds}, items);
}

/// Proves of each of these, while little is known, that it is a factor; so are their products then.
inline void allow_factors(Query& q, const std::vector<IntTerm>& factors) {
  for (const IntTerm& factor : factors) q.multiply_by({factor});
  q.multiply_by({});
}

/// In an invariant, where proofs about the term that is added go: a sum asks for its invariant of
/// no terms, of the terms before that one, of those with it, and of all.
class Step {
 public:
  /// What is known of the term; of what its sums are nothing is known yet.
  template <class Steps>
  void operator()(Steps steps) {
    if (++*calls_ == 2) steps();
  }
  /// Factors for "one term more". Those that the term's own sums are proved with are others.
  void multiply_by(Query& q, const std::vector<IntTerm>& factors) const {
    if (*calls_ == 3) q.multiply_by(factors);
  }

 private:
  std::shared_ptr<int> calls_ = std::make_shared<int>(0);
};

/// Gives the invariants of pairwise_cost(kind, n, p, w), a sum over levels of sums over turns.
/// Levels so far have added all but `n` − min(2^k, n) + 1 of the numbers, in at most that many
/// divided by p turns, and one more for each level.
inline void give_pairwise(Query& q, const IntTerm& w, const IntTerm& p, std::uint64_t pieces,
                          const std::function<IntTerm()>& n) {
  const auto level = std::make_shared<IntTerm>(1);
  q.give_invariant<PowersInvariant<OfRounds>>(
      [=](const IntTerm& k, const IntTerm& power, const OfRounds& sum) {
        *level = power;
        const IntTerm added = smaller(power, n()) - IntTerm(1);
        const IntTerm turns = added + p * k;  // times p
        return w * p * sum.stages <= IntTerm(3 * pieces) * (p * added + (w - IntTerm(1)) * turns) &&
               p * sum.rounds <= IntTerm(3) * turns;
      });
  q.give_invariant(of_turns(w, p, 3 * pieces, 3, [=] { return smaller(*level, n() - *level); }));
}

/// ⌊h/2⌋ numbers are left of h = ⌊n/power⌋ where powers are one more.
inline void halve(const IntTerm& n, const IntTerm& power) {
  Query& q = n.query();
  const IntTerm two(2);
  const IntTerm before = n / power;
  const IntTerm after = n / (two * power);
  for (const IntTerm& rest : {IntTerm(0), IntTerm(1)}) {
    q.multiply_equals(power, before % two, rest);
  }
  q.multiply_equals(power, before, two * (before / two) + before % two);
  q.compare_multiples(two * power, after, before / two);
  q.prove("half of them are left", after == before / two);
}

}  // namespace bankproof::proofs
