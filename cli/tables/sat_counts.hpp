// What the summed area table algorithms access, counted on machines that run them, and the forms
// that all counts have.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "../../algorithms/summed_area_table/accesses.hpp"
#include "polynomial.hpp"

namespace bankproof::cli {

/// Runs a variant, of hybrid with t diagonals in each triangle, on a square of whole tiles.
SatAccesses count_sat(std::string_view variant, const TileSizes& sizes);

/// What recursion adds to the counts of 2R1W and of hybrid, t > 1, in closed form; nothing where
/// the sums of tiles, of hybrid those of a triangle's, fit in a tile.
SatAccesses recursion_of_sat(std::string_view variant, const TileSizes& sizes);

/// The sizes that the forms are taken from, without recursion. For hybrid with the given part in
/// triangles, t = T/part, or with all t from 2 on.
std::vector<TileSizes> sat_samples(std::string_view variant, std::uint64_t part = 0);
/// Others, with one recursion; of hybrid in both triangles.
std::vector<TileSizes> sat_samples_with_recursion(std::string_view variant);

/// The form of one count at these sizes.
Polynomial sat_form(std::string_view variant, const std::vector<TileSizes>& sizes,
                    std::uint64_t SatAccesses::*count);

}  // namespace bankproof::cli
