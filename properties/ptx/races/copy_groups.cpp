// The machine knows, lane by lane, which copies of a warp are complete; a plain list of each lane's
// waits says the same (PTX ISA, "cp.async.commit_group", "cp.async.wait_group",
// "cp.async.wait_all").
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <vector>

#include "../../../ptx/races/copies.hpp"

namespace bankproof::ptx {
namespace {

/// The copies of one lane, numbered in order. `groups` has the last copy of each open group, in the
/// order of commits; the lane has waited for the copies up to `done`.
struct PlainLane {
  std::vector<Epoch> groups;
  Epoch issued = 0;
  Epoch done = 0;

  void wait(std::uint32_t all_but) {
    while (groups.size() > all_but) {
      done = std::max(done, groups.front());
      groups.erase(groups.begin());
    }
  }
  void wait_all(Epoch end) {
    done = std::max(done, end);
    std::erase_if(groups, [&](Epoch group) { return group <= done; });
  }
};

struct PlainCopies {
  std::array<PlainLane, warp_lanes> lanes;

  template <class Do>
  void each(LaneMask mask, const Do& act) {
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
      if ((mask >> lane & 1U) != 0) act(lanes[lane]);
    }
  }
  std::size_t in_flight() const {
    std::set<Epoch> ends;
    for (const PlainLane& lane : lanes) ends.insert(lane.groups.begin(), lane.groups.end());
    return ends.size();
  }
};

/// All lanes, one lane, the outermost lanes, or any lanes.
LaneMask drawn_lanes() {
  return *rc::gen::weightedOneOf<LaneMask>(
      {{3, rc::gen::just(~LaneMask{0})},
       {2, rc::gen::element<LaneMask>(1U, 1U << 31U, 0x80000001U, 0xffff0000U)},
       {3, rc::gen::arbitrary<LaneMask>()}});
}

RC_GTEST_PROP(CopyGroups, are_complete_when_each_lane_has_waited_for_them, ()) {
  Copies copies;
  PlainCopies plain;
  Epoch now = 1;
  const auto steps = *rc::gen::inRange(1, 30);
  for (int step = 0; step < steps; ++step) {
    const LaneMask lanes = drawn_lanes();
    switch (*rc::gen::inRange(0, 5)) {
      case 0:
        copies.issue(lanes, now);
        plain.each(lanes, [&](PlainLane& lane) { lane.issued = now; });
        break;
      case 1:
      case 2:
        copies.commit(lanes, now);
        plain.each(lanes, [&](PlainLane& lane) { lane.groups.push_back(now); });
        ++now;
        break;
      case 3: {
        const auto all_but = *rc::gen::inRange(0U, 4U);
        copies.wait(lanes, all_but);
        plain.each(lanes, [&](PlainLane& lane) { lane.wait(all_but); });
        break;
      }
      default:
        copies.wait_all(lanes, now);
        plain.each(lanes, [&](PlainLane& lane) { lane.wait_all(now); });
        ++now;
    }
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
      const PlainLane& expected = plain.lanes[lane];
      RC_ASSERT(copies.done(lane) == expected.done);
      RC_ASSERT(copies.issued()[lane] == expected.issued);
      RC_ASSERT(copies.known(now)[lane] ==
                (expected.issued <= expected.done ? now : expected.done));
    }
  }
  // A wait of all lanes completes their copies; after it, nothing needs to be remembered.
  copies.wait(0, 0);
  RC_ASSERT(copies.in_flight() == plain.in_flight());
}

}  // namespace
}  // namespace bankproof::ptx
