// Events, waiting hosts, and graphs.
#include "order.hpp"

namespace bankproof::cuda {

// ---- Events.

void Order::record(Event event, Stream stream, Host host) {
  events_[event] = enqueue(stream, host).clock;
}

void Order::record(Event event, const Operation& node) { events_[event] = node.after(); }

Operation Order::recorded(Event event) const {
  const auto found = events_.find(event);
  return {{}, found == events_.end() ? Clock() : found->second};
}

void Order::wait(Stream stream, Event event, Host host) {
  host_of(host);
  const auto found = events_.find(event);
  if (found == events_.end()) return;
  learn(Rule::event_wait, enqueue(stream, host).clock, found->second);
}

void Order::forget(Event event) { events_.erase(event); }

// ---- The host waits.

void Order::synchronize(Host host, Stream stream) {
  learn(Rule::stream_synchronization, host_of(host).clock, waited_for(stream));
}

void Order::synchronize(Host host, Event event) {
  Clock& known = host_of(host).clock;
  const auto found = events_.find(event);
  if (found != events_.end()) learn(Rule::event_synchronization, known, found->second);
}

void Order::synchronize_device(Host host, Device device) {
  Clock& known = host_of(host).clock;
  learn(Rule::device_synchronization, known, devices_[device].destroyed);
  for (const auto& [number, state] : streams_) {
    if (state.device == device) learn(Rule::device_synchronization, known, state.clock);
  }
}

// ---- Graphs.

/// One of the latest timelines whose operations are all known, so that a long chain of nodes, or a
/// loop, needs one timeline.
std::optional<Timeline> Order::continued(const std::vector<Timeline>& nodes,
                                         const Clock& known) const {
  constexpr std::size_t most = 16;
  const std::size_t first = nodes.size() > most ? nodes.size() - most : 0;
  for (std::size_t k = nodes.size(); k > first; --k) {
    if (may_follow(known, {nodes[k - 1], counts_[nodes[k - 1]]})) return nodes[k - 1];
  }
  return {};
}

/// The node's timeline is that of a node that happens before it, or one of a node that was joined
/// to the stream, or a new one.
Operation Order::begin_after(Stream stream, Host host, std::span<const Operation> predecessors) {
  StreamState& state = enqueue(stream, host);
  Clock before = state.clock;
  for (const Operation& operation : predecessors) learn(Rule::edge, before, operation.after());
  if (const auto timeline = continued(state.nodes, before)) return next(*timeline, before);
  if (state.idle.empty()) state.idle.push_back(fresh(before));
  const Timeline timeline = state.idle.back();
  state.idle.pop_back();
  state.nodes.push_back(timeline);
  return next(timeline, before);
}

void Order::join(Stream stream, std::span<const Operation> nodes) {
  StreamState& state = streams_.at(stream);
  for (const Operation& node : nodes) learn(Rule::join, state.clock, node.after());
  state.idle.insert(state.idle.end(), state.nodes.begin(), state.nodes.end());
  state.nodes.clear();
}

}  // namespace bankproof::cuda
