// The plain reference: it runs one thread at a time, one statement after the other, straight from
// the syntax.
//
// It shares nothing with the machine: it has its own arithmetic, addresses and order of threads,
// and knows no divergence of warps, no operations and no slots. It must never be optimized. It
// knows only the instructions that tests of control flow and of cooperation need; other
// instructions give an Error.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "../../../../ptx/syntax/syntax.hpp"

namespace bankproof::ptx::reference {

/// Global memory that begins at `address`.
struct Buffer {
  std::uint64_t address = 0;
  std::span<std::byte> bytes;
};

/// The extents in x, y and z.
using Extent = std::array<std::uint32_t, 3>;

struct Result {
  /// Threads wait for one another and never return.
  bool stuck = false;
  /// Either a shuffle read a lane outside the mask: PTX leaves the value undefined, and the
  /// reference returns the reader's own value. Or some lanes of a warp did not execute an
  /// instruction on matrices that other lanes executed: the values of the absent lanes count as
  /// zeros.
  bool inactive_lane = false;
  /// The number of threads that executed each statement, by function and statement; a thread whose
  /// guard is false counts, too.
  std::map<std::pair<std::size_t, std::size_t>, std::uint64_t> executions;
};

/// Runs the kernel, block after block. Each thread runs until it has to wait for others. Throws
/// Error for an unknown instruction, std::out_of_range for an access outside of memory, and
/// std::runtime_error if a thread takes more than `most_steps` steps.
Result interpret(const Module& module, const std::string& entry, const Extent& grid,
                 const Extent& block, std::span<const std::byte> parameters,
                 std::span<const Buffer> buffers);

inline constexpr std::uint64_t most_steps = 1000000;

}  // namespace bankproof::ptx::reference
