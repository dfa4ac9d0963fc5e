// The numbers that many theorems are about.
#pragma once

#include <cstdint>
#include <string>

#include "query.hpp"

namespace bankproof::proofs {

/// A width.
inline IntTerm width(Query& q) { return q.number("w", 1, 4); }

/// 0 ≤ name < end.
inline IntTerm below(Query& q, const std::string& name, const IntTerm& end, std::uint64_t example) {
  IntTerm term = q.number(name, 0, example);
  q.assume(term < end);
  return term;
}

}  // namespace bankproof::proofs
