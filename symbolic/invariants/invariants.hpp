// What holds in every iteration of the loops of a trace, beside what the loops' conditions say:
// that counters do not wrap around.
//
// A register of 32 bits that is start + k·step modulo 2^32 need not be that number, and k need not
// be small. Both are proved by induction on k, of all candidates together: those that do not follow
// from the others are dropped until all do (Houdini).
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "../claims/subject.hpp"
#include "../solving/decide.hpp"

namespace bankproof::symbolic {

/// Bounds of sizes that the statements are about, the weakest first; see proving/bounds.hpp.
using BoundsOf = std::function<std::vector<std::vector<Term>>(const std::vector<Term>& statements)>;

/// Adds the facts that it finds to the trace. Where bounds of the sizes in a loop show more of it,
/// the fact says that this holds if the bounds do. Returns the questions that Z3 has refuted for
/// them, for cvc5.
std::vector<Excluded> add_invariants(Subject& subject, const BoundsOf& bounds_of = {});

}  // namespace bankproof::symbolic
