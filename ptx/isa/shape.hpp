// The numbers of blocks and threads of a launch.
#pragma once

#include <array>
#include <cstdint>

#include "registers.hpp"

namespace bankproof::ptx {

/// The x, y and z of a grid or a block.
using Extent = std::array<std::uint32_t, 3>;

constexpr std::uint64_t volume(const Extent& extent) {
  return std::uint64_t{extent[0]} * extent[1] * extent[2];
}

struct LaunchShape {
  Extent grid{1, 1, 1};   // blocks
  Extent block{1, 1, 1};  // threads
  std::uint64_t dynamic_shared_bytes = 0;

  std::uint64_t blocks() const { return volume(grid); }
  std::uint32_t threads() const { return static_cast<std::uint32_t>(volume(block)); }
  std::uint32_t warps() const { return (threads() + warp_lanes - 1) / warp_lanes; }
};

}  // namespace bankproof::ptx
