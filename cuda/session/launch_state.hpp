// What a launch begins with: all buffers, and the variables of its module. As a folder, it is a
// launch file with its inputs, which `bankproof kernel` runs alone (cli/kernel/request.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "../../ptx/memory/buffers.hpp"
#include "session.hpp"

namespace bankproof::cuda {

struct LaunchState {
  struct BufferState {
    std::string name;
    std::vector<std::byte> contents;  // empty: the buffer was freed
    std::vector<ptx::ByteRange> undefined;
  };
  std::vector<BufferState> buffers;  // by number, so that addresses in memory stay right
  std::uint64_t heap_bytes = 0;      // the size of the heap of kernels
  std::vector<BufferState> heap;     // its allocations, by number from the first on
  // Variables by their names in PTX: the buffers of those in global memory, and constants that the
  // host has written.
  std::map<std::string, std::uint32_t> globals;
  std::map<std::string, std::vector<std::byte>> constants;
};

/// Writes kernel.ptx, launch.json and the contents of the buffers into the folder, which exists.
/// The launch file names the other files by the folder's path. Throws std::runtime_error, which
/// names the file that cannot be written.
void write_launch(const std::filesystem::path& folder, const LaunchState& state,
                  const KernelFile& file, const std::string& kernel, const ptx::LaunchShape& shape,
                  std::span<const ArgumentBytes> arguments);

}  // namespace bankproof::cuda
