// Groups of copies; see copies.hpp.
#include "copies.hpp"

#include <algorithm>
#include <vector>

namespace bankproof::ptx {

void Copies::issue(LaneMask lanes, Epoch now) {
  each_lane(lanes, [&](std::uint32_t lane) { issued_[lane] = now; });
}

void Copies::commit(LaneMask lanes, Epoch end) { groups_.push_back({end, lanes}); }

void Copies::wait(LaneMask lanes, std::uint32_t groups) {
  std::array<std::uint32_t, warp_lanes> later{};
  for (std::size_t k = groups_.size(); k-- > 0;) {
    each_lane(lanes & groups_[k].lanes, [&](std::uint32_t lane) {
      if (later[lane]++ >= groups) complete(lane, groups_[k].end);
    });
  }
  forget_complete();
}

void Copies::wait_all(LaneMask lanes, Epoch end) {
  each_lane(lanes, [&](std::uint32_t lane) { complete(lane, end); });
  forget_complete();
}

LaneEpochs Copies::known(Epoch now) const {
  LaneEpochs epochs;
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    epochs[lane] = issued_[lane] <= done_[lane] ? now : done_[lane];
  }
  return epochs;
}

void Copies::complete(std::uint32_t lane, Epoch end) { done_[lane] = std::max(done_[lane], end); }

void Copies::forget_complete() {
  for (Group& group : groups_) {
    each_lane(group.lanes, [&](std::uint32_t lane) {
      if (done_[lane] >= group.end) group.lanes &= ~(LaneMask{1} << lane);
    });
  }
  std::erase_if(groups_, [](const Group& group) { return group.lanes == 0; });
}

}  // namespace bankproof::ptx
