// Tests what the verifiers report about plans and schedules that are wrong in one place (rows R3
// and H6). A report names the first wrong warp and lane, the row and the pass, and the defect.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "../../../algorithms/permutation/plan.hpp"
#include "../../../algorithms/permutation/verify.hpp"
#include "../../../algorithms/permutation/verify_schedule.hpp"

namespace bankproof::testing {
namespace {

using Cells = std::vector<std::uint16_t>;

Cells numbers_below(std::uint16_t end) {
  Cells cells(end);
  std::iota(cells.begin(), cells.end(), std::uint16_t{0});
  return cells;
}

/// The verifier's message about a plan of width 2.
std::string verdict_on(const Cells& permutation, const Cells& s, const Cells& d) {
  const auto defect = verify_plan(std::span(permutation), std::span(s), std::span(d), 2);
  return defect ? describe(*defect) : "right";
}

TEST(Verifier, says_where_an_element_goes_and_should_go) {
  EXPECT_EQ(verdict_on({0, 2, 1, 3}, {0, 1, 2, 3}, {0, 0, 1, 3}),
            "warp 0, lane 1: D is 0, expected 2, where the permutation takes S");
}

TEST(Verifier, knows_no_element_beyond_the_permutation) {
  const Cells four = numbers_below(4);
  const Cells lanes = {0, 1, 3};
  const auto defect =
      verify_plan(std::span(four).first(3), std::span(lanes), std::span(lanes), Width{1});
  ASSERT_TRUE(defect);
  EXPECT_EQ(describe(*defect), "warp 2, lane 0: S is 3, expected an element below 3 or -1");
}

// The first warp used the same banks in other lanes.
TEST(Verifier, tells_the_lanes_of_one_warp_from_those_of_another) {
  const Cells identity = numbers_below(8);
  EXPECT_EQ(verdict_on(identity, {1, 0, 2, 3, 5, 4, 6, 7}, {1, 0, 2, 3, 5, 4, 6, 7}), "right");
  EXPECT_EQ(verdict_on(identity, {1, 0, 2, 4, 3, 5, 6, 7}, {1, 0, 2, 4, 3, 5, 6, 7}),
            "warp 1, lane 1: reads from bank 0, as lane 0 does");
  const Cells halves = {0, 2, 4, 6, 1, 3, 5, 7};
  EXPECT_EQ(verdict_on(halves, {5, 0, 2, 1, 3, 4, 6, 7}, {3, 0, 4, 2, 6, 1, 5, 7}),
            "warp 1, lane 1: writes to bank 0, as lane 0 does");
}

// A warp and one more lane, with elements that stay in place: the first two lie in one bank, the
// others in different banks. For up to 64 banks, a machine word holds a set of banks.
TEST(Verifier, finds_one_conflict_whatever_the_width) {
  for (const Width width : {2U, 3U, 31U, 32U, 33U, 63U, 64U, 65U, 100U}) {
    const Cells identity = numbers_below(static_cast<std::uint16_t>(width + 1));
    Cells s(std::size_t{2} * width, idle<std::uint16_t>);
    s[0] = 0;
    s[1] = static_cast<std::uint16_t>(width);
    std::iota(s.begin() + width, s.end() - 1, std::uint16_t{1});
    const auto defect =
        verify_plan(std::span<const std::uint16_t>(identity), std::span<const std::uint16_t>(s),
                    std::span<const std::uint16_t>(s), width);
    ASSERT_TRUE(defect) << width;
    EXPECT_EQ(describe(*defect), "warp 0, lane 1: reads from bank 0, as lane 0 does") << width;
  }
}

/// The arrays S and D of one pass.
struct Lanes16 {
  Cells s;
  Cells d;
};
using Passes = std::array<Lanes16, 3>;

/// Passes of width 2 that leave every element of a 2 × 4 matrix in place.
Passes passes_at_rest() {
  const Cells of_rows = {0, 1, 2, 3, 0, 1, 2, 3};
  const Cells of_columns = {0, 1, 0, 1, 0, 1, 0, 1};
  return {{{of_rows, of_rows}, {of_columns, of_columns}, {of_rows, of_rows}}};
}

std::string verdict_on(const Passes& passes, const std::vector<std::uint32_t>& permutation,
                       std::uint64_t columns = 4) {
  std::array<PassToVerify<std::uint16_t>, 3> to_verify;
  for (std::size_t k = 0; k < 3; ++k) to_verify[k] = {passes[k].s, passes[k].d};
  const auto defect = verify_schedule(std::span(permutation), 2, columns, 2, to_verify);
  return defect ? describe(*defect) : "right";
}

const std::vector<std::uint32_t> eight_at_rest = {0, 1, 2, 3, 4, 5, 6, 7};

TEST(ScheduleVerifier, names_the_pass_row_warp_and_lane_that_fail) {
  EXPECT_EQ(verdict_on(passes_at_rest(), eight_at_rest), "right");
  Passes passes = passes_at_rest();
  passes[0].d[6] = 0;
  EXPECT_EQ(verdict_on(passes, eight_at_rest),
            "pass 1, row 1: warp 1, lane 0: place 0 is written a second time");
  passes[0].d[6] = 4;
  EXPECT_EQ(verdict_on(passes, eight_at_rest),
            "pass 1, row 1: warp 1, lane 0: D is 4, expected a place below 4");
  passes = passes_at_rest();
  passes[1].d[7] = 0;
  EXPECT_EQ(verdict_on(passes, eight_at_rest),
            "pass 2, row 3: warp 0, lane 1: place 0 is written a second time");
  passes = passes_at_rest();
  passes[1].s[5] = 0;
  EXPECT_EQ(verdict_on(passes, eight_at_rest),
            "pass 2, row 2: warp 0, lane 1: element 0 is moved a second time");
  passes = passes_at_rest();
  passes[2].s = passes[2].d = {0, 1, 2, 3, 0, 2, 1, 3};
  EXPECT_EQ(verdict_on(passes, eight_at_rest),
            "pass 3, row 1: warp 0, lane 1: reads from bank 0, as lane 0 does");
}

TEST(ScheduleVerifier, names_the_pass_that_has_too_few_lanes_or_too_many) {
  Passes passes = passes_at_rest();
  passes[2].d.pop_back();
  EXPECT_EQ(verdict_on(passes, eight_at_rest), "pass 3 has 7 lanes, expected 8");
  passes = passes_at_rest();
  passes[1].s.push_back(0);
  EXPECT_EQ(verdict_on(passes, eight_at_rest), "pass 2 has 9 lanes, expected 8");
}

TEST(ScheduleVerifier, says_which_element_is_in_the_wrong_place_in_the_end) {
  EXPECT_EQ(verdict_on(passes_at_rest(), {1, 0, 2, 3, 4, 5, 6, 7}),
            "after the three passes, place 1 has element 1, expected element 0");
  Passes passes = passes_at_rest();
  passes[1].d[2] = 1;  // turns column 1 upside down
  passes[1].d[3] = 0;
  EXPECT_EQ(verdict_on(passes, eight_at_rest),
            "after the three passes, place 1 has element 5, expected element 1");
  EXPECT_EQ(verdict_on(passes, {0, 5, 2, 3, 4, 1, 6, 7}), "right");
}

// A row of three columns has an idle lane.
TEST(ScheduleVerifier, leaves_idle_lanes_to_what_is_wrong_with_a_plan) {
  constexpr auto none = idle<std::uint16_t>;
  const Cells of_rows = {0, 1, 2, none, 0, 1, 2, none};
  const Cells of_columns = {0, 1, 0, 1, 0, 1};
  const Passes right = {{{of_rows, of_rows}, {of_columns, of_columns}, {of_rows, of_rows}}};
  const std::vector<std::uint32_t> six = {0, 1, 2, 3, 4, 5};
  EXPECT_EQ(verdict_on(right, six, 3), "right");
  Passes passes = right;
  passes[0].s[6] = passes[0].d[6] = none;
  EXPECT_EQ(verdict_on(passes, six, 3), "pass 1, row 1: element 2 is never moved");
  passes = right;
  passes[0].s[2] = none;
  EXPECT_EQ(verdict_on(passes, six, 3), "pass 1, row 0: warp 1, lane 0: only one of S and D is -1");
}

}  // namespace
}  // namespace bankproof::testing
