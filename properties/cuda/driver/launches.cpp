// Launches by the driver: arguments in both forms, and what the calls find.
#include <gtest/gtest.h>
// Must follow GoogleTest.
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "support.hpp"

namespace bankproof::cuda::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Writes its arguments, of four sizes, behind each other.
constexpr const char* keep = R"(
.version 7.5
.target sm_80
.address_size 64
.visible .entry keep(.param .u8 a, .param .u64 out, .param .u16 b, .param .u32 c) {
  .reg .b16 %h<3>;
  .reg .b32 %r<2>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd2, %rd1;
  ld.param.u8 %h1, [a];
  ld.param.u16 %h2, [b];
  ld.param.u32 %r1, [c];
  st.global.u8 [%rd2], %h1;
  st.global.u16 [%rd2+2], %h2;
  st.global.u32 [%rd2+4], %r1;
  ret;
}
)";

class DriverLaunches : public WithContext {
 protected:
  void SetUp() override {
    WithContext::SetUp();
    ASSERT_EQ(cuModuleLoadData(&module_, keep), CUDA_SUCCESS);
    ASSERT_EQ(cuModuleGetFunction(&kernel_, module_, "keep"), CUDA_SUCCESS);
    ASSERT_EQ(cuMemAlloc(&out_, 8), CUDA_SUCCESS);
    ASSERT_EQ(cuMemsetD8(out_, 0, 8), CUDA_SUCCESS);
    look_at_errors();
  }
  void TearDown() override {
    cuMemFree(out_);
    cuModuleUnload(module_);
    WithContext::TearDown();
  }
  CUresult launch(void** arguments, void** extra = nullptr) {
    return cuLaunchKernel(kernel_, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, extra);
  }

  CUmodule module_ = nullptr;
  CUfunction kernel_ = nullptr;
  CUdeviceptr out_ = 0;
};

/// The argument block, with the holes that alignment makes.
struct Block {
  std::uint8_t a = 0x12;
  CUdeviceptr out = 0;
  std::uint16_t b = 0x3456;
  std::uint32_t c = 0x789abcde;
};

TEST_F(DriverLaunches, take_arguments_as_pointers_or_as_a_block) {
  const std::vector<unsigned char> expected = {0x12, 0, 0x56, 0x34, 0xde, 0xbc, 0x9a, 0x78};
  Block block;
  block.out = out_;
  void* arguments[] = {&block.a, &block.out, &block.b, &block.c};
  EXPECT_EQ(launch(arguments), CUDA_SUCCESS);
  EXPECT_EQ(bytes_at(out_, 8), expected);
  EXPECT_EQ(cuMemsetD8(out_, 0, 8), CUDA_SUCCESS);
  std::size_t size = sizeof block;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_BUFFER_POINTER, &block,
                   CU_LAUNCH_PARAM_END};
  EXPECT_EQ(launch(nullptr, extra), CUDA_SUCCESS);
  EXPECT_EQ(bytes_at(out_, 8), expected);
  std::size_t offset = 0;
  std::size_t bytes = 0;
  EXPECT_EQ(cuFuncGetParamInfo(kernel_, 2, &offset, &bytes), CUDA_SUCCESS);
  EXPECT_EQ(offset, offsetof(Block, b));
  EXPECT_EQ(bytes, 2U);
  EXPECT_EQ(cuFuncGetParamInfo(kernel_, 4, &offset, &bytes), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverLaunches, without_their_arguments_fail) {
  Block block;
  block.out = out_;
  void* one_is_null[] = {&block.a, &block.out, nullptr, &block.c};
  EXPECT_EQ(launch(one_is_null), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch(nullptr), CUDA_ERROR_INVALID_VALUE);
  for (std::size_t size = 0; size <= sizeof block; ++size) {
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &block, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     CU_LAUNCH_PARAM_END};
    const bool is_whole = size >= offsetof(Block, c) + sizeof block.c;
    EXPECT_EQ(launch(nullptr, extra), is_whole ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE) << size;
  }
  void* none[] = {CU_LAUNCH_PARAM_END};
  EXPECT_EQ(launch(nullptr, none), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverLaunches, that_fail_are_no_errors_of_the_runtime) {
  cudaGetLastError();
  EXPECT_EQ(launch(nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  int device = -1;
  EXPECT_EQ(cudaSetDevice(99), cudaErrorInvalidDevice);
  EXPECT_EQ(cuDeviceGet(&device, 0), CUDA_SUCCESS);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
}

TEST_F(DriverLaunches, and_copies_are_found_under_their_own_names) {
  EXPECT_EQ(cuMemsetD16Async(out_, 1, 5, nullptr), CUDA_ERROR_INVALID_VALUE);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of the machine, not of the host.
  EXPECT_EQ(cudaMemset(reinterpret_cast<void*>(out_), 1, 9), cudaErrorInvalidValue);
  const std::vector<ptx::FaultReport> found = take_findings();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].kind, ptx::FaultKind::invalid_copy);
  EXPECT_THAT(found[0].message, HasSubstr("cuMemsetD16Async of 0x"));
  EXPECT_THAT(found[0].message, Not(HasSubstr("cudaMemset")));
  EXPECT_THAT(found[1].message, HasSubstr("cudaMemset of 0x"));
  cudaGetLastError();
}

TEST_F(DriverLaunches, know_handles_until_their_module_is_unloaded) {
  CUmodule other = nullptr;
  CUfunction kernel = nullptr;
  CUfunction again = nullptr;
  ASSERT_EQ(cuModuleLoadData(&other, keep), CUDA_SUCCESS);
  ASSERT_EQ(cuModuleGetFunction(&kernel, other, "keep"), CUDA_SUCCESS);
  ASSERT_EQ(cuModuleGetFunction(&again, other, "keep"), CUDA_SUCCESS);
  EXPECT_EQ(kernel, again);
  EXPECT_NE(kernel, kernel_);
  CUmodule owner = nullptr;
  EXPECT_EQ(cuFuncGetModule(&owner, kernel), CUDA_SUCCESS);
  EXPECT_EQ(owner, other);
  EXPECT_EQ(cuModuleUnload(other), CUDA_SUCCESS);
  int value = 0;
  EXPECT_EQ(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel),
            CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel_), CUDA_SUCCESS);
  EXPECT_EQ(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX, kernel_), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverLaunches, have_an_occupancy) {
  int blocks = 0;
  int grid = 0;
  int block = 0;
  EXPECT_EQ(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel_, 256, 0), CUDA_SUCCESS);
  EXPECT_EQ(blocks, 8);
  EXPECT_EQ(cuOccupancyMaxPotentialBlockSize(&grid, &block, kernel_, nullptr, 0, 0), CUDA_SUCCESS);
  EXPECT_EQ(block, 1024);
  EXPECT_EQ(grid, 2 * 16);
  // A byte of shared memory for each thread, of 227 KiB.
  const auto shared = [](int threads) { return static_cast<std::size_t>(threads) * 1024; };
  EXPECT_EQ(cuOccupancyMaxPotentialBlockSize(&grid, &block, kernel_, shared, 0, 0), CUDA_SUCCESS);
  EXPECT_EQ(block, 224);
  EXPECT_EQ(cuOccupancyMaxPotentialBlockSize(&grid, &block, kernel_, nullptr, 0, 31),
            CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverLaunches, have_as_much_dynamic_shared_memory_as_the_program_allows) {
  Block block;
  block.out = out_;
  void* arguments[] = {&block.a, &block.out, &block.b, &block.c};
  const auto launch_with = [&](unsigned shared) {
    return cuLaunchKernel(kernel_, 1, 1, 1, 1, 1, 1, shared, nullptr, arguments, nullptr);
  };
  constexpr auto attribute = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
  EXPECT_EQ(launch_with(65536), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuFuncSetAttribute(kernel_, attribute, 1 << 20), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuFuncSetAttribute(kernel_, attribute, 65536), CUDA_SUCCESS);
  EXPECT_EQ(launch_with(65536), CUDA_SUCCESS);
}

}  // namespace
}  // namespace bankproof::cuda::tests
