// The device's answers about its memory.
#include <vector>

#include "support.hpp"

namespace bankproof::cuda::tests {
namespace {

std::size_t free_bytes() {
  std::size_t free = 0;
  std::size_t total = 0;
  EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  EXPECT_LE(free, total);
  return free;
}

TEST(DeviceMemory, is_free_again_when_it_is_given_back) {
  const std::size_t before = free_bytes();
  std::vector<void*> pointers(3);
  std::size_t taken = 0;
  for (std::size_t bytes = 1000; void*& pointer : pointers) {
    ASSERT_EQ(cudaMalloc(&pointer, bytes), cudaSuccess);
    taken += bytes;
    EXPECT_EQ(before - free_bytes(), taken);
    bytes *= 7;
  }
  for (std::size_t bytes = 1000; void* const pointer : pointers) {
    ASSERT_EQ(cudaFree(pointer), cudaSuccess);
    taken -= bytes;
    EXPECT_EQ(before - free_bytes(), taken);
    bytes *= 7;
  }
}

}  // namespace
}  // namespace bankproof::cuda::tests
