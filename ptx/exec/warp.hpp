// A warp: the splits of its lanes, and which of them runs.
//
// A split is a set of lanes that run together. When its lanes diverge, the split waits at their
// reconvergence point, and each path becomes a new split below it. A call also puts splits below
// the caller's split. So the splits of a warp form a tree. A leaf is a split without splits below
// it: it can run, or it waits for lanes or at a barrier. Any leaf that can run may run next.
//
//   {all lanes, waits at BB3}
//    ├─ {lanes 0-7, runs in BB1}
//    └─ {lanes 8-15, waits at a barrier in BB2}      lanes 16-31 wait at BB3 already
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "../isa/op.hpp"
#include "../memory/warp_memory.hpp"

namespace bankproof::ptx {

struct CompiledPiece;
struct FunctionCode;
class BlockRun;

/// The registers of a call.
struct Frame {
  std::byte* data = nullptr;
  const FunctionCode* code = nullptr;
  std::uint32_t depth = 0;   // number of calls above it
  std::uint64_t local = 0;   // where its variables begin in the local memory of each lane
  std::uint32_t splits = 0;  // number of splits that use it
};

enum class Waiting : std::uint8_t {
  nothing,  // it can run
  splits,   // for the splits below it
  lanes,    // at a warp-level instruction, for the other lanes of its mask
  barrier,  // at a barrier of the block
};

struct Split {
  const Op* at = nullptr;             // the operation that comes next
  const Op* reconvergence = nullptr;  // where it ends; the split above then has its lanes
  Frame* frame = nullptr;
  Split* above = nullptr;
  std::uint32_t below = 0;  // number of splits below it
  LaneMask lanes = 0;       // without lanes that have exited
  Waiting waiting = Waiting::nothing;
  LaneMask members = 0;        // the mask that the split brings when it waits for lanes
  std::uint32_t slices = 0;    // slices used since the split began
  std::uint64_t digest = 0;    // a digest of the registers when the split's last slice ended
  bool looks_at_time = false;  // the split read a clock or slept in this slice
};

/// The counts of a basic block.
struct BlockCount {
  std::uint64_t visits = 0;
  std::uint64_t lanes = 0;
};

enum class WarpStatus : std::uint8_t { can_run, waits, ended };

/// A slice of a split ends after this many backward branches; then other splits have their turn. In
/// a shuffled schedule, slices have random lengths up to this number.
inline constexpr std::uint32_t slice_length = 64;

struct Warp : MemoryWarp {
  const Op* reconvergence = nullptr;  // where the split that runs reconverges
  std::uint32_t active_count = 0;
  std::uint32_t slice = slice_length;
  std::uint64_t shuffle = 0;  // state of the random numbers; 0: the schedule is not shuffled
  BlockCount* counts = nullptr;
  const CompiledPiece* pieces = nullptr;  // by counted block; null: the turn is interpreted
  Split* current = nullptr;
  WarpStatus status = WarpStatus::ended;
  LaneMask live = 0;  // lanes that have not exited
  std::uint64_t clock = 0;
  BlockRun* run = nullptr;
  Frame* of_kernel = nullptr;     // the frame of the kernel, for all blocks that use this object
  std::vector<Event> own_events;  // of the block that runs
  EventList kept_events;          // of the block before it
  std::vector<Split*> leaves;
  std::deque<Split> splits;
  std::vector<Split*> unused;
};

/// The warp with this state. The machine passes only states of warps to steps.
inline Warp& warp_of(WarpState& state) { return static_cast<Warp&>(state); }

/// Lanes that go on at the same operation.
struct Path {
  const Op* to = nullptr;
  LaneMask lanes = 0;
};

/// The warp begins the kernel with these lanes. `schedule` is 0, or the seed of a shuffled
/// schedule.
void begin(Warp& warp, Frame* frame, LaneMask lanes, std::uint64_t schedule);

/// Makes a runnable split current and returns its next operation. Returns null if no split can run;
/// then `status` says whether the warp waits or has ended.
const Op* run_next(Warp& warp);

/// The lanes of the current split diverge. They reconverge at `reconvergence`; if it is null, they
/// reconverge where the current split ends.
const Op* diverge(Warp& warp, std::span<const Path> paths, const Op* reconvergence);

/// The current split has reached its reconvergence point.
const Op* reconverge(Warp& warp);

/// Lanes of the current split exit; its other lanes go on at `next`.
const Op* exit_lanes(Warp& warp, LaneMask lanes, const Op* next);

/// Lanes of the current split return from its function; its other lanes go on at `next`.
const Op* return_lanes(Warp& warp, LaneMask lanes, const Op* next);

/// The current split calls one or more functions. Each call has a new frame and some of the lanes.
/// The current split waits above the calls until all have returned.
struct Callee {
  Frame* frame = nullptr;
  LaneMask lanes = 0;
};
const Op* call(Warp& warp, std::span<const Callee> callees, const Op* next);

/// Ends the slice of the current split, which goes on at `at` after the other splits have had their
/// turns.
const Op* end_slice(Warp& warp, const Op* at);

/// Precedes an access through which threads communicate: in a shuffled schedule, other splits and
/// warps may take their turns here.
const Op* yield_step(WarpState& state, const Op* op);

/// The current split waits at `at`; the caller then calls run_next().
void wait_at(Warp& warp, const Op* at, Waiting waiting, LaneMask members);

/// Lets lanes go on alone if they wait only in order to run together with other lanes. Returns
/// whether any lane did.
bool go_on_alone(Warp& warp);

}  // namespace bankproof::ptx
