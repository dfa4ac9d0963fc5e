// Proves that a program on formulas (warp.hpp) has no race: no two warps of a block access the same
// word between two barriers, and no two blocks of a launch access the same word, if one of the
// accesses writes. A warp's own accesses are in order.
#pragma once

#include "instance.hpp"

namespace bankproof::proofs {

/// Claims that no two accesses race. Throws std::logic_error if accesses may race of which it is
/// not known which thread of the block makes them: those in loops over the threads of the launch,
/// and those whose rows stand for terms.
void claim_no_races(const Instances& instances, const WrittenRun& run);

}  // namespace bankproof::proofs
