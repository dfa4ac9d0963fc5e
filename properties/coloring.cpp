// Edge colorings of regular bipartite multigraphs (row R4, König's theorem): by matchings, as the
// plain reference does it, and by halving, both held against what a coloring is.
#include "../algorithms/permutation/coloring.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../oracles/edge_coloring.hpp"
#include "../testing/canary.hpp"
#include "../testing/property.hpp"

namespace bankproof::testing {
namespace {

using oracle::Edge;
using Graph = std::vector<Edge>;

/// The bank graph of a permutation whose size is a multiple of the width (THS 4.2).
Graph bank_graph(const std::vector<std::uint64_t>& permutation, std::uint64_t width) {
  Graph graph;
  for (std::uint64_t i = 0; i < permutation.size(); ++i) {
    graph.push_back({i % width, permutation[i] % width});
  }
  return graph;
}

RegularGraph<std::uint32_t> as_arrays(const Graph& graph, std::uint64_t nodes) {
  RegularGraph<std::uint32_t> result{nodes, {}, {}};
  for (const Edge& edge : graph) {
    result.left.push_back(static_cast<std::uint32_t>(edge.left));
    result.right.push_back(static_cast<std::uint32_t>(edge.right));
  }
  return result;
}

/// By halving, the code under test.
std::vector<std::uint64_t> colored(const Graph& graph, std::uint64_t nodes) {
  const auto colors = color_edges(as_arrays(graph, nodes));
  return {colors.begin(), colors.end()};
}

TEST(EdgeColoring, by_matchings_and_by_halving_colors_the_bank_graphs_of_all_permutations_of_6) {
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

/// Every regular bipartite multigraph is a union of perfect matchings, which König's theorem says.
Graph any_regular_graph(std::uint64_t nodes, std::uint64_t degree) {
  Graph graph;
  std::vector<std::uint64_t> matching(nodes);
  std::iota(matching.begin(), matching.end(), 0U);
  for (std::uint64_t k = 0; k < degree; ++k) {
    // Many equal matchings, many different ones, or near the last.
    if (*rc::gen::inRange(0, 3) > 0) {
      const auto a = *rc::gen::inRange<std::size_t>(0, nodes);
      const auto b = *rc::gen::inRange<std::size_t>(0, nodes);
      std::swap(matching[a], matching[b]);
    }
    for (std::uint64_t node = 0; node < nodes; ++node) graph.push_back({node, matching[node]});
  }
  return graph;
}

BANKPROOF_PROPERTY(EdgeColoring, by_matchings_and_by_halving_colors_every_regular_graph, ()) {
  const auto nodes = *rc::gen::inRange<std::uint64_t>(1, 9);
  const auto degree = *rc::gen::inRange<std::uint64_t>(1, 7);
  const Graph graph = any_regular_graph(nodes, degree);
  RC_ASSERT(oracle::is_edge_coloring(graph, nodes, oracle::edge_coloring(graph, nodes)));
  RC_ASSERT(oracle::is_edge_coloring(graph, nodes, colored(graph, nodes)));
}

BANKPROOF_PROPERTY(EdgeColoring, by_halving_colors_every_large_regular_graph, ()) {
  const auto nodes = *rc::gen::inRange<std::uint64_t>(1, 70);
  const auto degree = *rc::gen::inRange<std::uint64_t>(1, 130);
  const Graph graph = any_regular_graph(nodes, degree);
  RC_ASSERT(oracle::is_edge_coloring(graph, nodes, colored(graph, nodes)));
}

TEST(EdgeColoring, by_halving_colors_the_widest_graphs_and_those_of_one_node) {
  for (const auto& [nodes, degree] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{
           {1024, 37}, {1, 1000}, {7, 1}, {2, 999}}) {
    Graph graph;
    for (std::uint64_t k = 0; k < degree; ++k) {
      for (std::uint64_t node = 0; node < nodes; ++node) {
        graph.push_back({node, (node * 5 + k * k) % nodes});  // 5 is prime to all of these
      }
    }
    EXPECT_TRUE(oracle::is_edge_coloring(graph, nodes, colored(graph, nodes))) << nodes;
  }
}

TEST(EdgeColoring, refuses_graphs_that_are_not_regular) {
  EXPECT_THROW(oracle::edge_coloring({{0, 0}, {0, 1}}, 2), std::runtime_error);
  EXPECT_THROW(oracle::edge_coloring({{0, 0}, {1, 0}}, 2), std::runtime_error);
  EXPECT_THROW(oracle::edge_coloring({{0, 0}}, 2), std::runtime_error);
  for (const Graph& graph :
       {Graph{{0, 0}, {0, 1}}, Graph{{0, 0}, {1, 0}}, Graph{{0, 0}}, Graph{{0, 0}, {1, 2}}}) {
    EXPECT_THROW(colored(graph, 2), std::invalid_argument);
  }
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
