// Compares the sums that the cost log keeps with the costs of the single accesses by the rules.
#include "../../../ptx/memory/cost_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "footprints.hpp"

namespace bankproof::ptx {
namespace {

RC_GTEST_PROP(CostLog, adds_up_what_each_access_costs, ()) {
  const MachineRules rules = MachineRules::of(*rc::gen::element<std::string>("hmm", "sm_90"));
  CostLog log(rules, 2);
  CostCounter counter(rules, 1);
  AccessCounts expected;
  std::vector<Event> events;
  std::size_t turns = 0;
  for (int k = *rc::gen::inRange(1, 6); k > 0; --k) {
    const Footprint touched = reading(any_footprint(4096));
    CostPlace place{.site = 1, .shared = *rc::gen::arbitrary<bool>(), .events = &events};
    const Cost cost = counter.plain(touched.at, touched.lanes, touched.bytes, place.shared);
    ++expected.accesses;
    expected.lanes += static_cast<std::uint64_t>(std::popcount(touched.lanes));
    (place.shared ? expected.wavefronts : expected.lines) += cost.stages;
    (place.shared ? expected.ideal_wavefronts : expected.ideal_lines) += cost.ideal;
    if (!place.shared) expected.sectors += cost.sectors;
    if (!place.shared) expected.ideal_sectors += cost.ideal_sectors;
    turns += cost.turns;
    std::set<std::uint64_t> offsets;
    each_lane(touched.lanes, [&](std::uint32_t lane) { offsets.insert(touched.at[lane]); });
    const bool apart = offsets.size() == static_cast<std::size_t>(std::popcount(touched.lanes));
    RC_ASSERT(log.add(place, touched) == apart);
  }
  const AccessCounts& found = log.counts()[1];
  RC_ASSERT(found.accesses == expected.accesses);
  RC_ASSERT(found.lanes == expected.lanes);
  RC_ASSERT(found.wavefronts == expected.wavefronts);
  RC_ASSERT(found.ideal_wavefronts == expected.ideal_wavefronts);
  RC_ASSERT(found.lines == expected.lines);
  RC_ASSERT(found.ideal_lines == expected.ideal_lines);
  RC_ASSERT(found.sectors == expected.sectors);
  RC_ASSERT(found.ideal_sectors == expected.ideal_sectors);
  RC_ASSERT(events.size() == turns);
  RC_ASSERT(log.counts()[0].accesses == 0U);
}

TEST(CostLog, keeps_the_first_of_the_worst_accesses) {
  CostLog log(MachineRules::of("hmm"), 1);
  const auto add = [&](std::uint64_t block, std::uint64_t stride) {
    log.add({.site = 0, .shared = true, .warp = {0, block, 0}}, writing(strided(4, 0, stride)));
  };
  add(2, 8);
  EXPECT_EQ(log.counts()[0].worst_shared->excess, 1U);
  add(3, 128);
  add(1, 128);
  add(0, 4);
  EXPECT_EQ(log.counts()[0].worst_shared->excess, 31U);
  EXPECT_EQ(log.counts()[0].worst_shared->warp.block, 1U);
  EXPECT_FALSE(log.counts()[0].worst_global);
}

// Every eight lanes give the eight rows of one matrix, which cost as much as one access.
TEST(CostLog, prices_each_matrix_of_rows_as_one_access) {
  CostLog log(MachineRules::of("hmm"), 1);
  Footprint rows = reading(strided(16, 0, 16));
  rows.rows_of_matrices = true;
  std::vector<Event> events;
  EXPECT_FALSE(log.add({.site = 0, .shared = true, .events = &events}, rows));
  EXPECT_EQ(log.counts()[0].accesses, 1U);
  EXPECT_EQ(log.counts()[0].wavefronts, 4U);
  EXPECT_THAT(events, ::testing::ElementsAre(Event::shared(1), Event::shared(1), Event::shared(1),
                                             Event::shared(1)));
}

}  // namespace
}  // namespace bankproof::ptx
