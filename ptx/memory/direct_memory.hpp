// The memory of an access whose lanes are all in one memory, with what the short ways of accesses
// need (lane_rows.hpp, scattered_lanes.hpp).
#pragma once

#include "request.hpp"
#include "spaces.hpp"

namespace bankproof::ptx {

/// A buffer, or the shared memory of the block.
struct DirectMemory {
  Buffer* buffer;       // null for shared memory
  std::uint32_t index;  // of the buffer; 0 for shared memory
  std::uint64_t begin;  // its address in the space of the access
  std::uint64_t bytes;
  std::byte* data;
  RaceRecords records;
  WrittenBytes* written;  // null if all bytes were written
};

[[gnu::always_inline]] inline DirectMemory shared_memory_of(const MemoryWarp& warp) {
  BlockMemory& block = *warp.block;
  return {.buffer = nullptr,
          .index = 0,
          .begin = 0,
          .bytes = block.shared_bytes,
          .data = block.shared.data(),
          .records = block.shadow.records(),
          .written = &block.shadow.written};
}

/// Whether the address of the access is in shared memory.
[[gnu::always_inline]] inline bool is_shared(const Access& access, std::uint64_t address) {
  return access.space == Space::shared || (access.generic && space_of(address) == Space::shared);
}

/// Finds the memory to which an address of the access belongs, in global or shared space. Returns
/// false if there is none.
[[gnu::always_inline]] inline bool find_memory(const MemoryWarp& warp, const Access& access,
                                               std::uint64_t address, DirectMemory& memory) {
  if (is_shared(access, address)) {
    memory = shared_memory_of(warp);
    if (access.generic) memory.begin = window_of(Space::shared);
    return true;
  }
  GlobalMemory& global = *warp.launch->global;
  const std::uint64_t index = (address >> buffer_shift) - 1;
  if (!global.has(index)) return false;
  Buffer& buffer = global[index];
  memory.buffer = &buffer;
  memory.index = static_cast<std::uint32_t>(index);
  memory.begin = buffer_address(memory.index);
  memory.bytes = buffer.bytes;
  memory.data = buffer.data.data();
  memory.records = buffer.records(warp.worker->number);
  memory.written = buffer.shadow.defined ? nullptr : &buffer.shadow.written;
  return true;
}

inline Memory whole_memory(const MemoryWarp& warp, const DirectMemory& in) {
  return in.buffer == nullptr ? shared_memory(*warp.block) : buffer_memory(warp, in.index);
}

[[gnu::always_inline]] inline bool published_in(const MemoryWarp& warp, const DirectMemory& in) {
  return in.buffer == nullptr ? !warp.block->shadow.history.published.empty()
                              : in.buffer->shadow.has_published;
}

[[gnu::always_inline]] inline Past past_of(const MemoryWarp& warp, const DirectMemory& in) {
  if (in.buffer != nullptr) return {ShadowWord::first_of(warp.launch->first_of_launch), 0};
  return {ShadowWord::first_of(warp.block->first_warp), warp.block->settled};
}

inline Scattering scattering_of(const MemoryWarp& warp, const DirectMemory& in) {
  const BlockMemory& block = *warp.block;
  return {.past = past_of(warp, in),
          .first = block.first_warp,
          .warps = static_cast<std::uint32_t>(block.known.size()),
          .merges = warp.launch->records == RaceRecording::merged && warp.clocks == nullptr};
}

[[gnu::always_inline]] inline CostPlace cost_place(const MemoryWarp& warp, const DirectMemory& in,
                                                   std::uint32_t site) {
  return {.site = site,
          .shared = in.buffer == nullptr,
          .buffer = in.index,
          .warp = warp.name(0),
          .events = warp.events};
}

}  // namespace bankproof::ptx
