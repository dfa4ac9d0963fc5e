// An access of a warp to one memory: bounds, cost, shadow, bytes. Each of these parts has a file.
// This file puts the parts together and reports the faults that they find.
#include <mutex>

#include "access_faults.hpp"
#include "bounds.hpp"
#include "request.hpp"
#include "synchronization.hpp"

namespace bankproof::ptx {
namespace {

/// Removes from the request the lanes that the memory cannot serve, and reports why. Returns
/// whether any lane remains.
bool keep_in_bounds(Request& request, const Memory& memory) {
  if (all_in_bounds(request, memory.storage.bytes)) [[likely]]
    return true;
  const OutOfBounds wrong = out_of_bounds(request, memory.storage.bytes);
  each_lane(wrong.outside, [&](std::uint32_t lane) { report_outside(request, memory, lane); });
  each_lane(wrong.misaligned,
            [&](std::uint32_t lane) { report_misaligned(request, memory, lane); });
  if (request.reads) clear_values(request.values, wrong.lanes(), request.bytes);
  request.lanes &= ~wrong.lanes();
  if (request.lanes == 0) return false;
  fill_inactive(request.at, request.lanes);
  return true;
}

/// Counts and prices the access. Returns true only if no two lanes touch the same element.
bool count_cost(const Request& request, const Memory& memory) {
  const bool shared = memory.space == Space::shared;
  if (!shared && memory.space != Space::global) return true;  // local or read-only
  if (!request.is_priced) return false;
  return request.warp.worker->costs.add({.site = request.site,
                                         .shared = shared,
                                         .buffer = memory.index,
                                         .warp = request.warp.name(0),
                                         .events = request.warp.events},
                                        request);
}

/// Calls `judge(judged, viewer)`, which returns races, and reports them.
template <class Judge>
void report_races(const Request& request, const Memory& memory, bool apart, const Judge& judge) {
  const MemoryWarp& warp = request.warp;
  const Access& access = request.operands.access;
  const Viewer viewer = viewer_of(warp, memory.space == Space::shared);
  const JudgedAccess judged{
      .touched = request,
      .access = access,
      .site = request.site,
      .warp = access.operation == Operation::copy ? warp.copier() : warp.number,
      .now = warp.now,
      .begin = memory.begin,
      .apart = apart};
  for (const FoundRace& race : judge(judged, viewer)) report_race(request, memory, viewer, race);
}

/// Whether a byte was not written that the lane reads and something uses.
bool reads_unwritten(const Request& request, const WrittenBytes& written, std::uint32_t lane) {
  const std::uint32_t unused = request.operands.unused_bytes;
  if (unused == 0) return true;
  for (std::uint32_t byte = 0; byte < request.bytes; ++byte) {
    const bool is_used = byte >= 16 || (unused >> byte & 1U) == 0;
    if (is_used && !written.all(request.at[lane] + byte, 1)) return true;
  }
  return false;
}

/// Checks for races what lanes use: a lane that drops its value has not read it, so to speak.
void check_races_of_users(const Request& request, const Memory& memory, bool apart) {
  const LaneMask lanes = using_lanes(request);
  if (lanes == request.lanes) return check_races(request, memory, apart);
  if (lanes == 0) return;
  Request used = request;
  used.lanes = lanes;
  used.contiguous = false;
  fill_inactive(used.at, lanes);
  check_races(used, memory, apart);
}

/// Checks the access against the memory's shadow, and records the access in the shadow.
void update_shadow(const Request& request, const Memory& memory, bool apart) {
  const Shadow& shadow = memory.shadow;
  if (shadow.records && request.warp.launch->records != RaceRecording::none) {
    if (request.warp.clocks) acquire(request, memory);
    check_races_of_users(request, memory, apart);
  }
  if (shadow.written == nullptr) return;
  if (request.reads) {
    each_lane(shadow.written->missing(request) & using_lanes(request), [&](std::uint32_t lane) {
      if (reads_unwritten(request, *shadow.written, lane)) {
        report_uninitialized(request, memory, lane);
      }
    });
  }
  const bool several = memory.buffer != nullptr && request.warp.launch->several;
  if (request.writes) shadow.written->set(request, several);
}

/// Stores the values of the lanes. Strong stores take turns with the atomic operations of other
/// workers (perform_atomic()), since they do not race with them.
std::uint64_t store_values(const Request& request, const Memory& memory) {
  LaunchMemory& launch = *request.warp.launch;
  const bool strong = request.operands.access.semantics != Semantics::weak;
  if (!strong || !launch.several || memory.buffer == nullptr) {
    return store_bytes(memory.storage.data, request, request.values);
  }
  std::uint64_t changes = 0;
  auto one = static_cast<const Footprint&>(request);
  one.contiguous = false;
  each_lane(request.lanes, [&](std::uint32_t lane) {
    const std::uint64_t page = request.at[lane] / GlobalMemory::page_bytes;
    const std::lock_guard lock(launch.lock_of(memory.index, page));
    one.lanes = LaneMask{1} << lane;
    changes += store_bytes(memory.storage.data, one, request.values);
  });
  return changes;
}

/// Moves the bytes. Returns the lanes whose atomic operation wrote nothing.
LaneMask move_bytes(const Request& request, const Memory& memory, bool apart) {
  std::byte* const data = memory.storage.data;
  if (!request.writes) {
    load_bytes(data, request, request.values);
    return 0;
  }
  if (request.reads) return perform_atomic(request, memory);
  if (!apart) {
    each_collision(request, request.values, [&](std::uint32_t lane, std::uint32_t before) {
      report_collision(request, memory, lane, before);
    });
  }
  request.warp.worker->changes += store_values(request, memory);
  return 0;
}

/// Notes which pages of the buffer this worker uses.
void use_pages(const Request& request, const Memory& memory) {
  const MemoryWarp& warp = request.warp;
  Buffer& buffer = *memory.buffer;
  if (!warp.launch->several) return;
  each_lane(request.lanes, [&](std::uint32_t lane) {
    const std::uint64_t page = request.at[lane] / GlobalMemory::page_bytes;
    buffer.use(page, warp.worker->number, warp.launch->first_of_launch, request.writes);
  });
}

}  // namespace

void check_races(const Request& request, const Memory& memory, bool apart) {
  report_races(request, memory, apart, [&](const JudgedAccess& judged, const Viewer& viewer) {
    return judge_races(judged, viewer, memory.shadow, request.warp.launch->suspects);
  });
}

void check_races_by_words(const Request& request, const Memory& memory, std::uint64_t from,
                          std::uint64_t to) {
  report_races(request, memory, true, [&](const JudgedAccess& judged, const Viewer& viewer) {
    return judge_by_words(judged, viewer, memory.shadow, request.warp.launch->suspects, from, to);
  });
}

void perform(Request& request, const Memory& memory) {
  if (!keep_in_bounds(request, memory)) return;
  if (memory.space == Space::local) {
    // The local memories of the lanes follow one another.
    const std::uint64_t stride = LocalMemory::stride(memory.storage.bytes);
    for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
      request.at[lane] += lane * stride;
    }
  }
  request.contiguous = is_contiguous(request);
  if (memory.buffer != nullptr && !request.contiguous) {
    // Prefetches for all lanes, so that scattered lanes wait for memory together. The loop is not
    // in a separate function, since GCC would remove the call: it takes a function that only
    // prefetches for one without effect.
    const Shadow& shadow = memory.shadow;
    for (LaneMask rest = request.lanes; rest != 0; rest &= rest - 1) {
      const std::uint64_t at = request.at[first_of(rest)];
      __builtin_prefetch(shadow.records.lines + at / RaceRecords::line_bytes, 1);
      __builtin_prefetch(memory.storage.data + at);
      if (shadow.written != nullptr) __builtin_prefetch(shadow.written->bits().data() + at / 8);
    }
  }
  const bool apart = count_cost(request, memory);
  if (memory.buffer != nullptr) {
    use_pages(request, memory);
    if (request.writes) {
      MemoryWarp& warp = request.warp;
      warp.launch->global->save_pages(*memory.buffer, request, warp.worker->number);
    }
  }
  update_shadow(request, memory, apart);
  const LaneMask failed = move_bytes(request, memory, apart);
  if (request.warp.clocks && memory.shadow.records) publish(request, memory, failed);
}

}  // namespace bankproof::ptx
