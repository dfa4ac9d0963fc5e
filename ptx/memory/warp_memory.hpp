// What a warp sees of memory, and what the warps of a block, of a worker and of a launch share.
//
// How a launch runs:
//
//   start_launch(launch, blocks, threads);         again: after each repeat_launch
//   start_block(block, launch, number, bytes);     for each block, when it becomes resident
//   start_warp(warp, launch, block, worker, k);    for each of its warps
//   … steps, barriers, fences …
//   if (undecided(launch)) repeat_launch(launch);  and run it once more
//
// The records of a launch judge races cautiously. They never miss a race, but if many threads share
// a word, a record may suspect a race where there is no race. Then the launch is undecided: its
// stores are undone, and it runs again on one worker, while exact lists watch the suspected words
// (races/watch.hpp). Only that run reports races, with both sites. A launch without suspects needs
// no second run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "../isa/counts.hpp"
#include "../isa/faults.hpp"
#include "../isa/op.hpp"
#include "../isa/printed.hpp"
#include "../isa/shape.hpp"
#include "../races/clock.hpp"
#include "../races/copies.hpp"
#include "../races/lane_clocks.hpp"
#include "../races/publications.hpp"
#include "../races/watch.hpp"
#include "../timing/events.hpp"
#include "access.hpp"
#include "buffers.hpp"
#include "costs.hpp"
#include "page_lock.hpp"

namespace bankproof::ptx {

struct LaunchMemory;
struct MemoryWarp;

/// The results of one host thread. The owner joins the results of all workers.
struct Worker {
  Worker(const MachineRules& rules, std::size_t sites) : counts(sites), costs(rules, sites) {}

  FaultLog faults;
  std::vector<AccessCounts> counts;  // by site
  CostCounter costs;
  std::uint64_t changes = 0;  // stores that changed a byte
  PrintedTexts printed;
};

struct BlockMemory {
  std::uint64_t number = 0;
  std::uint32_t threads = 0;
  std::uint32_t shared_bytes = 0;
  std::vector<std::byte> shared;  // shared_bytes bytes
  std::vector<Record> writes;     // one record per word, as in a buffer
  std::vector<Record> reads;
  WrittenBytes written;
  WarpNumber first_warp = 0;
  std::vector<MemoryWarp*> warps;
  // For each warp, and then for each copier, the tick up to which the last full barrier made it
  // known to the block.
  std::vector<Tick> known;
  Tick settled = 0;                          // the least tick of the warps
  std::shared_ptr<const Clock> known_clock;  // `known` as a clock, made when first needed
  Publications published;
  WatchedWords watched;  // words of shared memory
};

/// The local memory of the 32 lanes of a warp.
struct LocalMemory {
  std::uint64_t bytes = 0;  // per lane; a multiple of 16
  std::vector<std::byte> data;
  WrittenBytes written;
  /// Marks all bytes as not written.
  void resize(std::uint64_t bytes_per_lane);
};

struct MemoryWarp : WarpState {
  LaunchMemory* launch = nullptr;
  BlockMemory* block = nullptr;
  Worker* worker = nullptr;
  std::uint32_t index = 0;  // in its block
  LaneMask existing = 0;    // lanes that are threads
  WarpNumber number = 0;
  Tick now = 1;
  Tick known = 0;  // all lanes know what the warp did up to this tick
  LocalMemory local;
  std::vector<Event>* events = nullptr;  // of this warp; null unless the launch records events
  std::unique_ptr<LaneClocks> clocks;    // null unless the launch is precise
  std::unique_ptr<Copies> copies;        // null until the warp issues a copy

  ThreadName name(std::uint32_t lane) const;
  /// The number of the copier, which performs the warp's copies.
  WarpNumber copier() const;
};

struct LaunchMemory {
  // The owner fills these fields.
  GlobalMemory* global = nullptr;
  std::vector<std::byte> constants;
  std::vector<std::byte> parameters;
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
  Publications published;
  WatchedWords watched;                       // words of global memory
  std::vector<std::uint64_t> watched_shared;  // words of the shared memory of each block
  Suspects suspects;
  bool told_race = false;
  std::array<PageLock, 1024> locks;  // of pages of global memory, for several workers

  /// The numbers that a block takes: one for each warp and, if there are copies, one for each
  /// copier.
  std::uint32_t numbers_per_block() const { return (copies ? 2 : 1) * warps_per_block; }
  bool is_copier(WarpNumber warp) const {
    return (warp - first_warp) % numbers_per_block() >= warps_per_block;
  }
  /// The thread of a lane of a warp, or of its copier, for messages.
  ThreadName name(WarpNumber warp, std::uint32_t lane) const;
};

void start_launch(LaunchMemory& launch, std::uint64_t blocks, std::uint32_t threads);

/// Whether another run must report the races of the run that has just ended.
bool undecided(const LaunchMemory& launch);
/// Undoes the run's stores and prepares the next run, which begins with start_launch(). The results
/// of the workers are void.
void repeat_launch(LaunchMemory& launch);

/// A BlockMemory may be used again for the next block. Shared memory is undefined.
void start_block(BlockMemory& block, const LaunchMemory& launch, std::uint64_t number,
                 std::uint32_t shared_bytes);
/// `index` counts the warps of the block. Local memory keeps its size and is undefined.
void start_warp(MemoryWarp& warp, LaunchMemory& launch, BlockMemory& block, Worker& worker,
                std::uint32_t index);

/// The bytes from a generic address to the end of its memory, as one lane sees them; empty if no
/// memory contains the address. The call counts as no access.
std::span<const std::byte> bytes_from(const MemoryWarp& warp, std::uint32_t lane,
                                      std::uint64_t address);

/// Threads of one warp at a barrier.
struct Arrival {
  MemoryWarp* warp = nullptr;
  LaneMask lanes = 0;
};

/// Threads that arrived earlier at a barrier without waiting there: bar.arrive.
struct EarlyArrivals {
  Clock clock;
};

/// bar.sync: what these threads did happens before what they do next. Lanes that have ended take
/// part too: if they are not among `arrivals`, the barrier is not full. A barrier of a part of the
/// block requires a precise launch; in other launches it counts as full.
void block_barrier(BlockMemory& block, std::span<const Arrival> arrivals,
                   EarlyArrivals* early = nullptr);
/// bar.arrive, at the time of its execution.
void arrive(MemoryWarp& warp, LaneMask lanes, EarlyArrivals& early);
/// bar.warp.sync: what these lanes did happens before what they do next.
void warp_barrier(MemoryWarp& warp, LaneMask lanes);

/// cp.async.commit_group, cp.async.wait_group and cp.async.wait_all.
void commit_copies(MemoryWarp& warp, LaneMask lanes);
void wait_for_copies(MemoryWarp& warp, LaneMask lanes, std::uint32_t groups);
void wait_for_all_copies(MemoryWarp& warp, LaneMask lanes);

/// fence.acq_rel or fence.sc; membar is fence.sc.
void fence(MemoryWarp& warp, LaneMask lanes, bool sequential, Scope scope);

}  // namespace bankproof::ptx
