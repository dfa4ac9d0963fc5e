// Colors the edges of a regular bipartite multigraph with as many colors as its degree ρ, so that
// edges which share a node differ: König's theorem (THS theorem 4.2.1), in O(n log ρ) expected time
// for n edges, whatever the graph.
//
// Even degree: pair up the edges at every node. Each edge then has one partner at its left node and
// one at its right node; following left and right partners in turn goes round cycles of even
// length, and taking every second edge of each leaves half of the edges at every node. So the graph
// falls into two regular ones of half the degree.
//
// Odd degree: a regular graph has a perfect matching, which is one color and leaves an even degree.
// To match one more left node, walk at random: from a left node along any of its edges, from a
// matched right node back to its partner, until a right node is free; then flip the path, which is
// the walk without its loops. For N nodes a side all walks together take O(N log N) expected steps,
// whatever the degree (Goel, Kapralov and Khanna 2013).
//
// Example: the edges 0–0, 0–1, 1–0, 1–1 of degree 2 fall into {0–0, 1–1} and {0–1, 1–0}.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace bankproof {

/// A regular bipartite multigraph: edge e joins left[e] with right[e], both below `nodes`.
template <class Index>
struct RegularGraph {
  std::uint64_t nodes = 0;
  std::vector<Index> left;
  std::vector<Index> right;

  std::uint64_t degree() const { return nodes == 0 ? 0 : left.size() / nodes; }
};

namespace detail {

/// Colors one graph. `Index` numbers edges; fewer than its largest value.
template <class Index>
class EdgeColoring {
 public:
  explicit EdgeColoring(const RegularGraph<Index>& graph)
      : graph_(graph),
        edges_(graph.left.size()),
        colors_(graph.left.size()),
        left_partner_(graph.left.size()),
        right_partner_(graph.left.size()),
        in_first_(graph.left.size()) {
    std::iota(edges_.begin(), edges_.end(), Index{0});
  }

  std::vector<Index> colors() && {
    color(edges_, graph_.degree(), 0);
    return std::move(colors_);
  }

 private:
  static constexpr Index none = std::numeric_limits<Index>::max();

  /// Colors these edges, which are a regular graph of this degree, with `first` and those that
  /// follow. Reorders them.
  void color(std::span<Index> edges, std::uint64_t degree, std::uint64_t first) {
    if (degree == 0) return;
    if (degree % 2 == 1) {
      edges = edges.subspan(paint_matching(edges, degree, first));
      --degree;
      ++first;
    }
    if (degree == 0) return;
    const auto [half, rest] = split(edges);
    color(half, degree / 2, first);
    color(rest, degree / 2, first + degree / 2);
  }

  struct Halves {
    std::span<Index> half;
    std::span<Index> rest;
  };

  /// Two regular graphs of half the degree, which is even.
  Halves split(std::span<Index> edges) {
    pair_up(edges, graph_.left, left_partner_);
    pair_up(edges, graph_.right, right_partner_);
    constexpr std::uint8_t unknown = 2;
    for (const Index edge : edges) in_first_[edge] = unknown;
    for (const Index start : edges) {
      if (in_first_[start] != unknown) continue;
      for (Index edge = start;;) {
        in_first_[edge] = 1;
        const Index other = left_partner_[edge];
        in_first_[other] = 0;
        edge = right_partner_[other];
        if (edge == start) break;
      }
    }
    const auto rest = std::partition(edges.begin(), edges.end(),
                                     [&](Index edge) { return in_first_[edge] == 1; });
    const auto size = static_cast<std::size_t>(rest - edges.begin());
    return {edges.first(size), edges.subspan(size)};
  }

  /// Partners the edges at each node; every node has an even number of them.
  void pair_up(std::span<const Index> edges, const std::vector<Index>& node_of,
               std::vector<Index>& partner) {
    waiting_.assign(graph_.nodes, none);
    for (const Index edge : edges) {
      Index& waiting = waiting_[node_of[edge]];
      if (waiting == none) {
        waiting = edge;
      } else {
        partner[edge] = waiting;
        partner[waiting] = edge;
        waiting = none;
      }
    }
  }

  /// Paints a perfect matching, moves its edges to the front, and returns how many they are.
  std::size_t paint_matching(std::span<Index> edges, std::uint64_t degree, std::uint64_t color) {
    by_left_.resize(edges.size());
    filled_.assign(graph_.nodes, 0);
    for (const Index edge : edges) {
      const Index node = graph_.left[edge];
      by_left_[node * degree + filled_[node]++] = edge;
    }
    matched_.assign(graph_.nodes, none);
    partner_of_right_.assign(graph_.nodes, none);
    exit_.resize(graph_.nodes);
    for (std::uint64_t node = 0; node < graph_.nodes; ++node) match(node, degree);
    const auto is_matched = [&](Index edge) { return matched_[graph_.left[edge]] == edge; };
    const auto rest = std::partition(edges.begin(), edges.end(), is_matched);
    for (auto edge = edges.begin(); edge != rest; ++edge) {
      colors_[*edge] = static_cast<Index>(color);
    }
    return static_cast<std::size_t>(rest - edges.begin());
  }

  /// Matches one more left node. `exit_` has the edge by which the walk left a node last: followed
  /// from `start`, they are the walk without its loops.
  void match(std::uint64_t start, std::uint64_t degree) {
    std::uniform_int_distribution<std::uint64_t> any(0, degree - 1);
    for (std::uint64_t node = start;;) {
      const Index edge = by_left_[node * degree + any(random_)];
      exit_[node] = edge;
      const Index partner = partner_of_right_[graph_.right[edge]];
      if (partner == none) break;
      node = partner;
    }
    for (std::uint64_t node = start;;) {
      const Index edge = exit_[node];
      const Index before =
          std::exchange(partner_of_right_[graph_.right[edge]], static_cast<Index>(node));
      matched_[node] = edge;
      if (before == none) break;
      node = before;
    }
  }

  const RegularGraph<Index>& graph_;
  std::vector<Index> edges_;  ///< in an order in which each part of the graph is a range
  std::vector<Index> colors_;
  std::vector<Index> left_partner_;   ///< by edge
  std::vector<Index> right_partner_;  ///< by edge
  std::vector<std::uint8_t> in_first_;
  std::vector<Index> waiting_;           ///< by node
  std::vector<Index> by_left_;           ///< edges, `degree` for each left node
  std::vector<std::uint64_t> filled_;    ///< by left node
  std::vector<Index> matched_;           ///< edge, by left node
  std::vector<Index> partner_of_right_;  ///< left node, by right node
  std::vector<Index> exit_;              ///< edge, by left node
  std::mt19937_64 random_{1};            ///< the same colors in every run
};

/// Throws std::invalid_argument unless all nodes have the same number of edges.
template <class Index>
void require_regular(const RegularGraph<Index>& graph) {
  const auto fail = [](const std::string& why) {
    throw std::invalid_argument("edge coloring: " + why);
  };
  const std::uint64_t n = graph.left.size();
  if (graph.right.size() != n) fail("as many left as right ends are needed");
  if (n >= std::numeric_limits<Index>::max()) fail("too many edges for the index type");
  if (graph.nodes == 0 ? n != 0 : n % graph.nodes != 0) fail("the graph is not regular");
  for (const auto* ends : {&graph.left, &graph.right}) {
    std::vector<std::uint64_t> degrees(graph.nodes);
    for (const Index node : *ends) {
      if (node >= graph.nodes) fail("node " + std::to_string(node) + " does not exist");
      if (++degrees[node] > graph.degree()) fail("the graph is not regular");
    }
  }
}

}  // namespace detail

/// The color of each edge, below the degree; edges that share a node have different colors. The
/// same for the same graph. A graph that is not regular is std::invalid_argument.
template <class Index>
std::vector<Index> color_edges(const RegularGraph<Index>& graph) {
  detail::require_regular(graph);
  return detail::EdgeColoring<Index>(graph).colors();
}

}  // namespace bankproof
