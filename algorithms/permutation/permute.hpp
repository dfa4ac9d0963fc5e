// Permuting an array offline, b[P(i)] ← a[i], with the permutation in memory beside it (THS 4.1):
//
//   destination-designated   T(i): b[p[i]] ← a[i]
//   source-designated        T(i): b[i] ← a[q[i]], where q holds P⁻¹
//   conflict-free            T(j): b[d[j]] ← a[s[j]], where s and d hold a plan (plan.hpp)
//
// The first makes casual writes, the second casual reads, the third neither: its accesses to a and
// b are conflict-free by the plan. Programs declare what they promise, so that a plan which breaks
// the promise is a fault.
//
// Example: p = (1, 2, 0) takes a = (x, y, z) to b = (z, x, y).
#pragma once

#include "../../model/machine.hpp"
#include "plan.hpp"

namespace bankproof {

/// b[p[i]] ← a[i] for all i.
template <class T>
Program permute_destination_designated(Warp& warp, Array<T>& a, Array<T>& b, Array<Address>& p) {
  for (auto i : warp.each(a.size())) {
    const Lanes<Address> target = co_await p.read(i, AccessKind::coalesced);
    const Lanes<T> values = co_await a.read(i, AccessKind::coalesced);
    co_await b.write(target, values, AccessKind::casual);
  }
}

/// b[i] ← a[q[i]] for all i.
template <class T>
Program permute_source_designated(Warp& warp, Array<T>& a, Array<T>& b, Array<Address>& q) {
  for (auto i : warp.each(b.size())) {
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
  for (auto j : warp.each(s.size())) {
    const Lanes<Address> source = co_await s.read(j, AccessKind::coalesced);
    const Lanes<Address> target = co_await d.read(j, AccessKind::coalesced);
    const auto busy = warp.only(source != idle<Address>);
    const Lanes<T> values = co_await a.read(source, AccessKind::conflict_free);
    co_await b.write(target, values, AccessKind::conflict_free);
  }
}

}  // namespace bankproof
