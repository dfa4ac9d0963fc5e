// What threads of a block agree about because they compute it from the same numbers:
//
//   for (int m = n; m > 1; m = (m + 1) / 2) …      m is the same in an iteration
#pragma once

#include <vector>

#include "inputs.hpp"

namespace bankproof::symbolic {

/// Values of registers that follow no rule in a loop, and of results that are not followed, if all
/// that they depend on is the same for threads that are in the same iterations, under the names
/// that they have in the loop, in the iteration before and behind the loop.
std::vector<Agreed> uniform_values(Pool& pool, const Inputs& inputs, const Trace& trace);

}  // namespace bankproof::symbolic
