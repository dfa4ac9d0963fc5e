// What threads of a block agree about because they compute it from the same numbers:
//
//   for (int m = n; m > 1; m = (m + 1) / 2) …      m is the same in an iteration
#pragma once

#include <vector>

#include "../execution/trace.hpp"

namespace bankproof::symbolic {

struct Subject;

/// Registers that follow no rule in a loop, last iterations, results that are not followed, and
/// elements of arrays that no thread writes, if all that they depend on is the same for threads
/// that are in the same iterations: under the names that they have in the loop, in the iteration
/// before and behind the loop.
std::vector<Agreed> uniform_values(const Subject& subject);

}  // namespace bankproof::symbolic
