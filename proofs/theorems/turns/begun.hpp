// The law of rounds of accesses to several arrays, numbered one after another (rows C3 and C6).
#pragma once

#include "../../builder/query.hpp"

namespace bankproof::proofs {

/// A round in which a arrays begin, and of which k warps take part, takes at most 2(k + a) stages:
/// each warp's words are cut where an array begins, and each piece of at most w words lies in two
/// groups at most (theorem C1.groups).
class Begun {
 public:
  explicit Begun(Query& q) : q_(q), stages_(q.function("stages")), begun_(q.function("begun")) {
    q.assume(begun_(IntTerm(0)) == IntTerm(0));
  }
  /// Arrays that begin before a round.
  IntTerm before(const IntTerm& round) const { return begun_(round); }
  /// Of a round of so many warps.
  IntTerm stages(const IntTerm& round, const IntTerm& warps) const {
    const IntTerm pieces = warps + before(round + IntTerm(1)) - before(round);
    q_.assume(stages_(round) <= IntTerm(2) * pieces);
    return stages_(round);
  }

 private:
  Query& q_;
  Function stages_;
  Function begun_;
};

}  // namespace bankproof::proofs
