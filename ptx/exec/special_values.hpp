// The special registers: their values, and the time at which each value is known.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "../isa/registers.hpp"

namespace bankproof::ptx {

/// What a special register holds. A cluster has one block.
enum class SpecialKind : std::uint8_t {
  constant,             // `number`
  thread_index,         // %tid
  block_shape,          // %ntid
  block_index,          // %ctaid
  grid_shape,           // %nctaid
  multiprocessor,       // %smid
  lane,                 // %laneid
  warp,                 // %warpid
  warps,                // %nwarpid
  launch,               // %gridid
  lanes_equal,          // %lanemask_eq
  lanes_up_to,          // %lanemask_le
  lanes_below,          // %lanemask_lt
  lanes_from,           // %lanemask_ge
  lanes_above,          // %lanemask_gt
  clock,                // %clock64, %globaltimer; from bit `number` on
  shared_bytes,         // %total_smem_size
  dynamic_shared_bytes  // %dynamic_smem_size
};

struct SpecialValue {
  SpecialKind kind = SpecialKind::constant;
  std::uint32_t component = 0;  // x, y, z, w
  std::uint64_t number = 0;
  LaneType type = LaneType::b32;
};

/// For `%tid.x` and the like. Empty for a name that is no special register or lacks its component.
std::optional<SpecialValue> special_value(std::string_view name);

}  // namespace bankproof::ptx
