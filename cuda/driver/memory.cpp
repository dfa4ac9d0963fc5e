// Memory: allocations and pools, by the functions of CUDA's runtime.
#include <fmt/format.h>

#include "calls.hpp"
#include "pointers.hpp"

using namespace bankproof::cuda::driver;  // NOLINT(google-build-using-namespace)
using bankproof::cuda::Runtime;

namespace {

/// Calls make(&pointer) for an allocation of `bytes` bytes, which must not be 0.
template <class Place, class Make>
CUresult allocate(const char* call, Place* place, size_t bytes, Make make) {
  return in_context(call, {place}, [&] {
    if (bytes == 0) return fail(call, CUDA_ERROR_INVALID_VALUE, "no memory has 0 bytes");
    void* pointer = nullptr;
    const cudaError_t error = make(&pointer);
    if constexpr (std::is_same_v<Place, CUdeviceptr>) {
      *place = address_of(pointer);
    } else {
      *place = pointer;
    }
    return as_result(error);
  });
}

}  // namespace

extern "C" {
CUresult cuMemGetInfo_v2(size_t* free, size_t* total) {
  return in_context("cuMemGetInfo", {free, total}, [&] { return cudaMemGetInfo(free, total); });
}
CUresult cuMemAlloc_v2(CUdeviceptr* pointer, size_t bytes) {
  return allocate("cuMemAlloc", pointer, bytes,
                  [&](void** place) { return cudaMalloc(place, bytes); });
}
CUresult cuMemAllocPitch_v2(CUdeviceptr* pointer, size_t* pitch, size_t width, size_t height,
                            unsigned element) {
  return allocate("cuMemAllocPitch", pointer, width * height, [&](void** place) {
    if (pitch == nullptr || (element != 4 && element != 8 && element != 16)) {
      return Runtime::fail(
          cudaErrorInvalidValue,
          fmt::format("cudaMallocPitch: elements of {} bytes; they have 4, 8 or 16", element));
    }
    return cudaMallocPitch(place, pitch, width, height);
  });
}
CUresult cuMemFree_v2(CUdeviceptr pointer) {
  return in_context("cuMemFree", {}, [&] { return cudaFree(pointer_of(pointer)); });
}
CUresult cuMemAllocHost_v2(void** pointer, size_t bytes) {
  return allocate("cuMemAllocHost", pointer, bytes,
                  [&](void** place) { return cudaMallocHost(place, bytes); });
}
CUresult cuMemHostAlloc(void** pointer, size_t bytes, unsigned flags) {
  return allocate("cuMemHostAlloc", pointer, bytes,
                  [&](void** place) { return cudaHostAlloc(place, bytes, flags); });
}
CUresult cuMemFreeHost(void* pointer) {
  return in_context("cuMemFreeHost", {pointer}, [&] { return cudaFreeHost(pointer); });
}
CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr* device, void* host, unsigned flags) {
  return in_context("cuMemHostGetDevicePointer", {device, host}, [&] {
    void* pointer = nullptr;
    const cudaError_t error = cudaHostGetDevicePointer(&pointer, host, flags);
    *device = address_of(pointer);
    return error;
  });
}
CUresult cuMemHostGetFlags(unsigned* flags, void* host) {
  return in_context("cuMemHostGetFlags", {flags, host},
                    [&] { return cudaHostGetFlags(flags, host); });
}
CUresult cuMemHostRegister_v2(void* pointer, size_t bytes, unsigned flags) {
  return in_context("cuMemHostRegister", {pointer},
                    [&] { return cudaHostRegister(pointer, bytes, flags); });
}
CUresult cuMemHostUnregister(void* pointer) {
  return in_context("cuMemHostUnregister", {pointer}, [&] { return cudaHostUnregister(pointer); });
}
CUresult cuMemAllocManaged(CUdeviceptr* pointer, size_t bytes, unsigned flags) {
  return allocate("cuMemAllocManaged", pointer, bytes,
                  [&](void** place) { return cudaMallocManaged(place, bytes, flags); });
}
CUresult cuMemAllocAsync(CUdeviceptr* pointer, size_t bytes, CUstream stream) {
  return allocate("cuMemAllocAsync", pointer, bytes,
                  [&](void** place) { return cudaMallocAsync(place, bytes, stream); });
}
CUresult cuMemAllocFromPoolAsync(CUdeviceptr* pointer, size_t bytes, CUmemoryPool pool,
                                 CUstream stream) {
  return allocate("cuMemAllocFromPoolAsync", pointer, bytes, [&](void** place) {
    return cudaMallocFromPoolAsync(place, bytes, pool, stream);
  });
}
CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream) {
  return in_context("cuMemFreeAsync", {},
                    [&] { return cudaFreeAsync(pointer_of(pointer), stream); });
}

// Properties and attributes of pools have the same layout and numbers in both APIs.
CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* properties) {
  return when_initialized("cuMemPoolCreate", {pool, properties}, [&] {
    return cudaMemPoolCreate(pool, reinterpret_cast<const cudaMemPoolProps*>(properties));
  });
}
CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  return when_initialized("cuMemPoolDestroy", {}, [&] { return cudaMemPoolDestroy(pool); });
}
CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
  return when_initialized("cuMemPoolGetAttribute", {value}, [&] {
    return cudaMemPoolGetAttribute(pool, static_cast<cudaMemPoolAttr>(attribute), value);
  });
}
CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
  return when_initialized("cuMemPoolSetAttribute", {value}, [&] {
    return cudaMemPoolSetAttribute(pool, static_cast<cudaMemPoolAttr>(attribute), value);
  });
}
}
