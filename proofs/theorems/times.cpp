// Joins the lists of theorems about times, from all folders.
#include "times.hpp"

#include "../builder/joined.hpp"

namespace bankproof::proofs {

std::vector<Theorem> times() {
  return joined({theorems_on_machines(),
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
                 theorems_on_convolutions_by_numbers(),
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
                 theorems_on_tightness_of_tiles(),
                 theorems_on_tightness_of_products(),
                 theorems_on_tightness_of_convolution(),
                 theorems_on_tightness_of_pieces()});
}

}  // namespace bankproof::proofs
