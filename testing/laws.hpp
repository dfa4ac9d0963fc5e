// Laws of the memory machines, as properties of any set of rules. The real rules must obey them,
// and each planted bug must break a law.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <vector>

#include "../model/machine.hpp"
#include "../oracles/memory_machine/memory_machine.hpp"
#include "../oracles/stages.hpp"
#include "accesses.hpp"
#include "play.hpp"

namespace bankproof::testing {

/// The stages that the rules R give an access; 0 for an access without a request.
template <class R = Rules>
std::uint64_t stages(MemoryKind kind, const WarpAccess& access) {
  Lanes<Address> index(access.width, Address{0});
  Mask mask;
  for (Width lane = 0; lane < access.lanes.size(); ++lane) {
    if (!access.lanes[lane]) continue;
    mask.add(lane);
    index[lane] = *access.lanes[lane];
  }
  if (mask == Mask()) return 0;
  StageCounter counter(access.width);
  std::array<Address, widest_warp> scratch{};
  return R::stages(kind, look_at(index, mask, scratch), counter);
}

/// The oracle simulates the pipeline one request at a time, and counts the same stages.
template <class R = Rules>
void stages_are_those_of_the_pipeline(const WarpAccess& access) {
  RC_ASSERT(stages<R>(MemoryKind::banks, access) ==
            oracle::dmm_stages(access.lanes, access.width).count);
  RC_ASSERT(stages<R>(MemoryKind::groups, access) ==
            oracle::umm_stages(access.lanes, access.width).count);
}

/// The number of stages does not depend on the order of the lanes, does not change if lanes repeat
/// an address, and does not change if all addresses shift by a multiple of the width.
template <class R = Rules>
void stages_depend_only_on_the_set_of_addresses(const WarpAccess& access) {
  WarpAccess changed = access;
  if (!access.lanes.empty()) {
    auto& lanes = changed.lanes;
    std::rotate(lanes.begin(),
                lanes.begin() +
                    *rc::gen::inRange<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(lanes.size())),
                lanes.end());
    if (*rc::gen::arbitrary<bool>()) std::reverse(lanes.begin(), lanes.end());
    while (lanes.size() < access.width) {
      lanes.push_back(access.lanes[*rc::gen::inRange<std::size_t>(0, access.lanes.size())]);
    }
    const Address shift = access.width * *rc::gen::inRange<Address>(0, 1000);
    for (auto& lane : lanes) {
      if (lane) *lane += shift;
    }
  }
  for (const MemoryKind kind : {MemoryKind::banks, MemoryKind::groups}) {
    RC_ASSERT(stages<R>(kind, changed) == stages<R>(kind, access));
  }
}

/// THS 5.1: 1 ≤ stages ≤ w, the DMM takes at most the stages of the UMM, and a coalesced access is
/// conflict-free.
template <class R = Rules>
void stages_lie_between_one_and_the_width(const WarpAccess& access) {
  const auto banks = stages<R>(MemoryKind::banks, access);
  const auto groups = stages<R>(MemoryKind::groups, access);
  const bool any = !access.addresses().empty();
  RC_ASSERT(banks >= (any ? 1U : 0U));
  RC_ASSERT(groups <= access.width);
  RC_ASSERT(banks <= groups);
  if (groups == 1) RC_ASSERT(banks == 1U);
}

/// Compares the time, every dispatch, every value read, and every word left.
inline void outcomes_agree(const oracle::Outcome& outcome, const oracle::Outcome& expected) {
  RC_ASSERT(outcome.time == expected.time);
  RC_ASSERT(outcome.dispatches == expected.dispatches);
  RC_ASSERT(outcome.reads == expected.reads);
  for (std::size_t memory = 0; memory < expected.memories.size(); ++memory) {
    RC_ASSERT(outcome.memories[memory].words == expected.memories[memory].words);
    RC_ASSERT(outcome.memories[memory].accesses == expected.memories[memory].accesses);
    RC_ASSERT(outcome.memories[memory].requests == expected.memories[memory].requests);
    RC_ASSERT(outcome.memories[memory].stages == expected.memories[memory].stages);
  }
}

/// The machine's outcome is that of the oracle, which steps through time.
template <class R = Rules>
void machine_agrees_with_the_oracle(const Scenario& scenario) {
  outcomes_agree(play<R>(scenario), oracle::run(scenario.machine, scenario.script));
}

}  // namespace bankproof::testing
