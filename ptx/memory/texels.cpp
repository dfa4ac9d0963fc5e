// Performs accesses to texels; see texels.hpp.
#include "texels.hpp"

#include "steps.hpp"

namespace bankproof::ptx {

namespace {

Request request_of(MemoryWarp& warp, const MemoryOperands& operands, std::uint32_t site,
                   std::uint32_t bytes, LaneBytes& values) {
  return {warp, operands, site, operands.access.operation, bytes, values};
}

}  // namespace

void access_texels(MemoryWarp& warp, const MemoryOperands& operands, std::uint32_t site,
                   std::uint32_t buffer, const LaneAddresses& at, LaneMask lanes,
                   std::uint32_t bytes, LaneBytes& values) {
  Request request = request_of(warp, operands, site, bytes, values);
  request.at = at;
  request.lanes = lanes;
  request.is_priced = false;
  fill_inactive(request.at, lanes);
  perform(request, buffer_memory(warp, buffer));
}

void read_texel_registers(MemoryWarp& warp, const MemoryOperands& operands, LaneBytes& values) {
  Request request = request_of(warp, operands, 0, operands.access.bytes(), values);
  read_registers(request);
}

void write_texel_registers(MemoryWarp& warp, const MemoryOperands& operands, LaneMask lanes,
                           LaneBytes& values) {
  const Request request = request_of(warp, operands, 0, operands.access.bytes(), values);
  write_registers(request, operands.access.vector, lanes);
}

}  // namespace bankproof::ptx
