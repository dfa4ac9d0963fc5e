// Accesses to the rows of matrices; see matrix_rows.hpp.
#include "matrix_rows.hpp"

#include "access_faults.hpp"
#include "steps.hpp"

namespace bankproof::ptx {

namespace {

/// The lanes whose generic addresses are in shared memory; reports the other lanes.
LaneMask in_shared_memory(const Request& request, LaneMask lanes) {
  LaneMask inside = 0;
  each_lane(lanes, [&](std::uint32_t lane) {
    const std::uint64_t address = request.at[lane];
    if (space_of(address) == Space::shared) {
      inside |= LaneMask{1} << lane;
      return;
    }
    report_row_elsewhere(request, lane, address);
  });
  return inside;
}

}  // namespace

void access_matrix_rows(MemoryWarp& warp, const MemoryOperands& operands, std::uint32_t site,
                        const LaneAddresses& addresses, LaneMask lanes, LaneBytes& rows) {
  Request request{warp, operands, site, operands.access.operation, matrix_row_bytes, rows};
  request.at = addresses;
  request.rows_of_matrices = true;
  if (request.reads) rows.bytes.fill(std::byte{0});
  if (operands.access.generic) {
    lanes = in_shared_memory(request, lanes);
    for (std::uint64_t& at : request.at) at = address_in(Space::shared, at);
  }
  if (lanes == 0) return;
  fill_inactive(request.at, lanes);
  serve(request, Space::shared, false, lanes);
}

}  // namespace bankproof::ptx
