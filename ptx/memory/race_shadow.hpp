// The part of the shadow that judges races: checks the shadow words that an access touches, and
// records the access in them.
//
// An access is judged piece by piece; a piece lies in one word. The judge does not know the launch:
// a Viewer says what the warp knows, and the caller reports the races that the judge returns.
#pragma once

#include <cstdint>
#include <vector>

#include "../races/judge.hpp"
#include "../races/watch.hpp"
#include "access.hpp"
#include "shadow.hpp"

namespace bankproof::ptx {

/// An access to one memory.
struct JudgedAccess {
  const Footprint& touched;
  const Access& access;
  std::uint32_t site = 0;
  WarpNumber warp = 0;      // the warp, or its copier
  Epoch now = 0;            // the epoch of the warp
  std::uint64_t begin = 0;  // the generic address of the memory
  bool apart = false;       // no two lanes touch the same bytes
};

/// A race with an access to a watched word.
struct FoundRace {
  std::uint32_t lane = 0;        // the lane of the access
  WatchedAccess other;           // the earlier access
  std::uint32_t other_lane = 0;  // the lane that made it
};

/// Judges the access and records it. Adds to `suspects` the generic addresses of words at which the
/// cautious records suspect a race. Returns the races at watched words.
std::vector<FoundRace> judge_races(const JudgedAccess& judged, const Viewer& viewer,
                                   const Shadow& shadow, Suspects& suspects);
/// Likewise for the bytes [from, to) of the access, a part of a sector, by the records of words.
std::vector<FoundRace> judge_by_words(const JudgedAccess& judged, const Viewer& viewer,
                                      const Shadow& shadow, Suspects& suspects, std::uint64_t from,
                                      std::uint64_t to);

}  // namespace bankproof::ptx
