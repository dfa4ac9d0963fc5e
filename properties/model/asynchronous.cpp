// The asynchronous HMM (row M4): DMMs drift, and every launch resets the shared memories. No drift
// changes the result of a race-free program. The machine reports a program with races, whatever
// drift it chose.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "../../model/machine.hpp"
#include "../../model/observers/initialization.hpp"
#include "../../model/observers/races.hpp"
#include "../../testing/canary.hpp"
#include "../../testing/laws.hpp"
#include "../../testing/property.hpp"

namespace bankproof {
namespace {

using oracle::SimulatedMachine;
using testing::Scenario;

/// The scenario's outcome on an asynchronous HMM, and the number of races found.
struct Drifted {
  oracle::Outcome outcome;
  std::size_t races;
};

Drifted play_with_drift(const Scenario& scenario, Time drift, std::uint64_t seed) {
  const SimulatedMachine& wanted = scenario.machine;
  AsynchronousHmm machine(
      {.dmms = wanted.dmms,
       .width = static_cast<Width>(wanted.width),
       .shared_latency = wanted.latency,
       .global_latency = wanted.global_latency},
      drift,
      {.mode = wanted.mode == SimulatedMachine::Mode::lockstep ? Mode::lockstep : Mode::overlapped,
       .seed = seed});
  std::vector<Memory*> memories;
  for (std::uint64_t dmm = 0; dmm < wanted.dmms; ++dmm) memories.push_back(&machine.shared(dmm));
  memories.push_back(&machine.global());
  Races races(OnFinding::record);
  oracle::Outcome outcome = testing::play_on(machine, memories, scenario, {&races});
  return {std::move(outcome), races.found().size()};
}

Scenario any_hmm_scenario() {
  Scenario scenario = *testing::any_scenario({.bounded_slots = false});
  RC_PRE(scenario.machine.kind == SimulatedMachine::Kind::hmm);
  return scenario;
}

BANKPROOF_PROPERTY(Asynchronous, any_drift_leaves_programs_without_races_alone, ()) {
  const Scenario scenario = any_hmm_scenario();
  const Drifted still = play_with_drift(scenario, 0, 0);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const Drifted drifted = play_with_drift(scenario, *rc::gen::inRange<Time>(1, 50), seed);
  RC_ASSERT((drifted.races > 0U) == (still.races > 0U));
  RC_CLASSIFY(still.races > 0U, "racing");
  if (still.races > 0U) return;
  RC_ASSERT(drifted.outcome.reads == still.outcome.reads);
  RC_ASSERT(drifted.outcome.memories.back().words == still.outcome.memories.back().words);
}

/// The scenario without the requests that race with an earlier request in the script.
Scenario without_races(Scenario scenario) {
  struct Request {
    std::size_t block;
    std::size_t warp;
    std::size_t phase;
    bool is_write;
  };
  std::map<std::pair<std::size_t, std::uint64_t>, std::vector<Request>> kept;  // by memory, address
  auto& blocks = scenario.script.blocks;
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    for (std::size_t warp = 0; warp < blocks[block].size(); ++warp) {
      Request me{block, warp, 0, false};
      for (oracle::Instruction& instruction : blocks[block][warp]) {
        if (instruction.kind == oracle::Instruction::Kind::barrier) ++me.phase;
        me.is_write = instruction.kind == oracle::Instruction::Kind::write;
        const bool global = instruction.space == oracle::Instruction::Space::global;
        const std::size_t memory = global ? scenario.machine.dmms : block % scenario.machine.dmms;
        const auto races = [&](const Request& other) {
          const bool ordered =
              other.block == block && (other.warp == warp || other.phase != me.phase);
          return !ordered && (other.is_write || me.is_write);
        };
        for (auto& address : instruction.addresses) {
          if (!address) continue;
          auto& others = kept[{memory, *address}];
          if (std::any_of(others.begin(), others.end(), races)) {
            address.reset();
          } else {
            others.push_back(me);
          }
        }
      }
    }
  }
  return scenario;
}

/// Whether some thread reads a value that the program wrote.
bool exchanges(const oracle::Outcome& outcome) {
  for (const auto& block : outcome.reads) {
    for (const auto& warp : block) {
      for (const oracle::ReadValues& values : warp) {
        for (const auto& value : values) {
          if (value.value_or(0) != 0) return true;
        }
      }
    }
  }
  return false;
}

BANKPROOF_PROPERTY(Asynchronous, any_drift_leaves_programs_made_without_races_alone, ()) {
  const Scenario scenario = without_races(any_hmm_scenario());
  const Drifted still = play_with_drift(scenario, 0, 0);
  RC_ASSERT(still.races == 0U);
  RC_CLASSIFY(exchanges(still.outcome), "exchanging");
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const Drifted drifted = play_with_drift(scenario, *rc::gen::inRange<Time>(1, 50), seed);
  RC_ASSERT(drifted.races == 0U);
  RC_ASSERT(drifted.outcome.reads == still.outcome.reads);
  RC_ASSERT(drifted.outcome.memories.back().words == still.outcome.memories.back().words);
}

// At least a quarter of the cases of the property above test an exchange.
TEST(Asynchronous, programs_made_without_races_often_read_what_was_written) {
  int exchanging = 0;
  const auto count = [&](const Scenario& scenario) {
    RC_PRE(scenario.machine.kind == SimulatedMachine::Kind::hmm);
    exchanging += exchanges(play_with_drift(without_races(scenario), 0, 0).outcome) ? 1 : 0;
  };
  EXPECT_TRUE(testing::try_property(count).is<rc::detail::SuccessResult>());
  EXPECT_GE(exchanging, 250);
}

// A planted race whose result depends on drift; the verdict must not depend on it.
Program last_writer(Warp& warp, Array<int>& a) {
  co_await a.write(warp.all(Address{0}), warp.all(static_cast<int>(warp.block()) + 1));
}

TEST(Asynchronous, a_race_is_reported_in_every_drift_though_its_result_varies) {
  for (const Mode mode : {Mode::overlapped, Mode::lockstep}) {
    std::vector<bool> won(3);
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      AsynchronousHmm machine({.dmms = 2, .width = 2}, 10, {.mode = mode, .seed = seed});
      Races races(OnFinding::record);
      machine.attach(races);
      Array<int> a(machine.global(), std::vector<int>(1), "a");
      machine.launch({.blocks = 2, .threads = 2}, last_writer, a);
      EXPECT_FALSE(races.found().empty());
      won[static_cast<std::size_t>(a.values()[0])] = true;
    }
    EXPECT_TRUE(won[1] && won[2]);
  }
}

/// Warps write words, meet at a barrier, and read words that others wrote; blocks use separate
/// words.
Scenario any_exchange() {
  Scenario scenario;
  SimulatedMachine& machine = scenario.machine;
  machine.kind = SimulatedMachine::Kind::hmm;
  machine.dmms = *rc::gen::inRange<std::uint64_t>(1, 4);
  machine.width = *rc::gen::inRange<std::uint64_t>(1, 5);
  machine.latency = *rc::gen::inRange<std::uint64_t>(1, 4);
  machine.global_latency = *rc::gen::inRange<std::uint64_t>(1, 9);
  machine.mode =
      *rc::gen::element(SimulatedMachine::Mode::overlapped, SimulatedMachine::Mode::lockstep);
  const auto warps = *rc::gen::inRange<std::size_t>(2, 5);
  const auto blocks = *rc::gen::inRange<std::size_t>(1, 5);
  for (std::size_t block = 0; block < blocks; ++block) {
    auto& scripts = scenario.script.blocks.emplace_back(warps);
    for (std::size_t warp = 0; warp < warps; ++warp) {
      const auto other = *rc::gen::inRange<std::size_t>(0, warps);
      const auto word = [&](std::size_t owner) {
        return oracle::Addresses{{block * warps + owner}};
      };
      const std::vector<std::int64_t> value{static_cast<std::int64_t>(block * 100 + warp + 1)};
      const auto global = oracle::Instruction::Space::global;
      scripts[warp] = {oracle::Instruction::write(word(warp), value, global),
                       oracle::Instruction::barrier(),
                       oracle::Instruction::read(word(other), global)};
    }
  }
  return scenario;
}

BANKPROOF_PROPERTY(Asynchronous, any_drift_leaves_exchanges_across_barriers_alone, ()) {
  const Scenario scenario = any_exchange();
  const Drifted still = play_with_drift(scenario, 0, 0);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const Drifted drifted = play_with_drift(scenario, *rc::gen::inRange<Time>(1, 50), seed);
  RC_ASSERT(still.races == 0U);
  RC_ASSERT(drifted.races == 0U);
  RC_ASSERT(drifted.outcome.reads == still.outcome.reads);
  RC_ASSERT(still.outcome.reads == oracle::run(scenario.machine, scenario.script).reads);
  RC_ASSERT(still.outcome.reads[0][0][0][0].value_or(0) != 0);
}

TEST(Asynchronous, drift_can_only_delay_a_single_memory_access) {
  const auto program = [](Warp& warp, Array<int>& a) -> Program { co_await a.read(warp.lane()); };
  Time most = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    AsynchronousHmm machine({.dmms = 1, .width = 2, .global_latency = 5}, 10, {.seed = seed});
    Array<int> a(machine.global(), std::vector<int>(2), "a");
    const Time time = machine.launch({.threads = 2}, program, a);
    EXPECT_GE(time, 5U);
    EXPECT_LE(time, 15U);
    most = std::max(most, time);
  }
  EXPECT_GT(most, 5U);
}

Program keep(Warp& warp, std::deque<Array<int>>& shared, bool write) {
  if (write) {
    co_await shared[warp.dmm()].write(warp.lane(), warp.all(5));
  } else {
    co_await shared[warp.dmm()].read(warp.lane());
  }
}

template <class Machine>
bool forgets_between_launches(Machine& machine) {
  Initialization initialization(OnFinding::record);
  machine.attach(initialization);
  std::deque<Array<int>> shared;
  for (std::uint64_t dmm = 0; dmm < 2; ++dmm) shared.emplace_back(machine.shared(dmm), 2, "kept");
  machine.launch({.blocks = 2, .threads = 2}, keep, shared, true);
  machine.launch({.blocks = 2, .threads = 2}, keep, shared, false);
  return !initialization.found().empty();
}

TEST(Asynchronous, a_launch_resets_the_shared_memories_and_on_the_plain_HMM_it_does_not) {
  AsynchronousHmm asynchronous({.dmms = 2, .width = 2}, 0);
  EXPECT_TRUE(forgets_between_launches(asynchronous));
  Hmm plain({.dmms = 2, .width = 2});
  EXPECT_FALSE(forgets_between_launches(plain));
}

// THS 3.4: a program for d DMMs also runs on fewer, because blocks share only the global memory.
Program reverse_tile(Warp& warp, Array<int>& a, Array<int>& b) {
  auto& tile = warp.shared<int>(warp.threads(), "tile");
  const Address first = warp.block() * warp.threads();
  const auto i = warp.thread();
  const auto values = co_await a.read(first + i);
  co_await tile.write(i, values);
  co_await barrier();
  const auto reversed = co_await tile.read((warp.threads() - 1) - i);
  co_await b.write(first + i, reversed);
}

TEST(Asynchronous, a_program_for_many_DMMs_runs_on_fewer_with_any_residency) {
  const std::uint64_t blocks = 7;
  const std::uint64_t threads = 6;
  std::vector<int> input(blocks * threads);
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<int>(i * i);
  for (std::uint64_t dmms = 1; dmms <= blocks; ++dmms) {
    for (const std::uint64_t resident : {8U, 16U, 100U}) {
      for (const Mode mode : {Mode::overlapped, Mode::lockstep}) {
        AsynchronousHmm machine(
            {.dmms = dmms, .width = 4, .global_latency = 9, .resident_threads = resident}, 20,
            {.mode = mode, .seed = dmms});
        Races races;
        Initialization initialization;
        machine.attach(races);
        machine.attach(initialization);
        Array<int> a(machine.global(), input, "a");
        Array<int> b(machine.global(), input.size(), "b");
        machine.launch({.blocks = blocks, .threads = threads, .shared_words = threads},
                       reverse_tile, a, b);
        for (std::size_t i = 0; i < input.size(); ++i) {
          const std::size_t block = i / threads;
          EXPECT_EQ(b.values()[i], input[block * threads + threads - 1 - i % threads]);
        }
      }
    }
  }
}

}  // namespace
}  // namespace bankproof
