// Which powers of two divide parameters and sizes, by what the user states: n % 32 == 0, or
// n == 64 * gridDim.x.
#pragma once

#include "../execution/substitute.hpp"
#include "subject.hpp"

namespace bankproof::symbolic {

/// Puts 0 for the lowest bits of these unknowns.
Substitution by_alignment(Subject& subject);

}  // namespace bankproof::symbolic
