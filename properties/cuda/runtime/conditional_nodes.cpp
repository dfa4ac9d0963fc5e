// Conditional nodes of graphs: what happens depends on a value that kernels set.
#include "../../../cuda/runtime/reports.hpp"
#include "graph_support.hpp"

namespace bankproof::cuda::tests {
namespace {

using ::testing::IsEmpty;

/// A graph with a conditional node; the node's graphs are its bodies.
struct Conditional {
  Conditional(cudaGraphConditionalNodeType type, unsigned bodies, unsigned value,
              unsigned flags = cudaGraphCondAssignDefault) {
    EXPECT_EQ(cudaGraphConditionalHandleCreate(&handle, graph, value, flags), cudaSuccess);
    cudaGraphNodeParams of = {};
    of.type = cudaGraphNodeTypeConditional;
    of.conditional = {handle, type, bodies, nullptr};
    EXPECT_EQ(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &of), cudaSuccess);
    body = of.conditional.phGraph_out;
  }
  Graph graph;
  cudaGraphConditionalHandle handle = 0;
  cudaGraphNode_t node = nullptr;
  cudaGraph_t* body = nullptr;
};

/// The node that counts a number down and sets the condition.
cudaGraphNode_t count_down(const Graph& graph, int* number, cudaGraphConditionalHandle handle) {
  void* arguments[] = {&number, &handle};
  const cudaKernelNodeParams of{kernel_of_countdown(), 1, 1, 0, arguments, nullptr};
  cudaGraphNode_t node = nullptr;
  EXPECT_EQ(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &of), cudaSuccess);
  return node;
}

int first_of(const Memory& m, const int* array) {
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  return m.values(array)[0];
}

TEST(Conditions, choose_a_body) {
  for (const unsigned value : {0U, 1U, 7U}) {
    Memory m;
    take_findings();
    const Conditional one(cudaGraphCondTypeIf, 2, value);
    Graph(one.body[0]).fill(m.a, 10);
    Graph(one.body[1]).fill(m.a, 20);
    one.graph.launch(2);
    EXPECT_EQ(first_of(m, m.a), value != 0 ? 10 : 20);
    EXPECT_THAT(take_findings(), IsEmpty());
  }
}

TEST(Conditions, switch_between_bodies) {
  for (const unsigned value : {0U, 1U, 2U, 3U}) {
    Memory m;
    const Conditional one(cudaGraphCondTypeSwitch, 3, value);
    for (unsigned k = 0; k < 3; ++k) Graph(one.body[k]).fill(m.a, 10 + k);
    one.graph.launch();
    EXPECT_EQ(first_of(m, m.a), value < 3 ? 10 + static_cast<int>(value) : 0);
  }
}

TEST(Loops, run_until_a_kernel_sets_the_condition_to_0) {
  Memory m;
  take_findings();
  const Conditional loop(cudaGraphCondTypeWhile, 1, 1);
  cudaGraphNode_t const start = loop.graph.fill(m.a, 40);
  const Graph body(loop.body[0]);
  body.order({body.add(m.b, 1), count_down(body, m.a, loop.handle)});
  loop.graph.order({start, loop.node, loop.graph.add(m.b, 1000)});
  loop.graph.launch();
  EXPECT_EQ(first_of(m, m.b), 1040);
  EXPECT_EQ(first_of(m, m.a), 0);
  loop.graph.launch();
  EXPECT_EQ(first_of(m, m.b), 2080);
  EXPECT_THAT(take_findings(), IsEmpty());
}

TEST(Loops, have_races_of_their_own) {
  Memory m;
  take_findings();
  const Conditional loop(cudaGraphCondTypeWhile, 1, 1);
  cudaGraphNode_t const start = loop.graph.fill(m.a, 3);
  const Graph body(loop.body[0]);
  body.add(m.a, 0);  // not ordered with the kernel that counts down
  count_down(body, m.a, loop.handle);
  loop.graph.order({start, loop.node});
  loop.graph.launch();
  EXPECT_FALSE(take_findings().empty());
}

// The value is memory: who sets it without an edge to the conditional node races with the node.
TEST(Conditions, race_with_kernels_that_nothing_orders) {
  for (const bool ordered : {true, false}) {
    Memory m;
    take_findings();
    const Conditional one(cudaGraphCondTypeIf, 1, 1, 0);
    Graph(one.body[0]).fill(m.b, 5);
    cudaGraphNode_t const fill = one.graph.fill(m.a, 1);
    cudaGraphNode_t const kernel = count_down(one.graph, m.a, one.handle);
    one.graph.order({fill, kernel});
    if (ordered) one.graph.order({kernel, one.node});
    one.graph.launch();
    EXPECT_EQ(take_findings().empty(), ordered);
    if (ordered) {
      EXPECT_EQ(first_of(m, m.b), 0);
    }
  }
}

TEST(Conditions, of_bad_input_are_refused) {
  const Graph g;
  const Graph other;
  cudaGraphConditionalHandle handle = 0;
  EXPECT_EQ(cudaGraphConditionalHandleCreate(nullptr, g, 0, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphConditionalHandleCreate(&handle, nullptr, 0, 0),
            cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaGraphConditionalHandleCreate(&handle, g, 0, 8), cudaErrorInvalidValue);
  ASSERT_EQ(cudaGraphConditionalHandleCreate(&handle, g, 0, 0), cudaSuccess);
  cudaGraphNode_t node = nullptr;
  cudaGraphNodeParams of = {};
  of.type = cudaGraphNodeTypeConditional;
  of.conditional = {handle, cudaGraphCondTypeWhile, 2, nullptr};
  EXPECT_EQ(cudaGraphAddNode(&node, g, nullptr, nullptr, 0, &of), cudaErrorInvalidValue);
  of.conditional.size = 1;
  EXPECT_EQ(cudaGraphAddNode(&node, other, nullptr, nullptr, 0, &of), cudaErrorInvalidValue);
  of.conditional.handle = 12345;
  EXPECT_EQ(cudaGraphAddNode(&node, g, nullptr, nullptr, 0, &of), cudaErrorInvalidValue);
  cudaGetLastError();
}

}  // namespace
}  // namespace bankproof::cuda::tests
