// The generators reach the cases that matter. A failure shrinks to a case that a person can follow,
// and names the command that repeats it.
#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>

#include <string>

#include "../../testing/canary.hpp"
#include "../../testing/laws.hpp"
#include "../../testing/property.hpp"

namespace bankproof {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using testing::counterexample;
using ::testing::HasSubstr;
using testing::Scenario;
using testing::WarpAccess;

// "No access has a bank conflict" fails; the smallest case has two lanes at 0 and 2 for width 2.
TEST(Shrinking, a_conflicting_access_shrinks_to_two_lanes_at_small_addresses) {
  for (std::uint64_t attempt = 0; attempt < 20; ++attempt) {
    const std::string shrunk = counterexample(
        [](const WarpAccess& access) {
          RC_ASSERT(testing::stages(MemoryKind::banks, access) <= 1U);
        },
        attempt);
    EXPECT_THAT(shrunk, AnyOf("(width 2: 0 2)", "(width 2: 2 0)"));
  }
}

TEST(Shrinking, an_access_of_many_stages_shrinks_to_as_many_lanes) {
  for (std::uint64_t attempt = 0; attempt < 20; ++attempt) {
    std::size_t lanes = 0;
    const std::string shrunk = counterexample(
        [&](const WarpAccess& access) {
          if (testing::stages(MemoryKind::groups, access) <= 3) return;
          lanes = access.lanes.size();
          RC_FAIL("more than three groups");
        },
        attempt);
    EXPECT_EQ(lanes, 4U) << shrunk;
  }
}

// The failure needs two accesses and nothing else; they may belong to different blocks and warps.
TEST(Shrinking, a_failing_scenario_shrinks_to_what_fails_in_it) {
  for (std::uint64_t attempt = 0; attempt < 5; ++attempt) {
    Scenario smallest;
    counterexample(
        [&](const Scenario& scenario) {
          if (testing::play(scenario).dispatches.size() <= 1) return;
          smallest = scenario;
          RC_FAIL("two accesses");
        },
        attempt);
    std::size_t instructions = 0;
    for (const auto& block : smallest.script.blocks) {
      for (const auto& warp : block) {
        instructions += warp.size();
        for (const auto& instruction : warp) EXPECT_LE(instruction.addresses.size(), 1U);
      }
    }
    EXPECT_EQ(instructions, 2U) << smallest;
    EXPECT_LE(smallest.script.blocks.size() * smallest.script.blocks[0].size(), 4U) << smallest;
    EXPECT_EQ(smallest.machine.latency, 1U);
  }
}

/// The number of accesses, among a thousand random ones, that satisfy a condition.
template <class Condition>
int frequency(Condition condition) {
  int count = 0;
  testing::try_property([&](const WarpAccess& access) { count += condition(access) ? 1 : 0; });
  return count;
}

TEST(Generators, reach_conflicts_merging_masks_and_empty_accesses_often) {
  EXPECT_GT(
      frequency([](const WarpAccess& a) { return testing::stages(MemoryKind::banks, a) > 1; }),
      200);
  EXPECT_GT(frequency([](const WarpAccess& a) { return a.addresses().empty(); }), 10);
  EXPECT_GT(frequency([](const WarpAccess& a) {
              return !a.lanes.empty() && a.addresses().size() < a.lanes.size();
            }),
            200);
  EXPECT_GT(frequency([](const WarpAccess& a) {
              auto addresses = a.addresses();
              std::sort(addresses.begin(), addresses.end());
              return std::adjacent_find(addresses.begin(), addresses.end()) != addresses.end();
            }),
            200);
  EXPECT_GT(frequency([](const WarpAccess& a) { return a.width > 8; }), 100);
}

TEST(Generators, reach_every_kind_of_machine_mode_and_script) {
  using oracle::Instruction;
  using oracle::SimulatedMachine;
  std::map<std::string, int> seen;
  testing::try_property([&] {
    const Scenario scenario = *testing::any_scenario(testing::everything);
    const auto& machine = scenario.machine;
    ++seen[machine.kind == SimulatedMachine::Kind::hmm ? "hmm" : "one memory"];
    ++seen[machine.mode == SimulatedMachine::Mode::lockstep ? "lockstep" : "overlapped"];
    if (machine.slots && *machine.slots * machine.dmms < scenario.script.blocks.size()) {
      ++seen["waiting blocks"];
    }
    if (scenario.script.missing_threads > 0) ++seen["partial warps"];
    if (scenario.first_word % machine.width != 0) ++seen["unaligned arrays"];
    if (testing::play(scenario).dispatches.size() > 10) ++seen["more than ten accesses"];
    for (const auto& block : scenario.script.blocks) {
      for (const auto& warp : block) {
        for (const auto& instruction : warp) {
          if (instruction.kind == Instruction::Kind::barrier) ++seen["barrier"];
          if (instruction.kind == Instruction::Kind::write) ++seen["write"];
          if (instruction.operations > 0) ++seen["computation"];
          if (instruction.space == Instruction::Space::constant) ++seen["constant"];
        }
      }
    }
  });
  for (const char* what : {"hmm", "one memory", "lockstep", "overlapped", "waiting blocks",
                           "partial warps", "unaligned arrays", "more than ten accesses", "barrier",
                           "write", "computation", "constant"}) {
    EXPECT_GT(seen[what], 200) << what;
  }
}

TEST(Properties, a_failure_says_how_to_repeat_it) {
  ::testing::TestPartResultArray failures;
  {
    const ::testing::ScopedFakeTestPartResultReporter reporter(
        ::testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &failures);
    testing::check_property([](const WarpAccess& access) { RC_ASSERT(access.lanes.size() < 3U); });
  }
  ASSERT_EQ(failures.size(), 1);
  EXPECT_THAT(failures.GetTestPartResult(0).message(),
              AllOf(HasSubstr("Falsifiable"), HasSubstr("Reproduce: RC_PARAMS='reproduce="),
                    HasSubstr("--gtest_filter=Properties.a_failure_says_how_to_repeat_it")));
}

}  // namespace
}  // namespace bankproof
