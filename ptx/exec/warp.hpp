// A warp: the splits of its lanes, and which of them runs.
//
// A split is a set of lanes that go on together. Where its lanes part ways it waits at the place
// where they meet again, and each way becomes a split below it; likewise where it calls a function.
// So the splits of a warp are a tree, whose leaves can run or wait for something else than splits.
// Any leaf that can run may run.
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

struct FunctionCode;
class BlockRun;

/// The registers of a call.
struct Frame {
  std::byte* data = nullptr;
  const FunctionCode* code = nullptr;
  std::uint32_t depth = 0;   // calls above it
  std::uint64_t local = 0;   // where its variables begin in the local memory of each lane
  std::uint32_t splits = 0;  // that have it
};

enum class Waiting : std::uint8_t {
  nothing,  // it can run
  splits,   // for those below it
  lanes,    // at a warp-level instruction, for the other lanes of its mask
  barrier,  // at a barrier of the block
};

struct Split {
  const Op* at = nullptr;             // the operation that comes next
  const Op* reconvergence = nullptr;  // where it ends and its lanes wait in the split above
  Frame* frame = nullptr;
  Split* above = nullptr;
  std::uint32_t below = 0;  // how many
  LaneMask lanes = 0;       // those that left the kernel are out
  Waiting waiting = Waiting::nothing;
  LaneMask members = 0;        // the mask that it brings where it waits for lanes
  std::uint32_t slices = 0;    // used since it began
  std::uint64_t digest = 0;    // of its registers when its last slice ended
  bool looks_at_time = false;  // in this slice: at a clock, or it slept
};

/// What is counted for a basic block.
struct BlockCount {
  std::uint64_t visits = 0;
  std::uint64_t lanes = 0;
};

enum class WarpStatus : std::uint8_t { can_run, waits, ended };

/// How many backward branches a warp takes before others have their turn, or up to how many in a
/// shuffled schedule.
inline constexpr std::uint32_t slice_length = 64;

struct Warp : MemoryWarp {
  const Op* reconvergence = nullptr;  // of the split that runs
  std::uint32_t active_count = 0;
  std::uint32_t slice = slice_length;
  std::uint64_t shuffle = 0;  // what is drawn next; 0: nothing is left to chance
  BlockCount* counts = nullptr;
  Split* current = nullptr;
  WarpStatus status = WarpStatus::ended;
  LaneMask live = 0;  // lanes that have not left the kernel
  std::uint64_t clock = 0;
  BlockRun* run = nullptr;
  std::vector<Split*> leaves;
  std::deque<Split> splits;
  std::vector<Split*> unused;
};

/// The warp whose state that is: steps of this machine are never called with another.
inline Warp& warp_of(WarpState& state) { return static_cast<Warp&>(state); }

/// Lanes that go on at one place.
struct Way {
  const Op* to = nullptr;
  LaneMask lanes = 0;
};

/// The warp begins a function with these lanes. `schedule` is 0, or a number that shuffles when
/// warps have their turns.
void begin(Warp& warp, Frame* frame, LaneMask lanes, std::uint64_t schedule);

/// A split that can run becomes current; null if there is none, and then `status` says why.
const Op* run_next(Warp& warp);

/// The lanes of the current split part ways and meet again at `meet`, or where it itself ends if
/// that is null.
const Op* part(Warp& warp, std::span<const Way> ways, const Op* meet);

/// The current split came to where it ends.
const Op* join(Warp& warp);

/// Lanes of the current split leave the kernel; the others go on at `next`.
const Op* leave(Warp& warp, LaneMask lanes, const Op* next);

/// Lanes of the current split return from its function; the others go on at `next`.
const Op* come_back(Warp& warp, LaneMask lanes, const Op* next);

/// The current split waits above calls in new frames, each with its lanes, until all came back.
struct Callee {
  Frame* frame = nullptr;
  LaneMask lanes = 0;
};
const Op* call(Warp& warp, std::span<const Callee> callees, const Op* next);

/// The current split goes on at `at` when the others had their turns.
const Op* end_slice(Warp& warp, const Op* at);

/// Before an access by which threads tell one another something: a shuffled schedule may give the
/// others their turns here.
const Op* yield_step(WarpState& state, const Op* op);

/// The current split waits at `at`; run_next comes next.
void wait_at(Warp& warp, const Op* at, Waiting waiting, LaneMask members);

/// Lanes that wait for others only to run together with them go on alone. Whether there were any.
bool go_on_alone(Warp& warp);

}  // namespace bankproof::ptx
