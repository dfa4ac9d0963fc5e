// Ranges of memory, pools by the place of their memory, and the memory of graphs.
#include "forward.hpp"
#include "pointers.hpp"

using namespace bankproof::cuda::driver;  // NOLINT(google-build-using-namespace)

namespace {

cudaMemLocation* place_of(CUmemLocation* location) {
  return reinterpret_cast<cudaMemLocation*>(location);
}
void** pointers_of(CUdeviceptr* addresses) { return reinterpret_cast<void**>(addresses); }

}  // namespace

extern "C" {
CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute,
                                      void* value) {
  return about_device("cuDeviceGetGraphMemAttribute", device, {value}, [&] {
    return cudaDeviceGetGraphMemAttribute(device, static_cast<cudaGraphMemAttributeType>(attribute),
                                          value);
  });
}
CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute,
                                      void* value) {
  return about_device("cuDeviceSetGraphMemAttribute", device, {value}, [&] {
    return cudaDeviceSetGraphMemAttribute(device, static_cast<cudaGraphMemAttributeType>(attribute),
                                          value);
  });
}
CUresult cuDeviceGraphMemTrim(CUdevice device) {
  return about_device("cuDeviceGraphMemTrim", device, {},
                      [&] { return cudaDeviceGraphMemTrim(device); });
}
CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool pool, CUmemLocation* location) {
  return forward<&cudaMemPoolGetAccess>(
      "cuMemPoolGetAccess", reinterpret_cast<cudaMemAccessFlags*>(flags), pool, place_of(location));
}
CUresult cuMemGetDefaultMemPool(CUmemoryPool* pool, CUmemLocation* location,
                                CUmemAllocationType type) {
  return forward<&cudaMemGetDefaultMemPool>("cuMemGetDefaultMemPool", pool, place_of(location),
                                            static_cast<cudaMemAllocationType>(type));
}
CUresult cuMemGetMemPool(CUmemoryPool* pool, CUmemLocation* location, CUmemAllocationType type) {
  return forward<&cudaMemGetMemPool>("cuMemGetMemPool", pool, place_of(location),
                                     static_cast<cudaMemAllocationType>(type));
}
CUresult cuMemSetMemPool(CUmemLocation* location, CUmemAllocationType type, CUmemoryPool pool) {
  return forward<&cudaMemSetMemPool>("cuMemSetMemPool", place_of(location),
                                     static_cast<cudaMemAllocationType>(type), pool);
}
CUresult cuMemRangeGetAttribute(void* data, size_t bytes, CUmem_range_attribute attribute,
                                CUdeviceptr pointer, size_t count) {
  return forward_in_context<&cudaMemRangeGetAttribute>(
      "cuMemRangeGetAttribute", data, bytes, static_cast<cudaMemRangeAttribute>(attribute),
      pointer_of(pointer), count);
}
CUresult cuMemRangeGetAttributes(void** data, size_t* bytes, CUmem_range_attribute* attributes,
                                 size_t attribute_count, CUdeviceptr pointer, size_t count) {
  return forward_in_context<&cudaMemRangeGetAttributes>(
      "cuMemRangeGetAttributes", data, bytes, reinterpret_cast<cudaMemRangeAttribute*>(attributes),
      attribute_count, pointer_of(pointer), count);
}
CUresult cuMemDiscardBatchAsync(CUdeviceptr* pointers, size_t* sizes, size_t count,
                                unsigned long long flags, CUstream stream) {
  return forward_in_context<&cudaMemDiscardBatchAsync>(
      "cuMemDiscardBatchAsync", pointers_of(pointers), sizes, count, flags, stream);
}
CUresult cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr* pointers, size_t* sizes, size_t count,
                                           CUmemLocation* locations, size_t* first,
                                           size_t location_count, unsigned long long flags,
                                           CUstream stream) {
  return forward_in_context<&cudaMemDiscardAndPrefetchBatchAsync>(
      "cuMemDiscardAndPrefetchBatchAsync", pointers_of(pointers), sizes, count, place_of(locations),
      first, location_count, flags, stream);
}
CUresult cuMemcpyBatchAsync_v2(CUdeviceptr* to, CUdeviceptr* from, size_t* sizes, size_t count,
                               CUmemcpyAttributes* attributes, size_t* first,
                               size_t attribute_count, CUstream stream) {
  return forward_in_context<&cudaMemcpyBatchAsync>(
      "cuMemcpyBatchAsync", pointers_of(to), pointers_of(from), sizes, count,
      reinterpret_cast<cudaMemcpyAttributes*>(attributes), first, attribute_count, stream);
}
}
