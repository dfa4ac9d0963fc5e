// An access of a warp to one memory: its addresses, its values, and the functions that perform it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "access.hpp"
#include "footprint.hpp"
#include "shadow.hpp"
#include "storage.hpp"
#include "warp_memory.hpp"

namespace bankproof::ptx {

/// A memory: a buffer, shared memory, the local memory of a lane, or the constants or parameters of
/// a launch.
struct Memory {
  Space space = Space::global;
  std::uint64_t begin = 0;  // its generic address
  Storage storage;
  Shadow shadow;
  Buffer* buffer = nullptr;  // for global memory
  std::uint32_t index = 0;   // the index of the buffer
};

inline Memory shared_memory(BlockMemory& block) {
  SharedShadow& shadow = block.shadow;
  return {.space = Space::shared,
          .begin = window_of(Space::shared),
          .storage = {block.shared.data(), block.shared_bytes},
          .shadow = {
              .records = shadow.records(), .written = &shadow.written, .history = &shadow.history}};
}

/// The buffer with the records of the warp's worker.
inline Memory buffer_memory(const MemoryWarp& warp, std::uint32_t index) {
  LaunchMemory& launch = *warp.launch;
  Buffer& buffer = (*launch.global)[index];
  BufferShadow& shadow = buffer.shadow;
  return {.space = Space::global,
          .begin = buffer_address(index),
          .storage = {buffer.data.data(), buffer.bytes},
          .shadow = {.records = buffer.records(warp.worker->number),
                     .written = shadow.defined ? nullptr : &shadow.written,
                     .history = &launch.history,
                     .has_published = &shadow.has_published},
          .buffer = &buffer,
          .index = index};
}

/// The lanes of a load that use what they load; all of `lanes` for other accesses.
inline LaneMask using_lanes(const MemoryWarp& warp, const MemoryOperands& operands,
                            LaneMask lanes) {
  if (operands.unused_if == no_slot) [[likely]]
    return operands.unused ? 0 : lanes;
  const auto* const predicate = warp.lanes<const std::uint32_t>(operands.unused_if);
  LaneMask users = 0;
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    users |= LaneMask{(predicate[lane] != 0) != operands.unused_value} << lane;
  }
  return users & lanes;
}

struct Request : Footprint {
  /// An access of `size` bytes per lane; `operation` is a load, a store or an atomic operation
  /// (with a result or without).
  Request(MemoryWarp& its_warp, const MemoryOperands& its_operands, std::uint32_t its_site,
          Operation operation, std::uint32_t size, LaneBytes& its_values)
      : warp(its_warp), operands(its_operands), site(its_site), values(its_values) {
    bytes = size;
    reads = operation != Operation::store;
    writes = operation != Operation::load;
  }

  MemoryWarp& warp;
  const MemoryOperands& operands;
  std::uint32_t site;
  LaneBytes& values;   // stored or loaded; operands of atomics are in registers
  bool frees = false;  // free() is judged as a store, but stores nothing (allocations.hpp)
  bool is_priced = true;
};

inline LaneMask using_lanes(const Request& request) {
  return using_lanes(request.warp, request.operands, request.lanes);
}

/// If the access acquires, its lanes learn the publications that they are about to read, since the
/// published events happened before the access. Must be called before the access is judged, and
/// only in precise launches.
void acquire(const Request& request, const Memory& memory);

/// Strong reads observe publications, and strong writes publish; only in precise launches.
/// `failed`: the lanes whose atomic operation wrote nothing.
void publish(const Request& request, const Memory& memory, LaneMask failed);

/// Performs the atomic operation of one lane after the other. The old values of the memory become
/// the request's values. Returns the lanes that wrote nothing because their compare_and_swap
/// failed.
LaneMask perform_atomic(const Request& request, const Memory& memory);

/// Checks the access for races, reports them, and records the access. `apart`: no two lanes touch
/// the same bytes.
void check_races(const Request& request, const Memory& memory, bool apart);
/// Checks the part of the access in the bytes [from, to) for races, by the records of words, and
/// reports the races.
void check_races_by_words(const Request& request, const Memory& memory, std::uint64_t from,
                          std::uint64_t to);

/// Performs the access: bounds, cost, shadow, bytes. `request.at` are offsets in the memory. Lanes
/// that could not load get zeros.
void perform(Request& request, const Memory& memory);

}  // namespace bankproof::ptx
