// Theorems on the times of algorithms, and on times that no algorithm can beat.
#pragma once

#include <vector>

#include "../builder/theorem.hpp"

namespace bankproof::proofs {

/// All theorems of this group.
std::vector<Theorem> times();

std::vector<Theorem> theorems_on_permuting();
std::vector<Theorem> theorems_on_speed_ups();
std::vector<Theorem> theorems_on_machines();
std::vector<Theorem> theorems_on_contiguous_access();
std::vector<Theorem> theorems_on_bounds_of_contiguous_access();
std::vector<Theorem> theorems_on_crossovers();
std::vector<Theorem> theorems_on_hiding();
std::vector<Theorem> theorems_on_costs();
std::vector<Theorem> theorems_on_full_pipes();
std::vector<Theorem> theorems_on_all_programs();
std::vector<Theorem> theorems_on_dependence();
std::vector<Theorem> theorems_on_lower_bounds();
std::vector<Theorem> theorems_on_overlapped_access();
std::vector<Theorem> theorems_on_segments();
std::vector<Theorem> theorems_on_copies();
std::vector<Theorem> theorems_on_sums();
std::vector<Theorem> theorems_on_sums_on_the_hmm();
std::vector<Theorem> theorems_on_recursive_sums();
std::vector<Theorem> theorems_on_prefix_sums();
std::vector<Theorem> theorems_on_tightness_of_accesses();
std::vector<Theorem> theorems_on_tightness();
std::vector<Theorem> theorems_on_tightness_of_sums_on_the_hmm();
std::vector<Theorem> theorems_on_tightness_of_turns();
std::vector<Theorem> theorems_on_tightness_of_prefix_sums();
std::vector<Theorem> theorems_on_tightness_of_permutations();
std::vector<Theorem> theorems_on_tightness_of_tables();
std::vector<Theorem> theorems_on_tightness_of_products();
std::vector<Theorem> theorems_on_tightness_of_schedules();
std::vector<Theorem> theorems_on_tightness_of_tiles();
std::vector<Theorem> theorems_on_tightness_of_convolution();
std::vector<Theorem> theorems_on_tightness_of_pieces();
std::vector<Theorem> theorems_on_permutations_one_by_one();
std::vector<Theorem> theorems_on_transposes();
std::vector<Theorem> theorems_on_schedules();
std::vector<Theorem> theorems_on_printed_times_of_schedules();
std::vector<Theorem> theorems_on_costs_of_tables();
std::vector<Theorem> theorems_on_costs_of_two_passes();
std::vector<Theorem> theorems_on_costs_of_hybrids();
std::vector<Theorem> theorems_on_costs_of_diagonals();
std::vector<Theorem> theorems_on_convolutions();
std::vector<Theorem> theorems_on_convolutions_by_numbers();
std::vector<Theorem> theorems_on_convolutions_on_the_hmm();
std::vector<Theorem> theorems_on_matrix_products();
std::vector<Theorem> theorems_on_image_convolutions();

}  // namespace bankproof::proofs
