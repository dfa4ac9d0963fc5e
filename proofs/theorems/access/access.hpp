// Contiguous accesses on terms, and facts about their rounds.
#pragma once

#include <array>

#include "../../../algorithms/contiguous_access.hpp"
#include "../../builder/bounds.hpp"
#include "../families/access_algorithms.hpp"

namespace bankproof::proofs {

using Access = ContiguousAccessOf<IntTerm>;
using OfRounds = Rounds<IntTerm>;

using AccessExample = std::array<std::uint64_t, 3>;

inline Access numbers(Query& q, const AccessExample& example = {10, 4, 2}) {
  Access c{q.number("n", 1, example[0]), q.number("p", 1, example[1]), q.number("w", 1, example[2]),
           q.number("l", 1, 3)};
  return c;
}
/// An arbitrary access, with facts about its rounds.
inline Access any_access(Query& q, const AccessExample& example = {10, 4, 2}) {
  Access c = numbers(q, example);
  q.compare_multiples(c.p, c.rounds(), 0);
  q.multiply_by({c.p, c.w});
  q.claim("the words of the last round", c.rest() >= 1 && c.rest() <= c.p);
  for (const IntTerm& words : {c.p, c.rest()}) {
    const IntTerm warps = ceil_div(words, c.w);
    q.compare_multiples(c.w, warps, 0);
    q.claim("the warps of a round",
            warps >= 1 && c.w * warps >= words && c.w * warps < words + c.w);
  }
  const IntTerm turn = larger(c.warps(), c.l);
  q.claim("the longer of both", turn >= c.warps() && turn >= c.l);
  return c;
}
inline Access access_of(std::uint64_t n, std::uint64_t p, std::uint64_t w, std::uint64_t l) {
  return {n, p, w, l};
}

/// The rounds, one after another.
template <class N>
Rounds<N> rounds_of(MemoryKind kind, const ContiguousAccessOf<N>& c) {
  return over_turns(c.n, c.p, [&](const N& start, const N& count) {
    return round_of(kind, Run<N>{start, count}, c.w);
  });
}

}  // namespace bankproof::proofs
