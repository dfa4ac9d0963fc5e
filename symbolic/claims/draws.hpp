// Numbers that threads draw from a counter: no two threads draw the same.
//
//   atom.global.add.u32  %r3, [%rd1], 1;      position = atomicAdd(count, 1);
//
// The threads have to raise the counter by positive numbers, must not change it otherwise, and it
// must not wrap around. Then each draw leaves a larger number for the next one. A block may also
// write a counter in shared memory if barriers separate the write from each draw, and no loop
// contains both. In global memory, operations of scope .cta are not atomic for other blocks.
#pragma once

#include <cstddef>
#include <vector>

#include "../execution/trace.hpp"

namespace bankproof::symbolic {

struct Subject;

struct Draw {
  Term drawn{};
  Term address{};
  Term guard{};  // the thread draws it
  /// The accesses by which the block has written the counter before, in order.
  std::vector<std::size_t> after{};
};

/// What threads of one block, or of the launch, draw from counters that are the same for all of
/// them.
struct Draws {
  std::vector<Draw> in_block{};
  std::vector<Draw> in_launch{};
};

Draws draws_of(const Subject& subject);

}  // namespace bankproof::symbolic
