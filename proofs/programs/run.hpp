// The accesses and the barriers of a program that ran on formulas (warp.hpp), in program order.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "../../algorithms/algorithm.hpp"
#include "index.hpp"
#include "loops.hpp"

namespace bankproof::proofs {

/// Which array: those with another number or another part have other words.
struct WrittenArrayName {
  std::size_t number = 0;
  Written part = 0;
  bool shared = false;
};

/// An access of a program: thread j of row r accesses word index.word(first_row + r, first + j).
struct WrittenAccess {
  WrittenArrayName array;
  Written size;  ///< of the array
  bool writes = false;
  WrittenIndex index;
  std::vector<WrittenLoop> loops;  ///< the outermost first; also that over the blocks
  Written rows;
  Written count;  ///< of the threads of each row
  Written first_row;
  Written first;
  Written times;        ///< 0 if no thread takes part, else 1
  Written row_threads;  ///< from a row to the next; 0 if there is one row
  /// Whether rows and threads say which thread of the block it is.
  bool knows_thread = true;
  std::size_t number = 0;
};

struct WrittenBarrier {
  std::optional<WrittenTruth> condition;  ///< if the barrier has one
  std::vector<WrittenLoop> loops;
  std::size_t number = 0;
};

/// The blocks of the launch that the program runs in.
struct WrittenBlocks {
  Written block;          ///< a formula of the places of the outermost loops
  std::size_t loops = 0;  ///< so many loops go through the blocks
};

/// The cost, the accesses and the barriers of a program that has run. Accesses and barriers are
/// numbered together, as they stand in the program.
struct WrittenRun {
  Cost<Written> cost;
  std::vector<WrittenAccess> accesses;
  std::vector<WrittenBarrier> barriers;
  Written width;  ///< threads of a warp
  WrittenBlocks blocks;
};

}  // namespace bankproof::proofs
