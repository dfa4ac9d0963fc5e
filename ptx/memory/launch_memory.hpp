// The memory that the warps of a launch share, and the steps of a launch:
//
//   start_launch(launch, blocks, threads);         again: after each repeat_launch
//   start_block(block, launch, number, bytes);     for each block, when it becomes resident
//   start_warp(warp, launch, block, worker, k);    for each of its warps
//   … steps, barriers, fences …
//   if (undecided(launch)) repeat_launch(launch);  and run it once more
//
// The records of a launch judge races cautiously. They never miss a race, but if many threads share
// a word, a record may suspect a race where there is no race. Then the launch is undecided: its
// stores are undone, and it runs again on one worker, which keeps exact lists of the accesses to
// the suspected words (races/watch.hpp). Only a run with such lists reports races; it names both
// instructions of a race. A launch without suspects needs no second run. If the suspected records
// merged several warps, the second run only stops merging; mostly it has no suspects.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "../isa/faults.hpp"
#include "../isa/shape.hpp"
#include "../races/clock.hpp"
#include "../races/watch.hpp"
#include "buffers.hpp"
#include "page_lock.hpp"
#include "shadow.hpp"

namespace bankproof::ptx {

/// How races are recorded. The results do not depend on it, but for `none`.
enum class RaceRecording : std::uint8_t {
  merged,   // by sectors; a sector record may merge the accesses of several warps
  sectors,  // by sectors, with the same judgements as by words
  words,    // by words alone: the plain way, for comparison
  none,     // not at all, and nothing is priced: another launch has made the same accesses
};

struct LaunchMemory {
  // The owner fills these fields.
  GlobalMemory* global = nullptr;
  std::vector<std::byte> constants;
  std::vector<std::byte> parameters;
  RaceRecording records = RaceRecording::sectors;
  bool short_ways = true;    // usual accesses take short ways (access.hpp)
  bool precise = false;      // some instruction needs_exact_clocks
  bool copies = false;       // some instruction is a copy
  std::uint32_t number = 0;  // for reports
  Extent grid{1, 1, 1};      // for reports, as is `block`
  Extent block{1, 1, 1};
  std::uint32_t workers = 1;  // 1 if blocks communicate, and after repeat_launch()
  // The functions below set the other fields.
  std::uint32_t warps_per_block = 0;
  std::uint32_t threads_per_block = 0;
  WarpNumber first_warp = 0;
  History history;                            // the history of global memory
  std::vector<std::uint64_t> watched_shared;  // words of the shared memory of each block
  Suspects suspects;
  bool told_race = false;
  bool several = false;              // there may be several workers
  std::array<PageLock, 1024> locks;  // of the pages of global memory, for atomic operations
  std::mutex publishing;             // guards `history`, if there are several workers

  /// How many warp numbers a block takes: one for each warp and, if there are copies, one for each
  /// copier.
  std::uint32_t numbers_per_block() const { return (copies ? 2 : 1) * warps_per_block; }
  bool is_copier(WarpNumber warp) const {
    return (warp - first_warp) % numbers_per_block() >= warps_per_block;
  }
  PageLock& lock_of(std::uint32_t buffer, std::uint64_t page) {
    return locks[(page + buffer) % locks.size()];
  }
  /// The thread that is this lane of the warp, for messages; `warp` may be a copier.
  ThreadName name(WarpNumber warp, std::uint32_t lane) const;
};

void start_launch(LaunchMemory& launch, std::uint64_t blocks, std::uint32_t threads);

/// Whether the run that has just ended suspects races that only another run can report.
bool undecided(const LaunchMemory& launch);
/// Undoes the run's stores and prepares the next run, which begins with start_launch(). The caller
/// must discard the results of the workers.
void repeat_launch(LaunchMemory& launch);

}  // namespace bankproof::ptx
