// cp.async. The instruction copies the bytes when it executes, but races are judged as if the copy
// could happen at any time until a wait (races/copies.hpp).
#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "steps.hpp"

namespace bankproof::ptx {
namespace {

void issue(MemoryWarp& warp, LaneMask lanes) {
  if (warp.copies == nullptr) {
    if (!warp.launch->copies) throw std::logic_error("a copy in a launch that has none");
    warp.copies = std::make_unique<Copies>();
  }
  warp.copies->issue(lanes, warp.now);
}

}  // namespace

const Op* execute_copy(WarpState& state, const Op* op, const MemoryOperands& operands) {
  auto& warp = static_cast<MemoryWarp&>(state);
  const LaneMask lanes = guarded_lanes(warp, op);
  if (lanes == 0) return op + 1;
  issue(warp, lanes);
  const std::uint32_t bytes = operands.access.bytes();
  LaneBytes values;
  values.bytes.fill(std::byte{0});
  // If fewer bytes are read than copied, zeros fill the rest. The source is read in parts of 16, 8,
  // 4, 2 and 1 bytes. Each part is aligned if the source's address is a multiple of the copy's
  // size, as PTX requires.
  const auto* from = warp.lanes<const std::uint64_t>(operands.source);
  const auto* lengths = operands.source_bytes == no_slot
                            ? nullptr
                            : warp.lanes<const std::uint32_t>(operands.source_bytes);
  for (std::uint32_t part = bytes; part != 0; part /= 2) {
    LaneMask reading = 0;
    LaneBytes piece;
    Request load{warp, operands, op->site, Operation::load, part, piece};
    std::array<std::uint32_t, warp_lanes> before{};
    each_lane(lanes, [&](std::uint32_t lane) {
      const std::uint32_t length = lengths == nullptr ? bytes : std::min(lengths[lane], bytes);
      if ((length & part) == 0) return;
      reading |= LaneMask{1} << lane;
      before[lane] = length & ~(2 * part - 1);
      load.at[lane] =
          from[lane] + static_cast<std::uint64_t>(operands.source_offset) + before[lane];
    });
    if (reading == 0) continue;
    fill_inactive(load.at, reading);
    serve(load, Space::global, false, reading);
    each_lane(reading, [&](std::uint32_t lane) {
      std::memcpy(value_of(values, lane, bytes) + before[lane], value_of(piece, lane, part), part);
    });
  }
  Request store{warp, operands, op->site, Operation::store, bytes, values};
  gather_addresses(warp, op, operands, lanes, store.at);
  serve(store, Space::shared, false, lanes);
  return op + 1;
}

}  // namespace bankproof::ptx
