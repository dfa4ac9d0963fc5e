// Memory of the machine as the runtime knows it: allocations, and ranges of addresses at which a
// program maps memory (CUDA Driver API, "Virtual Memory Management").
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "../headers/cuda_runtime_api.h"
#include "devices.hpp"
#include "report/host_place.hpp"

namespace bankproof::cuda {

/// A byte of memory from cudaMalloc, or of a variable: the session's buffer and the offset in it.
struct DevicePlace {
  std::uint32_t buffer = 0;
  std::uint64_t offset = 0;
};

enum class MemoryKind : std::uint8_t { device, managed, host };

enum class Permission : std::uint8_t { read, write };  // write: reads are allowed, too

/// Memory that is mapped in a range.
struct Mapping {
  std::uint64_t end = 0;               // the byte of the range behind the last one
  void* memory = nullptr;              // an allocation
  unsigned long long handle = 0;       // the program's name for the memory
  std::map<int, Permission> access{};  // what a device may do
};

/// The mappings of a range, by their first byte.
using Mappings = std::map<std::uint64_t, Mapping>;

/// Memory from cudaMalloc and its like.
struct Allocation {
  std::size_t bytes = 0;
  MemoryKind kind = MemoryKind::device;
  bool is_variable = false;
  bool is_of_graph = false;
  bool exists = true;  // memory of a graph: between its allocation and its end
  int device = current_device();
  cudaMemPool_t pool = nullptr;
  std::optional<Mappings> mappings{};  // of a range of addresses
  HostCall made{};
  HostCall freed{};  // if it was freed

  /// Whether these bytes exist and, in a range, some device may access them.
  bool has(std::uint64_t offset, std::uint64_t size) const;
};

}  // namespace bankproof::cuda
