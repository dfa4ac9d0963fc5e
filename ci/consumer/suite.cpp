// A suite of a project that uses the installed package with the component testing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bankproof/testing/matchers/matchers.hpp>
#include <cstdint>
#include <vector>

using bankproof::testing::IsConflictFree;
using ::testing::Not;

// The word of row r and column c of a tile of 32 × 32 words in shared memory.
std::uint64_t plain(std::uint64_t r, std::uint64_t c) { return 32 * r + c; }
std::uint64_t swizzled(std::uint64_t r, std::uint64_t c) { return 32 * r + (c ^ r); }

TEST(Tile, is_read_along_columns_without_conflicts_only_when_swizzled) {
  for (std::uint64_t c = 0; c < 32; ++c) {
    std::vector<std::uint64_t> before, after;
    for (std::uint64_t r = 0; r < 32; ++r) {
      before.push_back(plain(r, c));
      after.push_back(swizzled(r, c));
    }
    EXPECT_THAT(before, Not(IsConflictFree(32)));
    EXPECT_THAT(after, IsConflictFree(32));
  }
}
