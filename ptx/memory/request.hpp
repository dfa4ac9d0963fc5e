// An access of a warp to one memory, on its way from the instruction to the bytes.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>

#include "../races/judge.hpp"
#include "access.hpp"
#include "costs.hpp"
#include "warp_memory.hpp"

namespace bankproof::ptx {

/// A memory: a buffer, shared memory, the local memory of a lane, or the constants or parameters of
/// a launch.
struct Memory {
  Space space = Space::global;
  std::uint64_t begin = 0;  // its generic address
  std::uint64_t bytes = 0;
  std::byte* data = nullptr;
  WordRecords records;              // null if threads share no bytes that they can write
  WrittenBytes* written = nullptr;  // null if all bytes were written
  Buffer* buffer = nullptr;         // for global memory
  std::uint32_t index = 0;          // the index of the buffer
};

/// The bytes of all lanes: `bytes` contiguous bytes for each lane.
struct alignas(slot_alignment) LaneBytes {
  static constexpr std::size_t most = 32;
  std::array<std::byte, warp_lanes * most> bytes;
};

struct Request {
  MemoryWarp& warp;
  const MemoryDetail& detail;
  std::uint32_t site;
  Operation operation;  // load, store or atomic (with a result or without)
  std::uint32_t bytes;  // per lane
  LaneBytes& values;    // the stored or loaded values; operands come from the detail
  LaneAddresses at;     // offsets; a lane that takes no part has the offset of an active lane
  bool rows_of_matrices = false;  // every eight lanes are one access (matrix_rows.hpp)

  bool writes() const { return operation != Operation::load; }
  bool reads() const { return operation != Operation::store; }
  const char* verb() const {
    return operation == Operation::load    ? "load"
           : operation == Operation::store ? "store"
                                           : "atomic operation";
  }
};

/// "byte 12 of shared memory", "byte 12 of 'input'".
std::string shown(const Memory& memory, std::uint64_t offset);

/// The first lane of `lanes`, which is not empty.
inline std::uint32_t first_of(LaneMask lanes) {
  return static_cast<std::uint32_t>(std::countr_zero(lanes));
}

/// Makes known to the acquiring lanes the publications that they are about to read, since the
/// published events happened before the access. Comes before judge_races(); only in precise
/// launches.
void acquire(const Request& request, const Memory& memory, LaneMask lanes);

/// Checks the access for races and records it. `apart`: no two lanes touch the same bytes.
/// `contiguous`: all lanes take part, and their bytes are contiguous.
void judge_races(const Request& request, const Memory& memory, LaneMask lanes, bool apart,
                 bool contiguous);

/// Strong reads observe publications, and strong writes publish; only in precise launches.
/// `failed`: the lanes whose atomic operation wrote nothing.
void synchronize(const Request& request, const Memory& memory, LaneMask lanes, LaneMask failed);

/// Performs the atomic operation of these lanes, one after the other; old values become the
/// request's values. Returns the lanes that wrote nothing because their compare_and_swap failed.
LaneMask perform_atomic(const Request& request, const Memory& memory, LaneMask lanes);

/// Performs the access: faults, costs, races, bytes. `request.at` are offsets in the memory. Lanes
/// that could not load get zeros.
void perform(Request& request, const Memory& memory, LaneMask lanes);

}  // namespace bankproof::ptx
