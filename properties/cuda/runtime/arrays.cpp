// CUDA arrays: what they can be, copies from and to them, and what programs do wrong with them.
#include <gtest/gtest.h>
// Must follow GoogleTest.
#include <rapidcheck/gtest.h>

#include <cstring>
#include <numeric>

#include "texture_kernels.hpp"

namespace bankproof::cuda::tests {
namespace {

using ptx::FaultKind;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const cudaChannelFormatDesc floats = words_of(cudaChannelFormatKindFloat);

RC_GTEST_PROP(Arrays, keep_the_rows_that_are_copied_to_them, ()) {
  const auto width = *rc::gen::inRange<std::size_t>(1, 20);
  const auto height = *rc::gen::inRange<std::size_t>(1, 12);
  const auto x = *rc::gen::inRange<std::size_t>(0, width);
  const auto y = *rc::gen::inRange<std::size_t>(0, height);
  const auto columns = *rc::gen::inRange<std::size_t>(1, width - x + 1);
  const auto rows = *rc::gen::inRange<std::size_t>(1, height - y + 1);
  const auto padding = *rc::gen::inRange<std::size_t>(0, 3);
  std::vector<int> all(width * height);
  std::iota(all.begin(), all.end(), 0);
  const std::size_t pitch = columns + padding;
  std::vector<int> part(pitch * rows);
  std::iota(part.begin(), part.end(), 1000);
  cudaArray_t first = nullptr, second = nullptr;
  for (cudaArray_t* array : {&first, &second}) {
    RC_ASSERT(cudaMallocArray(array, &floats, width, height) == cudaSuccess);
  }
  RC_ASSERT(cudaMemcpyToArray(first, 0, 0, all.data(), all.size() * 4, cudaMemcpyHostToDevice) ==
            cudaSuccess);
  RC_ASSERT(cudaMemcpy2DToArray(first, x * 4, y, part.data(), pitch * 4, columns * 4, rows,
                                cudaMemcpyHostToDevice) == cudaSuccess);
  RC_ASSERT(cudaMemcpy2DArrayToArray(second, 0, 0, first, 0, 0, width * 4, height) == cudaSuccess);
  std::vector<int> result(all.size());
  RC_ASSERT(cudaMemcpyFromArray(result.data(), second, 0, 0, result.size() * 4,
                                cudaMemcpyDeviceToHost) == cudaSuccess);
  std::vector<int> back(columns * rows);
  RC_ASSERT(cudaMemcpy2DFromArray(back.data(), columns * 4, second, x * 4, y, columns * 4, rows,
                                  cudaMemcpyDefault) == cudaSuccess);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      const int given = part[row * pitch + column];
      all[(y + row) * width + x + column] = given;
      RC_ASSERT(back[row * columns + column] == given);
    }
  }
  RC_ASSERT(result == all);
  RC_ASSERT(cudaFreeArray(first) == cudaSuccess);
  RC_ASSERT(cudaFreeArray(second) == cudaSuccess);
  RC_ASSERT(take_kinds().empty());
}

TEST(Arrays, of_three_dimensions_are_copied_by_texels) {
  const cudaChannelFormatDesc shorts = {16, 16, 0, 0, cudaChannelFormatKindSigned};
  cudaArray_t array = nullptr;
  ASSERT_EQ(cudaMalloc3DArray(&array, &shorts, {4, 3, 2}), cudaSuccess);
  std::vector<int> given(24), result(8);
  std::iota(given.begin(), given.end(), 0);
  cudaMemcpy3DParms in = {};
  in.srcPtr = {given.data(), 16, 4, 3};
  in.dstArray = array;
  in.extent = {4, 3, 2};
  in.kind = cudaMemcpyHostToDevice;
  EXPECT_EQ(cudaMemcpy3D(&in), cudaSuccess);
  cudaMemcpy3DParms out = {};
  out.srcArray = array;
  out.srcPos = {2, 1, 0};
  out.dstPtr = {result.data(), 8, 8, 2};
  out.extent = {2, 2, 2};
  out.kind = cudaMemcpyDeviceToHost;
  EXPECT_EQ(cudaMemcpy3D(&out), cudaSuccess);
  EXPECT_THAT(result, ElementsAre(6, 7, 10, 11, 18, 19, 22, 23));
  out.srcPos = {3, 0, 0};
  EXPECT_EQ(cudaMemcpy3D(&out), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeArray(array), cudaSuccess);
  EXPECT_THAT(take_kinds(), ElementsAre(FaultKind::invalid_copy));
  cudaGetLastError();
}

TEST(Arrays, tell_what_they_are) {
  struct Case {
    cudaExtent extent;
    unsigned flags;
    cudaError_t error;
  };
  constexpr unsigned cube = cudaArrayCubemap, layers = cudaArrayLayered;
  const Case cases[] = {
      {{8, 0, 0}, 0, cudaSuccess},
      {{8, 4, 0}, cudaArraySurfaceLoadStore, cudaSuccess},
      {{8, 4, 2}, 0, cudaSuccess},
      {{8, 0, 2}, layers, cudaSuccess},
      {{8, 4, 2}, layers, cudaSuccess},
      {{4, 4, 6}, cube, cudaSuccess},
      {{4, 4, 12}, cube | layers, cudaSuccess},
      {{8, 4, 0}, cudaArrayTextureGather, cudaSuccess},
      {{0, 0, 0}, 0, cudaErrorInvalidValue},
      {{8, 0, 2}, 0, cudaErrorInvalidValue},
      {{8, 4, 0}, layers, cudaErrorInvalidValue},
      {{4, 5, 6}, cube, cudaErrorInvalidValue},
      {{4, 4, 5}, cube, cudaErrorInvalidValue},
      {{4, 4, 8}, cube | layers, cudaErrorInvalidValue},
      {{200000, 0, 0}, 0, cudaErrorInvalidValue},
      {{8, 4, 2}, cudaArrayTextureGather, cudaErrorInvalidValue},
      {{8, 4, 0}, 0x1000, cudaErrorInvalidValue},
      {{8, 4, 0}, cudaArraySparse, cudaErrorNotSupported},
      {{16384, 16384, 16384}, 0, cudaErrorMemoryAllocation},
  };
  for (const auto& [extent, flags, error] : cases) {
    cudaArray_t array = nullptr;
    EXPECT_EQ(cudaMalloc3DArray(&array, &floats, extent, flags), error)
        << extent.width << " " << extent.height << " " << extent.depth << " " << flags;
    if (error != cudaSuccess) continue;
    cudaChannelFormatDesc channels = {};
    cudaExtent told = {};
    unsigned told_flags = 0;
    EXPECT_EQ(cudaArrayGetInfo(&channels, &told, &told_flags, array), cudaSuccess);
    EXPECT_EQ(std::memcmp(&told, &extent, sizeof told), 0);
    EXPECT_EQ(std::memcmp(&channels, &floats, sizeof channels), 0);
    EXPECT_EQ(told_flags, flags);
    EXPECT_EQ(cudaGetChannelDesc(&channels, array), cudaSuccess);
    EXPECT_EQ(cudaFreeArray(array), cudaSuccess);
  }
  cudaGetLastError();
  EXPECT_THAT(take_kinds(), IsEmpty());
}

TEST(Arrays, have_one_two_or_four_equal_channels) {
  const cudaChannelFormatDesc wrong[] = {{32, 32, 32, 0, cudaChannelFormatKindFloat},
                                         {8, 0, 0, 0, cudaChannelFormatKindFloat},
                                         {8, 16, 0, 0, cudaChannelFormatKindSigned},
                                         {0, 0, 0, 0, cudaChannelFormatKindSigned},
                                         {64, 0, 0, 0, cudaChannelFormatKindSigned},
                                         {8, 0, 0, 0, cudaChannelFormatKindNone},
                                         {16, 0, 0, 0, cudaChannelFormatKindUnsignedNormalized8X1}};
  cudaArray_t array = nullptr;
  for (const cudaChannelFormatDesc& channels : wrong) {
    EXPECT_EQ(cudaMallocArray(&array, &channels, 4, 4), cudaErrorInvalidChannelDescriptor);
  }
  const cudaChannelFormatDesc right =
      cudaCreateChannelDesc(8, 8, 8, 8, cudaChannelFormatKindSigned);
  EXPECT_EQ(cudaMallocArray(&array, &right, 4, 4), cudaSuccess);
  EXPECT_EQ(cudaFreeArray(array), cudaSuccess);
  EXPECT_EQ(cudaMallocArray(&array, nullptr, 4, 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMallocArray(nullptr, &right, 4, 4), cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST(Arrays, copies_that_leave_them_or_have_the_wrong_direction_are_told) {
  const TestArray in(8, 4);
  const cudaArray_t array = in.array;
  std::vector<int> host(64);
  const auto to = [&](std::size_t x, std::size_t y, std::size_t width, std::size_t height,
                      cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return cudaMemcpy2DToArray(array, x, y, host.data(), 32, width, height, kind);
  };
  // One place of a program has one finding of a kind, so each is taken before the next call.
  const auto message = [] {
    const auto findings = take_findings();
    EXPECT_EQ(findings.size(), 1U);
    if (findings.empty()) return std::string();
    EXPECT_EQ(findings[0].kind, FaultKind::invalid_copy);
    return findings[0].message;
  };
  EXPECT_EQ(to(4, 0, 32, 1), cudaErrorInvalidValue);
  EXPECT_THAT(message(), ::testing::StartsWith("cudaMemcpy2DToArray to an array: 8 x 1 x 1 texels "
                                               "from (1, 0, 0) of 8 x 4 x 1, made at "));
  EXPECT_EQ(to(0, 1, 32, 4), cudaErrorInvalidValue);
  EXPECT_THAT(message(), ::testing::HasSubstr("8 x 4 x 1 texels from (0, 1, 0)"));
  EXPECT_EQ(to(~std::size_t{3}, 0, 32, 1), cudaErrorInvalidValue);
  EXPECT_THAT(message(), ::testing::HasSubstr("8 x 1 x 1 texels from (4611686018427387903, 0, 0)"));
  EXPECT_EQ(to(0, 0, 32, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidMemcpyDirection);
  EXPECT_THAT(message(), ::testing::HasSubstr("treats an array as host memory"));
  EXPECT_EQ(cudaMemcpyToArray(array, 4, 3, host.data(), 32, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  EXPECT_THAT(message(), ::testing::HasSubstr("32 bytes from byte 4 of row 3"));
  EXPECT_EQ(cudaMemcpy2DToArray(array, 0, 0, nullptr, 32, 32, 1, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  EXPECT_THAT(message(), ::testing::HasSubstr("from 0x0"));
  // Errors that are no findings.
  EXPECT_EQ(to(2, 0, 4, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy2DToArray(array, 0, 0, host.data(), 16, 32, 2, cudaMemcpyHostToDevice),
            cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaMemcpy2DToArray(nullptr, 0, 0, host.data(), 32, 32, 1, cudaMemcpyHostToDevice),
            cudaErrorInvalidResourceHandle);
  EXPECT_EQ(to(0, 0, 0, 4), cudaSuccess);
  EXPECT_THAT(take_kinds(), IsEmpty());
  cudaGetLastError();
}

TEST(Arrays, carry_undefined_bytes_along) {
  take_launches();
  const TestArray in(8, 2);
  const TestArray copy(8, 2);
  DeviceArray<int> numbers(16);
  const std::vector<int> row(8, 5);
  EXPECT_EQ(cudaMemcpy2DToArray(in.array, 0, 0, row.data(), 32, 32, 1, cudaMemcpyHostToDevice),
            cudaSuccess);
  EXPECT_EQ(cudaMemcpy2DArrayToArray(copy.array, 0, 0, in.array, 0, 0, 32, 2), cudaSuccess);
  EXPECT_EQ(
      cudaMemcpy2DFromArray(numbers.data(), 32, copy.array, 0, 0, 32, 2, cudaMemcpyDeviceToDevice),
      cudaSuccess);
  add(numbers.data(), 1, 8);
  expect_no_faults();
  add(numbers.data(), 1, 9);
  const auto launches = take_launches();
  ASSERT_EQ(launches.size(), 1U);
  ASSERT_EQ(launches[0].faults.size(), 1U);
  EXPECT_EQ(launches[0].faults[0].kind, FaultKind::uninitialized);
}

TEST(Arrays, are_freed_once_and_not_used_afterwards) {
  take_findings();
  cudaArray_t array = nullptr;
  EXPECT_EQ(cudaMallocArray(&array, &floats, 8, 4), cudaSuccess);
  EXPECT_EQ(cudaFreeArray(array), cudaSuccess);
  EXPECT_THAT(take_kinds(), IsEmpty());
  int host[32] = {};
  EXPECT_EQ(cudaMemcpyToArray(array, 0, 0, host, 32, cudaMemcpyHostToDevice),
            cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaArrayGetInfo(nullptr, nullptr, nullptr, array), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaFreeArray(array), cudaErrorInvalidValue);
  EXPECT_THAT(take_kinds(), ElementsAre(FaultKind::use_after_free, FaultKind::use_after_free,
                                        FaultKind::double_free));
  EXPECT_EQ(cudaFreeArray(reinterpret_cast<cudaArray_t>(host)), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaFreeArray(nullptr), cudaSuccess);
  EXPECT_THAT(take_kinds(), IsEmpty());
  cudaGetLastError();
}

TEST(Arrays, that_two_streams_copy_without_an_order_are_a_race) {
  take_findings();
  const TestArray in(8, 4);
  cudaStream_t first = nullptr, second = nullptr;
  for (cudaStream_t* stream : {&first, &second}) {
    ASSERT_EQ(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking), cudaSuccess);
  }
  DeviceArray<int> numbers(std::vector<int>(32, 1));
  const auto copy = [&](cudaStream_t stream, std::size_t row) {
    EXPECT_EQ(cudaMemcpy2DToArrayAsync(in.array, 0, row, numbers.data(), 32, 32, 2,
                                       cudaMemcpyDeviceToDevice, stream),
              cudaSuccess);
  };
  copy(first, 0);
  copy(second, 2);
  EXPECT_THAT(take_kinds(), IsEmpty());
  copy(second, 1);
  EXPECT_THAT(take_kinds(), Each(FaultKind::race));
  cudaDeviceSynchronize();
  copy(second, 1);
  EXPECT_THAT(take_kinds(), IsEmpty());
  cudaArray_t freed = nullptr;
  EXPECT_EQ(cudaMallocArray(&freed, &floats, 8, 4), cudaSuccess);
  EXPECT_EQ(cudaMemcpy2DToArrayAsync(freed, 0, 0, numbers.data(), 32, 32, 4,
                                     cudaMemcpyDeviceToDevice, first),
            cudaSuccess);
  EXPECT_EQ(cudaFreeArray(freed), cudaSuccess);  // waits
  EXPECT_THAT(take_kinds(), IsEmpty());
  cudaDeviceSynchronize();
  for (cudaStream_t stream : {first, second}) EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST(Arrays, are_copied_by_graphs) {
  take_findings();
  cudaArray_t array = nullptr;
  ASSERT_EQ(cudaMallocArray(&array, &floats, 8, 1), cudaSuccess);
  DeviceArray<int> numbers(std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7});
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), cudaSuccess);
  EXPECT_EQ(cudaMemcpy2DToArrayAsync(array, 0, 0, numbers.data(), 32, 32, 1,
                                     cudaMemcpyDeviceToDevice, stream),
            cudaSuccess);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  int last = 0;
  EXPECT_EQ(cudaMemcpyFromArray(&last, array, 28, 0, 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(last, 7);
  EXPECT_THAT(take_kinds(), IsEmpty());
  EXPECT_EQ(cudaFreeArray(array), cudaSuccess);
  cudaGraphLaunch(executable, stream);
  EXPECT_THAT(take_kinds(), ElementsAre(FaultKind::use_after_free));
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  cudaGetLastError();
}

TEST(Arrays, of_a_mipmap_are_its_levels) {
  cudaMipmappedArray_t mipmap = nullptr;
  ASSERT_EQ(cudaMallocMipmappedArray(&mipmap, &floats, {8, 2, 0}, 10), cudaSuccess);
  const std::size_t widths[] = {8, 4, 2, 1};
  cudaArray_t level = nullptr;
  for (unsigned k = 0; k < 4; ++k) {
    cudaExtent extent = {};
    ASSERT_EQ(cudaGetMipmappedArrayLevel(&level, mipmap, k), cudaSuccess);
    EXPECT_EQ(cudaArrayGetInfo(nullptr, &extent, nullptr, level), cudaSuccess);
    EXPECT_EQ(extent.width, widths[k]);
    EXPECT_EQ(extent.height, k == 0 ? 2U : 1U);
    const std::vector<float> given(extent.width * extent.height, static_cast<float>(k));
    EXPECT_EQ(
        cudaMemcpyToArray(level, 0, 0, given.data(), given.size() * 4, cudaMemcpyHostToDevice),
        cudaSuccess);
  }
  for (unsigned k = 0; k < 4; ++k) {
    float first = -1;
    ASSERT_EQ(cudaGetMipmappedArrayLevel(&level, mipmap, k), cudaSuccess);
    EXPECT_EQ(cudaMemcpyFromArray(&first, level, 0, 0, 4, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(first, static_cast<float>(k));
  }
  EXPECT_EQ(cudaGetMipmappedArrayLevel(&level, mipmap, 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeArray(level), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeMipmappedArray(mipmap), cudaSuccess);
  take_findings();
  float host = 0;
  EXPECT_EQ(cudaMemcpyFromArray(&host, level, 0, 0, 4, cudaMemcpyDeviceToHost),
            cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaFreeMipmappedArray(mipmap), cudaErrorInvalidValue);
  EXPECT_THAT(take_kinds(), ElementsAre(FaultKind::use_after_free, FaultKind::double_free));
  EXPECT_EQ(cudaFreeMipmappedArray(nullptr), cudaSuccess);
  cudaGetLastError();
}

}  // namespace
}  // namespace bankproof::cuda::tests
