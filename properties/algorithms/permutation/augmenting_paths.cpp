// Tests augmenting paths of bipartite graphs, and how flipping them changes a matching (row R10;
// THS 4.3, figures 4.4 and 4.5). The search of the plain coloring flips exactly one augmenting
// path, and the resulting matching has one more edge. A matching without an augmenting path is the
// largest.
//
// Example: edges 0–0, 0–1 and 1–0, of which 0–0 is matched. The path 1–0, 0–0, 0–1 has two free
// edges and a matched edge; flipping it matches 1–0 and 0–1.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <vector>

#include "../../../oracles/edge_coloring.hpp"
#include "../../../testing/canary.hpp"
#include "../../../testing/property.hpp"
#include "../../../testing/tasks.hpp"

namespace bankproof::testing {
namespace {

using oracle::Edge;
using oracle::Matching;
using EdgeNumbers = std::set<std::size_t>;

struct BipartiteGraph {
  std::uint64_t nodes;  ///< on each side
  std::vector<Edge> edges;
};

/// The edges of a matching, read from its left nodes.
EdgeNumbers edges_of(const Matching& matching) {
  EdgeNumbers edges;
  for (const auto& edge : matching.left) {
    if (edge) edges.insert(*edge);
  }
  return edges;
}

Matching matching_of(const BipartiteGraph& graph, const EdgeNumbers& edges) {
  Matching matching{std::vector<std::optional<std::size_t>>(graph.nodes),
                    std::vector<std::optional<std::size_t>>(graph.nodes)};
  for (const std::size_t edge : edges) {
    matching.left[graph.edges[edge].left] = edge;
    matching.right[graph.edges[edge].right] = edge;
  }
  return matching;
}

/// The number of these edges at each node; the left nodes come first, then the right nodes.
std::map<std::uint64_t, int> degrees(const BipartiteGraph& graph, const EdgeNumbers& edges) {
  std::map<std::uint64_t, int> of_node;
  for (const std::size_t edge : edges) {
    ++of_node[graph.edges[edge].left];
    ++of_node[graph.nodes + graph.edges[edge].right];
  }
  return of_node;
}

bool is_matching(const BipartiteGraph& graph, const EdgeNumbers& edges) {
  return std::ranges::all_of(degrees(graph, edges),
                             [](const auto& node) { return node.second < 2; });
}

/// Whether these edges form an augmenting path of the matching M: every second edge is in M, and
/// the ends have no edge of M. The code checks that two nodes have one edge of the path, that all
/// other nodes of the path have two edges, one of them in M, and that all edges are reachable from
/// one end.
bool is_augmenting_path(const BipartiteGraph& graph, const EdgeNumbers& path,
                        const EdgeNumbers& m) {
  EdgeNumbers matched;
  std::ranges::set_intersection(path, m, std::inserter(matched, matched.end()));
  auto of_path = degrees(graph, path);
  auto of_matched = degrees(graph, matched);
  auto of_m = degrees(graph, m);
  std::vector<std::uint64_t> ends;
  for (const auto& [node, degree] : of_path) {
    if (degree == 1) ends.push_back(node);
    if (degree > 2 || of_matched[node] != degree - 1) return false;
    if (degree == 1 && of_m[node] != 0) return false;
  }
  if (ends.size() != 2) return false;
  std::set<std::uint64_t> reached = {ends[0]};
  for (std::size_t step = 0; step < path.size(); ++step) {
    for (const std::size_t edge : path) {
      const std::uint64_t left = graph.edges[edge].left;
      const std::uint64_t right = graph.nodes + graph.edges[edge].right;
      if (reached.contains(left) || reached.contains(right)) reached.insert({left, right});
    }
  }
  return reached.size() == of_path.size();
}

EdgeNumbers difference(const EdgeNumbers& one, const EdgeNumbers& other) {
  EdgeNumbers edges;
  std::ranges::set_symmetric_difference(one, other, std::inserter(edges, edges.end()));
  return edges;
}

/// Searches from each free left node. Returns the matching after the first path found, or nothing.
std::optional<EdgeNumbers> augmented(const BipartiteGraph& graph, const EdgeNumbers& m) {
  for (std::uint64_t node = 0; node < graph.nodes; ++node) {
    Matching matching = matching_of(graph, m);
    if (matching.left[node]) continue;
    try {
      oracle::augment(graph.edges, std::vector<bool>(graph.edges.size()), node, matching);
      return edges_of(matching);
    } catch (const std::logic_error&) {  // no path from this node
    }
  }
  return std::nullopt;
}

/// The largest number of edges that share no node; tries to omit or take each edge.
std::size_t most_matched(const BipartiteGraph& graph, EdgeNumbers m = {}, std::size_t from = 0) {
  if (from == graph.edges.size()) return m.size();
  const std::size_t without = most_matched(graph, m, from + 1);
  m.insert(from);
  return is_matching(graph, m) ? std::max(without, most_matched(graph, m, from + 1)) : without;
}

/// Checks that flipping the path of figure 4.4 gives the matching of figure 4.5.
void flipping_is_that_of_figure_4_5(const BipartiteGraph& graph, const EdgeNumbers& before,
                                    const EdgeNumbers& after) {
  const EdgeNumbers path = difference(before, after);
  RC_ASSERT(is_augmenting_path(graph, path, before));
  EdgeNumbers matched;
  std::ranges::set_intersection(path, before, std::inserter(matched, matched.end()));
  RC_ASSERT(path.size() - matched.size() == matched.size() + 1);
  RC_ASSERT(is_matching(graph, after));
  RC_ASSERT(after.size() == before.size() + 1);
}

/// A graph with few edges or many, which may repeat.
BipartiteGraph any_graph() {
  BipartiteGraph graph{any(1, 6), {}};
  for (std::uint64_t edges = any(0, 13); edges > 0; --edges) {
    graph.edges.push_back({any(0, graph.nodes - 1), any(0, graph.nodes - 1)});
  }
  return graph;
}

/// Tries edges in random order; takes an edge that shares no node with those taken before.
EdgeNumbers any_matching(const BipartiteGraph& graph) {
  EdgeNumbers matching;
  for (std::size_t tried = 0; tried < graph.edges.size(); ++tried) {
    EdgeNumbers more = matching;
    more.insert(any(std::size_t{0}, graph.edges.size() - 1));
    if (is_matching(graph, more)) matching = more;
  }
  return matching;
}

TEST(AugmentingPaths, of_three_edges_leave_two_matched) {
  const BipartiteGraph graph{2, {{0, 0}, {0, 1}, {1, 0}}};
  EXPECT_EQ(augmented(graph, {0}), (EdgeNumbers{1, 2}));
  EXPECT_TRUE(is_augmenting_path(graph, {0, 1, 2}, {0}));
  EXPECT_FALSE(is_augmenting_path(graph, {0, 1}, {0}));     // ends at a matched node
  EXPECT_FALSE(is_augmenting_path(graph, {0, 1, 2}, {}));   // does not alternate
  EXPECT_FALSE(is_augmenting_path(graph, {0, 1, 2}, {1}));  // begins with a matched edge
}

BANKPROOF_PROPERTY(AugmentingPaths, flipped_as_in_THS_figures_4_4_and_4_5_match_an_edge_more, ()) {
  const BipartiteGraph graph = any_graph();
  EdgeNumbers m = any_matching(graph);
  while (const auto larger = augmented(graph, m)) {
    flipping_is_that_of_figure_4_5(graph, m, *larger);
    m = *larger;
  }
  RC_ASSERT(m.size() == most_matched(graph));
}

TEST(AugmentingPaths, are_missing_just_where_a_matching_is_largest_in_all_graphs_of_3_by_3) {
  for (unsigned bits = 0; bits < 512; ++bits) {
    BipartiteGraph graph{3, {}};
    for (unsigned edge = 0; edge < 9; ++edge) {
      if ((bits >> edge & 1U) != 0) graph.edges.push_back({edge / 3, edge % 3});
    }
    const std::size_t most = most_matched(graph);
    for (unsigned some = 0; some < 1U << graph.edges.size(); ++some) {
      EdgeNumbers m;
      for (std::size_t edge = 0; edge < graph.edges.size(); ++edge) {
        if ((some >> edge & 1U) != 0) m.insert(edge);
      }
      if (!is_matching(graph, m)) continue;
      ASSERT_EQ(augmented(graph, m).has_value(), m.size() < most) << bits << ' ' << some;
    }
  }
}

TEST(Canary, flipping_that_forgets_an_edge_of_the_path_is_caught) {
  EXPECT_TRUE(caught([] {
    const BipartiteGraph graph = any_graph();
    const EdgeNumbers m = any_matching(graph);
    auto larger = augmented(graph, m);
    if (!larger) return;
    const EdgeNumbers path = difference(m, *larger);
    const std::size_t forgotten = *path.begin();
    if (!larger->erase(forgotten)) larger->insert(forgotten);
    flipping_is_that_of_figure_4_5(graph, m, *larger);
  }));
}

TEST(Canary, edges_beside_the_path_that_are_matched_too_are_caught) {
  EXPECT_TRUE(caught([] {  // two paths at once add two edges
    const BipartiteGraph graph = any_graph();
    const EdgeNumbers m = any_matching(graph);
    const auto larger = augmented(graph, m);
    const auto largest = larger ? augmented(graph, *larger) : std::nullopt;
    if (largest) flipping_is_that_of_figure_4_5(graph, m, *largest);
  }));
}

}  // namespace
}  // namespace bankproof::testing
