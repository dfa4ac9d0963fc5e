// The code that all steps share: it finds the active lanes whose guard holds, and writes only these
// lanes; see execute.hpp.
#include "execute.hpp"

namespace bankproof::ptx::lanes {

const Mask& lanes_of(const WarpState& warp, const Op* op, Mask& space) {
  if (op->guard == no_slot) return warp.active_lanes;
  const auto* guard = warp.lanes<const U32>(op->guard);
  const U32 flip = op->guard_negated ? ~U32{0} : 0;
  for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
    space[lane] = warp.active_lanes[lane] & (guard[lane] ^ flip);
  }
  return space;
}

namespace {

/// `from` where the mask is all ones, `to` where it is zero. Has no branch, so that it vectorizes.
template <class W>
W chosen(U32 mask, W from, W to) {
  const auto wide = static_cast<W>(static_cast<S64>(static_cast<S32>(mask)));
  return static_cast<W>(to ^ (wide & (from ^ to)));
}
Wide chosen(U32 mask, Wide from, Wide to) {
  return {chosen(mask, from.low, to.low), chosen(mask, from.high, to.high)};
}

}  // namespace

template <class W>
void merge(W* to, const W* from, const Mask& mask) {
#if !defined(__clang__)
#pragma GCC ivdep
#endif
  for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
    to[lane] = chosen(mask[lane], from[lane], to[lane]);
  }
}

template void merge(U16*, const U16*, const Mask&);
template void merge(U32*, const U32*, const Mask&);
template void merge(U64*, const U64*, const Mask&);
template void merge(Wide*, const Wide*, const Mask&);

}  // namespace bankproof::ptx::lanes
