// Proves that the accesses of programs on formulas (warp.hpp) lie in their arrays, whatever the
// turns, blocks, rows and threads are.
#pragma once

#include <string>

#include "instance.hpp"

namespace bankproof::proofs {

/// Claims that the access lies in its array.
void claim_inside(const Instances& instances, const WrittenAccess& access, const std::string& what);

}  // namespace bankproof::proofs
