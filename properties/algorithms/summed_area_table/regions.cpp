// Checks what figures 6.7 and 6.9 of THS show (rows A17 and A18). Figure 6.7 shows which diagonal a
// stage of 4R1W computes, and from which elements. Figure 6.9 shows the three regions of (1+r)R1W,
// which differ in how often the algorithm reads their elements.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "../../../algorithms/summed_area_table/summed_area_table.hpp"
#include "../../../testing/algorithms.hpp"
#include "../../../testing/canary.hpp"

namespace bankproof {
namespace {

using testing::any;
using Words = std::vector<std::uint64_t>;
using Places = std::multiset<std::uint64_t>;

/// Records the words of a and b that each launch reads and writes.
class Touched : public Observer {
 public:
  struct InLaunch {
    Places read_of_a;
    Places read_of_b;
    Places written;
  };

  void launch_begins(const LaunchEvent&) override { launches_.emplace_back(); }
  void accessed(const AccessEvent& event) override {
    const bool of_a = event.array().name() == "a";
    if (!of_a && event.array().name() != "b") return;
    InLaunch& now = launches_.back();
    Places& places = event.is_write() ? now.written : of_a ? now.read_of_a : now.read_of_b;
    for_each_lane(event.access.mask, [&](Width lane) { places.insert(event.index(lane)); });
  }
  const std::vector<InLaunch>& launches() const { return launches_; }

  /// The words that all launches access.
  InLaunch all() const {
    InLaunch sum;
    for (const InLaunch& one : launches_) {
      sum.read_of_a.insert(one.read_of_a.begin(), one.read_of_a.end());
      sum.written.insert(one.written.begin(), one.written.end());
    }
    return sum;
  }

 private:
  std::vector<InLaunch> launches_;
};

Touched touched_by(const Task& task) {
  Touched touched;
  const Inputs<std::uint64_t> inputs = {Words(SummedAreaTable::inputs(task)[0].size(), 1)};
  testing::run_task<SummedAreaTable>(task, testing::in(Mode::lockstep), inputs, {&touched});
  return touched;
}

/// Checks that stage k of 4R1W, which is launch k + `late`, computes the elements with i + j = k
/// from their three neighbors. A canary passes `late` = 1.
void stages_are_diagonals(std::uint64_t rows, std::uint64_t columns, std::uint64_t p,
                          std::uint64_t late = 0) {
  const Task task = testing::task_of<SummedAreaTable>("4R1W", {.w = 4, .L = 2, .d = 2, .p = p},
                                                      {{"rows", rows}, {"columns", columns}});
  const auto launches = touched_by(task).launches();
  RC_ASSERT(launches.size() == rows + columns - 1);
  for (std::uint64_t k = 0; k + late < launches.size(); ++k) {
    Places diagonal;
    Places neighbors;
    for (std::uint64_t i = 0; i < rows; ++i) {
      for (std::uint64_t j = 0; j < columns; ++j) {
        if (i + j != k) continue;
        diagonal.insert(i * columns + j);
        if (j > 0) neighbors.insert(i * columns + j - 1);
        if (i > 0) neighbors.insert((i - 1) * columns + j);
        if (i > 0 && j > 0) neighbors.insert((i - 1) * columns + j - 1);
      }
    }
    RC_ASSERT(launches[k + late].written == diagonal);
    RC_ASSERT(launches[k + late].read_of_a == diagonal);
    RC_ASSERT(launches[k + late].read_of_b == neighbors);
  }
}

TEST(SummedAreaTable, by_4R1W_computes_eight_elements_in_stage_7_of_THS_figure_6_7) {
  const Task task = testing::task_of<SummedAreaTable>("4R1W", {.w = 3, .L = 2, .d = 1, .p = 9},
                                                      {{"rows", 9}, {"columns", 9}});
  const auto launches = touched_by(task).launches();
  ASSERT_EQ(launches.size(), 17U);
  EXPECT_EQ(launches[7].written, (Places{7, 15, 23, 31, 39, 47, 55, 63}));
  // The two elements at the edge have only one neighbor.
  EXPECT_EQ(launches[7].read_of_b.size(), 6 * 3 + 2 * 1U);
}

BANKPROOF_PROPERTY(SummedAreaTable, by_4R1W_computes_a_diagonal_a_stage_as_in_THS_figure_6_7, ()) {
  stages_are_diagonals(9, 9, 9);
  stages_are_diagonals(any(1, 10), any(1, 10), any(1, 20));
}

TEST(Canary, diagonals_that_come_a_stage_late_are_caught) {
  EXPECT_TRUE(testing::caught([] { stages_are_diagonals(any(1, 6), any(1, 6), any(1, 9), 1); }));
}

/// The regions A, B and C of figure 6.9, for T × T tiles and triangles of t diagonals.
enum class Region { first_triangle, last_triangle, between };
Region region_of(std::uint64_t y, std::uint64_t x, std::uint64_t T, std::uint64_t t) {
  if (y + x < t) return Region::first_triangle;
  return y + x + t + 1 >= 2 * T ? Region::last_triangle : Region::between;
}

/// Checks that the algorithm reads each element of the triangles twice, reads each other element
/// once, and writes every element once.
void regions_are_those_of_figure_6_9(std::uint64_t T, std::uint64_t w, std::uint64_t t,
                                     std::uint64_t t_of_figure) {
  const std::uint64_t side = T * w;
  const Task task =
      testing::task_of<SummedAreaTable>("hybrid", {.w = w, .L = 2, .d = 2, .p = w * w},
                                        {{"rows", side}, {"columns", side}, {"t", t}});
  const auto all = touched_by(task).all();
  std::map<Region, std::uint64_t> elements;
  for (std::uint64_t place = 0; place < side * side; ++place) {
    const Region region = region_of(place / side / w, place % side / w, T, t_of_figure);
    ++elements[region];
    RC_ASSERT(all.read_of_a.count(place) == (region == Region::between ? 1U : 2U));
    RC_ASSERT(all.written.count(place) == 1U);
  }
  // Each triangle has t²/2 + t/2 tiles: rn/2 elements, where rn is t²w², and half of a diagonal of
  // t tiles.
  for (const Region triangle : {Region::first_triangle, Region::last_triangle}) {
    RC_ASSERT(elements[triangle] == t * (t + 1) / 2 * w * w);
  }
  // The reads are (1 + r)n, plus one for each element of the two half diagonals.
  RC_ASSERT(all.read_of_a.size() == side * side + t * t * w * w + t * w * w);
}

BANKPROOF_PROPERTY(SummedAreaTable, by_the_hybrid_reads_the_triangles_of_THS_figure_6_9_twice, ()) {
  const std::uint64_t w = any(2, 4);
  const std::uint64_t T = any(1, 7);
  const std::uint64_t t = any(0, T - 1);
  regions_are_those_of_figure_6_9(T, w, t, t);
}

TEST(Canary, triangles_with_a_diagonal_too_many_are_caught) {
  EXPECT_TRUE(testing::caught([] {
    const std::uint64_t T = any(2, 6);
    const std::uint64_t t = any(0, T - 2);
    regions_are_those_of_figure_6_9(T, 2, t, t + 1);
  }));
}

}  // namespace
}  // namespace bankproof
