// The driver's functions for programs whose default streams are per thread: the stream 0 is the
// calling thread's own, as in the runtime's (properties/cuda/runtime/per_thread_streams.cpp).
#include <array>
#include <thread>

#include "../../../cuda/runtime/reports.hpp"
#include "support.hpp"

// As the toolkit's header declares them for such programs.
extern "C" {
CUresult cuMemsetD32Async_ptsz(CUdeviceptr to, unsigned value, size_t count, CUstream stream);
CUresult cuMemsetD32_v2_ptds(CUdeviceptr to, unsigned value, size_t count);
CUresult cuMemcpyDtoH_v2_ptds(void* to, CUdeviceptr from, size_t bytes);
CUresult cuStreamSynchronize_ptsz(CUstream stream);
CUresult cuGraphUpload_ptsz(CUgraphExec executable, CUstream stream);
CUresult cuMemMapArrayAsync_ptsz(void* infos, unsigned count, CUstream stream);
}

namespace bankproof::cuda::tests {
namespace {

using ::testing::Each;

/// 64 words of the device, and threads that use them in the same context.
class DriverPerThread : public WithContext {
 protected:
  void SetUp() override {
    WithContext::SetUp();
    ASSERT_EQ(cuMemAlloc(&a_, 256), CUDA_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(cuMemFree(a_), CUDA_SUCCESS);
    WithContext::TearDown();
  }

  /// A call of another thread, which is over when this function returns.
  template <class Call>
  void in_other_thread(Call call) {
    std::thread([&] {
      EXPECT_EQ(cuCtxSetCurrent(context_), CUDA_SUCCESS);
      call();
    }).join();
  }
  /// Whether operations of two threads are found to race.
  template <class First, class Second>
  bool race(First first, Second second) {
    EXPECT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
    take_findings();
    first();
    in_other_thread(second);
    const bool found = !take_findings().empty();
    EXPECT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
    return found;
  }

  CUdeviceptr a_ = 0;
};

TEST_F(DriverPerThread, default_streams_of_two_threads_are_not_ordered) {
  const auto own = [&] { EXPECT_EQ(cuMemsetD32Async_ptsz(a_, 1, 64, nullptr), CUDA_SUCCESS); };
  const auto legacy = [&] { EXPECT_EQ(cuMemsetD32Async(a_, 2, 64, nullptr), CUDA_SUCCESS); };
  const auto waits = [&] {
    own();
    EXPECT_EQ(cuStreamSynchronize_ptsz(nullptr), CUDA_SUCCESS);
  };
  EXPECT_TRUE(race(own, own));
  EXPECT_FALSE(race(waits, own));
  EXPECT_FALSE(race(own, legacy));
  EXPECT_FALSE(race(legacy, legacy));
  EXPECT_TRUE(race([&] { EXPECT_EQ(cuMemsetD32_v2_ptds(a_, 1, 64), CUDA_SUCCESS); }, own));
}

TEST_F(DriverPerThread, calls_that_follow_have_the_legacy_stream_again) {
  const auto fill = [&] {
    cuMemsetD32_v2_ptds(a_, 1, 64);
    EXPECT_EQ(cuMemsetD32Async(a_, 2, 64, nullptr), CUDA_SUCCESS);
  };
  EXPECT_FALSE(race(fill, [&] { cuMemsetD32Async(a_, 3, 64, nullptr); }));
}

TEST_F(DriverPerThread, copies_see_what_the_threads_stream_wrote) {
  std::array<unsigned, 64> words{};
  EXPECT_EQ(cuMemsetD32Async_ptsz(a_, 7, 64, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuMemcpyDtoH_v2_ptds(words.data(), a_, 256), CUDA_SUCCESS);
  EXPECT_THAT(words, Each(7U));
  EXPECT_EQ(cuMemcpyDtoH_v2_ptds(words.data(), a_, 257), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuStreamSynchronize_ptsz(reinterpret_cast<CUstream>(&words)),
            CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(DriverPerThread, functions_without_a_stream_here_are_the_same) {
  EXPECT_EQ(cuGraphUpload_ptsz(nullptr, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuMemMapArrayAsync_ptsz(nullptr, 0, nullptr), CUDA_ERROR_NOT_SUPPORTED);
}

}  // namespace
}  // namespace bankproof::cuda::tests
