// Replays events port by port; see quick_replay.hpp. The names are those of model/engine.hpp.
//
// Time goes on in windows of one global latency: a global access that is dispatched in a window
// completes after it. So first each DMM alone does all that it does in the window, and then the
// global memory does (conservative simulation with lookahead: Chandy and Misra 1979). Each port
// gets all arrivals of a time before it chooses a warp at this time, as in the model.
#include "quick_replay.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <queue>
#include <vector>

#include "../../model/slot_start.hpp"
#include "../isa/registers.hpp"
#include "replay_port.hpp"

namespace bankproof::ptx {

namespace {

using Number = ReplayPort::Number;  // of a warp among the resident warps

struct BlockState {
  std::uint64_t dmm = 0;
  std::uint64_t slot = 0;
  std::uint64_t turn = 0;
  std::uint64_t live = 0;
  std::uint64_t waiting = 0;
  Time began = 0;
  Time latest = 0;
};

struct WarpState {
  const Event* next = nullptr;
  const Event* end = nullptr;
  Time ready = 0;
  std::uint64_t barriers = 0;  // still to pass
  std::uint32_t stages = 0;    // of the access that waits
  std::uint32_t lanes = warp_lanes;
  Number block = 0;  // the place of its block
};

/// The blocks that a DMM runs at a time; 0 if none fits.
std::uint64_t slots_for(const HierarchicalMachine& machine, const LaunchEvents& events) {
  const std::uint64_t threads = ceil_div(events.threads, machine.width) * machine.width;
  std::uint64_t slots =
      std::min(ceil_div(events.blocks, machine.dmms), machine.resident_threads / threads);
  if (events.shared_bytes > 0) {
    const std::uint64_t words = ceil_div(events.shared_bytes, std::uint64_t{4});
    slots = std::min(slots, machine.capacity / (ceil_div(words, machine.width) * machine.width));
  }
  return slots;
}

class QuickReplay {
 public:
  QuickReplay(const HierarchicalMachine& machine, const LaunchEvents& events, std::uint64_t slots,
              std::size_t wheel)
      : events_(events),
        all_dmms_(machine.dmms),
        slots_(slots),
        lookahead_(machine.global_latency),
        warps_per_block_(ceil_div(events.threads, std::uint64_t{warp_lanes})),
        warps_per_dmm_(slots * warps_per_block_),
        blocks_(busy_dmms(machine, events) * slots),
        warps_(blocks_.size() * warps_per_block_),
        global_(warps_.size(), machine.global_latency, wheel) {
    for (std::uint64_t dmm = 0; dmm < busy_dmms(machine, events); ++dmm) {
      dmms_.push_back({ReplayPort(warps_per_dmm_, machine.shared_latency, wheel), {}, dmm});
      for (std::uint64_t slot = 0; slot < slots; ++slot) {
        blocks_[dmm * slots + slot] = {.dmm = dmm, .slot = slot};
        dmms_.back().starts.push({0, 0, dmm, slot});
      }
    }
    for (std::size_t w = 0; w < warps_.size(); ++w) {
      warps_[w].block = static_cast<Number>(w / warps_per_block_);
      const std::uint64_t before = w % warps_per_block_ * warp_lanes;
      warps_[w].lanes =
          static_cast<std::uint32_t>(std::min<std::uint64_t>(warp_lanes, events.threads - before));
    }
  }

  static std::uint64_t busy_dmms(const HierarchicalMachine& machine, const LaunchEvents& events) {
    return std::min(machine.dmms, events.blocks);
  }

  Time run() {
    for (;;) {
      Time now = global_.next_dispatch();
      for (const Dmm& dmm : dmms_) now = std::min(now, dmm.next());
      if (now == never) return end_;
      // The end of a window: a global access that is dispatched in it completes after it.
      const Time end = now + lookahead_;
      for (Dmm& dmm : dmms_) {
        dmm.shared.settle(now);
        run_dmm(dmm, end);
      }
      global_.settle(now);
      run_global(end);
    }
  }

 private:
  struct Dmm {
    ReplayPort shared;
    std::priority_queue<SlotStart, std::vector<SlotStart>, std::greater<>> starts;
    std::uint64_t next_block;

    Time next() const {
      const Time dispatch = shared.next_dispatch();
      return starts.empty() ? dispatch : std::min(dispatch, starts.top().time);
    }
  };

  // What the DMM does before `end`. It meets the other DMMs only in the global memory.
  void run_dmm(Dmm& dmm, Time end) {
    const auto first =
        static_cast<Number>(static_cast<std::uint64_t>(&dmm - dmms_.data()) * warps_per_dmm_);
    for (;;) {
      const Time next = dmm.shared.next_dispatch();
      if (!dmm.starts.empty() && dmm.starts.top().time <= next) {
        if (dmm.starts.top().time >= end) return;
        start_next_block(dmm);
      } else {
        if (next >= end) return;
        dispatch(dmm.shared, Event::Kind::shared, first, next);
      }
      open_barriers();
    }
  }

  void run_global(Time end) {
    for (;;) {
      global_.take_turns(
          end, [this](Number warp) { return warps_[warp].stages; },
          [this](Number warp, Time ready) {
            WarpState& state = warps_[warp];
            if (state.next == state.end || state.next->kind() != Event::Kind::global) return false;
            state.stages = std::min((state.next++)->stages(), state.lanes);
            state.ready = ready;
            return true;
          });
      const Time next = global_.next_dispatch();
      if (next >= end) return;
      dispatch(global_, Event::Kind::global, 0, next);
      open_barriers();
    }
  }

  /// `first`: the first warp of the port; `kind`: of its accesses.
  void dispatch(ReplayPort& port, Event::Kind kind, Number first, Time now) {
    const Number warp = first + port.choose(now);
    WarpState& state = warps_[warp];
    state.ready = port.hold(now, state.stages);
    // The usual case: another access to the same memory.
    if (state.next != state.end && state.next->kind() == kind) {
      state.stages = std::min((state.next++)->stages(), state.lanes);
      port.arrive(warp - first, state.ready);
    } else {
      advance(warp);
    }
  }

  /// The warp goes to its next event.
  void advance(Number warp) {
    WarpState& state = warps_[warp];
    if (state.next == state.end) {
      if (state.barriers > 0) {
        wait_at_barrier(state);
      } else {
        end_of(state);
      }
      return;
    }
    const Event event = *state.next++;
    if (event.kind() == Event::Kind::barrier) return wait_at_barrier(state);
    state.stages = std::min(event.stages(), state.lanes);
    if (event.kind() == Event::Kind::global) {
      global_.arrive(warp, state.ready);
    } else {
      const std::uint64_t dmm = blocks_[state.block].dmm;
      dmms_[dmm].shared.arrive(warp - static_cast<Number>(dmm * warps_per_dmm_), state.ready);
    }
  }

  void wait_at_barrier(WarpState& warp) {
    --warp.barriers;
    BlockState& block = blocks_[warp.block];
    block.latest = std::max(block.latest, warp.ready);
    if (++block.waiting == block.live) complete_barriers_.push_back(warp.block);
  }

  void open_barriers() {
    while (!complete_barriers_.empty()) {
      const Number place = complete_barriers_.back();
      complete_barriers_.pop_back();
      blocks_[place].waiting = 0;
      const auto first = static_cast<Number>(place * warps_per_block_);
      for (Number warp = first; warp < first + warps_per_block_; ++warp) {
        warps_[warp].ready = blocks_[place].latest;
        advance(warp);
      }
    }
  }

  void end_of(const WarpState& warp) {
    BlockState& block = blocks_[warp.block];
    block.latest = std::max(block.latest, warp.ready);
    if (--block.live > 0) return;
    end_ = std::max(end_, block.latest);
    dmms_[block.dmm].starts.push(
        {block.latest, block.latest == block.began ? block.turn + 1 : 0, block.dmm, block.slot});
  }

  void start_next_block(Dmm& dmm) {
    const SlotStart start = dmm.starts.top();
    dmm.starts.pop();
    const std::uint64_t index = dmm.next_block;
    if (index >= events_.blocks) return;
    dmm.next_block += all_dmms_;
    const std::uint64_t place = start.dmm * slots_ + start.slot;
    BlockState& block = blocks_[place];
    block.turn = start.turn;
    block.live = warps_per_block_;
    block.waiting = 0;
    block.began = block.latest = start.time;
    // A warp that ends early still arrives at the barriers of the others; see replay.hpp.
    const auto first = static_cast<Number>(place * warps_per_block_);
    std::uint64_t barriers = 0;
    for (std::uint64_t k = 0; k < warps_per_block_; ++k) {
      const EventList list = events_.warps[index * warps_per_block_ + k];
      barriers = std::max(barriers, barriers_in(list));
      WarpState& warp = warps_[first + k];
      warp.next = list.data();
      warp.end = list.data() + list.size();
      warp.ready = start.time;
    }
    for (std::uint64_t k = 0; k < warps_per_block_; ++k) warps_[first + k].barriers = barriers;
    for (std::uint64_t k = 0; k < warps_per_block_; ++k) advance(static_cast<Number>(first + k));
  }

  /// Equal lists mostly follow one another, and are the same memory.
  std::uint64_t barriers_in(EventList list) {
    if (list.data() != counted_.data() || list.size() != counted_.size()) {
      counted_ = list;
      barriers_ =
          static_cast<std::uint64_t>(std::count(list.begin(), list.end(), Event::barrier()));
    }
    return barriers_;
  }

  const LaunchEvents& events_;
  std::uint64_t all_dmms_;
  std::uint64_t slots_;
  Time lookahead_;
  std::uint64_t warps_per_block_;
  std::uint64_t warps_per_dmm_;
  std::vector<BlockState> blocks_;  // by DMM and slot
  std::vector<WarpState> warps_;    // by DMM, slot and warp: the cyclic order
  std::vector<Dmm> dmms_;           // those that get blocks
  ReplayPort global_;
  std::vector<Number> complete_barriers_;
  Time end_ = 0;
  EventList counted_;
  std::uint64_t barriers_ = 0;
};

}  // namespace

std::optional<Time> quick_time(const HierarchicalMachine& machine, const LaunchEvents& events) {
  constexpr std::uint64_t reasonable = std::uint64_t{1} << 32U;
  if (machine.width != warp_lanes || machine.dmms < 1 || machine.shared_latency < 1 ||
      machine.global_latency < 1 || events.threads < 1 || events.threads > reasonable ||
      events.shared_bytes > reasonable) {
    return std::nullopt;
  }
  const std::uint64_t slots = slots_for(machine, events);
  if (slots == 0) return std::nullopt;
  // A wheel holds all times from the begin of a window to the end of an access that begins in it.
  const std::uint64_t longest = std::max(machine.shared_latency, machine.global_latency);
  const std::uint64_t ports = QuickReplay::busy_dmms(machine, events) + 1;
  constexpr std::uint64_t most_slots = std::uint64_t{1} << 24U;
  if (longest > most_slots / 4) return std::nullopt;
  const std::size_t wheel = std::bit_ceil(2 * longest + std::size_t{2} * warp_lanes);
  if (wheel > most_slots / ports) return std::nullopt;
  return QuickReplay(machine, events, slots, wheel).run();
}

}  // namespace bankproof::ptx
