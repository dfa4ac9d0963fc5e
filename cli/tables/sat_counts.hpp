// What the summed area table algorithms access, counted on machines that run them, and the forms
// that all counts have.
#pragma once

#include <string_view>
#include <vector>

#include "polynomial.hpp"

namespace bankproof::cli {

/// Of a run. An access is stride when it takes a stage for each of its threads.
struct SatCounts {
  double reads = 0;   ///< of global memory
  double writes = 0;  ///< of global memory
  double stride_reads = 0;
  double stride_writes = 0;
  double shared_reads = 0;
  double shared_writes = 0;
  double barriers = 0;  ///< of the whole machine: a launch's end, but for the last
};

/// Runs a variant, of hybrid with t diagonals in each triangle, on a square of whole tiles.
SatCounts count_sat(std::string_view variant, const TileSizes& sizes);

/// What recursion adds to the counts of 2R1W and of hybrid, t > 1, in closed form; nothing where
/// the sums of tiles, of hybrid those of a triangle's, fit in a tile.
SatCounts recursion_of_sat(std::string_view variant, const TileSizes& sizes);

/// The sizes that the forms are taken from, without recursion. For hybrid with the given part in
/// triangles, t = T/part, or with all t from 2 on.
std::vector<TileSizes> sat_samples(std::string_view variant, std::uint64_t part = 0);
/// Others, with one recursion; of hybrid in both triangles.
std::vector<TileSizes> sat_samples_with_recursion(std::string_view variant);

/// The form of one count at these sizes.
Polynomial sat_form(std::string_view variant, const std::vector<TileSizes>& sizes,
                    double SatCounts::*count);

}  // namespace bankproof::cli
