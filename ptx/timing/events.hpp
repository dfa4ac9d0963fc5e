// The accesses and barriers of the warps of a launch, in program order. From these events alone,
// without addresses and values, replay.hpp computes the time of the launch on a memory machine.
//
// An event is a byte: an access of 1 … 32 stages of the shared or of the global memory, or a
// barrier of the block. Most warps have the same events as their neighbours, so an EventStore keeps
// such events once.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

namespace bankproof::ptx {

class Event {
 public:
  enum class Kind : std::uint8_t { shared, global, barrier };

  Event() = default;
  /// Requires 1 ≤ stages ≤ 32.
  static Event shared(std::uint64_t stages) { return {Kind::shared, stages}; }
  static Event global(std::uint64_t stages) { return {Kind::global, stages}; }
  static Event barrier() { return {Kind::barrier, 1}; }

  Kind kind() const { return static_cast<Kind>(byte_ >> 5U); }
  std::uint32_t stages() const { return (byte_ & 31U) + 1U; }
  bool operator==(const Event&) const = default;

 private:
  Event(Kind kind, std::uint64_t stages)
      : byte_(static_cast<std::uint8_t>(static_cast<unsigned>(kind) << 5U |
                                        (static_cast<unsigned>(stages) - 1U))) {
    assert(stages >= 1 && stages <= 32);
  }
  std::uint8_t byte_ = 0;
};

using EventList = std::span<const Event>;

/// Keeps lists of events. Not thread-safe.
class EventStore {
 public:
  /// Returns a copy of the list that lives as long as the store: `likely` or the list that the
  /// store got last, if it is equal. `likely` is a list of this store.
  EventList add(EventList list, EventList likely) {
    for (const EventList kept : {likely, last_}) {
      if (std::ranges::equal(kept, list)) return kept;
    }
    if (room_ < list.size()) {
      room_ = std::max(chunk, list.size());
      chunks_.push_back(std::make_unique<Event[]>(room_));
      next_ = chunks_.back().get();
    }
    std::copy(list.begin(), list.end(), next_);
    last_ = {next_, list.size()};
    next_ += list.size();
    room_ -= list.size();
    return last_;
  }

 private:
  static constexpr std::size_t chunk = 4096;
  std::vector<std::unique_ptr<Event[]>> chunks_;
  Event* next_ = nullptr;
  std::size_t room_ = 0;
  EventList last_;
};

/// The events of each warp of a launch; the warps of block b begin at index b · warps_per_block.
struct LaunchEvents {
  std::uint64_t blocks = 1;
  std::uint64_t threads = 1;       // per block
  std::uint64_t shared_bytes = 0;  // per block
  std::vector<EventList> warps;
  std::vector<std::shared_ptr<const EventStore>> stores;  // which keep the lists

  /// Sets the events of all warps.
  void set(const std::vector<std::vector<Event>>& lists) {
    const auto store = std::make_shared<EventStore>();
    warps.clear();
    for (const std::vector<Event>& list : lists) warps.push_back(store->add(list, {}));
    stores = {store};
  }
};

}  // namespace bankproof::ptx
