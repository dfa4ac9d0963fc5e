// Accesses to the rows of matrices; see matrix_rows.hpp.
#include "matrix_rows.hpp"

#include <cstring>
#include <string>

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
    request.warp.worker->faults.add(
        FaultKind::out_of_bounds, request.site, no_site, request.warp.name(lane), [&] {
          return std::string(request.verb()) + " of a matrix's row at address " +
                 std::to_string(address) + ", which is not in shared memory";
        });
  });
  return inside;
}

}  // namespace

LaneMask words_of_matrix(const LaneAddresses& rows, LaneMask lanes, std::uint32_t number,
                         LaneAddresses& words) {
  constexpr std::uint32_t words_of_row = matrix_row_bytes / word_bytes;
  const std::uint32_t first_row = number * rows_of_matrix;
  const LaneMask here = lanes >> first_row & ((1U << rows_of_matrix) - 1);
  if (here == 0) return 0;
  words.fill(rows[first_row + first_of(here)]);
  LaneMask result = 0;
  each_lane(here, [&](std::uint32_t row) {
    for (std::uint32_t word = 0; word < words_of_row; ++word) {
      const std::uint32_t lane = row * words_of_row + word;
      words[lane] = rows[first_row + row] + std::uint64_t{word} * word_bytes;
      result |= LaneMask{1} << lane;
    }
  });
  return result;
}

void access_matrix_rows(MemoryWarp& warp, const MemoryDetail& detail, std::uint32_t site,
                        const LaneAddresses& addresses, LaneMask lanes, LaneBytes& rows) {
  Request request{warp, detail, site, detail.access.operation, matrix_row_bytes, rows, addresses};
  request.rows_of_matrices = true;
  if (request.reads()) rows.bytes.fill(std::byte{0});
  if (detail.access.generic) {
    lanes = in_shared_memory(request, lanes);
    for (std::uint64_t& at : request.at) at = address_in(Space::shared, at);
  }
  if (lanes == 0) return;
  const std::uint64_t first = request.at[first_of(lanes)];
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    if ((lanes >> lane & 1U) == 0) request.at[lane] = first;
  }
  serve(request, Space::shared, false, lanes);
}

}  // namespace bankproof::ptx
