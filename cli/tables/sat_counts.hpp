// Counts the accesses of the summed area table algorithms on machines that run them, and finds the
// forms of these counts.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "../../algorithms/summed_area_table/accesses.hpp"
#include "polynomial.hpp"

namespace bankproof::cli {

/// Runs a variant on a square matrix of whole tiles. The variant hybrid has t diagonals in each
/// triangle.
SatAccesses count_sat(std::string_view variant, const TileSizes& sizes);

/// The accesses that recursion adds to the counts of 2R1W and of hybrid (t > 1), in closed form.
/// All counts are 0 if the sums of the tiles (for hybrid, of a triangle's tiles) fit in one tile.
SatAccesses recursion_of_sat(std::string_view variant, const TileSizes& sizes);

/// The sizes from which the forms are found; at none of them does the variant recurse. For hybrid,
/// t is T/part, or takes all values from 2 on if `part` is 0.
std::vector<TileSizes> sat_samples(std::string_view variant, std::uint64_t part = 0);
/// Other sizes, at which the variant recurses once (hybrid: once in each of its two triangles).
std::vector<TileSizes> sat_samples_with_recursion(std::string_view variant);

/// The form of one count at these sizes.
Polynomial sat_form(std::string_view variant, const std::vector<TileSizes>& sizes,
                    std::uint64_t SatAccesses::*count);

}  // namespace bankproof::cli
