// Rows of 8 × 8 matrices of 16-bit elements in shared memory, as ldmatrix and stmatrix access them:
// row r of matrix k is 16 bytes at the address that lane 8 · k + r gives. That lane is told for
// what is wrong with a row, and is who reads or writes it where races are judged.
//
// Each matrix is an access of its own: its 32 words are moved as if lane 4 · r + j took word j of
// row r, which is a word for each lane. Where the rows lie in different banks that is one wavefront
// a matrix.
#pragma once

#include "request.hpp"

namespace bankproof::ptx {

inline constexpr std::uint32_t rows_of_matrix = 8;
inline constexpr std::uint32_t matrix_row_bytes = 16;

/// The words of matrix `number`, of those rows that are among `lanes`; the result are lanes of the
/// words. Words of other lanes equal one of these. None if the matrix has no rows there.
LaneMask words_of_matrix(const LaneAddresses& rows, LaneMask lanes, std::uint32_t number,
                         LaneAddresses& words);

/// Loads or stores the rows of these lanes. `detail` is of an access of 16 bytes, to shared memory
/// or generic; an address that is not in shared memory is out of bounds. Rows that cannot be loaded
/// are zero.
void access_matrix_rows(MemoryWarp& warp, const MemoryDetail& detail, std::uint32_t site,
                        const LaneAddresses& addresses, LaneMask lanes, LaneBytes& rows);

}  // namespace bankproof::ptx
