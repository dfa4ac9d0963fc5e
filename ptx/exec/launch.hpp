// Runs a kernel: all blocks of a grid.
//
//   Program program = decode(parse(text, "k.ptx"), "kernel");
//   GlobalMemory memory;
//   const std::uint32_t out = memory.add_buffer("out", 4096, false);
//   … parameters: buffer_address(out) as 8 bytes …
//   LaunchResult result = launch(program, {{32, 1, 1}, {256, 1, 1}, 0}, parameters, memory, {});
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "../compiled/options.hpp"
#include "../isa/child_grid.hpp"
#include "../isa/counts.hpp"
#include "../isa/faults.hpp"
#include "../isa/shape.hpp"
#include "../memory/buffers.hpp"
#include "../memory/costs.hpp"
#include "../memory/launch_memory.hpp"
#include "../timing/events.hpp"
#include "program.hpp"

namespace bankproof::ptx {

/// RunOptions::alone for launches that shall not take long: to start a thread, and to compare its
/// records with those of the others, takes less than half of it.
inline constexpr std::chrono::microseconds worth_a_thread{250};

struct RunOptions {
  MachineRules rules;
  /// The number of blocks that run at the same time if blocks can wait for one another.
  std::uint32_t resident = 64;
  /// The most host threads that run the launch; the results do not depend on their number. If
  /// blocks communicate, one host thread runs the launch.
  std::uint32_t threads = 1;
  /// A host thread starts for each time that long which the rest of the launch will probably take.
  /// 0: all start at once.
  std::chrono::nanoseconds alone{0};
  /// The number of the launch, for reports.
  std::uint32_t launch = 0;
  /// The most instructions that all threads of the launch may execute together. A launch that
  /// executes more ends with a fault. 0: no limit.
  std::uint64_t most_instructions = 0;
  /// The number of the module for GlobalMemory::module(). Launches with the same number share the
  /// values of the module's variables.
  std::uint32_t module = 0;
  /// 0: blocks begin, and take turns, in the order of their numbers. Any other number is a seed.
  /// The seed determines the order in which blocks begin, the order of turns in each round, and the
  /// lengths of a warp's turns; equal seeds give equal schedules. Under every schedule, races and
  /// costs are judged only for the path that the kernel took.
  std::uint64_t schedule = 0;
  /// How races are recorded; for tests, which compare the ways.
  RaceRecording records = RaceRecording::merged;
  /// Whether usual accesses take short ways (memory/access.hpp); for tests.
  bool short_ways = true;
  /// Whether to record LaunchResult::events.
  bool record_events = false;
  /// How many launches by kernels may be pending at a time (cudaLimitDevRuntimePendingLaunchCount).
  std::uint64_t most_pending = 2048;
  /// The device that the kernel runs on, as it sees it.
  std::uint32_t device = 0;
  /// The time of a grid that a kernel launched; null: it is not asked for.
  std::function<std::uint64_t(const LaunchEvents&)> time_of{};
  /// When to compile the kernel. The results do not depend on it.
  CompileOptions compile{};
};

/// What all grids of a kernel did that kernels of the launch have launched; the vectors are those
/// of LaunchResult, by Family::sites, or empty.
struct ChildCounts {
  std::string kernel;  // mangled
  std::uint64_t launches = 0;
  std::vector<std::uint64_t> visits;
  std::vector<std::uint64_t> lanes;
  SiteCounts counts;
  std::uint64_t thread_instructions = 0;
  std::uint64_t time = 0;
};

struct LaunchResult {
  std::vector<std::uint64_t> visits;  // for each site, the executions by warps
  std::vector<std::uint64_t> lanes;   // for each site, the executions by threads
  SiteCounts counts;
  FaultLog faults;
  std::uint64_t thread_instructions = 0;
  std::string printed;  // the output of printf, block after block
  LaunchEvents events;  // for the time of the launch (timing/replay.hpp)
  // The faults and the output above are also those of the grids that kernels launched. Grid k of
  // these has the number RunOptions::launch + 1 + k.
  std::vector<ChildCounts> children;  // by Family::kernels
  std::vector<ChildGrid> grids;
};

/// Throws std::invalid_argument for a shape or parameters that the kernel cannot have.
LaunchResult launch(const Program& program, const LaunchShape& shape,
                    std::span<const std::byte> parameters, GlobalMemory& memory,
                    const RunOptions& options);

}  // namespace bankproof::ptx
