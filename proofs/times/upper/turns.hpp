// Invariants of the loops that algorithms are made of, for proofs of how long they take at most.
//
// Of a loop over n items by p threads, a turn of c of them has at most c/w + (w − 1)/w stages an
// access on banks, and twice that on groups; there are at most n/p + (p − 1)/p turns.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "../../bounds.hpp"

namespace bankproof::proofs {

using OfRounds = Rounds<IntTerm>;

/// Pieces that an access to consecutive words has at most where a warp has one.
inline std::uint64_t pieces_on(MachineKind machine) { return machine == MachineKind::dmm ? 1 : 2; }

/// Of over_turns(items, p, …) in which a turn of c threads has at most `pieces`·(c + w − 1)/w
/// stages, in so many rounds.
inline SumInvariant<OfRounds> of_turns(const IntTerm& w, const IntTerm& p, std::uint64_t pieces,
                                       std::uint64_t rounds,
                                       const std::function<IntTerm()>& items) {
  return [=](const IntTerm& k, const OfRounds& sum) {
    const IntTerm done = smaller(k * p, items());
    return w * sum.stages <= IntTerm(pieces) * (done + k * (w - IntTerm(1))) &&
           sum.rounds <= IntTerm(rounds) * k;
  };
}

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

}  // namespace bankproof::proofs
