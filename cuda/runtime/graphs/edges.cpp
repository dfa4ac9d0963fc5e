// The nodes of a graph and the edges between them. An edge orders its nodes whatever data it has:
// programmatic launches begin early on a chip, which is not modelled.
#include <algorithm>

#include "../majors.hpp"
#include "../stream_handles.hpp"

namespace bankproof::cuda {

std::vector<Edge> edges_from(const cudaGraphNode_t* nodes, const cudaGraphEdgeData* data,
                             std::size_t count) {
  std::vector<Edge> edges;
  for (std::size_t k = 0; nodes != nullptr && k < count; ++k) {
    edges.push_back({nodes[k], data == nullptr ? cudaGraphEdgeData{} : data[k]});
  }
  return edges;
}

}  // namespace bankproof::cuda

namespace {

using bankproof::cuda::Edge;
using bankproof::cuda::is_live;
using bankproof::cuda::no_place;
using bankproof::cuda::Runtime;

/// Writes up to *count items to a list of the program, and null behind them; without a list, only
/// the number.
template <class T>
void give(const std::vector<T>& items, T* list, std::size_t* count) {
  for (std::size_t k = 0; list != nullptr && k < *count; ++k) {
    list[k] = k < items.size() ? items[k] : T{};
  }
  *count = list == nullptr ? items.size() : std::min(*count, items.size());
}

/// The edges as the lists that programs get.
struct Lists {
  std::vector<cudaGraphNode_t> from, to;
  std::vector<cudaGraphEdgeData> data;

  void add(const Edge& edge, cudaGraphNode_t node) {
    from.push_back(edge.from);
    to.push_back(node);
    data.push_back(edge.data);
  }
};

template <class T>
void give_data(const std::vector<T>& items, T* list, std::size_t count) {
  if (list != nullptr) give(items, list, &count);
}

/// Calls change(from, to, data) for each edge of a call that changes edges of the graph.
template <class Change>
cudaError_t for_edges(const char* call, cudaGraph_t graph, const cudaGraphNode_t* from,
                      const cudaGraphNode_t* to, const cudaGraphEdgeData* data, std::size_t count,
                      Change change) {
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live(call, graph)) return cudaErrorInvalidResourceHandle;
  if (count > 0 && (from == nullptr || to == nullptr)) return no_place(call);
  for (std::size_t k = 0; k < count; ++k) {
    if (!is_live(call, from[k]) || !is_live(call, to[k])) return cudaErrorInvalidResourceHandle;
    if (from[k]->graph != graph || to[k]->graph != graph || from[k] == to[k]) {
      return Runtime::fail(cudaErrorInvalidValue,
                           fmt::format("{}: an edge has to lead from one node of the graph to "
                                       "another one",
                                       call));
    }
    const cudaError_t error =
        change(from[k], to[k], data == nullptr ? cudaGraphEdgeData{} : data[k]);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

auto edge_from(cudaGraphNode_t node) {
  return [node](const Edge& edge) { return edge.from == node; };
}

}  // namespace

BANKPROOF_OF_13(cudaGraphAddDependencies);
BANKPROOF_OF_13(cudaGraphRemoveDependencies);
BANKPROOF_OF_13(cudaGraphGetEdges);
BANKPROOF_OF_13(cudaGraphNodeGetDependencies);
BANKPROOF_OF_13(cudaGraphNodeGetDependentNodes);

extern "C" {
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live("cudaGraphGetNodes", graph)) return cudaErrorInvalidResourceHandle;
  if (count == nullptr) return no_place("cudaGraphGetNodes");
  give(graph->nodes, nodes, count);
  return cudaSuccess;
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* roots, size_t* count) {
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live("cudaGraphGetRootNodes", graph)) return cudaErrorInvalidResourceHandle;
  if (count == nullptr) return no_place("cudaGraphGetRootNodes");
  std::vector<cudaGraphNode_t> found;
  for (cudaGraphNode_t node : graph->nodes) {
    if (node->after.empty()) found.push_back(node);
  }
  give(found, roots, count);
  return cudaSuccess;
}
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* data, size_t* count) {
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live("cudaGraphGetEdges", graph)) return cudaErrorInvalidResourceHandle;
  if (count == nullptr || (from == nullptr) != (to == nullptr))
    return no_place("cudaGraphGetEdges");
  Lists lists;
  for (cudaGraphNode_t node : graph->nodes) {
    for (const Edge& edge : node->after) lists.add(edge, node);
  }
  give_data(lists.to, to, *count);
  give_data(lists.data, data, *count);
  give(lists.from, from, count);
  return cudaSuccess;
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* after,
                                         cudaGraphEdgeData* data, size_t* count) {
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live("cudaGraphNodeGetDependencies", node)) return cudaErrorInvalidResourceHandle;
  if (count == nullptr) return no_place("cudaGraphNodeGetDependencies");
  Lists lists;
  for (const Edge& edge : node->after) lists.add(edge, node);
  give_data(lists.data, data, *count);
  give(lists.from, after, count);
  return cudaSuccess;
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* dependents,
                                           cudaGraphEdgeData* data, size_t* count) {
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live("cudaGraphNodeGetDependentNodes", node)) return cudaErrorInvalidResourceHandle;
  if (count == nullptr) return no_place("cudaGraphNodeGetDependentNodes");
  Lists lists;
  for (cudaGraphNode_t other : node->graph->nodes) {
    for (const Edge& edge : other->after) {
      if (edge.from == node) lists.add(edge, other);
    }
  }
  give_data(lists.data, data, *count);
  give(lists.to, dependents, count);
  return cudaSuccess;
}
// An edge that the graph has already is an error, and so is the removal of one that it has not.
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                                     size_t count) {
  constexpr const char* call = "cudaGraphAddDependencies";
  return for_edges(
      call, graph, from, to, data, count,
      [](cudaGraphNode_t first, cudaGraphNode_t second, cudaGraphEdgeData of) {
        if (std::any_of(second->after.begin(), second->after.end(), edge_from(first))) {
          return Runtime::fail(cudaErrorInvalidValue,
                               "cudaGraphAddDependencies: the graph has the edge");
        }
        second->after.push_back({first, of});
        return cudaSuccess;
      });
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                                        size_t count) {
  constexpr const char* call = "cudaGraphRemoveDependencies";
  return for_edges(call, graph, from, to, data, count,
                   [](cudaGraphNode_t first, cudaGraphNode_t second, cudaGraphEdgeData) {
                     if (std::erase_if(second->after, edge_from(first)) != 0) return cudaSuccess;
                     return Runtime::fail(
                         cudaErrorInvalidValue,
                         "cudaGraphRemoveDependencies: the graph has no such edge");
                   });
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType* type) {
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live("cudaGraphNodeGetType", node)) return cudaErrorInvalidResourceHandle;
  if (type == nullptr) return no_place("cudaGraphNodeGetType");
  *type = node->work.type;
  return cudaSuccess;
}
}
