// Nodes of events, of variables and of graphs, and the general calls that set parameters.
#include "../../../cuda/runtime/reports.hpp"
#include "graph_support.hpp"

namespace bankproof::cuda::tests {
namespace {

using ::testing::Each;
using ::testing::IsEmpty;

struct OwnedEvent {
  OwnedEvent() { EXPECT_EQ(cudaEventCreate(&event), cudaSuccess); }
  ~OwnedEvent() { cudaEventDestroy(event); }
  OwnedEvent(const OwnedEvent&) = delete;
  OwnedEvent& operator=(const OwnedEvent&) = delete;
  cudaEvent_t event = nullptr;
};

/// The host does not know what a graph does; streams without the flag would wait for each other.
struct Streams {
  Streams() {
    for (cudaStream_t& one : all) {
      EXPECT_EQ(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking), cudaSuccess);
    }
  }
  ~Streams() {
    for (cudaStream_t one : all) cudaStreamDestroy(one);
  }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;
  cudaStream_t all[2] = {};
};

TEST(EventNodes, order_a_stream_after_a_part_of_a_graph) {
  for (const bool ordered : {true, false}) {
    Memory m;
    const OwnedEvent e;
    const Streams streams;
    take_findings();
    const Graph g;
    cudaGraphNode_t record = nullptr;
    EXPECT_EQ(cudaGraphAddEventRecordNode(&record, g, nullptr, 0, e.event), cudaSuccess);
    cudaGraphNode_t const first = g.fill(m.a, 1);
    if (ordered) g.order({first, record});
    g.order({record, g.fill(m.b, 1)});
    cudaGraphExec_t const executable = g.instantiate();
    EXPECT_EQ(cudaGraphLaunch(executable, streams.all[0]), cudaSuccess);
    EXPECT_EQ(cudaStreamWaitEvent(streams.all[1], e.event, 0), cudaSuccess);
    add(m.a, 2, size, streams.all[1]);
    EXPECT_EQ(take_findings().empty(), ordered);
    add(m.b, 2, size, streams.all[1]);  // after the record in the graph: not ordered
    EXPECT_FALSE(take_findings().empty());
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    cudaGraphExecDestroy(executable);
  }
}

TEST(EventNodes, order_a_part_of_a_graph_after_a_stream) {
  for (const bool ordered : {true, false}) {
    Memory m;
    const OwnedEvent e;
    const Streams streams;
    take_findings();
    const Graph g;
    cudaGraphNode_t wait = nullptr;
    EXPECT_EQ(cudaGraphAddEventWaitNode(&wait, g, nullptr, 0, e.event), cudaSuccess);
    cudaGraphNode_t const kernel = g.add(m.a, 2);
    if (ordered) g.order({wait, kernel});
    add(m.a, 1, size, streams.all[0]);
    EXPECT_EQ(cudaEventRecord(e.event, streams.all[0]), cudaSuccess);
    cudaGraphExec_t const executable = g.instantiate();
    EXPECT_EQ(cudaGraphLaunch(executable, streams.all[1]), cudaSuccess);
    EXPECT_EQ(take_findings().empty(), ordered);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    cudaGraphExecDestroy(executable);
  }
}

TEST(EventNodes, name_their_events) {
  const OwnedEvent first;
  const OwnedEvent second;
  const Graph g;
  cudaGraphNode_t node = nullptr;
  EXPECT_EQ(cudaGraphAddEventRecordNode(&node, g, nullptr, 0, first.event), cudaSuccess);
  cudaGraphExec_t const executable = g.instantiate();
  EXPECT_EQ(cudaGraphEventRecordNodeSetEvent(node, second.event), cudaSuccess);
  cudaEvent_t got = nullptr;
  EXPECT_EQ(cudaGraphEventRecordNodeGetEvent(node, &got), cudaSuccess);
  EXPECT_EQ(got, second.event);
  EXPECT_EQ(cudaGraphEventWaitNodeSetEvent(node, second.event), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphExecEventRecordNodeSetEvent(executable, node, second.event), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(executable, nullptr), cudaSuccess);
  float milliseconds = 0;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, second.event, second.event), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, first.event, second.event),
            cudaErrorInvalidResourceHandle);
  cudaGraphExecDestroy(executable);
  cudaGetLastError();
}

TEST(ChildGraphs, are_clones_that_programs_change) {
  Memory m;
  const Graph child;
  cudaGraphNode_t const fill = child.fill(m.a, 1);
  const Graph g;
  cudaGraphNode_t node = nullptr;
  ASSERT_EQ(cudaGraphAddChildGraphNode(&node, g, nullptr, 0, child), cudaSuccess);
  cudaGraph_t inner = nullptr;
  EXPECT_EQ(cudaGraphChildGraphNodeGetGraph(node, &inner), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(inner), cudaErrorInvalidValue);  // the node's
  cudaGraphNode_t found = nullptr;
  EXPECT_EQ(cudaGraphNodeFindInClone(&found, fill, inner), cudaSuccess);
  cudaGraphExec_t const executable = g.instantiate();
  const auto launched = [&] {
    EXPECT_EQ(cudaGraphLaunch(executable, nullptr), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    return m.values(m.a);
  };
  EXPECT_THAT(launched(), Each(1));
  const cudaMemsetParams of{m.a, bytes, 5, 4, size, 1};
  EXPECT_EQ(cudaGraphExecMemsetNodeSetParams(executable, found, &of), cudaSuccess);
  EXPECT_THAT(launched(), Each(5));
  const Graph next;
  next.fill(m.a, 9);
  EXPECT_EQ(cudaGraphExecChildGraphNodeSetParams(executable, node, next), cudaSuccess);
  EXPECT_THAT(launched(), Each(9));
  next.fill(m.b, 1);
  EXPECT_EQ(cudaGraphExecChildGraphNodeSetParams(executable, node, next), cudaErrorInvalidValue);
  EXPECT_THAT(launched(), Each(9));
  cudaGraphExecDestroy(executable);
  cudaGetLastError();
}

TEST(Parameters, are_set_by_one_call_for_all_types) {
  Memory m;
  const Graph g;
  cudaGraphNodeParams of = {};
  of.type = cudaGraphNodeTypeMemset;
  of.memset = {m.a, bytes, 3, 4, size, 1};
  cudaGraphNode_t node = nullptr;
  ASSERT_EQ(cudaGraphAddNode(&node, g, nullptr, nullptr, 0, &of), cudaSuccess);
  cudaGraphExec_t const executable = g.instantiate();
  of.memset.value = 4;
  EXPECT_EQ(cudaGraphNodeSetParams(node, &of), cudaSuccess);
  cudaMemsetParams got{};
  EXPECT_EQ(cudaGraphMemsetNodeGetParams(node, &got), cudaSuccess);
  EXPECT_EQ(got.value, 4U);
  of.memset.value = 5;
  EXPECT_EQ(cudaGraphExecNodeSetParams(executable, node, &of), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(executable, nullptr), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_THAT(m.values(m.a), Each(5));
  of.type = cudaGraphNodeTypeMemAlloc;
  EXPECT_EQ(cudaGraphExecNodeSetParams(executable, node, &of), cudaErrorNotSupported);
  of.type = cudaGraphNodeTypeKernel;
  EXPECT_EQ(cudaGraphNodeSetParams(node, &of), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphExecNodeSetParams(executable, node, nullptr), cudaErrorInvalidValue);
  cudaGraphExec_t on_device = nullptr;
  EXPECT_EQ(cudaGraphInstantiate(&on_device, g, cudaGraphInstantiateFlagDeviceLaunch),
            cudaErrorNotSupported);
  cudaGraphExecDestroy(executable);
  cudaGetLastError();
}

TEST(Attributes, of_kernels_are_kept) {
  Memory m;
  const Graph g;
  cudaGraphNode_t const first = g.add(m.a, 1);
  cudaGraphNode_t const second = g.add(m.b, 1);
  cudaKernelNodeAttrValue value{}, got{};
  value.priority = 3;
  EXPECT_EQ(cudaGraphKernelNodeSetAttribute(first, cudaLaunchAttributePriority, &value), 0);
  EXPECT_EQ(cudaGraphKernelNodeCopyAttributes(second, first), cudaSuccess);
  EXPECT_EQ(cudaGraphKernelNodeGetAttribute(second, cudaLaunchAttributePriority, &got), 0);
  EXPECT_EQ(got.priority, 3);
  EXPECT_EQ(cudaGraphKernelNodeCopyAttributes(g.fill(m.a, 1), first), cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST(SymbolNodes, write_and_read_variables) {
  Memory m;
  take_findings();
  const Graph g;
  const int added = 30;
  int read = 0;
  cudaGraphNode_t write = nullptr, copy = nullptr;
  EXPECT_EQ(cudaGraphAddMemcpyNodeToSymbol(&write, g, nullptr, 0, variable_of_kernels(), &added, 4,
                                           0, cudaMemcpyHostToDevice),
            cudaSuccess);
  EXPECT_EQ(cudaGraphAddMemcpyNodeFromSymbol(&copy, g, &write, 1, &read, variable_of_kernels(), 4,
                                             0, cudaMemcpyDeviceToHost),
            cudaSuccess);
  g.launch();
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(read, 30);
  EXPECT_THAT(take_findings(), IsEmpty());
  EXPECT_EQ(cudaGraphRemoveDependencies(g, &write, &copy, nullptr, 1), cudaSuccess);
  g.launch();
  EXPECT_EQ(take_findings().size(), 1U);
  EXPECT_EQ(cudaGraphAddMemcpyNodeToSymbol(&write, g, nullptr, 0, variable_of_kernels(), &added, 4,
                                           1, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphAddMemcpyNodeToSymbol(&write, g, nullptr, 0, &read, &added, 4, 0,
                                           cudaMemcpyHostToDevice),
            cudaErrorInvalidSymbol);
  cudaMemcpy3DParms parameters{};
  EXPECT_EQ(cudaGraphMemcpyNodeGetParams(copy, &parameters), cudaErrorNotSupported);
  EXPECT_THAT(take_findings(), IsEmpty());
  cudaGetLastError();
}

}  // namespace
}  // namespace bankproof::cuda::tests
