// This folder's theorems, file by file.
#include "times.hpp"

#include "../joined.hpp"

namespace bankproof::proofs {

std::vector<Theorem> times() {
  return joined({theorems_on_machines(), theorems_on_contiguous_access(),
                 theorems_on_bounds_of_contiguous_access(), theorems_on_hiding(),
                 theorems_on_costs(), theorems_on_all_programs(), theorems_on_lower_bounds(),
                 theorems_on_permuting(), theorems_on_speed_ups(), theorems_on_crossovers(),
                 theorems_on_sums(), theorems_on_prefix_sums()});
}

}  // namespace bankproof::proofs
