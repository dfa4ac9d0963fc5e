// The basic blocks of a function, and where diverged threads reconverge.
//
// Threads of a warp that diverge at the end of a block reconverge at the block's immediate
// post-dominator: the first later block that is on every path from the block to an exit of the
// function.
//
//   BB0: @%p1 bra BB2;       BB0 → BB1, BB2        the immediate post-dominator of BB0 is BB2
//   BB1: mov.u32 %r1, 0;     BB1 → BB2             that of BB1 is BB2 too
//   BB2: @%p2 ret;           BB2 → BB3, and exits  BB2 has none: a path to an exit avoids BB3
//   BB3: ret;                exits
//
// A label begins a block only if a branch goes to it; compilers write more labels for debuggers.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "../syntax/syntax.hpp"

namespace bankproof::ptx {

struct Block {
  // The statements [begin, end) of Function::body.
  std::size_t begin = 0;
  std::size_t end = 0;
  // Each successor once. If control can fall through to the next block, that block comes first.
  std::vector<std::size_t> successors;
  // Whether threads can leave the function here: by ret, exit, or at the end of the body. trap and
  // a failed assertion are no exits: they end the whole launch, so that no threads reconverge after
  // them.
  bool exits = false;
};

struct Flow {
  std::vector<Block> blocks;                               // at least one; the first is the entry
  std::vector<std::size_t> block_of;                       // the block of each statement
  std::vector<std::optional<std::size_t>> post_dominator;  // immediate, for each block
};

/// Throws Error for a form of branch that is not known; `file` is for messages.
Flow flow_of(const Function& function, const std::string& file);

/// A directed graph as lists of successors; some nodes are exits.
struct ExitGraph {
  std::vector<std::vector<std::size_t>> successors;
  std::vector<bool> exits;
};

/// For each node, the first other node that all paths from the node to exits share. It is nullopt
/// if all these paths share no other node, or if no path reaches an exit, as in an endless loop.
std::vector<std::optional<std::size_t>> immediate_post_dominators(const ExitGraph& graph);

}  // namespace bankproof::ptx
