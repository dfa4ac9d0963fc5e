// The law of rounds over several arrays that are numbered one after another (rows C3 and C6).
#pragma once

#include "../../builder/query.hpp"

namespace bankproof::proofs {

/// A round has at most 2(warps + arrays) stages, where `arrays` is the number of arrays that begin
/// in the round. The beginning of an array cuts the words of a warp into pieces, and each piece of
/// at most w words lies in at most two groups (theorem C1.groups).
class Begun {
 public:
  explicit Begun(Query& q) : q_(q), stages_(q.counts("stages")), begun_(q.function("begun")) {
    q.assume(begun_(0) == 0);
  }
  /// The number of arrays that begin before a round.
  IntTerm before(const IntTerm& round) const { return begun_(round); }
  /// The stages of a round with `warps` warps.
  IntTerm stages(const IntTerm& round, const IntTerm& warps) const {
    const IntTerm pieces = warps + before(round + 1) - before(round);
    q_.assume(stages_(round) <= 2 * pieces);
    return stages_(round);
  }

 private:
  Query& q_;
  Function stages_;
  Function begun_;
};

}  // namespace bankproof::proofs
