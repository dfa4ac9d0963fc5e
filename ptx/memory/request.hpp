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

/// A memory: a buffer, or what a block, a lane or a launch has.
struct Memory {
  Space space = Space::global;
  std::uint64_t begin = 0;  // its generic address
  std::uint64_t bytes = 0;
  std::byte* data = nullptr;
  WordRecords records;              // none where threads share nothing they could write
  WrittenBytes* written = nullptr;  // null if all has been
  Buffer* buffer = nullptr;         // of global memory
  std::uint32_t index = 0;          // of the buffer
};

/// The bytes of one lane, for each lane: `bytes` of them one behind the other.
struct alignas(slot_alignment) LaneBytes {
  static constexpr std::size_t most = 32;
  std::array<std::byte, warp_lanes * most> bytes;
};

struct Request {
  MemoryWarp& warp;
  const MemoryDetail& detail;
  std::uint32_t site;
  Operation operation;  // load, store or atomic (with a result or without)
  std::uint32_t bytes;  // of a lane
  LaneBytes& values;    // what is stored, or was loaded; operands are taken from the detail
  LaneAddresses at;     // offsets; those of lanes that take no part equal that of one that does
  bool rows_of_matrices = false;  // each eight lanes are an access of their own (matrix_rows.hpp)

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

/// What acquiring lanes will read was published before their access, so it happened before that
/// too. Comes before judge_races(); only in launches that are precise.
void acquire(const Request& request, const Memory& memory, LaneMask lanes);

/// Checks the access for races and remembers it. `apart`: no two lanes touch the same bytes.
/// `contiguous`: all lanes take part, one behind the other.
void judge_races(const Request& request, const Memory& memory, LaneMask lanes, bool apart,
                 bool contiguous);

/// What strong reads see and strong writes publish; only in launches that are precise. `failed`:
/// lanes whose atomic operation wrote nothing.
void synchronize(const Request& request, const Memory& memory, LaneMask lanes, LaneMask failed);

/// Performs the atomic operation of these lanes, one after the other; old values become the
/// request's values. Returns the lanes that wrote nothing: whose compare_and_swap failed.
LaneMask perform_atomic(const Request& request, const Memory& memory, LaneMask lanes);

/// The access itself: faults, costs, races, bytes. `request.at` are offsets in the memory. Bytes of
/// lanes that could not load are zero.
void perform(Request& request, const Memory& memory, LaneMask lanes);

}  // namespace bankproof::ptx
