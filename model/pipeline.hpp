// The port of one memory: it accepts one stage a time unit and chooses the next warp
// (docs/model.md, rules 4 and 5, the accounting of MOD 3).
//
// An access of k stages dispatched at time t holds the port during t … t+k−1 and completes at
// t+k+l−1. At any time, only the warps that are ready compete for the port. The port chooses the
// warp that follows the last dispatched warp in a fixed cyclic order. It idles while no warp is
// ready.
//
// Example: l = 5, warp 0 with 2 stages and warp 1 with 1 stage, both ready at 0: dispatched at 0
// and 2, complete at 6 and 7 (THS figure 3.3, DMM).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <queue>
#include <source_location>
#include <vector>

#include "access.hpp"
#include "cost.hpp"
#include "memory.hpp"
#include "ready_set.hpp"
#include "units.hpp"

namespace bankproof {

inline constexpr Time never = std::numeric_limits<Time>::max();

/// The rules that make a machine a memory machine. The machines take them as a parameter, so that
/// tests can plant a wrong rule and check that it is caught.
struct Rules {
  /// The time at which an access dispatched at `start` completes.
  static Time completion(Time start, std::uint64_t stages, Latency latency) {
    return start + stages + latency - 1;
  }

  /// Chooses the ready warp that is dispatched after the warp `last`.
  static std::size_t next_warp(const ReadySet& ready, std::size_t last) {
    return ready.next_cyclic(last + 1);
  }

  /// Whether the warps of a block wait for each other at this barrier. The arguments are the
  /// barrier's number, from 0, and its place in the program.
  static bool holds_at(std::uint64_t, const std::source_location&) { return true; }

  /// The number of stages of an access with at least one request.
  static std::uint64_t stages(MemoryKind kind, const Pattern& pattern, StageCounter& counter) {
    if (kind == MemoryKind::uniform || pattern.lowest == pattern.highest) return 1;
    if (kind == MemoryKind::broadcast) {
      return pattern.contiguous ? pattern.highest - pattern.lowest + 1
                                : counter.distinct(pattern.addresses);
    }
    if (kind == MemoryKind::banks && pattern.contiguous) return 1;
    const std::uint64_t first_group = counter.divider().group(pattern.lowest);
    const std::uint64_t last_group = counter.divider().group(pattern.highest);
    // An access within one group takes one stage, on groups and on banks. If the first and the last
    // group are neighbours, the access touches both.
    if (first_group == last_group) return 1;
    if (kind == MemoryKind::banks) return counter.bank_stages(pattern.addresses);
    if (first_group + 1 == last_group) return 2;
    return counter.group_stages(pattern.addresses);
  }
};

/// The warps that wait at a port, and the time at which the port is free. `R` is like Rules.
template <class R>
class Pipeline {
 public:
  /// For a launch of warps 0 … warps−1. No warp waits, and warp 0 comes first.
  explicit Pipeline(std::size_t warps) : ready_(warps), last_(warps - 1) {}

  /// The warp waits for the port from time `ready` on.
  void arrive(std::size_t warp, Time ready) {
    if (in_order_.empty() || in_order_.back().time <= ready) {
      in_order_.push_back({ready, warp});
    } else {
      out_of_order_.push({ready, warp});
    }
  }

  /// The time at which the next warp can be dispatched; `never` if no warp waits.
  Time next_dispatch() const {
    if (!ready_.empty()) return free_;
    Time earliest = never;
    if (!in_order_.empty()) earliest = in_order_.front().time;
    if (!out_of_order_.empty()) earliest = std::min(earliest, out_of_order_.top().time);
    return earliest == never ? never : std::max(earliest, free_);
  }

  /// Returns the warp to dispatch at `now` = next_dispatch(), and removes it from the waiting
  /// warps.
  std::size_t choose(Time now) {
    // The usual case when latency is the limit: a single warp is ready, so it is the next.
    if (ready_.empty() && out_of_order_.empty() &&
        (in_order_.size() == 1 || in_order_[1].time > now)) {
      last_ = in_order_.front().warp;
      in_order_.pop_front();
      return last_;
    }
    for (; !in_order_.empty() && in_order_.front().time <= now; in_order_.pop_front()) {
      ready_.insert(in_order_.front().warp);
    }
    for (; !out_of_order_.empty() && out_of_order_.top().time <= now; out_of_order_.pop()) {
      ready_.insert(out_of_order_.top().warp);
    }
    last_ = R::next_warp(ready_, last_);
    ready_.erase(last_);
    return last_;
  }

  /// The access dispatched at `now` holds the port for `stages` time units.
  void hold(Time now, std::uint64_t stages) { free_ = now + stages; }

 private:
  struct Arrival {
    Time time;
    std::size_t warp;
    friend bool operator>(const Arrival& a, const Arrival& b) { return a.time > b.time; }
  };

  ReadySet ready_;
  // On one memory, warps arrive in the order of time, and a plain queue keeps this order at no
  // cost. Warps that come from another memory or from a barrier may arrive out of order.
  std::deque<Arrival> in_order_;
  std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> out_of_order_;
  std::size_t last_;
  Time free_ = 0;
};

}  // namespace bankproof
