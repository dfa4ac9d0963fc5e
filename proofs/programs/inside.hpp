// Proves that the accesses of programs on formulas (warp.hpp) lie in their arrays, whatever the
// turns, blocks, rows and threads are.
#pragma once

#include <string>

#include "sweeps.hpp"
#include "warp.hpp"

namespace bankproof::proofs {

/// Claims that the access lies in its array. The names are those of its formulas; all are at least
/// 1.
void claim_inside(Query& q, const FormulaTerms::Names& names, const KnownSweeps& sweeps,
                  const WrittenAccess& access, const std::string& what);

}  // namespace bankproof::proofs
