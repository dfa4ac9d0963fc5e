// Arrays, and copies of bytes from and to 1-D arrays, by the functions of CUDA's runtime;
// shapes.cpp has copies of rows and planes.
#include "calls.hpp"
#include "pointers.hpp"
#include "texel_formats.hpp"

using namespace bankproof::cuda::driver;  // NOLINT(google-build-using-namespace)

namespace {

CUresult create_array(const char* call, CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR& of) {
  return in_context(call, {array}, [&] {
    const cudaChannelFormatDesc channels = channels_of({of.Format, of.NumChannels});
    cudaArray_t made = nullptr;
    const cudaError_t error =
        cudaMalloc3DArray(&made, &channels, {of.Width, of.Height, of.Depth}, of.Flags);
    if (error == cudaSuccess) *array = array_of(made);
    return error;
  });
}

CUresult describe(const char* call, CUDA_ARRAY3D_DESCRIPTOR* of, CUarray array) {
  return in_context(call, {of}, [&] {
    cudaChannelFormatDesc channels = {};
    cudaExtent extent = {};
    unsigned flags = 0;
    const cudaError_t error = cudaArrayGetInfo(&channels, &extent, &flags, array_of(array));
    if (error != cudaSuccess || of == nullptr) return error;
    const DriverFormat format = format_of(channels);
    *of = {extent.width, extent.height, extent.depth, format.format, format.channels, flags};
    return error;
  });
}

template <class Copy>
CUresult copy_of_array(const char* call, Copy copy) {
  return in_context(call, {}, copy);
}

}  // namespace

extern "C" {
CUresult cuArrayCreate_v2(CUarray* array, const CUDA_ARRAY_DESCRIPTOR* of) {
  CUDA_ARRAY3D_DESCRIPTOR all = {};
  if (of != nullptr) all = {of->Width, of->Height, 0, of->Format, of->NumChannels, 0};
  return in_context("cuArrayCreate", {array, of},
                    [&] { return create_array("cuArrayCreate", array, all); });
}
CUresult cuArray3DCreate_v2(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* of) {
  return in_context("cuArray3DCreate", {array, of},
                    [&] { return create_array("cuArray3DCreate", array, *of); });
}
CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR* of, CUarray array) {
  CUDA_ARRAY3D_DESCRIPTOR all = {};
  const CUresult error = describe("cuArrayGetDescriptor", of == nullptr ? nullptr : &all, array);
  if (error == CUDA_SUCCESS && of != nullptr)
    *of = {all.Width, all.Height, all.Format, all.NumChannels};
  return error;
}
CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR* of, CUarray array) {
  return describe("cuArray3DGetDescriptor", of, array);
}
CUresult cuArrayDestroy(CUarray array) {
  return in_context("cuArrayDestroy", {array}, [&] { return cudaFreeArray(array_of(array)); });
}
CUresult cuMipmappedArrayCreate(CUmipmappedArray* array, const CUDA_ARRAY3D_DESCRIPTOR* of,
                                unsigned levels) {
  return in_context("cuMipmappedArrayCreate", {array, of}, [&] {
    const cudaChannelFormatDesc channels = channels_of({of->Format, of->NumChannels});
    cudaMipmappedArray_t made = nullptr;
    const cudaError_t error = cudaMallocMipmappedArray(
        &made, &channels, {of->Width, of->Height, of->Depth}, levels, of->Flags);
    if (error == cudaSuccess) *array = array_of(made);
    return error;
  });
}
CUresult cuMipmappedArrayGetLevel(CUarray* level, CUmipmappedArray array, unsigned number) {
  return in_context("cuMipmappedArrayGetLevel", {level}, [&] {
    cudaArray_t found = nullptr;
    const cudaError_t error = cudaGetMipmappedArrayLevel(&found, array_of(array), number);
    if (error == cudaSuccess) *level = array_of(found);
    return error;
  });
}
CUresult cuMipmappedArrayDestroy(CUmipmappedArray array) {
  return in_context("cuMipmappedArrayDestroy", {array},
                    [&] { return cudaFreeMipmappedArray(array_of(array)); });
}

CUresult cuMemcpyDtoA_v2(CUarray to, size_t offset, CUdeviceptr from, size_t bytes) {
  return copy_of_array("cuMemcpyDtoA", [&] {
    return cudaMemcpyToArray(array_of(to), offset, 0, pointer_of(from), bytes,
                             cudaMemcpyDeviceToDevice);
  });
}
CUresult cuMemcpyAtoD_v2(CUdeviceptr to, CUarray from, size_t offset, size_t bytes) {
  return copy_of_array("cuMemcpyAtoD", [&] {
    return cudaMemcpyFromArray(pointer_of(to), array_of(from), offset, 0, bytes,
                               cudaMemcpyDeviceToDevice);
  });
}
CUresult cuMemcpyHtoA_v2(CUarray to, size_t offset, const void* from, size_t bytes) {
  return copy_of_array("cuMemcpyHtoA", [&] {
    return cudaMemcpyToArray(array_of(to), offset, 0, from, bytes, cudaMemcpyHostToDevice);
  });
}
CUresult cuMemcpyAtoH_v2(void* to, CUarray from, size_t offset, size_t bytes) {
  return copy_of_array("cuMemcpyAtoH", [&] {
    return cudaMemcpyFromArray(to, array_of(from), offset, 0, bytes, cudaMemcpyDeviceToHost);
  });
}
CUresult cuMemcpyAtoA_v2(CUarray to, size_t to_offset, CUarray from, size_t from_offset,
                         size_t bytes) {
  return copy_of_array("cuMemcpyAtoA", [&] {
    return cudaMemcpyArrayToArray(array_of(to), to_offset, 0, array_of(from), from_offset, 0, bytes,
                                  cudaMemcpyDeviceToDevice);
  });
}
CUresult cuMemcpyHtoAAsync_v2(CUarray to, size_t offset, const void* from, size_t bytes,
                              CUstream stream) {
  return copy_of_array("cuMemcpyHtoAAsync", [&] {
    return cudaMemcpyToArrayAsync(array_of(to), offset, 0, from, bytes, cudaMemcpyHostToDevice,
                                  stream);
  });
}
CUresult cuMemcpyAtoHAsync_v2(void* to, CUarray from, size_t offset, size_t bytes,
                              CUstream stream) {
  return copy_of_array("cuMemcpyAtoHAsync", [&] {
    return cudaMemcpyFromArrayAsync(to, array_of(from), offset, 0, bytes, cudaMemcpyDeviceToHost,
                                    stream);
  });
}
}
