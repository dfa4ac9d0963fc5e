// Rows of 8 × 8 matrices of 16-bit elements: row r of matrix k is 16 bytes at the offset that lane
// 8 · k + r gives.
//
// Each matrix is one access: its 32 words move as if lane 4 · r + j accessed word j of row r, one
// word per lane. If the rows lie in different banks, each matrix takes one wavefront.
#pragma once

#include "footprint.hpp"

namespace bankproof::ptx {

inline constexpr std::uint32_t rows_of_matrix = 8;
inline constexpr std::uint32_t matrix_row_bytes = 16;

/// Finds the words of matrix `number` in the rows that lanes of `lanes` address. Returns the lanes
/// that access these words; 0 if no lane of `lanes` addresses a row of the matrix. In `words`,
/// every other lane gets the address of one of these words.
LaneMask words_of_matrix(const LaneAddresses& rows, LaneMask lanes, std::uint32_t number,
                         LaneAddresses& words);

}  // namespace bankproof::ptx
