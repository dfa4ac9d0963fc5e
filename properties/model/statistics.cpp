// Rounds and their kinds (row M10; THS 5.1 and table 5.1): coalesced, conflict-free or casual, as
// declared and as observed. The counts do not depend on mode and residency.
#include "../../model/observers/statistics.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "../../model/machine.hpp"
#include "../../testing/laws.hpp"
#include "../../testing/property.hpp"

namespace bankproof {
namespace {

/// The program makes one round of reads of each kind, then a coalesced write; all threads of the
/// launch take part.
Program one_of_each(Warp& warp, Array<int>& a, Array<int>& b) {
  const Address n = a.size();
  const Address first = warp.block() * warp.threads();
  const auto i = first + warp.thread();
  co_await a.read(i, AccessKind::coalesced);
  co_await a.read((i + Address{1}) % n, AccessKind::conflict_free);
  co_await a.read(i * Address{4} % n, AccessKind::casual);
  co_await b.write(i, warp.all(0), AccessKind::casual);  // coalesced, though declared casual
}

TEST(Statistics, count_rounds_by_declared_and_by_observed_kind) {
  for (const Mode mode : {Mode::overlapped, Mode::lockstep}) {
    for (const std::uint64_t resident : {4U, 8U, 64U}) {
      Hmm machine({.dmms = 2, .width = 4, .global_latency = 3, .resident_threads = resident},
                  {.mode = mode});
      Statistics statistics;
      machine.attach(statistics);
      Array<int> a(machine.global(), std::vector<int>(16), "a");
      Array<int> b(machine.global(), 16, "b");
      machine.launch({.blocks = 4, .threads = 4}, one_of_each, a, b);
      const MemoryStatistics global = statistics.of(machine.global());
      EXPECT_EQ(global.rounds, 4U);
      EXPECT_EQ(global.accesses, 16U);
      EXPECT_EQ(global.requests, 64U);
      EXPECT_EQ(global.stages, 4U + 8U + 16U + 4U);
      EXPECT_EQ(global.ideal_stages, 16U);
      EXPECT_EQ(global.excess_stages(), 16U);
      EXPECT_EQ(global.observed_reading,
                (KindCounts{.coalesced = 1, .conflict_free = 1, .casual = 1}));
      EXPECT_EQ(global.declared_reading,
                (KindCounts{.coalesced = 1, .conflict_free = 1, .casual = 1}));
      EXPECT_EQ(global.observed_writing, (KindCounts{.coalesced = 1}));
      EXPECT_EQ(global.declared_writing, (KindCounts{.casual = 1}));
      EXPECT_EQ(global.observed_accesses,
                (KindCounts{.coalesced = 8, .conflict_free = 4, .casual = 4}));
      EXPECT_EQ(statistics.of(machine.shared(0)).rounds, 0U);
    }
  }
}

Program shared_round(Warp& warp) {
  auto& tile = warp.shared<int>(warp.threads(), "tile");
  co_await tile.write(warp.thread(), warp.all(1));
  co_await barrier();
  co_await tile.read(warp.thread());
}

TEST(Statistics, count_a_round_of_all_shared_memories_once) {
  Hmm machine({.dmms = 3, .width = 2});
  Statistics statistics;
  machine.attach(statistics);
  machine.launch({.blocks = 6, .threads = 4, .shared_words = 4}, shared_round);
  EXPECT_EQ(statistics.of_banks().rounds, 2U);
  EXPECT_EQ(statistics.of_banks().accesses, 24U);
  EXPECT_EQ(statistics.of(machine.shared(1)).rounds, 2U);
  EXPECT_EQ(statistics.of(machine.shared(1)).accesses, 8U);
}

/// In the first round warp 0 is coalesced and warp 1 conflict-free. In the second round, after a
/// barrier, warp 1 is casual, and the warps declare different kinds.
Program mixed_rounds(Warp& warp, Array<int>& a) {
  const bool second_warp = warp.index() == 1;
  co_await a.read(warp.lane() + Address{second_warp ? 1U : 0U});
  co_await barrier();
  co_await a.read(warp.lane() * Address{second_warp ? 4U : 1U},
                  second_warp ? AccessKind::casual : AccessKind::coalesced);
}

TEST(Statistics, give_a_round_the_kind_of_its_least_demanding_access) {
  Dmm machine({.width = 4});
  Statistics statistics;
  machine.attach(statistics);
  Array<int> a(machine.memory(), std::vector<int>(16), "a");
  machine.launch({.threads = 8}, mixed_rounds, a);
  const MemoryStatistics counted = statistics.of(machine.memory());
  EXPECT_EQ(counted.rounds, 2U);
  EXPECT_EQ(counted.observed_reading, (KindCounts{.conflict_free = 1, .casual = 1}));
  EXPECT_EQ(counted.declared_reading, (KindCounts{.casual = 1, .undeclared = 1}));
}

TEST(Statistics, keep_launches_apart_also_when_one_fails) {
  Dmm machine({.width = 4});
  Statistics statistics;
  machine.attach(statistics);
  Array<int> a(machine.memory(), std::vector<int>(16), "a");
  const auto then_fails = [](Warp& warp, Array<int>& array, bool fails) -> Program {
    co_await array.read(warp.lane());
    if (fails) throw Fault(FaultKind::launch, "planned");
  };
  EXPECT_THROW(machine.launch({.threads = 4}, then_fails, a, true), Fault);
  machine.launch({.threads = 4}, then_fails, a, false);
  EXPECT_EQ(statistics.of(machine.memory()).rounds, 2U);
}

BANKPROOF_PROPERTY(Statistics, are_those_of_the_oracle, (const testing::Scenario& scenario)) {
  Statistics statistics;
  const oracle::Outcome expected = oracle::run(scenario.machine, scenario.script);
  struct Check : Observer {  // the memories live only as long as the machine
    Statistics& statistics;
    const oracle::Outcome& expected;
    std::vector<const Memory*> memories;
    Check(Statistics& s, const oracle::Outcome& e)
        : statistics(s), expected(e), memories(e.memories.size()) {}
    void accessed(const AccessEvent& event) override {
      memories[event.memory().port] = &event.memory();
    }
    void launch_ends(const LaunchEvent&) override {
      for (std::size_t k = 0; k < memories.size(); ++k) {
        if (memories[k] == nullptr) continue;
        const MemoryStatistics counted = statistics.of(*memories[k]);
        RC_ASSERT(counted.accesses == expected.memories[k].accesses);
        RC_ASSERT(counted.requests == expected.memories[k].requests);
        RC_ASSERT(counted.stages == expected.memories[k].stages);
        const KindCounts& kinds = counted.observed_accesses;
        RC_ASSERT(kinds.coalesced + kinds.conflict_free + kinds.casual == counted.accesses);
      }
    }
  };
  Check check(statistics, expected);
  testing::play(scenario, {&statistics, &check});
}

}  // namespace
}  // namespace bankproof
