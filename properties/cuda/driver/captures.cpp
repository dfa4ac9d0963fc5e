// Captures of streams by the driver API, and questions about memory, pools and devices.
#include <algorithm>
#include <array>
#include <cstddef>

#include "support.hpp"

namespace bankproof::cuda::tests {
namespace {

class DriverCaptures : public WithContext {
 protected:
  void SetUp() override {
    WithContext::SetUp();
    ASSERT_EQ(cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    ASSERT_EQ(cuMemAlloc(&words_, 256), CUDA_SUCCESS);
  }
  void TearDown() override {
    cuMemFree(words_);
    cuStreamDestroy(stream_);
    WithContext::TearDown();
  }

  CUstream stream_ = nullptr;
  CUdeviceptr words_ = 0;
};

TEST_F(DriverCaptures, tell_what_they_have) {
  CUstreamCaptureStatus status{};
  EXPECT_EQ(cuStreamGetCaptureInfo(stream_, &status, nullptr, nullptr, nullptr, nullptr, nullptr),
            CUDA_SUCCESS);
  EXPECT_EQ(status, CU_STREAM_CAPTURE_STATUS_NONE);
  ASSERT_EQ(cuStreamBeginCapture(stream_, CU_STREAM_CAPTURE_MODE_RELAXED), CUDA_SUCCESS);
  EXPECT_EQ(cuMemsetD32Async(words_, 1, 64, stream_), CUDA_SUCCESS);
  cuuint64_t id = 0;
  CUgraph graph = nullptr;
  const CUgraphNode* after = nullptr;
  size_t count = 0;
  EXPECT_EQ(cuStreamGetCaptureInfo_v2(stream_, &status, &id, &graph, &after, &count), CUDA_SUCCESS);
  EXPECT_EQ(status, CU_STREAM_CAPTURE_STATUS_ACTIVE);
  EXPECT_NE(id, 0U);
  ASSERT_EQ(count, 1U);
  CUgraphNodeType type{};
  EXPECT_EQ(cuGraphNodeGetType(after[0], &type), CUDA_SUCCESS);
  EXPECT_EQ(type, CU_GRAPH_NODE_TYPE_MEMSET);
  // The next operation no longer waits for the fill.
  EXPECT_EQ(cuStreamUpdateCaptureDependencies(stream_, nullptr, nullptr, 0, 1), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamGetCaptureInfo_v2(stream_, &status, &id, &graph, &after, &count), CUDA_SUCCESS);
  EXPECT_EQ(count, 0U);
  EXPECT_EQ(cuStreamEndCapture(stream_, &graph), CUDA_SUCCESS);
  EXPECT_EQ(cuGraphDestroy(graph), CUDA_SUCCESS);
}

TEST_F(DriverCaptures, add_to_a_graph_that_exists) {
  CUgraph graph = nullptr;
  CUgraphNode first = nullptr;
  ASSERT_EQ(cuGraphCreate(&graph, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuGraphAddEmptyNode(&first, graph, nullptr, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamBeginCaptureToGraph(stream_, graph, &first, nullptr, 1,
                                        CU_STREAM_CAPTURE_MODE_RELAXED),
            CUDA_SUCCESS);
  EXPECT_EQ(cuMemsetD32Async(words_, 1, 64, stream_), CUDA_SUCCESS);
  CUgraph same = nullptr;
  EXPECT_EQ(cuStreamEndCapture(stream_, &same), CUDA_SUCCESS);
  EXPECT_EQ(same, graph);
  size_t count = 0;
  EXPECT_EQ(cuGraphNodeGetDependentNodes(first, nullptr, nullptr, &count), CUDA_SUCCESS);
  EXPECT_EQ(count, 1U);
  EXPECT_EQ(cuGraphDestroy(graph), CUDA_SUCCESS);
}

TEST_F(DriverCaptures, of_a_stream_that_does_not_exist_fail) {
  CUstreamCaptureStatus status{};
  int none = 0;
  EXPECT_EQ(cuStreamGetCaptureInfo(reinterpret_cast<CUstream>(&none), &status, nullptr, nullptr,
                                   nullptr, nullptr, nullptr),
            CUDA_ERROR_INVALID_HANDLE);
  CUcontext context = nullptr;
  CUgreenCtx green = nullptr;
  EXPECT_EQ(cuStreamGetCtx_v2(stream_, &context, &green), CUDA_SUCCESS);
  EXPECT_EQ(context, context_);
  EXPECT_EQ(green, nullptr);
}

TEST_F(DriverCaptures, copies_in_batches_copy_each) {
  CUdeviceptr other = 0;
  ASSERT_EQ(cuMemAlloc(&other, 256), CUDA_SUCCESS);
  EXPECT_EQ(cuMemsetD8(words_, 7, 256), CUDA_SUCCESS);
  EXPECT_EQ(cuMemsetD8(other, 0, 256), CUDA_SUCCESS);
  std::array<CUdeviceptr, 2> to{other, other + 128}, from{words_, words_ + 64};
  std::array<size_t, 2> sizes{64, 128};
  CUmemcpyAttributes attributes = {};
  attributes.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
  size_t first = 0;
  EXPECT_EQ(
      cuMemcpyBatchAsync(to.data(), from.data(), sizes.data(), 2, &attributes, &first, 1, stream_),
      CUDA_SUCCESS);
  EXPECT_EQ(cuStreamSynchronize(stream_), CUDA_SUCCESS);
  std::vector<unsigned char> expected(256, 7);
  std::fill(expected.begin() + 64, expected.begin() + 128, 0);
  EXPECT_EQ(bytes_at(other, 256), expected);
  cuMemFree(other);
}

TEST(DriverRanges, and_pools_are_those_of_the_runtime) {
  CUdeviceptr managed = 0;
  CUcontext context = nullptr;
  ASSERT_EQ(cuInit(0), CUDA_SUCCESS);
  ASSERT_EQ(cuCtxCreate(&context, 0, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuMemAllocManaged(&managed, 4096, 1), CUDA_SUCCESS);
  int value = -1;
  EXPECT_EQ(cuMemRangeGetAttribute(&value, sizeof value, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY,
                                   managed, 4096),
            CUDA_SUCCESS);
  EXPECT_EQ(value, 0);
  EXPECT_EQ(cuMemRangeGetAttribute(nullptr, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, managed, 4096),
            CUDA_ERROR_INVALID_VALUE);
  CUmemLocation location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  CUmemoryPool pool = nullptr, same = nullptr;
  EXPECT_EQ(cuMemGetDefaultMemPool(&pool, &location, CU_MEM_ALLOCATION_TYPE_PINNED), CUDA_SUCCESS);
  EXPECT_EQ(cuDeviceGetDefaultMemPool(&same, 0), CUDA_SUCCESS);
  EXPECT_EQ(pool, same);
  CUmemAccess_flags flags{};
  EXPECT_EQ(cuMemPoolGetAccess(&flags, pool, &location), CUDA_SUCCESS);
  EXPECT_EQ(flags, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  unsigned long long used = 1;
  EXPECT_EQ(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &used),
            CUDA_SUCCESS);
  EXPECT_EQ(cuDeviceGraphMemTrim(0), CUDA_SUCCESS);
  EXPECT_EQ(cuDeviceGraphMemTrim(99), CUDA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(cuMemFree(managed), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxDestroy(context), CUDA_SUCCESS);
  const char* name = nullptr;
  cuGetErrorName(CUDA_ERROR_INVALID_VALUE, &name);
  take_findings();
}

}  // namespace
}  // namespace bankproof::cuda::tests
