// Compares the sums that the cost log keeps with the costs of the single accesses by the rules.
#include "../../../ptx/memory/cost_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <tuple>

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

auto parts_of(const AccessCounts& counts) {
  return std::tuple(counts.accesses, counts.lanes, counts.wavefronts, counts.ideal_wavefronts,
                    counts.lines, counts.ideal_lines, counts.sectors, counts.ideal_sectors);
}
auto parts_of(const KeptPicture& picture) {
  const AccessPicture kept = picture ? *picture : AccessPicture();
  return std::tuple(picture.has_value(), kept.warp, kept.lanes, kept.element_bytes, kept.buffer,
                    kept.excess, kept.addresses);
}

// The log keeps rows of equal cost together. Both logs get the same accesses of two sites: rows,
// and other accesses between them, by warps in any order.
RC_GTEST_PROP(CostLog, adds_rows_as_it_adds_their_lanes, ()) {
  const MachineRules rules = MachineRules::of(*rc::gen::element<std::string>("hmm", "sm_90"));
  CostLog by_rows(rules, 2);
  CostLog by_lanes(rules, 2);
  std::vector<Event> events_of_rows;
  std::vector<Event> events_of_lanes;
  const auto bytes = *rc::gen::element(4U, 8U, 16U);
  for (int k = *rc::gen::inRange(1, 30); k > 0; --k) {
    CostPlace place{
        .site = *rc::gen::inRange(0U, 2U),
        .shared = *rc::gen::inRange(0, 5) == 0,
        .buffer = *rc::gen::inRange(0U, 3U),
        .warp = {0, *rc::gen::inRange<std::uint64_t>(0, 4), *rc::gen::element(0U, 32U)}};
    const bool is_row = *rc::gen::inRange(0, 4) > 0;
    const std::uint64_t begin =
        *rc::gen::element<std::uint64_t>(0, 128, 256, 16, 144) / bytes * bytes;
    const Footprint touched =
        is_row ? reading(strided(bytes, begin, bytes)) : reading(any_footprint(4096));
    place.events = &events_of_lanes;
    by_lanes.add(place, touched);
    place.events = &events_of_rows;
    if (is_row) {
      by_rows.add_row(place, begin, bytes);
    } else {
      by_rows.add(place, touched);
    }
    if (*rc::gen::inRange(0, 8) == 0) by_rows.counts();
  }
  for (std::size_t site = 0; site < 2; ++site) {
    const AccessCounts& found = by_rows.counts()[site];
    const AccessCounts& expected = by_lanes.counts()[site];
    RC_ASSERT(parts_of(found) == parts_of(expected));
    RC_ASSERT(parts_of(found.worst_shared) == parts_of(expected.worst_shared));
    RC_ASSERT(parts_of(found.worst_global) == parts_of(expected.worst_global));
  }
  RC_ASSERT(events_of_rows == events_of_lanes);
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
