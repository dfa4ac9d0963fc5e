// Detects a launch that repeats what it did before, and so never ends.
//
// The state of a launch is its memory, and the registers and the position of each warp. Nothing
// else influences what the launch does next. If a state occurs twice, the launch repeats the turns
// between the two occurrences forever. Memory is the same as long as no store changes a byte. The
// rest of the state is compared with one state kept from an earlier turn. The current state
// replaces the kept state after 16, 32, 64, … turns without such a store (Brent's algorithm).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "block_run.hpp"

namespace bankproof::ptx {

class Repetition {
 public:
  /// Must be called after each turn of all blocks; `changes` counts stores that changed a byte.
  bool found(std::span<BlockRun* const> blocks, std::uint64_t changes);

 private:
  std::uint64_t changes_ = 0;
  std::uint64_t turns_ = 0;  // since the last change
  std::uint64_t next_ = 0;   // when to keep a new state
  std::vector<std::byte> kept_;
};

}  // namespace bankproof::ptx
