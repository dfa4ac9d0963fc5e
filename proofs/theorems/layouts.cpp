// Joins the lists of theorems about layouts.
#include "layouts.hpp"

#include "../builder/joined.hpp"

namespace bankproof::proofs {

std::vector<Theorem> layouts() {
  return joined({theorems_on_tiles(), theorems_on_pitches(), theorems_on_strides(),
                 theorems_on_swizzles(), theorems_on_accesses(), theorems_on_wide_accesses()});
}

}  // namespace bankproof::proofs
