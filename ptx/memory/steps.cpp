// The steps of memory instructions: from registers to addresses, to memories, and back.
#include "steps.hpp"

namespace bankproof::ptx {

void gather_addresses(const MemoryWarp& warp, const Op* op, const MemoryOperands& operands,
                      LaneMask lanes, LaneAddresses& addresses) {
  const auto offset = static_cast<std::uint64_t>(op->immediate);
  if (operands.address == no_slot) {
    addresses.fill(offset);
    return;
  }
  if (operands.wide_address) {
    const auto* from = warp.lanes<const std::uint64_t>(operands.address);
    for (std::size_t lane = 0; lane < warp_lanes; ++lane) addresses[lane] = from[lane] + offset;
  } else {
    const auto* from = warp.lanes<const std::uint32_t>(operands.address);
    for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
      addresses[lane] = from[lane] + static_cast<std::uint32_t>(offset);
    }
  }
  if (lanes == all_lanes) return;
  fill_inactive(addresses, lanes);
}

namespace {

/// Performs the access in a short way, if there is one for it.
[[gnu::always_inline]] inline bool takes_short_way(MemoryWarp& warp, const Op* op,
                                                   const MemoryOperands& operands, LaneMask lanes) {
  const auto takes = [&](PerformShort way) {
    return way != nullptr && way(warp, op, operands, lanes);
  };
  return (lanes == all_lanes && takes(operands.row)) || takes(operands.broadcast) ||
         takes(operands.scattered);
}

/// The plain way of an access, for any operands.
template <Operation operation>
[[gnu::noinline]] const Op* access_plainly(MemoryWarp& warp, const Op* op,
                                           const MemoryOperands& operands, LaneMask lanes) {
  const Access& access = operands.access;
  LaneBytes values;
  Request request{warp, operands, op->site, operation, access.bytes(), values};
  gather_addresses(warp, op, operands, lanes, request.at);
  if constexpr (operation == Operation::store) read_registers(request);
  serve(request, access.space, access.generic, lanes);
  if (operation == Operation::load || access.operation == Operation::atomic) {
    write_registers(request, access.vector, lanes);
  }
  return op + 1;
}

template <Operation operation>
[[gnu::always_inline]] inline const Op* execute_access(WarpState& state, const Op* op,
                                                       const MemoryOperands& operands) {
  auto& warp = static_cast<MemoryWarp&>(state);
  const LaneMask lanes = guarded_lanes(warp, op);
  if (lanes == 0) return op + 1;
  if constexpr (operation != Operation::atomic) {
    // The short ways judge all lanes alike.
    const bool is_usual = using_lanes(warp, operands, lanes) == lanes;
    if (is_usual && warp.launch->short_ways && takes_short_way(warp, op, operands, lanes)) {
      return op + 1;
    }
  }
  return access_plainly<operation>(warp, op, operands, lanes);
}

const Op* do_nothing(WarpState& /*state*/, const Op* op, const MemoryOperands& /*operands*/) {
  return op + 1;
}

}  // namespace

StepWith<MemoryOperands> step_of(const Access& access) {
  switch (access.operation) {
    case Operation::load:
      return handled_by<execute_access<Operation::load>>;
    case Operation::store:
      return handled_by<execute_access<Operation::store>>;
    case Operation::atomic:
    case Operation::reduction:
      return handled_by<execute_access<Operation::atomic>>;
    case Operation::copy:
      return handled_by<execute_copy>;
    case Operation::prefetch:
      break;
  }
  return handled_by<do_nothing>;
}

}  // namespace bankproof::ptx
