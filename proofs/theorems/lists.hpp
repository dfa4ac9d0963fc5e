// The lists of theorems, by algorithm: each is in a source of the folder that the comment names.
#pragma once

#include <vector>

#include "../builder/theorem.hpp"

namespace bankproof::proofs {

// access/
std::vector<Theorem> theorems_on_contiguous_access();
std::vector<Theorem> theorems_on_bounds_of_contiguous_access();
std::vector<Theorem> theorems_on_overlapped_access();
std::vector<Theorem> theorems_on_segments();
std::vector<Theorem> theorems_on_copies();
std::vector<Theorem> theorems_on_tightness_of_accesses();
std::vector<Theorem> words_of_accesses();

// convolution/
std::vector<Theorem> theorems_on_values_of_products();
std::vector<Theorem> theorems_on_halos();
std::vector<Theorem> theorems_on_convolutions();
std::vector<Theorem> theorems_on_convolutions_on_the_hmm();
std::vector<Theorem> theorems_on_tightness_of_products();
std::vector<Theorem> theorems_on_tightness_of_convolution();
std::vector<Theorem> theorems_on_tightness_of_pieces();
std::vector<Theorem> words_of_convolutions();
std::vector<Theorem> words_of_tiled_convolutions();

// image_convolution/
std::vector<Theorem> theorems_on_image_tiles();
std::vector<Theorem> theorems_on_image_convolutions();
std::vector<Theorem> theorems_on_tightness_of_image_convolutions();
std::vector<Theorem> words_of_image_convolutions();

// layouts/
std::vector<Theorem> theorems_on_tiles();
std::vector<Theorem> theorems_on_pitches();
std::vector<Theorem> theorems_on_strides();
std::vector<Theorem> theorems_on_swizzles();
std::vector<Theorem> theorems_on_accesses();
std::vector<Theorem> theorems_on_wide_accesses();

// machine/
std::vector<Theorem> theorems_on_machines();
std::vector<Theorem> theorems_on_hiding();
std::vector<Theorem> theorems_on_costs();
std::vector<Theorem> theorems_on_full_pipes();
std::vector<Theorem> theorems_on_all_programs();
std::vector<Theorem> theorems_on_dependence();
std::vector<Theorem> theorems_on_speed_ups();

// matrix_product/
std::vector<Theorem> theorems_on_values_of_matrix_products();
std::vector<Theorem> theorems_on_matrix_products();
std::vector<Theorem> theorems_on_tightness_of_matrix_products();
std::vector<Theorem> words_of_matrix_products();

// permutation/
std::vector<Theorem> theorems_on_colorings();
std::vector<Theorem> theorems_on_times_of_plans();
std::vector<Theorem> theorems_on_counting();
std::vector<Theorem> theorems_on_passes();
std::vector<Theorem> theorems_on_distributions();
std::vector<Theorem> theorems_in_place();
std::vector<Theorem> theorems_on_affine_plans();
std::vector<Theorem> theorems_on_permuting();
std::vector<Theorem> theorems_on_permutations_one_by_one();
std::vector<Theorem> theorems_on_schedules();
std::vector<Theorem> theorems_on_printed_times_of_schedules();
std::vector<Theorem> theorems_on_tightness_of_permutations();
std::vector<Theorem> theorems_on_tightness_of_schedules();

// programs/
std::vector<Theorem> theorems_on_programs_of_accesses();
std::vector<Theorem> theorems_on_programs_of_sums();
std::vector<Theorem> theorems_on_programs_of_matrices();
std::vector<Theorem> theorems_on_programs_of_convolutions();

// prefix_sums/
std::vector<Theorem> theorems_on_values_of_prefix_sums();
std::vector<Theorem> theorems_on_prefix_sums();
std::vector<Theorem> theorems_on_tightness_of_prefix_sums();

// sum/
std::vector<Theorem> theorems_on_values_of_sums();
std::vector<Theorem> theorems_on_lower_bounds();
std::vector<Theorem> theorems_on_crossovers();
std::vector<Theorem> theorems_on_sums();
std::vector<Theorem> theorems_on_sums_on_the_hmm();
std::vector<Theorem> theorems_on_recursive_sums();
std::vector<Theorem> theorems_on_tightness();
std::vector<Theorem> theorems_on_tightness_of_sums_on_the_hmm();
std::vector<Theorem> theorems_on_tightness_of_turns();
std::vector<Theorem> words_of_vectors();

// summed_area_table/
std::vector<Theorem> theorems_on_tables();
std::vector<Theorem> theorems_on_table_tiles();
std::vector<Theorem> theorems_on_table_edges();
std::vector<Theorem> theorems_on_table_parts();
std::vector<Theorem> theorems_on_costs_of_tables();
std::vector<Theorem> theorems_on_costs_of_two_passes();
std::vector<Theorem> theorems_on_costs_of_hybrids();
std::vector<Theorem> theorems_on_costs_of_diagonals();
std::vector<Theorem> theorems_on_tightness_of_tables();
std::vector<Theorem> words_of_tables();

// transpose/
std::vector<Theorem> theorems_on_transposes();
std::vector<Theorem> words_of_transposes();

/// Row A1; listed by theorems_on_accesses().
Theorem fewest_stages_on_banks();

}  // namespace bankproof::proofs
