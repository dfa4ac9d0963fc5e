// Reports attribute the counts and faults of instructions to lines of the user's file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "../../../ptx/report/text.hpp"
#include "support.hpp"

namespace bankproof::ptx {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const LineReport& line(const KernelReport& report, std::uint32_t number) {
  const auto found = std::find_if(report.lines.begin(), report.lines.end(),
                                  [&](const LineReport& one) { return one.at.line == number; });
  if (found == report.lines.end()) throw std::out_of_range("no line " + std::to_string(number));
  return *found;
}

// Sites: 0 ld.param, 1 ld.global, 2 add, 3 ld.global, 4 add, 5 st.shared, 6 bar, 7 ret.
TEST(KernelReport, counts_inlined_code_at_the_line_of_the_users_file) {
  MadeUp kernel(three_files);
  kernel.accesses.add(5, shared_cost(32, 1));
  const KernelReport report = kernel.report();
  EXPECT_EQ(report.lines.size(), 4U);
  const LineReport& rolled = line(report, 13);
  EXPECT_EQ(rolled.at.file, "tile.cu");
  EXPECT_EQ(rolled.shared_excess(), 31U);
  EXPECT_THAT(rolled.inlined,
              ElementsAre(SourceLine{"lib/block.cuh", 30}, SourceLine{"lib/deep.cuh", 77}));
  EXPECT_THAT(rolled.functions, ElementsAre("f", "g", "k"));
  EXPECT_THAT(line(report, 11).inlined, IsEmpty());
}

TEST(KernelReport, names_the_users_file_as_the_user_does) {
  const std::string path = std::string(BANKPROOF_SOURCE) + "/README.md";
  std::string text = three_files;
  text.replace(text.find("tile.cu"), 7, path);
  const MadeUp kernel(text, path + "/../README.md");
  EXPECT_NE(kernel.report().lines.front().at.file, path + "/../README.md") << "no such folder";
  const std::string other = std::string(BANKPROOF_SOURCE) + "/./README.md";
  EXPECT_EQ(MadeUp(text, other).report().lines.front().at.file, other);
}

TEST(KernelReport, visits_are_those_of_accesses_and_add_copies_up) {
  MadeUp kernel(three_files);
  kernel.visits = {1, 6, 90, 4, 5, 1, 1, 1};
  kernel.lanes = {32, 60, 90, 40, 50, 32, 32, 32};
  const KernelReport report = kernel.report();
  EXPECT_EQ(line(report, 11).visits, 10U) << "two copies of one load, and an addition";
  EXPECT_EQ(line(report, 11).active_lanes, 100U);
  EXPECT_EQ(line(report, 12).visits, 5U);
  EXPECT_EQ(line(report, 10).visits, 1U);
}

// A line's visits do not count instructions that only compute addresses.
TEST(KernelReport, visits_are_those_of_copies_and_of_barriers_that_are_polled) {
  for (const char* const access :
       {"cp.async.ca.shared.global [%r1], [%rd1], 4;",
        "cp.async.cg.shared.global [%r1], [%rd1], 16;",
        "cp.async.mbarrier.arrive.shared.b64 [%r1];", "mbarrier.arrive.shared.b64 %rd2, [%r1];",
        "mbarrier.try_wait.shared.b64 %p1, [%r1], %rd2;"}) {
    MadeUp kernel(std::string(".version 8.0\n.target sm_90\n.address_size 64\n.entry k()\n{\n"
                              ".reg .pred %p<9>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n"
                              ".loc 1 10 5\nadd.s32 %r1, %r2, 1;\n") +
                  access + "\n.loc 1 11 5\nret;\n}\n.file 1 \"tile.cu\"\n");
    kernel.visits = {90, 4, 1};
    EXPECT_EQ(line(kernel.report(), 10).visits, 4U) << access;
  }
}

TEST(KernelReport, adds_launches_up) {
  MadeUp kernel(three_files);
  kernel.visits[1] = 3;
  kernel.accesses.add(1, global_cost(32, 4));
  ReportBuilder builder("sm_90");
  builder.add("k(int)", kernel.origins, kernel.counts());
  builder.add("k(int)", kernel.origins, kernel.counts());
  builder.add("other", kernel.origins, kernel.counts());
  const KernelReport report = builder.report({});
  EXPECT_EQ(report.kernel, "k(int), other");
  EXPECT_EQ(report.launches, 3U);
  EXPECT_EQ(report.time, 21U);
  EXPECT_EQ(line(report, 11).visits, 3U * 4U);
  EXPECT_EQ(line(report, 12).visits, 3U);
  EXPECT_EQ(report.totals.sectors, 96U);
  EXPECT_EQ(line(report, 11).global_excess(), 84U);
}

TEST(KernelReport, has_lines_of_ptx_where_there_are_no_others) {
  const MadeUp kernel(".version 7.8\n.target sm_80\n.address_size 64\n.entry k()\n{\nret;\n}\n");
  const KernelReport report = kernel.report();
  ASSERT_EQ(report.lines.size(), 1U);
  EXPECT_EQ(report.lines.front().at, (SourceLine{"k.ptx", 6}));
}

TEST(KernelReport, keeps_the_worst_picture_and_tells_its_launch) {
  MadeUp kernel(three_files);
  AccessCounts counts = shared_cost(32, 1);
  counts.worst_shared.emplace();
  counts.worst_shared->excess = 31;
  kernel.accesses.add(5, counts);
  ReportBuilder builder("hmm");
  builder.add("a", MadeUp(three_files).origins, MadeUp(three_files).counts());
  builder.add("k", kernel.origins, kernel.counts());
  const KernelReport report = builder.report({});
  ASSERT_TRUE(line(report, 13).counts.worst_shared);
  EXPECT_EQ(line(report, 13).counts.worst_shared->warp.launch, 1U);
}

TEST(KernelReport, has_faults_with_thread_place_and_chain) {
  MadeUp kernel(three_files);
  for (int k = 0; k < 3; ++k) {
    kernel.faults.add(FaultKind::race, 6, 1, {0, 5, 9}, [] { return std::string("write of `t`"); });
  }
  const KernelReport report = kernel.report();
  ASSERT_EQ(report.faults.size(), 1U);
  const FaultReport& fault = report.faults.front();
  EXPECT_EQ(fault.at, (SourceLine{"tile.cu", 13}));
  EXPECT_EQ(fault.count, 3U);
  EXPECT_EQ(fault.message, "block (1,2), thread (1,1): write of `t`; the other is at tile.cu:11");
  EXPECT_THAT(fault.chain, ElementsAre(SourceLine{"lib/deep.cuh", 77},
                                       SourceLine{"lib/block.cuh", 30}, SourceLine{"tile.cu", 13}));
  EXPECT_EQ(chain_text(fault.at, fault.chain),
            "tile.cu:13 (from lib/deep.cuh:77, lib/block.cuh:30, tile.cu:13)");
}

TEST(KernelReport, joins_faults_of_one_line_and_shows_the_first_thread) {
  MadeUp kernel(three_files);
  kernel.faults.add(FaultKind::out_of_bounds, 3, no_site, {0, 0, 4},
                    [] { return std::string("b"); });
  kernel.faults.add(FaultKind::out_of_bounds, 1, no_site, {0, 1, 0},
                    [] { return std::string("a"); });
  kernel.faults.add(FaultKind::misaligned, 1, no_site, {0, 1, 0}, [] { return std::string("c"); });
  const KernelReport report = kernel.report();
  ASSERT_EQ(report.faults.size(), 2U);
  EXPECT_EQ(report.faults[0].message, "block (0,0), thread (4,0): b");
  EXPECT_EQ(report.faults[0].count, 2U);
  EXPECT_EQ(report.faults[1].kind, FaultKind::misaligned);
}

TEST(KernelReport, text_has_the_lines_the_faults_and_the_verdict) {
  MadeUp kernel(three_files);
  kernel.accesses.add(5, shared_cost(32, 1));
  kernel.faults.add(FaultKind::race, 1, no_site, {}, [] { return std::string("a\nb"); });
  const std::string text =
      as_text(kernel.report(), {.fail_on = {}, .max_shared_excess = 30, .max_global_excess = {}});
  EXPECT_THAT(text, HasSubstr("k(int) on hmm:w=32\n1 launch, 7 time units, 256 instructions"));
  EXPECT_THAT(text, HasSubstr("\ntile.cu\n"));
  EXPECT_THAT(text, HasSubstr("\n      13         1  32.0         32        1       31"));
  EXPECT_THAT(text, HasSubstr("tile.cu:11: race: block (0,0), thread (0,0): a\\x0ab\n"));
  EXPECT_THAT(text, HasSubstr("tile.cu:13: shared_excess: 31 wavefronts more than the ideal 1; "
                              "the limit is 30\n"));
  EXPECT_THAT(text, HasSubstr("\nfails: 1 fault, 1 line with more than 30 excess wavefronts\n"));
  EXPECT_THAT(as_text(MadeUp(three_files).report()), HasSubstr("\npasses\n"));
}

TEST(KernelReport, text_tells_of_each_memory_what_is_over_and_what_is_not_limited) {
  MadeUp kernel(three_files);
  kernel.accesses.add(5, shared_cost(32, 1));
  kernel.accesses.add(1, global_cost(32, 4));
  const KernelReport report = kernel.report();
  const auto verdict = [&](std::optional<std::uint64_t> shared,
                           std::optional<std::uint64_t> global) {
    return verdict_text(report,
                        {.fail_on = {}, .max_shared_excess = shared, .max_global_excess = global});
  };
  EXPECT_EQ(verdict({}, {}),
            "passes; excess is not limited: 31 wavefronts on 1 line, 28 sectors on 1 line");
  EXPECT_EQ(verdict(31, {}), "passes; excess is not limited: 28 sectors on 1 line");
  EXPECT_EQ(verdict({}, 28), "passes; excess is not limited: 31 wavefronts on 1 line");
  EXPECT_EQ(verdict(31, 28), "passes");
  EXPECT_EQ(verdict(1, 2),
            "fails: 1 line with more than 1 excess wavefronts, 1 line with more than 2 excess "
            "sectors");
  const std::string text =
      as_text(report, {.fail_on = {}, .max_shared_excess = {}, .max_global_excess = 27});
  EXPECT_THAT(text, HasSubstr("\n\ntile.cu:11: global_excess: 28 sectors more than the ideal 4; "
                              "the limit is 27\n\nfails: "));
  EXPECT_THAT(text, Not(HasSubstr("shared_excess")));
}

}  // namespace

}  // namespace bankproof::ptx
