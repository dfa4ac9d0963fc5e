// Graphs as a whole: they are made, cloned and destroyed.
#include <algorithm>
#include <utility>

#include "../stream_handles.hpp"

namespace bankproof::cuda {

namespace {

/// The graphs of a node: a child, or the bodies of a conditional node.
std::vector<cudaGraph_t> graphs_of(const Work& work) {
  if (const auto* const child = std::get_if<ChildNode>(&work.parameters)) return {child->graph};
  if (const auto* const condition = std::get_if<ConditionalNode>(&work.parameters)) {
    return condition->bodies;
  }
  return {};
}

void own_graphs(cudaGraphNode_t node) {
  for (cudaGraph_t graph : graphs_of(node->work)) graph->owner = node;
}

}  // namespace

void for_all_nodes(const CUgraph_st& graph, const std::function<void(cudaGraphNode_t)>& act) {
  for (cudaGraphNode_t node : graph.nodes) {
    act(node);
    for (cudaGraph_t inner : graphs_of(node->work)) for_all_nodes(*inner, act);
  }
}

cudaGraphNode_t clone_of(const CUgraph_st& graph, cudaGraphNode_t original) {
  cudaGraphNode_t found = nullptr;
  for_all_nodes(graph, [&](cudaGraphNode_t node) {
    if (node->original == original) found = node;
  });
  return found;
}

Work clone(const Work& work) {
  Work copy = work;
  if (auto* const child = std::get_if<ChildNode>(&copy.parameters)) {
    child->graph = clone(*child->graph);
  } else if (auto* const condition = std::get_if<ConditionalNode>(&copy.parameters)) {
    for (cudaGraph_t& body : condition->bodies) body = clone(*body);
  }
  return copy;
}

cudaGraph_t clone(const CUgraph_st& graph) {
  cudaGraph_t copy = handles<CUgraph_st>().make(CUgraph_st{});
  copy->conditions = graph.conditions;
  copy->objects = graph.objects;
  for (const auto& [object, count] : graph.objects) object->references += count;
  std::map<cudaGraphNode_t, cudaGraphNode_t> copies;
  for (cudaGraphNode_t node : graph.nodes) {
    cudaGraphNode_t made = handles<CUgraphNode_st>().make(CUgraphNode_st{
        .graph = copy, .work = clone(node->work), .original = node, .made = node->made});
    made->enabled = node->enabled;
    own_graphs(made);
    copies[node] = made;
    copy->nodes.push_back(made);
  }
  for (cudaGraphNode_t node : graph.nodes) {
    for (const Edge& edge : node->after) {
      copies[node]->after.push_back({copies.at(edge.from), edge.data});
    }
  }
  return copy;
}

cudaError_t add_node(const char* call, cudaGraphNode_t* node, cudaGraph_t graph,
                     const std::vector<Edge>& after, Work work) {
  const std::lock_guard lock(Runtime::get().mutex());
  if (node == nullptr) return no_place(call);
  if (!is_live(call, graph)) return cudaErrorInvalidResourceHandle;
  for (const Edge& edge : after) {
    if (!is_live(call, edge.from)) return cudaErrorInvalidResourceHandle;
    if (edge.from->graph != graph) {
      return Runtime::fail(cudaErrorInvalidValue,
                           fmt::format("{}: a dependency is a node of another graph", call));
    }
  }
  std::vector<Edge> edges;  // each once
  for (const Edge& edge : after) {
    const auto same = [&](const Edge& other) { return other.from == edge.from; };
    if (std::none_of(edges.begin(), edges.end(), same)) edges.push_back(edge);
  }
  *node = handles<CUgraphNode_st>().make(CUgraphNode_st{
      .graph = graph, .work = std::move(work), .after = std::move(edges), .made = host_call()});
  own_graphs(*node);
  graph->nodes.push_back(*node);
  return cudaSuccess;
}

void destroy_node(cudaGraphNode_t node) {
  for (cudaGraph_t inner : graphs_of(node->work)) destroy_graph(inner);
  std::erase(node->graph->nodes, node);
  for (cudaGraphNode_t other : node->graph->nodes) {
    std::erase_if(other->after, [&](const Edge& edge) { return edge.from == node; });
  }
  handles<CUgraphNode_st>().destroy(node);
}

void destroy_graph(cudaGraph_t graph) {
  while (!graph->nodes.empty()) destroy_node(graph->nodes.back());
  release_objects(*graph);
  handles<CUgraph_st>().destroy(graph);
}

// Each pass takes the nodes whose predecessors are done, in the order of their creation.
std::vector<cudaGraphNode_t> in_order(const CUgraph_st& graph) {
  std::vector<cudaGraphNode_t> order;
  std::set<cudaGraphNode_t> done;
  const auto is_ready = [&](cudaGraphNode_t node) {
    return done.count(node) == 0 &&
           std::all_of(node->after.begin(), node->after.end(),
                       [&](const Edge& edge) { return done.count(edge.from) != 0; });
  };
  for (std::size_t before = 1; before != 0;) {
    before = 0;
    for (cudaGraphNode_t node : graph.nodes) {
      if (!is_ready(node)) continue;
      order.push_back(node);
      done.insert(node);
      ++before;
    }
  }
  return order.size() == graph.nodes.size() ? order : std::vector<cudaGraphNode_t>();
}

}  // namespace bankproof::cuda

using bankproof::cuda::create;
using bankproof::cuda::is_live;
using bankproof::cuda::no_place;
using bankproof::cuda::Runtime;

extern "C" {
cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int) { return create(graph); }
cudaError_t cudaGraphClone(cudaGraph_t* copy, cudaGraph_t original) {
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live("cudaGraphClone", original)) return cudaErrorInvalidResourceHandle;
  if (copy == nullptr) return no_place("cudaGraphClone");
  *copy = bankproof::cuda::clone(*original);
  return cudaSuccess;
}
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original,
                                     cudaGraph_t graph) {
  constexpr const char* call = "cudaGraphNodeFindInClone";
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live(call, original) || !is_live(call, graph)) return cudaErrorInvalidResourceHandle;
  if (node == nullptr) return no_place(call);
  *node = bankproof::cuda::clone_of(*graph, original);
  if (*node != nullptr) return cudaSuccess;
  return Runtime::fail(cudaErrorInvalidValue,
                       fmt::format("{}: the graph has no clone of this node", call));
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live("cudaGraphDestroyNode", node)) return cudaErrorInvalidResourceHandle;
  bankproof::cuda::destroy_node(node);
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live("cudaGraphDestroy", graph)) return cudaErrorInvalidResourceHandle;
  if (graph->owner != nullptr) {
    return Runtime::fail(cudaErrorInvalidValue,
                         "cudaGraphDestroy: the graph belongs to a node of another graph");
  }
  bankproof::cuda::destroy_graph(graph);
  return cudaSuccess;
}
}
