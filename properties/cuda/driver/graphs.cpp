// Graphs that programs build by the driver API: their nodes, edges and instances, and what calls
// say about handles that do not exist.
#include <array>
#include <cstddef>

#include "support.hpp"

namespace bankproof::cuda::tests {
namespace {

using ::testing::Each;

/// Adds its second argument to each of 64 words.
constexpr const char* add = R"(
.version 7.5
.target sm_80
.address_size 64
.visible .entry add(.param .u64 words, .param .u32 number) {
  .reg .b32 %r<5>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [words];
  ld.param.u32 %r1, [number];
  mov.u32 %r2, %tid.x;
  cvta.to.global.u64 %rd2, %rd1;
  mul.wide.u32 %rd3, %r2, 4;
  add.s64 %rd4, %rd2, %rd3;
  ld.global.u32 %r3, [%rd4];
  add.u32 %r4, %r3, %r1;
  st.global.u32 [%rd4], %r4;
  ret;
}
)";

class DriverGraphs : public WithContext {
 protected:
  void SetUp() override {
    WithContext::SetUp();
    ASSERT_EQ(cuModuleLoadData(&module_, add), CUDA_SUCCESS);
    ASSERT_EQ(cuModuleGetFunction(&kernel_, module_, "add"), CUDA_SUCCESS);
    ASSERT_EQ(cuMemAlloc(&words_, 256), CUDA_SUCCESS);
    ASSERT_EQ(cuGraphCreate(&graph_, 0), CUDA_SUCCESS);
    look_at_errors();
  }
  void TearDown() override {
    cuGraphDestroy(graph_);
    cuMemFree(words_);
    cuModuleUnload(module_);
    WithContext::TearDown();
  }

  CUDA_KERNEL_NODE_PARAMS kernel_with(unsigned& number) {
    arguments_ = {&words_, &number};
    CUDA_KERNEL_NODE_PARAMS of = {};
    of.func = kernel_;
    of.gridDimX = of.gridDimY = of.gridDimZ = of.blockDimY = of.blockDimZ = 1;
    of.blockDimX = 64;
    of.kernelParams = arguments_.data();
    return of;
  }
  CUgraphNode add_fill(unsigned value) {
    const CUDA_MEMSET_NODE_PARAMS fill = {words_, 256, value, 4, 64, 1};
    CUgraphNode node = nullptr;
    EXPECT_EQ(cuGraphAddMemsetNode(&node, graph_, nullptr, 0, &fill, context_), CUDA_SUCCESS);
    return node;
  }
  CUgraphNode add_kernel(CUgraphNode after, unsigned number) {
    const CUDA_KERNEL_NODE_PARAMS of = kernel_with(number);
    CUgraphNode node = nullptr;
    EXPECT_EQ(cuGraphAddKernelNode(&node, graph_, &after, after == nullptr ? 0 : 1, &of),
              CUDA_SUCCESS);
    return node;
  }
  void launch(CUgraphExec executable) {
    EXPECT_EQ(cuGraphLaunch(executable, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
  }
  CUgraphExec instance() {
    CUgraphExec executable = nullptr;
    EXPECT_EQ(cuGraphInstantiate(&executable, graph_, 0), CUDA_SUCCESS);
    return executable;
  }
  std::array<unsigned, 64> words() {
    std::array<unsigned, 64> all{};
    EXPECT_EQ(cuMemcpyDtoH(all.data(), words_, 256), CUDA_SUCCESS);
    return all;
  }

  CUmodule module_ = nullptr;
  CUfunction kernel_ = nullptr;
  CUdeviceptr words_ = 0;
  CUgraph graph_ = nullptr;
  std::array<void*, 2> arguments_{};
};

TEST_F(DriverGraphs, run_their_nodes_in_the_order_of_edges) {
  CUgraphNode const fill = add_fill(5);
  CUgraphNode const kernel = add_kernel(fill, 3);
  std::array<unsigned, 64> copied{};
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = words_;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = copied.data();
  copy.WidthInBytes = 256;
  copy.Height = copy.Depth = 1;
  CUgraphNode node = nullptr;
  EXPECT_EQ(cuGraphAddMemcpyNode(&node, graph_, &kernel, 1, &copy, context_), CUDA_SUCCESS);
  static int calls = 0;
  calls = 0;
  const CUDA_HOST_NODE_PARAMS host = {[](void* count) { ++*static_cast<int*>(count); }, &calls};
  EXPECT_EQ(cuGraphAddHostNode(&node, graph_, &node, 1, &host), CUDA_SUCCESS);
  CUgraphExec const executable = instance();
  launch(executable);
  EXPECT_THAT(copied, Each(8U));
  EXPECT_EQ(calls, 1);
  EXPECT_TRUE(take_findings().empty());
  EXPECT_EQ(cuGraphExecDestroy(executable), CUDA_SUCCESS);
}

TEST_F(DriverGraphs, without_an_edge_have_a_race) {
  add_fill(5);
  add_kernel(nullptr, 3);
  CUgraphExec const executable = instance();
  launch(executable);
  EXPECT_FALSE(take_findings().empty());
  cuGraphExecDestroy(executable);
}

TEST_F(DriverGraphs, tell_their_nodes_and_edges) {
  CUgraphNode const fill = add_fill(5);
  CUgraphNode const kernel = add_kernel(fill, 3);
  std::array<CUgraphNode, 2> nodes{};
  size_t count = 2;
  EXPECT_EQ(cuGraphGetNodes(graph_, nodes.data(), &count), CUDA_SUCCESS);
  EXPECT_EQ(count, 2U);
  EXPECT_THAT(nodes, ::testing::UnorderedElementsAre(fill, kernel));
  EXPECT_EQ(cuGraphGetRootNodes(graph_, nodes.data(), &count), CUDA_SUCCESS);
  EXPECT_EQ(count, 1U);
  EXPECT_EQ(nodes[0], fill);
  CUgraphNodeType type{};
  EXPECT_EQ(cuGraphNodeGetType(kernel, &type), CUDA_SUCCESS);
  EXPECT_EQ(type, CU_GRAPH_NODE_TYPE_KERNEL);
  EXPECT_EQ(cuGraphRemoveDependencies(graph_, &fill, &kernel, nullptr, 1), CUDA_SUCCESS);
  EXPECT_EQ(cuGraphNodeGetDependencies(kernel, nullptr, nullptr, &count), CUDA_SUCCESS);
  EXPECT_EQ(count, 0U);
  EXPECT_EQ(cuGraphAddDependencies(graph_, &fill, &kernel, nullptr, 1), CUDA_SUCCESS);
  count = 1;
  EXPECT_EQ(cuGraphNodeGetDependentNodes(fill, nodes.data(), nullptr, &count), CUDA_SUCCESS);
  EXPECT_EQ(nodes[0], kernel);
}

TEST_F(DriverGraphs, change_what_their_nodes_do) {
  CUgraphNode const fill = add_fill(5);
  CUgraphNode const kernel = add_kernel(fill, 3);
  CUgraphExec const executable = instance();
  unsigned number = 10;
  CUDA_KERNEL_NODE_PARAMS of = kernel_with(number);
  EXPECT_EQ(cuGraphExecKernelNodeSetParams(executable, kernel, &of), CUDA_SUCCESS);
  launch(executable);
  EXPECT_THAT(words(), Each(15U));
  EXPECT_EQ(cuGraphKernelNodeGetParams(kernel, &of), CUDA_SUCCESS);
  EXPECT_EQ(of.func, kernel_);
  EXPECT_EQ(of.blockDimX, 64U);
  EXPECT_EQ(*static_cast<unsigned*>(of.kernelParams[1]), 3U);
  const CUDA_MEMSET_NODE_PARAMS zeros = {words_, 256, 0, 4, 64, 1};
  EXPECT_EQ(cuGraphMemsetNodeSetParams(fill, &zeros), CUDA_SUCCESS);
  CUgraphExecUpdateResultInfo result = {};
  EXPECT_EQ(cuGraphExecUpdate(executable, graph_, &result), CUDA_SUCCESS);
  EXPECT_EQ(result.result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
  launch(executable);
  EXPECT_THAT(words(), Each(3U));
  cuGraphExecDestroy(executable);
}

TEST_F(DriverGraphs, take_kernels_of_libraries) {
  CUlibrary library = nullptr;
  CUkernel kernel = nullptr;
  ASSERT_EQ(cuLibraryLoadData(&library, add, nullptr, nullptr, 0, nullptr, nullptr, 0),
            CUDA_SUCCESS);
  ASSERT_EQ(cuLibraryGetKernel(&kernel, library, "add"), CUDA_SUCCESS);
  unsigned number = 4;
  CUDA_KERNEL_NODE_PARAMS of = kernel_with(number);
  of.func = nullptr;
  of.kern = kernel;
  CUgraphNode const fill = add_fill(1);
  CUgraphNode node = nullptr;
  EXPECT_EQ(cuGraphAddKernelNode(&node, graph_, &fill, 1, &of), CUDA_SUCCESS);
  CUgraphExec const executable = instance();
  launch(executable);
  EXPECT_THAT(words(), Each(5U));
  cuGraphExecDestroy(executable);
  EXPECT_EQ(cuLibraryUnload(library), CUDA_SUCCESS);
}

TEST_F(DriverGraphs, allocate_and_free_memory) {
  CUDA_MEM_ALLOC_NODE_PARAMS of = {};
  of.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  of.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  of.bytesize = 64;
  CUgraphNode made = nullptr, freed = nullptr;
  EXPECT_EQ(cuGraphAddMemAllocNode(&made, graph_, nullptr, 0, &of), CUDA_SUCCESS);
  EXPECT_NE(of.dptr, 0U);
  EXPECT_EQ(cuGraphAddMemFreeNode(&freed, graph_, &made, 1, of.dptr), CUDA_SUCCESS);
  CUdeviceptr pointer = 0;
  EXPECT_EQ(cuGraphMemFreeNodeGetParams(freed, &pointer), CUDA_SUCCESS);
  EXPECT_EQ(pointer, of.dptr);
  CUgraphExec const executable = instance();
  launch(executable);
  cuGraphExecDestroy(executable);
}

TEST_F(DriverGraphs, refuse_what_does_not_exist) {
  CUgraphNode node = nullptr;
  unsigned number = 1;
  CUDA_KERNEL_NODE_PARAMS of = kernel_with(number);
  of.func = nullptr;
  EXPECT_EQ(cuGraphAddKernelNode(&node, graph_, nullptr, 0, &of), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuGraphAddKernelNode(&node, graph_, nullptr, 0, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuGraphKernelNodeGetParams(add_fill(0), &of), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuGraphKernelNodeGetParams(add_kernel(nullptr, 0), nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuGraphAddMemcpyNode(&node, graph_, nullptr, 0, nullptr, context_),
            CUDA_ERROR_INVALID_VALUE);
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  EXPECT_EQ(cuGraphAddMemcpyNode(&node, graph_, nullptr, 0, &copy, context_),
            CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuGraphGetNodes(reinterpret_cast<CUgraph>(&of), nullptr, nullptr),
            CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuGraphGetNodes(graph_, nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
}

}  // namespace
}  // namespace bankproof::cuda::tests
