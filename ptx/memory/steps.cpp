// The steps of memory instructions: from registers to addresses, to memories, and back.
#include "steps.hpp"

namespace bankproof::ptx {

void gather_addresses(const MemoryWarp& warp, const Op* op, const MemoryDetail& detail,
                      LaneMask lanes, LaneAddresses& addresses) {
  const auto offset = static_cast<std::uint64_t>(op->immediate);
  if (detail.address == no_slot) {
    addresses.fill(offset);
    return;
  }
  if (detail.wide_address) {
    const auto* from = warp.lanes<const std::uint64_t>(detail.address);
    for (std::size_t lane = 0; lane < warp_lanes; ++lane) addresses[lane] = from[lane] + offset;
  } else {
    const auto* from = warp.lanes<const std::uint32_t>(detail.address);
    for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
      addresses[lane] = from[lane] + static_cast<std::uint32_t>(offset);
    }
  }
  if (lanes == all_lanes) return;
  fill_inactive(addresses, lanes);
}

namespace {

template <Operation operation>
const Op* access_step(WarpState& state, const Op* op) {
  auto& warp = static_cast<MemoryWarp&>(state);
  const LaneMask lanes = guarded_lanes(warp, op);
  if (lanes == 0) return op + 1;
  const MemoryDetail& detail = *static_cast<const MemoryDetail*>(op->detail);
  const Access& access = detail.access;
  LaneBytes values;
  Request request{warp, detail, op->site, operation, access.bytes(), values};
  gather_addresses(warp, op, detail, lanes, request.at);
  if constexpr (operation == Operation::store) read_registers(request);
  serve(request, access.space, access.generic, lanes);
  if (operation == Operation::load || access.operation == Operation::atomic) {
    write_registers(request, access.vector, lanes);
  }
  return op + 1;
}

const Op* nothing_step(WarpState& /*state*/, const Op* op) { return op + 1; }

}  // namespace

Step step_of(const Access& access) {
  switch (access.operation) {
    case Operation::load:
      return access_step<Operation::load>;
    case Operation::store:
      return access_step<Operation::store>;
    case Operation::atomic:
    case Operation::reduction:
      return access_step<Operation::atomic>;
    case Operation::copy:
      return copy_step;
    case Operation::prefetch:
      break;
  }
  return nothing_step;
}

}  // namespace bankproof::ptx
