// The port of a memory for quick_replay.hpp. It does what model/pipeline.hpp does, for any number
// of warps that each wait once. Warps that arrive in the order of time wait in a ring, others in a
// wheel.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../model/pipeline.hpp"
#include "../../model/ready_set.hpp"
#include "wheel.hpp"

namespace bankproof::ptx {

class ReplayPort {
 public:
  using Number = Wheel::Number;  // of a warp

  ReplayPort(std::size_t count, Latency latency, std::size_t slots)
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
    // At a busy port the warps mostly take turns, and arrive in the order of their numbers. If the
    // following warp is ready, it does not matter which others are.
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
    if (!ready_.has(following)) {
      take_late(now);
      if (!ready_.has(following)) {
        for (; head_ != tail_ && in_order(head_).time <= now; ++head_) {
          ready_.insert(in_order(head_).warp);
        }
      }
    }
    last_ = ready_.has(following) ? following : ready_.next_cyclic(following);
    ready_.erase(last_);
    return static_cast<Number>(last_);
  }

  /// Dispatches warps before `end` as long as they take turns at the busy port and come back to it.
  /// stages_of(warp) are those of the access that waits. again(warp, ready) tells whether the warp
  /// makes its next access, at the time `ready`, to the same memory; only then is it dispatched.
  template <class StagesOf, class Again>
  void take_turns(Time end, const StagesOf& stages_of, const Again& again) {
    std::size_t head = head_;
    std::size_t tail = tail_;
    std::size_t last = last_;
    Time now = free_;
    while (head != tail && now < end) {
      const Arrival first = in_order(head);
      const std::size_t following = last + 1 == count_ ? 0 : last + 1;
      if (first.warp != following || first.time > now) break;
      const std::uint64_t stages = stages_of(first.warp);
      const Time ready = Rules::completion(now, stages, latency_);
      if (in_order(tail - 1).time > ready || !again(first.warp, ready)) break;
      now += stages;
      ++head;
      last = following;
      in_order(tail++) = {ready, first.warp};
    }
    head_ = head;
    tail_ = tail;
    last_ = last;
    free_ = now;
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

}  // namespace bankproof::ptx
