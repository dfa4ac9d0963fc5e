// Helpers of the tests of graphs.
#pragma once

#include <vector>

#include "support.hpp"

namespace bankproof::cuda::tests {

/// Two arrays of the device, of twice `size` zeros each, and page-locked memory of the host.
struct Memory {
  Memory() {
    for (int** array : {&a, &b}) {
      EXPECT_EQ(cudaMalloc(reinterpret_cast<void**>(array), 2 * bytes), cudaSuccess);
      EXPECT_EQ(cudaMemset(*array, 0, 2 * bytes), cudaSuccess);
    }
    EXPECT_EQ(cudaMallocHost(reinterpret_cast<void**>(&pinned), bytes), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
  ~Memory() {
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    cudaFree(a);
    cudaFree(b);
    cudaFreeHost(pinned);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  /// The first `size` numbers.
  std::vector<int> values(const int* array) const {
    std::vector<int> all(size);
    EXPECT_EQ(cudaMemcpy(all.data(), array, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
    return all;
  }

  int* a = nullptr;
  int* b = nullptr;
  int* pinned = nullptr;
};

class Graph {
 public:
  Graph() { EXPECT_EQ(cudaGraphCreate(&graph_, 0), cudaSuccess); }
  explicit Graph(cudaGraph_t graph) : graph_(graph) {}
  ~Graph() {
    cudaGraphDestroy(graph_);  // unless it is of a node
    cudaGetLastError();
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  operator cudaGraph_t() const { return graph_; }  // NOLINT(google-explicit-constructor)

  cudaGraphNode_t fill(int* array, unsigned value, unsigned count = size) const {
    const cudaMemsetParams of{array, count * sizeof(int), value, 4, count, 1};
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaGraphAddMemsetNode(&node, graph_, nullptr, 0, &of), cudaSuccess);
    return node;
  }
  cudaGraphNode_t copy(int* to, const int* from, unsigned count = size) const {
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaGraphAddMemcpyNode1D(&node, graph_, nullptr, 0, to, from, count * sizeof(int),
                                       cudaMemcpyDefault),
              cudaSuccess);
    return node;
  }
  cudaGraphNode_t add(int* array, int added, unsigned count = size) const {
    void* arguments[] = {&array, &added, &count};
    const cudaKernelNodeParams of{kernel_of_add(), (count + 63) / 64, 64, 0, arguments, nullptr};
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaGraphAddKernelNode(&node, graph_, nullptr, 0, &of), cudaSuccess);
    return node;
  }
  /// Each node before the next one.
  void order(const std::vector<cudaGraphNode_t>& nodes) const {
    for (std::size_t k = 1; k < nodes.size(); ++k) {
      EXPECT_EQ(cudaGraphAddDependencies(graph_, &nodes[k - 1], &nodes[k], nullptr, 1),
                cudaSuccess);
    }
  }
  cudaGraphExec_t instantiate(unsigned long long flags = 0) const {
    cudaGraphExec_t executable = nullptr;
    EXPECT_EQ(cudaGraphInstantiate(&executable, graph_, flags), cudaSuccess);
    return executable;
  }
  void launch(int times = 1) const {
    cudaGraphExec_t const executable = instantiate();
    for (int k = 0; k < times; ++k) EXPECT_EQ(cudaGraphLaunch(executable, nullptr), cudaSuccess);
    EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  }

 private:
  cudaGraph_t graph_ = nullptr;
};

}  // namespace bankproof::cuda::tests
