// Writes the arrays of a plan as numpy's .npy files, format version 1.0, of signed integers: <i2,
// <i4 or <i8, the narrowest that holds all indices, with −1 in idle lanes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "made_plan.hpp"

namespace bankproof::cli {

/// The bytes of the file: one dimension for a single row, otherwise [row][lane].
std::string as_npy(const LaneValues& values, std::uint64_t rows, std::uint64_t lanes);

/// The bytes of a file with elements of type <i8 and with these dimensions; values from 2^63 on
/// wrap.
std::string as_npy_of_64_bits(const std::vector<std::uint64_t>& values,
                              const std::vector<std::uint64_t>& dimensions);

/// The beginning of a file, up to its data, for elements of a type such as <f4.
std::string npy_header(std::string_view descr, const std::vector<std::uint64_t>& dimensions);

}  // namespace bankproof::cli
