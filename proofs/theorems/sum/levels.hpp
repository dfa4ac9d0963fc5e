// Lower bounds on the loops of an algorithm, level by level: a loop makes at least one request for
// each item, at most w requests in a stage and at most p in a round.
#pragma once

#include <cstdint>

#include "../../builder/bounds.hpp"

namespace bankproof::proofs {

using OfRounds = Rounds<IntTerm>;

/// All numbers are at least 1.
struct Numbers {
  IntTerm n, p, w, l;
};

inline Truth carries(const OfRounds& rounds, const Numbers& of) {
  return rounds.requests <= of.w * rounds.stages && rounds.requests <= of.p * rounds.rounds &&
         0 <= rounds.rounds && rounds.rounds <= rounds.stages;
}

/// Invariant of a loop over `items` items whose turns make at least `accesses` accesses.
inline OverNumbers<OfRounds> loop(const Numbers& of, std::uint64_t accesses, const IntTerm& items) {
  return OverNumbers<OfRounds>("turns of a level").holds([=](auto& k, auto& sum) {
    items.query().compare_multiples(of.p, ceil_div(items, of.p), 0);
    return carries(sum, of) && sum.requests >= accesses * smaller(k * of.p, items) &&
           implies(k >= 1 && items >= 1, sum.rounds >= accesses);
  });
}

}  // namespace bankproof::proofs
