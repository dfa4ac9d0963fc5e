// Oracle for edge coloring: it colors the edges of a regular bipartite multigraph with as many
// colors as its degree (König; THS theorem 4.2.1). It follows THS 4.3: find a perfect matching by
// one augmenting path after another, paint it, remove it, and repeat.
//
// It must stay slow and plain. A matching of N nodes a side takes N searches, each search may look
// at every unpainted edge, and there is one matching for each color: O(degree · N · edges). It
// judges the fast algorithms, which use one matching for several colors, halve the graph, or swap
// two colors along a path.
//
// Example: the edges 0–0, 0–1, 1–0, 1–1 get the colors 0, 1, 1, 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

namespace bankproof::oracle {

/// An edge from a left node to a right node; each side numbers its nodes from 0.
struct Edge {
  std::uint64_t left;
  std::uint64_t right;
};

/// The degree that all nodes of both sides share. A graph that is not regular is an error.
inline std::uint64_t degree_of(const std::vector<Edge>& edges, std::uint64_t nodes) {
  if (nodes == 0 || edges.size() % nodes != 0) throw std::runtime_error("oracle: not regular");
  std::vector<std::uint64_t> left(nodes);
  std::vector<std::uint64_t> right(nodes);
  for (const Edge& edge : edges) {
    ++left.at(edge.left);
    ++right.at(edge.right);
  }
  for (std::uint64_t node = 0; node < nodes; ++node) {
    if (left[node] != edges.size() / nodes || right[node] != edges.size() / nodes) {
      throw std::runtime_error("oracle: not regular");
    }
  }
  return edges.size() / nodes;
}

/// The matched edge, by its number, of each left node and of each right node; nothing for an
/// unmatched node.
struct Matching {
  std::vector<std::optional<std::size_t>> left;
  std::vector<std::optional<std::size_t>> right;
};

/// Adds one edge to the matching, along a shortest alternating path from the unmatched left node
/// `start` to an unmatched right node. A regular graph always has such a path.
inline void augment(const std::vector<Edge>& edges, const std::vector<bool>& painted,
                    std::uint64_t start, Matching& matching) {
  std::vector<std::optional<std::size_t>> reached_by(matching.right.size());
  std::deque<std::uint64_t> waiting = {start};
  while (!waiting.empty()) {
    const std::uint64_t node = waiting.front();
    waiting.pop_front();
    for (std::size_t e = 0; e < edges.size(); ++e) {
      if (painted[e] || edges[e].left != node || reached_by[edges[e].right]) continue;
      reached_by[edges[e].right] = e;
      if (matching.right[edges[e].right]) {
        waiting.push_back(edges[*matching.right[edges[e].right]].left);
        continue;
      }
      // Flip the path: its forward edges become matched, its backward edges become free.
      std::optional<std::size_t> forward = e;
      while (forward) {
        const Edge& edge = edges[*forward];
        const std::optional<std::size_t> back = matching.left[edge.left];
        matching.left[edge.left] = matching.right[edge.right] = *forward;
        forward = back ? reached_by[edges[*back].right] : std::nullopt;
      }
      return;
    }
  }
  throw std::logic_error("oracle: a regular graph without a perfect matching");
}

/// The color of each edge, below the degree; edges that share a node have different colors.
inline std::vector<std::uint64_t> edge_coloring(const std::vector<Edge>& edges,
                                                std::uint64_t nodes) {
  const std::uint64_t degree = degree_of(edges, nodes);
  std::vector<std::uint64_t> colors(edges.size());
  std::vector<bool> painted(edges.size());
  for (std::uint64_t color = 0; color < degree; ++color) {
    Matching matching{std::vector<std::optional<std::size_t>>(nodes),
                      std::vector<std::optional<std::size_t>>(nodes)};
    for (std::uint64_t node = 0; node < nodes; ++node) augment(edges, painted, node, matching);
    for (std::uint64_t node = 0; node < nodes; ++node) {
      colors[*matching.left[node]] = color;
      painted[*matching.left[node]] = true;
    }
  }
  return colors;
}

/// Whether edges that share a node have different colors, all below the degree.
inline bool is_edge_coloring(const std::vector<Edge>& edges, std::uint64_t nodes,
                             const std::vector<std::uint64_t>& colors) {
  const std::uint64_t degree = degree_of(edges, nodes);
  std::set<std::pair<std::uint64_t, std::uint64_t>> left;
  std::set<std::pair<std::uint64_t, std::uint64_t>> right;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    if (colors.at(e) >= degree) return false;
    if (!left.emplace(edges[e].left, colors[e]).second) return false;
    if (!right.emplace(edges[e].right, colors[e]).second) return false;
  }
  return colors.size() == edges.size();
}

}  // namespace bankproof::oracle
