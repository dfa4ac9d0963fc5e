// Executable graphs, and their launches: a walk over the nodes in an order of their edges.
//
// Every node becomes an operation that happens after its predecessors. A node with a graph begins
// the nodes of that graph, and its successors happen after all of them. A conditional node needs
// its value, so all that happens before it is performed first; then its body's nodes are begun.
#include <utility>

#include "../conditions.hpp"
#include "../stream_handles.hpp"

namespace bankproof::cuda {

class Runtime::GraphWalk {
 public:
  GraphWalk(Runtime& runtime, CUgraphExec_st& executable, cudaStream_t stream)
      : runtime_(runtime),
        stream_(runtime.stream_number(stream)),
        place_(executable.place),
        frees_first_((executable.flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) != 0) {}

  cudaError_t launch(CUgraphExec_st& executable) {
    std::vector<Operation> before = executable.last;
    const std::vector<Condition> assigned = assigned_conditions(*executable.graph);
    if (!assigned.empty()) {
      before = {begin("the values of conditional nodes", host_call(), before,
                      [assigned] { return assign_conditions(assigned); })};
    }
    Operations last = walk(*executable.graph, before);
    runtime_.ordering_.order().join(stream_, last);
    flush();
    executable.last = std::move(last);
    return *result_;
  }

 private:
  using Operations = std::vector<Operation>;

  struct Begun {
    Operation operation;
    Enqueued enqueued;
    Action action;
  };

  Operation begin(const std::string& what, const HostCall& call, const Operations& after,
                  Action action) {
    Operation operation =
        runtime_.ordering_.order().begin_after(stream_, runtime_.ordering_.host(), after);
    begun_.push_back({operation, {what, call}, std::move(action)});
    return operation;
  }

  /// Performs what was begun, now or later.
  void flush() {
    for (Begun& one : std::exchange(begun_, {})) {
      runtime_.ordering_.perform(
          one.operation, std::move(one.enqueued),
          [result = result_, &runtime = runtime_, action = std::move(one.action)] {
            if (*result == cudaSuccess && action) *result = action();
            if (*result != cudaSuccess && runtime.ordering_.is_late()) {
              runtime.late_error_ = *result;
            }
          });
    }
  }

  /// Begins the graph's nodes; returns the operations after which all of them are done.
  Operations walk(const CUgraph_st& graph, const Operations& before) {
    std::map<cudaGraphNode_t, Operations> done;
    std::set<cudaGraphNode_t> followed;
    for (cudaGraphNode_t node : in_order(graph)) {
      Operations after = node->after.empty() ? before : Operations();
      for (const Edge& edge : node->after) {
        followed.insert(edge.from);
        const Operations& earlier = done.at(edge.from);
        after.insert(after.end(), earlier.begin(), earlier.end());
      }
      done[node] = node->enabled ? visit(*node, after) : after;
    }
    Operations last = graph.nodes.empty() ? before : Operations();
    for (const auto& [node, operations] : done) {
      if (followed.count(node) == 0) {
        last.insert(last.end(), operations.begin(), operations.end());
      }
    }
    return last;
  }

  Operations visit(const CUgraphNode_st& node, Operations after) {
    const Work& work = node.work;
    if (const auto* const child = std::get_if<ChildNode>(&work.parameters)) {
      return walk(*child->graph, after);
    }
    if (const auto* const condition = std::get_if<ConditionalNode>(&work.parameters)) {
      return decide(*condition, node, after);
    }
    const auto* const event = std::get_if<EventNode>(&work.parameters);
    const bool exists = event != nullptr && handles<CUevent_st>().is_live(event->event);
    if (exists && work.type == cudaGraphNodeTypeWaitEvent) {
      after.push_back(runtime_.ordering_.order().recorded(event->event->number));
    }
    const Operation operation = begin(work.what + place_, node.made, after, action_of(work));
    if (exists && work.type == cudaGraphNodeTypeEventRecord) {
      runtime_.ordering_.order().record(event->event->number, operation);
    }
    return {operation};
  }

  Action action_of(const Work& work) const {
    const auto* const allocation = std::get_if<cudaMemAllocNodeParams>(&work.parameters);
    if (allocation == nullptr || !frees_first_) return work.action;
    return [pointer = allocation->dptr] { return get().begin_graph_memory(pointer, true); };
  }

  /// Reads the value, after all that happens before the node.
  unsigned value_of(const ConditionalNode& of, const CUgraphNode_st& node, Operations& after) {
    const auto value = std::make_shared<unsigned>(0);
    const Operation operation =
        begin("a conditional node", node.made, after, [value, handle = of.handle] {
          *value = condition_value(handle);
          return cudaSuccess;
        });
    flush();
    runtime_.ordering_.perform_before({operation.name, operation.after()});
    after = {operation};
    return *result_ == cudaSuccess ? *value : 0;
  }

  Operations decide(const ConditionalNode& of, const CUgraphNode_st& node, Operations after) {
    unsigned value = value_of(of, node, after);
    if (of.type == cudaGraphCondTypeWhile) {
      for (; value != 0; value = value_of(of, node, after)) after = walk(*of.bodies[0], after);
      return after;
    }
    std::size_t body = value;
    if (of.type == cudaGraphCondTypeIf) body = value != 0 ? 0 : 1;
    return body < of.bodies.size() ? walk(*of.bodies[body], after) : after;
  }

  Runtime& runtime_;
  Stream stream_;
  std::string place_;
  bool frees_first_;
  std::shared_ptr<cudaError_t> result_ = std::make_shared<cudaError_t>(cudaSuccess);
  std::vector<Begun> begun_;
};

cudaError_t Runtime::launch(CUgraphExec_st& executable, cudaStream_t stream) {
  const std::lock_guard lock(mutex_);
  if (const cudaError_t error = require_no_host_function("cudaGraphLaunch"); error != cudaSuccess)
    return error;
  if (capture_of(stream) != nullptr) {
    Work work;
    const cudaError_t error = child_work("cudaGraphLaunch", executable.graph, work);
    return error == cudaSuccess ? perform(std::move(work), stream) : error;
  }
  if (const cudaError_t error = require_usable("cudaGraphLaunch", stream); error != cudaSuccess)
    return error;
  ordering_.use_streams();
  return GraphWalk(*this, executable, stream).launch(executable);
}

namespace {

/// Whether the graph and the graphs of its nodes can be launched.
bool has_circle(const CUgraph_st& graph) {
  bool found = in_order(graph).size() != graph.nodes.size();
  for_all_nodes(graph, [&](cudaGraphNode_t node) {
    const CUgraph_st& own = *node->graph;
    if (in_order(own).size() != own.nodes.size()) found = true;
  });
  return found;
}

cudaError_t instantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags) {
  constexpr const char* call = "cudaGraphInstantiate";
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live(call, graph)) return cudaErrorInvalidResourceHandle;
  if (executable == nullptr) return no_place(call);
  if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0) {
    return Runtime::fail(cudaErrorNotSupported,
                         fmt::format("{}: kernels do not launch graphs here", call));
  }
  if (has_circle(*graph)) {
    return Runtime::fail(cudaErrorInvalidValue,
                         fmt::format("{}: the edges of the graph form a circle", call));
  }
  return create(executable, CUgraphExec_st{.graph = clone(*graph), .flags = flags});
}

}  // namespace
}  // namespace bankproof::cuda

using bankproof::cuda::is_live;
using bankproof::cuda::is_live_stream;
using bankproof::cuda::no_place;
using bankproof::cuda::Runtime;

// The headers for clang have an overload.
#pragma weak cudaGraphInstantiate
extern "C" cudaError_t bankproof_of_13_cudaGraphInstantiate(cudaGraphExec_t* executable,
                                                            cudaGraph_t graph,
                                                            unsigned long long flags)
    __attribute__((alias("cudaGraphInstantiate")));

extern "C" {
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 unsigned long long flags) {
  return bankproof::cuda::instantiate(executable, graph, flags);
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long flags) {
  return bankproof::cuda::instantiate(executable, graph, flags);
}
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* executable, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* parameters) {
  if (parameters == nullptr) return no_place("cudaGraphInstantiateWithParams");
  const cudaError_t error = bankproof::cuda::instantiate(executable, graph, parameters->flags);
  parameters->errNode_out = nullptr;
  parameters->result_out = error == cudaSuccess ? cudaGraphInstantiateSuccess
                           : error == cudaErrorNotSupported
                               ? cudaGraphInstantiateNodeOperationNotSupported
                           : error == cudaErrorInvalidValue ? cudaGraphInstantiateInvalidStructure
                                                            : cudaGraphInstantiateError;
  return error;
}
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t executable, unsigned long long* flags) {
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live("cudaGraphExecGetFlags", executable)) return cudaErrorInvalidResourceHandle;
  if (flags == nullptr) return no_place("cudaGraphExecGetFlags");
  *flags = executable->flags;
  return cudaSuccess;
}
// Graphs need no upload.
cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream) {
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live("cudaGraphUpload", executable)) return cudaErrorInvalidResourceHandle;
  return is_live_stream("cudaGraphUpload", stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live("cudaGraphLaunch", executable)) return cudaErrorInvalidResourceHandle;
  if (!is_live_stream("cudaGraphLaunch", stream)) return cudaErrorInvalidResourceHandle;
  return Runtime::get().launch(*executable, stream);
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live("cudaGraphExecDestroy", executable)) return cudaErrorInvalidResourceHandle;
  bankproof::cuda::destroy_graph(executable->graph);
  return bankproof::cuda::destroy("cudaGraphExecDestroy", executable);
}
}
