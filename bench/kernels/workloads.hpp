// The kernels of kernels.ptx, with shapes and buffers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

struct Workload {
  std::string name;  // in tables
  std::string kernel;
  std::uint32_t grid_x = 1;
  std::uint32_t grid_y = 1;
  std::uint32_t block_x = 1;
  std::uint32_t block_y = 1;
  // The arguments are the buffers, whose elements are words, then the numbers. The kernel writes
  // the first buffer, which begins undefined unless the kernel works in place.
  std::vector<std::vector<std::uint32_t>> buffers;
  std::vector<std::uint64_t> numbers;
  bool in_place = false;
};

/// A workload of workload_names(), or "launch", one warp that writes a word a thread, or "large
/// launch", the same by a kernel of 40,000 other instructions, or "warps", warps that only find
/// that they have nothing to do. Throws std::invalid_argument for any other name.
Workload workload(const std::string& name);

/// The names in the order of the table: "arithmetic", "hashes", "collatz", "copy",
/// "copy of 256 KB", "in place", "shared", "stencil", "random", "random in cache", "transpose",
/// "transpose plain", "reduction".
std::vector<std::string> workload_names();

/// The text of kernels.ptx, and the kernel of "large launch".
const std::string& kernels_text();

}  // namespace bench
