// The work that the threads of a grid enqueue on the device: launches of kernels, records of events
// and waits for them (CUDA Programming Guide, "CUDA Dynamic Parallelism").
//
// A grid keeps its work until all its blocks have ended; then grid_tree.hpp performs it. A launch
// by a kernel releases all that happened before it in its thread, and the child acquires it. Work
// of one stream is in order. Each block has a default stream, which is NULL; a grid may have
// streams of its own. Launches of the stream 3, the tail, begin when the grid and all its other
// children have ended, and launches of the stream 4 follow nothing but their launch.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "../isa/faults.hpp"
#include "../isa/shape.hpp"
#include "../races/clock.hpp"
#include "family.hpp"

namespace bankproof::ptx {

/// The errors that threads get, by their numbers in CUDA's runtime.
enum class DeviceError : std::uint32_t {
  success = 0,
  invalid_value = 1,
  memory_allocation = 2,
  invalid_configuration = 9,
  invalid_device_function = 98,
  launch_too_deep = 65,    // cudaErrorLaunchMaxDepthExceeded
  too_many_pending = 69,   // cudaErrorLaunchPendingCountExceeded
  invalid_resource = 400,  // cudaErrorInvalidResourceHandle
};

struct DeviceStream {
  enum class Kind : std::uint8_t { of_block, of_thread, of_grid, tail, fire_and_forget };
  Kind kind = Kind::of_block;
  std::uint64_t number = 0;  // of the block, of the thread in the grid, or the handle
  auto operator<=>(const DeviceStream&) const = default;
};

struct DeviceWork {
  enum class Kind : std::uint8_t { launch, record, wait };
  Kind kind = Kind::launch;
  DeviceStream stream;
  std::uint64_t event = 0;  // of a record, or of a wait
  // Of a launch.
  const Family::Kernel* kernel = nullptr;
  LaunchShape shape;
  std::vector<std::byte> parameters;
  Clock known;  // what happened before it
  ThreadName by;
  std::uint32_t site = no_site;
};

/// What one thread of the grid has to do with the device's runtime.
struct DeviceThread {
  struct Buffer {
    bool is_taken = false;
    const Family::Kernel* kernel = nullptr;  // null if the launch names it
    LaunchShape shape;
  };
  std::array<Buffer, parameter_buffers_of_thread> buffers;
  DeviceError last = DeviceError::success;
  std::uint32_t failed_at = no_site;  // the call whose error nobody has looked at yet
  std::string why;                    // it failed
  ThreadName name;
};

/// The work of one grid.
struct DeviceQueue {
  static constexpr std::uint32_t most_depth = 24;
  static constexpr std::uint64_t first_handle = 16;

  const Family* family = nullptr;
  std::uint32_t depth = 0;           // 0: the host has launched the grid
  std::uint64_t* pending = nullptr;  // the launches of all grids that have not begun
  std::uint64_t most_pending = 0;
  std::vector<DeviceWork> work;  // in the order in which threads enqueued it
  std::vector<DeviceWork> tail;
  std::map<std::uint64_t, DeviceThread> threads;  // by warp and lane
  std::set<std::uint64_t> streams;                // handles that are not destroyed
  std::set<std::uint64_t> events;
  std::uint64_t next_handle = first_handle;

  /// The stream with this handle; nothing if there is none.
  std::optional<DeviceStream> stream_of(std::uint64_t handle, const ThreadName& thread,
                                        bool per_thread) const;
};

}  // namespace bankproof::ptx
