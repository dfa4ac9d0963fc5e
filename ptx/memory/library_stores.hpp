// Stores by functions of the device's library, through pointers that the kernel passes to them.
// They are judged like stores of the kernel, and have no price.
#pragma once

#include <cstdint>
#include <cstring>

#include "footprint.hpp"
#include "storage.hpp"
#include "warp_memory.hpp"

namespace bankproof::ptx {

/// A value of the same size, 4 or 8 bytes, for each of some lanes.
struct LibraryStore {
  LibraryStore(std::uint32_t its_site, std::uint32_t size) : site(its_site), bytes(size) {}

  template <class T>
  void add(std::uint32_t lane, std::uint64_t address, T value) {
    lanes |= LaneMask{1} << lane;
    at[lane] = address;
    std::memcpy(value_of(values, lane, bytes), &value, sizeof value);
  }

  std::uint32_t site;
  std::uint32_t bytes;
  LaneMask lanes = 0;
  LaneAddresses at{};
  LaneBytes values;
};

void perform(MemoryWarp& warp, LibraryStore& store);

}  // namespace bankproof::ptx
