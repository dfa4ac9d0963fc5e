// Joins the lists of theorems about permutations.
#include "permutations.hpp"

#include "../builder/joined.hpp"

namespace bankproof::proofs {

std::vector<Theorem> permutations() {
  return joined({theorems_on_colorings(), theorems_on_times_of_plans(), theorems_on_counting(),
                 theorems_on_passes(), theorems_on_distributions(),
                 theorems_on_closed_distributions(), theorems_in_place(),
                 theorems_on_affine_plans()});
}

}  // namespace bankproof::proofs
