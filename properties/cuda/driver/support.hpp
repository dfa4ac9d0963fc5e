// Helpers of the tests of the driver API on the reference machine.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "../../../cuda/headers/cuda.h"
#include "../../../cuda/headers/cuda_runtime_api.h"
#include "../../../cuda/runtime/reports.hpp"

namespace bankproof::cuda::tests {

/// A thread with a context of its own, as after cuCtxCreate; the program has looked at all errors.
class WithContext : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(cuInit(0), CUDA_SUCCESS);
    ASSERT_EQ(cuCtxCreate(&context_, 0, 0), CUDA_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(cuCtxDestroy(context_), CUDA_SUCCESS);
    look_at_errors();
  }
  static void look_at_errors() {
    const char* name = nullptr;
    cuGetErrorName(CUDA_ERROR_INVALID_VALUE, &name);
    take_findings();
    take_launches();
  }

  CUcontext context_ = nullptr;
};

/// The bytes of an allocation.
inline std::vector<unsigned char> bytes_at(CUdeviceptr place, std::size_t count) {
  std::vector<unsigned char> bytes(count);
  EXPECT_EQ(cuMemcpyDtoH(bytes.data(), place, count), CUDA_SUCCESS);
  return bytes;
}

}  // namespace bankproof::cuda::tests
