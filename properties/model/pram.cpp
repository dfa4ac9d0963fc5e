// The PRAM (row M7): all processors access any words in one time unit. So a program computes the
// same values as on any other machine in lockstep, and takes a time unit for each round with an
// access. The test derives the values and the time from the script.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "../../model/machine.hpp"
#include "../../oracles/memory_machine/memory_machine.hpp"
#include "../../testing/play.hpp"
#include "../../testing/property.hpp"

namespace bankproof::testing {
namespace {

using oracle::Instruction;
using oracle::SimulatedMachine;

/// The rounds in which some warp makes a request. All blocks run at once. Between two barriers, the
/// number of a block's rounds is the largest number of accesses that one of its warps makes there.
std::set<std::uint64_t> rounds_with_requests(const oracle::Script& script) {
  std::set<std::uint64_t> rounds;
  for (const oracle::BlockScript& block : script.blocks) {
    std::vector<std::size_t> next(block.size());  // instruction of each warp
    std::uint64_t round = 0;
    for (bool more = true; more;) {
      std::uint64_t longest = 0;
      more = false;
      for (std::size_t warp = 0; warp < block.size(); ++warp) {
        std::uint64_t accesses = 0;
        for (; next[warp] < block[warp].size(); ++next[warp]) {
          const Instruction& instruction = block[warp][next[warp]];
          if (instruction.kind == Instruction::Kind::barrier) break;
          const auto& lanes = instruction.addresses;
          if (std::any_of(lanes.begin(), lanes.end(),
                          [](const auto& a) { return a.has_value(); })) {
            rounds.insert(round + accesses);
          }
          ++accesses;
        }
        if (next[warp] < block[warp].size()) {  // at a barrier, like the other warps of the block
          ++next[warp];
          more = true;
        }
        longest = std::max(longest, accesses);
      }
      round += longest;
    }
  }
  return rounds;
}

BANKPROOF_PROPERTY(Pram, takes_a_time_unit_a_round_and_computes_what_lockstep_does, ()) {
  Scenario scenario = *any_scenario({.hierarchical = false, .bounded_slots = false});
  scenario.machine.mode = SimulatedMachine::Mode::lockstep;
  const oracle::Outcome expected = oracle::run(scenario.machine, scenario.script);
  const bool lowest = scenario.machine.writer == SimulatedMachine::Writer::lowest;
  Pram machine(lowest ? WriterPolicy::lowest : WriterPolicy::highest);
  const oracle::Outcome outcome = play_on(machine, {&machine.memory()}, scenario, {});
  RC_ASSERT(outcome.reads == expected.reads);
  RC_ASSERT(outcome.memories[0].words == expected.memories[0].words);
  RC_ASSERT(outcome.time == rounds_with_requests(scenario.script).size());
}

}  // namespace
}  // namespace bankproof::testing
