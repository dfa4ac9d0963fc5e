// Tests each fast algorithm of edge coloring alone (row R4). The algorithms must split a graph of
// many neighbors into groups, and color it with words of free colors, without falling back to a
// slower algorithm. The tests also check the result of an algorithm whose budget runs out. The
// colors alone would not show a fast algorithm that always gives up: its colors would still be
// right.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "../../../algorithms/permutation/coloring.hpp"
#include "../../../algorithms/permutation/coloring/groups.hpp"
#include "../../../algorithms/permutation/coloring/halving.hpp"
#include "../../../algorithms/permutation/coloring/masks.hpp"
#include "../../../oracles/edge_coloring.hpp"
#include "../../../testing/property.hpp"

namespace bankproof::testing {
namespace {

using Index = std::uint32_t;
using Adjacency = std::vector<bankproof::detail::Edge<Index>>;
using Adjacent = bankproof::detail::Edges<Index>;

/// A union of uniformly drawn matchings: with many nodes, a node has nearly as many neighbors as
/// edges.
Adjacency many_neighbors(std::uint64_t nodes, std::uint64_t degree, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Index> matching(nodes);
  std::iota(matching.begin(), matching.end(), 0U);
  Adjacency edges(nodes * degree);
  for (std::uint64_t k = 0; k < degree; ++k) {
    std::shuffle(matching.begin(), matching.end(), random);
    for (std::uint64_t u = 0; u < nodes; ++u) {
      edges[u * degree + k] = {matching[u], static_cast<Index>(k)};
    }
  }
  return edges;
}

/// Each node has two neighbors, one by each of two matchings. Half of its edges go to either
/// neighbor, in random order. Chains of two colors, and searches, then pass through most nodes.
Adjacency two_neighbors(std::uint64_t nodes, std::uint64_t degree) {
  std::mt19937_64 random(7);
  const Adjacency neighbors = many_neighbors(nodes, 2, 7);
  Adjacency edges(nodes * degree);
  for (std::uint64_t u = 0; u < nodes; ++u) {
    const auto first = edges.begin() + static_cast<std::ptrdiff_t>(u * degree);
    for (std::uint64_t k = 0; k < degree; ++k) {
      const std::uint64_t neighbor = 2 * k < degree ? 0 : 1;
      first[static_cast<std::ptrdiff_t>(k)] = {neighbors[2 * u + neighbor].target, 0};
    }
    std::shuffle(first, first + static_cast<std::ptrdiff_t>(degree), random);
    for (std::uint64_t k = 0; k < degree; ++k) {
      first[static_cast<std::ptrdiff_t>(k)].slot = static_cast<Index>(k);
    }
  }
  return edges;
}

/// The number of edges of each right node.
std::vector<std::uint64_t> right_degrees(const Adjacent& graph) {
  std::vector<std::uint64_t> degrees(graph.nodes);
  for (const auto& edge : graph.all) ++degrees.at(edge.target);
  return degrees;
}

/// The edges of a node as sorted pairs.
std::vector<std::pair<Index, Index>> sorted(const std::vector<Adjacent>& parts, std::uint64_t u) {
  std::vector<std::pair<Index, Index>> edges;
  for (const Adjacent& part : parts) {
    for (const auto& edge : part.of(u)) edges.emplace_back(edge.slot, edge.target);
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

BANKPROOF_PROPERTY(EdgeColoring, splits_graphs_of_many_neighbors_into_nearly_equal_groups, ()) {
  const auto nodes = *rc::gen::inRange<std::uint64_t>(24, 80);
  // Groups have degree 5 or more: with smaller groups the search sometimes gives up.
  const auto groups = *rc::gen::element(1U, 2U, 3U, 5U, 16U, 63U, 64U);
  const auto degree = *rc::gen::inRange<std::uint64_t>(groups > 16 ? 320 : 80, 400);
  Adjacency edges = many_neighbors(nodes, degree, *rc::gen::arbitrary<std::uint64_t>());
  Adjacency split(edges.size());
  const Adjacent graph{nodes, degree, edges};
  const Adjacent out{nodes, degree, split};
  bankproof::detail::Grouping<Index> grouping;
  RC_ASSERT(grouping.split(graph, out, groups));
  RC_ASSERT(grouping.groups() == groups);
  std::vector<Adjacent> parts;
  std::uint64_t first = 0;
  for (std::uint64_t g = 0; g < groups; ++g) {
    const std::uint64_t wanted = grouping.degree_of(g);
    RC_ASSERT(wanted == degree / groups || wanted == degree / groups + 1);
    RC_ASSERT(grouping.first_of(g) == first);
    parts.push_back(out.part(first, wanted));
    for (const std::uint64_t found : right_degrees(parts.back())) RC_ASSERT(found == wanted);
    first += wanted;
  }
  RC_ASSERT(first == degree);
  for (std::uint64_t u = 0; u < nodes; ++u) RC_ASSERT(sorted(parts, u) == sorted({graph}, u));
}

// The first node has the edges 0–0, 0–1, 0–2, ….
TEST(EdgeColoring, gives_edges_to_two_groups_in_turn) {
  constexpr std::uint64_t nodes = 128;
  Adjacency edges(nodes * nodes);
  for (std::uint64_t u = 0; u < nodes; ++u) {
    for (std::uint64_t k = 0; k < nodes; ++k) {
      edges[u * nodes + k] = {static_cast<Index>((u + k) % nodes), static_cast<Index>(k)};
    }
  }
  Adjacency split(edges.size());
  const Adjacent out{nodes, nodes, split};
  bankproof::detail::Grouping<Index> grouping;
  ASSERT_TRUE(grouping.split({nodes, nodes, edges}, out, 2));
  for (std::uint64_t group = 0; group < 2; ++group) {
    const auto of_first_node = out.part(grouping.first_of(group), grouping.degree_of(group)).of(0);
    ASSERT_EQ(of_first_node.size(), 64U);
    for (std::uint64_t k = 0; k < 64; ++k) {
      EXPECT_EQ(of_first_node[k].slot, 2 * k + group);
      EXPECT_EQ(of_first_node[k].target, 2 * k + group);
    }
  }
}

// With groups of two or three edges, the last nodes find no room unless earlier nodes exchange
// edges.
TEST(EdgeColoring, splits_graphs_into_groups_of_few_edges_by_exchanges) {
  using Shape = std::array<std::uint64_t, 3>;
  for (const auto& [nodes, degree, groups] :
       {Shape{24, 24, 16}, {24, 16, 8}, {40, 24, 16}, {40, 64, 32}}) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      Adjacency edges = many_neighbors(nodes, degree, seed);
      Adjacency split(edges.size());
      const Adjacent graph{nodes, degree, edges};
      const Adjacent out{nodes, degree, split};
      bankproof::detail::Grouping<Index> grouping;
      ASSERT_TRUE(grouping.split(graph, out, static_cast<unsigned>(groups)))
          << nodes << ' ' << seed;
      std::vector<Adjacent> parts;
      for (std::uint64_t g = 0; g < groups; ++g) {
        const std::uint64_t wanted = grouping.degree_of(g);
        parts.push_back(out.part(grouping.first_of(g), wanted));
        ASSERT_EQ(right_degrees(parts.back()), std::vector<std::uint64_t>(nodes, wanted));
      }
      for (std::uint64_t u = 0; u < nodes; ++u) ASSERT_EQ(sorted(parts, u), sorted({graph}, u));
    }
  }
}

/// The colors of the graph: for each node and color, which of the node's edges has the color.
std::vector<Index> colors_of(const Adjacent& graph) {
  std::vector<Index> targets;
  for (const auto& edge : graph.all) targets.push_back(edge.target);
  return color_edges(std::span<const Index>(targets), graph.nodes);
}

// The coloring makes at most 64 groups, and colors each group as a separate graph. There are many
// edges, so several threads share the work.
TEST(EdgeColoring, colors_64_groups_if_there_are_more_than_64_times_64_colors) {
  constexpr std::uint64_t nodes = 24;
  constexpr std::uint64_t degree = 4200;
  Adjacency edges = many_neighbors(nodes, degree, 3);
  Adjacency split(edges.size());
  const Adjacent graph{nodes, degree, edges};
  const Adjacent out{nodes, degree, split};
  bankproof::detail::Grouping<Index> grouping;
  ASSERT_TRUE(grouping.split(graph, out, 64));
  std::vector<Index> expected(edges.size());
  for (std::uint64_t g = 0; g < 64; ++g) {
    const std::uint64_t first = grouping.first_of(g);
    const Adjacent part = out.part(first, grouping.degree_of(g));
    const std::vector<Index> colors = colors_of(part);
    for (std::uint64_t u = 0; u < nodes; ++u) {
      for (std::uint64_t c = 0; c < part.degree; ++c) {
        expected[u * degree + first + c] = part.of(u)[colors[u * part.degree + c]].slot;
      }
    }
  }
  EXPECT_EQ(colors_of(graph), expected);
}

BANKPROOF_PROPERTY(EdgeColoring, by_words_of_free_colors_colors_graphs_of_many_neighbors, ()) {
  const auto nodes = *rc::gen::inRange<std::uint64_t>(1, 80);
  const auto degree = *rc::gen::oneOf(rc::gen::inRange<std::uint64_t>(1, 65),
                                      rc::gen::element<std::uint64_t>(1, 63, 64));
  const auto before = *rc::gen::inRange<std::uint64_t>(0, 3);  // colors that other edges use
  const auto after = *rc::gen::inRange<std::uint64_t>(0, 3);
  Adjacency edges = many_neighbors(nodes, degree, *rc::gen::arbitrary<std::uint64_t>());
  const std::uint64_t colors = before + degree + after;
  constexpr Index untouched = 1000;
  std::vector<Index> slots(nodes * colors, untouched);
  RC_ASSERT(bankproof::detail::MaskColoring<Index>().color({nodes, degree, edges}, {colors, slots},
                                                           before));
  std::vector<oracle::Edge> graph;
  std::vector<std::uint64_t> color_of;
  for (std::uint64_t u = 0; u < nodes; ++u) {
    for (std::uint64_t c = 0; c < colors; ++c) {
      const Index slot = slots[u * colors + c];
      RC_ASSERT((slot == untouched) == (c < before || c >= before + degree));
      if (slot == untouched) continue;
      graph.push_back({u, edges.at(u * degree + slot).target});
      color_of.push_back(c - before);
    }
  }
  RC_ASSERT(oracle::is_edge_coloring(graph, nodes, color_of));
}

TEST(EdgeColoring, by_words_of_free_colors_gives_up_on_two_neighbors_and_writes_nothing) {
  for (const std::uint64_t degree : {20U, 60U, 64U}) {
    Adjacency edges = two_neighbors(2000, degree);
    const std::vector<Index> untouched(edges.size(), 1000);
    std::vector<Index> slots = untouched;
    EXPECT_FALSE(
        bankproof::detail::MaskColoring<Index>().color({2000, degree, edges}, {degree, slots}, 0));
    EXPECT_EQ(slots, untouched);
  }
}

// Chains pass through most nodes here, too, but in three steps per edge they reach their ends.
TEST(EdgeColoring, by_words_of_free_colors_follows_the_chains_of_small_graphs_of_two_neighbors) {
  for (const std::uint64_t degree : {48U, 64U}) {
    Adjacency edges = two_neighbors(80, degree);
    std::vector<Index> slots(edges.size());
    EXPECT_TRUE(
        bankproof::detail::MaskColoring<Index>().color({80, degree, edges}, {degree, slots}, 0));
  }
}

TEST(EdgeColoring, by_words_of_free_colors_forgets_the_previous_graph) {
  const auto colored_after = [](bankproof::detail::MaskColoring<Index>& coloring,
                                std::uint64_t nodes, std::uint64_t degree) {
    Adjacency edges = many_neighbors(nodes, degree, degree);
    std::vector<Index> slots(edges.size());
    EXPECT_TRUE(coloring.color({nodes, degree, edges}, {degree, slots}, 0));
    return slots;
  };
  bankproof::detail::MaskColoring<Index> used;
  for (const std::uint64_t degree : {64U, 33U, 3U, 1U, 40U}) {
    bankproof::detail::MaskColoring<Index> fresh;
    EXPECT_EQ(colored_after(used, degree + 5, degree), colored_after(fresh, degree + 5, degree));
  }
}

TEST(EdgeColoring, is_not_split_into_groups_where_two_neighbors_take_all_edges) {
  for (const std::uint64_t degree : {66U, 200U, 999U}) {
    Adjacency edges = two_neighbors(64, degree);
    const Adjacency before = edges;
    Adjacency split(edges.size());
    bankproof::detail::Grouping<Index> grouping;
    EXPECT_FALSE(grouping.split({64, degree, edges}, {64, degree, split}, 16));
    for (std::size_t i = 0; i < edges.size(); ++i) {
      ASSERT_EQ(edges[i].target, before[i].target);
      ASSERT_EQ(edges[i].slot, before[i].slot);
    }
  }
}

/// Whether the slots color the graph with exactly as many colors as the graph's degree.
template <class Slot>
bool is_coloring(const Adjacency& edges, std::uint64_t nodes, const std::vector<Slot>& slots) {
  const std::uint64_t degree = edges.size() / nodes;
  std::vector<oracle::Edge> graph;
  std::vector<std::uint64_t> color_of;
  for (std::size_t place = 0; place < slots.size(); ++place) {
    const std::uint64_t u = place / degree;
    graph.push_back({u, edges.at(u * degree + slots[place]).target});
    color_of.push_back(place % degree);
  }
  return oracle::is_edge_coloring(graph, nodes, color_of);
}

// The fast algorithms give up on all of these graphs. While the coloring splits the last graph, its
// parts have degrees that are not powers of two, and odd degrees.
TEST(EdgeColoring, colors_graphs_on_which_its_fast_algorithms_give_up) {
  for (const auto& [nodes, degree] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{
           {2000, 20}, {2000, 60}, {2000, 61}, {64, 200}, {64, 999}, {2000, 150}, {2000, 77}}) {
    const Adjacency edges = two_neighbors(nodes, degree);
    std::vector<Index> targets;
    std::vector<std::uint16_t> narrow;
    for (const auto& edge : edges) {
      targets.push_back(edge.target);
      narrow.push_back(static_cast<std::uint16_t>(edge.target));
    }
    EXPECT_TRUE(is_coloring(edges, nodes, color_edges(std::span<const Index>(targets), nodes)));
    EXPECT_TRUE(
        is_coloring(edges, nodes, color_edges(std::span<const std::uint16_t>(narrow), nodes)));
  }
}

BANKPROOF_PROPERTY(EdgeColoring, gathers_parallel_edges_in_their_order, ()) {
  const auto nodes = *rc::gen::inRange<std::uint64_t>(1, 12);
  const auto degree = *rc::gen::inRange<std::uint64_t>(1, 30);
  Adjacency edges = many_neighbors(nodes, degree, *rc::gen::arbitrary<std::uint64_t>());
  Adjacency gathered(edges.size());
  bankproof::detail::gather_parallel_edges<Index>({nodes, degree, edges},
                                                  {nodes, degree, gathered});
  for (std::uint64_t u = 0; u < nodes; ++u) {
    // Sorts the edges of node u: by the position of the first edge to the same target, then by
    // their own position.
    std::vector<std::pair<std::size_t, std::size_t>> order;
    for (std::size_t k = 0; k < degree; ++k) {
      std::size_t first = 0;
      while (edges[u * degree + first].target != edges[u * degree + k].target) ++first;
      order.emplace_back(first, k);
    }
    std::sort(order.begin(), order.end());
    for (std::size_t k = 0; k < degree; ++k) {
      RC_ASSERT(gathered[u * degree + k].slot == edges[u * degree + order[k].second].slot);
      RC_ASSERT(gathered[u * degree + k].target == edges[u * degree + order[k].second].target);
    }
  }
}

}  // namespace
}  // namespace bankproof::testing
