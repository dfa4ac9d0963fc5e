// The edges of graphs order their nodes: correct graphs have no race, and if an edge is left out,
// the race that it prevented is found.
#include <functional>

#include "../../../cuda/runtime/reports.hpp"
#include "graph_support.hpp"

namespace bankproof::cuda::tests {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A correct graph, whose edges a test leaves out one by one.
struct Edges {
  int without = -1;
  int made = 0;

  void operator()(const Graph& graph, cudaGraphNode_t from, cudaGraphNode_t to) {
    if (made++ == without) return;
    EXPECT_EQ(cudaGraphAddDependencies(graph, &from, &to, nullptr, 1), cudaSuccess);
  }
};

struct Example {
  const char* name;
  std::function<void(Edges&)> run;
};

const Example examples[] = {
    {"a chain of a fill, a kernel and a copy",
     [](Edges& edge) {
       Memory m;
       const Graph g;
       cudaGraphNode_t const fill = g.fill(m.a, 1);
       cudaGraphNode_t const kernel = g.add(m.a, 2);
       cudaGraphNode_t const copy = g.copy(m.b, m.a);
       edge(g, fill, kernel);
       edge(g, kernel, copy);
       g.launch();
     }},
    {"a diamond",
     [](Edges& edge) {
       Memory m;
       const Graph g;
       cudaGraphNode_t const fill = g.fill(m.a, 1, 2 * size);
       cudaGraphNode_t const left = g.add(m.a, 2, size);
       cudaGraphNode_t const right = g.add(m.a + size, 3, size);
       cudaGraphNode_t const copy = g.copy(m.b, m.a, 2 * size);
       edge(g, fill, left);
       edge(g, fill, right);
       edge(g, left, copy);
       edge(g, right, copy);
       g.launch();
     }},
    {"an empty node that joins and forks",
     [](Edges& edge) {
       Memory m;
       const Graph g;
       cudaGraphNode_t const left = g.fill(m.a, 1);
       cudaGraphNode_t const right = g.fill(m.b, 1);
       cudaGraphNode_t empty = nullptr;
       EXPECT_EQ(cudaGraphAddEmptyNode(&empty, g, nullptr, 0), cudaSuccess);
       cudaGraphNode_t const first = g.add(m.a, 2);
       cudaGraphNode_t const second = g.add(m.b, 3);
       edge(g, left, empty);
       edge(g, right, empty);
       edge(g, empty, first);
       edge(g, empty, second);
       g.launch();
     }},
    {"a child graph between two nodes",
     [](Edges& edge) {
       Memory m;
       const Graph child;
       cudaGraphNode_t const inner = child.add(m.a, 2);
       cudaGraphNode_t const inner_copy = child.copy(m.b, m.a);
       edge(child, inner, inner_copy);
       const Graph g;
       cudaGraphNode_t const fill = g.fill(m.a, 1);
       cudaGraphNode_t node = nullptr;
       EXPECT_EQ(cudaGraphAddChildGraphNode(&node, g, nullptr, 0, child), cudaSuccess);
       cudaGraphNode_t const last = g.add(m.b, 5);
       edge(g, fill, node);
       edge(g, node, last);
       g.launch();
     }},
    {"memory that nodes allocate and free",
     [](Edges& edge) {
       Memory m;
       const Graph g;
       cudaMemAllocNodeParams of = {};
       of.poolProps.allocType = cudaMemAllocationTypePinned;
       of.poolProps.location = {cudaMemLocationTypeDevice, 0};
       of.bytesize = bytes;
       cudaGraphNode_t allocate = nullptr;
       EXPECT_EQ(cudaGraphAddMemAllocNode(&allocate, g, nullptr, 0, &of), cudaSuccess);
       int* const array = static_cast<int*>(of.dptr);
       cudaGraphNode_t const fill = g.fill(array, 1);
       cudaGraphNode_t const copy = g.copy(m.a, array);
       cudaGraphNode_t free = nullptr;
       EXPECT_EQ(cudaGraphAddMemFreeNode(&free, g, nullptr, 0, array), cudaSuccess);
       edge(g, allocate, fill);
       edge(g, fill, copy);
       edge(g, copy, free);
       g.launch();
     }},
    {"page-locked memory and a conditional node",
     [](Edges& edge) {
       Memory m;
       const Graph g;
       cudaGraphConditionalHandle handle = 0;
       EXPECT_EQ(cudaGraphConditionalHandleCreate(&handle, g, 1, cudaGraphCondAssignDefault), 0);
       cudaGraphNodeParams of = {};
       of.type = cudaGraphNodeTypeConditional;
       of.conditional = {handle, cudaGraphCondTypeIf, 1, nullptr};
       cudaGraphNode_t node = nullptr;
       EXPECT_EQ(cudaGraphAddNode(&node, g, nullptr, nullptr, 0, &of), cudaSuccess);
       const Graph body(of.conditional.phGraph_out[0]);
       cudaGraphNode_t const inner = body.add(m.a, 2);
       cudaGraphNode_t const inner_copy = body.copy(m.pinned, m.a);
       edge(body, inner, inner_copy);
       cudaGraphNode_t const fill = g.fill(m.a, 1);
       cudaGraphNode_t const last = g.copy(m.b, m.pinned);
       edge(g, fill, node);
       edge(g, node, last);
       g.launch();
     }},
};

std::vector<ptx::FaultKind> findings_without(const Example& example, Edges& edges) {
  take_launches();
  take_findings();
  example.run(edges);
  return take_kinds();
}

TEST(Edges, of_correct_graphs_leave_no_race) {
  for (const Example& example : examples) {
    Edges all;
    EXPECT_THAT(findings_without(example, all), IsEmpty()) << example.name;
    EXPECT_GT(all.made, 0) << example.name;
  }
}

TEST(Edges, are_missed_if_they_are_left_out) {
  for (const Example& example : examples) {
    Edges all;
    findings_without(example, all);
    for (int k = 0; k < all.made; ++k) {
      Edges others{k};
      EXPECT_THAT(findings_without(example, others), Contains(ptx::FaultKind::race))
          << example.name << ", without edge " << k;
    }
  }
}

TEST(Edges, of_a_race_are_told_with_the_places_of_both_nodes) {
  take_findings();
  Memory m;
  const Graph g;
  g.add(m.a, 2);
  g.fill(m.a, 1);
  g.launch();
  const auto found = take_findings();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].message, HasSubstr("cudaMemset in a graph writes 256 bytes"));
  EXPECT_THAT(found[0].message, HasSubstr("add_to_each(int*, int, unsigned int) in a graph at"));
}

TEST(Launches, of_one_executable_graph_happen_one_after_the_other) {
  take_findings();
  Memory m;
  cudaStream_t other = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
  const Graph g;
  g.add(m.a, 2);
  cudaGraphExec_t const executable = g.instantiate();
  EXPECT_EQ(cudaGraphLaunch(executable, nullptr), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(executable, other), cudaSuccess);
  EXPECT_THAT(take_findings(), IsEmpty());
  cudaGraphExec_t const second = g.instantiate();
  EXPECT_EQ(cudaGraphLaunch(second, nullptr), cudaSuccess);
  EXPECT_EQ(take_findings().size(), 1U);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_THAT(m.values(m.a), Each(6));
  cudaGraphExecDestroy(executable);
  cudaGraphExecDestroy(second);
  cudaStreamDestroy(other);
}

}  // namespace
}  // namespace bankproof::cuda::tests
