// Which operations of a CUDA program happen before which.
//
// The runtime tells every call that orders something; this class answers each operation with a
// clock of all that happens before it, by the rules of rules.hpp. Threads that share an Order take
// turns.
//
//     Order order;
//     const Stream s = order.create(Device{0}, StreamKind::non_blocking, Host{0});
//     const Operation copy = order.begin(s, Host{0});
//     const Operation look = order.host_operation(Host{0});   // does not know the copy
//     order.synchronize(Host{0}, s);
//     const Operation again = order.host_operation(Host{0});  // knows the copy
//
// An operation of a legacy stream costs the streams of its device times the timelines; other calls
// cost the timelines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "clock.hpp"
#include "rules.hpp"

namespace bankproof::cuda {

class Order {
 public:
  Order() = default;
  Order(const Order&) = delete;
  Order& operator=(const Order&) = delete;
  virtual ~Order() = default;

  // ---- Host threads. A thread exists from the first call that names it. It begins with what all
  // other threads know, since one of them must have started it.
  /// The host itself does something: an access, or the host's part of a synchronous copy.
  Operation host_operation(Host host);
  /// One thread starts another, or is joined by it: `to` learns what `from` knows.
  void passed(Host from, Host to);
  /// The thread is over. A later thread may have its number.
  void ended(Host host);
  const Clock& known(Host host);
  /// What every later operation will know, whoever begins it.
  Clock known_to_all() const;

  // ---- Streams. A stream must not be used after its destruction.
  Stream create(Device device, StreamKind kind, Host host);
  /// Does not wait. The device and the legacy stream still know the stream's operations.
  void destroy(Stream stream);
  /// The legacy default stream of the device.
  Stream legacy(Device device);
  /// The per-thread default stream: a blocking stream of the thread and the device.
  Stream per_thread(Host host, Device device);

  /// The host enqueues an operation: a kernel, a copy, a fill, a call of cudaLaunchHostFunc.
  Operation begin(Stream stream, Host host);

  // ---- Events. The caller may use a destroyed event's number again after `forget`.
  void record(Event event, Stream stream, Host host);
  /// A node of a graph records the event.
  void record(Event event, const Operation& node);
  /// A node that waits for the event has this predecessor.
  Operation recorded(Event event) const;
  /// Later operations of the stream wait for the last record so far; an event that was never
  /// recorded orders nothing.
  void wait(Stream stream, Event event, Host host);
  void forget(Event event);

  // ---- The host waits, or a query tells it that it need not wait.
  void synchronize(Host host, Stream stream);
  void synchronize(Host host, Event event);
  void synchronize_device(Host host, Device device);

  // ---- Graphs. A launch calls begin_after for each node, predecessors first, and then join with
  // all nodes, without other calls in between. Launches of one executable graph happen one after
  // the other, so the nodes of its last launch are predecessors as well.
  Operation begin_after(Stream stream, Host host, std::span<const Operation> predecessors);
  void join(Stream stream, std::span<const Operation> nodes);

  /// Timelines so far. Those of destroyed streams, ended threads and joined branches are used again
  /// for operations that happen after all of theirs.
  std::size_t timelines() const { return counts_.size(); }

 protected:
  // Tests replace these, to show that they would notice.
  /// Whether the rule orders anything.
  virtual bool holds(Rule) const { return true; }
  /// Whether operations that know `known` may follow the last one of a timeline.
  virtual bool may_follow(const Clock& known, Name last) const { return known.knows(last); }

 private:
  struct HostState {
    Timeline timeline = 0;
    Clock clock;
    std::map<Device, Stream> streams;  // the per-thread default streams
  };
  struct StreamState {
    Timeline timeline = 0;
    Device device{};
    bool blocking = false;
    Clock created;                // what its creator knew
    Clock clock;                  // what its actions so far waited for, and did
    std::vector<Timeline> idle;   // of nodes that were joined: the stream's next nodes use them
    std::vector<Timeline> nodes;  // of nodes that were not joined yet
  };
  struct DeviceState {
    std::optional<Stream> legacy;
    Clock destroyed;           // the operations of the streams that were destroyed,
    Clock destroyed_blocking;  // and of the blocking ones among them
  };

  Timeline fresh(const Clock& known);
  std::optional<Timeline> continued(const std::vector<Timeline>& nodes, const Clock& known) const;
  Operation next(Timeline timeline, const Clock& before);
  void learn(Rule rule, Clock& to, const Clock& from) const;
  HostState& host_of(Host host);
  Clock waited_for(Stream stream);
  StreamState& enqueue(Stream stream, Host host);

  std::vector<std::uint64_t> counts_;  // the operations of each timeline
  std::vector<Timeline> unused_;       // timelines without a thread, stream or branch
  std::map<Host, HostState> hosts_;
  std::map<Stream, StreamState> streams_;
  std::map<Device, DeviceState> devices_;
  std::map<Event, Clock> events_;
  Clock known_at_last_end_;  // known_to_all() when the last thread ended
  std::uint32_t created_ = 0;
};

}  // namespace bankproof::cuda
