// Calls of earlier versions of CUDA's runtime do what their successors do.
#include "support.hpp"

namespace bankproof::cuda::tests {
namespace {

TEST(CallsOfOld, wait_and_ask_as_their_successors_do) {
  EXPECT_EQ(cudaThreadSynchronize(), cudaSuccess);
  std::size_t of_thread = 0;
  std::size_t of_device = 0;
  EXPECT_EQ(cudaThreadGetLimit(&of_thread, cudaLimitStackSize), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetLimit(&of_device, cudaLimitStackSize), cudaSuccess);
  EXPECT_EQ(of_thread, of_device);
  EXPECT_EQ(cudaThreadSetLimit(cudaLimitStackSize, of_thread), cudaSuccess);
  cudaFuncCache cache = cudaFuncCachePreferEqual;
  EXPECT_EQ(cudaThreadGetCacheConfig(&cache), cudaSuccess);
  EXPECT_EQ(cudaThreadSetCacheConfig(cache), cudaSuccess);
  double number = 0.1;
  EXPECT_EQ(cudaSetDoubleForDevice(&number), cudaSuccess);
  EXPECT_EQ(cudaSetDoubleForHost(&number), cudaSuccess);
  EXPECT_EQ(number, 0.1);
  EXPECT_EQ(cudaThreadExit(), cudaSuccess);
}

}  // namespace
}  // namespace bankproof::cuda::tests
