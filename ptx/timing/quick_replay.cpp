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

#include "../../model/pipeline.hpp"
#include "../../model/ready_set.hpp"
#include "../../model/slot_start.hpp"
#include "../isa/registers.hpp"
#include "wheel.hpp"

namespace bankproof::ptx {

namespace {

using Number = Wheel::Number;  // of a warp among the resident warps

// The port of a memory, for the warps `first` … `first` + count − 1: model/pipeline.hpp, but
// arrivals out of order wait in a wheel.
class Port {
 public:
  Port(std::size_t count, Latency latency, std::size_t slots)
      : count_(count),
        latency_(latency),
        ring_(std::bit_ceil(count)),
        late_(slots, count),
        ready_(count),
        last_(count - 1) {}

  void arrive(Number warp, Time ready) {
    if (head_ == tail_ || in_order(tail_ - 1).time <= ready) {
      in_order(tail_++) = {ready, warp};
    } else {
      late_.add(ready, warp);
    }
  }

  Time next_dispatch() const {
    if (!ready_.empty()) return free_;
    const Time earliest = std::min(head_ == tail_ ? never : in_order(head_).time, late_.earliest());
    return earliest == never ? never : std::max(earliest, free_);
  }

  Number choose(Time now) {
    // At a busy port the warps mostly take turns, and arrive in the order of their numbers.
    const std::size_t following = last_ + 1 == count_ ? 0 : last_ + 1;
    if (head_ != tail_) {
      const Arrival& first = in_order(head_);
      const bool is_following = first.warp == following && first.time <= now;
      const auto one_is_ready = [&] {
        return ready_.empty() && late_.earliest() > now &&
               (tail_ - head_ == 1 || in_order(head_ + 1).time > now);
      };
      if (is_following || one_is_ready()) {
        ++head_;
        last_ = first.warp;
        return first.warp;
      }
    }
    for (; head_ != tail_ && in_order(head_).time <= now; ++head_) {
      ready_.insert(in_order(head_).warp);
    }
    take_late(now);
    last_ = ready_.has(following) ? following : ready_.next_cyclic(following);
    ready_.erase(last_);
    return static_cast<Number>(last_);
  }

  /// The access dispatched at `now` holds the port. Returns the time at which it completes.
  Time hold(Time now, std::uint64_t stages) {
    free_ = now + stages;
    return Rules::completion(now, stages, latency_);
  }

  /// Nothing is dispatched before `now` any more. So warps that are ready before `now` are still
  /// here only because the port is busy until `now` or longer, and they may as well be ready.
  void settle(Time now) {
    if (now > 0) take_late(now - 1);
  }

 private:
  struct Arrival {
    Time time = 0;
    Number warp = 0;
  };
  void take_late(Time now) {
    late_.take(now, [this](Number warp) { ready_.insert(warp); });
  }
  Arrival& in_order(std::size_t at) { return ring_[at & (ring_.size() - 1)]; }
  const Arrival& in_order(std::size_t at) const { return ring_[at & (ring_.size() - 1)]; }

  std::size_t count_;
  Latency latency_;
  std::vector<Arrival> ring_;  // a warp waits once, so the ring is never too small
  std::size_t head_ = 0;
  std::size_t tail_ = 0;
  Wheel late_;
  ReadySet ready_;
  std::size_t last_;
  Time free_ = 0;
};

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
      dmms_.push_back({Port(warps_per_dmm_, machine.shared_latency, wheel), {}, dmm});
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
    Port shared;
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
        dispatch(dmm.shared, first, next);
      }
      open_barriers();
    }
  }

  void run_global(Time end) {
    for (;;) {
      const Time next = global_.next_dispatch();
      if (next >= end) return;
      dispatch(global_, 0, next);
      open_barriers();
    }
  }

  /// `first`: the first warp of the port.
  void dispatch(Port& port, Number first, Time now) {
    const Number warp = first + port.choose(now);
    WarpState& state = warps_[warp];
    state.ready = port.hold(now, state.stages);
    advance(warp);
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
  Port global_;
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
  const std::size_t wheel = std::bit_ceil(2 * longest + 2 * warp_lanes);
  if (wheel > most_slots / ports) return std::nullopt;
  return QuickReplay(machine, events, slots, wheel).run();
}

}  // namespace bankproof::ptx
