// Textures and surfaces: what they give, descriptions that CUDA refuses, and objects that are
// destroyed while kernels may use them.
#include <cmath>
#include <cstring>

#include "texture_kernels.hpp"

namespace bankproof::cuda::tests {
namespace {

using ptx::FaultKind;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

cudaTextureDesc linear_sampling() {
  cudaTextureDesc sampling = {};
  for (cudaTextureAddressMode& mode : sampling.addressMode) mode = cudaAddressModeWrap;
  sampling.filterMode = cudaFilterModeLinear;
  sampling.normalizedCoords = 1;
  return sampling;
}

cudaTextureObject_t texture_of(const cudaResourceDesc& resource, const cudaTextureDesc& sampling) {
  cudaTextureObject_t texture = 0;
  EXPECT_EQ(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr), cudaSuccess);
  return texture;
}

/// An array of 4 x 2 numbers from 0 on.
struct Numbers : TestArray {
  explicit Numbers(unsigned flags = 0) : TestArray(4, 2, cudaChannelFormatKindFloat, flags) {
    const float given[] = {0, 1, 2, 3, 4, 5, 6, 7};
    EXPECT_EQ(cudaMemcpyToArray(array, 0, 0, given, sizeof given, cudaMemcpyHostToDevice),
              cudaSuccess);
  }
};

std::vector<float> first_channels(const std::vector<TexelColor>& colors) {
  std::vector<float> all;
  for (const TexelColor& color : colors) all.push_back(color[0]);
  return all;
}

TEST(Textures, of_arrays_filter_and_wrap) {
  take_launches();
  const Numbers numbers;
  const cudaTextureObject_t texture = texture_of(resource_of(numbers.array), linear_sampling());
  // The center of a texel; halfway between two, and between four; and the first column once more.
  EXPECT_THAT(first_channels(sampled(
                  texture, {{0.125F, 0.25F}, {0.25F, 0.25F}, {0.5F, 0.5F}, {1.125F, 0.75F}})),
              ElementsAre(0, 0.5F, 3.5F, 4));
  EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
  expect_no_faults();
  EXPECT_THAT(take_kinds(), IsEmpty());
}

TEST(Textures, of_rows_with_a_pitch_clamp) {
  take_launches();
  DeviceArray<float> rows(std::vector<float>(256, 9));
  const float given[] = {1, 2, 3, 4};
  EXPECT_EQ(cudaMemcpy2D(rows.data(), 512, given, 8, 8, 2, cudaMemcpyHostToDevice), cudaSuccess);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  auto& of = resource.res.pitch2D;
  of.devPtr = rows.data();
  of.desc = words_of(cudaChannelFormatKindFloat);
  of.width = of.height = 2;
  of.pitchInBytes = 512;
  cudaTextureDesc sampling = {};  // wrap, which clamps without normalized coordinates
  const cudaTextureObject_t texture = texture_of(resource, sampling);
  EXPECT_THAT(first_channels(sampled(texture, {{0, 0}, {1, 0}, {-5, 1}, {9, 9}})),
              ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
  expect_no_faults();
  of.pitchInBytes = 500;
  cudaTextureObject_t none = 0;
  EXPECT_EQ(cudaCreateTextureObject(&none, &resource, &sampling, nullptr), cudaErrorInvalidValue);
  of.pitchInBytes = 512;
  of.height = 3;  // beyond the allocation
  EXPECT_EQ(cudaCreateTextureObject(&none, &resource, &sampling, nullptr), cudaErrorInvalidValue);
  EXPECT_THAT(take_kinds(), ElementsAre(FaultKind::invalid_copy));
  cudaGetLastError();
}

cudaError_t fetch(cudaTextureObject_t texture, unsigned* numbers, unsigned count) {
  void* arguments[] = {&texture, &numbers};
  return cudaLaunchKernel(texture_kernel("fetch"), 1, count, arguments, 0, nullptr);
}

TEST(Textures, of_linear_memory_are_fetched_by_number) {
  take_launches();
  DeviceArray<unsigned> given(std::vector<unsigned>{3, 1, 4});
  DeviceArray<unsigned> found(4);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = given.data();
  resource.res.linear.desc = words_of(cudaChannelFormatKindUnsigned);
  resource.res.linear.sizeInBytes = 12;
  cudaTextureDesc sampling = {};
  sampling.filterMode = cudaFilterModeLinear;  // which linear memory ignores
  const cudaTextureObject_t texture = texture_of(resource, sampling);
  EXPECT_EQ(fetch(texture, found.data(), 4), cudaSuccess);
  EXPECT_THAT(found.values(), ElementsAre(3, 1, 4, 0));
  EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
  expect_no_faults();
  resource.res.linear.devPtr = given.data() + 1;
  cudaTextureObject_t none = 0;
  EXPECT_EQ(cudaCreateTextureObject(&none, &resource, &sampling, nullptr), cudaErrorInvalidValue);
  cudaGetLastError();
  EXPECT_THAT(take_kinds(), IsEmpty());
}

TEST(Textures, of_freed_memory_read_nothing) {
  take_launches();
  unsigned* given = nullptr;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&given), 16), cudaSuccess);
  ASSERT_EQ(cudaMemset(given, 0, 16), cudaSuccess);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = given;
  resource.res.linear.desc = words_of(cudaChannelFormatKindUnsigned);
  resource.res.linear.sizeInBytes = 16;
  const cudaTextureObject_t texture = texture_of(resource, {});
  DeviceArray<unsigned> found(4);
  ASSERT_EQ(cudaFree(given), cudaSuccess);
  fetch(texture, found.data(), 4);
  const auto launches = take_launches();
  ASSERT_EQ(launches.size(), 1U);
  ASSERT_FALSE(launches[0].faults.empty());
  EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
  take_findings();
}

TEST(Textures, have_borders_of_integers) {
  const TestArray numbers(2, 1, cudaChannelFormatKindSigned);
  const int given[] = {1, 2};
  EXPECT_EQ(cudaMemcpyToArray(numbers.array, 0, 0, given, 8, cudaMemcpyHostToDevice), cudaSuccess);
  cudaTextureDesc sampling = {};
  for (cudaTextureAddressMode& mode : sampling.addressMode) mode = cudaAddressModeBorder;
  const int border = -7;
  std::memcpy(sampling.borderColor, &border, sizeof border);
  const cudaTextureObject_t texture = texture_of(resource_of(numbers.array), sampling);
  const std::vector<float> colors = first_channels(sampled(texture, {{1, 0}, {2, 0}}));
  int read[2] = {};
  std::memcpy(read, colors.data(), sizeof read);
  EXPECT_THAT(read, ElementsAre(2, border));
  EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
}

TEST(Textures, that_cuda_has_not_are_refused) {
  const TestArray integers(4, 4, cudaChannelFormatKindUnsigned);
  const Numbers numbers;
  cudaTextureObject_t texture = 0;
  const auto error_of = [&](const cudaResourceDesc& resource, const cudaTextureDesc& sampling,
                            const cudaResourceViewDesc* view = nullptr) {
    return cudaCreateTextureObject(&texture, &resource, &sampling, view);
  };
  EXPECT_EQ(error_of(resource_of(integers.array), linear_sampling()),
            cudaErrorInvalidFilterSetting);
  cudaTextureDesc sampling = {};
  const int no_mode = 7;
  std::memcpy(&sampling.addressMode[1], &no_mode, sizeof no_mode);
  EXPECT_EQ(error_of(resource_of(numbers.array), sampling), cudaErrorInvalidValue);
  EXPECT_EQ(error_of(resource_of(nullptr), {}), cudaErrorInvalidResourceHandle);
  cudaResourceDesc resource = resource_of(numbers.array);
  std::memcpy(&resource.resType, &no_mode, sizeof no_mode);
  EXPECT_EQ(error_of(resource, {}), cudaErrorInvalidValue);
  sampling = {};
  sampling.seamlessCubemap = 1;
  EXPECT_EQ(error_of(resource_of(numbers.array), sampling), cudaErrorInvalidValue);
  cudaResourceViewDesc view = {};
  view.width = 4;
  view.height = 3;
  EXPECT_EQ(error_of(resource_of(numbers.array), {}, &view), cudaErrorInvalidValue);
  view.height = 2;
  view.lastMipmapLevel = 1;
  EXPECT_EQ(error_of(resource_of(numbers.array), {}, &view), cudaErrorInvalidValue);
  view.lastMipmapLevel = 0;
  view.format = cudaResViewFormatUnsignedShort1;
  EXPECT_EQ(error_of(resource_of(numbers.array), {}, &view), cudaErrorInvalidValue);
  const cudaResourceDesc right = resource_of(numbers.array);
  const cudaTextureDesc plain = {};
  EXPECT_EQ(cudaCreateTextureObject(nullptr, &right, &plain, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaCreateTextureObject(&texture, nullptr, &plain, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaCreateTextureObject(&texture, &right, nullptr, nullptr), cudaErrorInvalidValue);
  // A mipmap needs normalized coordinates.
  cudaMipmappedArray_t mipmap = nullptr;
  const cudaChannelFormatDesc floats = words_of(cudaChannelFormatKindFloat);
  ASSERT_EQ(cudaMallocMipmappedArray(&mipmap, &floats, {4, 4, 0}, 2), cudaSuccess);
  resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = mipmap;
  EXPECT_EQ(error_of(resource, {}), cudaErrorInvalidValue);
  EXPECT_EQ(error_of(resource, linear_sampling()), cudaSuccess);
  EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
  EXPECT_EQ(cudaFreeMipmappedArray(mipmap), cudaSuccess);
  EXPECT_THAT(take_kinds(), IsEmpty());
  cudaGetLastError();
}

TEST(Textures, read_the_format_of_their_view) {
  const Numbers numbers;
  const cudaResourceDesc resource = resource_of(numbers.array);
  cudaTextureDesc sampling = {};
  sampling.readMode = cudaReadModeNormalizedFloat;
  cudaResourceViewDesc view = {};
  view.format = cudaResViewFormatUnsignedShort2;
  view.width = 4;
  view.height = 2;
  cudaTextureObject_t texture = 0;
  ASSERT_EQ(cudaCreateTextureObject(&texture, &resource, &sampling, &view), cudaSuccess);
  // 1.0F is 0x3f800000.
  const TexelColor color = sampled(texture, {{1, 0}}).front();
  EXPECT_EQ(color[0], 0);
  EXPECT_FLOAT_EQ(color[1], 0x3f80 / 65535.0F);
  cudaResourceViewDesc told = {};
  EXPECT_EQ(cudaGetTextureObjectResourceViewDesc(&told, texture), cudaSuccess);
  EXPECT_EQ(std::memcmp(&told, &view, sizeof view), 0);
  EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
}

TEST(Textures, tell_what_they_were_made_of) {
  take_findings();
  const Numbers numbers(cudaArraySurfaceLoadStore);
  const cudaTextureDesc sampling = linear_sampling();
  const cudaTextureObject_t texture = texture_of(resource_of(numbers.array), sampling);
  const cudaResourceDesc resource = resource_of(numbers.array);
  cudaSurfaceObject_t surface = 0;
  ASSERT_EQ(cudaCreateSurfaceObject(&surface, &resource), cudaSuccess);
  cudaResourceDesc told = {};
  cudaTextureDesc told_sampling = {};
  cudaResourceViewDesc view = {};
  EXPECT_EQ(cudaGetTextureObjectResourceDesc(&told, texture), cudaSuccess);
  EXPECT_EQ(told.res.array.array, numbers.array);
  EXPECT_EQ(cudaGetTextureObjectTextureDesc(&told_sampling, texture), cudaSuccess);
  EXPECT_EQ(std::memcmp(&told_sampling, &sampling, sizeof sampling), 0);
  EXPECT_EQ(cudaGetTextureObjectResourceViewDesc(&view, texture), cudaErrorInvalidValue);
  told = {};
  EXPECT_EQ(cudaGetSurfaceObjectResourceDesc(&told, surface), cudaSuccess);
  EXPECT_EQ(told.res.array.array, numbers.array);
  // A surface is no texture.
  EXPECT_EQ(cudaGetTextureObjectResourceDesc(&told, surface), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetTextureObjectResourceDesc(nullptr, texture), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDestroyTextureObject(surface), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
  EXPECT_EQ(cudaDestroySurfaceObject(surface), cudaSuccess);
  EXPECT_THAT(take_kinds(), IsEmpty());
  EXPECT_EQ(cudaGetTextureObjectResourceDesc(&told, texture), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDestroyTextureObject(texture), cudaErrorInvalidValue);
  EXPECT_THAT(take_kinds(), ElementsAre(FaultKind::use_after_free, FaultKind::double_free));
  std::size_t most = 0;
  const cudaChannelFormatDesc floats = words_of(cudaChannelFormatKindFloat);
  EXPECT_EQ(cudaDeviceGetTexture1DLinearMaxWidth(&most, &floats, 0), cudaSuccess);
  EXPECT_EQ(most, std::size_t{1} << 28);
  EXPECT_EQ(cudaDeviceGetTexture1DLinearMaxWidth(&most, &floats, 99), cudaErrorInvalidDevice);
  cudaGetLastError();
}

TEST(Textures, that_were_destroyed_are_told_even_if_the_launch_repeats) {
  const Numbers numbers;
  const cudaTextureObject_t texture = texture_of(resource_of(numbers.array), linear_sampling());
  DeviceArray<TexelPlace> places(std::vector<TexelPlace>{{0.5F, 0.5F}});
  DeviceArray<TexelColor> colors(1);
  const auto launch = [&] {
    cudaTextureObject_t of = texture;
    TexelPlace* from = places.data();
    TexelColor* to = colors.data();
    void* arguments[] = {&of, &from, &to};
    EXPECT_EQ(cudaLaunchKernel(texture_kernel("sample"), 1, 1, arguments, 0, nullptr), cudaSuccess);
  };
  take_launches();
  for (int k = 0; k < 4; ++k) launch();
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  expect_no_faults();
  EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
  EXPECT_THAT(take_kinds(), IsEmpty());
  launch();
  const auto launches = take_launches();
  ASSERT_EQ(launches.size(), 1U);
  ASSERT_EQ(launches[0].faults.size(), 1U);
  EXPECT_THAT(launches[0].faults[0].message, ::testing::HasSubstr("is the handle of no texture"));
}

TEST(Textures, that_a_kernel_in_flight_uses_are_not_destroyed) {
  take_findings();
  const Numbers numbers;
  const cudaTextureObject_t texture = texture_of(resource_of(numbers.array), linear_sampling());
  DeviceArray<TexelPlace> places(std::vector<TexelPlace>{{0.5F, 0.5F}});
  DeviceArray<TexelColor> colors(1);
  cudaTextureObject_t of = texture;
  TexelPlace* from = places.data();
  TexelColor* to = colors.data();
  void* arguments[] = {&of, &from, &to};
  EXPECT_EQ(cudaLaunchKernel(texture_kernel("sample"), 1, 1, arguments, 0, nullptr), cudaSuccess);
  EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
  EXPECT_THAT(take_kinds(), ElementsAre(FaultKind::race));
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  take_launches();
}

TEST(Surfaces, are_written_by_kernels_and_read_by_textures) {
  take_launches();
  const TestArray numbers(8, 4, cudaChannelFormatKindFloat, cudaArraySurfaceLoadStore);
  const cudaResourceDesc resource = resource_of(numbers.array);
  cudaSurfaceObject_t surface = 0;
  ASSERT_EQ(cudaCreateSurfaceObject(&surface, &resource), cudaSuccess);
  EXPECT_EQ(store_numbers(surface, {8, 4}, 0x3f800000), cudaSuccess);
  const cudaTextureObject_t texture = texture_of(resource, {});
  const std::vector<float> read = first_channels(sampled(texture, {{0, 0}, {7, 3}}));
  EXPECT_THAT(read, ElementsAre(1.0F, 1.0F + 31 * std::ldexp(1.0F, -23)));
  EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
  expect_no_faults();
  // A column more than there is.
  EXPECT_EQ(store_numbers(surface, {9, 4}, 0), cudaSuccess);
  const auto launches = take_launches();
  ASSERT_EQ(launches.size(), 1U);
  ASSERT_EQ(launches[0].faults.size(), 1U);
  EXPECT_EQ(launches[0].faults[0].kind, FaultKind::out_of_bounds);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cudaDestroySurfaceObject(surface), cudaSuccess);
  EXPECT_THAT(take_kinds(), IsEmpty());
}

TEST(Surfaces, need_an_array_that_allows_them) {
  const Numbers numbers;
  const cudaResourceDesc resource = resource_of(numbers.array);
  cudaSurfaceObject_t surface = 0;
  EXPECT_EQ(cudaCreateSurfaceObject(&surface, &resource), cudaErrorInvalidValue);
  EXPECT_EQ(cudaCreateSurfaceObject(&surface, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDestroySurfaceObject(12345), cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST(Textures, of_uninitialized_arrays_are_told) {
  take_launches();
  const TestArray numbers(4, 2);
  const cudaTextureObject_t texture = texture_of(resource_of(numbers.array), {});
  sampled(texture, {{0, 0}});
  const auto launches = take_launches();
  ASSERT_EQ(launches.size(), 1U);
  ASSERT_EQ(launches[0].faults.size(), 1U);
  EXPECT_EQ(launches[0].faults[0].kind, FaultKind::uninitialized);
  EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
}

}  // namespace
}  // namespace bankproof::cuda::tests
