// Arrays of a plan as numpy's .npy files, format version 1.0, of signed integers: <i2, <i4 or <i8,
// the narrowest that has all indices, with −1 in lanes that are idle.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "made_plan.hpp"

namespace bankproof::cli {

/// The bytes of the file: one dimension for one row, [row][lane] otherwise.
std::string as_npy(const LaneValues& values, std::uint64_t rows, std::uint64_t lanes);

/// The bytes of a file of <i8, whose values wrap, with so many dimensions.
std::string as_npy_of_64_bits(const std::vector<std::uint64_t>& values,
                              const std::vector<std::uint64_t>& dimensions);

/// All of a file but its data, for elements of a type such as <f4.
std::string npy_header(std::string_view descr, const std::vector<std::uint64_t>& dimensions);

}  // namespace bankproof::cli
