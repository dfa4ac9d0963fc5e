// The values on which conditional nodes depend: words of device memory that kernels set with
// cudaGraphSetConditional(). A handle is the address of its word.
#pragma once

#include "graph.hpp"

namespace bankproof::cuda {

/// The value, read by the operation that is being performed.
unsigned condition_value(cudaGraphConditionalHandle handle);
/// Sets the values that the graph, and the graphs of its nodes, assign at a launch.
cudaError_t assign_conditions(const std::vector<Condition>& conditions);
/// The conditions of the graph and of the graphs of its nodes that a launch assigns.
std::vector<Condition> assigned_conditions(const CUgraph_st& graph);

}  // namespace bankproof::cuda
