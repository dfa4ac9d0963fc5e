// Small steps other than arithmetic.
#include "system.hpp"

#include <bit>
#include <cstring>

#include "block_run.hpp"
#include "warp.hpp"

namespace bankproof::ptx {

namespace {

// The time units that a read of the clock takes. Each read takes time, so a loop that polls the
// clock until a given time comes to an end.
constexpr std::uint64_t clock_read = 32;

template <class T>
const Op* read_clock(WarpState& state, const Op* op) {
  Warp& warp = warp_of(state);
  warp.clock += clock_read;
  warp.current->looks_at_time = true;
  auto* const to = warp.lanes<T>(op->d[0]);
  each_lane(warp.active, [&](std::uint32_t lane) {
    to[lane] = static_cast<T>(warp.clock >> static_cast<std::uint64_t>(op->immediate));
  });
  return op + 1;
}

}  // namespace

const Op* clock_step(WarpState& state, const Op* op) {
  return read_clock<std::uint32_t>(state, op);
}
const Op* clock64_step(WarpState& state, const Op* op) {
  return read_clock<std::uint64_t>(state, op);
}

const Op* sleep_step(WarpState& state, const Op* op) {
  Warp& warp = warp_of(state);
  const LaneMask lanes = guarded_lanes(warp, op);
  if (lanes == 0) return op + 1;
  warp.current->looks_at_time = true;
  warp.clock += warp.lanes<const std::uint32_t>(op->s[0])[std::countr_zero(lanes)];
  return end_slice(warp, op + 1);
}

const Op* address_step(WarpState& state, const Op* op) {
  const auto* const from = state.lanes<const std::uint64_t>(op->s[0]);
  auto* const to = state.lanes<std::uint64_t>(op->d[0]);
  const auto added = static_cast<std::uint64_t>(op->immediate);
  const LaneMask lanes = guarded_lanes(state, op);
  if (lanes == all_lanes) {
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) to[lane] = from[lane] + added;
  } else {
    each_lane(lanes, [&](std::uint32_t lane) { to[lane] = from[lane] + added; });
  }
  return op + 1;
}

const Op* space_step(WarpState& state, const Op* op) {
  const auto* const from = state.lanes<const std::uint64_t>(op->s[0]);
  auto* const to = state.lanes<std::uint32_t>(op->d[0]);
  const auto space = static_cast<Space>(op->immediate);
  each_lane(guarded_lanes(state, op),
            [&](std::uint32_t lane) { to[lane] = space_of(from[lane]) == space ? all_lanes : 0; });
  return op + 1;
}

namespace {

const Op* execute_fence(WarpState& state, const Op* op, const FenceOperands& operands) {
  const LaneMask lanes = guarded_lanes(state, op);
  if (lanes != 0) fence(warp_of(state), lanes, operands.sequential, operands.scope);
  return op + 1;
}

}  // namespace

constinit const StepWith<FenceOperands> fence_step = handled_by<execute_fence>;

const Op* commit_copies_step(WarpState& state, const Op* op) {
  commit_copies(warp_of(state), guarded_lanes(state, op));
  return op + 1;
}

const Op* wait_for_copies_step(WarpState& state, const Op* op) {
  wait_for_copies(warp_of(state), guarded_lanes(state, op),
                  static_cast<std::uint32_t>(op->immediate));
  return op + 1;
}

const Op* wait_for_all_copies_step(WarpState& state, const Op* op) {
  wait_for_all_copies(warp_of(state), guarded_lanes(state, op));
  return op + 1;
}

namespace {

const Op* load_area(WarpState& state, const Op* op, const AreaOperands& area) {
  const std::size_t wide = lane_bytes(area.type);
  each_lane(guarded_lanes(state, op), [&](std::uint32_t lane) {
    std::byte* const to = state.frame + area.value + lane * wide;
    const std::byte* const from =
        state.frame + area.area + std::size_t{lane} * area.area_bytes + area.offset;
    std::memcpy(to, from, area.bytes);
    const bool negative =
        area.sign_extended && (from[area.bytes - 1] & std::byte{0x80}) != std::byte{0};
    if (wide > area.bytes) std::memset(to + area.bytes, negative ? 0xFF : 0, wide - area.bytes);
  });
  return op + 1;
}

const Op* store_area(WarpState& state, const Op* op, const AreaOperands& area) {
  const std::size_t wide = lane_bytes(area.type);
  each_lane(guarded_lanes(state, op), [&](std::uint32_t lane) {
    std::memcpy(state.frame + area.area + std::size_t{lane} * area.area_bytes + area.offset,
                state.frame + area.value + lane * wide, area.bytes);
  });
  return op + 1;
}

}  // namespace

constinit const StepWith<AreaOperands> load_area_step = handled_by<load_area>;
constinit const StepWith<AreaOperands> store_area_step = handled_by<store_area>;

}  // namespace bankproof::ptx
