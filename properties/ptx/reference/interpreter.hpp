// The plain reference: one thread at a time, one statement after the other, straight from the
// syntax.
//
// It shares nothing with the machine: it has its own arithmetic, addresses and order of threads,
// and knows neither warps that diverge nor operations nor slots. It must never be made fast. It
// knows the instructions that tests of control flow and of cooperation need; others are an Error.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "../../../ptx/syntax/syntax.hpp"

namespace bankproof::ptx::reference {

/// Global memory from that address on.
struct Buffer {
  std::uint64_t address = 0;
  std::span<std::byte> bytes;
};

/// x, y, z
using Extent = std::array<std::uint32_t, 3>;

struct Result {
  /// Threads wait for one another for ever.
  bool stuck = false;
  /// A shuffle read a lane that took no part; PTX says nothing of the value, which is that of the
  /// lane that read. Or an instruction on matrices was not one and the same for all lanes of a
  /// warp; those that were not there count as zeros.
  bool inactive_lane = false;
  /// How many threads executed a statement, by function and statement; whose guard did not hold
  /// too.
  std::map<std::pair<std::size_t, std::size_t>, std::uint64_t> executions;
};

/// Runs the kernel, blocks one behind the other. Each thread runs until it has to wait for others.
/// Throws Error for an instruction that it does not know, std::out_of_range for an access outside
/// of memory, std::runtime_error for what takes more than `most_steps` in a thread.
Result interpret(const Module& module, const std::string& entry, const Extent& grid,
                 const Extent& block, std::span<const std::byte> parameters,
                 std::span<const Buffer> buffers);

inline constexpr std::uint64_t most_steps = 1000000;

}  // namespace bankproof::ptx::reference
