// Launches for tests of races: a few warps make the accesses of common kernel patterns.
#pragma once

#include <cstdint>
#include <functional>

#include "../memory/memory_support.hpp"

namespace bankproof::ptx {

/// Two blocks of 64 threads with a tile in shared memory and one buffer.
class Pattern : public TestLaunch {
 public:
  explicit Pattern(bool precise = false) : TestLaunch(2, 64, 4096) {
    memory.add_buffer("data", 1 << 16, true);
    launch.precise = precise;
  }

  /// Runs the kernel, and runs it again as long as a suspected race is undecided; `runs` counts the
  /// runs.
  void run(const std::function<void()>& kernel) {
    for (runs = 1;; ++runs) {
      start();
      kernel();
      if (!undecided(launch)) return;
      repeat_launch(launch);
    }
  }
  int runs = 0;

  /// Each lane of the warp accesses offset `place(lane)`.
  void touch(MemoryWarp& one, Access what, std::uint32_t site,
             const std::function<std::uint64_t(std::uint32_t)>& place, LaneMask lanes = all_lanes) {
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
      addresses()[lane] = place(lane) + (what.space == Space::global ? buffer_address(0) : 0);
    }
    access(one, what, lanes, site, what.element_bytes <= 2 ? LaneType::b16 : LaneType::b32);
  }
  void load(MemoryWarp& one, std::uint32_t site, std::uint64_t at, LaneMask lanes = all_lanes,
            std::uint64_t stride = 4) {
    touch(
        one, access_to(Operation::load, Space::shared), site,
        [&](std::uint32_t lane) { return at + lane * stride; }, lanes);
  }
  void store(MemoryWarp& one, std::uint32_t site, std::uint64_t at, LaneMask lanes = all_lanes,
             std::uint64_t stride = 4) {
    touch(
        one, access_to(Operation::store, Space::shared), site,
        [&](std::uint32_t lane) { return at + lane * stride; }, lanes);
  }
};

}  // namespace bankproof::ptx
