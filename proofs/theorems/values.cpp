// Joins the lists of theorems about values, from all folders.
#include "values.hpp"

#include "../builder/joined.hpp"

namespace bankproof::proofs {

std::vector<Theorem> values() {
  return joined({theorems_on_values_of_sums(), theorems_on_values_of_prefix_sums(),
                 theorems_on_values_of_products(), theorems_on_values_of_matrix_products(),
                 theorems_on_tables(), theorems_on_table_tiles(), theorems_on_table_edges(),
                 theorems_on_table_parts(), theorems_on_halos(), theorems_on_image_tiles()});
}

}  // namespace bankproof::proofs
