// cudaGraphDebugDotPrint: a graph as text for Graphviz.
#include <fstream>

#include "../stream_handles.hpp"

namespace {

using bankproof::cuda::KernelNode;

/// The text in double quotes.
std::string in_dot(const std::string& text) {
  std::string quoted = "\"";
  for (const char one : text) {
    if (one == '"' || one == '\\') quoted += '\\';
    quoted += one;
  }
  return quoted + "\"";
}

std::string label_of(const bankproof::cuda::Work& work) {
  const auto* const kernel = std::get_if<KernelNode>(&work.parameters);
  if (kernel == nullptr) return work.what;
  const dim3 grid = kernel->grid;
  const dim3 block = kernel->block;
  return fmt::format("{}, grid {}x{}x{}, block {}x{}x{}", work.what, grid.x, grid.y, grid.z,
                     block.x, block.y, block.z);
}

/// Prints the nodes of the graph and of the graphs of its nodes; numbers them on.
void print_nodes(std::ostream& out, const CUgraph_st& graph) {
  std::map<cudaGraphNode_t, std::size_t> numbers;
  bankproof::cuda::for_all_nodes(
      graph, [&](cudaGraphNode_t node) { numbers.emplace(node, numbers.size()); });
  bankproof::cuda::for_all_nodes(graph, [&](cudaGraphNode_t node) {
    out << fmt::format("  node_{} [label={}];\n", numbers.at(node), in_dot(label_of(node->work)));
    for (const bankproof::cuda::Edge& edge : node->after) {
      out << fmt::format("  node_{} -> node_{};\n", numbers.at(edge.from), numbers.at(node));
    }
    if (node->graph->owner != nullptr && numbers.count(node->graph->owner) != 0) {
      out << fmt::format("  node_{} -> node_{} [style=dashed];\n", numbers.at(node->graph->owner),
                         numbers.at(node));
    }
  });
}

}  // namespace

extern "C" {
// The kinds of details that a program asks for are always or never shown.
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned int) {
  constexpr const char* call = "cudaGraphDebugDotPrint";
  const std::lock_guard lock(bankproof::cuda::Runtime::get().mutex());
  if (!bankproof::cuda::is_live(call, graph)) return cudaErrorInvalidResourceHandle;
  if (path == nullptr) return bankproof::cuda::no_place(call);
  std::ofstream out(path);
  out << "digraph {\n";
  print_nodes(out, *graph);
  out << "}\n";
  out.close();
  if (out) return cudaSuccess;
  return bankproof::cuda::Runtime::fail(cudaErrorOperatingSystem,
                                        fmt::format("{}: {} cannot be written", call, path));
}
}
