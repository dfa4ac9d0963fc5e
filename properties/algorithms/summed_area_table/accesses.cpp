// Counts all accesses of the algorithms for summed area tables (rows A4–A8), for squares of T × T
// tiles: the terms of THS table 6.1, and the smaller terms that the table omits. Blocks have w²
// threads.
#include "../../../algorithms/summed_area_table/accesses.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "../../../algorithms/summed_area_table/summed_area_table.hpp"
#include "../../../testing/algorithms.hpp"

namespace bankproof {
namespace {

using Words = std::vector<std::uint64_t>;

/// The accesses that a run on T × T tiles makes.
SatAccesses counted(std::string_view variant, std::uint64_t T, std::uint64_t w,
                    std::uint64_t t = 0) {
  const Task task =
      testing::task_of<SummedAreaTable>(variant, {.w = w, .l = 1, .L = 1, .d = 2, .p = w * w},
                                        {{"rows", T * w}, {"columns", T * w}, {"t", t}});
  SatAccessCounter counter;
  const Inputs<std::uint64_t> inputs = {Words(T * w * T * w)};
  testing::run_task<SummedAreaTable>(task, testing::in(Mode::lockstep), inputs, {&counter});
  return counter.counts();
}

/// Accesses to the tiles' sums, m rows of m words in a matrix. From row i an algorithm accesses
/// `count(i)` words, at most w, starting at word begin(i). An access of a single word, or of two
/// words in different groups, takes a stage for each word.
template <class Begin, class Count>
SatAccesses stride_sums(std::uint64_t m, std::uint64_t w, Begin begin, Count count) {
  std::uint64_t words = 0;
  for (std::uint64_t i = 0; i < m; ++i) {
    const bool is_split = (i * m + begin(i)) % w == w - 1;
    if (count(i) == 1 || (count(i) == 2 && is_split)) words += count(i);
  }
  return {.stride_reads = words, .stride_writes = words};
}
std::uint64_t none(std::uint64_t) { return 0; }

SatAccesses without_stride(SatAccesses all) {
  all.stride_reads = all.stride_writes = 0;
  return all;
}

/// The accesses of hybrid, with t diagonals of the T·T tiles in each triangle, 1 < t < T.
SatAccesses of_hybrid(std::uint64_t T, std::uint64_t w, std::uint64_t t) {
  const std::uint64_t tiles = t * (t + 1) / 2;          // in a triangle
  const std::uint64_t inner = t * (t - 1) / 2;          // with a tile below, or to the right
  const std::uint64_t corners = (t - 1) * (t - 2) / 2;  // with a tile diagonally below
  const std::uint64_t last_two = 2 * t - 1;             // on the last two diagonals: t and t − 1
  // The first triangle, as in 2R1W. The last two diagonals write their edges, too.
  SatAccesses all = tiles_in_two_passes(tiles, corners, w);
  all += table_of_sums(t - 1, corners, w);
  all += stride_sums(t - 1, w, none, [&](std::uint64_t i) { return minus_or_zero(t - 2, i); });
  all += {.reads = 2 * tiles * w * w + 4 * inner * w + corners,
          .writes = tiles * w * w + 2 * (2 * inner - (t - 1)) * w + corners + 2 * last_two * w,
          .stride_reads = corners,
          .stride_writes = corners,
          .shared_reads = 2 * inner * w + corners + 2 * last_two * w,
          .shared_writes = 2 * inner * w + corners};
  // The region between the triangles, as in 1R1W. In each of the four directions, all but T − t
  // tiles of this region have a neighbor.
  const std::uint64_t middle = T * T - 2 * tiles;
  const std::uint64_t edges = 2 * (middle - (T - t));
  const std::uint64_t both = middle - 2 * (T - t);
  all += {.reads = middle * w * w + edges * w + 2 * both,
          .writes = middle * w * w + edges * w,
          .stride_reads = 2 * both,
          .shared_reads = middle * 3 * w * w + edges * 4 * w + 2 * both,
          .shared_writes = middle * 3 * w * w + edges * (2 * w + 1) + both};
  // The last triangle. C and Rᵀ cover one diagonal more than the triangle, M covers two more. A
  // value of C or Rᵀ is a difference of two reads; a value of M is a difference of three reads,
  // except on the farthest diagonal.
  all += tiles_in_two_passes(tiles, corners, w);
  all += table_of_sums(t, corners + last_two, w);
  all += stride_sums(
      t, w, [&](std::uint64_t i) { return t - 1 - i; }, [](std::uint64_t i) { return i + 1; });
  all +=
      {.reads = 2 * tiles * w * w + 2 * (2 * t + inner + t + tiles) * w + 3 * (t - 1) + t + tiles,
       .writes = tiles * w * w + 2 * (inner + t + inner) * w + corners + last_two,
       .stride_reads = 3 * (t - 1) + t + tiles,
       .stride_writes = corners + last_two,
       .shared_reads = 2 * tiles * w + tiles,
       .shared_writes = 2 * tiles * w + tiles};
  all.barriers += 2 * (T - t) + 4;
  return all;
}

TEST(SummedAreaTable, makes_the_accesses_of_THS_table_6_1_and_the_smaller_terms_it_leaves_out) {
  const std::uint64_t w = 4;
  for (const std::uint64_t tiles : {1U, 2U, 4U, 5U, 6U}) {
    const std::uint64_t s = tiles * w;
    const std::uint64_t n = s * s;
    SCOPED_TRACE(s);
    const auto expect = [&](std::string_view variant, std::uint64_t requests,
                            std::uint64_t barriers) {
      const SatAccesses counts = counted(variant, tiles, w);
      EXPECT_EQ(counts.reads + counts.writes, requests) << variant;
      EXPECT_EQ(counts.barriers, barriers) << variant;
    };
    expect("2R2W", 4 * n - 2 * s, 1);
    expect("4R4W", 8 * n - 2 * s, 3);
    // 4R1W reads b three times for each element. The corner lacks all three reads; the other
    // elements of the first row and column lack two.
    expect("4R1W", 5 * n - 4 * (s - 1) - 3, 2 * s - 2);
    // Edges: the algorithm writes and reads s words above each row of tiles except the first, s
    // words to the left of each column of tiles except the first, and the corners.
    const std::uint64_t inner = tiles - 1;
    expect("1R1W", 2 * n + 2 * (2 * inner * s) + 2 * inner * inner, 2 * tiles - 2);
  }
}

TEST(SummedAreaTable, by_2R1W_makes_these_accesses_whatever_the_depth_of_its_recursion) {
  for (const std::uint64_t w : {2U, 3U, 4U}) {
    for (std::uint64_t T = 2; T <= 16; ++T) {
      SCOPED_TRACE(::testing::Message() << "w = " << w << ", T = " << T);
      const std::uint64_t s = T * w;
      const SatAccesses counts = counted("2R1W", T, w);
      SatAccesses form = table_of_sums(s, s * s, w);
      EXPECT_EQ(without_stride(counts), without_stride(form));
      if (T - 1 > w) continue;  // tiles of a single column add stride accesses
      form += stride_sums(T - 1, w, none, [&](std::uint64_t) { return T - 1; });
      EXPECT_EQ(counts, form);
    }
  }
}

TEST(SummedAreaTable, by_the_hybrid_makes_these_accesses_whatever_the_depth_of_its_recursion) {
  for (const std::uint64_t w : {2U, 3U, 4U}) {
    for (std::uint64_t T = 3; T <= 14; ++T) {
      for (std::uint64_t t = 2; t < T; ++t) {
        SCOPED_TRACE(::testing::Message() << "w = " << w << ", T = " << T << ", t = " << t);
        const SatAccesses counts = counted("hybrid", T, w, t);
        const SatAccesses form = of_hybrid(T, w, t);
        ASSERT_EQ(without_stride(counts), without_stride(form));
        if (t > w || w == 2) continue;  // two words after a single one lie in two groups
        ASSERT_EQ(counts, form);
      }
    }
  }
}

}  // namespace
}  // namespace bankproof
