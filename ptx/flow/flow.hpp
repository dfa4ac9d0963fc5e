// The basic blocks of a function, and where threads that part meet again.
//
// Threads of a warp that take different ways at the end of a block meet at its immediate
// post-dominator: the first block that is on every way from there to an exit of the function.
//
//   BB0: @%p1 bra BB2;       BB0 → BB1, BB2        the immediate post-dominator of BB0 is BB2
//   BB1: mov.u32 %r1, 0;     BB1 → BB2             and so is that of BB1
//   BB2: @%p2 ret;           BB2 → BB3, and exits  BB2 has none: there is a way around BB3
//   BB3: ret;                exits
//
// Only labels to which something branches begin a block; compilers write others for debuggers.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "../syntax/syntax.hpp"

namespace bankproof::ptx {

struct Block {
  // Its statements in Function::body, end excluded.
  std::size_t begin = 0;
  std::size_t end = 0;
  // The next block first, if control can fall through; each block once.
  std::vector<std::size_t> successors;
  // Whether threads can leave the function here: by ret, exit, or at the end of the body. trap is
  // no exit, since it ends the whole launch: nobody meets anybody behind it.
  bool exits = false;
};

struct Flow {
  std::vector<Block> blocks;                               // at least one; the first is the entry
  std::vector<std::size_t> block_of;                       // for each statement
  std::vector<std::optional<std::size_t>> post_dominator;  // immediate, for each block
};

/// Throws Error where a branch is of a form that is not known; `file` is for messages.
Flow flow_of(const Function& function, const std::string& file);

/// A directed graph by the successors of its nodes, some of which are exits.
struct ExitGraph {
  std::vector<std::vector<std::size_t>> successors;
  std::vector<bool> exits;
};

/// For each node the first other node on all of its ways to exits: none if two ways have no other
/// node in common, or if there is no way, as in an endless loop.
std::vector<std::optional<std::size_t>> immediate_post_dominators(const ExitGraph& graph);

}  // namespace bankproof::ptx
