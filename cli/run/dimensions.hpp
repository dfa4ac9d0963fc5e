// The dimensions of an algorithm's arrays in numpy's order: columns, or rows and columns, then
// channels if there are several.
//
// Example: the dimensions of the summed-area table of one row of 5 pixels are 1 x 5; the dimension
// of a sequence of 5 numbers is 5.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "entry.hpp"

namespace bankproof::cli {

using Dimensions = std::vector<std::uint64_t>;

/// The dimensions of the result, and of each input.
Dimensions output_dimensions(const AlgorithmEntry& algorithm, const Task& task);
std::vector<Dimensions> input_dimensions(const AlgorithmEntry& algorithm, const Task& task);

/// "1 x 5 elements", "1 element".
std::string elements_text(const Dimensions& dimensions);

/// The indices of the k-th element, "0, 4".
std::string place_text(const Dimensions& dimensions, std::uint64_t k);

}  // namespace bankproof::cli
