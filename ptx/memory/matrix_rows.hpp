// Rows of matrices in shared memory, as ldmatrix and stmatrix access them (matrix_words.hpp).
// Faults of a row are reported for the lane that gives its address, and races are judged as if that
// lane read or wrote the row.
#pragma once

#include "matrix_words.hpp"
#include "request.hpp"

namespace bankproof::ptx {

/// Loads or stores the rows of these lanes. `operands` describes an access of 16 bytes, with
/// addresses in shared memory or generic addresses. A generic address outside of shared memory is
/// out of bounds. Rows that cannot be loaded are zero.
void access_matrix_rows(MemoryWarp& warp, const MemoryOperands& operands, std::uint32_t site,
                        const LaneAddresses& addresses, LaneMask lanes, LaneBytes& rows);

}  // namespace bankproof::ptx
