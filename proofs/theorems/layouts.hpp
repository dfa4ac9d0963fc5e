// Theorems about the banks and address groups of words.
#pragma once

#include <vector>

#include "../builder/theorem.hpp"

namespace bankproof::proofs {

/// All theorems of this group.
std::vector<Theorem> layouts();

std::vector<Theorem> theorems_on_tiles();
std::vector<Theorem> theorems_on_pitches();
std::vector<Theorem> theorems_on_strides();
std::vector<Theorem> theorems_on_swizzles();
std::vector<Theorem> theorems_on_accesses();
Theorem fewest_stages_on_banks();
std::vector<Theorem> theorems_on_wide_accesses();

}  // namespace bankproof::proofs
