// Conditional nodes of graphs (CUDA Programming Guide, "Conditional Graph Nodes"), and the values
// on which they depend.
#include <utility>

#include "../conditions.hpp"
#include "../stream_handles.hpp"

namespace bankproof::cuda {

namespace {

const void* pointer_to(cudaGraphConditionalHandle handle) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of the machine.
  return reinterpret_cast<const void*>(static_cast<std::uintptr_t>(handle));
}

bool has_condition(const CUgraph_st& graph, cudaGraphConditionalHandle handle) {
  for (const Condition& one : graph.conditions) {
    if (one.handle == handle) return true;
  }
  return false;
}

}  // namespace

unsigned condition_value(cudaGraphConditionalHandle handle) {
  unsigned value = 0;
  Runtime::get().copy(&value, pointer_to(handle), sizeof value, cudaMemcpyDeviceToHost);
  return value;
}

cudaError_t assign_conditions(const std::vector<Condition>& conditions) {
  for (const Condition& one : conditions) {
    const cudaError_t error =
        Runtime::get().copy(const_cast<void*>(pointer_to(one.handle)), &one.value, sizeof one.value,
                            cudaMemcpyHostToDevice);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

std::vector<Condition> assigned_conditions(const CUgraph_st& graph) {
  std::vector<Condition> all;
  const auto add = [&](const CUgraph_st& one) {
    for (const Condition& condition : one.conditions) {
      if (condition.is_assigned) all.push_back(condition);
    }
  };
  add(graph);
  for_all_nodes(graph, [&](cudaGraphNode_t node) {
    if (node->graph != &graph && node->graph->nodes.front() == node) add(*node->graph);
  });
  return all;
}

cudaError_t conditional_work(const char* call, cudaGraph_t graph,
                             const cudaConditionalNodeParams& of, Work& work) {
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live(call, graph)) return cudaErrorInvalidResourceHandle;
  if (!has_condition(*graph, of.handle)) {
    return Runtime::fail(cudaErrorInvalidValue,
                         fmt::format("{}: the graph has no such conditional handle", call));
  }
  const bool fits = of.type == cudaGraphCondTypeIf      ? of.size == 1 || of.size == 2
                    : of.type == cudaGraphCondTypeWhile ? of.size == 1
                                                        : of.size > 0;
  if (of.type > cudaGraphCondTypeSwitch || !fits) {
    return Runtime::fail(cudaErrorInvalidValue,
                         fmt::format("{}: a conditional node of type {} cannot have {} graphs",
                                     call, static_cast<int>(of.type), of.size));
  }
  ConditionalNode node{of.handle, of.type, {}};
  for (unsigned k = 0; k < of.size; ++k) {
    node.bodies.push_back(handles<CUgraph_st>().make(CUgraph_st{}));
  }
  work = {"a conditional node", cudaGraphNodeTypeConditional, std::move(node), {}};
  return cudaSuccess;
}

}  // namespace bankproof::cuda

using bankproof::cuda::is_live;
using bankproof::cuda::Runtime;

extern "C" {
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                             unsigned int value, unsigned int flags) {
  constexpr const char* call = "cudaGraphConditionalHandleCreate";
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live(call, graph)) return cudaErrorInvalidResourceHandle;
  if (handle == nullptr) return bankproof::cuda::no_place(call);
  if ((flags & ~static_cast<unsigned>(cudaGraphCondAssignDefault)) != 0) {
    return Runtime::fail(cudaErrorInvalidValue,
                         fmt::format("{}: unknown flags {:#x}", call, flags));
  }
  void* place = nullptr;
  const cudaError_t error = Runtime::get().allocate_for_graph(&place, sizeof value, true);
  if (error != cudaSuccess) return error;
  *handle = reinterpret_cast<std::uintptr_t>(place);
  graph->conditions.push_back({*handle, value, flags != 0});
  return bankproof::cuda::assign_conditions({{*handle, value, true}});
}
}
