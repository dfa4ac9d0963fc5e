// A warp with memory in each space, for tests of single accesses.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "memory_support.hpp"

namespace bankproof::ptx {

inline constexpr std::uint32_t memory_bytes = 4096;

/// One warp; byte k of the memory of each space is 7 · k.
class Memories : public TestLaunch {
 public:
  Memories() : TestLaunch(1, 32, memory_bytes) {
    memory.add_buffer("first", memory_bytes, true);
    memory.add_buffer("second", memory_bytes, true);
    launch.constants.resize(memory_bytes);
    warp(0, 0).local.resize(memory_bytes);
    start();
    for (std::uint64_t k = 0; k < memory_bytes; ++k) {
      const auto value = static_cast<std::byte>(7 * k);
      memory[0].data[k] = memory[1].data[k] = launch.constants[k] = value;
      block(0).shared[k] = value;
      for (std::uint64_t lane = 0; lane < warp_lanes; ++lane) {
        warp(0, 0).local.data[lane * LocalMemory::stride(memory_bytes) + k] = value;
      }
    }
    for (std::uint64_t k = 0; k < memory_bytes; k += 4) block(0).shadow.written.set(k, 4);
    for (std::uint64_t k = 0; k < LocalMemory::stride(memory_bytes) * warp_lanes; k += 4) {
      warp(0, 0).local.written.set(k, 4);
    }
  }
  MemoryWarp& one() { return warp(0, 0); }
  std::byte* bytes_of(std::uint64_t generic, std::uint32_t lane) {
    switch (space_of(generic)) {
      case Space::shared:
        return block(0).shared.data() + address_in(Space::shared, generic);
      case Space::local:
        return one().local.data.data() + lane * LocalMemory::stride(memory_bytes) +
               address_in(Space::local, generic);
      case Space::constant:
        return launch.constants.data() + address_in(Space::constant, generic);
      default:
        return memory[(generic >> buffer_shift) - 1].data.data() +
               generic % (std::uint64_t{1} << buffer_shift);
    }
  }
};

inline LaneType type_for(std::uint32_t bytes) {
  return bytes <= 2   ? LaneType::b16
         : bytes == 4 ? LaneType::b32
         : bytes == 8 ? LaneType::b64
                      : LaneType::b128;
}

}  // namespace bankproof::ptx
