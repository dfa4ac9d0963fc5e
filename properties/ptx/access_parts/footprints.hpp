// Footprints of one warp, for tests of single parts of an access.
#pragma once

#include <rapidcheck.h>

#include <cstdint>

#include "../../../ptx/memory/footprint.hpp"

namespace bankproof::ptx {

/// All lanes touch `bytes` bytes; lane k begins at `first` + k · `stride`.
inline Footprint strided(std::uint32_t bytes, std::uint64_t first, std::uint64_t stride) {
  Footprint touched;
  touched.bytes = bytes;
  touched.lanes = all_lanes;
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    touched.at[lane] = first + lane * stride;
  }
  touched.contiguous = is_contiguous(touched);
  return touched;
}

inline Footprint reading(Footprint touched) {
  touched.reads = true;
  return touched;
}
inline Footprint writing(Footprint touched) {
  touched.writes = true;
  return touched;
}

/// A random footprint: any lanes, at aligned offsets in a memory of `size` bytes, where `size` is a
/// multiple of 1024.
inline Footprint any_footprint(std::uint64_t size) {
  const auto bytes = *rc::gen::element(1U, 2U, 4U, 8U, 16U, 32U);
  const auto elements = size / bytes;
  if (*rc::gen::inRange(0, 3) == 0) {
    return strided(bytes, *rc::gen::inRange<std::uint64_t>(0, elements - warp_lanes + 1) * bytes,
                   bytes);
  }
  Footprint touched;
  touched.bytes = bytes;
  touched.lanes =
      *rc::gen::oneOf(rc::gen::just(all_lanes), rc::gen::inRange<LaneMask>(1, all_lanes));
  for (std::uint64_t& at : touched.at) at = *rc::gen::inRange<std::uint64_t>(0, elements) * bytes;
  fill_inactive(touched.at, touched.lanes);
  touched.contiguous = is_contiguous(touched);
  return touched;
}

}  // namespace bankproof::ptx
