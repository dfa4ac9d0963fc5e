// Colors the edges of a regular bipartite multigraph with as many colors as its degree ρ, so that
// edges that share a node differ: König's theorem (THS theorem 4.2.1). This takes O(n log ρ + N log
// N log ρ) expected time for n edges and N nodes a side, for every graph. For the graphs of usual
// plans and schedules, this is about the time of reading and writing the graph a few times.
//
// Graphs of degree at most 64 are colored with one machine word of free colors for each node
// (coloring/masks.hpp). Graphs of higher degree are split into groups of degree at most 64
// (coloring/groups.hpp). Both methods can run out of their budget. Then the graph is halved, after
// a perfect matching is taken off if the degree is odd (coloring/halving.hpp), and the failed
// method is not tried again on its parts. Halves whose degree is not a power of two are colored
// unequally, so that there are O(log ρ) matchings in all.
//
// All threads of the caller's TBB arena color the groups; the colors do not depend on the number of
// threads.
//
// Example: targets {0, 1, 0, 1} of two nodes are the edges 0–0, 0–1, 1–0, 1–1. The result {0, 1, 1,
// 0} says that color 0 has edge 0 of node 0 and edge 1 of node 1.
#pragma once

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../model/units.hpp"
#include "coloring/edges.hpp"
#include "coloring/groups.hpp"
#include "coloring/halving.hpp"
#include "coloring/masks.hpp"

namespace bankproof {

namespace detail {

/// Colors graphs, one after another.
template <class Index>
class EdgeColoring {
 public:
  /// With `by_halving_alone`, groups and masks are skipped, and graphs are only halved.
  explicit EdgeColoring(bool by_halving_alone = false) : by_halving_alone_(by_halving_alone) {}

  /// Writes slots[u·degree + c]. Destroys the edges.
  void color(std::uint64_t nodes, std::uint64_t degree, std::vector<Edge<Index>>& edges,
             std::span<Index> slots) {
    scratch_.resize(edges.size());
    colors_ = {degree, slots};
    color(Part{{nodes, degree, edges},
               {nodes, degree, scratch_},
               0,
               by_halving_alone_,
               by_halving_alone_});
  }

 private:
  struct Part {
    Edges<Index> edges;
    Edges<Index> scratch;
    std::uint64_t first;  ///< the part gets the colors first … first + degree − 1
    bool groups_failed = false;
    bool masks_failed = false;

    /// The part whose edges, `degree` for each node, were moved to the scratch from place `begin`
    /// on.
    Part moved(std::uint64_t begin, std::uint64_t degree) const {
      return {scratch.part(begin, degree), edges.part(begin, degree), first + begin, groups_failed,
              masks_failed};
    }
  };

  /// Graphs smaller than this are not worth a task.
  static constexpr std::size_t many_edges = 16384;

  void color(const Part& part) {
    const std::uint64_t degree = part.edges.degree;
    if (degree == 0) return;
    if (degree == 1) return paint(part.edges, part.first);
    const bool few = degree <= most_masked_colors;
    if (few ? part.masks_failed : part.groups_failed) return halve(part);
    if (few ? masks_.local().color(part.edges, colors_, part.first) : color_groups(part)) return;
    Part gathered = part;
    if (!part.groups_failed) {
      gather_parallel_edges(part.edges, part.scratch);
      gathered = part.moved(0, degree);
    }
    (few ? gathered.masks_failed : gathered.groups_failed) = true;
    halve(gathered);
  }

  void halve(const Part& part) {
    const std::uint64_t degree = part.edges.degree;
    if (degree % 2 == 1) return color_odd(part);
    halving_.local().split(part.edges, part.scratch);
    const Part half = part.moved(0, degree / 2);
    const Part rest = part.moved(degree / 2, degree / 2);
    if (std::has_single_bit(degree / 2)) {
      color(half);
      color(rest);
    } else {
      color_unequally(part, half, rest);
    }
  }

  /// Colors one half, and moves enough of its colors to the other half to make that half's degree a
  /// power of two (Gabow 1976). Few degrees are then odd, which saves matchings; matchings are
  /// expensive.
  void color_unequally(const Part& part, const Part& half, const Part& rest) {
    const std::uint64_t degree = half.edges.degree;
    const std::uint64_t nodes = half.edges.nodes;
    std::vector<Edge<Index>> all_of_half(half.edges.all.begin(), half.edges.all.end());
    const Edges<Index> before{nodes, degree, all_of_half};
    color(half);
    const std::uint64_t moved = std::bit_ceil(degree) - degree;
    const std::uint64_t first = half.first + degree - moved;
    const Edges<Index> grown = part.edges.part(0, degree + moved);
    std::vector<Index> target_of(colors_.degree);
    for (std::uint64_t node = 0; node < nodes; ++node) {
      for (const Edge<Index>& edge : before.of(node)) target_of[edge.slot] = edge.target;
      const auto end = std::ranges::copy(rest.edges.of(node), grown.of(node).begin()).out;
      for (std::uint64_t c = 0; c < moved; ++c) {
        const Index slot = colors_(node, first + c);
        end[static_cast<std::ptrdiff_t>(c)] = {target_of[slot], slot};
      }
    }
    const Edges<Index> gathered = part.scratch.part(0, degree + moved);
    gather_parallel_edges(grown, gathered);
    color(Part{gathered, grown, first, part.groups_failed, part.masks_failed});
  }

  bool color_groups(const Part& part) {
    const std::uint64_t wanted = ceil_div(part.edges.degree, most_masked_colors);
    Grouping<Index> grouping;
    if (!grouping.split(part.edges, part.scratch,
                        static_cast<unsigned>(std::min<std::uint64_t>(wanted, 64)))) {
      return false;
    }
    const auto color_group = [&](std::uint64_t g) {
      color(part.moved(grouping.first_of(g), grouping.degree_of(g)));
    };
    if (part.edges.all.size() >= many_edges) {
      // Isolated: while the caller waits, its thread takes no other work. The caller may hold state
      // that belongs to its thread alone.
      tbb::this_task_arena::isolate(
          [&] { tbb::parallel_for(std::uint64_t{0}, grouping.groups(), color_group); });
    } else {
      for (std::uint64_t g = 0; g < grouping.groups(); ++g) color_group(g);
    }
    return true;
  }

  /// Gives one color to edges that share no node.
  void paint(const Edges<Index>& edges, std::uint64_t color) {
    for (std::uint64_t node = 0; node < edges.nodes; ++node) {
      colors_(node, color) = edges.all[node].slot;
    }
  }

  void color_odd(const Part& part) {
    const std::uint64_t degree = part.edges.degree;
    const Edges<Index> rest{part.edges.nodes, degree - 1,
                            part.scratch.all.first(part.edges.nodes * (degree - 1))};
    matching_.local().take(part.edges, rest, [&](std::uint64_t node, Index slot) {
      colors_(node, part.first) = slot;
    });
    color(Part{rest, part.edges.part(0, degree - 1), part.first + 1, part.groups_failed,
               part.masks_failed});
  }

  bool by_halving_alone_;
  Colors<Index> colors_{};
  std::vector<Edge<Index>> scratch_;
  tbb::enumerable_thread_specific<MaskColoring<Index>> masks_;
  tbb::enumerable_thread_specific<Halving> halving_;
  tbb::enumerable_thread_specific<Matching<Index>> matching_;
};

/// Throws std::invalid_argument unless all nodes have the same number of edges.
template <class Index>
void require_regular(std::span<const Index> targets, std::uint64_t nodes) {
  const auto fail = [](const std::string& why) {
    throw std::invalid_argument("edge coloring: " + why);
  };
  if (nodes == 0 ? !targets.empty() : targets.size() % nodes != 0) fail("the graph is not regular");
  const std::uint64_t degree = nodes == 0 ? 0 : targets.size() / nodes;
  if (std::max(nodes, degree) > std::numeric_limits<Index>::max()) {
    fail("too many nodes or edges for the index type");
  }
  std::vector<std::uint64_t> degrees(nodes);
  for (const Index node : targets) {
    if (node >= nodes) fail("node " + std::to_string(node) + " does not exist");
    if (++degrees[node] > degree) fail("the graph is not regular");
  }
}

}  // namespace detail

/// Colors the graph of `nodes` nodes a side in which edge k of left node u goes to right node
/// targets[u·degree + k]. Returns, at u·degree + c, the edge k of u that has color c. The same
/// graph always gets the same colors. `by_halving_alone` skips the fast methods. Throws
/// std::invalid_argument if the graph is not regular, or if the index type cannot number the nodes
/// or a node's edges.
template <class Index>
std::vector<Index> color_edges(std::span<const Index> targets, std::uint64_t nodes,
                               bool by_halving_alone = false) {
  detail::require_regular(targets, nodes);
  const std::uint64_t degree = nodes == 0 ? 0 : targets.size() / nodes;
  std::vector<detail::Edge<Index>> edges(targets.size());
  for (std::uint64_t u = 0; u < nodes; ++u) {
    for (std::uint64_t k = 0; k < degree; ++k) {
      edges[u * degree + k] = {targets[u * degree + k], static_cast<Index>(k)};
    }
  }
  std::vector<Index> slots(targets.size());
  detail::EdgeColoring<Index>(by_halving_alone).color(nodes, degree, edges, slots);
  return slots;
}

#ifdef BANKPROOF_INSTANTIATED
extern template class detail::EdgeColoring<std::uint16_t>;  // algorithms/catalog/instances.cpp
extern template class detail::EdgeColoring<std::uint32_t>;
extern template class detail::EdgeColoring<std::uint64_t>;
#endif

}  // namespace bankproof
