// Two ways to take a regular bipartite multigraph apart. Coq checks that halves and matchings
// exist, that one edge of each pair of left partners makes a half, and that a search always has a
// path to find (R4.halves, R4.matchings, R4.halved, R4.searches). Tests execute this code to check
// that it finds these halves and matchings.
//
// Even degree: pair up the edges at every node. Each edge then has one partner at its left node and
// one at its right node. Following left and right partners in turn goes round cycles of even
// length, and every second edge of each cycle makes half of the edges at every node. So the graph
// falls into two regular graphs of half the degree (Gabow 1976).
//
// Odd degree: a regular graph has a perfect matching, which is one color and leaves an even degree.
// To match one more left node, walk at random: from a left node along any of its edges, from a
// matched right node back to its partner, until a right node is free. Then flip the path, which is
// the walk without its loops. For N nodes a side, all walks together take O(N log N) expected
// steps, whatever the degree (Goel, Kapralov and Khanna 2013). The seed is fixed, so that every run
// gives the same result. An adversary who knows the seed may choose a graph for which the walks
// take long. So after some multiple of N log N steps, a plain search for the shortest path takes
// over. This search finds a path if there is one.
//
// Example: the edges 0–0, 0–1, 1–0, 1–1 of degree 2 fall into {0–0, 1–1} and {0–1, 1–0}.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "edges.hpp"

namespace bankproof::detail {

/// Halves graphs of even degree, one after another.
class Halving {
 public:
  /// Writes the halves to `out`, one after the other, each with `degree`/2 edges a node.
  template <class Index>
  void split(const Edges<Index>& graph, const Edges<Index>& out) {
    if (graph.all.size() < std::numeric_limits<std::uint32_t>::max()) {
      walk(graph, narrow_);
    } else {
      walk(graph, wide_);
    }
    const Edges<Index> halves[] = {out.part(0, graph.degree / 2),
                                   out.part(graph.degree / 2, graph.degree / 2)};
    for (std::size_t pair = 0; pair < first_.size(); ++pair) {
      const unsigned odd = first_[pair];
      halves[0].all[pair] = graph.all[2 * pair + odd];
      halves[1].all[pair] = graph.all[2 * pair + 1 - odd];
    }
  }

 private:
  static constexpr std::uint8_t unknown = 2;

  template <class Number>
  struct Partners {
    std::vector<Number> waiting;  ///< by right node: an edge without a partner
    std::vector<Number> right;    ///< by edge: its partner at its right node
  };

  /// Edges 2k and 2k+1 are left partners; decides which of them the first half gets.
  template <class Index, class Number>
  void walk(const Edges<Index>& graph, Partners<Number>& partners) {
    constexpr Number none = std::numeric_limits<Number>::max();
    const auto edges = static_cast<Number>(graph.all.size());
    partners.waiting.assign(graph.nodes, none);
    partners.right.resize(edges);
    first_.resize(edges / 2);
    const auto find_right_partner = [&](Index target, Number edge) {
      Number& waiting = partners.waiting[target];
      if (waiting == none) {
        waiting = edge;
      } else {
        partners.right[edge] = waiting;
        partners.right[waiting] = edge;
        waiting = none;
      }
    };
    for (Number pair = 0; pair < edges / 2; ++pair) {
      const Index even = graph.all[2 * pair].target;
      const Index odd = graph.all[2 * pair + 1].target;
      first_[pair] = even == odd ? 0 : unknown;  // parallel edges are partners on both sides
      if (even == odd) continue;
      find_right_partner(even, 2 * pair);
      find_right_partner(odd, 2 * pair + 1);
    }
    for (Number pair = 0; pair < edges / 2; ++pair) {
      for (Number edge = 2 * pair; first_[edge / 2] == unknown;) {
        first_[edge / 2] = edge % 2;
        edge = partners.right[edge ^ 1U];
      }
    }
  }

  Partners<std::uint32_t> narrow_;
  Partners<std::uint64_t> wide_;
  std::vector<std::uint8_t> first_;  ///< by pair: which edge the first half gets
};

/// Copies a graph so that parallel edges follow one another at their left node, in the copy and in
/// its halves. If there are many parallel edges, halving then costs little.
template <class Index>
void gather_parallel_edges(const Edges<Index>& graph, const Edges<Index>& out) {
  const std::uint64_t none = graph.degree;
  std::vector<std::uint64_t> first_to(graph.nodes, none);  // by right node: place of its first edge
  std::vector<std::uint64_t> next(graph.degree);           // by place: the next parallel edge
  for (std::uint64_t node = 0; node < graph.nodes; ++node) {
    const auto edges = graph.of(node);
    for (std::uint64_t k = graph.degree; k-- > 0;) {
      next[k] = std::exchange(first_to[edges[k].target], k);
    }
    std::uint64_t end = 0;
    for (const Edge<Index>& edge : edges) {
      for (std::uint64_t k = std::exchange(first_to[edge.target], none); k != none; k = next[k]) {
        out.of(node)[end++] = edges[k];
      }
    }
  }
}

/// Takes perfect matchings off graphs, one after another.
template <class Index>
class Matching {
 public:
  /// The walks of one matching take at most `steps_a_node` steps for each of N nodes and each
  /// binary digit of N. If `steps_a_node` is 0, breadth-first search finds all paths.
  explicit Matching(std::uint64_t steps_a_node = 32) : steps_a_node_(steps_a_node) {}

  /// Calls paint(u, slot) for the edges of a perfect matching, and writes the other edges to `out`,
  /// degree − 1 for each node.
  template <class Paint>
  void take(const Edges<Index>& graph, const Edges<Index>& out, Paint paint) {
    graph_ = graph;
    matched_to_.assign(graph.nodes, none);
    matched_.resize(graph.nodes);
    exit_.resize(graph.nodes);
    random_.seed(1);  // the same in every run
    searched_ = 0;
    steps_ = steps_a_node_ * graph.nodes * std::bit_width(graph.nodes);
    for (std::uint64_t node = 0; node < graph.nodes; ++node) match(static_cast<Index>(node));
    for (std::uint64_t node = 0; node < graph.nodes; ++node) {
      const auto edges = graph.of(node);
      const auto matched = edges.begin() + static_cast<std::ptrdiff_t>(matched_[node]);
      paint(node, matched->slot);
      const auto rest = std::copy(edges.begin(), matched, out.of(node).begin());
      std::copy(matched + 1, edges.end(), rest);  // parallel edges stay one after another
    }
  }

  /// The number of nodes for which the walks of the last matching had no steps left.
  std::uint64_t searched() const { return searched_; }

 private:
  static constexpr Index none = std::numeric_limits<Index>::max();

  /// Fast, and good enough in its high bits (Knuth's constants).
  using Random =
      std::linear_congruential_engine<std::uint64_t, 6364136223846793005U, 1442695040888963407U, 0>;

  std::uint64_t any_place() {
    if (graph_.degree >> 32 != 0) return random_() % graph_.degree;
    return (random_() >> 32) * graph_.degree >> 32;
  }

  std::uint64_t target(std::uint64_t node) const { return graph_.of(node)[exit_[node]].target; }

  /// Matches one more left node. `exit_` has the place of the edge by which the path leaves a node.
  void match(Index start) {
    if (!walk(start)) search(start);
    for (Index node = start; node != none;) {
      matched_[node] = exit_[node];
      node = std::exchange(matched_to_[target(node)], node);
    }
  }

  /// Walks at random to a free right node, while there are steps left. `exit_` has the place of the
  /// edge by which the walk last left a node. Followed from `start`, these edges are the walk
  /// without its loops.
  bool walk(Index start) {
    for (Index node = start; node != none; node = matched_to_[target(node)]) {
      if (steps_ == 0) return false;
      --steps_;
      exit_[node] = static_cast<Index>(any_place());
    }
    return true;
  }

  /// Searches breadth first from `start` for a free right node. There is one, since the graph is
  /// regular: k left nodes have edges to at least k right nodes (Hall).
  void search(Index start) {
    ++searched_;
    from_.resize(graph_.nodes);
    by_.resize(graph_.nodes);
    seen_.assign(graph_.nodes, false);
    queue_.assign(1, start);
    for (std::size_t next = 0;; ++next) {
      assert(next < queue_.size());
      const Index node = queue_[next];
      for (std::uint64_t k = 0; k < graph_.degree; ++k) {
        const std::uint64_t right = graph_.of(node)[k].target;
        if (seen_[right]) continue;
        seen_[right] = true;
        const Index after = matched_to_[right];
        if (after == none) return leave(start, node, static_cast<Index>(k));
        from_[after] = node;
        by_[after] = static_cast<Index>(k);
        queue_.push_back(after);
      }
    }
  }

  /// The path goes from `start` to `last`, and from there along the edge at `place`.
  void leave(Index start, Index last, Index place) {
    exit_[last] = place;
    for (Index node = last; node != start; node = from_[node]) exit_[from_[node]] = by_[node];
  }

  std::uint64_t steps_a_node_;
  std::uint64_t steps_ = 0;  ///< steps left for walks
  std::uint64_t searched_ = 0;
  Random random_;
  Edges<Index> graph_{};
  std::vector<Index> exit_;        ///< by left node: the place of the edge by which it is left
  std::vector<Index> matched_;     ///< by left node: the place of its edge in the matching
  std::vector<Index> matched_to_;  ///< by right node: its partner, a left node
  std::vector<Index> from_;        ///< by left node: the node from which the search came
  std::vector<Index> by_;          ///< by left node: the place of the edge by which it came
  std::vector<bool> seen_;         ///< by right node
  std::vector<Index> queue_;       ///< left nodes that the search has reached
};

}  // namespace bankproof::detail
