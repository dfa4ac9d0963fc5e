// Edge colorings of regular bipartite multigraphs (row R4, König's theorem): the plain reference by
// matchings, the fast algorithm, and its parts. The tests check each result against the definition
// of a coloring.
#include "../../../algorithms/permutation/coloring.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../../../oracles/edge_coloring.hpp"
#include "../../../testing/canary.hpp"
#include "../../../testing/property.hpp"

namespace bankproof::testing {
namespace {

using oracle::Edge;
using Slots = bankproof::detail::Edges<std::uint32_t>;
using Slot = bankproof::detail::Edge<std::uint32_t>;
using Graph = std::vector<Edge>;

/// The bank graph of a permutation whose size is a multiple of the width (THS 4.2).
Graph bank_graph(const std::vector<std::uint64_t>& permutation, std::uint64_t width) {
  Graph graph;
  for (std::uint64_t i = 0; i < permutation.size(); ++i) {
    graph.push_back({i % width, permutation[i] % width});
  }
  return graph;
}

/// The colors that the code under test gives to the edges.
template <class Index = std::uint32_t>
std::vector<std::uint64_t> colored(const Graph& graph, std::uint64_t nodes,
                                   bool by_halving_alone = false) {
  std::vector<std::vector<std::size_t>> edges_of(nodes);
  for (std::size_t e = 0; e < graph.size(); ++e) {
    if (graph[e].left >= nodes) throw std::invalid_argument("no such node");
    edges_of[graph[e].left].push_back(e);
  }
  std::vector<Index> targets;
  for (const auto& edges : edges_of) {
    for (const std::size_t e : edges) targets.push_back(static_cast<Index>(graph[e].right));
  }
  const std::vector<Index> slots =
      color_edges(std::span<const Index>(targets), nodes, by_halving_alone);
  std::vector<std::uint64_t> colors(graph.size(), ~std::uint64_t{0});
  const std::uint64_t degree =
      std::max<std::uint64_t>(1, graph.size() / std::max<std::uint64_t>(1, nodes));
  for (std::size_t place = 0; place < slots.size(); ++place) {
    colors[edges_of[place / degree].at(slots[place])] = place % degree;
  }
  return colors;
}

TEST(EdgeColoring, colors_the_bank_graphs_of_all_permutations_of_6_by_matchings_and_fast) {
  std::vector<std::uint64_t> permutation(6);
  std::iota(permutation.begin(), permutation.end(), 0U);
  do {
    for (const std::uint64_t width : {1U, 2U, 3U, 6U}) {
      const Graph graph = bank_graph(permutation, width);
      ASSERT_TRUE(oracle::is_edge_coloring(graph, width, oracle::edge_coloring(graph, width)));
      ASSERT_TRUE(oracle::is_edge_coloring(graph, width, colored(graph, width)));
    }
  } while (std::next_permutation(permutation.begin(), permutation.end()));
}

/// A union of random perfect matchings: by König's theorem, every regular bipartite multigraph is
/// one.
Graph any_regular_graph(std::uint64_t nodes, std::uint64_t degree) {
  Graph graph;
  std::vector<std::uint64_t> matching(nodes);
  std::iota(matching.begin(), matching.end(), 0U);
  for (std::uint64_t k = 0; k < degree; ++k) {
    // Each matching equals the previous matching, except that two nodes may exchange their
    // partners.
    if (*rc::gen::inRange(0, 3) > 0) {
      const auto a = *rc::gen::inRange<std::size_t>(0, nodes);
      const auto b = *rc::gen::inRange<std::size_t>(0, nodes);
      std::swap(matching[a], matching[b]);
    }
    for (std::uint64_t node = 0; node < nodes; ++node) graph.push_back({node, matching[node]});
  }
  return graph;
}

BANKPROOF_PROPERTY(EdgeColoring, colors_every_regular_graph_by_matchings_and_fast, ()) {
  const auto nodes = *rc::gen::inRange<std::uint64_t>(1, 9);
  const auto degree = *rc::gen::inRange<std::uint64_t>(1, 7);
  const Graph graph = any_regular_graph(nodes, degree);
  RC_ASSERT(oracle::is_edge_coloring(graph, nodes, oracle::edge_coloring(graph, nodes)));
  RC_ASSERT(oracle::is_edge_coloring(graph, nodes, colored(graph, nodes)));
}

BANKPROOF_PROPERTY(EdgeColoring, colors_every_large_regular_graph, ()) {
  const auto nodes = *rc::gen::inRange<std::uint64_t>(1, 70);
  const auto degree = *rc::gen::inRange<std::uint64_t>(1, 130);
  const Graph graph = any_regular_graph(nodes, degree);
  RC_ASSERT(oracle::is_edge_coloring(graph, nodes, colored(graph, nodes)));
}

BANKPROOF_PROPERTY(EdgeColoring, by_halving_alone_colors_every_regular_graph, ()) {
  const auto nodes = *rc::gen::inRange<std::uint64_t>(1, 40);
  const auto degree = *rc::gen::inRange<std::uint64_t>(1, 100);
  const Graph graph = any_regular_graph(nodes, degree);
  RC_ASSERT(oracle::is_edge_coloring(graph, nodes, colored(graph, nodes, true)));
  RC_ASSERT(oracle::is_edge_coloring(graph, nodes, colored<std::uint8_t>(graph, nodes, true)));
}

/// One part of a split graph, as edges.
Graph part_of(const Slots& part) {
  Graph graph;
  for (std::uint64_t u = 0; u < part.nodes; ++u) {
    for (const auto& edge : part.of(u)) graph.push_back({u, edge.target});
  }
  return graph;
}

bool is_regular(const Graph& graph, std::uint64_t nodes) {
  std::vector<std::uint64_t> degrees(2 * nodes);
  for (const auto& [left, right] : graph) {
    ++degrees[left];
    ++degrees[nodes + right];
  }
  return std::ranges::all_of(degrees, [&](auto degree) { return degree == degrees[0]; });
}

/// Whether these parts together contain the slots 0, 1, … of every node.
bool have_every_edge(const std::vector<Slots>& parts, std::uint64_t nodes, std::uint64_t degree) {
  std::vector<std::set<std::uint32_t>> slots(nodes);
  for (const auto& part : parts) {
    for (std::uint64_t u = 0; u < nodes; ++u) {
      for (const auto& edge : part.of(u)) slots[u].insert(edge.slot);
    }
  }
  return std::ranges::all_of(slots, [&](const auto& of) { return of.size() == degree; });
}

/// The edges of each left node, node after node.
std::vector<Slot> slots_of(const Graph& graph, std::uint64_t nodes, std::uint64_t degree) {
  std::vector<Slot> edges(nodes * degree);
  std::vector<std::uint32_t> filled(nodes);
  for (const auto& [left, right] : graph) {
    edges[left * degree + filled[left]] = {static_cast<std::uint32_t>(right), filled[left]};
    ++filled[left];
  }
  return edges;
}

/// Whether the rest of the graph is regular and has all edges but those of the matching.
bool takes_a_matching_off(bankproof::detail::Matching<std::uint32_t>& matching, const Slots& graph,
                          const Slots& out) {
  std::vector<std::set<std::uint32_t>> slots(graph.nodes);
  const Slots rest{graph.nodes, graph.degree - 1, out.all.first(graph.nodes * (graph.degree - 1))};
  matching.take(graph, rest,
                [&](std::uint64_t node, std::uint32_t slot) { slots[node].insert(slot); });
  for (std::uint64_t u = 0; u < graph.nodes; ++u) {
    for (const auto& edge : rest.of(u)) slots[u].insert(edge.slot);
  }
  return is_regular(part_of(rest), graph.nodes) &&
         std::ranges::all_of(slots, [&](const auto& of) { return of.size() == graph.degree; });
}

BANKPROOF_PROPERTY(EdgeColoring, splits_regular_graphs_into_regular_ones, ()) {
  const auto nodes = *rc::gen::inRange<std::uint64_t>(1, 40);
  const auto degree = 2 * *rc::gen::inRange<std::uint64_t>(1, 70);
  std::vector<Slot> edges = slots_of(any_regular_graph(nodes, degree), nodes, degree);
  std::vector<Slot> scratch(edges.size());
  const Slots graph{nodes, degree, edges};
  const Slots out{nodes, degree, scratch};

  bankproof::detail::Halving().split(graph, out);
  const auto halves = std::vector{out.part(0, degree / 2), out.part(degree / 2, degree / 2)};
  for (const auto& half : halves) RC_ASSERT(is_regular(part_of(half), nodes));
  RC_ASSERT(have_every_edge(halves, nodes, degree));

  const auto groups = *rc::gen::inRange<unsigned>(
      1, static_cast<unsigned>(std::min<std::uint64_t>(64, degree)) + 1);
  bankproof::detail::Grouping<std::uint32_t> grouping;
  if (grouping.split(graph, out, groups)) {
    std::vector<Slots> parts;
    for (std::uint64_t g = 0; g < groups; ++g) {
      parts.push_back(out.part(grouping.first_of(g), grouping.degree_of(g)));
      RC_ASSERT(is_regular(part_of(parts.back()), nodes));
    }
    RC_ASSERT(have_every_edge(parts, nodes, degree));
  }

  bankproof::detail::Matching<std::uint32_t> matching;
  RC_ASSERT(takes_a_matching_off(matching, graph, out));
}

// If a walk runs out of steps, it ends, and a search handles the node where the walk began.
BANKPROOF_PROPERTY(EdgeColoring, takes_matchings_off_whatever_steps_its_walks_have, ()) {
  const auto nodes = *rc::gen::inRange<std::uint64_t>(1, 60);
  const auto degree = *rc::gen::inRange<std::uint64_t>(1, 20);
  std::vector<Slot> edges = slots_of(any_regular_graph(nodes, degree), nodes, degree);
  std::vector<Slot> scratch(edges.size());
  const Slots graph{nodes, degree, edges};
  const auto steps = *rc::gen::inRange<std::uint64_t>(0, 3);
  bankproof::detail::Matching<std::uint32_t> matching(steps);
  for (int again = 0; again < 2; ++again) {
    RC_ASSERT(takes_a_matching_off(matching, graph, {nodes, degree, scratch}));
    if (steps == 0) RC_ASSERT(matching.searched() == nodes);
  }
}

TEST(EdgeColoring, searches_if_its_walks_run_out_of_steps) {
  // Node u has edges to u, u + 1 and u + 2: a walk rarely finds the last free nodes.
  constexpr std::uint64_t nodes = 200;
  Graph ring;
  for (std::uint64_t u = 0; u < nodes; ++u) {
    for (std::uint64_t k = 0; k < 3; ++k) ring.push_back({u, (u + k) % nodes});
  }
  std::vector<Slot> edges = slots_of(ring, nodes, 3);
  std::vector<Slot> scratch(edges.size());
  const Slots graph{nodes, 3, edges};
  bankproof::detail::Matching<std::uint32_t> hurried(1);
  EXPECT_TRUE(takes_a_matching_off(hurried, graph, {nodes, 3, scratch}));
  EXPECT_GT(hurried.searched(), 0U);
  EXPECT_LT(hurried.searched(), nodes);
  bankproof::detail::Matching<std::uint32_t> patient;
  EXPECT_TRUE(takes_a_matching_off(patient, graph, {nodes, 3, scratch}));
  EXPECT_EQ(patient.searched(), 0U);
}

TEST(EdgeColoring, colors_the_widest_graphs_and_those_of_one_node) {
  for (const auto& [nodes, degree] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{
           {1024, 37}, {1, 1000}, {7, 1}, {2, 999}}) {
    Graph graph;
    for (std::uint64_t k = 0; k < degree; ++k) {
      for (std::uint64_t node = 0; node < nodes; ++node) {
        graph.push_back({node, (node * 5 + k * k) % nodes});  // 5 is prime to each number of nodes
      }
    }
    EXPECT_TRUE(oracle::is_edge_coloring(graph, nodes, colored(graph, nodes))) << nodes;
  }
}

TEST(EdgeColoring, of_no_edges_has_no_colors) {
  const std::span<const std::uint32_t> none;
  for (const bool by_halving_alone : {false, true}) {
    for (const std::uint64_t nodes : {0U, 1U, 3U}) {
      EXPECT_TRUE(color_edges(none, nodes, by_halving_alone).empty());
    }
  }
}

TEST(EdgeColoring, refuses_graphs_that_are_not_regular) {
  EXPECT_THROW(oracle::edge_coloring({{0, 0}, {0, 1}}, 2), std::runtime_error);
  EXPECT_THROW(oracle::edge_coloring({{0, 0}, {1, 0}}, 2), std::runtime_error);
  EXPECT_THROW(oracle::edge_coloring({{0, 0}}, 2), std::runtime_error);
  for (const std::vector<std::uint32_t>& targets :
       {std::vector<std::uint32_t>{0, 0}, {0, 1, 1}, {0, 2}}) {
    EXPECT_THROW(color_edges(std::span<const std::uint32_t>(targets), 2), std::invalid_argument);
  }
  const std::vector<std::uint8_t> loops(300);  // one node, with more edges than the type can number
  EXPECT_THROW(color_edges(std::span<const std::uint8_t>(loops), 1), std::invalid_argument);
  EXPECT_THROW(colored({{0, 0}}, 0), std::invalid_argument);
  EXPECT_EQ(colored({}, 0).size(), 0U);
}

TEST(Canary, colorings_with_a_color_changed_are_caught) {
  EXPECT_TRUE(caught([] {
    const auto nodes = *rc::gen::inRange<std::uint64_t>(2, 9);
    const auto degree = *rc::gen::inRange<std::uint64_t>(2, 7);
    const Graph graph = any_regular_graph(nodes, degree);
    auto colors = colored(graph, nodes);
    auto& changed = colors[*rc::gen::inRange<std::size_t>(0, colors.size())];
    changed = (changed + 1) % degree;
    RC_ASSERT(oracle::is_edge_coloring(graph, nodes, colors));
  }));
}

}  // namespace
}  // namespace bankproof::testing
