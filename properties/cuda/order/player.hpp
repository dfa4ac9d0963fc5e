// Plays a program on the order of cuda/order/ and on the oracle's graph at once.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "both.hpp"

namespace bankproof::cuda::tests {

/// An operation of the program, as both name it.
struct Played {
  Operation operation;
  Node node = 0;
  bool of_host = false;
  std::vector<Touch> touches;
};

template <class AnyOrder = Order>
class Player : public Both<AnyOrder> {
 public:
  using Both<AnyOrder>::order;
  using Both<AnyOrder>::graph;

  std::vector<Played> operations;
  /// What to do with each new operation, and after each call by which a host waits.
  std::function<void(const Played&)> on_operation = [](const Played&) {};
  std::function<void(Host)> on_waiting = [](Host) {};

  void play(const Program& program) {
    for (const Step& step : program) play(step);
  }

 private:
  struct Launch {
    std::vector<Operation> operations;
    std::vector<Node> nodes;
  };

  void play(const Step& step) {
    switch (step.call) {
      case Call::host_operation:
        return add(order.host_operation(host_of(step.host)), graph.call(step.host), true, step);
      case Call::synchronize_event:
        order.synchronize(host_of(step.host), event_of(step.number));
        graph.synchronize_event(step.host, step.number);
        return on_waiting(host_of(step.host));
      case Call::synchronize_device:
        order.synchronize_device(host_of(step.host), device_of(step.number));
        graph.synchronize_device(step.host, step.number % 2);
        return on_waiting(host_of(step.host));
      case Call::pass:
        return this->pass(step.host, step.number % 3);
      case Call::create:
        return this->create(step.stream, step.number % 2,
                            step.number < 2 ? StreamKind::blocking : StreamKind::non_blocking,
                            step.host);
      case Call::destroy:
        return this->destroy(step.stream);
      case Call::end:
        return this->end(step.host);
      default:
        if (const auto on = this->stream_of(step.stream, step.host)) play_on(*on, step);
    }
  }

  void play_on(const InBoth& on, const Step& step) {
    const Host host = host_of(step.host);
    switch (step.call) {
      case Call::begin:
        return add(order.begin(on.stream, host), graph.act(on.number, step.host), false, step);
      case Call::record:
        order.record(event_of(step.number), on.stream, host);
        return graph.record(step.number, on.number, step.host);
      case Call::wait:
        order.wait(on.stream, event_of(step.number), host);
        return graph.wait(on.number, step.number, step.host);
      case Call::synchronize_stream:
        order.synchronize(host, on.stream);
        graph.synchronize_stream(step.host, on.number);
        return on_waiting(host);
      default:
        return launch(on, step);
    }
  }

  /// A graph of up to 4 nodes; bits of `edges` are its edges. Launches of one executable graph do
  /// not overlap; only odd numbers of graphs are launched more than once.
  void launch(const InBoth& on, const Step& step) {
    Launch& last = launched_[step.number];
    if (step.number % 2 == 0) last = {};
    const Node fork = graph.act(on.number, step.host);
    Launch now;
    std::uint64_t bits = step.edges / 4;
    for (std::uint64_t left = 1 + step.edges % 4; left > 0; --left) {
      Launch before{last.operations, last.nodes};
      for (std::size_t k = 0; k < now.nodes.size(); ++k, bits /= 2) {
        if (bits % 2 == 0) continue;
        before.operations.push_back(now.operations[k]);
        before.nodes.push_back(now.nodes[k]);
      }
      before.nodes.push_back(fork);
      now.operations.push_back(order.begin_after(on.stream, host_of(step.host), before.operations));
      now.nodes.push_back(graph.node(before.nodes));
      add(now.operations.back(), now.nodes.back(), false, step);
    }
    order.join(on.stream, now.operations);
    graph.join(on.number, now.nodes);
    last = now;
  }

  void add(const Operation& operation, Node node, bool of_host, const Step& step) {
    operations.push_back({operation, node, of_host, step.touches});
    on_operation(operations.back());
  }

  std::map<int, Launch> launched_;
};

}  // namespace bankproof::cuda::tests
