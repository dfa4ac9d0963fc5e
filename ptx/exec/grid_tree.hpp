// Runs the grids that kernels launch, and their children, when the blocks of their parent have
// ended.
//
// A grid performs its work in the order in which its threads enqueued it, and each child with all
// its own children before the next work, so that work of one stream is in order. The records of the
// launch judge races, not the order in which grids happen to run here: a child begins with the
// clock of its launch, of the work before it in its stream, and of the events for which the stream
// waits.
//
//   grid G: launches a in NULL, b in NULL, c in its stream s, t in the tail
//
//     a knows its launch; b its launch and all of a; c its launch; t all of G, a, b and c.
//
// With RunOptions::schedule, streams take turns at random.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "device_work.hpp"
#include "launch.hpp"

namespace bankproof::ptx {

struct WorkerRun;

class GridTree {
 public:
  /// Places the variables of all kernels of the family. What the arguments refer to outlives the
  /// tree.
  GridTree(const Family& family, LaunchMemory& launch, const RunOptions& options);

  /// Begins the launch anew, and returns the queue of the grid that the host launches.
  DeviceQueue begin();

  /// Runs all grids of the queue of the host's grid, whose threads executed so many instructions.
  void run(DeviceQueue& queue, std::uint64_t instructions);

  /// Adds what the grids did.
  void add_to(LaunchResult& result);

 private:
  /// What all grids of a kernel begin with.
  struct Ready {
    std::vector<std::uint64_t> globals;
    std::vector<std::byte> constants;
  };
  /// A grid whose blocks have ended.
  struct Ended {
    DeviceQueue* queue;
    WarpNumber first = 0;
    Clock known;
  };

  void perform(const Ended& grid);
  /// The order in which the work of the queue is performed.
  std::vector<const DeviceWork*> order_of(const DeviceQueue& queue);
  /// Runs the grid and all its children, and returns a clock of all that they did.
  Clock run_child(const DeviceWork& work, const Clock& known, std::uint32_t depth);
  void run_blocks_of(const DeviceWork& work, std::uint32_t number, DeviceQueue& queue);
  void collect(const Family::Kernel& kernel, WorkerRun& run);
  void tell_failures(const DeviceQueue& queue);
  std::size_t index_of(const Family::Kernel& kernel) const;

  const Family& family_;
  LaunchMemory& launch_;
  const RunOptions& options_;
  std::vector<Ready> ready_;  // by Family::kernels
  std::uint64_t pending_ = 0;
  std::uint64_t instructions_ = 0;
  bool stopped_ = false;
  std::mt19937_64 random_;
  // What add_to() adds.
  std::vector<ChildCounts> children_;  // by Family::kernels
  std::vector<ChildGrid> grids_;
  FaultLog faults_;
  std::string printed_;
};

}  // namespace bankproof::ptx
