// Stages of one access (rows M1, M2, M8 and M9), for random accesses of every width.
#include "../../testing/laws.hpp"
#include "../../testing/property.hpp"

namespace bankproof {
namespace {

using testing::WarpAccess;

BANKPROOF_PROPERTY(Stages, are_those_of_a_pipeline_fed_one_request_at_a_time,
                   (const WarpAccess& access)) {
  testing::stages_are_those_of_the_pipeline(access);
}

BANKPROOF_PROPERTY(Stages, do_not_depend_on_lane_order_repetition_or_shifts_by_the_width,
                   (const WarpAccess& access)) {
  testing::stages_depend_only_on_the_set_of_addresses(access);
}

BANKPROOF_PROPERTY(Stages, lie_between_one_and_the_width_and_are_fewest_on_the_DMM,
                   (const WarpAccess& access)) {
  testing::stages_lie_between_one_and_the_width(access);
}

BANKPROOF_PROPERTY(Stages, of_constant_memory_are_the_distinct_addresses,
                   (const WarpAccess& access)) {
  auto addresses = access.addresses();
  std::sort(addresses.begin(), addresses.end());
  addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
  RC_ASSERT(testing::stages(MemoryKind::broadcast, access) == addresses.size());
}

// The machine counts the stages of a progression without writing out its lanes. The number must be
// the same as for written-out lanes.
BANKPROOF_PROPERTY(Stages, of_a_progression_are_those_of_its_lanes, ()) {
  const auto width = *testing::any_width();
  const auto first = *rc::gen::inRange<Address>(0, 200);
  const auto step = *rc::gen::inRange<Address>(0, 70);
  const Mask mask = Mask(*rc::gen::arbitrary<std::uint64_t>()) & first_lanes(width);
  RC_PRE(mask != Mask());
  const Progression progression(width, first, step);
  const Lanes<Address> lanes = progression;
  StageCounter counter(width);
  std::array<Address, widest_warp> scratch{};
  for (const MemoryKind kind : {MemoryKind::banks, MemoryKind::groups, MemoryKind::broadcast}) {
    for (const Mask m : {mask, first_lanes(width)}) {
      const auto of_lanes = Rules::stages(kind, look_at(lanes, m, scratch), counter);
      RC_ASSERT(Rules::stages(kind, look_at(progression, m, scratch), counter) == of_lanes);
    }
  }
}

// The counter also accepts accesses wider than a warp, because `check` needs them.
BANKPROOF_PROPERTY(Stages, up_to_width_1024_are_those_of_the_pipeline, ()) {
  const auto width = *rc::gen::inRange<Width>(1, widest_access + 1);
  const auto access = *testing::any_access(width);
  StageCounter counter(width);
  const auto addresses = access.addresses();
  RC_ASSERT(counter.bank_stages(addresses) == oracle::dmm_stages(access.lanes, width).count);
  RC_ASSERT(counter.group_stages(addresses) == oracle::umm_stages(access.lanes, width).count);
}

}  // namespace
}  // namespace bankproof
