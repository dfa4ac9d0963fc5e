// Nodes of graphs, but for those whose parameters graph_parameters.cpp translates.
#include "forward.hpp"
#include "pointers.hpp"

using namespace bankproof::cuda::driver;  // NOLINT(google-build-using-namespace)

extern "C" {
CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType* type) {
  return forward<&cudaGraphNodeGetType>("cuGraphNodeGetType", node,
                                        reinterpret_cast<cudaGraphNodeType*>(type));
}
CUresult cuGraphAddEmptyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                             size_t count) {
  return forward<&cudaGraphAddEmptyNode>("cuGraphAddEmptyNode", node, graph, after, count);
}
CUresult cuGraphAddChildGraphNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                  size_t count, CUgraph child) {
  return forward<&cudaGraphAddChildGraphNode>("cuGraphAddChildGraphNode", node, graph, after, count,
                                              child);
}
CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph* graph) {
  return forward<&cudaGraphChildGraphNodeGetGraph>("cuGraphChildGraphNodeGetGraph", node, graph);
}
CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                            CUgraph child) {
  return forward<&cudaGraphExecChildGraphNodeSetParams>("cuGraphExecChildGraphNodeSetParams",
                                                        executable, node, child);
}
CUresult cuGraphAddEventRecordNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                   size_t count, CUevent event) {
  return forward<&cudaGraphAddEventRecordNode>("cuGraphAddEventRecordNode", node, graph, after,
                                               count, event);
}
CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent* event) {
  return forward<&cudaGraphEventRecordNodeGetEvent>("cuGraphEventRecordNodeGetEvent", node, event);
}
CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) {
  return forward<&cudaGraphEventRecordNodeSetEvent>("cuGraphEventRecordNodeSetEvent", node, event);
}
CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec executable, CUgraphNode node,
                                            CUevent event) {
  return forward<&cudaGraphExecEventRecordNodeSetEvent>("cuGraphExecEventRecordNodeSetEvent",
                                                        executable, node, event);
}
CUresult cuGraphAddEventWaitNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                 size_t count, CUevent event) {
  return forward<&cudaGraphAddEventWaitNode>("cuGraphAddEventWaitNode", node, graph, after, count,
                                             event);
}
CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent* event) {
  return forward<&cudaGraphEventWaitNodeGetEvent>("cuGraphEventWaitNodeGetEvent", node, event);
}
CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) {
  return forward<&cudaGraphEventWaitNodeSetEvent>("cuGraphEventWaitNodeSetEvent", node, event);
}
CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec executable, CUgraphNode node, CUevent event) {
  return forward<&cudaGraphExecEventWaitNodeSetEvent>("cuGraphExecEventWaitNodeSetEvent",
                                                      executable, node, event);
}
CUresult cuGraphAddHostNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                            size_t count, const CUDA_HOST_NODE_PARAMS* parameters) {
  return forward<&cudaGraphAddHostNode>("cuGraphAddHostNode", node, graph, after, count,
                                        reinterpret_cast<const cudaHostNodeParams*>(parameters));
}
CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS* parameters) {
  return forward<&cudaGraphHostNodeGetParams>("cuGraphHostNodeGetParams", node,
                                              reinterpret_cast<cudaHostNodeParams*>(parameters));
}
CUresult cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS* parameters) {
  return forward<&cudaGraphHostNodeSetParams>(
      "cuGraphHostNodeSetParams", node, reinterpret_cast<const cudaHostNodeParams*>(parameters));
}
CUresult cuGraphExecHostNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                      const CUDA_HOST_NODE_PARAMS* parameters) {
  return forward<&cudaGraphExecHostNodeSetParams>(
      "cuGraphExecHostNodeSetParams", executable, node,
      reinterpret_cast<const cudaHostNodeParams*>(parameters));
}
CUresult cuGraphAddMemsetNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                              size_t count, const CUDA_MEMSET_NODE_PARAMS* parameters, CUcontext) {
  return forward<&cudaGraphAddMemsetNode>("cuGraphAddMemsetNode", node, graph, after, count,
                                          reinterpret_cast<const cudaMemsetParams*>(parameters));
}
CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS* parameters) {
  return forward<&cudaGraphMemsetNodeGetParams>("cuGraphMemsetNodeGetParams", node,
                                                reinterpret_cast<cudaMemsetParams*>(parameters));
}
CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* parameters) {
  return forward<&cudaGraphMemsetNodeSetParams>(
      "cuGraphMemsetNodeSetParams", node, reinterpret_cast<const cudaMemsetParams*>(parameters));
}
CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                        const CUDA_MEMSET_NODE_PARAMS* parameters, CUcontext) {
  return forward<&cudaGraphExecMemsetNodeSetParams>(
      "cuGraphExecMemsetNodeSetParams", executable, node,
      reinterpret_cast<const cudaMemsetParams*>(parameters));
}
CUresult cuGraphAddMemAllocNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                size_t count, CUDA_MEM_ALLOC_NODE_PARAMS* parameters) {
  return forward<&cudaGraphAddMemAllocNode>("cuGraphAddMemAllocNode", node, graph, after, count,
                                            reinterpret_cast<cudaMemAllocNodeParams*>(parameters));
}
CUresult cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS* parameters) {
  return forward<&cudaGraphMemAllocNodeGetParams>(
      "cuGraphMemAllocNodeGetParams", node, reinterpret_cast<cudaMemAllocNodeParams*>(parameters));
}
CUresult cuGraphAddMemFreeNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                               size_t count, CUdeviceptr pointer) {
  return forward<&cudaGraphAddMemFreeNode>("cuGraphAddMemFreeNode", node, graph, after, count,
                                           pointer_of(pointer));
}
CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr* pointer) {
  return forward<&cudaGraphMemFreeNodeGetParams>("cuGraphMemFreeNodeGetParams", node, pointer);
}
CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode to, CUgraphNode from) {
  return forward<&cudaGraphKernelNodeCopyAttributes>("cuGraphKernelNodeCopyAttributes", to, from);
}
}
