// Arrays, textures and surfaces of the driver API: the same objects as the runtime's, described by
// other structures.
#include "../runtime/texture_kernels.hpp"
#include "support.hpp"

namespace bankproof::cuda::tests {
namespace {

using ptx::FaultKind;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class DriverTextures : public WithContext {};

CUarray float_array(std::size_t width, std::size_t height, unsigned flags = 0) {
  const CUDA_ARRAY3D_DESCRIPTOR of = {width, height, 0, CU_AD_FORMAT_FLOAT, 1, flags};
  CUarray array = nullptr;
  EXPECT_EQ(cuArray3DCreate(&array, &of), CUDA_SUCCESS);
  return array;
}

CUDA_RESOURCE_DESC resource_with(CUarray array) {
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  return resource;
}

TEST_F(DriverTextures, arrays_tell_what_they_are) {
  const CUDA_ARRAY_DESCRIPTOR of = {8, 4, CU_AD_FORMAT_UNSIGNED_INT16, 2};
  CUarray array = nullptr;
  ASSERT_EQ(cuArrayCreate(&array, &of), CUDA_SUCCESS);
  CUDA_ARRAY_DESCRIPTOR told = {};
  EXPECT_EQ(cuArrayGetDescriptor(&told, array), CUDA_SUCCESS);
  EXPECT_EQ(told.Width, 8U);
  EXPECT_EQ(told.Height, 4U);
  EXPECT_EQ(told.Format, CU_AD_FORMAT_UNSIGNED_INT16);
  EXPECT_EQ(told.NumChannels, 2U);
  CUDA_ARRAY3D_DESCRIPTOR all = {};
  EXPECT_EQ(cuArray3DGetDescriptor(&all, array), CUDA_SUCCESS);
  EXPECT_EQ(all.Depth, 0U);
  EXPECT_EQ(cuArrayDestroy(array), CUDA_SUCCESS);
  EXPECT_THAT(take_kinds(), IsEmpty());
  EXPECT_EQ(cuArrayGetDescriptor(&told, array), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuArrayDestroy(array), CUDA_ERROR_INVALID_VALUE);
  EXPECT_THAT(take_kinds(), ElementsAre(FaultKind::use_after_free, FaultKind::double_free));
  const CUDA_ARRAY_DESCRIPTOR wrong = {8, 4, CU_AD_FORMAT_FLOAT, 3};
  EXPECT_EQ(cuArrayCreate(&array, &wrong), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuArrayCreate(nullptr, &of), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuArrayGetDescriptor(nullptr, array), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverTextures, bytes_are_copied_from_and_to_arrays_of_one_dimension) {
  CUarray first = float_array(8, 0);
  CUarray second = float_array(8, 0);
  const float given[] = {0, 1, 2, 3, 4, 5, 6, 7};
  float found[8] = {};
  CUdeviceptr memory = 0;
  ASSERT_EQ(cuMemAlloc(&memory, sizeof given), CUDA_SUCCESS);
  EXPECT_EQ(cuMemcpyHtoA(first, 0, given, sizeof given), CUDA_SUCCESS);
  EXPECT_EQ(cuMemcpyAtoA(second, 0, first, 0, sizeof given), CUDA_SUCCESS);
  EXPECT_EQ(cuMemcpyAtoA(second, 0, first, 16, 8), CUDA_SUCCESS);
  EXPECT_EQ(cuMemcpyAtoD(memory, second, 0, sizeof given), CUDA_SUCCESS);
  EXPECT_EQ(cuMemcpyDtoA(first, 24, memory, 8), CUDA_SUCCESS);
  EXPECT_EQ(cuMemcpyAtoH(found, first, 0, sizeof found), CUDA_SUCCESS);
  EXPECT_THAT(found, ElementsAre(0, 1, 2, 3, 4, 5, 4, 5));
  EXPECT_EQ(cuMemcpyHtoAAsync(first, 4, given, 4, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuMemcpyAtoHAsync(found, first, 0, 8, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(found[1], 0);
  EXPECT_THAT(take_kinds(), IsEmpty());
  EXPECT_EQ(cuMemcpyHtoA(first, 4, given, sizeof given), CUDA_ERROR_INVALID_VALUE);
  const auto findings = take_findings();
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].kind, FaultKind::invalid_copy);
  EXPECT_THAT(findings[0].message, ::testing::StartsWith("cuMemcpyHtoA: 32 bytes from byte 4"));
  for (CUarray array : {first, second}) EXPECT_EQ(cuArrayDestroy(array), CUDA_SUCCESS);
  EXPECT_EQ(cuMemFree(memory), CUDA_SUCCESS);
}

TEST_F(DriverTextures, rows_are_copied_in_bytes) {
  CUarray array = float_array(4, 2);
  const float given[] = {0, 1, 2, 3, 4, 5, 6, 7};
  CUDA_MEMCPY2D in = {};
  in.srcMemoryType = CU_MEMORYTYPE_HOST;
  in.srcHost = given;
  in.srcPitch = 16;
  in.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  in.dstArray = array;
  in.WidthInBytes = 16;
  in.Height = 2;
  EXPECT_EQ(cuMemcpy2D(&in), CUDA_SUCCESS);
  float found[4] = {};
  CUDA_MEMCPY3D out = {};
  out.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  out.srcArray = array;
  out.srcXInBytes = 8;
  out.dstMemoryType = CU_MEMORYTYPE_HOST;
  out.dstHost = found;
  out.dstPitch = 8;
  out.WidthInBytes = 8;
  out.Height = 2;
  out.Depth = 1;
  EXPECT_EQ(cuMemcpy3D(&out), CUDA_SUCCESS);
  EXPECT_THAT(found, ElementsAre(2, 3, 6, 7));
  out.srcXInBytes = 6;
  EXPECT_EQ(cuMemcpy3D(&out), CUDA_ERROR_INVALID_VALUE);
  EXPECT_THAT(take_kinds(), IsEmpty());
  out.srcXInBytes = 12;
  EXPECT_EQ(cuMemcpy3D(&out), CUDA_ERROR_INVALID_VALUE);
  EXPECT_THAT(take_kinds(), ElementsAre(FaultKind::invalid_copy));
  EXPECT_EQ(cuArrayDestroy(array), CUDA_SUCCESS);
}

TEST_F(DriverTextures, and_surfaces_are_used_by_kernels) {
  CUarray array = float_array(8, 4, CUDA_ARRAY3D_SURFACE_LDST);
  const CUDA_RESOURCE_DESC resource = resource_with(array);
  CUsurfObject surface = 0;
  ASSERT_EQ(cuSurfObjectCreate(&surface, &resource), CUDA_SUCCESS);
  EXPECT_EQ(store_numbers(surface, {8, 4}, 0x3f800000), cudaSuccess);
  CUDA_TEXTURE_DESC sampling = {};
  for (CUaddress_mode& mode : sampling.addressMode) mode = CU_TR_ADDRESS_MODE_BORDER;
  sampling.borderColor[0] = 5;
  CUtexObject texture = 0;
  ASSERT_EQ(cuTexObjectCreate(&texture, &resource, &sampling, nullptr), CUDA_SUCCESS);
  const std::vector<TexelColor> colors = sampled(texture, {{0, 0}, {9, 0}});
  EXPECT_EQ(colors[0][0], 1);
  EXPECT_EQ(colors[1][0], 5);
  for (const ptx::KernelReport& launch : take_launches()) EXPECT_THAT(launch.faults, IsEmpty());

  CUDA_RESOURCE_DESC told = {};
  EXPECT_EQ(cuTexObjectGetResourceDesc(&told, texture), CUDA_SUCCESS);
  EXPECT_EQ(told.res.array.hArray, array);
  EXPECT_EQ(cuSurfObjectGetResourceDesc(&told, surface), CUDA_SUCCESS);
  CUDA_TEXTURE_DESC told_sampling = {};
  EXPECT_EQ(cuTexObjectGetTextureDesc(&told_sampling, texture), CUDA_SUCCESS);
  EXPECT_THAT(told_sampling.addressMode, Each(CU_TR_ADDRESS_MODE_BORDER));
  EXPECT_EQ(told_sampling.borderColor[0], 5);
  CUDA_RESOURCE_VIEW_DESC view = {};
  EXPECT_EQ(cuTexObjectGetResourceViewDesc(&view, texture), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
  EXPECT_EQ(cuTexObjectDestroy(texture), CUDA_SUCCESS);
  EXPECT_EQ(cuSurfObjectDestroy(surface), CUDA_SUCCESS);
  EXPECT_THAT(take_kinds(), IsEmpty());
  EXPECT_EQ(cuTexObjectDestroy(texture), CUDA_ERROR_INVALID_VALUE);
  EXPECT_THAT(take_kinds(), ElementsAre(FaultKind::double_free));
  EXPECT_EQ(cuArrayDestroy(array), CUDA_SUCCESS);
}

TEST_F(DriverTextures, read_integers_as_numbers_unless_a_flag_says_otherwise) {
  CUdeviceptr memory = 0;
  ASSERT_EQ(cuMemAlloc(&memory, 512), CUDA_SUCCESS);
  ASSERT_EQ(cuMemsetD8(memory, 51, 512), CUDA_SUCCESS);
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_PITCH2D;
  resource.res.pitch2D = {memory, CU_AD_FORMAT_UNSIGNED_INT8, 1, 8, 2, 256};
  CUDA_TEXTURE_DESC sampling = {};
  sampling.filterMode = CU_TR_FILTER_MODE_LINEAR;
  CUtexObject texture = 0;
  ASSERT_EQ(cuTexObjectCreate(&texture, &resource, &sampling, nullptr), CUDA_SUCCESS);
  EXPECT_FLOAT_EQ(sampled(texture, {{1, 1}}).front()[0], 0.2F);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
  CUDA_RESOURCE_DESC told = {};
  EXPECT_EQ(cuTexObjectGetResourceDesc(&told, texture), CUDA_SUCCESS);
  EXPECT_EQ(told.res.pitch2D.format, CU_AD_FORMAT_UNSIGNED_INT8);
  EXPECT_EQ(told.res.pitch2D.pitchInBytes, 256U);
  EXPECT_EQ(cuTexObjectDestroy(texture), CUDA_SUCCESS);
  // Integers are not filtered.
  sampling.flags = CU_TRSF_READ_AS_INTEGER;
  EXPECT_EQ(cuTexObjectCreate(&texture, &resource, &sampling, nullptr), CUDA_ERROR_INVALID_VALUE);
  std::size_t most = 0;
  EXPECT_EQ(cuDeviceGetTexture1DLinearMaxWidth(&most, CU_AD_FORMAT_FLOAT, 4, 0), CUDA_SUCCESS);
  EXPECT_GT(most, 0U);
  EXPECT_EQ(cuMemFree(memory), CUDA_SUCCESS);
}

TEST_F(DriverTextures, mipmapped_arrays_have_levels) {
  const CUDA_ARRAY3D_DESCRIPTOR of = {8, 8, 0, CU_AD_FORMAT_FLOAT, 1, 0};
  CUmipmappedArray mipmap = nullptr;
  ASSERT_EQ(cuMipmappedArrayCreate(&mipmap, &of, 3), CUDA_SUCCESS);
  CUarray level = nullptr;
  EXPECT_EQ(cuMipmappedArrayGetLevel(&level, mipmap, 2), CUDA_SUCCESS);
  CUDA_ARRAY_DESCRIPTOR told = {};
  EXPECT_EQ(cuArrayGetDescriptor(&told, level), CUDA_SUCCESS);
  EXPECT_EQ(told.Width, 2U);
  EXPECT_EQ(cuMipmappedArrayGetLevel(&level, mipmap, 3), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMipmappedArrayDestroy(mipmap), CUDA_SUCCESS);
  EXPECT_THAT(take_kinds(), IsEmpty());
}

}  // namespace
}  // namespace bankproof::cuda::tests
