// Memory pools. The machine gives memory back at once when it is freed, so a pool only keeps its
// attributes, and counts what was allocated from the default pools.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "devices.hpp"
#include "stream_handles.hpp"

// CUDA lets the runtime define this type.
struct CUmemPoolHandle_st {
  int device = 0;
  std::map<cudaMemPoolAttr, std::uint64_t> attributes;
};

namespace {

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

bool is_of_32_bits(cudaMemPoolAttr attribute) {
  return attribute == cudaMemPoolReuseFollowEventDependencies ||
         attribute == cudaMemPoolReuseAllowOpportunistic ||
         attribute == cudaMemPoolReuseAllowInternalDependencies;
}

}  // namespace

extern "C" {
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
  const auto found = current_pools().find(device);
  *pool = found == current_pools().end() ? default_pool(device) : found->second;
  return cudaSuccess;
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  const cudaError_t error = require_pool("cudaDeviceSetMemPool", pool);
  if (error == cudaSuccess) current_pools()[device] = pool;
  return error;
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
  const cudaError_t error = require_pool("cudaMemPoolDestroy", pool);
  if (error == cudaSuccess) pools().destroy(pool);
  return error;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                    void* value) {
  const cudaError_t error = require_pool("cudaMemPoolSetAttribute", pool);
  if (error != cudaSuccess) return error;
  if (value == nullptr) return bankproof::cuda::no_place("cudaMemPoolSetAttribute");
  pool->attributes[attribute] =
      is_of_32_bits(attribute) ? static_cast<std::uint64_t>(*static_cast<std::uint32_t*>(value))
                               : *static_cast<std::uint64_t*>(value);
  return cudaSuccess;
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                    void* value) {
  const cudaError_t error = require_pool("cudaMemPoolGetAttribute", pool);
  if (error != cudaSuccess) return error;
  if (value == nullptr) return bankproof::cuda::no_place("cudaMemPoolGetAttribute");
  const std::uint64_t kept = pool->attributes[attribute];
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
  const cudaError_t error = require_pool("cudaMallocFromPoolAsync", pool);
  return error == cudaSuccess ? cudaMallocAsync(pointer, size, stream) : error;
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
