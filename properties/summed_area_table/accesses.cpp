// Accesses of summed area tables in full (rows A4–A8): what THS table 6.1 says and the smaller
// terms that it leaves out, for squares of T × T tiles. Blocks have w² threads.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <ostream>
#include <string_view>
#include <vector>

#include "../../algorithms/summed_area_table.hpp"
#include "../../testing/algorithms.hpp"

namespace bankproof {
namespace {

using Words = std::vector<std::uint64_t>;

/// Accesses of threads, and launches but the first.
struct Accesses {
  std::uint64_t reads = 0;  ///< of global memory
  std::uint64_t writes = 0;
  std::uint64_t single_reads = 0;  ///< those in which a thread of a warp is alone
  std::uint64_t single_writes = 0;
  std::uint64_t shared_reads = 0;
  std::uint64_t shared_writes = 0;
  std::uint64_t barriers = 0;

  Accesses& operator+=(const Accesses& other) {
    reads += other.reads;
    writes += other.writes;
    single_reads += other.single_reads;
    single_writes += other.single_writes;
    shared_reads += other.shared_reads;
    shared_writes += other.shared_writes;
    barriers += other.barriers;
    return *this;
  }
  bool operator==(const Accesses&) const = default;
  Accesses without_singles() const {
    Accesses all = *this;
    all.single_reads = all.single_writes = 0;
    return all;
  }
  friend std::ostream& operator<<(std::ostream& out, const Accesses& a) {
    return out << "global " << a.reads << '/' << a.writes << ", single " << a.single_reads << '/'
               << a.single_writes << ", shared " << a.shared_reads << '/' << a.shared_writes
               << ", barriers " << a.barriers;
  }
};

class AccessCounter : public Observer {
 public:
  void launch_begins(const LaunchEvent&) override { ++launches_; }
  void accessed(const AccessEvent& event) override {
    const auto threads = static_cast<std::uint64_t>(std::popcount(event.access.mask.bits()));
    const bool reads = event.access.operation == Operation::read;
    if (event.memory().kind() == MemoryKind::banks) {
      (reads ? all_.shared_reads : all_.shared_writes) += threads;
      return;
    }
    (reads ? all_.reads : all_.writes) += threads;
    if (threads == 1) ++(reads ? all_.single_reads : all_.single_writes);
  }
  Accesses counts() const {
    Accesses counts = all_;
    counts.barriers = launches_ - 1;
    return counts;
  }

 private:
  std::uint64_t launches_ = 0;
  Accesses all_;
};

/// Of T × T tiles.
Accesses counted(std::string_view variant, std::uint64_t T, std::uint64_t w, std::uint64_t t = 0) {
  Task task{
      variant, Sizes(SummedAreaTable::size_keys), {.w = w, .l = 1, .L = 1, .d = 2, .p = w * w}};
  task.sizes.set("rows", T * w);
  task.sizes.set("columns", T * w);
  task.sizes.set("t", t);
  AccessCounter counter;
  const Inputs<std::uint64_t> inputs = {Words(T * w * T * w)};
  testing::run_task<SummedAreaTable>(task, testing::in(Mode::lockstep), inputs, {&counter});
  return counter.counts();
}

/// Step 1 and step 3 of so many tiles, in shared memory, but for what is added to and taken from
/// their edges: `totals` of the tiles leave their own sum.
Accesses tiles_twice(std::uint64_t tiles, std::uint64_t totals, std::uint64_t w) {
  return {.shared_reads = tiles * (2 * w * w + 2 * (w - 1) + 3 * w * w) + totals,
          .shared_writes = tiles * (w * w + w + (w - 1) + 3 * w * w)};
}

/// The table of m × m sums of tiles, of which `sums` are not zero: in one tile, or by 2R1W again;
/// `singles` rows have one word.
Accesses table_of_sums(std::uint64_t m, std::uint64_t sums, std::uint64_t singles,
                       std::uint64_t w) {
  if (m == 0) return {};
  if (m <= w) return {sums, sums, singles, singles, 3 * w * w, 3 * w * w};
  // C and Rᵀ: written, summed down (all read, all but the first rows written) and read; M: written
  // and read, and in shared memory the carries added.
  const std::uint64_t tiles = ceil_div(m, w);
  const std::uint64_t inner = tiles - 1;
  Accesses all = tiles_twice(tiles * tiles, inner * inner, w);
  all += {.reads = 2 * sums + 2 * (2 * inner * m) + inner * inner,
          .writes = sums + 2 * (2 * inner - 1) * m + inner * inner,
          .single_reads = inner * inner,
          .single_writes = inner * inner,
          .shared_reads = 2 * inner * m + inner * inner,
          .shared_writes = 2 * inner * m + inner * inner,
          .barriers = 2};
  return all += table_of_sums(inner, inner * inner, inner == 1 ? 1 : 0, w);
}

/// hybrid: t diagonals of T·T tiles in each triangle, 1 < t < T.
Accesses of_hybrid(std::uint64_t T, std::uint64_t w, std::uint64_t t) {
  const std::uint64_t tiles = t * (t + 1) / 2;          // of a triangle
  const std::uint64_t inner = t * (t - 1) / 2;          // with a tile below, or to the right
  const std::uint64_t corners = (t - 1) * (t - 2) / 2;  // with one beyond both
  const std::uint64_t last_two = 2 * t - 1;             // on two diagonals, t and t − 1 tiles
  // The first triangle: as 2R1W, its last two diagonals leave their edges.
  Accesses all = tiles_twice(tiles, corners, w);
  all += table_of_sums(t - 1, corners, t > 2 ? 1 : 0, w);
  all += {.reads = 2 * tiles * w * w + 4 * inner * w + corners,
          .writes = tiles * w * w + 2 * (2 * inner - (t - 1)) * w + corners + 2 * last_two * w,
          .single_reads = corners,
          .single_writes = corners,
          .shared_reads = 2 * inner * w + corners + 2 * last_two * w,
          .shared_writes = 2 * inner * w + corners};
  // Between: as 1R1W; all but T − t tiles have one above, and likewise the other ways.
  const std::uint64_t middle = T * T - 2 * tiles;
  const std::uint64_t edges = 2 * (middle - (T - t));
  const std::uint64_t both = middle - 2 * (T - t);
  all += {.reads = middle * w * w + edges * w + 2 * both,
          .writes = middle * w * w + edges * w,
          .single_reads = 2 * both,
          .shared_reads = middle * 3 * w * w + edges * 4 * w + 2 * both,
          .shared_writes = middle * 3 * w * w + edges * (2 * w + 1) + both};
  // The last triangle, of whose C, Rᵀ and M there is a diagonal more, and two of M: differences of
  // two reads each, or three but on the farthest.
  all += tiles_twice(tiles, corners, w);
  all += table_of_sums(t, corners + last_two, 1, w);
  all +=
      {.reads = 2 * tiles * w * w + 2 * (2 * t + inner + t + tiles) * w + 3 * (t - 1) + t + tiles,
       .writes = tiles * w * w + 2 * (inner + t + inner) * w + corners + last_two,
       .single_reads = 3 * (t - 1) + t + tiles,
       .single_writes = corners + last_two,
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
      const Accesses counts = counted(variant, tiles, w);
      EXPECT_EQ(counts.reads + counts.writes, requests) << variant;
      EXPECT_EQ(counts.barriers, barriers) << variant;
    };
    expect("2R2W", 4 * n - 2 * s, 1);
    expect("4R4W", 8 * n - 2 * s, 3);
    // Three of b are missing at the corner, two along each edge.
    expect("4R1W", 5 * n - 4 * (s - 1) - 3, 2 * s - 2);
    // Edges: s words above each row of tiles but the first, with the corners, read and written, and
    // the same for columns.
    const std::uint64_t inner = tiles - 1;
    expect("1R1W", 2 * n + 2 * (2 * inner * s) + 2 * inner * inner, 2 * tiles - 2);
  }
}

TEST(SummedAreaTable, by_2R1W_makes_these_accesses_whatever_the_depth_of_its_recursion) {
  for (const std::uint64_t w : {2U, 3U, 4U}) {
    for (std::uint64_t T = 2; T <= 16; ++T) {
      SCOPED_TRACE(::testing::Message() << "w = " << w << ", T = " << T);
      const std::uint64_t s = T * w;
      const Accesses counts = counted("2R1W", T, w);
      const Accesses form = table_of_sums(s, s * s, 0, w);
      EXPECT_EQ(counts.without_singles(), form.without_singles());
      if (T - 1 > w) continue;  // there are tiles of single columns, too
      EXPECT_EQ(counts, form);
    }
  }
}

TEST(SummedAreaTable, by_the_hybrid_makes_these_accesses_whatever_the_depth_of_its_recursion) {
  for (const std::uint64_t w : {2U, 3U, 4U}) {
    for (std::uint64_t T = 3; T <= 14; ++T) {
      for (std::uint64_t t = 2; t < T; ++t) {
        SCOPED_TRACE(::testing::Message() << "w = " << w << ", T = " << T << ", t = " << t);
        const Accesses counts = counted("hybrid", T, w, t);
        const Accesses form = of_hybrid(T, w, t);
        ASSERT_EQ(counts.without_singles(), form.without_singles());
        if (t > w) continue;
        ASSERT_EQ(counts, form);
      }
    }
  }
}

}  // namespace
}  // namespace bankproof
