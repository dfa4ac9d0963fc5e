// Allocations in the order of a stream, and memory pools. The machine gives memory back at once
// when it is freed, so a pool only keeps its attributes, and counts the memory that is allocated
// from it.
#include "pools.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "../devices.hpp"
#include "../stream_handles.hpp"

// CUDA lets the runtime define this type.
struct CUmemPoolHandle_st {
  int device = 0;
  std::map<cudaMemPoolAttr, std::uint64_t> attributes;
  std::uint64_t used = 0;  // bytes
  std::uint64_t most_used = 0;
};

namespace {

using bankproof::cuda::AccessKind;
using bankproof::cuda::Handles;
using bankproof::cuda::Runtime;

Handles<CUmemPoolHandle_st>& pools() {
  static auto* const all = new Handles<CUmemPoolHandle_st>;
  return *all;
}

cudaMemPool_t default_pool(int device) {
  static auto* const all = new std::map<int, cudaMemPool_t>;
  const std::lock_guard lock(Runtime::get().mutex());
  cudaMemPool_t& pool = (*all)[device];
  if (pool == nullptr) pool = pools().make(CUmemPoolHandle_st{.device = device, .attributes = {}});
  return pool;
}

std::map<int, cudaMemPool_t>& current_pools() {
  static auto* const all = new std::map<int, cudaMemPool_t>;
  return *all;
}

cudaError_t require_pool(const char* call, cudaMemPool_t pool) {
  if (pools().is_live(pool)) return cudaSuccess;
  return Runtime::fail(cudaErrorInvalidValue,
                       fmt::format("{}: the memory pool does not exist; was it destroyed?", call));
}

cudaError_t require_pool_device(const char* call, int device) {
  if (device >= 0 && device < bankproof::cuda::device_count()) return cudaSuccess;
  return Runtime::fail(cudaErrorInvalidDevice,
                       fmt::format("{}: device {} does not exist", call, device));
}

cudaError_t require_device_pool(const char* call, const cudaMemLocation* location,
                                cudaMemAllocationType type) {
  if (location == nullptr) return bankproof::cuda::no_place(call);
  if (location->type != cudaMemLocationTypeDevice || type != cudaMemAllocationTypePinned) {
    return Runtime::fail(cudaErrorNotSupported,
                         fmt::format("{}: the machine has pools of devices' memory that is not "
                                     "managed, and no others",
                                     call));
  }
  return require_pool_device(call, location->id);
}

cudaMemPool_t current_pool(int device) {
  const std::lock_guard lock(Runtime::get().mutex());
  const auto found = current_pools().find(device);
  return found == current_pools().end() ? default_pool(device) : found->second;
}

cudaError_t allocate_from(cudaMemPool_t pool, void** pointer, std::size_t size,
                          cudaStream_t stream) {
  Runtime& runtime = Runtime::get();
  const cudaError_t error = runtime.allocate(pointer, size, pool);
  if (error != cudaSuccess || *pointer == nullptr) return error;
  return runtime.perform("cudaMallocAsync", stream, [&runtime, size, place = *pointer] {
    if (const auto found = runtime.find(place, size)) {
      runtime.touch_device(*found, size, AccessKind::write);
    }
    return cudaSuccess;
  });
}

/// The attributes that programs read, and may only set to 0.
std::uint64_t* amount(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  switch (attribute) {
    case cudaMemPoolAttrUsedMemCurrent:
    case cudaMemPoolAttrReservedMemCurrent:
      return &pool->used;
    case cudaMemPoolAttrUsedMemHigh:
    case cudaMemPoolAttrReservedMemHigh:
      return &pool->most_used;
    default:
      return nullptr;
  }
}

bool is_attribute(cudaMemPoolAttr attribute) {
  return attribute >= cudaMemPoolReuseFollowEventDependencies &&
         attribute <= cudaMemPoolAttrUsedMemHigh;
}
cudaError_t no_attribute(const char* call, cudaMemPoolAttr attribute) {
  return Runtime::fail(cudaErrorInvalidValue,
                       fmt::format("{}: attribute {} does not exist, or cannot have this value",
                                   call, static_cast<int>(attribute)));
}

bool is_of_32_bits(cudaMemPoolAttr attribute) {
  return attribute == cudaMemPoolReuseFollowEventDependencies ||
         attribute == cudaMemPoolReuseAllowOpportunistic ||
         attribute == cudaMemPoolReuseAllowInternalDependencies;
}

}  // namespace

namespace bankproof::cuda {

void count_in_pool(cudaMemPool_t pool, std::int64_t bytes) {
  const std::lock_guard lock(Runtime::get().mutex());
  if (!pools().is_live(pool)) return;
  pool->used += static_cast<std::uint64_t>(bytes);
  pool->most_used = std::max(pool->most_used, pool->used);
}

}  // namespace bankproof::cuda

extern "C" {
// The memory exists for the operations that follow in the stream.
cudaError_t cudaMallocAsync(void** pointer, size_t size, cudaStream_t stream) {
  Runtime& runtime = Runtime::get();
  if (runtime.capture_of(stream) != nullptr) {
    return bankproof::cuda::capture_allocation(pointer, size, stream);
  }
  if (!bankproof::cuda::is_live_stream("cudaMallocAsync", stream))
    return cudaErrorInvalidResourceHandle;
  const int device =
      bankproof::cuda::is_default(stream) ? bankproof::cuda::current_device() : stream->device;
  return allocate_from(current_pool(device), pointer, size, stream);
}
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  Runtime& runtime = Runtime::get();
  if (runtime.capture_of(stream) != nullptr) {
    bankproof::cuda::Work work;
    const cudaError_t error = bankproof::cuda::free_work("cudaFreeAsync", pointer, work);
    return error == cudaSuccess ? runtime.perform(std::move(work), stream) : error;
  }
  if (const cudaError_t error = runtime.require_freed_by("cudaFreeAsync", pointer, false);
      error != cudaSuccess) {
    return error;
  }
  return runtime.perform("cudaFreeAsync", stream, [&runtime, pointer] {
    const auto found = runtime.find(pointer);
    if (found) runtime.touch_device(*found, runtime.bytes_of(*found), AccessKind::write);
    return runtime.release(pointer);
  });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  if (pool == nullptr) return bankproof::cuda::no_place("cudaDeviceGetDefaultMemPool");
  if (const cudaError_t error = require_pool_device("cudaDeviceGetDefaultMemPool", device);
      error != cudaSuccess)
    return error;
  *pool = default_pool(device);
  return cudaSuccess;
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  if (pool == nullptr) return bankproof::cuda::no_place("cudaDeviceGetMemPool");
  if (const cudaError_t error = require_pool_device("cudaDeviceGetMemPool", device);
      error != cudaSuccess)
    return error;
  *pool = current_pool(device);
  return cudaSuccess;
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  constexpr const char* call = "cudaDeviceSetMemPool";
  const std::lock_guard lock(Runtime::get().mutex());
  cudaError_t error = require_pool_device(call, device);
  if (error == cudaSuccess) error = require_pool(call, pool);
  if (error != cudaSuccess) return error;
  if (pool->device != device) {
    return Runtime::fail(cudaErrorInvalidValue,
                         fmt::format("{}: the pool is of device {}", call, pool->device));
  }
  current_pools()[device] = pool;
  return cudaSuccess;
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const struct cudaMemPoolProps* properties) {
  if (pool == nullptr || properties == nullptr)
    return bankproof::cuda::no_place("cudaMemPoolCreate");
  const cudaError_t error =
      require_device_pool("cudaMemPoolCreate", &properties->location, properties->allocType);
  if (error != cudaSuccess) return error;
  *pool = pools().make(CUmemPoolHandle_st{.device = properties->location.id, .attributes = {}});
  return cudaSuccess;
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  constexpr const char* call = "cudaMemPoolDestroy";
  const std::lock_guard lock(Runtime::get().mutex());
  const cudaError_t error = require_pool(call, pool);
  if (error != cudaSuccess) return error;
  if (pool == default_pool(pool->device)) {
    return Runtime::fail(cudaErrorInvalidValue,
                         fmt::format("{}: the default pool is never destroyed", call));
  }
  std::erase_if(current_pools(), [&](const auto& one) { return one.second == pool; });
  pools().destroy(pool);
  return cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                    void* value) {
  constexpr const char* call = "cudaMemPoolSetAttribute";
  const std::lock_guard lock(Runtime::get().mutex());
  const cudaError_t error = require_pool(call, pool);
  if (error != cudaSuccess) return error;
  if (value == nullptr) return bankproof::cuda::no_place(call);
  if (!is_attribute(attribute)) return no_attribute(call, attribute);
  if (std::uint64_t* const bytes = amount(pool, attribute)) {
    const bool is_reset = bytes == &pool->most_used && *static_cast<std::uint64_t*>(value) == 0;
    if (!is_reset) return no_attribute(call, attribute);
    *bytes = pool->used;
    return cudaSuccess;
  }
  pool->attributes[attribute] =
      is_of_32_bits(attribute) ? static_cast<std::uint64_t>(*static_cast<std::uint32_t*>(value))
                               : *static_cast<std::uint64_t*>(value);
  return cudaSuccess;
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                    void* value) {
  constexpr const char* call = "cudaMemPoolGetAttribute";
  const std::lock_guard lock(Runtime::get().mutex());
  const cudaError_t error = require_pool(call, pool);
  if (error != cudaSuccess) return error;
  if (value == nullptr) return bankproof::cuda::no_place(call);
  if (!is_attribute(attribute)) return no_attribute(call, attribute);
  const std::uint64_t* const bytes = amount(pool, attribute);
  const std::uint64_t kept = bytes != nullptr ? *bytes : pool->attributes[attribute];
  if (is_of_32_bits(attribute)) {
    *static_cast<std::uint32_t*>(value) = static_cast<std::uint32_t>(kept);
  } else {
    *static_cast<std::uint64_t*>(value) = kept;
  }
  return cudaSuccess;
}
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags* flags, cudaMemPool_t pool,
                                 struct cudaMemLocation*) {
  if (flags == nullptr) return bankproof::cuda::no_place("cudaMemPoolGetAccess");
  *flags = cudaMemAccessFlagsProtReadWrite;
  return require_pool("cudaMemPoolGetAccess", pool);
}
cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t size, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  constexpr const char* call = "cudaMallocFromPoolAsync";
  const cudaError_t error = require_pool(call, pool);
  if (error != cudaSuccess) return error;
  if (Runtime::get().capture_of(stream) != nullptr) return cudaMallocAsync(pointer, size, stream);
  if (!bankproof::cuda::is_live_stream(call, stream)) return cudaErrorInvalidResourceHandle;
  return allocate_from(pool, pointer, size, stream);
}
// Pools are for memory of devices that is not managed.
cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* pool, struct cudaMemLocation* location,
                                     enum cudaMemAllocationType type) {
  const cudaError_t error = require_device_pool("cudaMemGetDefaultMemPool", location, type);
  return error == cudaSuccess ? cudaDeviceGetDefaultMemPool(pool, location->id) : error;
}
cudaError_t cudaMemGetMemPool(cudaMemPool_t* pool, struct cudaMemLocation* location,
                              enum cudaMemAllocationType type) {
  const cudaError_t error = require_device_pool("cudaMemGetMemPool", location, type);
  return error == cudaSuccess ? cudaDeviceGetMemPool(pool, location->id) : error;
}
cudaError_t cudaMemSetMemPool(struct cudaMemLocation* location, enum cudaMemAllocationType type,
                              cudaMemPool_t pool) {
  const cudaError_t error = require_device_pool("cudaMemSetMemPool", location, type);
  return error == cudaSuccess ? cudaDeviceSetMemPool(location->id, pool) : error;
}
}
