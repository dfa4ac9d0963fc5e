// When no barrier separates two accesses of a program on formulas (warp.hpp).
//
// Loops with barriers go through their turns together in all warps of a block. So two accesses are
// in the same turn of such a loop, or the one in the earlier turn comes before what the loop still
// does in that turn, and before what it does in the other turn until the other access.
//
// Example: a loop reads, waits at a barrier, and writes. Within a turn the barrier lies between. A
// write in one turn and a read in the next are not separated.
#pragma once

#include <optional>
#include <vector>

#include "run.hpp"

namespace bankproof::proofs {

/// Which turns two accesses are in.
struct TurnsOfPair {
  std::size_t equal = 0;  ///< so many of the outermost loops are in the same turn
  bool apart = false;     ///< the first access is in an earlier turn of the next loop
};

/// The conditions under which no barrier separates two accesses.
struct Unseparated {
  struct Condition {
    bool of_second = false;  ///< of the turns of the second access, else of those of the first
    WrittenTruth truth;
  };
  std::vector<Condition> conditions;
  bool adjacent = false;  ///< the turns that are apart follow each other
};

/// The cases of which turns two accesses of a block are in, if the first one does not come later.
/// In one case, all loops with barriers that hold both are in the same turn; it is there if the
/// first access stands before the second one in the program, or is the same. In each other case,
/// one of these loops is in an earlier turn at the first access. Other loops may be in any turns.
std::vector<TurnsOfPair> turns_of_pair(const WrittenRun& run, const WrittenAccess& first,
                                       const WrittenAccess& second);

/// Nothing if a barrier separates the accesses in this case. The function may overlook barriers:
/// then accesses that are separated count as unseparated.
std::optional<Unseparated> unseparated(const WrittenRun& run, const WrittenAccess& first,
                                       const WrittenAccess& second, const TurnsOfPair& turns);

}  // namespace bankproof::proofs
