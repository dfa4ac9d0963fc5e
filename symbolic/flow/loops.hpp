// The loops of a function: a header, which dominates all of its blocks, and the edges that go back
// to it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "../../ptx/flow/flow.hpp"

namespace bankproof::symbolic {

struct Loop {
  std::size_t header = 0;
  std::vector<std::size_t> blocks;    // sorted; those of inner loops, too
  std::optional<std::size_t> parent;  // the loop around it
};

struct Loops {
  std::vector<Loop> loops;  // an outer loop before its inner ones
  /// The innermost loop of each block.
  std::vector<std::optional<std::size_t>> of;
  /// The blocks that can be reached, each behind all blocks from which an edge forward leads to it.
  std::vector<std::size_t> order;

  bool is_innermost(std::size_t loop) const {
    return std::none_of(loops.begin(), loops.end(),
                        [&](const Loop& other) { return other.parent == loop; });
  }
};

/// Empty if a loop has more than one entry: then no header dominates it.
std::optional<Loops> loops_of(const ptx::Flow& flow);

}  // namespace bankproof::symbolic
