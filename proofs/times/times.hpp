// Theorems on how long algorithms take, and on what no algorithm can beat.
#pragma once

#include <vector>

#include "../theorem.hpp"

namespace bankproof::proofs {

/// All of this folder.
std::vector<Theorem> times();

std::vector<Theorem> theorems_on_permuting();
std::vector<Theorem> theorems_on_speed_ups();
std::vector<Theorem> theorems_on_machines();
std::vector<Theorem> theorems_on_contiguous_access();
std::vector<Theorem> theorems_on_bounds_of_contiguous_access();
std::vector<Theorem> theorems_on_crossovers();
std::vector<Theorem> theorems_on_hiding();
std::vector<Theorem> theorems_on_costs();
std::vector<Theorem> theorems_on_all_programs();
std::vector<Theorem> theorems_on_lower_bounds();
std::vector<Theorem> theorems_on_sums();
std::vector<Theorem> theorems_on_prefix_sums();

}  // namespace bankproof::proofs
