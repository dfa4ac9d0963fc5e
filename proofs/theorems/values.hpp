// Theorems on the values that algorithms compute, and on the places from which they read, for every
// size.
#pragma once

#include <vector>

#include "../builder/theorem.hpp"

namespace bankproof::proofs {

/// All theorems of this group.
std::vector<Theorem> values();

std::vector<Theorem> theorems_on_values_of_sums();
std::vector<Theorem> theorems_on_values_of_prefix_sums();
std::vector<Theorem> theorems_on_values_of_products();
std::vector<Theorem> theorems_on_values_of_matrix_products();
std::vector<Theorem> theorems_on_tables();
std::vector<Theorem> theorems_on_table_tiles();
std::vector<Theorem> theorems_on_table_edges();
std::vector<Theorem> theorems_on_table_parts();
std::vector<Theorem> theorems_on_halos();
std::vector<Theorem> theorems_on_image_tiles();

}  // namespace bankproof::proofs
