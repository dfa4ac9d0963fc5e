// Numbers that threads draw from a counter: no two threads draw the same.
//
//   atom.global.add.u32  %r3, [%rd1], 1;      position = atomicAdd(count, 1);
//
// That holds of a counter which all threads only raise, by numbers that are not 0, and which does
// not wrap around: each draw leaves a larger number for the next one. A block may also write its
// counter if barriers are between this and each draw, and neither is in a loop with the other.
#pragma once

#include <vector>

#include "../execution/trace.hpp"

namespace bankproof::symbolic {

struct Subject;

struct Draw {
  Term drawn{};
  Term address{};
};

/// What threads of one block, or of the launch, draw from counters that are the same for all of
/// them.
struct Draws {
  std::vector<Draw> in_block{};
  std::vector<Draw> in_launch{};
};

Draws draws_of(const Subject& subject);

}  // namespace bankproof::symbolic
