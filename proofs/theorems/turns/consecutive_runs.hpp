// Runs of c threads, which begin at word 0, at word 1, and so on, on a memory with address groups.
// Besides a piece for each warp, the first k runs have at most k(c − 1)/w pieces, although each cut
// adds a whole piece.
//
// Write c − 1 = qw + r. A run has q more pieces than it has warps. It has one more if its first
// word is among the last r words of a group. By then, the runs that began at earlier words of the
// group have saved enough of their budget for this piece.
#pragma once

#include "../../../algorithms/rounds.hpp"
#include "turns.hpp"

namespace bankproof::proofs {

/// w times the budget that is left over from the runs that begin before word `first`. Each run of
/// `count` threads has a budget of (count − 1)/w pieces, besides a piece for each warp.
inline IntTerm left_before(const IntTerm& first, const IntTerm& count, const IntTerm& w) {
  const IntTerm rest = minus_or_zero(count, 1) % w;
  return smaller(rest * (first % w), (w - rest) * (w - first % w));
}

/// Whether the run that begins at `first` stays within its own budget and what is left over from
/// earlier runs. `next` is first + 1.
inline Truth takes_what_is_left(const IntTerm& first, const IntTerm& next, const IntTerm& count,
                                const IntTerm& w) {
  const IntTerm stages = group_stages(Run<IntTerm>{first, count}, w);
  const IntTerm before = left_before(first, count, w);
  const IntTerm after = left_before(next, count, w);
  return implies(first >= 0 && count >= 1 && next == first + 1,
                 before >= 0 && after >= 0 &&
                     w * stages + after <= w * ceil_div(count, w) + count - 1 + before);
}

/// Proves takes_what_is_left() for any run. Call it early, while few facts are known.
inline void prove_consecutive_runs(Query& q, const IntTerm& w) {
  const Query::Scope scope(q);
  const IntTerm first = q.fresh("first");
  const IntTerm next = first + 1;
  const IntTerm count = q.fresh("count", 1);
  const IntTerm more = minus_or_zero(count, 1);
  const IntTerm pieces = more / w;
  const IntTerm rest = more % w;
  const IntTerm at = first % w;
  const IntTerm taken = boundaries(first, count, w);
  q.compare_multiples(w, ceil_div(count, w), pieces + 1);
  q.compare_multiples(w, boundaries(IntTerm(0), count, w), pieces);
  q.claim("a piece for each warp",
          ceil_div(count, w) == pieces + 1 && boundaries(IntTerm(0), count, w) == pieces);
  q.compare_multiples(w, next / w, first / w);
  q.compare_multiples(w, next / w, first / w + 1);
  q.claim("the next word", select(at + 1 < w, at + 1, 0) == next % w);
  for (const IntTerm& after : {at + 1, IntTerm(0)}) q.multiply_equals(rest, next % w, after);
  for (const IntTerm& after : {at + 1, IntTerm(0)}) q.multiply_equals(w, next % w, after);
  Truth law = takes_what_is_left(first, next, count, w);
  q.suppose(rest + at < w, [&] {
    q.compare_multiples(w, taken, pieces);
    q.compare_multiples(w, taken, pieces + 1);
    q.claim("none more", taken == pieces);
    q.multiply_by({w});
    q.multiply_by({w, rest, at, w - rest, w - at});
    return law;
  });
  q.suppose(rest + at >= w, [&] {
    q.compare_multiples(w, taken, pieces + 1);
    q.compare_multiples(w, taken, pieces + 1 + 1);
    q.claim("one more", taken == pieces + 1);
    q.multiply_by({w, rest, at, w - rest, w - at});
    return law;
  });
  q.claim("what is left", law);
}

}  // namespace bankproof::proofs
