// Graphs that programs build node by node: launches do what the nodes say, and programs read and
// change what they say.
#include <fstream>
#include <sstream>

#include "../../../cuda/runtime/reports.hpp"
#include "graph_support.hpp"

namespace bankproof::cuda::tests {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Launches, do_what_the_nodes_say) {
  take_launches();
  Memory m;
  int seen = 0;
  const Graph g;
  cudaGraphNode_t const fill = g.fill(m.a, 7);
  cudaGraphNode_t const kernel = g.add(m.a, 2);
  cudaGraphNode_t const copy = g.copy(m.b, m.a);
  cudaGraphNode_t host = nullptr;
  const cudaHostNodeParams function{[](void* data) { ++*static_cast<int*>(data); }, &seen};
  EXPECT_EQ(cudaGraphAddHostNode(&host, g, &copy, 1, &function), cudaSuccess);
  g.order({fill, kernel, copy});
  EXPECT_THAT(m.values(m.b), Each(0));
  g.launch(2);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_THAT(m.values(m.b), Each(9));
  EXPECT_EQ(seen, 2);
  expect_no_faults();
}

TEST(Fills, have_elements_of_1_2_or_4_bytes_and_rows) {
  Memory m;
  cudaMemsetParams of{m.a, 16, 0x0102, 2, 4, 2};
  cudaGraphNode_t node = nullptr;
  {
    const Graph g;
    EXPECT_EQ(cudaGraphAddMemsetNode(&node, g, nullptr, 0, &of), cudaSuccess);
    g.launch();
  }
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  const std::vector<int> values = m.values(m.a);
  EXPECT_THAT(std::vector<int>(values.begin(), values.begin() + 7),
              ElementsAre(0x01020102, 0x01020102, 0, 0, 0x01020102, 0x01020102, 0));
  const Graph g;
  of.elementSize = 3;
  EXPECT_EQ(cudaGraphAddMemsetNode(&node, g, nullptr, 0, &of), cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST(Nodes, are_listed_with_their_edges_and_types) {
  Memory m;
  const Graph g;
  cudaGraphNode_t const fill = g.fill(m.a, 1);
  cudaGraphNode_t const kernel = g.add(m.a, 2);
  cudaGraphNode_t const copy = g.copy(m.b, m.a);
  g.order({fill, kernel, copy});
  std::size_t count = 0;
  EXPECT_EQ(cudaGraphGetNodes(g, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 3U);
  cudaGraphNode_t nodes[4];
  count = 4;
  EXPECT_EQ(cudaGraphGetNodes(g, nodes, &count), cudaSuccess);
  EXPECT_EQ(count, 3U);
  EXPECT_THAT(nodes, ElementsAre(fill, kernel, copy, nullptr));
  EXPECT_EQ(cudaGraphGetRootNodes(g, nodes, &count), cudaSuccess);
  EXPECT_EQ(count, 1U);
  EXPECT_EQ(nodes[0], fill);
  cudaGraphNode_t from[2], to[2];
  count = 2;
  EXPECT_EQ(cudaGraphGetEdges(g, from, to, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 2U);
  EXPECT_THAT(from, ElementsAre(fill, kernel));
  EXPECT_THAT(to, ElementsAre(kernel, copy));
  EXPECT_EQ(cudaGraphNodeGetDependencies(copy, from, nullptr, &count), cudaSuccess);
  EXPECT_EQ(from[0], kernel);
  count = 2;
  EXPECT_EQ(cudaGraphNodeGetDependentNodes(fill, to, nullptr, &count), cudaSuccess);
  EXPECT_EQ(to[0], kernel);
  cudaGraphNodeType type{};
  EXPECT_EQ(cudaGraphNodeGetType(copy, &type), cudaSuccess);
  EXPECT_EQ(type, cudaGraphNodeTypeMemcpy);
  EXPECT_EQ(cudaGraphNodeGetType(kernel, &type), cudaSuccess);
  EXPECT_EQ(type, cudaGraphNodeTypeKernel);

  EXPECT_EQ(cudaGraphRemoveDependencies(g, &fill, &kernel, nullptr, 1), cudaSuccess);
  EXPECT_EQ(cudaGraphRemoveDependencies(g, &fill, &kernel, nullptr, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphAddDependencies(g, &kernel, &copy, nullptr, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphDestroyNode(kernel), cudaSuccess);
  EXPECT_EQ(cudaGraphGetEdges(g, nullptr, nullptr, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 0U);
  EXPECT_EQ(cudaGraphNodeGetType(kernel, &type), cudaErrorInvalidResourceHandle);
  cudaGetLastError();
}

TEST(Nodes, of_captures_have_types_and_parameters) {
  Memory m;
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  EXPECT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(m.a, 0, bytes, stream), cudaSuccess);
  add(m.a, 5, size, stream);
  EXPECT_EQ(cudaMemcpyAsync(m.b, m.a, bytes, cudaMemcpyDeviceToDevice, stream), cudaSuccess);
  cudaGraph_t captured = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(stream, &captured), cudaSuccess);
  const Graph g(captured);
  cudaGraphNode_t nodes[3];
  std::size_t count = 3;
  EXPECT_EQ(cudaGraphGetNodes(g, nodes, &count), cudaSuccess);
  ASSERT_EQ(count, 3U);
  cudaMemsetParams fill{};
  EXPECT_EQ(cudaGraphMemsetNodeGetParams(nodes[0], &fill), cudaSuccess);
  EXPECT_EQ(fill.dst, m.a);
  EXPECT_EQ(fill.width * fill.elementSize, bytes);
  cudaKernelNodeParams kernel{};
  EXPECT_EQ(cudaGraphKernelNodeGetParams(nodes[1], &kernel), cudaSuccess);
  EXPECT_EQ(kernel.func, kernel_of_add());
  EXPECT_EQ(*static_cast<int*>(kernel.kernelParams[1]), 5);
  EXPECT_EQ(kernel.blockDim.x, 64U);
  EXPECT_EQ(cudaGraphMemsetNodeGetParams(nodes[1], &fill), cudaErrorInvalidValue);
  cudaMemcpy3DParms copy{};
  EXPECT_EQ(cudaGraphMemcpyNodeGetParams(nodes[2], &copy), cudaSuccess);
  EXPECT_EQ(copy.dstPtr.ptr, m.b);
  EXPECT_EQ(copy.extent.width, bytes);
  // A change of the graph concerns executable graphs that are made later.
  cudaGraphExec_t const before = g.instantiate();
  int added = 9;
  unsigned elements = size;
  void* arguments[] = {&m.a, &added, &elements};
  kernel.kernelParams = arguments;
  EXPECT_EQ(cudaGraphKernelNodeSetParams(nodes[1], &kernel), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(before, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_THAT(m.values(m.b), Each(5));
  g.launch();
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_THAT(m.values(m.b), Each(9));
  cudaGraphExecDestroy(before);
  cudaStreamDestroy(stream);
  cudaGetLastError();
}

TEST(Updates, of_executable_graphs_change_later_launches) {
  Memory m;
  const Graph g;
  cudaGraphNode_t const fill = g.fill(m.a, 1);
  cudaGraphNode_t const kernel = g.add(m.a, 2);
  g.order({fill, kernel});
  cudaGraphExec_t const executable = g.instantiate();
  const auto launched = [&] {
    EXPECT_EQ(cudaGraphLaunch(executable, nullptr), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    return m.values(m.a);
  };
  EXPECT_THAT(launched(), Each(3));
  cudaMemsetParams of{m.a, bytes, 10, 4, size, 1};
  EXPECT_EQ(cudaGraphExecMemsetNodeSetParams(executable, fill, &of), cudaSuccess);
  EXPECT_THAT(launched(), Each(12));
  EXPECT_EQ(cudaGraphNodeSetEnabled(executable, kernel, 0), cudaSuccess);
  unsigned enabled = 1;
  EXPECT_EQ(cudaGraphNodeGetEnabled(executable, kernel, &enabled), cudaSuccess);
  EXPECT_EQ(enabled, 0U);
  EXPECT_THAT(launched(), Each(10));
  EXPECT_EQ(cudaGraphNodeSetEnabled(executable, kernel, 1), cudaSuccess);

  const Graph next;
  next.order({next.fill(m.a, 100), next.add(m.a, 20)});
  cudaGraphExecUpdateResultInfo result{};
  EXPECT_EQ(cudaGraphExecUpdate(executable, next, &result), cudaSuccess);
  EXPECT_EQ(result.result, cudaGraphExecUpdateSuccess);
  EXPECT_THAT(launched(), Each(120));

  const Graph other;  // without the edge
  cudaGraphNode_t const first = other.fill(m.a, 100);
  cudaGraphNode_t const second = other.add(m.a, 20);
  EXPECT_EQ(cudaGraphExecUpdate(executable, other, &result), cudaErrorGraphExecUpdateFailure);
  EXPECT_EQ(result.result, cudaGraphExecUpdateErrorTopologyChanged);
  EXPECT_EQ(result.errorNode, second);
  other.order({first, second});
  other.order({second, other.fill(m.b, 1)});
  EXPECT_EQ(cudaGraphExecUpdate(executable, other, &result), cudaErrorGraphExecUpdateFailure);
  const Graph turned;
  turned.order({turned.add(m.a, 1), turned.fill(m.a, 1)});
  EXPECT_EQ(cudaGraphExecUpdate(executable, turned, &result), cudaErrorGraphExecUpdateFailure);
  EXPECT_EQ(result.result, cudaGraphExecUpdateErrorNodeTypeChanged);
  EXPECT_THAT(launched(), Each(120));
  EXPECT_EQ(cudaGraphExecMemsetNodeSetParams(executable, first, &of), cudaErrorInvalidValue);
  cudaGraphExecDestroy(executable);
  cudaGetLastError();
  take_findings();
}

TEST(Clones, are_graphs_of_their_own) {
  Memory m;
  const Graph g;
  cudaGraphNode_t const fill = g.fill(m.a, 1);
  cudaGraph_t copied = nullptr;
  EXPECT_EQ(cudaGraphClone(&copied, g), cudaSuccess);
  const Graph copy(copied);
  cudaGraphNode_t found = nullptr;
  EXPECT_EQ(cudaGraphNodeFindInClone(&found, fill, copy), cudaSuccess);
  EXPECT_NE(found, fill);
  const cudaMemsetParams of{m.a, bytes, 5, 4, size, 1};
  EXPECT_EQ(cudaGraphMemsetNodeSetParams(found, &of), cudaSuccess);
  g.launch();
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_THAT(m.values(m.a), Each(1));
  copy.launch();
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_THAT(m.values(m.a), Each(5));
  EXPECT_EQ(cudaGraphNodeFindInClone(&found, fill, g), cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST(Pictures, show_nodes_and_edges) {
  Memory m;
  const Graph g;
  g.order({g.fill(m.a, 1), g.add(m.a, 2)});
  const std::string path = testing::TempDir() + "graph.dot";
  EXPECT_EQ(cudaGraphDebugDotPrint(g, path.c_str(), 0), cudaSuccess);
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  EXPECT_THAT(text.str(), HasSubstr("digraph {"));
  EXPECT_THAT(text.str(), HasSubstr("node_0 -> node_1"));
  EXPECT_THAT(text.str(), HasSubstr("add_to_each(int*, int, unsigned int), grid 1x1x1"));
  EXPECT_EQ(cudaGraphDebugDotPrint(g, "/nowhere/graph.dot", 0), cudaErrorOperatingSystem);
  cudaGetLastError();
}

TEST(Circles, are_refused) {
  Memory m;
  const Graph g;
  cudaGraphNode_t const first = g.fill(m.a, 1);
  cudaGraphNode_t const second = g.add(m.a, 2);
  g.order({first, second, first});
  cudaGraphExec_t executable = nullptr;
  EXPECT_EQ(cudaGraphInstantiate(&executable, g), cudaErrorInvalidValue);
  cudaGraphInstantiateParams parameters{};
  EXPECT_EQ(cudaGraphInstantiateWithParams(&executable, g, &parameters), cudaErrorInvalidValue);
  EXPECT_EQ(parameters.result_out, cudaGraphInstantiateInvalidStructure);
  EXPECT_EQ(cudaGraphAddDependencies(g, &first, &first, nullptr, 1), cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST(BadInput, of_graphs_is_refused) {
  Memory m;
  const Graph g;
  const Graph other;
  constexpr cudaError_t no_handle = cudaErrorInvalidResourceHandle;
  cudaGraphNode_t node = nullptr;
  cudaGraphNode_t const stranger = other.fill(m.a, 1);
  auto* const garbage = reinterpret_cast<cudaGraphNode_t>(m.a);
  EXPECT_EQ(cudaGraphAddEmptyNode(nullptr, g, nullptr, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphAddEmptyNode(&node, nullptr, nullptr, 0), no_handle);
  EXPECT_EQ(cudaGraphAddEmptyNode(&node, g, &stranger, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphAddEmptyNode(&node, g, &garbage, 1), no_handle);
  EXPECT_EQ(cudaGraphAddEmptyNode(&node, g, nullptr, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphAddKernelNode(&node, g, nullptr, 0, nullptr), cudaErrorInvalidValue);
  const cudaKernelNodeParams no_kernel{m.a, 1, 1, 0, nullptr, nullptr};
  EXPECT_EQ(cudaGraphAddKernelNode(&node, g, nullptr, 0, &no_kernel),
            cudaErrorInvalidDeviceFunction);
  const cudaKernelNodeParams no_arguments{kernel_of_add(), 1, 1, 0, nullptr, nullptr};
  EXPECT_NE(cudaGraphAddKernelNode(&node, g, nullptr, 0, &no_arguments), cudaSuccess);
  const cudaHostNodeParams no_function{nullptr, nullptr};
  EXPECT_EQ(cudaGraphAddHostNode(&node, g, nullptr, 0, &no_function), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphAddEventRecordNode(&node, g, nullptr, 0, nullptr), no_handle);
  EXPECT_EQ(cudaGraphAddChildGraphNode(&node, g, nullptr, 0, nullptr), no_handle);
  EXPECT_EQ(cudaGraphAddMemFreeNode(&node, g, nullptr, 0, &node), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphGetNodes(g, nullptr, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphDestroyNode(garbage), no_handle);
  cudaGraphNodeParams unknown{};
  unknown.type = cudaGraphNodeTypeExtSemaphoreWait;
  EXPECT_EQ(cudaGraphAddNode(&node, g, nullptr, nullptr, 0, &unknown), cudaErrorNotSupported);
  std::size_t count = 0;
  EXPECT_EQ(cudaGraphGetNodes(g, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 0U);
  cudaGetLastError();
}

}  // namespace
}  // namespace bankproof::cuda::tests
