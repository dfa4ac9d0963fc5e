// All theorems, in this order: layouts, permutations, values, times, words.
#pragma once

#include <vector>

#include "../builder/theorem.hpp"

namespace bankproof::proofs {

std::vector<Theorem> catalog();

}  // namespace bankproof::proofs
