// A regular bipartite multigraph, stored by left nodes. Each node of either side has `degree`
// edges. A part of a graph that is being colored has the same form; each of its edges keeps its
// number in the whole graph.
#pragma once

#include <cstdint>
#include <span>

namespace bankproof::detail {

/// An edge at its left node: the right node it goes to, and which of the left node's edges it is.
template <class Index>
struct Edge {
  Index target;
  Index slot;
};

/// The edges of left node u are at u·degree, u·degree + 1, …
template <class Index>
struct Edges {
  std::uint64_t nodes;
  std::uint64_t degree;
  std::span<Edge<Index>> all;

  std::span<Edge<Index>> of(std::uint64_t node) const { return all.subspan(node * degree, degree); }

  /// The graph with `wanted` edges a node that is stored from place `first`·nodes on.
  Edges part(std::uint64_t first, std::uint64_t wanted) const {
    return {nodes, wanted, all.subspan(first * nodes, wanted * nodes)};
  }
};

/// The array that gets the colors of a graph: slots[u·degree + c] is the edge of u that has color
/// c.
template <class Index>
struct Colors {
  std::uint64_t degree;
  std::span<Index> slots;

  Index& operator()(std::uint64_t node, std::uint64_t color) const {
    return slots[node * degree + color];
  }
};

}  // namespace bankproof::detail
