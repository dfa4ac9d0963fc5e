// Graphs: operations, and edges that order them (CUDA Programming Guide, "CUDA Graphs").
//
// A program builds a graph node by node, or captures it from streams; both make the same nodes. A
// node has the parameters that programs read and change, and an action, which is made from them. An
// executable graph is a clone of the graph, whose nodes remember the nodes that they were cloned
// from. Its launch walks the clone: every node is an operation that happens after its predecessors.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "../headers/cuda_runtime_api.h"
#include "../order/clock.hpp"
#include "modules.hpp"
#include "report/host_place.hpp"

namespace bankproof::cuda {

/// What an operation does when it is performed.
using Action = std::function<cudaError_t()>;

struct KernelNode {
  const EmbeddedName* kernel = nullptr;
  dim3 grid, block;
  unsigned shared = 0;
  std::vector<std::vector<std::byte>> values{};  // of the arguments
  std::vector<void*> arguments{};                // pointers to the values, for programs that ask
  std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue> attributes{};  // change no result
};
/// A copy from or to a variable; programs cannot ask for its parameters.
struct SymbolCopy {};
struct EventNode {
  cudaEvent_t event = nullptr;
};
struct ChildNode {
  cudaGraph_t graph = nullptr;  // the node's own
};
struct FreeNode {
  void* pointer = nullptr;
};
struct ConditionalNode {
  cudaGraphConditionalHandle handle = 0;
  cudaGraphConditionalNodeType type = cudaGraphCondTypeIf;
  std::vector<cudaGraph_t> bodies;  // the node's own
};
using NodeParameters = std::variant<std::monostate, KernelNode, SymbolCopy, cudaMemcpy3DParms,
                                    cudaMemsetParams, cudaHostNodeParams, EventNode, ChildNode,
                                    cudaMemAllocNodeParams, FreeNode, ConditionalNode>;

/// An operation of a stream or a graph.
struct Work {
  std::string what;  // the name of the call, or of the kernel
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  NodeParameters parameters{};
  Action action{};  // none for nodes of events, and for nodes that have graphs
};

/// The data lives as long as the work.
template <class T>
void keep(Work& work, const std::shared_ptr<const T>& data) {
  if (!data) return;
  work.action = [data, action = std::move(work.action)] { return action(); };
}

struct Edge {
  cudaGraphNode_t from = nullptr;
  cudaGraphEdgeData data{};
};

/// A value that kernels set, and on which conditional nodes depend.
struct Condition {
  cudaGraphConditionalHandle handle = 0;  // the value's address in memory of the device
  unsigned value = 0;                     // at each launch, if it is assigned then
  bool is_assigned = false;
};

}  // namespace bankproof::cuda

// CUDA lets the runtime define these types.
struct CUgraphNode_st {
  cudaGraph_t graph = nullptr;
  bankproof::cuda::Work work{};
  std::vector<bankproof::cuda::Edge> after{};
  cudaGraphNode_t original = nullptr;  // the node that this one is a clone of
  bankproof::cuda::HostCall made{};    // the call that added the node
  bool enabled = true;
};
struct CUuserObject_st {
  void* object = nullptr;
  cudaHostFn_t destroy = nullptr;
  std::size_t references = 0;
};
struct CUgraph_st {
  std::vector<cudaGraphNode_t> nodes{};  // in the order of their creation
  std::vector<bankproof::cuda::Condition> conditions{};
  std::map<cudaUserObject_t, std::size_t> objects{};  // that it keeps alive, with its references
  cudaGraphNode_t owner = nullptr;  // the node that has this graph; it destroys the graph
};
struct CUgraphExec_st {
  cudaGraph_t graph = nullptr;  // its own clone
  unsigned long long flags = 0;
  std::vector<bankproof::cuda::Operation> last{};  // after which its last launch is done
  std::string place = " in a graph";               // of its operations, for messages
};

namespace bankproof::cuda {

/// Adds a node after other nodes. These have to be nodes of the graph; otherwise, and if the graph
/// does not exist, the call fails.
cudaError_t add_node(const char* call, cudaGraphNode_t* node, cudaGraph_t graph,
                     const std::vector<Edge>& after, Work work);
/// The edges from `count` nodes; `data` may be null.
std::vector<Edge> edges_from(const cudaGraphNode_t* nodes, const cudaGraphEdgeData* data,
                             std::size_t count);
/// Destroys a node, with its edges and its own graphs.
void destroy_node(cudaGraphNode_t node);
void destroy_graph(cudaGraph_t graph);
/// A copy of the graph; its nodes remember those that they are copies of.
cudaGraph_t clone(const CUgraph_st& graph);
/// A copy of the work; graphs of nodes are cloned.
Work clone(const Work& work);
/// The nodes in an order in which they can be performed; nothing if edges form a circle.
std::vector<cudaGraphNode_t> in_order(const CUgraph_st& graph);
/// The clone of the node in the graph or in the graphs of its nodes; null if there is none.
cudaGraphNode_t clone_of(const CUgraph_st& graph, cudaGraphNode_t original);
/// Calls act(node) for the nodes of the graph and of the graphs of its nodes.
void for_all_nodes(const CUgraph_st& graph, const std::function<void(cudaGraphNode_t)>& act);
/// The graph gives up its references to objects of the program.
void release_objects(CUgraph_st& graph);

/// The node does what make(work) sets, if it is of this type.
cudaError_t replace_work(const char* call, CUgraphNode_st& node, cudaGraphNodeType type,
                         const std::function<cudaError_t(Work&)>& make);

// What nodes do. Each sets `work` or fails.
cudaError_t kernel_work(const char* call, const cudaKernelNodeParams* parameters, Work& work);
cudaError_t copy_work(const char* call, const cudaMemcpy3DParms* parameters, Work& work);
cudaError_t copy_work(const char* call, void* to, const void* from, std::size_t size,
                      cudaMemcpyKind kind, Work& work);
cudaError_t symbol_copy_work(const char* call, void* to, const void* from, const void* symbol,
                             std::size_t size, std::size_t offset, cudaMemcpyKind kind, Work& work);
cudaError_t fill_work(const char* call, const cudaMemsetParams* parameters, Work& work);
cudaError_t host_work(const char* call, const cudaHostNodeParams* parameters, Work& work);
cudaError_t event_work(const char* call, cudaGraphNodeType type, cudaEvent_t event, Work& work);
cudaError_t child_work(const char* call, cudaGraph_t child, Work& work);
cudaError_t allocation_work(const char* call, cudaMemAllocNodeParams* parameters, Work& work);
/// cudaMallocAsync in a captured stream.
cudaError_t capture_allocation(void** pointer, std::size_t bytes, cudaStream_t stream);
cudaError_t free_work(const char* call, void* pointer, Work& work);
cudaError_t conditional_work(const char* call, cudaGraph_t graph,
                             const cudaConditionalNodeParams& parameters, Work& work);
/// The work of cudaGraphAddNode's parameters.
cudaError_t any_work(const char* call, cudaGraph_t graph, cudaGraphNodeParams* parameters,
                     Work& work);

}  // namespace bankproof::cuda
