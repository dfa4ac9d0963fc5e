// What the order and the history of accesses promise, whatever their rules are: the tests try the
// real rules, the canaries wrong ones.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "../../../cuda/order/accesses.hpp"
#include "brute_force.hpp"
#include "player.hpp"

namespace bankproof::cuda::tests {

/// Whether for each pair of operations the second knows the first exactly if the graph has a path:
/// so no operation knows a later one, or itself.
template <class AnyOrder>
bool is_ordered_as_the_graph(const Program& program) {
  Player<AnyOrder> player;
  player.play(program);
  for (const Played& second : player.operations) {
    const std::set<Node> before = player.graph.before(second.node);
    for (const Played& first : player.operations) {
      const bool path = before.count(first.node) != 0;
      if (second.operation.happens_after(first.operation.name) != path) return false;
    }
  }
  return true;
}

template <class AnyOrder>
void order_is_that_of_the_graph(const Program& program) {
  RC_ASSERT(is_ordered_as_the_graph<AnyOrder>(program));
}

/// Adds an operation's accesses to both. A conflict has to be a race of the oracle, and each
/// address with a race has to be in a conflict.
template <class History>
void conflicts_are_races(History& history, AllAccesses& all, const ProgramGraph& graph,
                         const std::map<Name, Node>& nodes, const Played& played) {
  for (const Touch& touch : played.touches) {
    const AllAccesses::Found races = all.add(graph, played.node, touch);
    const auto conflicts = touch.frees ? history.free(played.operation, touch.begin, touch.end)
                                       : history.add(played.operation, touch.begin, touch.end,
                                                     touch.kind, played.node);
    std::set<std::uint64_t> told;
    for (const Conflict& conflict : conflicts) {
      const Node earlier = nodes.at(conflict.earlier.operation);
      RC_ASSERT(conflict.earlier.place == earlier);
      RC_ASSERT(conflict.begin < conflict.end);
      for (std::uint64_t address = conflict.begin; address < conflict.end; ++address) {
        RC_ASSERT(races.count({earlier, address}) != 0);
        told.insert(address);
      }
    }
    for (const auto& [earlier, address] : races) RC_ASSERT(told.count(address) != 0);
  }
}

/// The conflicts of a program that is executed at once.
template <class History, class AnyOrder = Order>
void conflicts_are_those_of_brute_force(const Program& program) {
  Player<AnyOrder> player;
  History history;
  AllAccesses all;
  std::map<Name, Node> nodes;
  player.on_operation = [&](const Played& played) {
    nodes[played.operation.name] = played.node;
    conflicts_are_races(history, all, player.graph, nodes, played);
  };
  player.on_waiting = [&](Host) { history.forget(player.order.known_to_all()); };
  player.play(program);
}

}  // namespace bankproof::cuda::tests
