// Copies and fills of bytes in a row; shapes.cpp has those of rows and planes.
#include "calls.hpp"
#include "contexts.hpp"
#include "fills.hpp"
#include "pointers.hpp"

using namespace bankproof::cuda::driver;  // NOLINT(google-build-using-namespace)

namespace {

/// A copy after which the host waits, as after cudaMemcpy.
CUresult copy(const char* call, void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return in_context(call, {}, [&] { return cudaMemcpy(to, from, bytes, kind); });
}
CUresult copy_in(const char* call, void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                 CUstream stream) {
  return in_context(call, {}, [&] { return cudaMemcpyAsync(to, from, bytes, kind, stream); });
}

/// Calls copy() if both contexts exist.
template <class Copy>
CUresult between(const char* call, CUcontext to, CUcontext from, Copy copy) {
  return in_context(call, {}, [&] {
    for (CUcontext context : {to, from}) {
      const CUresult error = require_alive(call, context);
      if (error != CUDA_SUCCESS) return error;
    }
    return as_result(copy());
  });
}

template <class T>
CUresult fill(const char* call, CUdeviceptr to, T value, size_t count, CUstream stream) {
  return fill_rows<T>(call, to, count * sizeof(T), value, count, 1, stream);
}

}  // namespace

extern "C" {
CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return copy("cuMemcpy", pointer_of(to), pointer_of(from), bytes, cudaMemcpyDefault);
}
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copy_in("cuMemcpyAsync", pointer_of(to), pointer_of(from), bytes, cudaMemcpyDefault,
                 stream);
}
CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext context, CUdeviceptr from, CUcontext other,
                      size_t bytes) {
  return between("cuMemcpyPeer", context, other, [&] {
    return cudaMemcpyPeer(pointer_of(to), context->device, pointer_of(from), other->device, bytes);
  });
}
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext context, CUdeviceptr from, CUcontext other,
                           size_t bytes, CUstream stream) {
  return between("cuMemcpyPeerAsync", context, other, [&] {
    return cudaMemcpyPeerAsync(pointer_of(to), context->device, pointer_of(from), other->device,
                               bytes, stream);
  });
}
CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void* from, size_t bytes) {
  return copy("cuMemcpyHtoD", pointer_of(to), from, bytes, cudaMemcpyHostToDevice);
}
CUresult cuMemcpyDtoH_v2(void* to, CUdeviceptr from, size_t bytes) {
  return copy("cuMemcpyDtoH", to, pointer_of(from), bytes, cudaMemcpyDeviceToHost);
}
CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return copy("cuMemcpyDtoD", pointer_of(to), pointer_of(from), bytes, cudaMemcpyDeviceToDevice);
}
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, size_t bytes, CUstream stream) {
  return copy_in("cuMemcpyHtoDAsync", pointer_of(to), from, bytes, cudaMemcpyHostToDevice, stream);
}
CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copy_in("cuMemcpyDtoHAsync", to, pointer_of(from), bytes, cudaMemcpyDeviceToHost, stream);
}
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copy_in("cuMemcpyDtoDAsync", pointer_of(to), pointer_of(from), bytes,
                 cudaMemcpyDeviceToDevice, stream);
}

CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t count) {
  return fill("cuMemsetD8", to, value, count, nullptr);
}
CUresult cuMemsetD16_v2(CUdeviceptr to, unsigned short value, size_t count) {
  return fill("cuMemsetD16", to, value, count, nullptr);
}
CUresult cuMemsetD32_v2(CUdeviceptr to, unsigned value, size_t count) {
  return fill("cuMemsetD32", to, value, count, nullptr);
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
  return fill("cuMemsetD8Async", to, value, count, stream);
}
CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream) {
  return fill("cuMemsetD16Async", to, value, count, stream);
}
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count, CUstream stream) {
  return fill("cuMemsetD32Async", to, value, count, stream);
}
}
