// The parameters of nodes: programs read them, and set them for later launches.
#include <utility>

#include "../stream_handles.hpp"

namespace {

using bankproof::cuda::ChildNode;
using bankproof::cuda::EventNode;
using bankproof::cuda::FreeNode;
using bankproof::cuda::is_live;
using bankproof::cuda::KernelNode;
using bankproof::cuda::no_place;
using bankproof::cuda::Runtime;
using bankproof::cuda::Work;

/// The node's parameters; null, and the call fails, if it has other ones.
template <class Parameters>
Parameters* parameters_of_node(const char* call, cudaGraphNode_t node) {
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live(call, node)) return nullptr;
  auto* const found = std::get_if<Parameters>(&node->work.parameters);
  if (found != nullptr) return found;
  if (std::holds_alternative<bankproof::cuda::SymbolCopy>(node->work.parameters)) {
    Runtime::fail(cudaErrorNotSupported,
                  fmt::format("{}: the machine does not keep the parameters of this operation: {}",
                              call, node->work.what));
  } else {
    Runtime::fail(cudaErrorInvalidValue, fmt::format("{}: the node is of another type", call));
  }
  return nullptr;
}

template <class Parameters, class T>
cudaError_t read(const char* call, cudaGraphNode_t node, T* to) {
  const auto* const found = parameters_of_node<Parameters>(call, node);
  if (found == nullptr) return Runtime::last();
  if (to == nullptr) return no_place(call);
  if constexpr (std::is_same_v<Parameters, EventNode>) {
    *to = found->event;
  } else {
    *to = *found;
  }
  return cudaSuccess;
}

/// Replaces the work of a node by that of the same type which make(work) sets.
template <class Make>
cudaError_t change(const char* call, cudaGraphNode_t node, cudaGraphNodeType type, Make make) {
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live(call, node)) return cudaErrorInvalidResourceHandle;
  return bankproof::cuda::replace_work(call, *node, type, make);
}

}  // namespace

namespace bankproof::cuda {

cudaError_t replace_work(const char* call, CUgraphNode_st& node, cudaGraphNodeType type,
                         const std::function<cudaError_t(Work&)>& make) {
  if (node.work.type != type) {
    return Runtime::fail(cudaErrorInvalidValue,
                         fmt::format("{}: the node is of another type", call));
  }
  Work work;
  const cudaError_t error = make(work);
  if (error != cudaSuccess) return error;
  auto* const kernel = std::get_if<KernelNode>(&work.parameters);
  if (kernel != nullptr) {
    kernel->attributes = std::get<KernelNode>(node.work.parameters).attributes;
  }
  node.work = std::move(work);
  return cudaSuccess;
}

}  // namespace bankproof::cuda

extern "C" {
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node,
                                         struct cudaKernelNodeParams* parameters) {
  constexpr const char* call = "cudaGraphKernelNodeGetParams";
  auto* const kernel = parameters_of_node<KernelNode>(call, node);
  if (kernel == nullptr) return Runtime::last();
  if (parameters == nullptr) return no_place(call);
  kernel->arguments.clear();
  for (auto& value : kernel->values) kernel->arguments.push_back(value.data());
  const void* const function =
      kernel->kernel->stub != nullptr ? kernel->kernel->stub : kernel->kernel;
  *parameters = {const_cast<void*>(function), kernel->grid, kernel->block, kernel->shared,
                 kernel->arguments.data(),    nullptr};
  return cudaSuccess;
}
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node,
                                         struct cudaMemcpy3DParms* parameters) {
  return read<cudaMemcpy3DParms>("cudaGraphMemcpyNodeGetParams", node, parameters);
}
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node,
                                         struct cudaMemsetParams* parameters) {
  return read<cudaMemsetParams>("cudaGraphMemsetNodeGetParams", node, parameters);
}
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node,
                                       struct cudaHostNodeParams* parameters) {
  return read<cudaHostNodeParams>("cudaGraphHostNodeGetParams", node, parameters);
}
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                           struct cudaMemAllocNodeParams* parameters) {
  return read<cudaMemAllocNodeParams>("cudaGraphMemAllocNodeGetParams", node, parameters);
}
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* pointer) {
  FreeNode found;
  const cudaError_t error = read<FreeNode>("cudaGraphMemFreeNodeGetParams", node, &found);
  if (error != cudaSuccess) return error;
  if (pointer == nullptr) return no_place("cudaGraphMemFreeNodeGetParams");
  *static_cast<void**>(pointer) = found.pointer;
  return cudaSuccess;
}
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
  ChildNode found;
  const cudaError_t error = read<ChildNode>("cudaGraphChildGraphNodeGetGraph", node, &found);
  if (error != cudaSuccess) return error;
  if (graph == nullptr) return no_place("cudaGraphChildGraphNodeGetGraph");
  *graph = found.graph;
  return cudaSuccess;
}
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return read<EventNode>("cudaGraphEventRecordNodeGetEvent", node, event);
}
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return read<EventNode>("cudaGraphEventWaitNodeGetEvent", node, event);
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaKernelNodeParams* parameters) {
  constexpr const char* call = "cudaGraphKernelNodeSetParams";
  return change(call, node, cudaGraphNodeTypeKernel,
                [&](Work& work) { return bankproof::cuda::kernel_work(call, parameters, work); });
}
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaMemcpy3DParms* parameters) {
  constexpr const char* call = "cudaGraphMemcpyNodeSetParams";
  return change(call, node, cudaGraphNodeTypeMemcpy,
                [&](Work& work) { return bankproof::cuda::copy_work(call, parameters, work); });
}
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                           size_t size, enum cudaMemcpyKind kind) {
  constexpr const char* call = "cudaGraphMemcpyNodeSetParams1D";
  return change(call, node, cudaGraphNodeTypeMemcpy, [&](Work& work) {
    return bankproof::cuda::copy_work(call, to, from, size, kind, work);
  });
}
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol,
                                                 const void* from, size_t size, size_t offset,
                                                 enum cudaMemcpyKind kind) {
  constexpr const char* call = "cudaGraphMemcpyNodeSetParamsToSymbol";
  return change(call, node, cudaGraphNodeTypeMemcpy, [&](Work& work) {
    return bankproof::cuda::symbol_copy_work(call, nullptr, from, symbol, size, offset, kind, work);
  });
}
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to,
                                                   const void* symbol, size_t size, size_t offset,
                                                   enum cudaMemcpyKind kind) {
  constexpr const char* call = "cudaGraphMemcpyNodeSetParamsFromSymbol";
  return change(call, node, cudaGraphNodeTypeMemcpy, [&](Work& work) {
    return bankproof::cuda::symbol_copy_work(call, to, nullptr, symbol, size, offset, kind, work);
  });
}
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaMemsetParams* parameters) {
  constexpr const char* call = "cudaGraphMemsetNodeSetParams";
  return change(call, node, cudaGraphNodeTypeMemset,
                [&](Work& work) { return bankproof::cuda::fill_work(call, parameters, work); });
}
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node,
                                       const struct cudaHostNodeParams* parameters) {
  constexpr const char* call = "cudaGraphHostNodeSetParams";
  return change(call, node, cudaGraphNodeTypeHost,
                [&](Work& work) { return bankproof::cuda::host_work(call, parameters, work); });
}
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  constexpr const char* call = "cudaGraphEventRecordNodeSetEvent";
  return change(call, node, cudaGraphNodeTypeEventRecord, [&](Work& work) {
    return bankproof::cuda::event_work(call, cudaGraphNodeTypeEventRecord, event, work);
  });
}
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  constexpr const char* call = "cudaGraphEventWaitNodeSetEvent";
  return change(call, node, cudaGraphNodeTypeWaitEvent, [&](Work& work) {
    return bankproof::cuda::event_work(call, cudaGraphNodeTypeWaitEvent, event, work);
  });
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams* parameters) {
  constexpr const char* call = "cudaGraphNodeSetParams";
  if (parameters == nullptr) return no_place(call);
  return change(call, node, parameters->type, [&](Work& work) {
    return bankproof::cuda::any_work(call, node->graph, parameters, work);
  });
}

// Attributes of kernels do not change results; programs read what they have set.
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaKernelNodeAttrID attribute,
                                            const cudaKernelNodeAttrValue* value) {
  constexpr const char* call = "cudaGraphKernelNodeSetAttribute";
  auto* const kernel = parameters_of_node<KernelNode>(call, node);
  if (kernel == nullptr) return Runtime::last();
  if (value == nullptr) return no_place(call);
  kernel->attributes[attribute] = *value;
  return cudaSuccess;
}
cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaKernelNodeAttrID attribute,
                                            cudaKernelNodeAttrValue* value) {
  constexpr const char* call = "cudaGraphKernelNodeGetAttribute";
  auto* const kernel = parameters_of_node<KernelNode>(call, node);
  if (kernel == nullptr) return Runtime::last();
  if (value == nullptr) return no_place(call);
  const auto found = kernel->attributes.find(attribute);
  *value = found == kernel->attributes.end() ? cudaKernelNodeAttrValue{} : found->second;
  return cudaSuccess;
}
cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
  constexpr const char* call = "cudaGraphKernelNodeCopyAttributes";
  const auto* const source = parameters_of_node<KernelNode>(call, from);
  auto* const target = source == nullptr ? nullptr : parameters_of_node<KernelNode>(call, to);
  if (target == nullptr) return Runtime::last();
  target->attributes = source->attributes;
  return cudaSuccess;
}
}
