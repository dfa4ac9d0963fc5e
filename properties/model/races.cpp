// Compares the race observer with happens-before by brute force. A race is a pair of requests to
// one word, at least one of them a write; neither the order of a warp nor a barrier of a block
// orders the pair.
#include "../../model/observers/races.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "../../testing/canary.hpp"
#include "../../testing/laws.hpp"
#include "../../testing/property.hpp"

namespace bankproof {
namespace {

using oracle::Instruction;
using oracle::SimulatedMachine;
using testing::Scenario;

/// One request of a script.
struct Request {
  std::string memory;
  std::uint64_t index;
  bool write;
  std::size_t block;
  std::size_t warp;
  std::size_t phase;
};

std::vector<Request> requests_of(const Scenario& scenario) {
  const bool hmm = scenario.machine.kind == SimulatedMachine::Kind::hmm;
  std::vector<Request> requests;
  for (std::size_t block = 0; block < scenario.script.blocks.size(); ++block) {
    for (std::size_t warp = 0; warp < scenario.script.blocks[block].size(); ++warp) {
      std::size_t phase = 0;
      for (const Instruction& instruction : scenario.script.blocks[block][warp]) {
        if (instruction.kind == Instruction::Kind::barrier) ++phase;
        const bool global = hmm && instruction.space == Instruction::Space::global;
        const std::string memory =
            !hmm ? "memory"
                 : (global ? "global" : "shared " + std::to_string(block % scenario.machine.dmms));
        for (const auto& address : instruction.addresses) {
          if (!address) continue;
          requests.push_back({memory, *address - scenario.first_word,
                              instruction.kind == Instruction::Kind::write, block, warp, phase});
        }
      }
    }
  }
  return requests;
}

/// The words with a race, each as the beginning of a report about it: "race on global, index 3:".
using Words = std::set<std::string>;

Words races_by_brute_force(const Scenario& scenario) {
  const auto requests = requests_of(scenario);
  Words words;
  for (const Request& a : requests) {
    for (const Request& b : requests) {
      if (a.memory != b.memory || a.index != b.index || !(a.write || b.write)) continue;
      const bool ordered = a.block == b.block && (a.warp == b.warp || a.phase != b.phase);
      if (!ordered) {
        words.insert("race on " + a.memory + ", index " + std::to_string(a.index) + ":");
      }
    }
  }
  return words;
}

/// For every word with a race, the observer must report at least the first race. It must report no
/// race of another word.
template <class Observer>
void observer_agrees_with_brute_force(const Scenario& scenario) {
  Observer races(OnFinding::record);
  testing::play(scenario, {&races});
  Words reported;
  for (const Fault& fault : races.found()) {
    const std::string report = fault.what();
    reported.insert(report.substr(0, report.find(':') + 1));
  }
  RC_ASSERT(reported == races_by_brute_force(scenario));
}

BANKPROOF_PROPERTY(Races, are_found_exactly_if_nothing_orders_two_accesses,
                   (const Scenario& scenario)) {
  observer_agrees_with_brute_force<Races>(scenario);
}

TEST(Races, are_not_reported_for_a_single_warp_after_a_barrier_before_which_several_read) {
  Scenario scenario;
  const Instruction read = Instruction::read({0});
  const Instruction barrier = Instruction::barrier();
  scenario.script.blocks = {{{read, barrier, read, Instruction::write({0}, {1})}, {read, barrier}}};
  Races races(OnFinding::record);
  testing::play(scenario, {&races});
  EXPECT_TRUE(races.found().empty());
}

TEST(Races, are_reported_with_a_block_that_read_before_another_block_read_twice) {
  Scenario scenario;
  const Instruction read = Instruction::read({0});
  scenario.script.blocks = {{{read}}, {{read, read, Instruction::write({0}, {1})}}};
  Races races(OnFinding::record);
  testing::play(scenario, {&races});
  ASSERT_EQ(races.found().size(), 1U);
}

/// Treats a barrier of any block as a barrier of all blocks.
class OneBarrierForAll : public Races {
 public:
  using Races::Races;
  void barrier_opens(const BlockEvent& event) override {
    if (event.block.index == 0) Races::launch_begins({*event.block.shape, 0, event.time});
  }
};

/// At each read of an array, forgets the earlier accesses.
class OnlySinceTheLastRead : public Races {
 public:
  using Races::Races;
  void accessed(const AccessEvent& event) override {
    if (!event.is_write()) Races::forgotten(event.array());
    Races::accessed(event);
  }
};

/// Observes writes only.
class OnlyWrites : public Races {
 public:
  using Races::Races;
  void accessed(const AccessEvent& event) override {
    if (event.is_write()) Races::accessed(event);
  }
};

TEST(Canary, race_observers_that_forget_blocks_or_reads_are_caught) {
  EXPECT_TRUE(testing::caught(&observer_agrees_with_brute_force<OneBarrierForAll>));
  EXPECT_TRUE(testing::caught(&observer_agrees_with_brute_force<OnlySinceTheLastRead>));
  EXPECT_TRUE(testing::caught(&observer_agrees_with_brute_force<OnlyWrites>));
}

}  // namespace
}  // namespace bankproof
