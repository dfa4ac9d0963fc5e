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
//
// Kernels may launch kernels. The grid of a child begins when all blocks of its parent have ended:
//
//   start_grid(launch, grid, known);               then its blocks, as above
//
// It belongs to the same launch, and its warps have the next numbers: so the records judge its
// accesses and those of its parent against each other. It begins with the clock `known`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
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

/// A grid of a launch, as reports name it.
struct Grid {
  std::string kernel;  // mangled
  std::uint32_t number = 0;
  Extent grid{1, 1, 1};
  Extent block{1, 1, 1};
  // start_grid() sets the other fields.
  WarpNumber first_warp = 0;
  std::uint32_t warps_per_block = 0;
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
  bool launches = false;     // some instruction launches a kernel; then the launch is precise
  std::uint32_t device = 0;  // as cudaGetDevice() in a kernel tells it
  std::string kernel;        // of the first grid; for reports
  std::uint32_t number = 0;  // of the grid that runs; for reports, as are `grid` and `block`
  Extent grid{1, 1, 1};
  Extent block{1, 1, 1};
  std::uint32_t workers = 1;  // 1 if blocks communicate, and after repeat_launch()
  // The functions below set the other fields.
  std::uint32_t warps_per_block = 0;
  std::uint32_t threads_per_block = 0;
  WarpNumber first_warp = 0;                  // of the grid that runs
  WarpNumber first_of_launch = 0;             // of the launch's first grid
  Clock known;                                // with which the threads of the grid begin
  std::vector<Grid> grids;                    // by their first warps
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
    const Grid& its = grid_of(warp);
    return copies && (warp - its.first_warp) % (2 * its.warps_per_block) >= its.warps_per_block;
  }
  const Grid& grid_of(WarpNumber warp) const;
  PageLock& lock_of(std::uint32_t buffer, std::uint64_t page) {
    return locks[(page + buffer) % locks.size()];
  }
  /// The thread that is this lane of the warp, for messages; `warp` may be a copier.
  ThreadName name(WarpNumber warp, std::uint32_t lane) const;
};

void start_launch(LaunchMemory& launch, std::uint64_t blocks, std::uint32_t threads);
/// Another grid begins; all blocks of the grid before it have ended. Throws std::length_error if
/// the numbers of warps run out.
void start_grid(LaunchMemory& launch, Grid grid, Clock known);

/// Whether the run that has just ended suspects races that only another run can report.
bool undecided(const LaunchMemory& launch);
/// Undoes the run's stores and prepares the next run, which begins with start_launch(). The caller
/// must discard the results of the workers.
void repeat_launch(LaunchMemory& launch);

}  // namespace bankproof::ptx
