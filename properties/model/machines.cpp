// The machines as a whole (rows M3, M4, M8): they do what the oracle does, and keep the laws that
// hold for all programs.
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "../../testing/laws.hpp"
#include "../../testing/property.hpp"

namespace bankproof {
namespace {

using oracle::Instruction;
using oracle::SimulatedMachine;
using testing::any_scenario;
using testing::play;
using testing::Scenario;
using testing::ScenarioShape;

constexpr ScenarioShape one_memory{.hierarchical = false};

BANKPROOF_PROPERTY(Machines, agree_with_an_oracle_that_steps_through_time, ()) {
  testing::machine_agrees_with_the_oracle(*any_scenario(testing::everything));
}

BANKPROOF_PROPERTY(Machines, agree_with_the_oracle_in_every_launch, (const Scenario& scenario)) {
  testing::outcomes_agree(play(scenario, {}, std::nullopt, 3),
                          oracle::run(scenario.machine, scenario.script));
}

// Adds a barrier to one warp: a fault, unless the warp is the only one of its block.
BANKPROOF_PROPERTY(Machines, find_a_barrier_divergent_exactly_where_the_oracle_does, ()) {
  Scenario scenario = *any_scenario(testing::everything);
  auto& blocks = scenario.script.blocks;
  auto& block = blocks[*rc::gen::inRange<std::size_t>(0, blocks.size())];
  auto& warp = block[*rc::gen::inRange<std::size_t>(0, block.size())];
  const auto place = *rc::gen::inRange<std::size_t>(0, warp.size() + 1);
  warp.insert(warp.begin() + static_cast<std::ptrdiff_t>(place), Instruction::barrier());
  bool faulty = false;
  try {
    oracle::run(scenario.machine, scenario.script);
  } catch (const std::runtime_error&) {
    faulty = true;
  }
  RC_CLASSIFY(faulty);
  if (faulty) {
    try {
      play(scenario);
      RC_FAIL("no fault");
    } catch (const Fault& fault) {
      RC_ASSERT(fault.kind() == FaultKind::divergent_barrier);
    }
  } else {
    testing::machine_agrees_with_the_oracle(scenario);
  }
}

void overlapped_takes_at_most_lockstep_time(const ScenarioShape& shape) {
  Scenario scenario = *any_scenario(shape);
  scenario.machine.mode = SimulatedMachine::Mode::overlapped;
  const Time overlapped = play(scenario).time;
  scenario.machine.mode = SimulatedMachine::Mode::lockstep;
  RC_ASSERT(overlapped <= play(scenario).time);
}

// The time is the stages plus the time units in which the port idles. Consider the chain of
// accesses that ends last; at each barrier it goes back along the warp that arrived last. Whenever
// the port idles, the chain's current access is in flight, for at most l − 1 such time units. The
// lockstep machine makes the accesses of the chain in different rounds, and each round costs it l −
// 1 in addition to its stages.
BANKPROOF_PROPERTY(Machines, are_never_slower_overlapped_than_lockstep_on_one_memory, ()) {
  overlapped_takes_at_most_lockstep_time({.hierarchical = false, .bounded_slots = false});
}

// With fewer slots than blocks there is no proof: it would require that blocks take slots in the
// same order in both modes. The test only runs examples.
BANKPROOF_PROPERTY(Machines, are_never_slower_overlapped_than_lockstep_with_bounded_residency, ()) {
  overlapped_takes_at_most_lockstep_time(one_memory);
}

BANKPROOF_PROPERTY(Machines, take_no_less_time_with_more_latency_on_one_memory, ()) {
  Scenario scenario = *any_scenario(one_memory);
  const Time before = play(scenario).time;
  scenario.machine.latency += *rc::gen::inRange<std::uint64_t>(1, 10);
  RC_ASSERT(before <= play(scenario).time);
}

BANKPROOF_PROPERTY(Machines, take_no_less_time_with_more_latency_in_lockstep, ()) {
  Scenario scenario = *any_scenario();
  scenario.machine.mode = SimulatedMachine::Mode::lockstep;
  const Time before = play(scenario).time;
  scenario.machine.latency += *rc::gen::inRange<std::uint64_t>(0, 10);
  scenario.machine.global_latency += *rc::gen::inRange<std::uint64_t>(0, 10);
  RC_ASSERT(before <= play(scenario).time);
}

// Bandwidth: a port accepts one stage per time unit. Latency: a warp's next access waits for the
// previous one.
BANKPROOF_PROPERTY(Machines, take_at_least_the_bandwidth_and_latency_bounds, ()) {
  const Scenario scenario = *any_scenario();
  const oracle::Outcome outcome = play(scenario);
  const bool hmm = scenario.machine.kind == SimulatedMachine::Kind::hmm;
  std::map<std::pair<std::size_t, std::size_t>, Time> chain;  // by block and warp
  for (const oracle::Dispatch& dispatch : outcome.dispatches) {
    const bool global = hmm && dispatch.memory + 1 == outcome.memories.size();
    const Latency latency = global ? scenario.machine.global_latency : scenario.machine.latency;
    chain[{dispatch.block, dispatch.warp}] += dispatch.stages + latency - 1;
  }
  for (const auto& [warp, time] : chain) RC_ASSERT(outcome.time >= time);
  for (std::size_t memory = 0; memory < outcome.memories.size(); ++memory) {
    const std::uint64_t stages = outcome.memories[memory].stages;
    const bool global = hmm && memory + 1 == outcome.memories.size();
    const Latency latency = global ? scenario.machine.global_latency : scenario.machine.latency;
    if (stages > 0) RC_ASSERT(outcome.time >= stages + latency - 1);
  }
}

/// One block with a script for each warp: its single thread accesses address 0 of shared (`s`) or
/// global (`g`) memory.
Scenario hmm_of_width_1(const std::vector<std::string>& warps, Latency shared, Latency global) {
  Scenario scenario;
  scenario.machine.kind = SimulatedMachine::Kind::hmm;
  scenario.machine.latency = shared;
  scenario.machine.global_latency = global;
  scenario.script.blocks.resize(1);
  for (const std::string& accesses : warps) {
    auto& warp = scenario.script.blocks[0].emplace_back();
    for (const char memory : accesses) {
      warp.push_back(Instruction::read(
          {0}, memory == 'g' ? Instruction::Space::global : Instruction::Space::shared));
    }
  }
  return scenario;
}

Time time_in(Scenario scenario, SimulatedMachine::Mode mode) {
  scenario.machine.mode = mode;
  return play(scenario).time;
}

TEST(Machines, can_be_slower_overlapped_than_lockstep_on_the_HMM) {
  const Scenario scenario = hmm_of_width_1({"g", "sg", "gs"}, 1, 1);
  EXPECT_EQ(time_in(scenario, SimulatedMachine::Mode::overlapped), 4U);
  EXPECT_EQ(time_in(scenario, SimulatedMachine::Mode::lockstep), 3U);
}

// Charged computation has its own port, so a warp can wait for a port other than the memory's.
TEST(Machines, can_be_slower_overlapped_than_lockstep_with_charged_computation) {
  const Instruction read = Instruction::read({0});
  const Instruction compute = Instruction::compute(1);
  Scenario scenario;
  scenario.script.blocks = {{{read}, {compute, read}, {read, compute}}};
  EXPECT_EQ(time_in(scenario, SimulatedMachine::Mode::overlapped), 4U);
  EXPECT_EQ(time_in(scenario, SimulatedMachine::Mode::lockstep), 3U);
}

TEST(Machines, can_take_less_time_with_more_latency_on_the_HMM_overlapped) {
  const auto overlapped = SimulatedMachine::Mode::overlapped;
  EXPECT_EQ(time_in(hmm_of_width_1({"sss", "gs"}, 2, 2), overlapped), 7U);
  EXPECT_EQ(time_in(hmm_of_width_1({"sss", "gs"}, 2, 3), overlapped), 6U);
  EXPECT_EQ(time_in(hmm_of_width_1({"sg", "ggg"}, 2, 2), overlapped), 7U);
  EXPECT_EQ(time_in(hmm_of_width_1({"sg", "ggg"}, 3, 2), overlapped), 6U);
}

// A block whose rounds have only empty accesses does not end at its start, although its rounds take
// no time. Its slot receives the next block before higher slots do.
TEST(Machines, fill_slots_lowest_first_after_rounds_that_take_no_time) {
  const auto empty = [](std::size_t accesses) {
    return oracle::BlockScript{oracle::WarpScript(accesses, Instruction::read({}))};
  };
  Scenario scenario;
  scenario.machine.mode = SimulatedMachine::Mode::lockstep;
  scenario.machine.slots = 2;
  const oracle::BlockScript access = {{Instruction::read({0})}};
  scenario.script.blocks = {empty(1), empty(3), empty(2), access, access};
  const oracle::Outcome outcome = play(scenario);
  ASSERT_EQ(outcome.dispatches.size(), 2U);
  EXPECT_EQ(outcome.dispatches[0].block, 3U);
  EXPECT_EQ(outcome.dispatches, oracle::run(scenario.machine, scenario.script).dispatches);
}

/// Accesses of one warp on a DMM of width 2; access k takes accesses[k] stages.
oracle::WarpScript of_stages(const std::vector<int>& accesses) {
  oracle::WarpScript script;
  for (const int stages : accesses) {
    script.push_back(stages == 2 ? Instruction::read({0, 2}) : Instruction::read({0}));
  }
  return script;
}

TEST(Machines, can_take_less_time_for_one_access_more_overlapped) {
  Scenario scenario;
  scenario.machine.width = 2;
  scenario.machine.latency = 3;
  scenario.script.blocks = {{of_stages({2}), of_stages({2, 1})}};
  EXPECT_EQ(play(scenario).time, 9U);
  scenario.script.blocks = {{of_stages({1, 2}), of_stages({2, 1})}};
  EXPECT_EQ(play(scenario).time, 8U);
}

// Row M8. The policy chooses which writer wins; the machine guarantees that one of the writers
// wins.
Program write_all(Warp& warp, Array<int>& a, const Lanes<Address>& index) {
  co_await a.write(index, make_lanes(warp.width(),
                                     [](Width lane) -> int { return static_cast<int>(lane) + 1; }));
}

BANKPROOF_PROPERTY(Writers, one_writer_of_an_address_wins_under_every_policy, ()) {
  const auto width = *rc::gen::inRange<Width>(1, 9);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  Lanes<Address> index(width);
  for (Address& address : index) address = *rc::gen::inRange<Address>(0, 4);
  for (const auto policy : {WriterPolicy::lowest, WriterPolicy::highest, WriterPolicy::random}) {
    Dmm machine({.width = width}, {.writers = policy, .seed = seed});
    Array<int> a(machine.memory(), std::vector<int>(4), "a");
    machine.launch({.threads = width}, write_all, a, index);
    for (Address address = 0; address < 4; ++address) {
      std::vector<int> writers;
      for (Width lane = 0; lane < width; ++lane) {
        if (index[lane] == address) writers.push_back(static_cast<int>(lane) + 1);
      }
      const int winner = a.values()[address];
      if (writers.empty()) {
        RC_ASSERT(winner == 0);
      } else if (policy == WriterPolicy::random) {
        RC_ASSERT(std::count(writers.begin(), writers.end(), winner) == 1);
      } else {
        RC_ASSERT(winner == (policy == WriterPolicy::lowest ? writers.front() : writers.back()));
      }
    }
  }
}

TEST(Writers, each_may_win_under_the_random_policy) {
  std::map<int, int> wins;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Dmm machine({.width = 3}, {.writers = WriterPolicy::random, .seed = seed});
    Array<int> a(machine.memory(), std::vector<int>(1), "a");
    machine.launch({.threads = 3}, write_all, a, Lanes<Address>(3, Address{0}));
    ++wins[a.values()[0]];
  }
  EXPECT_EQ(wins.size(), 3U);
}

}  // namespace
}  // namespace bankproof
