// Permuting an array offline, b[P(i)] ← a[i], with the permutation in memory beside the array (THS
// 4.1):
//
//   destination-designated   T(i): b[p[i]] ← a[i]
//   source-designated        T(i): b[i] ← a[q[i]], where q holds P⁻¹
//   conflict-free            T(j): b[d[j]] ← a[s[j]], where s and d hold a plan (plan.hpp)
//
// The first program makes casual writes, the second casual reads. The third makes neither: by the
// plan, its accesses to a and b are conflict-free. Programs declare what they promise, so a plan
// that breaks the promise is a fault.
//
// With p threads in whole warps, each of the ⌈n/p⌉ turns of a thread makes every access once. In
// lockstep, each access costs its stages and l − 1 more, or L − 1 more on the HMM:
//
//   copy                     2⌈n/w⌉ + 2⌈n/p⌉(l − 1)
//   designated, on a DMM     2⌈n/w⌉ + B_w(P) + 3⌈n/p⌉(l − 1), B_w counting its bank conflicts
//   designated, on the HMM   2⌈n/w⌉ + D_w(P) + 3⌈n/p⌉(L − 1)  (THS lemma 5.2.3, where p = n)
//   conflict-free, on a DMM  4⌈n/w⌉ + 4⌈n/p⌉(l − 1)
//   in place                 as copy, where s and d are computed (in_place.hpp)
//
// Example: p = (1, 2, 0) takes a = (x, y, z) to b = (z, x, y).
#pragma once

#include "../../model/machine.hpp"
#include "../algorithm.hpp"
#include "../rounds.hpp"
#include "plan.hpp"

namespace bankproof {

/// b[i] ← a[i] for all i: the least that any permutation costs (THS 4.3).
template <class T>
Program copy_in_order(Warp& warp, Array<T>& a, Array<T>& b) {
  for (auto i : warp.each_of_launch(a.size())) {
    const Lanes<T> values = co_await a.read(i, AccessKind::coalesced);
    co_await b.write(i, values, AccessKind::coalesced);
  }
}

/// b[p[i]] ← a[i] for all i.
template <class T>
Program permute_destination_designated(Warp& warp, Array<T>& a, Array<T>& b, Array<Address>& p) {
  for (auto i : warp.each_of_launch(a.size())) {
    const Lanes<Address> target = co_await p.read(i, AccessKind::coalesced);
    const Lanes<T> values = co_await a.read(i, AccessKind::coalesced);
    co_await b.write(target, values, AccessKind::casual);
  }
}

/// b[i] ← a[q[i]] for all i.
template <class T>
Program permute_source_designated(Warp& warp, Array<T>& a, Array<T>& b, Array<Address>& q) {
  for (auto i : warp.each_of_launch(b.size())) {
    const Lanes<Address> source = co_await q.read(i, AccessKind::coalesced);
    const Lanes<T> values = co_await a.read(source, AccessKind::casual);
    co_await b.write(i, values, AccessKind::coalesced);
  }
}

/// b[d[j]] ← a[s[j]] for all lanes j of the plan that are not idle. Requires arrays that start at a
/// multiple of the width, and blocks of whole warps.
template <class T>
Program permute_conflict_free(Warp& warp, Array<T>& a, Array<T>& b, Array<Address>& s,
                              Array<Address>& d) {
  for (auto j : warp.each_of_launch(s.size())) {
    const Lanes<Address> source = co_await s.read(j, AccessKind::coalesced);
    const Lanes<Address> target = co_await d.read(j, AccessKind::coalesced);
    const auto busy = warp.only(source != idle<Address>);
    const Lanes<T> values = co_await a.read(source, AccessKind::conflict_free);
    co_await b.write(target, values, AccessKind::conflict_free);
  }
}

/// b[D(j)] ← a[S(j)] for all j < n. S and D are computed: each takes an index and returns an
/// Address.
template <class T, class Source, class Target>
Program permute_in_place(Warp& warp, Array<T>& a, Array<T>& b, const Source& source_of,
                         const Target& target_of) {
  for (auto j : warp.each_of_launch(a.size())) {
    const auto of = [&](const auto& formula) {
      return make_lanes(warp.width(), [&](Width lane) -> Address { return formula(j[lane]); });
    };
    const Lanes<T> values = co_await a.read(of(source_of), AccessKind::conflict_free);
    co_await b.write(of(target_of), values, AccessKind::conflict_free);
  }
}

/// The parameters of a permutation whose threads take one turn after another; p is a multiple of w.
template <class N>
struct PermutingOf {
  N n;  ///< elements
  N p;  ///< threads
  N w;  ///< width
  N l;  ///< latency of the memory

  /// Each turn makes `accesses` accesses. One of these accesses takes `stages` stages, summed over
  /// all turns; the others take one stage for each warp. Pass ⌈n/w⌉ as `stages` if every access
  /// takes a stage for each warp.
  Rounds<N> rounds(const N& accesses, const N& stages) const {
    return {(accesses - N(1)) * ceil_div(n, w) + stages, accesses * ceil_div(n, p), accesses * n};
  }
  N lockstep_time(const N& accesses, const N& stages) const {
    return rounds(accesses, stages).time(l);
  }
  N lockstep_time(const N& accesses) const { return lockstep_time(accesses, ceil_div(n, w)); }

  /// The rounds of a plan for the n elements. Its lanes form whole warps, and each warp has a lane
  /// that is not idle.
  Rounds<N> rounds_of_plan() const {
    const N lanes = rounded_up(n, w);
    Rounds<N> rounds = PermutingOf{lanes, p, w, l}.rounds(N(4), lanes / w);
    rounds.requests = N(2) * lanes + N(2) * n;
    return rounds;
  }

  /// O(n/w + l) by a plan (THS 4.1). upper_of_designated() is the bound of THS lemma 5.2.3, and the
  /// same bound for a DMM; `stages` are the stages of the casual access. In both bounds, each
  /// access has at most n/p + 1 turns.
  BoundOf<N> upper_of_plan() const {
    return {N(4), {{"n/w", rounded_up(n, w), w}, {"latency n/p", n * l, p}, {"latency", l}}};
  }
  BoundOf<N> upper_of_designated(const N& stages) const {
    return {N(3), {{"stages of P", stages}, {"latency n/p", n * l, p}, {"latency", l}}};
  }
};
using Permuting = PermutingOf<std::uint64_t>;

}  // namespace bankproof
