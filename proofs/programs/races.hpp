// Proves that a program on formulas (warp.hpp) has no race: no two warps of a block access the same
// word between two barriers, and no two blocks of a launch access the same word, if one of the
// accesses writes. A warp's own accesses are in order.
#pragma once

#include "instance.hpp"

namespace bankproof::proofs {

/// Claims that no two accesses race. Returns how many pairs of accesses it makes claims about.
std::size_t claim_no_races(const Instances& instances, const WrittenRun& run);

}  // namespace bankproof::proofs
