// Arrays of zeros of all sizes: their contents, their place, and who frees them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "../../../ptx/memory/zeroed_array.hpp"

namespace bankproof::ptx {
namespace {

bool is_zero(const ZeroedArray<std::uint64_t>& array) {
  return std::all_of(array.data(), array.data() + array.size(),
                     [](std::uint64_t item) { return item == 0; });
}

TEST(ZeroedArrays, are_zeros_from_a_cache_line_on_even_where_others_were_freed) {
  for (const std::size_t size : {0U, 1U, 64U, 2048U, 2049U, 100'000U}) {
    for (std::uint32_t round = 0; round < 3; ++round) {
      ZeroedArray<std::uint64_t> array(size);
      ASSERT_EQ(array.size(), size);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array.data()) % 64, 0U);
      EXPECT_TRUE(is_zero(array));
      std::fill_n(array.data(), size, ~std::uint64_t{0});
    }
  }
}

TEST(ZeroedArrays, small_and_large_ones_take_each_others_place) {
  ZeroedArray<std::uint64_t> small(8);
  ZeroedArray<std::uint64_t> large(100'000);
  small[3] = 3;
  large[4] = 4;
  std::swap(small, large);
  EXPECT_EQ(small[4], 4U);
  EXPECT_EQ(large[3], 3U);
  small = ZeroedArray<std::uint64_t>(8);
  ZeroedArray<std::uint64_t> moved(std::move(large));
  EXPECT_EQ(moved[3], 3U);
  moved = ZeroedArray<std::uint64_t>(100'000);
  EXPECT_TRUE(is_zero(small));
  EXPECT_TRUE(is_zero(moved));
}

TEST(ZeroedArrays, take_over_few_mapped_bytes) {
  void* const pages = mmap(nullptr, 64, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(pages, MAP_FAILED);
  ZeroedArray<std::uint64_t> array(static_cast<std::uint64_t*>(pages), 8);
  ZeroedArray<std::uint64_t> other(8);
  other = std::move(array);
  EXPECT_EQ(other.data(), pages);
  EXPECT_TRUE(is_zero(other));
}

}  // namespace
}  // namespace bankproof::ptx
