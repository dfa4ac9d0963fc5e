// What all loops share: the lanes that count; see execute.hpp.
#include "execute.hpp"

namespace bankproof::ptx::lanes {

constinit thread_local Beside beside;

void lanes_of(const WarpState& warp, const Op* op, Mask& mask) {
  if (op->guard == no_slot) {
    mask = warp.active_lanes;
    return;
  }
  const auto* guard = warp.lanes<const U32>(op->guard);
  const U32 flip = op->guard_negated ? ~U32{0} : 0;
  for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
    mask[lane] = warp.active_lanes[lane] & (guard[lane] ^ flip);
  }
}

template <class W>
void merge(W* to, const W* from, const Mask& mask) {
  for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
    to[lane] = mask[lane] != 0 ? from[lane] : to[lane];
  }
}

template void merge(U16*, const U16*, const Mask&);
template void merge(U32*, const U32*, const Mask&);
template void merge(U64*, const U64*, const Mask&);
template void merge(Wide*, const Wide*, const Mask&);

}  // namespace bankproof::ptx::lanes
