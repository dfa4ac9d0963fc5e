// Basic blocks, and post-dominators against their definition: b is on every path from a to an exit
// if and only if a reaches no exit without b.
#include "../../ptx/flow/flow.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "../../testing/property.hpp"
#include "support.hpp"

namespace bankproof::ptx {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using PostDominator = std::optional<std::size_t>;
constexpr PostDominator none = std::nullopt;

Flow flow_in(const std::string& body) {
  const Module module = parse(with_body(body), "k.ptx");
  return flow_of(module.functions.at(0), module.file);
}

// ---- The oracle

/// Whether some path from `from` reaches an exit without passing `without`.
bool leaves(const ExitGraph& graph, std::size_t from, std::optional<std::size_t> without) {
  std::vector<bool> seen(graph.exits.size());
  std::vector<std::size_t> open{from};
  while (!open.empty()) {
    const std::size_t node = open.back();
    open.pop_back();
    if (node == without || seen[node]) continue;
    seen[node] = true;
    if (graph.exits[node]) return true;
    open.insert(open.end(), graph.successors[node].begin(), graph.successors[node].end());
  }
  return false;
}

bool post_dominates(const ExitGraph& graph, std::size_t b, std::size_t a) {
  return leaves(graph, a, std::nullopt) && !leaves(graph, a, b);
}

/// The immediate post-dominator of a node: the post-dominator, other than the node, that all other
/// post-dominators of the node post-dominate.
PostDominator immediate(const ExitGraph& graph, std::size_t node) {
  const std::size_t nodes = graph.exits.size();
  for (std::size_t b = 0; b < nodes; ++b) {
    if (b == node || !post_dominates(graph, b, node)) continue;
    bool first = true;
    for (std::size_t c = 0; c < nodes; ++c) {
      if (c != node && post_dominates(graph, c, node)) first = first && post_dominates(graph, c, b);
    }
    if (first) return b;
  }
  return none;
}

void check(const ExitGraph& graph) {
  const auto found = immediate_post_dominators(graph);
  RC_ASSERT(found.size() == graph.exits.size());
  for (std::size_t node = 0; node < found.size(); ++node) {
    RC_ASSERT(found[node] == immediate(graph, node));
  }
}

// ---- Properties

BANKPROOF_PROPERTY(PostDominators, are_as_defined_on_random_graphs, ()) {
  const auto nodes = *rc::gen::inRange<std::size_t>(1, 12);
  ExitGraph graph;
  for (std::size_t node = 0; node < nodes; ++node) {
    // Mostly two successors, as after a branch; sometimes none or many.
    const auto edges = *rc::gen::weightedElement<std::size_t>({{1, 0}, {4, 1}, {6, 2}, {1, 5}});
    graph.successors.push_back(*rc::gen::container<std::vector<std::size_t>>(
        edges, rc::gen::inRange<std::size_t>(0, nodes)));
    graph.exits.push_back(*rc::gen::weightedElement<bool>({{1, true}, {4, false}}));
  }
  check(graph);
}

/// Graphs like those of structured programs: each node has the next node as a successor, and half
/// of the nodes also have a successor at a random place.
BANKPROOF_PROPERTY(PostDominators, are_as_defined_on_graphs_like_programs, ()) {
  const auto nodes = *rc::gen::inRange<std::size_t>(2, 24);
  ExitGraph graph;
  for (std::size_t node = 0; node < nodes; ++node) {
    const bool last = node + 1 == nodes;
    graph.successors.emplace_back();
    if (!last) graph.successors.back().push_back(node + 1);
    if (*rc::gen::arbitrary<bool>()) {
      graph.successors.back().push_back(*rc::gen::inRange<std::size_t>(0, nodes));
    }
    graph.exits.push_back(last);
  }
  check(graph);
}

/// All graphs of three nodes.
TEST(PostDominators, are_as_defined_on_all_small_graphs) {
  constexpr std::size_t nodes = 3;
  for (unsigned bits = 0; bits < 1U << (nodes * nodes + nodes); ++bits) {
    ExitGraph graph;
    for (std::size_t a = 0; a < nodes; ++a) {
      graph.successors.emplace_back();
      for (std::size_t b = 0; b < nodes; ++b) {
        if ((bits >> (a * nodes + b) & 1U) != 0) graph.successors[a].push_back(b);
      }
      graph.exits.push_back((bits >> (nodes * nodes + a) & 1U) != 0);
    }
    const auto found = immediate_post_dominators(graph);
    for (std::size_t a = 0; a < nodes; ++a) ASSERT_EQ(found[a], immediate(graph, a)) << bits;
  }
}

TEST(PostDominators, of_a_long_chain_need_no_deep_stack) {
  constexpr std::size_t nodes = 200000;
  ExitGraph graph{std::vector<std::vector<std::size_t>>(nodes), std::vector<bool>(nodes)};
  for (std::size_t node = 0; node + 1 < nodes; ++node) graph.successors[node] = {node + 1};
  graph.exits.back() = true;
  const auto found = immediate_post_dominators(graph);
  for (std::size_t node = 0; node + 1 < nodes; ++node) ASSERT_EQ(found[node], node + 1);
  EXPECT_EQ(found.back(), none);
}

// ---- Blocks

TEST(Flow, of_an_empty_body_is_one_block) {
  const Flow flow = flow_in("");
  ASSERT_EQ(flow.blocks.size(), 1U);
  EXPECT_TRUE(flow.blocks[0].exits);
  EXPECT_THAT(flow.blocks[0].successors, IsEmpty());
}

TEST(Flow, reconverges_after_an_if) {
  const Flow flow = flow_in(
      ".reg .pred %p<2>; @%p1 bra ELSE;\n bar.sync 0; bra.uni END;\nELSE: bar.sync 1;\nEND: ret;");
  ASSERT_EQ(flow.blocks.size(), 4U);
  EXPECT_THAT(flow.blocks[0].successors, ElementsAre(1U, 2U));
  EXPECT_THAT(flow.blocks[1].successors, ElementsAre(3U));
  EXPECT_THAT(flow.blocks[2].successors, ElementsAre(3U));
  EXPECT_THAT(flow.post_dominator, ElementsAre(3U, 3U, 3U, none));
}

TEST(Flow, does_not_begin_a_block_at_a_label_for_debuggers) {
  const Flow flow = flow_in("TMP1: bar.sync 0;\nTMP2: ret;\nTMP3:");
  ASSERT_EQ(flow.blocks.size(), 2U);
  EXPECT_EQ(flow.blocks[0].end, 4U);
  EXPECT_TRUE(flow.blocks[0].exits);
}

TEST(Flow, does_not_reconverge_if_some_threads_return) {
  const Flow flow = flow_in(".reg .pred %p<2>; @%p1 ret; bar.sync 0; ret;");
  ASSERT_EQ(flow.blocks.size(), 2U);
  EXPECT_TRUE(flow.blocks[0].exits);
  EXPECT_THAT(flow.blocks[0].successors, ElementsAre(1U));
  EXPECT_THAT(flow.post_dominator, ElementsAre(none, none));
}

TEST(Flow, reconverges_in_spite_of_a_trap_a_failed_assertion_or_an_endless_loop) {
  const Flow trap = flow_in(".reg .pred %p<2>; @!%p1 bra GOOD; trap;\nGOOD: ret;");
  EXPECT_THAT(trap.post_dominator, ElementsAre(2U, none, none));
  const Module module =
      parse(with_head(".extern .func __assertfail(.param .b64 p);\n"
                      ".entry f() { .reg .pred %p<2>; .param .b64 a; @!%p1 bra GOOD;\n"
                      "call __assertfail, (a);\nGOOD: ret; }"),
            "k.ptx");
  const Flow assertion = flow_of(module.functions.at(1), module.file);
  EXPECT_THAT(assertion.post_dominator, ElementsAre(2U, none, none));
  EXPECT_THAT(assertion.blocks.at(1).successors, IsEmpty());
  const Flow loop = flow_in(".reg .pred %p<2>; @!%p1 bra GOOD;\nL: bra L;\nGOOD: ret;");
  EXPECT_THAT(loop.post_dominator, ElementsAre(2U, none, none));
}

TEST(Flow, follows_a_table_of_branches) {
  const Module module = golden("nvcc/switch.ptx");
  const Flow flow = flow_of(module.functions.at(0), module.file);
  std::vector<std::string> first(flow.blocks.size());
  for (std::size_t b = 0; b < flow.blocks.size(); ++b) {
    const Statement& statement = module.functions[0].body[flow.blocks[b].begin];
    if (const auto* label = std::get_if<Label>(&statement)) first[b] = label->name;
  }
  std::vector<std::string> targets;
  for (const std::size_t successor : flow.blocks.at(1).successors) {
    targets.push_back(first.at(successor));
  }
  EXPECT_THAT(targets, ElementsAre("$L__BB0_2", "$L__BB0_3", "$L__BB0_4"));
}

TEST(Flow, joins_duplicate_edges) {
  const Flow flow = flow_in(".reg .pred %p<2>; @%p1 bra NEXT;\nNEXT: ret;");
  EXPECT_THAT(flow.blocks.at(0).successors, ElementsAre(1U));
  EXPECT_THAT(flow.post_dominator, ElementsAre(1U, none));
}

TEST(Flow, tells_blocks_and_statements_of_golden_files_apart) {
  for (const Golden& file : golden_files()) {
    const Module module = parse(file.text, file.name);
    for (const Function& function : module.functions) {
      const Flow flow = flow_of(function, file.name);
      ASSERT_EQ(flow.block_of.size(), function.body.size());
      std::size_t at = 0;
      for (std::size_t b = 0; b < flow.blocks.size(); ++b) {
        EXPECT_EQ(flow.blocks[b].begin, at);
        for (; at < flow.blocks[b].end; ++at) EXPECT_EQ(flow.block_of[at], b);
      }
      EXPECT_EQ(at, function.body.size());
    }
  }
}

TEST(Flow, refuses_branches_of_other_forms) {
  const auto refused = [](const std::string& body) -> std::string {
    try {
      flow_in(body);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(refused(" bra p;"), "unsupported: this form of bra, k.ptx:5:3");
  EXPECT_EQ(refused(" bra;"), "unsupported: this form of bra, k.ptx:5:3");
  EXPECT_EQ(refused("L: brx.idx p, L;"), "unsupported: this form of brx, k.ptx:5:5");
  EXPECT_EQ(refused("T: .branchtargets L; L: bra T;"), "unsupported: this form of bra, k.ptx:5:26");
}

}  // namespace
}  // namespace bankproof::ptx
