// Devices: the answers of CUDA's runtime, and of the driver about itself.
#include "../runtime/devices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "calls.hpp"

using bankproof::cuda::device_count;
using namespace bankproof::cuda::driver;  // NOLINT(google-build-using-namespace)

namespace {

constexpr int driver_version = 13000;

/// Calls ask(properties), if the device exists.
template <class Ask>
CUresult about_properties(const char* call, CUdevice device, Pointers pointers, Ask ask) {
  return about_device(call, device, pointers, [&] {
    cudaDeviceProp properties;
    const cudaError_t error = cudaGetDeviceProperties(&properties, device);
    if (error == cudaSuccess) ask(properties);
    return error;
  });
}

CUresult require_length(const char* call, int length) {
  if (length > 0) return CUDA_SUCCESS;
  return fail(call, CUDA_ERROR_INVALID_VALUE, fmt::format("no text has {} bytes", length));
}

}  // namespace

extern "C" {
CUresult cuInit(unsigned flags) {
  return at_any_time("cuInit", {}, [&] {
    if (flags != 0) return fail("cuInit", CUDA_ERROR_INVALID_VALUE, "the flags have to be 0");
    initialize();
    return CUDA_SUCCESS;
  });
}
CUresult cuDriverGetVersion(int* version) {
  return at_any_time("cuDriverGetVersion", {version}, [&] {
    *version = driver_version;
    return CUDA_SUCCESS;
  });
}
CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return about_device("cuDeviceGet", ordinal, {device}, [&] {
    *device = ordinal;
    return CUDA_SUCCESS;
  });
}
CUresult cuDeviceGetCount(int* count) {
  return when_initialized("cuDeviceGetCount", {count}, [&] {
    *count = device_count();
    return CUDA_SUCCESS;
  });
}
CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  return about_device("cuDeviceGetName", device, {name}, [&] {
    if (const CUresult error = require_length("cuDeviceGetName", length); error != CUDA_SUCCESS)
      return error;
    cudaDeviceProp properties;
    if (const cudaError_t error = cudaGetDeviceProperties(&properties, device);
        error != cudaSuccess) {
      return as_result(error);
    }
    std::strncpy(name, properties.name, static_cast<std::size_t>(length));
    name[length - 1] = '\0';
    return CUDA_SUCCESS;
  });
}
CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device) {
  return about_properties("cuDeviceGetUuid", device, {uuid},
                          [&](const cudaDeviceProp& of) { *uuid = of.uuid; });
}
CUresult cuDeviceTotalMem_v2(size_t* bytes, CUdevice device) {
  return about_properties("cuDeviceTotalMem", device, {bytes},
                          [&](const cudaDeviceProp& of) { *bytes = of.totalGlobalMem; });
}
CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  return about_properties("cuDeviceComputeCapability", device, {major, minor},
                          [&](const cudaDeviceProp& of) {
                            *major = of.major;
                            *minor = of.minor;
                          });
}
// Attributes have the same numbers in both APIs; the runtime does not know these two. The machine
// may map memory (virtual_memory.cpp), compressible or not.
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return about_device("cuDeviceGetAttribute", device, {value}, [&] {
    if (attribute <= 0 || attribute >= CU_DEVICE_ATTRIBUTE_MAX) {
      return fail("cuDeviceGetAttribute", CUDA_ERROR_INVALID_VALUE,
                  fmt::format("there is no attribute {}", static_cast<int>(attribute)));
    }
    if (attribute == CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED ||
        attribute == CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED) {
      *value = 1;
      return CUDA_SUCCESS;
    }
    return as_result(cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device));
  });
}
CUresult cuDeviceGetPCIBusId(char* text, int length, CUdevice device) {
  return about_device("cuDeviceGetPCIBusId", device, {text}, [&] {
    const CUresult error = require_length("cuDeviceGetPCIBusId", length);
    return error == CUDA_SUCCESS ? as_result(cudaDeviceGetPCIBusId(text, length, device)) : error;
  });
}
CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* text) {
  return when_initialized("cuDeviceGetByPCIBusId", {device, text},
                          [&] { return cudaDeviceGetByPCIBusId(device, text); });
}
CUresult cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute attribute, CUdevice from,
                                 CUdevice to) {
  return about_device("cuDeviceGetP2PAttribute", from, {value}, [&] {
    return cudaDeviceGetP2PAttribute(value, static_cast<cudaDeviceP2PAttr>(attribute), from, to);
  });
}
// The devices share one memory.
CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  return about_device("cuDeviceCanAccessPeer", device, {can}, [&] {
    *can = device != peer ? 1 : 0;
    return require_device("cuDeviceCanAccessPeer", peer);
  });
}
CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device) {
  return about_device("cuDeviceGetDefaultMemPool", device, {pool},
                      [&] { return cudaDeviceGetDefaultMemPool(pool, device); });
}
CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice device) {
  return about_device("cuDeviceGetMemPool", device, {pool},
                      [&] { return cudaDeviceGetMemPool(pool, device); });
}
CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
  return about_device("cuDeviceSetMemPool", device, {pool},
                      [&] { return cudaDeviceSetMemPool(device, pool); });
}

// The machine has none of these limits.
CUresult cuCtxGetLimit(size_t* value, CUlimit limit) {
  return in_context("cuCtxGetLimit", {value},
                    [&] { return cudaDeviceGetLimit(value, static_cast<cudaLimit>(limit)); });
}
CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  return in_context("cuCtxSetLimit", {},
                    [&] { return cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value); });
}
CUresult cuCtxGetCacheConfig(CUfunc_cache* config) {
  return in_context("cuCtxGetCacheConfig", {config}, [&] {
    *config = CU_FUNC_CACHE_PREFER_NONE;
    return CUDA_SUCCESS;
  });
}
CUresult cuCtxGetSharedMemConfig(CUsharedconfig* config) {
  return in_context("cuCtxGetSharedMemConfig", {config}, [&] {
    *config = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
    return CUDA_SUCCESS;
  });
}
CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return in_context("cuCtxGetStreamPriorityRange", {},
                    [&] { return cudaDeviceGetStreamPriorityRange(least, greatest); });
}
CUresult cuDeviceGetHostAtomicCapabilities(unsigned* capabilities,
                                           const CUatomicOperation* operations, unsigned count,
                                           CUdevice device) {
  return when_initialized("cuDeviceGetHostAtomicCapabilities", {}, [&] {
    return cudaDeviceGetHostAtomicCapabilities(
        capabilities, reinterpret_cast<const cudaAtomicOperation*>(operations), count, device);
  });
}
CUresult cuDeviceGetP2PAtomicCapabilities(unsigned* capabilities,
                                          const CUatomicOperation* operations, unsigned count,
                                          CUdevice from, CUdevice to) {
  return when_initialized("cuDeviceGetP2PAtomicCapabilities", {}, [&] {
    return cudaDeviceGetP2PAtomicCapabilities(
        capabilities, reinterpret_cast<const cudaAtomicOperation*>(operations), count, from, to);
  });
}
}
