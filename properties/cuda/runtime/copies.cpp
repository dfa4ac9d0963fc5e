// Copies of rows copy the requested bytes and no others.
#include <gtest/gtest.h>
// Must follow GoogleTest.
#include <rapidcheck/gtest.h>

#include <cstring>

#include "support.hpp"

namespace bankproof::cuda::tests {
namespace {

using ptx::FaultKind;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Bytes = std::vector<unsigned char>;

struct Rows {
  std::size_t width, height, pitch;
  std::size_t bytes() const { return pitch * height; }
};

/// Copies the same rows on the host.
void copy_rows(Bytes& to, const Rows& in_to, const Bytes& from, const Rows& in_from) {
  for (std::size_t y = 0; y < in_to.height; ++y) {
    std::memcpy(to.data() + y * in_to.pitch, from.data() + y * in_from.pitch, in_to.width);
  }
}

RC_GTEST_PROP(CopiesOfRows, copy_what_lies_in_rows, ()) {
  const auto width = *rc::gen::inRange<std::size_t>(1, 40);
  const auto height = *rc::gen::inRange<std::size_t>(1, 12);
  const auto rows = [&] {
    return Rows{width, height, width + *rc::gen::inRange<std::size_t>(0, 20)};
  };
  const auto filled = [](const Rows& in) {
    return *rc::gen::container<Bytes>(in.bytes(), rc::gen::arbitrary<unsigned char>());
  };
  const Rows in_host = rows();
  const Rows in_first = rows();
  const Rows in_second = rows();
  const Rows in_result = rows();
  const Bytes host = filled(in_host);
  Bytes first = filled(in_first);
  Bytes second = filled(in_second);
  Bytes result = filled(in_result);
  Bytes expected = result;

  DeviceArray<unsigned char> a(first.size());
  DeviceArray<unsigned char> b(second.size());
  RC_ASSERT(cudaMemcpy(a.data(), first.data(), first.size(), cudaMemcpyHostToDevice) ==
            cudaSuccess);
  RC_ASSERT(cudaMemcpy(b.data(), second.data(), second.size(), cudaMemcpyDefault) == cudaSuccess);
  RC_ASSERT(cudaMemcpy2D(a.data(), in_first.pitch, host.data(), in_host.pitch, width, height,
                         cudaMemcpyHostToDevice) == cudaSuccess);
  RC_ASSERT(cudaMemcpy2D(b.data(), in_second.pitch, a.data(), in_first.pitch, width, height,
                         cudaMemcpyDeviceToDevice) == cudaSuccess);
  RC_ASSERT(cudaMemcpy2D(result.data(), in_result.pitch, b.data(), in_second.pitch, width, height,
                         cudaMemcpyDefault) == cudaSuccess);
  copy_rows(first, in_first, host, in_host);
  copy_rows(second, in_second, first, in_first);
  copy_rows(expected, in_result, second, in_second);
  RC_ASSERT(a.values() == first);
  RC_ASSERT(b.values() == second);
  RC_ASSERT(result == expected);
}

TEST(CopiesOfRows, leave_what_nobody_wrote_undefined) {
  take_launches();
  const std::vector<int> given(8, 7);
  DeviceArray<int> numbers(16);
  // Copies the first 2 words of each row of 4.
  ASSERT_EQ(cudaMemcpy2D(numbers.data(), 16, given.data(), 8, 8, 4, cudaMemcpyHostToDevice),
            cudaSuccess);
  add(numbers.data(), 1, 2);
  expect_no_faults();
  add(numbers.data(), 1, 3);
  const auto launches = take_launches();
  ASSERT_EQ(launches.size(), 1U);
  ASSERT_EQ(launches.front().faults.size(), 1U);
  EXPECT_EQ(launches.front().faults.front().kind, ptx::FaultKind::uninitialized);
}

TEST(CopiesOfRows, and_fills_have_no_rows_wider_than_their_pitch) {
  DeviceArray<unsigned char> array(64);
  Bytes host(64);
  EXPECT_EQ(cudaMemcpy2D(array.data(), 8, host.data(), 16, 9, 4, cudaMemcpyHostToDevice),
            cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaMemset2D(array.data(), 8, 0, 9, 4), cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaMemcpy2D(array.data(), 16, host.data(), 16, 9, 5, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  cudaGetLastError();
  EXPECT_THAT(take_kinds(), ElementsAre(FaultKind::invalid_copy));
}

TEST(Fills, write_their_rows_alone) {
  void* pointer = nullptr;
  std::size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&pointer, &pitch, 600, 3), cudaSuccess);
  EXPECT_EQ(pitch, 1024U);
  ASSERT_EQ(cudaMemset(pointer, 1, 3 * pitch), cudaSuccess);
  ASSERT_EQ(cudaMemset2D(pointer, pitch, 9, 600, 2), cudaSuccess);
  Bytes bytes(3 * pitch);
  ASSERT_EQ(cudaMemcpy(bytes.data(), pointer, bytes.size(), cudaMemcpyDeviceToHost), cudaSuccess);
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    ASSERT_EQ(bytes[k], k % pitch < 600 && k < 2 * pitch ? 9 : 1) << k;
  }
  ASSERT_EQ(cudaFree(pointer), cudaSuccess);
  EXPECT_EQ(cudaMallocPitch(&pointer, &pitch, ~std::size_t{0}, 2), cudaErrorMemoryAllocation);
  cudaGetLastError();
}

TEST(Copies, know_the_host_s_memory_from_the_device_s) {
  DeviceArray<int> array(4);
  std::vector<int> host(4);
  for (const auto kind : {cudaMemcpyHostToDevice, cudaMemcpyHostToHost}) {
    EXPECT_EQ(cudaMemcpy(host.data(), array.data(), 16, kind), cudaErrorInvalidValue);
  }
  EXPECT_EQ(cudaMemcpy(array.data(), host.data(), 16, cudaMemcpyDeviceToHost),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(array.data(), host.data(), 17, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host.data(), array.data(), 16, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  // The first two are the same finding.
  EXPECT_THAT(take_kinds(), Each(FaultKind::invalid_copy));
}

TEST(Copies, from_or_to_memory_that_the_host_does_not_have_are_findings) {
  take_findings();
  DeviceArray<int> array(4);
  int* const nowhere = nullptr;
  for (const auto kind : {cudaMemcpyHostToDevice, cudaMemcpyDefault}) {
    EXPECT_EQ(cudaMemcpy(array.data(), nowhere, 16, kind), cudaErrorInvalidValue);
    EXPECT_THAT(take_kinds(), ElementsAre(FaultKind::invalid_copy));
  }
  EXPECT_EQ(cudaMemcpy(nowhere, array.data(), 16, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_THAT(take_kinds(), ElementsAre(FaultKind::invalid_copy));
  EXPECT_EQ(cudaMemcpy(array.data(), nowhere, 0, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_THAT(take_kinds(), IsEmpty());
  cudaGetLastError();
}

}  // namespace
}  // namespace bankproof::cuda::tests
