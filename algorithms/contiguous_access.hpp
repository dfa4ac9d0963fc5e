// Contiguous access (HMM IV, MOD 3): p threads access n consecutive words, p at a time,
//
//     for t ← 0 to n/p − 1 do
//       for i ← 0 to p − 1 do in parallel
//         T(i) accesses a[p·t + i]
//
// The sources give its time for w | p | n, for p | w, and for p > n:
//   lockstep (HMM IV)    (n/p)(p/w + l − 1);  (n/p)·l for p ≤ w;  n/w + l − 1 for p > n
//   overlapped (MOD 3)   n·l/p + p/w − 1 if p/w ≤ l, else n/w + l − 1
// The forms below hold for every n, p, w and l, on arrays that start at a multiple of w. They are
// exact, and equal the printed forms where those apply.
//
// Example: n = 8, p = 4, w = 2, l = 3. In lockstep, two rounds of 2 stages take 2·(2 + 3 − 1) = 8.
// Overlapped, the first warp's second access is dispatched at 3, when its first access is complete,
// and the last access completes at 7.
#pragma once

#include <cstdint>

#include "../model/machine.hpp"
#include "rounds.hpp"

namespace bankproof {

/// Reads a[0 … n−1] and hands each thread's values to `use(index, values, mask)`, where index is
/// the Progression of the access.
template <class T, class Use, class W = Warp>
Program contiguous_read(W& warp, ArrayOf<W, T>& a, NumberOf<W> n, Use& use) {
  for (auto i : warp.each(n)) {
    const auto values = co_await a.read(i);
    use(i, values, warp.mask());
  }
}

/// a[i] ← value(i) for 0 ≤ i < n.
template <class T, class Value>
Program contiguous_write(Warp& warp, Array<T>& a, Address n, const Value& value) {
  for (auto i : warp.each(n)) {
    const Lanes<T> values =
        make_lanes(warp.width(), [&](Width lane) -> T { return value(i[lane]); });
    co_await a.write(i, values);
  }
}

/// The parameters of a contiguous access; all except n are at least 1.
template <class N>
struct ContiguousAccessOf {
  N n;  ///< words
  N p;  ///< threads
  N w;  ///< width
  N l;  ///< latency

  N rounds() const { return ceil_div(n, p); }
  N before_last() const { return minus_or_zero(rounds(), N(1)); }
  N warps() const { return ceil_div(p, w); }
  /// The first word of the last round, and the number of words of this round: 1 … p, or 0 if n = 0.
  N last_start() const { return before_last() * p; }
  N rest() const { return n - last_start(); }
};
using ContiguousAccess = ContiguousAccessOf<std::uint64_t>;

/// The number of address groups that the accesses of one round touch, added up over its warps. The
/// round accesses `words` words from address `start` on. If the start is not aligned, a full warp
/// touches two groups, and the last, partial warp may touch two.
template <class N>
constexpr N contiguous_groups(const N& start, const N& words, const N& w) {
  return group_stages(Run<N>{start, words}, w);
}

/// Counts the rounds before the last one by their position in the address groups. Round t starts at
/// word p·t. One round in w/gcd(p, w) is aligned. If w does not divide p, the last warp of round t
/// is partial. This warp crosses into another group if ⌊(p·t + p − 1)/w⌋ exceeds ⌊p·t/w⌋ + ⌊p/w⌋;
/// the sum of the crossings over t telescopes.
template <class N>
struct RoundsByAlignment {
  N aligned;    ///< start at a multiple of w
  N crossing;   ///< not aligned, and the partial warp touches two groups
  N remaining;  ///< not aligned, and the partial warp touches one group

  explicit RoundsByAlignment(const ContiguousAccessOf<N>& c)
      : RoundsByAlignment(c, c.before_last(), c.w / gcd(c.p, c.w)) {}

 private:
  RoundsByAlignment(const ContiguousAccessOf<N>& c, const N& before_last, const N& period)
      : aligned(ceil_div(before_last, period)),
        crossing(select(c.p % c.w == N(0), N(0),
                        minus_or_zero(c.p * before_last / c.w,
                                      c.p / c.w * before_last + before_last / period))),
        remaining(before_last - aligned - crossing) {}
};

/// Lockstep time on a DMM, where every access takes one stage.
template <class N>
N contiguous_lockstep_time_on_dmm(const ContiguousAccessOf<N>& c) {
  const N latency = c.l - N(1);
  const N time = c.before_last() * (c.warps() + latency) + ceil_div(c.rest(), c.w) + latency;
  return select(c.n == N(0), N(0), time);
}

/// Lockstep time on a UMM: the groups of all rounds, and the latency of each round.
template <class N>
N contiguous_lockstep_time_on_umm(const ContiguousAccessOf<N>& c) {
  const RoundsByAlignment before(c);
  const N full = c.p / c.w;
  const N groups_before =
      c.before_last() * c.warps() + (before.crossing + before.remaining) * full + before.crossing;
  const N last = contiguous_groups(c.last_start(), c.rest(), c.w);
  return groups_before + last + c.rounds() * (c.l - N(1));
}

/// Overlapped time on a DMM. From one round to the next, the first warp waits ⌈p/w⌉ time units for
/// the port, or l time units for its own access, whichever is longer.
template <class N>
N contiguous_overlapped_time_on_dmm(const ContiguousAccessOf<N>& c) {
  const N time = c.before_last() * larger(c.warps(), c.l) + ceil_div(c.rest(), c.w) + c.l - N(1);
  return select(c.n == N(0), N(0), time);
}

/// Overlapped time on a UMM. Warps are dispatched in turn throughout, since they become ready again
/// in this order. For p ≥ w, the time of a round, until its first warp is dispatched again, is its
/// stages or the duration of the first warp's access, whichever is longer:
///
///   aligned                                 max(⌈p/w⌉, l)
///   not aligned                             max(2⌊p/w⌋ + 1, l + 1)
///   not aligned, partial warp is crossing   max(2⌊p/w⌋ + 2, l + 1)
///
/// The last round takes its stages and l − 1, with one exception: if the last round is aligned and
/// the round before it is not, warps may have to wait for their own accesses of the round before,
/// which are two stages apart. For p < w there is a single warp, as in lockstep.
template <class N>
N contiguous_overlapped_time_on_umm(const ContiguousAccessOf<N>& c) {
  const RoundsByAlignment before(c);
  const N full = c.p / c.w;
  const N not_aligned = larger(N(2) * full + N(1), c.l + N(1));
  const N until_last = before.aligned * larger(c.warps(), c.l) + before.remaining * not_aligned +
                       before.crossing * larger(N(2) * full + N(2), c.l + N(1));
  const N last = contiguous_groups(c.last_start(), c.rest(), c.w);
  const N warps = ceil_div(c.rest(), c.w);
  const N own = minus_or_zero(c.l + N(2) * warps, select(warps == c.warps(), N(1), N(0)));
  const auto after_unaligned =
      c.rounds() > N(1) && c.last_start() % c.w == N(0) && c.p % c.w != N(0);
  const N waits = select(after_unaligned, minus_or_zero(own, not_aligned), N(0));
  const N time = until_last + larger(last, waits) + c.l - N(1);
  return select(c.n == N(0), N(0), select(c.p < c.w, contiguous_lockstep_time_on_umm(c), time));
}

/// The forms as the sources print them. Each form holds only under the conditions in its comment.
namespace printed {

/// HMM IV, w | p | n.
template <class N>
constexpr N lockstep_full_warps(const ContiguousAccessOf<N>& c) {
  return c.n / c.p * (c.p / c.w + c.l - N(1));
}
/// HMM IV, p ≤ w and p | n; on the UMM also p | w.
template <class N>
constexpr N lockstep_one_warp(const ContiguousAccessOf<N>& c) {
  return c.n / c.p * c.l;
}
/// HMM IV and MOD 3, p > n and w | n.
template <class N>
constexpr N more_threads_than_words(const ContiguousAccessOf<N>& c) {
  return c.n / c.w + c.l - N(1);
}
/// MOD 3, w | p | n.
template <class N>
constexpr N overlapped(const ContiguousAccessOf<N>& c) {
  return select(c.p / c.w <= c.l, c.n * c.l / c.p + c.p / c.w - N(1), c.n / c.w + c.l - N(1));
}

}  // namespace printed

}  // namespace bankproof
