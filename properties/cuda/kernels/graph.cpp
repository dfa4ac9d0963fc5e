// Tests graphs: launching a graph runs the calls that its stream captured; capturing alone runs
// nothing.
#include "../../../cuda/kernels/support/graph.hpp"

#include "../../../cuda/kernels/sum/sum.hpp"
#include "support.hpp"

namespace bankproof::cuda::tests {
namespace {

using Words = std::vector<std::uint32_t>;

TEST(DeviceGraph, runs_once_for_each_launch) {
  GuardedArray<std::uint32_t> in(Words{1, 2, 3});
  GuardedArray<std::uint32_t> result(Words{7});
  GuardedArray<std::uint32_t> copy(Words{8});
  GuardedArray<std::byte> scratch(sum_scratch_bytes<std::uint32_t>(3));
  const Graph graph([&](cudaStream_t stream) {
    sum<std::uint32_t>(in.in(), result.data(), scratch.span(), stream);
    require(cudaMemcpyAsync(copy.data(), result.data(), sizeof(std::uint32_t),
                            cudaMemcpyDeviceToDevice, stream),
            "cudaMemcpyAsync");
    require(cudaMemsetAsync(result.data(), 0, sizeof(std::uint32_t), stream), "cudaMemsetAsync");
  });
  EXPECT_EQ(result.values(), Words{7});
  EXPECT_EQ(copy.values(), Words{8});

  graph.launch();
  EXPECT_EQ(result.values(), Words{0});
  EXPECT_EQ(copy.values(), Words{6});

  const Words others = {4, 5, 6};
  require(cudaMemcpy(in.data(), others.data(), 3 * sizeof(std::uint32_t), cudaMemcpyHostToDevice),
          "cudaMemcpy");
  graph.launch();
  EXPECT_EQ(copy.values(), Words{15});
}

// A graph keeps the arguments of its capture after their originals are gone.
TEST(DeviceGraph, keeps_its_arguments_and_can_be_moved) {
  GuardedArray<std::uint32_t> in(Words(300, 2));
  GuardedArray<std::uint32_t> result(Words{0});
  GuardedArray<std::byte> scratch(sum_scratch_bytes<std::uint32_t>(300));
  const auto sum_of_first = [&](std::size_t count) {
    return Graph([&, count](cudaStream_t stream) {
      sum<std::uint32_t>(in.in().first(count), result.data(), scratch.span(), stream);
    });
  };
  std::vector<Graph> graphs;
  for (const std::size_t count : {std::size_t{100}, std::size_t{200}, std::size_t{300}}) {
    graphs.push_back(sum_of_first(count));
  }
  for (std::uint32_t k = 0; k < 3; ++k) {
    graphs[k].launch();
    EXPECT_EQ(result.values(), Words{200 * (k + 1)});
  }
  graphs[0] = std::move(graphs[2]);
  graphs[0].launch();
  EXPECT_EQ(result.values(), Words{600});
}

TEST(DeviceGraph, of_a_function_that_throws_leaves_nothing_captured) {
  GuardedArray<std::uint32_t> in(Words{1, 2, 3});
  GuardedArray<std::uint32_t> result(Words{7});
  GuardedArray<std::byte> scratch(sum_scratch_bytes<std::uint32_t>(3));
  const auto throws = [&](cudaStream_t stream) {
    sum<std::uint32_t>(in.in(), result.data(), scratch.span(), stream);
    throw std::out_of_range("of its own");
  };
  EXPECT_THROW(Graph{throws}, std::out_of_range);
  EXPECT_EQ(result.values(), Words{7});
  sum<std::uint32_t>(in.in(), result.data(), scratch.span());
  EXPECT_EQ(result.values(), Words{6});
}

// Makes the calls directly, as a CUDA program does.
TEST(DeviceGraph, calls_that_do_not_fit_fail) {
  EXPECT_NE(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal), cudaSuccess);
  cudaStream_t stream = nullptr;
  require(cudaStreamCreate(&stream), "cudaStreamCreate");
  cudaGraph_t graph = nullptr;
  EXPECT_NE(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  EXPECT_EQ(graph, nullptr);

  require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "cudaStreamBeginCapture");
  EXPECT_NE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  require(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
  cudaGraphExec_t nothing = nullptr;
  require(cudaGraphInstantiate(&nothing, graph, 0), "cudaGraphInstantiate");
  require(cudaGraphLaunch(nothing, stream), "cudaGraphLaunch");
  require(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  cudaGraphExecDestroy(nothing);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaGetLastError();
}

}  // namespace
}  // namespace bankproof::cuda::tests
