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

/// What has to hold if no barrier separates two accesses.
struct Unseparated {
  struct Condition {
    bool of_second = false;  ///< of the turns of the second access, else of those of the first
    WrittenTruth truth;
  };
  std::vector<Condition> conditions;
  bool adjacent = false;  ///< the turns that are apart follow each other
};

/// All turns that two accesses of a block may be in: those of the first `together` loops are the
/// same, and those of the other loops any. Each has the first access before the second one, or in
/// the same turns of loops with barriers.
std::vector<TurnsOfPair> turns_of_pair(const WrittenRun& run, const WrittenAccess& first,
                                       const WrittenAccess& second);

/// Nothing if a barrier separates the accesses. Some barriers may be overlooked: then accesses that
/// are separated count as unseparated.
std::optional<Unseparated> unseparated(const WrittenRun& run, const WrittenAccess& first,
                                       const WrittenAccess& second, const TurnsOfPair& turns);

/// The first turn of a loop, and the last one.
WrittenTruth is_first(const WrittenLoop& loop);
WrittenTruth is_last(const WrittenLoop& loop);

}  // namespace bankproof::proofs
