// Changes of executable graphs: the parameters of single nodes, or of all nodes at once
// (cudaGraphExecUpdate). The program names a node of the graph from which the executable one was
// made. Launches that have begun keep the former parameters.
#include <algorithm>
#include <utility>

#include "../majors.hpp"
#include "../stream_handles.hpp"

namespace {

using bankproof::cuda::is_live;
using bankproof::cuda::no_place;
using bankproof::cuda::Runtime;
using bankproof::cuda::Work;

/// The executable graph's clone of the node; null, and the call fails, if there is none.
cudaGraphNode_t executed(const char* call, cudaGraphExec_t executable, cudaGraphNode_t node) {
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live(call, executable) || !is_live(call, node)) return nullptr;
  cudaGraphNode_t const found = bankproof::cuda::clone_of(*executable->graph, node);
  if (found == nullptr) {
    Runtime::fail(cudaErrorInvalidValue,
                  fmt::format("{}: the node is not one of the executable graph", call));
  }
  return found;
}

template <class Make>
cudaError_t set_executed(const char* call, cudaGraphExec_t executable, cudaGraphNode_t node,
                         cudaGraphNodeType type, Make make) {
  const std::lock_guard lock(Runtime::get().mutex());
  cudaGraphNode_t const found = executed(call, executable, node);
  if (found == nullptr) return Runtime::last();
  return bankproof::cuda::replace_work(call, *found, type, make);
}

bool refuse_update(cudaGraphExecUpdateResultInfo& result, cudaGraphExecUpdateResult why,
                   cudaGraphNode_t node, cudaGraphNode_t other) {
  result = {why, node, other};
  return false;
}

/// The places of a node's predecessors among the nodes of its graph.
std::vector<std::ptrdiff_t> places_before(const CUgraph_st& graph, cudaGraphNode_t node) {
  std::vector<std::ptrdiff_t> places;
  places.reserve(node->after.size());
  for (const bankproof::cuda::Edge& edge : node->after) {
    places.push_back(std::find(graph.nodes.begin(), graph.nodes.end(), edge.from) -
                     graph.nodes.begin());
  }
  std::sort(places.begin(), places.end());
  return places;
}

bool update(CUgraph_st& graph, const CUgraph_st& next, cudaGraphExecUpdateResultInfo& result);

/// Nodes with graphs keep these, and take over the parameters of the nodes in them.
bool update_node(CUgraphNode_st& node, cudaGraphNode_t next,
                 cudaGraphExecUpdateResultInfo& result) {
  using bankproof::cuda::ChildNode;
  using bankproof::cuda::ConditionalNode;
  if (auto* const child = std::get_if<ChildNode>(&node.work.parameters)) {
    return update(*child->graph, *std::get<ChildNode>(next->work.parameters).graph, result);
  }
  if (auto* const condition = std::get_if<ConditionalNode>(&node.work.parameters)) {
    const auto& other = std::get<ConditionalNode>(next->work.parameters);
    if (other.type != condition->type || other.bodies.size() != condition->bodies.size()) {
      return refuse_update(result, cudaGraphExecUpdateErrorParametersChanged, next, node.original);
    }
    condition->handle = other.handle;
    for (std::size_t k = 0; k < other.bodies.size(); ++k) {
      if (!update(*condition->bodies[k], *other.bodies[k], result)) return false;
    }
    return true;
  }
  node.work = next->work;
  node.made = next->made;
  return true;
}

/// Takes over the parameters of a graph with the same nodes, in the order of their creation, and
/// the same edges. Nothing changes if the graphs differ.
bool update(CUgraph_st& graph, const CUgraph_st& next, cudaGraphExecUpdateResultInfo& result) {
  const std::size_t common = std::min(graph.nodes.size(), next.nodes.size());
  for (std::size_t k = 0; k < common; ++k) {
    cudaGraphNode_t const node = graph.nodes[k];
    cudaGraphNode_t const other = next.nodes[k];
    if (node->work.type != other->work.type) {
      return refuse_update(result, cudaGraphExecUpdateErrorNodeTypeChanged, other, node->original);
    }
    if (places_before(graph, node) != places_before(next, other)) {
      return refuse_update(result, cudaGraphExecUpdateErrorTopologyChanged, other, node->original);
    }
  }
  if (graph.nodes.size() != next.nodes.size()) {
    return refuse_update(result, cudaGraphExecUpdateErrorTopologyChanged,
                         next.nodes.size() > common ? next.nodes[common] : nullptr, nullptr);
  }
  graph.conditions = next.conditions;
  for (std::size_t k = 0; k < common; ++k) {
    if (!update_node(*graph.nodes[k], next.nodes[k], result)) return false;
  }
  return true;
}

}  // namespace

BANKPROOF_OF_13(cudaGraphExecUpdate);

extern "C" {
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams* parameters) {
  constexpr const char* call = "cudaGraphExecKernelNodeSetParams";
  const std::lock_guard lock(Runtime::get().mutex());
  return set_executed(call, executable, node, cudaGraphNodeTypeKernel, [&](Work& work) {
    return bankproof::cuda::kernel_work(call, parameters, work);
  });
}
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const struct cudaMemcpy3DParms* parameters) {
  constexpr const char* call = "cudaGraphExecMemcpyNodeSetParams";
  const std::lock_guard lock(Runtime::get().mutex());
  return set_executed(call, executable, node, cudaGraphNodeTypeMemcpy, [&](Work& work) {
    return bankproof::cuda::copy_work(call, parameters, work);
  });
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               void* to, const void* from, size_t size,
                                               enum cudaMemcpyKind kind) {
  constexpr const char* call = "cudaGraphExecMemcpyNodeSetParams1D";
  const std::lock_guard lock(Runtime::get().mutex());
  return set_executed(call, executable, node, cudaGraphNodeTypeMemcpy, [&](Work& work) {
    return bankproof::cuda::copy_work(call, to, from, size, kind, work);
  });
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t executable,
                                                     cudaGraphNode_t node, const void* symbol,
                                                     const void* from, size_t size, size_t offset,
                                                     enum cudaMemcpyKind kind) {
  constexpr const char* call = "cudaGraphExecMemcpyNodeSetParamsToSymbol";
  const std::lock_guard lock(Runtime::get().mutex());
  return set_executed(call, executable, node, cudaGraphNodeTypeMemcpy, [&](Work& work) {
    return bankproof::cuda::symbol_copy_work(call, nullptr, from, symbol, size, offset, kind, work);
  });
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t executable,
                                                       cudaGraphNode_t node, void* to,
                                                       const void* symbol, size_t size,
                                                       size_t offset, enum cudaMemcpyKind kind) {
  constexpr const char* call = "cudaGraphExecMemcpyNodeSetParamsFromSymbol";
  const std::lock_guard lock(Runtime::get().mutex());
  return set_executed(call, executable, node, cudaGraphNodeTypeMemcpy, [&](Work& work) {
    return bankproof::cuda::symbol_copy_work(call, to, nullptr, symbol, size, offset, kind, work);
  });
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const struct cudaMemsetParams* parameters) {
  constexpr const char* call = "cudaGraphExecMemsetNodeSetParams";
  const std::lock_guard lock(Runtime::get().mutex());
  return set_executed(call, executable, node, cudaGraphNodeTypeMemset, [&](Work& work) {
    return bankproof::cuda::fill_work(call, parameters, work);
  });
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const struct cudaHostNodeParams* parameters) {
  constexpr const char* call = "cudaGraphExecHostNodeSetParams";
  const std::lock_guard lock(Runtime::get().mutex());
  return set_executed(call, executable, node, cudaGraphNodeTypeHost, [&](Work& work) {
    return bankproof::cuda::host_work(call, parameters, work);
  });
}
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                 cudaEvent_t event) {
  constexpr const char* call = "cudaGraphExecEventRecordNodeSetEvent";
  const std::lock_guard lock(Runtime::get().mutex());
  return set_executed(call, executable, node, cudaGraphNodeTypeEventRecord, [&](Work& work) {
    return bankproof::cuda::event_work(call, cudaGraphNodeTypeEventRecord, event, work);
  });
}
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               cudaEvent_t event) {
  constexpr const char* call = "cudaGraphExecEventWaitNodeSetEvent";
  const std::lock_guard lock(Runtime::get().mutex());
  return set_executed(call, executable, node, cudaGraphNodeTypeWaitEvent, [&](Work& work) {
    return bankproof::cuda::event_work(call, cudaGraphNodeTypeWaitEvent, event, work);
  });
}
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                 cudaGraph_t child) {
  constexpr const char* call = "cudaGraphExecChildGraphNodeSetParams";
  const std::lock_guard lock(Runtime::get().mutex());
  cudaGraphNode_t const found = executed(call, executable, node);
  if (found == nullptr) return Runtime::last();
  if (!is_live(call, child)) return cudaErrorInvalidResourceHandle;
  const auto* const inner = std::get_if<bankproof::cuda::ChildNode>(&found->work.parameters);
  if (inner == nullptr) {
    return Runtime::fail(cudaErrorInvalidValue,
                         fmt::format("{}: the node is of another type", call));
  }
  cudaGraphExecUpdateResultInfo result = {};
  if (update(*inner->graph, *child, result)) return cudaSuccess;
  return Runtime::fail(cudaErrorInvalidValue,
                       fmt::format("{}: the graph is not like that of the node", call));
}
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                       struct cudaGraphNodeParams* parameters) {
  constexpr const char* call = "cudaGraphExecNodeSetParams";
  const std::lock_guard lock(Runtime::get().mutex());
  if (parameters == nullptr) return no_place(call);
  if (parameters->type == cudaGraphNodeTypeGraph) {
    return cudaGraphExecChildGraphNodeSetParams(executable, node, parameters->graph.graph);
  }
  if (parameters->type == cudaGraphNodeTypeMemAlloc ||
      parameters->type == cudaGraphNodeTypeMemFree ||
      parameters->type == cudaGraphNodeTypeConditional) {
    return Runtime::fail(cudaErrorNotSupported,
                         fmt::format("{}: CUDA does not change nodes of this type", call));
  }
  return set_executed(call, executable, node, parameters->type, [&](Work& work) {
    return bankproof::cuda::any_work(call, nullptr, parameters, work);
  });
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* result) {
  constexpr const char* call = "cudaGraphExecUpdate";
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live(call, executable) || !is_live(call, graph)) return cudaErrorInvalidResourceHandle;
  cudaGraphExecUpdateResultInfo told = {};
  const bool updated = update(*executable->graph, *graph, told);
  if (result != nullptr) *result = told;
  if (updated) return cudaSuccess;
  return Runtime::fail(cudaErrorGraphExecUpdateFailure,
                       fmt::format("{}: the graphs differ in more than parameters ({})", call,
                                   static_cast<int>(told.result)));
}
// A disabled node does nothing, and its successors still wait for its predecessors.
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                    unsigned int enabled) {
  constexpr const char* call = "cudaGraphNodeSetEnabled";
  const std::lock_guard lock(Runtime::get().mutex());
  cudaGraphNode_t const found = executed(call, executable, node);
  if (found == nullptr) return Runtime::last();
  if (found->work.type > cudaGraphNodeTypeMemset) {
    return Runtime::fail(cudaErrorInvalidValue,
                         fmt::format("{}: only kernels, copies and fills can be disabled", call));
  }
  found->enabled = enabled != 0;
  return cudaSuccess;
}
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                    unsigned int* enabled) {
  constexpr const char* call = "cudaGraphNodeGetEnabled";
  const std::lock_guard lock(Runtime::get().mutex());
  cudaGraphNode_t const found = executed(call, executable, node);
  if (found == nullptr) return Runtime::last();
  if (enabled == nullptr) return no_place(call);
  *enabled = found->enabled ? 1 : 0;
  return cudaSuccess;
}
}
