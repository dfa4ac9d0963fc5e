// Splits diverge, reconverge and end.
#include <algorithm>
#include <array>

#include "block_run.hpp"
#include "program.hpp"
#include "warp.hpp"

namespace bankproof::ptx {

namespace {

Split* make_split(Warp& warp, Frame* frame, LaneMask lanes, const Op* at) {
  Split* split = nullptr;
  if (warp.unused.empty()) {
    split = &warp.splits.emplace_back();
  } else {
    split = warp.unused.back();
    warp.unused.pop_back();
    *split = Split{};
  }
  split->at = at;
  split->frame = frame;
  split->lanes = lanes;
  ++frame->splits;
  warp.leaves.push_back(split);
  return split;
}

void put_below(Split* split, Split* above) {
  split->above = above;
  if (above != nullptr) ++above->below;
}

void take_from_leaves(Warp& warp, const Split* split) {
  warp.leaves.erase(std::find(warp.leaves.begin(), warp.leaves.end(), split));
}

const Op* load(Warp& warp, Split* split) {
  warp.current = split;
  warp.frame = split->frame->data;
  warp.reconvergence = split->reconvergence;
  if (warp.active != split->lanes) {
    warp.activate(split->lanes);
    warp.active_count = static_cast<std::uint32_t>(std::popcount(split->lanes));
  }
  return split->at;
}

// The split has ended. If the split above it waited only for this split, the split above becomes a
// leaf, or ends too if it has no lanes left.
void end_split(Warp& warp, Split* split) {
  take_from_leaves(warp, split);
  for (;;) {
    Split* const above = split->above;
    if (--split->frame->splits == 0) warp.run->give_back(split->frame);
    warp.unused.push_back(split);
    if (above == nullptr || --above->below > 0) return;
    if (above->lanes != 0) {
      above->waiting = Waiting::nothing;
      warp.leaves.push_back(above);
      return;
    }
    split = above;
  }
}

// After this many slices of a split, the lanes that wait for the split go on alone. Even if the
// split does not spin, it has run so long that executing these lanes separately adds hardly any
// cost.
constexpr std::uint32_t long_loop = std::uint32_t{1} << 14U;
// The same limit for a split that reads the clock. Such a split most likely waits for other lanes,
// although its registers change.
constexpr std::uint32_t long_wait = std::uint32_t{1} << 5U;

// A digest of the place and of the lasting registers. Four sums at a time do not wait for one
// another.
std::uint64_t digest_of(const Split& split) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15U;
  std::array<std::uint64_t, 4> sums{reinterpret_cast<std::uintptr_t>(split.at), 1, 2, 3};
  for (const FrameRange& range : split.frame->code->lasting) {
    const auto* const words =
        reinterpret_cast<const std::uint64_t*>(split.frame->data + range.begin);
    for (std::size_t i = 0; i < range.bytes / sizeof(std::uint64_t); i += sums.size()) {
      for (std::size_t k = 0; k < sums.size(); ++k) {
        sums[k] = (sums[k] ^ words[i + k]) * odd;
        sums[k] ^= sums[k] >> 32U;
      }
    }
  }
  std::uint64_t digest = 0;
  for (const std::uint64_t sum : sums) {
    digest = (digest ^ sum) * odd;
    digest ^= digest >> 32U;
  }
  return digest;
}

// Whether the split seems to spin while a split above waits for it: the slice that just ended
// changed no lasting register, or the split has run for many slices.
bool spins(Split& split) {
  if (split.above == nullptr) return false;
  const std::uint64_t digest = digest_of(split);
  const std::uint32_t many = std::exchange(split.looks_at_time, false) ? long_wait : long_loop;
  return std::exchange(split.digest, digest) == digest || split.slices % many == 0;
}

/// A number below `end`, by Marsaglia's xorshift.
std::uint32_t draw(Warp& warp, std::uint32_t end) {
  warp.shuffle ^= warp.shuffle << 13U;
  warp.shuffle ^= warp.shuffle >> 7U;
  warp.shuffle ^= warp.shuffle << 17U;
  return static_cast<std::uint32_t>((warp.shuffle >> 32U) % end);
}

void begin_slice(Warp& warp) {
  warp.slice = warp.shuffle == 0 ? slice_length : 1 + draw(warp, slice_length);
}

}  // namespace

void begin(Warp& warp, Frame* frame, LaneMask lanes, std::uint64_t schedule) {
  make_split(warp, frame, lanes, frame->code->ops.data());
  warp.live = lanes;
  warp.shuffle = schedule * (2 * std::uint64_t{warp.number} + 1) * 0x9e3779b97f4a7c15U;
  begin_slice(warp);
  warp.clock = 0;
  warp.current = nullptr;
  warp.status = WarpStatus::can_run;
}

const Op* run_next(Warp& warp) {
  for (std::size_t i = warp.leaves.size(); i-- > 0;) {
    if (warp.leaves[i]->waiting == Waiting::nothing) return load(warp, warp.leaves[i]);
  }
  warp.current = nullptr;
  warp.status = warp.leaves.empty() ? WarpStatus::ended : WarpStatus::waits;
  return nullptr;
}

const Op* diverge(Warp& warp, std::span<const Path> paths, const Op* reconvergence) {
  Split* const split = warp.current;
  Split* above = split->above;
  Split* reusable = split;
  if (reconvergence != nullptr && reconvergence != split->reconvergence) {
    split->at = reconvergence;
    split->waiting = Waiting::splits;
    take_from_leaves(warp, split);
    above = split;
    reusable = nullptr;
  } else {
    reconvergence = split->reconvergence;
  }
  for (const Path& path : paths) {
    if (path.to == reconvergence) continue;  // these lanes already wait there
    Split* next = std::exchange(reusable, nullptr);
    if (next == nullptr) {
      next = make_split(warp, split->frame, path.lanes, path.to);
      next->reconvergence = reconvergence;
      put_below(next, above);
    }
    next->at = path.to;
    next->lanes = path.lanes;
  }
  return run_next(warp);
}

const Op* reconverge(Warp& warp) {
  end_split(warp, warp.current);
  return run_next(warp);
}

const Op* exit_lanes(Warp& warp, LaneMask lanes, const Op* next) {
  Split* const split = warp.current;
  split->at = next;
  for (Split* s = split; s != nullptr; s = s->above) s->lanes &= ~lanes;
  warp.live &= ~lanes;
  if (split->lanes == 0) end_split(warp, split);
  warp.run->wake_lanes(warp);
  return run_next(warp);
}

const Op* return_lanes(Warp& warp, LaneMask lanes, const Op* next) {
  Split* const split = warp.current;
  const Frame* const frame = split->frame;
  for (Split* s = split; s != nullptr && s->frame == frame; s = s->above) s->lanes &= ~lanes;
  split->at = next;
  if (split->lanes != 0) return load(warp, split);
  end_split(warp, split);
  return run_next(warp);
}

const Op* call(Warp& warp, std::span<const Callee> callees, const Op* next) {
  Split* const split = warp.current;
  split->at = next;
  split->waiting = Waiting::splits;
  take_from_leaves(warp, split);
  for (const Callee& callee : callees) {
    put_below(make_split(warp, callee.frame, callee.lanes, callee.frame->code->ops.data()), split);
  }
  return run_next(warp);
}

const Op* end_slice(Warp& warp, const Op* at) {
  Split* const split = warp.current;
  begin_slice(warp);
  ++split->slices;
  split->at = at;
  // The last leaf in the list runs next.
  take_from_leaves(warp, split);
  warp.leaves.insert(warp.leaves.begin(), split);
  if (spins(*split)) go_on_alone(warp);
  return nullptr;
}

const Op* yield_step(WarpState& state, const Op* op) {
  Warp& warp = warp_of(state);
  const bool yields = warp.shuffle != 0 && draw(warp, 2) == 0;
  return yields ? end_slice(warp, op + 1) : op + 1;
}

void wait_at(Warp& warp, const Op* at, Waiting waiting, LaneMask members) {
  Split* const split = warp.current;
  split->at = at;
  split->waiting = waiting;
  split->members = members;
}

bool go_on_alone(Warp& warp) {
  // A split that waits for splits below it, and the lanes of the splits below it.
  struct Inner {
    Split* split;
    LaneMask below;
  };
  std::vector<Inner> inner;
  for (const Split* const leaf : warp.leaves) {
    const Split* under = leaf;
    for (Split* s = leaf->above; s != nullptr; under = s, s = s->above) {
      auto found =
          std::find_if(inner.begin(), inner.end(), [&](const Inner& i) { return i.split == s; });
      if (found == inner.end()) found = inner.insert(found, {s, 0});
      found->below |= under->lanes;
    }
  }
  bool any = false;
  for (const Inner& i : inner) {
    const LaneMask alone = i.split->lanes & ~i.below;
    if (alone == 0) continue;
    any = true;
    Split* const next = make_split(warp, i.split->frame, alone, i.split->at);
    next->reconvergence = i.split->reconvergence;
    put_below(next, i.split->above);
    i.split->lanes &= ~alone;
  }
  return any;
}

}  // namespace bankproof::ptx
