// Graphs as a whole: their nodes and edges, instances of graphs and updates of these, and objects
// that graphs keep alive.
#include "forward.hpp"

using namespace bankproof::cuda::driver;  // NOLINT(google-build-using-namespace)

extern "C" {
CUresult cuGraphInstantiateWithParams(CUgraphExec* executable, CUgraph graph,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS* parameters) {
  return forward<&cudaGraphInstantiateWithParams>(
      "cuGraphInstantiateWithParams", executable, graph,
      reinterpret_cast<cudaGraphInstantiateParams*>(parameters));
}
CUresult cuGraphClone(CUgraph* clone, CUgraph original) {
  return forward<&cudaGraphClone>("cuGraphClone", clone, original);
}
CUresult cuGraphNodeFindInClone(CUgraphNode* node, CUgraphNode original, CUgraph clone) {
  return forward<&cudaGraphNodeFindInClone>("cuGraphNodeFindInClone", node, original, clone);
}
CUresult cuGraphDestroyNode(CUgraphNode node) {
  return forward<&cudaGraphDestroyNode>("cuGraphDestroyNode", node);
}
CUresult cuGraphDebugDotPrint(CUgraph graph, const char* path, unsigned flags) {
  return forward<&cudaGraphDebugDotPrint>("cuGraphDebugDotPrint", graph, path, flags);
}
CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode* nodes, size_t* count) {
  return forward<&cudaGraphGetNodes>("cuGraphGetNodes", graph, nodes, count);
}
CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode* nodes, size_t* count) {
  return forward<&cudaGraphGetRootNodes>("cuGraphGetRootNodes", graph, nodes, count);
}
CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode* from, CUgraphNode* to,
                            CUgraphEdgeData* data, size_t* count) {
  return forward<&cudaGraphGetEdges>("cuGraphGetEdges", graph, from, to, edges_of(data), count);
}
CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, size_t* count) {
  return forward<&cudaGraphGetEdges>("cuGraphGetEdges", graph, from, to, nullptr, count);
}
CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode* nodes, CUgraphEdgeData* data,
                                       size_t* count) {
  return forward<&cudaGraphNodeGetDependencies>("cuGraphNodeGetDependencies", node, nodes,
                                                edges_of(data), count);
}
CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode* nodes, size_t* count) {
  return forward<&cudaGraphNodeGetDependencies>("cuGraphNodeGetDependencies", node, nodes, nullptr,
                                                count);
}
CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode* nodes,
                                         CUgraphEdgeData* data, size_t* count) {
  return forward<&cudaGraphNodeGetDependentNodes>("cuGraphNodeGetDependentNodes", node, nodes,
                                                  edges_of(data), count);
}
CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode* nodes, size_t* count) {
  return forward<&cudaGraphNodeGetDependentNodes>("cuGraphNodeGetDependentNodes", node, nodes,
                                                  nullptr, count);
}
CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                   const CUgraphEdgeData* data, size_t count) {
  return forward<&cudaGraphAddDependencies>("cuGraphAddDependencies", graph, from, to,
                                            edges_of(data), count);
}
CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                size_t count) {
  return forward<&cudaGraphAddDependencies>("cuGraphAddDependencies", graph, from, to, nullptr,
                                            count);
}
CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                      const CUgraphEdgeData* data, size_t count) {
  return forward<&cudaGraphRemoveDependencies>("cuGraphRemoveDependencies", graph, from, to,
                                               edges_of(data), count);
}
CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                   size_t count) {
  return forward<&cudaGraphRemoveDependencies>("cuGraphRemoveDependencies", graph, from, to,
                                               nullptr, count);
}
CUresult cuGraphExecUpdate_v2(CUgraphExec executable, CUgraph graph,
                              CUgraphExecUpdateResultInfo* result) {
  return forward<&cudaGraphExecUpdate>("cuGraphExecUpdate", executable, graph,
                                       reinterpret_cast<cudaGraphExecUpdateResultInfo*>(result));
}
CUresult cuGraphExecGetFlags(CUgraphExec executable, cuuint64_t* flags) {
  return forward<&cudaGraphExecGetFlags>("cuGraphExecGetFlags", executable, flags);
}
CUresult cuGraphNodeGetEnabled(CUgraphExec executable, CUgraphNode node, unsigned* enabled) {
  return forward<&cudaGraphNodeGetEnabled>("cuGraphNodeGetEnabled", executable, node, enabled);
}
CUresult cuGraphNodeSetEnabled(CUgraphExec executable, CUgraphNode node, unsigned enabled) {
  return forward<&cudaGraphNodeSetEnabled>("cuGraphNodeSetEnabled", executable, node, enabled);
}
CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle* handle, CUgraph graph, CUcontext,
                                        unsigned value, unsigned flags) {
  return forward<&cudaGraphConditionalHandleCreate>("cuGraphConditionalHandleCreate", handle, graph,
                                                    value, flags);
}
CUresult cuUserObjectCreate(CUuserObject* object, void* pointer, CUhostFn destroy,
                            unsigned references, unsigned flags) {
  return forward<&cudaUserObjectCreate>("cuUserObjectCreate", object, pointer, destroy, references,
                                        flags);
}
CUresult cuUserObjectRetain(CUuserObject object, unsigned count) {
  return forward<&cudaUserObjectRetain>("cuUserObjectRetain", object, count);
}
CUresult cuUserObjectRelease(CUuserObject object, unsigned count) {
  return forward<&cudaUserObjectRelease>("cuUserObjectRelease", object, count);
}
CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned count,
                                 unsigned flags) {
  return forward<&cudaGraphRetainUserObject>("cuGraphRetainUserObject", graph, object, count,
                                             flags);
}
CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned count) {
  return forward<&cudaGraphReleaseUserObject>("cuGraphReleaseUserObject", graph, object, count);
}

// As before CUDA 12: places for a node with an error, and for a text about it.
CUresult cuGraphInstantiate_v2(CUgraphExec* executable, CUgraph graph, CUgraphNode* error_node,
                               char* text, size_t size) {
  if (error_node != nullptr) *error_node = nullptr;
  if (text != nullptr && size > 0) *text = 0;
  return cuGraphInstantiateWithFlags(executable, graph, 0);
}
CUresult cuGraphInstantiate(CUgraphExec* executable, CUgraph graph, CUgraphNode* error_node,
                            char* text, size_t size) {
  return cuGraphInstantiate_v2(executable, graph, error_node, text, size);
}
CUresult cuGraphExecUpdate(CUgraphExec executable, CUgraph graph, CUgraphNode* error_node,
                           CUgraphExecUpdateResult* result) {
  CUgraphExecUpdateResultInfo found = {};
  const CUresult error = cuGraphExecUpdate_v2(executable, graph, &found);
  if (error_node != nullptr) *error_node = found.errorNode;
  if (result != nullptr) *result = found.result;
  return error;
}
}
