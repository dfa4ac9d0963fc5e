// Edge colorings of regular bipartite multigraphs (row R4, König's theorem): the plain reference
// colors every graph of the small world and random ones beyond.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
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

TEST(EdgeColoring, by_matchings_colors_the_bank_graphs_of_all_permutations_of_6) {
  std::vector<std::uint64_t> permutation(6);
  std::iota(permutation.begin(), permutation.end(), 0U);
  do {
    for (const std::uint64_t width : {1U, 2U, 3U, 6U}) {
      const Graph graph = bank_graph(permutation, width);
      ASSERT_TRUE(oracle::is_edge_coloring(graph, width, oracle::edge_coloring(graph, width)));
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

BANKPROOF_PROPERTY(EdgeColoring, by_matchings_colors_every_regular_graph, ()) {
  const auto nodes = *rc::gen::inRange<std::uint64_t>(1, 9);
  const auto degree = *rc::gen::inRange<std::uint64_t>(1, 7);
  const Graph graph = any_regular_graph(nodes, degree);
  RC_ASSERT(oracle::is_edge_coloring(graph, nodes, oracle::edge_coloring(graph, nodes)));
}

TEST(EdgeColoring, refuses_graphs_that_are_not_regular) {
  EXPECT_THROW(oracle::edge_coloring({{0, 0}, {0, 1}}, 2), std::runtime_error);
  EXPECT_THROW(oracle::edge_coloring({{0, 0}, {1, 0}}, 2), std::runtime_error);
  EXPECT_THROW(oracle::edge_coloring({{0, 0}}, 2), std::runtime_error);
}

TEST(Canary, colorings_with_a_color_changed_are_caught) {
  EXPECT_TRUE(caught([] {
    const auto nodes = *rc::gen::inRange<std::uint64_t>(2, 9);
    const auto degree = *rc::gen::inRange<std::uint64_t>(2, 7);
    const Graph graph = any_regular_graph(nodes, degree);
    auto colors = oracle::edge_coloring(graph, nodes);
    auto& changed = colors[*rc::gen::inRange<std::size_t>(0, colors.size())];
    changed = (changed + 1) % degree;
    RC_ASSERT(oracle::is_edge_coloring(graph, nodes, colors));
  }));
}

}  // namespace
}  // namespace bankproof::testing
