// Each call joins clocks, one rule at a time. What streams of a device wait for each other is
// joined when a stream is used, not when the other stream is.
#include "order.hpp"

#include <algorithm>
#include <utility>

namespace bankproof::cuda {

void Order::learn(Rule rule, Clock& to, const Clock& from) const {
  if (holds(rule)) to.join(from);
}

/// A timeline of which `known` knows all operations so far: further ones happen after them.
Timeline Order::fresh(const Clock& known) {
  const auto found = std::find_if(unused_.begin(), unused_.end(), [&](Timeline timeline) {
    return may_follow(known, {timeline, counts_[timeline]});
  });
  if (found == unused_.end()) {
    counts_.push_back(0);
    return static_cast<Timeline>(counts_.size() - 1);
  }
  const Timeline timeline = *found;
  unused_.erase(found);
  return timeline;
}

Operation Order::next(Timeline timeline, const Clock& before) {
  return {{timeline, ++counts_[timeline]}, before};
}

// ---- Host threads.

Order::HostState& Order::host_of(Host host) {
  const auto found = hosts_.find(host);
  if (found != hosts_.end()) return found->second;
  HostState state;
  state.clock = known_to_all();
  state.timeline = fresh(state.clock);
  return hosts_.emplace(host, std::move(state)).first->second;
}

Operation Order::host_operation(Host host) {
  HostState& state = host_of(host);
  Operation operation = next(state.timeline, state.clock);
  learn(Rule::host_order, state.clock, operation.after());
  return operation;
}

void Order::passed(Host from, Host to) {
  const Clock known = host_of(from).clock;
  learn(Rule::passing, host_of(to).clock, known);
}

void Order::ended(Host host) {
  known_at_last_end_ = known_to_all();
  HostState& state = host_of(host);
  for (const auto& [device, stream] : state.streams) destroy(stream);
  unused_.push_back(state.timeline);
  hosts_.erase(host);
}

const Clock& Order::known(Host host) { return host_of(host).clock; }

Clock Order::known_to_all() const {
  if (hosts_.empty()) return known_at_last_end_;
  Clock all = hosts_.begin()->second.clock;
  for (const auto& [host, state] : hosts_) all.meet(state.clock);
  return all;
}

// ---- Streams.

Stream Order::create(Device device, StreamKind kind, Host host) {
  const Clock& known = host_of(host).clock;
  StreamState state;
  state.timeline = fresh(known);
  state.device = device;
  state.blocking = kind == StreamKind::blocking;
  state.created = known;
  const Stream stream{created_++};
  streams_.emplace(stream, std::move(state));
  return stream;
}

void Order::destroy(Stream stream) {
  StreamState& state = streams_.at(stream);
  DeviceState& device = devices_[state.device];
  device.destroyed.join(state.clock);
  if (state.blocking) device.destroyed_blocking.join(state.clock);
  unused_.push_back(state.timeline);
  unused_.insert(unused_.end(), state.idle.begin(), state.idle.end());
  streams_.erase(stream);
}

Stream Order::legacy(Device device) {
  std::optional<Stream>& legacy = devices_[device].legacy;
  if (!legacy) {
    legacy = Stream{created_++};
    StreamState& state = streams_[*legacy];
    state.timeline = fresh({});
    state.device = device;
  }
  return *legacy;
}

Stream Order::per_thread(Host host, Device device) {
  auto& streams = host_of(host).streams;
  const auto found = streams.find(device);
  if (found != streams.end()) return found->second;
  return streams[device] = create(device, StreamKind::blocking, host);
}

/// What an action in the stream waits for, except for what its host knows.
Clock Order::waited_for(Stream stream) {
  const StreamState& state = streams_.at(stream);
  const DeviceState& device = devices_[state.device];
  Clock all = state.clock;
  learn(Rule::creation, all, state.created);
  if (device.legacy == stream) {
    learn(Rule::legacy_waits, all, device.destroyed_blocking);
    for (const auto& [number, other] : streams_) {
      if (other.blocking && other.device == state.device) {
        learn(Rule::legacy_waits, all, other.clock);
      }
    }
  } else if (state.blocking && device.legacy) {
    learn(Rule::legacy_is_waited_for, all, streams_.at(*device.legacy).clock);
  }
  return all;
}

/// An action of the stream: later actions of the stream know what this one waits for.
Order::StreamState& Order::enqueue(Stream stream, Host host) {
  StreamState& state = streams_.at(stream);
  state.clock = waited_for(stream);
  learn(Rule::host_knowledge, state.clock, host_of(host).clock);
  return state;
}

Operation Order::begin(Stream stream, Host host) {
  StreamState& state = enqueue(stream, host);
  Operation operation = next(state.timeline, state.clock);
  learn(Rule::stream_order, state.clock, operation.after());
  return operation;
}

}  // namespace bankproof::cuda
