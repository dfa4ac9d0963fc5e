// Theorems on permutations across banks and on permutations in three passes.
#pragma once

#include <vector>

#include "../builder/theorem.hpp"

namespace bankproof::proofs {

/// All theorems of this group.
std::vector<Theorem> permutations();

std::vector<Theorem> theorems_on_colorings();
std::vector<Theorem> theorems_on_times_of_plans();
std::vector<Theorem> theorems_on_counting();
std::vector<Theorem> theorems_on_passes();
std::vector<Theorem> theorems_on_distributions();
std::vector<Theorem> theorems_on_closed_distributions();
std::vector<Theorem> theorems_in_place();
std::vector<Theorem> theorems_on_affine_plans();

}  // namespace bankproof::proofs
