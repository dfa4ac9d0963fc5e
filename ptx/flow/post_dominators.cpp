// Computes immediate post-dominators as immediate dominators in the graph with reversed edges,
// whose root is an extra node after all exits. The answer for a node starts at one of the node's
// successors and moves towards the exits until it suits all successors. The nodes are visited in
// reverse postorder, so few rounds suffice.
#include <utility>

#include "flow.hpp"

namespace bankproof::ptx {

namespace {

class PostDominators {
 public:
  explicit PostDominators(const ExitGraph& graph)
      : graph_(graph),
        nodes_(graph.successors.size()),
        predecessors_(nodes_ + 1),
        rank_(nodes_ + 1, unreached),
        answer_(nodes_ + 1, unreached) {
    for (std::size_t node = 0; node < nodes_; ++node) {
      for (const std::size_t next : graph.successors[node]) predecessors_[next].push_back(node);
      if (graph.exits[node]) predecessors_[behind()].push_back(node);
    }
  }

  std::vector<std::optional<std::size_t>> run() {
    rank_nodes();
    answer_[behind()] = behind();
    for (bool changed = true; changed;) {
      changed = false;
      // The extra node after the exits is last in the order; the loop begins just before it.
      for (std::size_t i = order_.size() - 1; i-- > 0;) changed |= improve(order_[i]);
    }
    std::vector<std::optional<std::size_t>> result(nodes_);
    for (std::size_t node = 0; node < nodes_; ++node) {
      if (answer_[node] < nodes_) result[node] = answer_[node];
    }
    return result;
  }

 private:
  static constexpr std::size_t unreached = static_cast<std::size_t>(-1);

  std::size_t behind() const { return nodes_; }

  // Ranks the nodes in the postorder of a depth-first search against the edges. The search keeps
  // its own stack, so that a long function cannot exhaust the program's stack.
  void rank_nodes() {
    std::vector<std::pair<std::size_t, std::size_t>> stack{{behind(), 0}};
    std::vector<bool> seen(nodes_ + 1);
    seen[behind()] = true;
    while (!stack.empty()) {
      auto& [node, taken] = stack.back();
      if (taken == predecessors_[node].size()) {
        rank_[node] = order_.size();
        order_.push_back(node);
        stack.pop_back();
        continue;
      }
      const std::size_t next = predecessors_[node][taken++];
      if (!seen[next]) {
        seen[next] = true;
        stack.emplace_back(next, 0);
      }
    }
  }

  // The first node that is on the chains of answers of both a and b. Ranks grow along a chain.
  std::size_t meet(std::size_t a, std::size_t b) const {
    while (a != b) {
      std::size_t& nearer = rank_[a] < rank_[b] ? a : b;
      nearer = answer_[nearer];
    }
    return a;
  }

  bool improve(std::size_t node) {
    std::size_t best = graph_.exits[node] ? behind() : unreached;
    for (const std::size_t next : graph_.successors[node]) {
      if (answer_[next] == unreached) continue;
      best = best == unreached ? next : meet(best, next);
    }
    return std::exchange(answer_[node], best) != best;
  }

  const ExitGraph& graph_;
  std::size_t nodes_;
  std::vector<std::vector<std::size_t>> predecessors_;
  std::vector<std::size_t> rank_;
  std::vector<std::size_t> answer_;
  std::vector<std::size_t> order_;
};

}  // namespace

std::vector<std::optional<std::size_t>> immediate_post_dominators(const ExitGraph& graph) {
  return PostDominators(graph).run();
}

}  // namespace bankproof::ptx
