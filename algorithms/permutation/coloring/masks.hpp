// Edge coloring with at most 64 colors: the free colors of a node are one machine word.
//
// The left nodes are taken in turn. Each of a node's edges takes a color that is free at both ends.
// If there is no such color, an edge of the same left node gives its color away for another color
// that is free at its ends. If no edge can do that, a Kempe chain frees a color. Let x be free at
// the left node and y at the right node v. The chain goes from v along edges of colors x, y, x, …
// in turn, and swaps the colors x and y of all its edges. Then x is free at both ends. The chain
// ends, since none of its edges comes back to the left node.
//
// Chains are short for most graphs but can pass through all nodes, so their steps have a budget.
//
// Example: edges 0–0, 0–1, 1–1, 1–0: 0–0 and 0–1 take colors 0 and 1, 1–1 takes 0, 1–0 takes 1.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "edges.hpp"

namespace bankproof::detail {

inline constexpr std::uint64_t most_masked_colors = 64;

/// Colors graphs of degree up to 64, one after another.
template <class Index>
class MaskColoring {
 public:
  /// Gives the edges the colors first … first + degree − 1. Returns false if the chains would take
  /// more than three steps an edge; then no colors are written.
  bool color(const Edges<Index>& graph, const Colors<Index>& colors, std::uint64_t first) {
    begin(graph);
    std::uint64_t steps_left = 3 * graph.all.size();
    for (std::uint64_t u = 0; u < graph.nodes; ++u) {
      const std::span<const Edge<Index>> edges = graph_.of(u);
      Places& places = places_[u];
      ColorSet free = all_;
      for (std::size_t place = 0; place < edges.size(); ++place) {
        const auto k = static_cast<std::uint8_t>(place);
        const Index v = edges[k].target;
        const ColorSet common = free & free_at_target_[v];
        if (common != 0) [[likely]] {
          const unsigned x = lowest(common);
          free ^= bit(x);
          free_at_target_[v] ^= bit(x);
          source_[v][x] = static_cast<Index>(u);
          places[x] = k;
        } else if (!give_way(edges, places, k, static_cast<Index>(u), free) &&
                   !swap_chain(k, static_cast<Index>(u), v, free, steps_left)) {
          return false;
        }
      }
    }
    for (std::uint64_t u = 0; u < graph.nodes; ++u) {
      for (std::uint64_t c = 0; c < graph.degree; ++c) {
        colors(u, first + c) = graph_.of(u)[places_[u][c]].slot;
      }
    }
    return true;
  }

 private:
  using ColorSet = std::uint64_t;
  using Places = std::array<std::uint8_t, most_masked_colors>;
  static ColorSet bit(unsigned color) { return ColorSet{1} << color; }
  static unsigned lowest(ColorSet colors) {
    return static_cast<unsigned>(std::countr_zero(colors));
  }

  void begin(const Edges<Index>& graph) {
    graph_ = graph;
    all_ = graph.degree == 64 ? ~ColorSet{0} : bit(static_cast<unsigned>(graph.degree)) - 1;
    free_at_target_.assign(graph.nodes, all_);
    places_.resize(graph.nodes);
    source_.resize(graph.nodes);
  }

  /// Edge k of u takes color y from another edge of u; the other edge takes a color that is free at
  /// both its ends.
  bool give_way(std::span<const Edge<Index>> edges, Places& place, std::uint8_t k, Index u,
                ColorSet& free) {
    const Index v = edges[k].target;
    for (ColorSet wanted = free_at_target_[v]; wanted != 0; wanted &= wanted - 1) {
      const unsigned y = lowest(wanted);
      const Index w = edges[place[y]].target;
      const ColorSet common = free & free_at_target_[w];
      if (common == 0) continue;
      const unsigned x = lowest(common);
      free ^= bit(x);
      free_at_target_[w] ^= bit(x) | bit(y);
      free_at_target_[v] ^= bit(y);
      source_[w][x] = source_[v][y] = u;
      place[x] = place[y];
      place[y] = k;
      return true;
    }
    return false;
  }

  /// Two colors that change places along a chain; x is free at left node u, and y at right node v.
  /// The chain begins with v's edge of color x, which frees x at v, or with u's edge of color y,
  /// which frees y at u. It leaves `left` by an edge of color y, and comes to the next left node by
  /// an edge of color x.
  struct Chain {
    unsigned x;
    unsigned y;
    bool from_u;
    Index left;
  };

  static constexpr std::size_t most_chains = 8;

  /// Edge k from u to v takes a color that a chain frees; of a few chains, the shortest is chosen.
  bool swap_chain(std::uint8_t k, Index u, Index v, ColorSet& free, std::uint64_t& steps_left) {
    const Chain* chain = shortest_chain(u, v, free, steps_left);
    if (chain == nullptr) return false;
    const auto [x, y, from_u, left] = *chain;
    free ^= bit(x);
    free_at_target_[v] ^= bit(y);
    if (from_u) {
      swap_colors(u, x, y);
      places_[u][y] = k;
      source_[v][y] = u;
    } else {
      const Index begin = std::exchange(source_[v][x], u);
      places_[u][x] = k;
      source_[v][y] = begin;
      swap_colors(begin, x, y);
    }
    return true;
  }

  /// Follows all chains at once until one ends, so that the processor overlaps the loads of
  /// different chains.
  const Chain* shortest_chain(Index u, Index v, ColorSet free, std::uint64_t& steps_left) {
    std::size_t count = 0;
    for (ColorSet xs = free; xs != 0 && count < most_chains; xs &= xs - 1) {
      const unsigned x = lowest(xs);
      for (ColorSet ys = free_at_target_[v]; ys != 0 && count < most_chains; ys &= ys - 1) {
        const unsigned y = lowest(ys);
        chains_[count++] = {x, y, true, u};
        chains_[count++] = {x, y, false, source_[v][x]};
      }
    }
    for (; steps_left >= count; steps_left -= count) {
      for (std::size_t c = 0; c < count; ++c) {
        Chain& chain = chains_[c];
        const Index right = graph_.of(chain.left)[places_[chain.left][chain.y]].target;
        if ((free_at_target_[right] & bit(chain.x)) != 0) return &chain;
        chain.left = source_[right][chain.x];
      }
    }
    return nullptr;
  }

  /// Swaps the colors along the chain that leaves `left` by an edge of color y.
  void swap_colors(Index left, unsigned x, unsigned y) {
    for (;;) {
      std::swap(places_[left][x], places_[left][y]);
      const Index right = graph_.of(left)[places_[left][x]].target;
      const Index next = std::exchange(source_[right][x], left);
      if ((free_at_target_[right] & bit(x)) != 0) {
        free_at_target_[right] ^= bit(x) | bit(y);
        return;
      }
      source_[right][y] = next;
      left = next;
    }
  }

  Edges<Index> graph_{};
  ColorSet all_ = 0;
  std::array<Chain, most_chains> chains_;
  std::vector<ColorSet> free_at_target_;
  std::vector<Places> places_;  ///< [u][c]: the place among u's edges of the edge with color c
  /// [v][c]: the left node of v's edge with color c.
  std::vector<std::array<Index, most_masked_colors>> source_;
};

}  // namespace bankproof::detail
