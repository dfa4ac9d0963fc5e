// Kernels that use textures and surfaces, as PTX, for tests that need no compiler of CUDA.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "support.hpp"

namespace bankproof::cuda::tests {

inline const std::string texture_code = R"(.version 7.0
.target sm_80
.address_size 64
.visible .entry sample(.param .u64 texture, .param .u64 places, .param .u64 colors)
{
  .reg .b64 %rd<6>;
  .reg .b32 %r<2>;
  .reg .f32 %f<8>;
  ld.param.u64 %rd1, [texture];
  ld.param.u64 %rd2, [places];
  ld.param.u64 %rd3, [colors];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd4, %r1, 8;
  add.s64 %rd4, %rd2, %rd4;
  ld.global.v2.f32 {%f1, %f2}, [%rd4];
  tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%rd1, {%f1, %f2}];
  mul.wide.u32 %rd5, %r1, 16;
  add.s64 %rd5, %rd3, %rd5;
  st.global.v4.f32 [%rd5], {%f3, %f4, %f5, %f6};
  ret;
}
.visible .entry fetch(.param .u64 texture, .param .u64 numbers)
{
  .reg .b64 %rd<4>;
  .reg .b32 %r<8>;
  ld.param.u64 %rd1, [texture];
  ld.param.u64 %rd2, [numbers];
  mov.u32 %r1, %tid.x;
  tex.1d.v4.u32.s32 {%r2, %r3, %r4, %r5}, [%rd1, {%r1}];
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd3, %rd2, %rd3;
  st.global.u32 [%rd3], %r2;
  ret;
}
.visible .entry store(.param .u64 surface, .param .u32 added)
{
  .reg .b64 %rd<2>;
  .reg .b32 %r<8>;
  ld.param.u64 %rd1, [surface];
  ld.param.u32 %r5, [added];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %tid.y;
  mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r4, %r2, %r3, %r1;
  add.u32 %r4, %r4, %r5;
  shl.b32 %r6, %r1, 2;
  sust.b.2d.b32.trap [%rd1, {%r6, %r2}], {%r4};
  ret;
}
)";

/// The kernel of texture_code, for cudaLaunchKernel.
inline const void* texture_kernel(const char* name) {
  static cudaLibrary_t library = nullptr;
  if (library == nullptr) {
    cudaLibraryLoadData(&library, texture_code.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0);
  }
  cudaKernel_t kernel = nullptr;
  EXPECT_EQ(cudaLibraryGetKernel(&kernel, library, name), cudaSuccess);
  return reinterpret_cast<const void*>(kernel);
}

using TexelColor = std::array<float, 4>;
using TexelPlace = std::array<float, 2>;

/// What the texture gives at these places.
inline std::vector<TexelColor> sampled(cudaTextureObject_t texture,
                                       const std::vector<TexelPlace>& places) {
  DeviceArray<TexelPlace> in(places);
  DeviceArray<TexelColor> out(places.size());
  TexelPlace* from = in.data();
  TexelColor* to = out.data();
  void* arguments[] = {&texture, &from, &to};
  EXPECT_EQ(cudaLaunchKernel(texture_kernel("sample"), 1, static_cast<unsigned>(places.size()),
                             arguments, 0, nullptr),
            cudaSuccess);
  return out.values();
}

/// Writes `added` + x + width · y to the texels of the surface.
inline cudaError_t store_numbers(cudaSurfaceObject_t surface, dim3 texels, unsigned added,
                                 cudaStream_t stream = nullptr) {
  void* arguments[] = {&surface, &added};
  return cudaLaunchKernel(texture_kernel("store"), 1, texels, arguments, 0, stream);
}

inline cudaChannelFormatDesc words_of(cudaChannelFormatKind kind) { return {32, 0, 0, 0, kind}; }

inline cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

/// A 2-D array of one word a texel, until the test ends.
struct TestArray {
  explicit TestArray(std::size_t width, std::size_t height,
                     cudaChannelFormatKind kind = cudaChannelFormatKindFloat, unsigned flags = 0) {
    const cudaChannelFormatDesc channels = words_of(kind);
    EXPECT_EQ(cudaMallocArray(&array, &channels, width, height, flags), cudaSuccess);
  }
  ~TestArray() { cudaFreeArray(array); }
  TestArray(const TestArray&) = delete;
  TestArray& operator=(const TestArray&) = delete;
  cudaArray_t array = nullptr;
};

}  // namespace bankproof::cuda::tests
