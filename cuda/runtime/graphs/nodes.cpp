// Graphs that programs build: nodes of every kind.
#include <utility>

#include "../majors.hpp"
#include "../stream_handles.hpp"

namespace {

using bankproof::cuda::ConditionalNode;
using bankproof::cuda::edges_from;
using bankproof::cuda::Runtime;
using bankproof::cuda::Work;

/// Adds a node whose work make(work) sets. Nodes have no data on their edges then.
template <class Make>
cudaError_t add_made(const char* call, cudaGraphNode_t* node, cudaGraph_t graph,
                     const cudaGraphNode_t* after, std::size_t count, Make make) {
  const std::lock_guard lock(Runtime::get().mutex());
  if (node == nullptr || (count > 0 && after == nullptr)) return bankproof::cuda::no_place(call);
  if (!bankproof::cuda::is_live(call, graph)) return cudaErrorInvalidResourceHandle;
  Work work;
  const cudaError_t error = make(work);
  if (error != cudaSuccess) return error;
  return bankproof::cuda::add_node(call, node, graph, edges_from(after, nullptr, count),
                                   std::move(work));
}

}  // namespace

BANKPROOF_OF_13(cudaGraphAddNode);

extern "C" {
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, size_t count,
                                   const struct cudaKernelNodeParams* parameters) {
  constexpr const char* call = "cudaGraphAddKernelNode";
  return add_made(call, node, graph, after, count,
                  [&](Work& work) { return bankproof::cuda::kernel_work(call, parameters, work); });
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, size_t count,
                                   const struct cudaMemcpy3DParms* parameters) {
  constexpr const char* call = "cudaGraphAddMemcpyNode";
  return add_made(call, node, graph, after, count,
                  [&](Work& work) { return bankproof::cuda::copy_work(call, parameters, work); });
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* after, size_t count, void* to,
                                     const void* from, size_t size, enum cudaMemcpyKind kind) {
  constexpr const char* call = "cudaGraphAddMemcpyNode1D";
  return add_made(call, node, graph, after, count, [&](Work& work) {
    return bankproof::cuda::copy_work(call, to, from, size, kind, work);
  });
}
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* after, size_t count,
                                           const void* symbol, const void* from, size_t size,
                                           size_t offset, enum cudaMemcpyKind kind) {
  constexpr const char* call = "cudaGraphAddMemcpyNodeToSymbol";
  return add_made(call, node, graph, after, count, [&](Work& work) {
    return bankproof::cuda::symbol_copy_work(call, nullptr, from, symbol, size, offset, kind, work);
  });
}
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* after, size_t count, void* to,
                                             const void* symbol, size_t size, size_t offset,
                                             enum cudaMemcpyKind kind) {
  constexpr const char* call = "cudaGraphAddMemcpyNodeFromSymbol";
  return add_made(call, node, graph, after, count, [&](Work& work) {
    return bankproof::cuda::symbol_copy_work(call, to, nullptr, symbol, size, offset, kind, work);
  });
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, size_t count,
                                   const struct cudaMemsetParams* parameters) {
  constexpr const char* call = "cudaGraphAddMemsetNode";
  return add_made(call, node, graph, after, count,
                  [&](Work& work) { return bankproof::cuda::fill_work(call, parameters, work); });
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* after, size_t count,
                                 const struct cudaHostNodeParams* parameters) {
  constexpr const char* call = "cudaGraphAddHostNode";
  return add_made(call, node, graph, after, count,
                  [&](Work& work) { return bankproof::cuda::host_work(call, parameters, work); });
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* after, size_t count,
                                       cudaGraph_t child) {
  constexpr const char* call = "cudaGraphAddChildGraphNode";
  return add_made(call, node, graph, after, count,
                  [&](Work& work) { return bankproof::cuda::child_work(call, child, work); });
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* after, size_t count) {
  return add_made("cudaGraphAddEmptyNode", node, graph, after, count, [](Work& work) {
    work.what = "an empty node";
    return cudaSuccess;
  });
}
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* after, size_t count,
                                        cudaEvent_t event) {
  constexpr const char* call = "cudaGraphAddEventRecordNode";
  return add_made(call, node, graph, after, count, [&](Work& work) {
    return bankproof::cuda::event_work(call, cudaGraphNodeTypeEventRecord, event, work);
  });
}
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* after, size_t count,
                                      cudaEvent_t event) {
  constexpr const char* call = "cudaGraphAddEventWaitNode";
  return add_made(call, node, graph, after, count, [&](Work& work) {
    return bankproof::cuda::event_work(call, cudaGraphNodeTypeWaitEvent, event, work);
  });
}
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* after, size_t count,
                                     struct cudaMemAllocNodeParams* parameters) {
  constexpr const char* call = "cudaGraphAddMemAllocNode";
  return add_made(call, node, graph, after, count, [&](Work& work) {
    return bankproof::cuda::allocation_work(call, parameters, work);
  });
}
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* after, size_t count, void* pointer) {
  constexpr const char* call = "cudaGraphAddMemFreeNode";
  return add_made(call, node, graph, after, count,
                  [&](Work& work) { return bankproof::cuda::free_work(call, pointer, work); });
}
cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                             const cudaGraphEdgeData* data, size_t count,
                             struct cudaGraphNodeParams* parameters) {
  constexpr const char* call = "cudaGraphAddNode";
  const cudaError_t error = add_made(call, node, graph, after, count, [&](Work& work) {
    return bankproof::cuda::any_work(call, graph, parameters, work);
  });
  if (error != cudaSuccess) return error;
  for (std::size_t k = 0; data != nullptr && k < count; ++k) {
    for (bankproof::cuda::Edge& edge : (*node)->after) {
      if (edge.from == after[k]) edge.data = data[k];
    }
  }
  if (auto* const condition = std::get_if<ConditionalNode>(&(*node)->work.parameters)) {
    parameters->conditional.phGraph_out = condition->bodies.data();
  }
  return cudaSuccess;
}
}
