// Copies and fills of rows and planes. The structures say for each side whether it is memory of the
// host or of the device, and from which byte, row and plane of it.
#include <fmt/format.h>

#include "calls.hpp"
#include "copies.hpp"
#include "fills.hpp"
#include "pointers.hpp"
#include "texel_formats.hpp"

namespace bankproof::cuda::driver {

namespace {

/// One side of a copy.
struct Side {
  CUmemorytype type;
  const void* host;
  CUdeviceptr device;
  CUarray array;
  size_t pitch;
  size_t height;  // of a plane
  cudaPos at;
};

cudaPitchedPtr pitched(const Side& side, size_t width, size_t height) {
  void* const first =
      side.type == CU_MEMORYTYPE_HOST ? const_cast<void*>(side.host) : pointer_of(side.device);
  return {first, side.pitch == 0 ? side.at.x + width : side.pitch, width,
          side.height == 0 ? side.at.y + height : side.height};
}

cudaMemcpyKind kind_of(const Side& to, const Side& from) {
  if (to.type == CU_MEMORYTYPE_UNIFIED || from.type == CU_MEMORYTYPE_UNIFIED)
    return cudaMemcpyDefault;
  if (to.type == CU_MEMORYTYPE_HOST) {
    return from.type == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost;
  }
  return from.type == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToDevice;
}

/// The bytes, of a row of an array or of a place in one, become texels.
CUresult count_texels(const char* call, size_t texel, size_t& bytes) {
  if (bytes % texel != 0) {
    return fail(call, CUDA_ERROR_INVALID_VALUE,
                fmt::format("{} bytes are no whole texels of {} bytes", bytes, texel));
  }
  bytes /= texel;
  return CUDA_SUCCESS;
}

CUresult translate(const char* call, const Side& to, const Side& from, const cudaExtent& extent,
                   cudaMemcpy3DParms& copy) {
  copy = {};
  copy.extent = extent;
  copy.srcPtr = pitched(from, extent.width, extent.height);
  copy.srcPos = from.at;
  copy.dstPtr = pitched(to, extent.width, extent.height);
  copy.dstPos = to.at;
  copy.kind = kind_of(to, from);
  const auto translate_side = [&](const Side& side, cudaArray_t& array, cudaPos& at) {
    if (side.type < CU_MEMORYTYPE_HOST || side.type > CU_MEMORYTYPE_UNIFIED) {
      return fail(call, CUDA_ERROR_INVALID_VALUE, "there is no such type of memory");
    }
    if (side.type != CU_MEMORYTYPE_ARRAY) return CUDA_SUCCESS;
    array = array_of(side.array);
    const cudaError_t error = require_array(call, array);
    if (error != cudaSuccess) return as_result(error);
    const size_t texel = array->image.channels.bytes();
    copy.extent.width = extent.width;
    const CUresult place = count_texels(call, texel, at.x);
    return place == CUDA_SUCCESS ? count_texels(call, texel, copy.extent.width) : place;
  };
  const CUresult error = translate_side(to, copy.dstArray, copy.dstPos);
  return error == CUDA_SUCCESS ? translate_side(from, copy.srcArray, copy.srcPos) : error;
}

/// The host waits after a copy that has no stream.
struct Waiting {
  CUstream stream = nullptr;
  bool waits = true;
};

template <class Shape>
CUresult copy_shape(const char* call, const Shape* of, const Waiting& waiting) {
  return in_context(call, {of}, [&] {
    cudaMemcpy3DParms copy{};
    const CUresult error = copy_of_runtime(call, *of, copy);
    if (error != CUDA_SUCCESS) return error;
    return as_result(waiting.waits ? cudaMemcpy3D(&copy)
                                   : cudaMemcpy3DAsync(&copy, waiting.stream));
  });
}

}  // namespace

CUresult copy_of_runtime(const char* call, const CUDA_MEMCPY2D& of, cudaMemcpy3DParms& copy) {
  return translate(call,
                   {of.dstMemoryType,
                    of.dstHost,
                    of.dstDevice,
                    of.dstArray,
                    of.dstPitch,
                    0,
                    {of.dstXInBytes, of.dstY, 0}},
                   {of.srcMemoryType,
                    of.srcHost,
                    of.srcDevice,
                    of.srcArray,
                    of.srcPitch,
                    0,
                    {of.srcXInBytes, of.srcY, 0}},
                   {of.WidthInBytes, of.Height, 1}, copy);
}

CUresult copy_of_runtime(const char* call, const CUDA_MEMCPY3D& of, cudaMemcpy3DParms& copy) {
  return translate(call,
                   {of.dstMemoryType,
                    of.dstHost,
                    of.dstDevice,
                    of.dstArray,
                    of.dstPitch,
                    of.dstHeight,
                    {of.dstXInBytes, of.dstY, of.dstZ}},
                   {of.srcMemoryType,
                    of.srcHost,
                    of.srcDevice,
                    of.srcArray,
                    of.srcPitch,
                    of.srcHeight,
                    {of.srcXInBytes, of.srcY, of.srcZ}},
                   {of.WidthInBytes, of.Height, of.Depth}, copy);
}

}  // namespace bankproof::cuda::driver

using namespace bankproof::cuda::driver;  // NOLINT(google-build-using-namespace)

extern "C" {
CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D* copy) { return copy_shape("cuMemcpy2D", copy, {}); }
CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D* copy) {
  return copy_shape("cuMemcpy2DUnaligned", copy, {});
}
CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* copy, CUstream stream) {
  return copy_shape("cuMemcpy2DAsync", copy, {stream, false});
}
CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D* copy) { return copy_shape("cuMemcpy3D", copy, {}); }
CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D* copy, CUstream stream) {
  return copy_shape("cuMemcpy3DAsync", copy, {stream, false});
}

CUresult cuMemsetD2D8_v2(CUdeviceptr to, size_t pitch, unsigned char value, size_t width,
                         size_t height) {
  return fill_rows("cuMemsetD2D8", to, pitch, value, width, height, nullptr);
}
CUresult cuMemsetD2D16_v2(CUdeviceptr to, size_t pitch, unsigned short value, size_t width,
                          size_t height) {
  return fill_rows("cuMemsetD2D16", to, pitch, value, width, height, nullptr);
}
CUresult cuMemsetD2D32_v2(CUdeviceptr to, size_t pitch, unsigned value, size_t width,
                          size_t height) {
  return fill_rows("cuMemsetD2D32", to, pitch, value, width, height, nullptr);
}
CUresult cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value, size_t width,
                           size_t height, CUstream stream) {
  return fill_rows("cuMemsetD2D8Async", to, pitch, value, width, height, stream);
}
CUresult cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short value, size_t width,
                            size_t height, CUstream stream) {
  return fill_rows("cuMemsetD2D16Async", to, pitch, value, width, height, stream);
}
CUresult cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned value, size_t width,
                            size_t height, CUstream stream) {
  return fill_rows("cuMemsetD2D32Async", to, pitch, value, width, height, stream);
}
}
