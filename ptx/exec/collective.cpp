// Gathers what lanes bring, computes, and scatters the results.
#include "collective.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "block_run.hpp"
#include "matrix.hpp"

namespace bankproof::ptx {

namespace {

using CollectiveKind = CollectiveOperands::Kind;
using Words = std::array<std::uint32_t, warp_lanes>;

// The inputs and results of all lanes. The entries of a lane that takes no part have no meaning.
struct Exchange {
  LaneMask lanes = 0;
  Words members{};
  std::array<std::uint64_t, warp_lanes> value{};
  Words b{};
  Words c{};
  Words result{};
  Words valid{};
  LaneMask wrong = 0;  // lanes that read a lane outside the mask
};

void gather(const Part& part, Slot slot, Words& to) {
  if (slot == no_slot) return;
  const auto* const from = reinterpret_cast<const std::uint32_t*>(part.frame + slot);
  each_lane(part.lanes, [&](std::uint32_t lane) { to[lane] = from[lane]; });
}

void scatter(const Part& part, Slot slot, const Words& from) {
  if (slot == no_slot) return;
  auto* const to = reinterpret_cast<std::uint32_t*>(part.frame + slot);
  each_lane(part.lanes, [&](std::uint32_t lane) { to[lane] = from[lane]; });
}

void gather_values(const Part& part, Exchange& x) {
  const CollectiveOperands& operands = collective_of(part.op);
  const Slot slot = part.op->s[0];
  if (slot == no_slot) return;
  if (operands.type == LaneType::b64) {
    const auto* const from = reinterpret_cast<const std::uint64_t*>(part.frame + slot);
    each_lane(part.lanes, [&](std::uint32_t lane) { x.value[lane] = from[lane]; });
    return;
  }
  const auto* const from = reinterpret_cast<const std::uint32_t*>(part.frame + slot);
  each_lane(part.lanes, [&](std::uint32_t lane) { x.value[lane] = from[lane]; });
}

// The lane from which a shuffle gives `lane` a value. Sets `valid` to whether the shuffle addresses
// a lane in the segment of `lane`; if it does not, `lane` takes its own value.
std::uint32_t source_lane(CollectiveKind kind, std::uint32_t lane, std::uint32_t b, std::uint32_t c,
                          bool& valid) {
  const std::uint32_t distance = b & 31U;
  const std::uint32_t segment = c >> 8U & 31U;
  const std::uint32_t last = (lane & segment) | ((c & 31U) & ~segment);
  std::uint32_t source = lane;
  switch (kind) {
    case CollectiveKind::shuffle_up:
      source = lane - distance;
      valid = static_cast<std::int32_t>(source) >= static_cast<std::int32_t>(last);
      break;
    case CollectiveKind::shuffle_down:
      source = lane + distance;
      valid = source <= last;
      break;
    case CollectiveKind::shuffle_xor:
      source = lane ^ distance;
      valid = source <= last;
      break;
    default:
      source = (lane & segment) | (distance & ~segment);
      valid = source <= last;
      break;
  }
  return valid ? source : lane;
}

void shuffle(CollectiveKind kind, Exchange& x) {
  each_lane(x.lanes, [&](std::uint32_t lane) {
    bool valid = false;
    const std::uint32_t source = source_lane(kind, lane, x.b[lane], x.c[lane], valid);
    const bool takes_part = ((x.lanes & x.members[lane]) >> source & 1U) != 0;
    // A lane that reads a lane outside the mask keeps its own value.
    x.result[lane] = static_cast<std::uint32_t>(x.value[takes_part ? source : lane]);
    if (!takes_part) x.wrong |= LaneMask{1} << lane;
    x.valid[lane] = valid ? all_lanes : 0;
  });
}

std::uint32_t combined(CollectiveKind kind, std::uint32_t a, std::uint32_t b) {
  const auto sa = static_cast<std::int32_t>(a);
  const auto sb = static_cast<std::int32_t>(b);
  switch (kind) {
    case CollectiveKind::add:
      return a + b;
    case CollectiveKind::minimum_signed:
      return static_cast<std::uint32_t>(std::min(sa, sb));
    case CollectiveKind::maximum_signed:
      return static_cast<std::uint32_t>(std::max(sa, sb));
    case CollectiveKind::minimum_unsigned:
      return std::min(a, b);
    case CollectiveKind::maximum_unsigned:
      return std::max(a, b);
    case CollectiveKind::bit_and:
      return a & b;
    case CollectiveKind::bit_or:
      return a | b;
    default:
      return a ^ b;
  }
}

// Computes the results of the lanes `group`, which bring the same mask. `group` is not empty.
void together(CollectiveKind kind, LaneMask group, Exchange& x) {
  const auto leader = static_cast<std::uint32_t>(std::countr_zero(group));
  LaneMask true_lanes = 0;
  LaneMask equal_to_leader = 0;
  auto reduced = static_cast<std::uint32_t>(x.value[leader]);
  each_lane(group, [&](std::uint32_t lane) {
    if (x.value[lane] != 0) true_lanes |= LaneMask{1} << lane;
    if (x.value[lane] == x.value[leader]) equal_to_leader |= LaneMask{1} << lane;
    if (lane != leader) {
      reduced = combined(kind, reduced, static_cast<std::uint32_t>(x.value[lane]));
    }
  });
  const auto predicate = [](bool value) { return value ? all_lanes : 0U; };
  each_lane(group, [&](std::uint32_t lane) {
    switch (kind) {
      case CollectiveKind::vote_all:
        x.result[lane] = predicate(true_lanes == group);
        break;
      case CollectiveKind::vote_any:
        x.result[lane] = predicate(true_lanes != 0);
        break;
      case CollectiveKind::vote_uniform:
        x.result[lane] = predicate(true_lanes == group || true_lanes == 0);
        break;
      case CollectiveKind::vote_ballot:
        x.result[lane] = true_lanes;
        break;
      case CollectiveKind::match_any:
        x.result[lane] = 0;
        each_lane(group, [&](std::uint32_t other) {
          if (x.value[other] == x.value[lane]) x.result[lane] |= LaneMask{1} << other;
        });
        break;
      case CollectiveKind::match_all:
        x.result[lane] = equal_to_leader == group ? group : 0;
        x.valid[lane] = predicate(equal_to_leader == group);
        break;
      case CollectiveKind::elect:
        x.result[lane] = leader;
        x.valid[lane] = predicate(lane == leader);
        break;
      default:
        x.result[lane] = reduced;
        break;
    }
  });
}

void execute(Warp& warp, std::span<const Part> parts) {
  const Op* const op = parts.front().op;
  const CollectiveKind kind = collective_of(op).kind;
  if (kind == CollectiveKind::matrix) return execute_matrix(warp, parts);
  Exchange x;
  for (const Part& part : parts) {
    x.lanes |= part.lanes;
    gather(part, collective_of(part.op).members, x.members);
    gather_values(part, x);
    gather(part, part.op->s[1], x.b);
    gather(part, part.op->s[2], x.c);
  }
  LaneMask not_members = 0;
  each_lane(x.lanes, [&](std::uint32_t lane) {
    if ((x.members[lane] >> lane & 1U) == 0) not_members |= LaneMask{1} << lane;
  });
  if (kind <= CollectiveKind::shuffle_index) {
    shuffle(kind, x);
  } else {
    for (LaneMask left = x.lanes; left != 0;) {
      const auto leader = static_cast<std::uint32_t>(std::countr_zero(left));
      LaneMask group = 0;
      each_lane(left, [&](std::uint32_t lane) {
        if (x.members[lane] == x.members[leader]) group |= LaneMask{1} << lane;
      });
      if (kind == CollectiveKind::barrier) {
        warp_barrier(warp, group | (x.members[leader] & warp.existing & ~warp.live));
      } else {
        together(kind, group, x);
      }
      left &= ~group;
    }
  }
  for (const Part& part : parts) {
    scatter(part, part.op->d[0], x.result);
    scatter(part, part.op->d[1], x.valid);
    const auto tell = [&](LaneMask lanes, const char* what) {
      each_lane(lanes & part.lanes, [&](std::uint32_t lane) {
        warp.run->fault(FaultKind::inactive_lane, part.op, nullptr, warp, LaneMask{1} << lane,
                        [&] { return "lane " + std::to_string(lane) + what; });
      });
    };
    tell(x.wrong & ~not_members, " reads a lane that is outside its mask or has exited");
    tell(not_members, " is not in the mask that it passes");
  }
}

// Whether all 32 lanes bring masks of all 32 lanes.
bool is_whole(const Part& part) {
  if (part.lanes != all_lanes) return false;
  const auto* const masks =
      reinterpret_cast<const std::uint32_t*>(part.frame + collective_of(part.op).members);
  LaneMask common = all_lanes;
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) common &= masks[lane];
  return common == all_lanes;
}

// A shuffle in which all lanes take part, so that no lane reads a lane outside the mask.
template <CollectiveKind kind>
void shuffle_whole(const WarpState& warp, const Op* op) {
  const Words value = *reinterpret_cast<const Words*>(warp.frame + op->s[0]);
  const auto* const b = warp.lanes<const std::uint32_t>(op->s[1]);
  const auto* const c = warp.lanes<const std::uint32_t>(op->s[2]);
  Words result;
  Words valid;
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    bool is_valid = false;
    result[lane] = value[source_lane(kind, lane, b[lane], c[lane], is_valid)];
    valid[lane] = is_valid ? all_lanes : 0;
  }
  *reinterpret_cast<Words*>(warp.frame + op->d[0]) = result;
  if (op->d[1] != no_slot) *reinterpret_cast<Words*>(warp.frame + op->d[1]) = valid;
}

void execute_whole(Warp& warp, const Part& part) {
  switch (collective_of(part.op).kind) {
    case CollectiveKind::shuffle_up:
      return shuffle_whole<CollectiveKind::shuffle_up>(warp, part.op);
    case CollectiveKind::shuffle_down:
      return shuffle_whole<CollectiveKind::shuffle_down>(warp, part.op);
    case CollectiveKind::shuffle_xor:
      return shuffle_whole<CollectiveKind::shuffle_xor>(warp, part.op);
    case CollectiveKind::shuffle_index:
      return shuffle_whole<CollectiveKind::shuffle_index>(warp, part.op);
    default:
      return execute(warp, std::span(&part, 1));
  }
}

// Lanes of a split that bring the same mask.
struct Group {
  LaneMask members = 0;
  LaneMask lanes = 0;
};

std::vector<Group> groups_of(const Part& part) {
  const auto* const masks =
      reinterpret_cast<const std::uint32_t*>(part.frame + collective_of(part.op).members);
  std::vector<Group> groups;
  groups.reserve(1);
  each_lane(part.lanes, [&](std::uint32_t lane) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
      return group.members == masks[lane];
    });
    const LaneMask bit = LaneMask{1} << lane;
    if (same != groups.end()) {
      same->lanes |= bit;
    } else {
      groups.push_back({masks[lane], bit});
    }
  });
  return groups;
}

// Whether the group may go on: all live lanes of its mask are in the group. If no lane of the group
// is in the mask, the group goes on too; otherwise it would wait forever.
bool has_all(const Warp& warp, const Group& group) {
  return (group.members & warp.live & ~group.lanes) == 0 || (group.members & group.lanes) == 0;
}

bool at_copies(const Split& one, const Split& other) {
  return other.waiting == Waiting::lanes &&
         collective_of(one.at).spelled == collective_of(other.at).spelled;
}

// The leaves that wait for the same mask as `one` at a copy of the same instruction. The result is
// empty if some live lane of the mask is not in these leaves.
std::vector<Split*> complete_splits(const Warp& warp, const Split& one) {
  std::vector<Split*> here;
  Group group{one.members, 0};
  for (Split* const leaf : warp.leaves) {
    if (!at_copies(one, *leaf) || leaf->members != one.members) continue;
    here.push_back(leaf);
    group.lanes |= leaf->lanes;
  }
  if (!has_all(warp, group)) here.clear();
  return here;
}

}  // namespace

void BlockRun::wake_lanes(Warp& warp) {
  for (std::size_t i = 0; i < warp.leaves.size(); ++i) {
    if (warp.leaves[i]->waiting != Waiting::lanes) continue;
    const std::vector<Split*> complete = complete_splits(warp, *warp.leaves[i]);
    if (complete.empty()) continue;
    std::vector<Part> parts;
    parts.reserve(complete.size());
    for (const Split* const split : complete) {
      parts.push_back({split->at, split->frame->data, split->lanes});
    }
    execute(warp, parts);
    for (Split* const split : complete) {
      split->waiting = Waiting::nothing;
      ++split->at;
    }
  }
}

const char* missing_lanes(const Warp& warp, const Split& split) {
  const bool others = std::any_of(warp.leaves.begin(), warp.leaves.end(), [&](const Split* leaf) {
    return at_copies(split, *leaf) && (leaf->lanes & split.members & ~split.lanes) != 0;
  });
  return others ? "waits for lanes of its mask that pass another mask"
                : "waits for lanes of its mask that do not come";
}

namespace {

const Op* come_together(WarpState& state, const Op* op, const CollectiveOperands& /*operands*/) {
  Warp& warp = warp_of(state);
  const LaneMask lanes = guarded_lanes(warp, op);
  const Part part_here{op, warp.frame, lanes};
  if (is_whole(part_here)) {
    execute_whole(warp, part_here);
    return op + 1;
  }
  // A group that has all lanes of its mask goes on; any other group waits for the missing lanes.
  const LaneMask passing = warp.active & ~lanes;
  LaneMask complete = 0;
  std::vector<Path> paths;
  const std::vector<Group> groups = groups_of(part_here);
  paths.reserve(groups.size() + 1);
  for (const Group& group : groups) {
    if (has_all(warp, group)) {
      complete |= group.lanes;
    } else {
      paths.push_back({op, group.lanes});
    }
  }
  if (complete != 0) {
    const Part done{op, warp.frame, complete};
    execute(warp, std::span(&done, 1));
  }
  if (paths.empty()) return op + 1;
  if (paths.size() > 1 || (complete | passing) != 0) {
    if ((complete | passing) != 0) paths.push_back({op + 1, complete | passing});
    return diverge(warp, paths, nullptr);
  }
  wait_at(warp, op, Waiting::lanes, groups.front().members);
  warp.run->wake_lanes(warp);
  return run_next(warp);
}

}  // namespace

constinit const StepWith<CollectiveOperands> collective_step = handled_by<come_together>;

const Op* activemask_step(WarpState& state, const Op* op) {
  auto* const to = state.lanes<std::uint32_t>(op->d[0]);
  each_lane(guarded_lanes(state, op), [&](std::uint32_t lane) { to[lane] = state.active; });
  return op + 1;
}

}  // namespace bankproof::ptx
