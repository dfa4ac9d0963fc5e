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
// exact, and meet the printed ones where those apply.
//
// Example: n = 8, p = 4, w = 2, l = 3. Two rounds of 2 stages: 2·(2 + 3 − 1) = 8 in lockstep; in
// overlapped time the first warp's second access is dispatched when its first is complete, at 3,
// and the last access completes at 7.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>

#include "../model/machine.hpp"
#include "rounds.hpp"

namespace bankproof {

/// Reads a[0 … n−1] and hands each thread's values to `use(index, values, mask)`, where index is
/// the Progression of the access.
template <class T, class Use>
Program contiguous_read(Warp& warp, Array<T>& a, Address n, Use& use) {
  for (auto i : warp.each(n)) {
    const Lanes<T> values = co_await a.read(i);
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

/// The parameters of a contiguous access; all but n at least 1.
struct ContiguousAccess {
  std::uint64_t n;  ///< words
  std::uint64_t p;  ///< threads
  std::uint64_t w;  ///< width
  std::uint64_t l;  ///< latency

  std::uint64_t rounds() const { return ceil_div(n, p); }
  std::uint64_t warps() const { return ceil_div(p, w); }
  /// Words of the last round, 1 … p. Requires n > 0.
  std::uint64_t rest() const { return n - (rounds() - 1) * p; }
};

/// Address groups that the warps of one round touch, one access after another, when the round
/// accesses `words` words from address `start` on: a full warp touches two where the start is not
/// aligned, and the last, partial one may.
constexpr std::uint64_t contiguous_groups(std::uint64_t start, std::uint64_t words,
                                          std::uint64_t w) {
  return group_stages(Run<std::uint64_t>{start, words}, w);
}

/// How the rounds before the last lie in the address groups. Round t starts at p·t; it is aligned
/// every w/gcd(p, w) rounds, and its partial warp, if p has one, crosses into another group where
/// ⌊(p·t + p − 1)/w⌋ exceeds ⌊p·t/w⌋ + ⌊p/w⌋, a sum that telescopes.
struct RoundsByAlignment {
  std::uint64_t aligned = 0;    ///< start at a multiple of w
  std::uint64_t crossing = 0;   ///< not aligned, and the partial warp touches two groups
  std::uint64_t remaining = 0;  ///< not aligned, and it touches one

  explicit RoundsByAlignment(const ContiguousAccess& c) {
    const std::uint64_t before_last = c.rounds() - 1;
    const std::uint64_t period = c.w / std::gcd(c.p, c.w);
    aligned = ceil_div(before_last, period);
    if (c.p % c.w != 0) {
      crossing = c.p * before_last / c.w - c.p / c.w * before_last - before_last / period;
    }
    remaining = before_last - aligned - crossing;
  }
};

/// Lockstep time on a DMM, where every access takes one stage.
inline Time contiguous_lockstep_time_on_dmm(const ContiguousAccess& c) {
  if (c.n == 0) return 0;
  return (c.rounds() - 1) * (c.warps() + c.l - 1) + ceil_div(c.rest(), c.w) + c.l - 1;
}

/// Lockstep time on a UMM: the groups of all rounds, and the latency of each.
inline Time contiguous_lockstep_time_on_umm(const ContiguousAccess& c) {
  if (c.n == 0) return 0;
  const RoundsByAlignment before(c);
  const std::uint64_t full = c.p / c.w;
  const std::uint64_t groups_before =
      (c.rounds() - 1) * c.warps() + (before.crossing + before.remaining) * full + before.crossing;
  const std::uint64_t last = contiguous_groups((c.rounds() - 1) * c.p, c.rest(), c.w);
  return groups_before + last + c.rounds() * (c.l - 1);
}

/// Overlapped time on a DMM: from one round to the next the first warp waits for the port, ⌈p/w⌉
/// stages later, or for its own access, l later, whichever is more.
inline Time contiguous_overlapped_time_on_dmm(const ContiguousAccess& c) {
  if (c.n == 0) return 0;
  return (c.rounds() - 1) * std::max(c.warps(), c.l) + ceil_div(c.rest(), c.w) + c.l - 1;
}

/// Overlapped time on a UMM. Warps are dispatched in turn throughout, as they are ready again in
/// that order. With p ≥ w, a round takes its stages, or what its first warp takes, until the first
/// warp is dispatched again:
///
///   aligned           max(⌈p/w⌉, l)
///   not aligned       max(2⌊p/w⌋ + 1, l + 1), and with a crossing partial warp max(2⌊p/w⌋ + 2, l +
///   1)
///
/// The last round takes its stages and l − 1, except that when it is aligned and the round before
/// is not, its warps may have to wait for their own accesses, two stages apart.
inline Time contiguous_overlapped_time_on_umm(const ContiguousAccess& c) {
  if (c.n == 0) return 0;
  if (c.p < c.w) return contiguous_lockstep_time_on_umm(c);  // a single warp
  const RoundsByAlignment before(c);
  const std::uint64_t full = c.p / c.w;
  const Time until_last = before.aligned * std::max(c.warps(), c.l) +
                          before.remaining * std::max(2 * full + 1, c.l + 1) +
                          before.crossing * std::max(2 * full + 2, c.l + 1);
  const std::uint64_t start = (c.rounds() - 1) * c.p;
  Time last = contiguous_groups(start, c.rest(), c.w);
  if (c.rounds() > 1 && start % c.w == 0 && c.p % c.w != 0) {
    const std::uint64_t warps = ceil_div(c.rest(), c.w);
    const Time own = c.l + 2 * warps - (warps == c.warps() ? 1 : 0);
    const Time before_last = std::max(2 * full + 1, c.l + 1);
    if (own > before_last) last = std::max(last, own - before_last);
  }
  return until_last + last + c.l - 1;
}

/// The forms as the sources print them. Each requires what its name says.
namespace printed {

/// HMM IV, w | p | n.
constexpr Time lockstep_full_warps(std::uint64_t n, std::uint64_t p, std::uint64_t w,
                                   std::uint64_t l) {
  return n / p * (p / w + l - 1);
}
/// HMM IV, p ≤ w and p | n; on the UMM also p | w.
constexpr Time lockstep_one_warp(std::uint64_t n, std::uint64_t p, std::uint64_t l) {
  return n / p * l;
}
/// HMM IV and MOD 3, p > n and w | n.
constexpr Time more_threads_than_words(std::uint64_t n, std::uint64_t w, std::uint64_t l) {
  return n / w + l - 1;
}
/// MOD 3, w | p | n.
constexpr Time overlapped(std::uint64_t n, std::uint64_t p, std::uint64_t w, std::uint64_t l) {
  return p / w <= l ? n * l / p + p / w - 1 : n / w + l - 1;
}

}  // namespace printed

}  // namespace bankproof
