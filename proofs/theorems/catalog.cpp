// Joins the lists of all theorems.
#include "catalog.hpp"

#include "../builder/joined.hpp"
#include "lists.hpp"

namespace bankproof::proofs {

std::vector<Theorem> catalog() {
  return joined({
      // Banks and address groups of words.
      theorems_on_tiles(),
      theorems_on_pitches(),
      theorems_on_strides(),
      theorems_on_swizzles(),
      theorems_on_accesses(),
      theorems_on_wide_accesses(),
      // Permutations across banks, and in three passes.
      theorems_on_colorings(),
      theorems_on_times_of_plans(),
      theorems_on_counting(),
      theorems_on_passes(),
      theorems_on_distributions(),
      theorems_in_place(),
      theorems_on_affine_plans(),
      // The values that algorithms compute, and the places from which they read.
      theorems_on_values_of_sums(),
      theorems_on_values_of_prefix_sums(),
      theorems_on_values_of_products(),
      theorems_on_values_of_matrix_products(),
      theorems_on_tables(),
      theorems_on_table_tiles(),
      theorems_on_table_edges(),
      theorems_on_table_parts(),
      theorems_on_halos(),
      theorems_on_image_tiles(),
      // Times of algorithms, and times that no algorithm can beat.
      theorems_on_machines(),
      theorems_on_programs_of_accesses(),
      theorems_on_programs_of_sums(),
      theorems_on_programs_of_matrices(),
      theorems_on_programs_of_convolutions(),
      theorems_on_contiguous_access(),
      theorems_on_bounds_of_contiguous_access(),
      theorems_on_overlapped_access(),
      theorems_on_segments(),
      theorems_on_copies(),
      theorems_on_hiding(),
      theorems_on_costs(),
      theorems_on_full_pipes(),
      theorems_on_all_programs(),
      theorems_on_dependence(),
      theorems_on_lower_bounds(),
      theorems_on_permuting(),
      theorems_on_speed_ups(),
      theorems_on_crossovers(),
      theorems_on_sums(),
      theorems_on_sums_on_the_hmm(),
      theorems_on_recursive_sums(),
      theorems_on_prefix_sums(),
      theorems_on_permutations_one_by_one(),
      theorems_on_transposes(),
      theorems_on_schedules(),
      theorems_on_printed_times_of_schedules(),
      theorems_on_costs_of_tables(),
      theorems_on_costs_of_two_passes(),
      theorems_on_costs_of_hybrids(),
      theorems_on_costs_of_diagonals(),
      theorems_on_convolutions(),
      theorems_on_convolutions_on_the_hmm(),
      theorems_on_matrix_products(),
      theorems_on_image_convolutions(),
      theorems_on_tightness_of_accesses(),
      theorems_on_tightness(),
      theorems_on_tightness_of_sums_on_the_hmm(),
      theorems_on_tightness_of_turns(),
      theorems_on_tightness_of_prefix_sums(),
      theorems_on_tightness_of_permutations(),
      theorems_on_tightness_of_tables(),
      theorems_on_tightness_of_schedules(),
      theorems_on_tightness_of_matrix_products(),
      theorems_on_tightness_of_image_convolutions(),
      theorems_on_tightness_of_products(),
      theorems_on_tightness_of_convolution(),
      theorems_on_tightness_of_pieces(),
      // No index computation overflows a machine word.
      words_of_accesses(),
      words_of_vectors(),
      words_of_matrix_products(),
      words_of_transposes(),
      words_of_convolutions(),
      words_of_image_convolutions(),
      words_of_tiled_convolutions(),
      words_of_tables(),
  });
}

}  // namespace bankproof::proofs
