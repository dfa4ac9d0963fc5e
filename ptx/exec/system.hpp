// Instructions on addresses, on clocks, on the .param memory of calls, and on the order of
// accesses.
#pragma once

#include <cstdint>

#include "../isa/op.hpp"
#include "../memory/access.hpp"

namespace bankproof::ptx {

/// Reads a clock into d[0], from bit Op::immediate on. The machine's time counts the warp's
/// operations and is the same in each run.
const Op* clock_step(WarpState& state, const Op* op);
const Op* clock64_step(WarpState& state, const Op* op);

/// nanosleep for the time s[0]. The other splits and warps take their turns before this split goes
/// on.
const Op* sleep_step(WarpState& state, const Op* op);

/// cvta: d[0] = s[0] + Op::immediate, 64 bits.
const Op* address_step(WarpState& state, const Op* op);

/// isspacep: d[0] says whether s[0] is in the space whose number is Op::immediate.
const Op* space_step(WarpState& state, const Op* op);

/// fence, membar.
struct FenceOperands {
  bool sequential = false;  // fence.sc
  Scope scope = Scope::device;
};
extern const StepWith<FenceOperands> fence_step;

/// cp.async.commit_group; cp.async.wait_group, which waits for all groups but the last n, where n
/// is Op::immediate; cp.async.wait_all.
const Op* commit_copies_step(WarpState& state, const Op* op);
const Op* wait_for_copies_step(WarpState& state, const Op* op);
const Op* wait_for_all_copies_step(WarpState& state, const Op* op);

/// ld.param and st.param of a device function or of a call: from and to an area of the frame.
struct AreaOperands {
  Slot area = no_slot;
  std::uint32_t area_bytes = 0;  // per lane
  std::uint32_t offset = 0;
  Slot value = no_slot;
  LaneType type = LaneType::b32;
  std::uint32_t bytes = 4;  // of the access; the lane may be wider
  bool sign_extended = false;
};
extern const StepWith<AreaOperands> load_area_step;
extern const StepWith<AreaOperands> store_area_step;

}  // namespace bankproof::ptx
