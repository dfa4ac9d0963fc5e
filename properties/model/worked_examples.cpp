// The examples that the sources work out (rows M1–M3, M5 and M6), with the numbers of their
// figures.
#include <gtest/gtest.h>

#include <vector>

#include "../../model/machine.hpp"
#include "../../model/observers/trace.hpp"
#include "two_warps.hpp"

namespace bankproof {
namespace {

template <class Machine>
Time time_of_warps(const std::vector<Addresses>& of_warp, Latency latency, Mode mode) {
  Machine machine({.width = 4, .latency = latency}, {.mode = mode});
  Array<int> a(machine.memory(), std::vector<int>(16), "a");
  return machine.launch({.threads = 4 * of_warp.size()}, listed, a, of_warp);
}

class WorkedExamples : public ::testing::TestWithParam<Mode> {};

TEST_P(WorkedExamples, THS_figure_3_3_takes_7_on_the_DMM_and_9_on_the_UMM_with_latency_5) {
  EXPECT_EQ(time_of_warps<Dmm>(two_warps, 5, GetParam()), 7U);
  EXPECT_EQ(time_of_warps<Umm>(two_warps, 5, GetParam()), 9U);
}

TEST_P(WorkedExamples, OPT_figure_2_takes_6_on_the_DMM_with_latency_4_and_10_on_the_UMM_with_6) {
  EXPECT_EQ(time_of_warps<Dmm>(two_warps, 4, GetParam()), 6U);
  EXPECT_EQ(time_of_warps<Umm>(two_warps, 6, GetParam()), 10U);
}

TEST_P(WorkedExamples, THS_figure_2_4_has_one_stage_without_and_two_with_a_bank_conflict) {
  EXPECT_EQ(time_of_warps<Dmm>({{0, 5, 10, 11}}, 1, GetParam()), 1U);
  EXPECT_EQ(time_of_warps<Dmm>({{0, 4, 9, 15}}, 1, GetParam()), 2U);
}

// HMM figure 4: W(A) accesses three groups, W(B) one; the global latency is 5. The warps are "in
// the same DMM or different DMMs".
TEST_P(WorkedExamples, HMM_figure_4_completes_in_8) {
  const std::vector<Addresses> groups = {{0, 4, 8, 9}, {12, 13, 14, 15}};
  const std::vector<Addresses> other_order = {groups[1], groups[0]};
  for (const auto& of_warp : {groups, other_order}) {
    for (const std::uint64_t blocks : {1U, 2U}) {
      Hmm machine({.dmms = 2, .width = 4, .global_latency = 5}, {.mode = GetParam()});
      Array<int> a(machine.global(), std::vector<int>(16), "a");
      EXPECT_EQ(machine.launch({.blocks = blocks, .threads = 8 / blocks}, listed, a, of_warp), 8U);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Mode, WorkedExamples, ::testing::Values(Mode::overlapped, Mode::lockstep),
                         [](const auto& test) {
                           return test.param == Mode::overlapped ? "overlapped" : "lockstep";
                         });

TEST(Trace, shows_the_time_chart_of_THS_figure_3_3) {
  Dmm machine({.width = 4, .latency = 5});
  Trace trace;
  machine.attach(trace);
  Array<int> a(machine.memory(), std::vector<int>(16), "a");
  machine.launch({.threads = 8}, listed, a, two_warps);
  std::ostringstream text;
  text << trace;
  EXPECT_EQ(text.str(),
            "0..6 memory: block 0 warp 0 reads a[7, 5, 15, 0] in 2 stages\n"
            "2..7 memory: block 0 warp 1 reads a[10, 11, 12, 9] in 1 stage\n");
}

}  // namespace
}  // namespace bankproof
