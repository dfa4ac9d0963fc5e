// Replays events port by port; see quick_replay.hpp. The names are those of model/engine.hpp.
#include "quick_replay.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <queue>
#include <tuple>
#include <vector>

#include "../../model/pipeline.hpp"
#include "../../model/ready_set.hpp"
#include "../isa/registers.hpp"

namespace bankproof::ptx {

namespace {

using Number = std::uint32_t;  // of a warp among the resident warps

// The port of a memory, for the warps `first` … `first` + count − 1: model/pipeline.hpp with a ring
// instead of a deque.
class Port {
 public:
  Port(std::size_t count, Latency latency)
      : count_(count),
        latency_(latency),
        ring_(std::bit_ceil(count)),
        ready_(count),
        last_(count - 1) {}

  void arrive(Number warp, Time ready) {
    if (head_ == tail_ || in_order(tail_ - 1).time <= ready) {
      in_order(tail_++) = {ready, warp};
    } else {
      out_of_order_.push({ready, warp});
    }
  }

  Time next_dispatch() const {
    if (!ready_.empty()) return free_;
    Time earliest = head_ == tail_ ? never : in_order(head_).time;
    if (!out_of_order_.empty()) earliest = std::min(earliest, out_of_order_.top().time);
    return earliest == never ? never : std::max(earliest, free_);
  }

  Number choose(Time now) {
    const bool one_is_ready = ready_.empty() && out_of_order_.empty() &&
                              (tail_ - head_ == 1 || in_order(head_ + 1).time > now);
    if (one_is_ready) {
      last_ = in_order(head_++).warp;
      return static_cast<Number>(last_);
    }
    for (; head_ != tail_ && in_order(head_).time <= now; ++head_) {
      ready_.insert(in_order(head_).warp);
    }
    for (; !out_of_order_.empty() && out_of_order_.top().time <= now; out_of_order_.pop()) {
      ready_.insert(out_of_order_.top().warp);
    }
    // At a busy port the warps mostly take turns.
    const std::size_t following = last_ + 1 == count_ ? 0 : last_ + 1;
    last_ = ready_.has(following) ? following : ready_.next_cyclic(following);
    ready_.erase(last_);
    return static_cast<Number>(last_);
  }

  /// The access dispatched at `now` holds the port. Returns the time at which it completes.
  Time hold(Time now, std::uint64_t stages) {
    free_ = now + stages;
    return Rules::completion(now, stages, latency_);
  }

 private:
  struct Arrival {
    Time time = 0;
    Number warp = 0;
    friend bool operator>(const Arrival& a, const Arrival& b) { return a.time > b.time; }
  };
  Arrival& in_order(std::size_t at) { return ring_[at & (ring_.size() - 1)]; }
  const Arrival& in_order(std::size_t at) const { return ring_[at & (ring_.size() - 1)]; }

  std::size_t count_;
  Latency latency_;
  std::vector<Arrival> ring_;  // a warp waits once, so the ring is never too small
  std::size_t head_ = 0;
  std::size_t tail_ = 0;
  std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> out_of_order_;
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

struct Start {
  Time time;
  std::uint64_t turn;
  std::uint64_t dmm;
  std::uint64_t slot;
  friend bool operator>(const Start& a, const Start& b) {
    return std::tie(a.time, a.turn, a.dmm, a.slot) > std::tie(b.time, b.turn, b.dmm, b.slot);
  }
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
  QuickReplay(const HierarchicalMachine& machine, const LaunchEvents& events, std::uint64_t slots)
      : events_(events),
        dmms_(machine.dmms),
        slots_(slots),
        busy_dmms_(std::min(machine.dmms, events.blocks)),
        warps_per_block_(ceil_div(events.threads, std::uint64_t{warp_lanes})),
        blocks_(busy_dmms_ * slots),
        warps_(blocks_.size() * warps_per_block_),
        next_(busy_dmms_ + 1, never) {
    const std::uint64_t of_dmm = slots * warps_per_block_;
    for (std::uint64_t dmm = 0; dmm < busy_dmms_; ++dmm) {
      ports_.emplace_back(of_dmm, machine.shared_latency);
      next_block_.push_back(dmm);
      for (std::uint64_t slot = 0; slot < slots; ++slot) {
        blocks_[dmm * slots + slot] = {.dmm = dmm, .slot = slot};
        starts_.push({0, 0, dmm, slot});
      }
    }
    ports_.emplace_back(warps_.size(), machine.global_latency);
    for (std::size_t w = 0; w < warps_.size(); ++w) {
      warps_[w].block = static_cast<Number>(w / warps_per_block_);
      const std::uint64_t before = w % warps_per_block_ * warp_lanes;
      warps_[w].lanes =
          static_cast<std::uint32_t>(std::min<std::uint64_t>(warp_lanes, events.threads - before));
    }
  }

  Time run() {
    for (;;) {
      if (shared_changed_) find_next_shared();
      const Time now = std::min(next_shared_, next_.back());
      if (!starts_.empty() && starts_.top().time <= now) {
        start_next_block();
      } else if (now != never) {
        if (next_shared_ == now) {
          for (std::size_t port = 0; port < busy_dmms_; ++port) {
            if (next_[port] == now) dispatch(port, now);
          }
        }
        if (next_.back() == now) dispatch(global_port(), now);
      } else {
        return end_;
      }
      open_barriers();
    }
  }

 private:
  std::size_t global_port() const { return busy_dmms_; }
  // Ports of shared memories number the warps of their DMM.
  Number first_of(std::size_t port) const {
    return port == global_port() ? 0 : static_cast<Number>(port * slots_ * warps_per_block_);
  }

  void find_next_shared() {
    // Two minima, so that the processor finds them side by side.
    Time even = never;
    Time odd = never;
    std::size_t port = 0;
    for (; port + 1 < busy_dmms_; port += 2) {
      even = std::min(even, next_[port]);
      odd = std::min(odd, next_[port + 1]);
    }
    if (port < busy_dmms_) even = std::min(even, next_[port]);
    next_shared_ = std::min(even, odd);
    shared_changed_ = false;
  }

  void dispatch(std::size_t port, Time now) {
    const Number warp = first_of(port) + ports_[port].choose(now);
    WarpState& state = warps_[warp];
    state.ready = ports_[port].hold(now, state.stages);
    next_[port] = ports_[port].next_dispatch();
    shared_changed_ = shared_changed_ || port != global_port();
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
    const bool shared = event.kind() == Event::Kind::shared;
    const std::size_t port = shared ? blocks_[state.block].dmm : global_port();
    state.stages = std::min(event.stages(), state.lanes);
    ports_[port].arrive(warp - first_of(port), state.ready);
    next_[port] = ports_[port].next_dispatch();
    shared_changed_ = shared_changed_ || shared;
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
    starts_.push(
        {block.latest, block.latest == block.began ? block.turn + 1 : 0, block.dmm, block.slot});
  }

  void start_next_block() {
    const Start start = starts_.top();
    starts_.pop();
    const std::uint64_t index = next_block_[start.dmm];
    if (index >= events_.blocks) return;
    next_block_[start.dmm] += dmms_;
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
  std::uint64_t dmms_;
  std::uint64_t slots_;
  std::uint64_t busy_dmms_;
  std::uint64_t warps_per_block_;
  std::vector<BlockState> blocks_;  // by DMM and slot
  std::vector<WarpState> warps_;    // by DMM, slot and warp: the cyclic order
  std::vector<Port> ports_;         // of the busy DMMs, then of the global memory
  std::vector<Time> next_;          // next_dispatch() of each port
  Time next_shared_ = never;        // the least of the busy DMMs
  bool shared_changed_ = false;     // since next_shared_ was found
  std::vector<std::uint64_t> next_block_;
  std::priority_queue<Start, std::vector<Start>, std::greater<>> starts_;
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
  return QuickReplay(machine, events, slots).run();
}

}  // namespace bankproof::ptx
