// The matchers of kernel reports and of layouts accept right values, reject wrong ones, and say
// why.
#include "../../testing/matchers/kernel_matchers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

namespace bankproof::testing {

namespace {

using ::testing::HasSubstr;
using ::testing::Le;
using ::testing::Not;

ptx::KernelReport report(std::uint64_t wavefronts, std::uint64_t sectors) {
  ptx::KernelReport made;
  ptx::LineReport clean;
  clean.at = {"tile.cu", 3};
  clean.counts.wavefronts = clean.counts.ideal_wavefronts = 7;
  clean.counts.sectors = clean.counts.ideal_sectors = 100;
  ptx::LineReport line;
  line.at = {"tile.cu", 12};
  line.counts.wavefronts = wavefronts;
  line.counts.ideal_wavefronts = 2;
  line.counts.sectors = sectors;
  line.counts.ideal_sectors = 8;
  made.lines = {clean, line};
  return made;
}

template <class Matcher, class Value>
std::string why(const Matcher& matcher, const Value& value) {
  ::testing::StringMatchResultListener listener;
  ::testing::ExplainMatchResult(matcher, value, &listener);
  return listener.str();
}

TEST(KernelMatchers, take_reports) {
  EXPECT_THAT(report(2, 8), ConflictFree());
  EXPECT_THAT(report(3, 8), Not(ConflictFree()));
  EXPECT_THAT(report(64, 8), ExcessWavefronts(62));
  EXPECT_THAT(report(64, 8), ExcessWavefronts(Le(62)));
  EXPECT_THAT(report(65, 8), Not(ExcessWavefronts(Le(62))));
  EXPECT_THAT(report(2, 8), CoalescedWithin(1.0));
  EXPECT_THAT(report(2, 12), CoalescedWithin(1.5));
  EXPECT_THAT(report(2, 12), Not(CoalescedWithin(1.49))) << "a line at a time, not on the average";
  EXPECT_THROW(why(CoalescedWithin(0.5), report(2, 8)), std::invalid_argument);
}

TEST(KernelMatchers, find_races_in_reports) {
  ptx::KernelReport racing = report(2, 8);
  ptx::FaultReport fault;
  fault.kind = ptx::FaultKind::out_of_bounds;
  fault.at = {"tile.cu", 5};
  fault.message = "read";
  racing.faults = {fault};
  EXPECT_THAT(racing, RaceFree());
  EXPECT_THAT(racing, Not(FaultFree()));
  EXPECT_EQ(why(FaultFree(), racing), "with out_of_bounds at tile.cu:5: read");
  racing.faults.front().kind = ptx::FaultKind::trap;
  EXPECT_THAT(racing, Not(RaceFree())) << "it did not come to its end";
  racing.faults.front().kind = ptx::FaultKind::race;
  EXPECT_THAT(racing, Not(RaceFree()));
  EXPECT_EQ(why(RaceFree(), racing), "with race at tile.cu:5: read");
  racing.faults.front().suppressed = true;
  EXPECT_THAT(racing, RaceFree());
  EXPECT_THAT(racing, FaultFree());
}

TEST(KernelMatchers, leave_out_what_is_suppressed) {
  ptx::KernelReport intended = report(64, 99);
  intended.lines[1].shared_suppressed = true;
  EXPECT_THAT(intended, ConflictFree());
  EXPECT_THAT(intended, Not(CoalescedWithin(1)));
  intended.lines[1].global_suppressed = true;
  EXPECT_THAT(intended, CoalescedWithin(1));
}

TEST(KernelMatchers, say_which_lines) {
  EXPECT_EQ(why(ConflictFree(), report(64, 8)),
            "with 62 excess wavefronts: tile.cu:12 has 64 wavefronts where 2 would do");
  EXPECT_EQ(why(CoalescedWithin(2), report(2, 32)),
            "where tile.cu:12 has 32 sectors where 8 would do");
}

TEST(KernelMatchers, take_layouts_and_permutations) {
  std::vector<int> rows(64);
  std::iota(rows.begin(), rows.end(), 0);
  EXPECT_THAT(rows, ConflictFree());
  EXPECT_THAT(rows, CoalescedWithin(1.0));
  EXPECT_THAT(rows, RaceFree());
  std::vector<int> columns(1024);
  for (int i = 0; i < 1024; ++i) columns[static_cast<std::size_t>(i)] = i % 32 * 32 + i / 32;
  EXPECT_THAT(columns, Not(ConflictFree()));
  EXPECT_THAT(columns, ExcessWavefronts(32 * 31));
  EXPECT_THAT(columns, CoalescedWithin(8));
  EXPECT_THAT(columns, Not(CoalescedWithin(7.9)));
  EXPECT_THAT(why(ConflictFree(), columns), HasSubstr("warp 0 has 32 wavefronts where 1 would do"));
  const std::vector<int> twice = {4, -1, 5, -1, 4};
  EXPECT_THAT(twice, Not(RaceFree()));
  EXPECT_EQ(why(RaceFree(), twice), "in which threads 0 and 4 touch element 4");
  EXPECT_THAT(Progression(32, 0, 32), Not(ConflictFree()));
  EXPECT_THAT(Progression(32, 0, 33), ConflictFree());
  EXPECT_THAT(std::vector<int>(32, -1), ExcessWavefronts(0)) << "nobody touches anything";
}

TEST(KernelMatchers, refuse_arguments_that_are_not_layouts) {
  EXPECT_THROW(why(ConflictFree(), std::vector<int>{}), std::invalid_argument);
  EXPECT_THROW(why(RaceFree(), std::vector<int>{-2}), std::invalid_argument);
  EXPECT_THROW(why(ConflictFree(), std::vector<std::uint64_t>{~0ULL}), std::invalid_argument);
}

}  // namespace

}  // namespace bankproof::testing
