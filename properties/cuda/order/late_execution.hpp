// Plays a program whose streams are executed late, by the queue of cuda/order/.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "../../../cuda/order/queue.hpp"
#include "laws.hpp"

namespace bankproof::cuda::tests {

/// A program whose streams are executed late, in an order of the schedule's.
template <class Queue, class History>
class LateExecution {
 public:
  explicit LateExecution(std::uint64_t schedule) : pending_(schedule) {
    player_.on_operation = [this](const Played& played) { begin(played); };
    player_.on_waiting = [this](Host host) { wait(host); };
  }
  /// The nodes as they were executed.
  std::vector<Node> run(const Program& program) {
    player_.play(program);
    pending_.run_all();
    RC_ASSERT(pending_.size() == 0U);
    RC_ASSERT(executed_.size() == player_.operations.size());
    return executed_;
  }

 private:
  void begin(const Played& played) {
    nodes_[played.operation.name] = played.node;
    if (played.of_host) {
      execute(played);
    } else {
      pending_.add(played.operation, [this, played] { execute(played); });
    }
  }
  void wait(Host host) {
    const Clock known = player_.order.known(host);
    pending_.run_until(known);
    for (const auto& [name, node] : nodes_) RC_ASSERT(!known.knows(name) || done_.count(node) != 0);
    history_.forget(pending_.known_to_all(player_.order.known_to_all()));
  }
  /// What happens before it in the graph has been executed.
  void execute(const Played& played) {
    const std::set<Node> before = player_.graph.before(played.node);
    for (const auto& [name, node] : nodes_) {
      RC_ASSERT(before.count(node) == 0 || done_.count(node) != 0);
    }
    RC_ASSERT(done_.insert(played.node).second);
    executed_.push_back(played.node);
    conflicts_are_races(history_, all_, player_.graph, nodes_, played);
  }

  Player<> player_;
  Queue pending_;
  History history_;
  AllAccesses all_;
  std::map<Name, Node> nodes_;
  std::set<Node> done_;
  std::vector<Node> executed_;
};

template <class Queue, class History = AccessHistory>
void executions_respect_the_order(const Program& program, std::uint64_t schedule) {
  LateExecution<Queue, History>(schedule).run(program);
}

}  // namespace bankproof::cuda::tests
