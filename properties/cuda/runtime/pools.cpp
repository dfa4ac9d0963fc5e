// Memory pools: what is allocated from them, and which one a device has.
#include "support.hpp"

namespace bankproof::cuda::tests {
namespace {

std::uint64_t amount(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  std::uint64_t bytes = 0;
  EXPECT_EQ(cudaMemPoolGetAttribute(pool, attribute, &bytes), cudaSuccess);
  return bytes;
}

cudaMemPool_t made() {
  cudaMemPool_t pool = nullptr;
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  EXPECT_EQ(cudaMemPoolCreate(&pool, &properties), cudaSuccess);
  return pool;
}

TEST(Pools, count_the_memory_that_is_allocated_from_them) {
  cudaMemPool_t const pool = made();
  cudaMemPool_t common = nullptr;
  ASSERT_EQ(cudaDeviceGetDefaultMemPool(&common, 0), cudaSuccess);
  const std::uint64_t before = amount(common, cudaMemPoolAttrUsedMemCurrent);
  void* a = nullptr;
  void* b = nullptr;
  EXPECT_EQ(cudaMallocFromPoolAsync(&a, 1000, pool, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMallocAsync(&b, 64, nullptr), cudaSuccess);
  EXPECT_EQ(amount(pool, cudaMemPoolAttrUsedMemCurrent), 1000U);
  EXPECT_EQ(amount(common, cudaMemPoolAttrUsedMemCurrent), before + 64);
  EXPECT_EQ(cudaFreeAsync(a, nullptr), cudaSuccess);
  EXPECT_EQ(cudaFree(b), cudaSuccess);
  EXPECT_EQ(amount(pool, cudaMemPoolAttrUsedMemCurrent), 0U);
  EXPECT_EQ(amount(pool, cudaMemPoolAttrUsedMemHigh), 1000U);
  EXPECT_EQ(amount(common, cudaMemPoolAttrUsedMemCurrent), before);
  std::uint64_t bytes = 7;
  EXPECT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &bytes),
            cudaErrorInvalidValue);
  bytes = 0;
  EXPECT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &bytes), cudaSuccess);
  EXPECT_EQ(amount(pool, cudaMemPoolAttrUsedMemHigh), 0U);
  const auto none = static_cast<cudaMemPoolAttr>(15);
  EXPECT_EQ(cudaMemPoolSetAttribute(pool, none, &bytes), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPoolGetAttribute(pool, none, &bytes), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPoolDestroy(pool), cudaSuccess);
  cudaGetLastError();
}

TEST(Pools, of_devices_are_the_default_ones_again_when_they_are_destroyed) {
  cudaMemPool_t const pool = made();
  cudaMemPool_t common = nullptr;
  cudaMemPool_t now = nullptr;
  ASSERT_EQ(cudaDeviceGetDefaultMemPool(&common, 0), cudaSuccess);
  EXPECT_EQ(cudaMemPoolDestroy(common), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceSetMemPool(1, pool), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceSetMemPool(0, pool), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetMemPool(&now, 0), cudaSuccess);
  EXPECT_EQ(now, pool);
  void* a = nullptr;
  EXPECT_EQ(cudaMallocAsync(&a, 64, nullptr), cudaSuccess);
  EXPECT_EQ(amount(pool, cudaMemPoolAttrUsedMemCurrent), 64U);
  EXPECT_EQ(cudaMemPoolDestroy(pool), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(a, nullptr), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetMemPool(&now, 0), cudaSuccess);
  EXPECT_EQ(now, common);
  EXPECT_EQ(cudaMallocFromPoolAsync(&a, 64, pool, nullptr), cudaErrorInvalidValue);
  cudaGetLastError();
}

}  // namespace
}  // namespace bankproof::cuda::tests
