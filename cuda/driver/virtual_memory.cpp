// Virtual memory management: addresses that a program reserves, and memory that it maps there.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "../runtime/devices.hpp"
#include "calls.hpp"
#include "pointers.hpp"

using namespace bankproof::cuda::driver;  // NOLINT(google-build-using-namespace)
using bankproof::cuda::Mapping;
using bankproof::cuda::Mappings;
using bankproof::cuda::Permission;
using bankproof::cuda::Runtime;
using Handle = CUmemGenericAllocationHandle;

namespace {

// GPUs map memory in parts of this size.
constexpr std::size_t granularity = std::size_t{1} << 21U;
constexpr std::size_t most_reserved = std::size_t{1} << 36U;  // each buffer of the machine

/// Memory without an address that the program knows.
struct Memory {
  void* bytes = nullptr;
  std::size_t size = 0;
  CUmemAllocationProp properties{};
  std::size_t references = 1;  // by the program
  bool is_mapped = false;
};

/// Everything that exists; only used under the runtime's mutex.
struct Existing {
  std::map<CUdeviceptr, std::size_t> ranges;  // sizes, by their first address
  std::map<Handle, Memory> memories;
  Handle last = 0;
};
Existing& existing() {
  static auto* const all = new Existing;
  return *all;
}

/// Does the work with what exists.
template <class Work>
CUresult with_existing(const char* call, Pointers pointers, Work work) {
  return when_initialized(call, pointers, [&] {
    const std::lock_guard lock(Runtime::get().mutex());
    return as_result(work(existing()));
  });
}

CUresult invalid(const char* call, const std::string& why) {
  return fail(call, CUDA_ERROR_INVALID_VALUE, why);
}

bool is_grain(std::size_t bytes) { return bytes != 0 && bytes % granularity == 0; }

CUresult require_grain(const char* call, const char* what, std::size_t bytes) {
  if (is_grain(bytes)) return CUDA_SUCCESS;
  return invalid(call, fmt::format("the {} is {}, not a positive multiple of {} (see "
                                   "cuMemGetAllocationGranularity)",
                                   what, bytes, granularity));
}

CUresult require_no_flags(const char* call, unsigned long long flags) {
  return flags == 0 ? CUDA_SUCCESS : invalid(call, "the flags have to be 0");
}

/// A part of a reserved range.
struct Part {
  CUdeviceptr range = 0;
  std::uint64_t begin = 0, end = 0;  // bytes of it
};
std::optional<Part> part_of(const Existing& all, CUdeviceptr address, std::size_t bytes) {
  auto next = all.ranges.upper_bound(address);
  if (next == all.ranges.begin()) return {};
  const auto& [range, size] = *std::prev(next);
  const std::uint64_t begin = address - range;
  if (begin > size || bytes > size - begin) return {};
  return Part{range, begin, begin + bytes};
}
CUresult not_reserved(const char* call, CUdeviceptr address, std::size_t bytes) {
  return invalid(call, fmt::format("{} bytes from {:#x} on are not in a range that "
                                   "cuMemAddressReserve has reserved",
                                   bytes, address));
}

/// Calls change(mapping) for each mapping of a part that consists of whole ones; the range has
/// these mappings then, without those for which it returns false.
template <class Change>
CUresult change_mappings(const char* call, const Existing& all, CUdeviceptr address,
                         std::size_t bytes, const Change& change) {
  const auto part = part_of(all, address, bytes);
  if (!part) return not_reserved(call, address, bytes);
  Runtime& runtime = Runtime::get();
  const void* const range = pointer_of(part->range);
  Mappings mappings = runtime.mappings(range);
  std::uint64_t reached = part->begin;
  for (auto one = mappings.find(part->begin);
       one != mappings.end() && one->first == reached && one->second.end <= part->end;) {
    reached = one->second.end;
    one = change(one->second) ? std::next(one) : mappings.erase(one);
  }
  if (reached != part->end || bytes == 0) {
    return invalid(call, fmt::format("{} bytes from {:#x} on do not consist of whole mappings",
                                     bytes, address));
  }
  runtime.set_mappings(range, mappings);
  return CUDA_SUCCESS;
}

/// Frees memory that is neither mapped nor known to the program.
cudaError_t collect(Existing& all, Handle handle) {
  const Memory memory = all.memories.at(handle);
  if (memory.references != 0 || memory.is_mapped) return cudaSuccess;
  all.memories.erase(handle);
  return cudaFree(memory.bytes);
}

CUresult no_memory(const char* call, Handle handle) {
  return invalid(call, fmt::format("no memory has the handle {}", handle));
}

/// Fails unless the device, which the machine has, is where memory is or who accesses it.
CUresult require_place(const char* call, const CUmemLocation& place) {
  if (place.type != CU_MEM_LOCATION_TYPE_DEVICE) {
    return fail(call, CUDA_ERROR_NOT_SUPPORTED,
                fmt::format("the location has the type {}; the machine maps memory of devices, for "
                            "devices",
                            static_cast<int>(place.type)));
  }
  return require_device(call, place.id);
}

CUresult require_properties(const char* call, const CUmemAllocationProp& of) {
  if (of.type != CU_MEM_ALLOCATION_TYPE_PINNED) {
    return invalid(call, fmt::format("the type of the allocation is {}, not pinned",
                                     static_cast<int>(of.type)));
  }
  if (of.requestedHandleTypes != CU_MEM_HANDLE_TYPE_NONE) {
    return fail(call, CUDA_ERROR_NOT_SUPPORTED,
                "memory cannot be shared with other processes: the machine is inside one");
  }
  return require_place(call, of.location);
}

}  // namespace

extern "C" {
CUresult cuMemAddressReserve(CUdeviceptr* address, size_t size, size_t alignment, CUdeviceptr,
                             unsigned long long flags) {
  constexpr const char* call = "cuMemAddressReserve";
  return with_existing(call, {address}, [&](Existing& all) {
    CUresult error = require_no_flags(call, flags);
    if (error == CUDA_SUCCESS) error = require_grain(call, "size", size);
    if (error != CUDA_SUCCESS) return error;
    if ((alignment & (alignment - 1)) != 0) {
      return invalid(call, fmt::format("the alignment, {}, is no power of two", alignment));
    }
    if (size > most_reserved || alignment > most_reserved) {
      return fail(call, CUDA_ERROR_OUT_OF_MEMORY, "the machine reserves at most 64 GiB at a time");
    }
    void* range = nullptr;
    const cudaError_t reserved = Runtime::get().reserve(&range);
    if (reserved != cudaSuccess) return as_result(reserved);
    *address = address_of(range);
    all.ranges[*address] = size;
    return CUDA_SUCCESS;
  });
}
CUresult cuMemAddressFree(CUdeviceptr address, size_t size) {
  constexpr const char* call = "cuMemAddressFree";
  return with_existing(call, {}, [&](Existing& all) {
    const auto found = all.ranges.find(address);
    if (found == all.ranges.end() || found->second != size) {
      return invalid(call, fmt::format("{} bytes from {:#x} on are not what cuMemAddressReserve "
                                       "has reserved",
                                       size, address));
    }
    if (!Runtime::get().mappings(pointer_of(address)).empty()) {
      return invalid(call, "memory is still mapped there");
    }
    Runtime::get().release_range(pointer_of(address));
    all.ranges.erase(found);
    return CUDA_SUCCESS;
  });
}
CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, size_t size,
                     const CUmemAllocationProp* properties, unsigned long long flags) {
  constexpr const char* call = "cuMemCreate";
  return with_existing(call, {handle, properties}, [&](Existing& all) {
    CUresult error = require_no_flags(call, flags);
    if (error == CUDA_SUCCESS) error = require_properties(call, *properties);
    if (error == CUDA_SUCCESS) error = require_grain(call, "size", size);
    if (error != CUDA_SUCCESS) return error;
    Memory memory{.size = size, .properties = *properties};
    const cudaError_t allocated = Runtime::get().allocate(&memory.bytes, size);
    if (allocated != cudaSuccess) return as_result(allocated);
    *handle = ++all.last;
    all.memories[*handle] = memory;
    return CUDA_SUCCESS;
  });
}
CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  constexpr const char* call = "cuMemRelease";
  return with_existing(call, {}, [&](Existing& all) {
    const auto found = all.memories.find(handle);
    if (found == all.memories.end() || found->second.references == 0)
      return no_memory(call, handle);
    --found->second.references;
    return as_result(collect(all, handle));
  });
}
CUresult cuMemMap(CUdeviceptr address, size_t size, size_t offset,
                  CUmemGenericAllocationHandle handle, unsigned long long flags) {
  constexpr const char* call = "cuMemMap";
  return with_existing(call, {}, [&](Existing& all) {
    CUresult error = require_no_flags(call, flags);
    if (error == CUDA_SUCCESS) error = require_grain(call, "size", size);
    if (error != CUDA_SUCCESS) return error;
    const auto found = all.memories.find(handle);
    if (found == all.memories.end()) return no_memory(call, handle);
    if (offset != 0) return invalid(call, "CUDA maps memory from its first byte on");
    const auto part = part_of(all, address, size);
    if (!part) return not_reserved(call, address, size);
    if (part->begin % granularity != 0 || size > found->second.size) {
      return invalid(call, fmt::format("{} bytes of memory that has {}, {} bytes behind the first "
                                       "address of a range",
                                       size, found->second.size, part->begin));
    }
    if (found->second.is_mapped) {
      return fail(call, CUDA_ERROR_NOT_SUPPORTED,
                  "the memory is mapped elsewhere: bytes with two addresses are not modelled");
    }
    const void* const range = pointer_of(part->range);
    Mappings mappings = Runtime::get().mappings(range);
    for (const auto& [begin, mapping] : mappings) {
      if (begin < part->end && part->begin < mapping.end) {
        return invalid(call, fmt::format("memory is already mapped at {:#x}", part->range + begin));
      }
    }
    found->second.is_mapped = true;
    mappings[part->begin] = {
        .end = part->end, .memory = found->second.bytes, .handle = handle, .access = {}};
    Runtime::get().set_mappings(range, mappings);
    return CUDA_SUCCESS;
  });
}
CUresult cuMemUnmap(CUdeviceptr address, size_t size) {
  constexpr const char* call = "cuMemUnmap";
  return with_existing(call, {}, [&](Existing& all) {
    // Like cudaFree, it waits for what may use the memory.
    const cudaError_t waited = Runtime::get().synchronize_device();
    if (waited != cudaSuccess) return as_result(waited);
    std::vector<Handle> unmapped;
    CUresult result = change_mappings(call, all, address, size, [&](const Mapping& mapping) {
      unmapped.push_back(mapping.handle);
      return false;
    });
    if (result != CUDA_SUCCESS) return result;
    for (const Handle handle : unmapped) {
      all.memories.at(handle).is_mapped = false;
      const cudaError_t error = collect(all, handle);
      if (error != cudaSuccess) result = as_result(error);
    }
    return result;
  });
}
CUresult cuMemSetAccess(CUdeviceptr address, size_t size, const CUmemAccessDesc* of, size_t count) {
  constexpr const char* call = "cuMemSetAccess";
  return with_existing(call, {of}, [&](Existing& all) {
    for (const CUmemAccessDesc* one = of; one != of + count; ++one) {
      const CUresult error = require_place(call, one->location);
      if (error != CUDA_SUCCESS) return error;
      if (one->flags != CU_MEM_ACCESS_FLAGS_PROT_NONE &&
          one->flags != CU_MEM_ACCESS_FLAGS_PROT_READ &&
          one->flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE) {
        return invalid(call, fmt::format("there is no access {}", static_cast<int>(one->flags)));
      }
    }
    return change_mappings(call, all, address, size, [&](Mapping& mapping) {
      for (const CUmemAccessDesc* one = of; one != of + count; ++one) {
        if (one->flags == CU_MEM_ACCESS_FLAGS_PROT_NONE) {
          mapping.access.erase(one->location.id);
        } else {
          mapping.access[one->location.id] =
              one->flags == CU_MEM_ACCESS_FLAGS_PROT_READ ? Permission::read : Permission::write;
        }
      }
      return true;
    });
  });
}
CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location,
                        CUdeviceptr address) {
  constexpr const char* call = "cuMemGetAccess";
  return with_existing(call, {flags, location}, [&](Existing& all) {
    const CUresult error = require_place(call, *location);
    if (error != CUDA_SUCCESS) return error;
    const auto part = part_of(all, address, 1);
    if (!part) return not_reserved(call, address, 1);
    for (const auto& [begin, mapping] : Runtime::get().mappings(pointer_of(part->range))) {
      if (part->begin < begin || part->begin >= mapping.end) continue;
      const auto access = mapping.access.find(location->id);
      *flags = access == mapping.access.end()       ? CU_MEM_ACCESS_FLAGS_PROT_NONE
               : access->second == Permission::read ? CU_MEM_ACCESS_FLAGS_PROT_READ
                                                    : CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
      return CUDA_SUCCESS;
    }
    return invalid(call, fmt::format("no memory is mapped at {:#x}", address));
  });
}
CUresult cuMemGetAllocationGranularity(size_t* bytes, const CUmemAllocationProp* properties,
                                       CUmemAllocationGranularity_flags option) {
  constexpr const char* call = "cuMemGetAllocationGranularity";
  return when_initialized(call, {bytes, properties}, [&] {
    if (option != CU_MEM_ALLOC_GRANULARITY_MINIMUM &&
        option != CU_MEM_ALLOC_GRANULARITY_RECOMMENDED) {
      return invalid(call, fmt::format("there is no option {}", static_cast<int>(option)));
    }
    *bytes = granularity;
    return require_place(call, properties->location);
  });
}
CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* properties,
                                                CUmemGenericAllocationHandle handle) {
  constexpr const char* call = "cuMemGetAllocationPropertiesFromHandle";
  return with_existing(call, {properties}, [&](Existing& all) {
    const auto found = all.memories.find(handle);
    if (found == all.memories.end()) return no_memory(call, handle);
    *properties = found->second.properties;
    return CUDA_SUCCESS;
  });
}
CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void* address) {
  constexpr const char* call = "cuMemRetainAllocationHandle";
  return with_existing(call, {handle, address}, [&](Existing& all) {
    const auto part = part_of(all, address_of(address), 1);
    if (!part) return not_reserved(call, address_of(address), 1);
    for (const auto& [begin, mapping] : Runtime::get().mappings(pointer_of(part->range))) {
      if (part->begin < begin || part->begin >= mapping.end) continue;
      *handle = mapping.handle;
      ++all.memories.at(*handle).references;
      return CUDA_SUCCESS;
    }
    return invalid(call, fmt::format("no memory is mapped at {:#x}", address_of(address)));
  });
}
}
