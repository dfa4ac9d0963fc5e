// The device's answers about its memory.
#include <vector>

#include "graph_support.hpp"

namespace bankproof::cuda::tests {
namespace {

std::size_t free_bytes() {
  std::size_t free = 0;
  std::size_t total = 0;
  EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  EXPECT_LE(free, total);
  return free;
}

TEST(DeviceMemory, is_free_again_when_it_is_given_back) {
  const std::size_t before = free_bytes();
  std::vector<void*> pointers(3);
  std::size_t taken = 0;
  for (std::size_t bytes = 1000; void*& pointer : pointers) {
    ASSERT_EQ(cudaMalloc(&pointer, bytes), cudaSuccess);
    taken += bytes;
    EXPECT_EQ(before - free_bytes(), taken);
    bytes *= 7;
  }
  for (std::size_t bytes = 1000; void* const pointer : pointers) {
    ASSERT_EQ(cudaFree(pointer), cudaSuccess);
    taken -= bytes;
    EXPECT_EQ(before - free_bytes(), taken);
    bytes *= 7;
  }
}

TEST(Memory, is_freed_by_the_function_of_its_kind) {
  void* device = nullptr;
  void* host = nullptr;
  void* managed = nullptr;
  ASSERT_EQ(cudaMalloc(&device, 64), cudaSuccess);
  ASSERT_EQ(cudaMallocHost(&host, 64), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(&managed, 64, cudaMemAttachGlobal), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(device), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(managed), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(host), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeAsync(host, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(cudaFree(managed), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(host), cudaSuccess);
  cudaGetLastError();
}

TEST(Memory, of_the_host_is_registered_once) {
  std::vector<int> numbers(size);
  unsigned flags = 0;
  cudaPointerAttributes attributes{};
  EXPECT_EQ(cudaHostGetFlags(&flags, numbers.data()), cudaErrorInvalidValue);
  EXPECT_EQ(cudaHostUnregister(numbers.data()), cudaErrorHostMemoryNotRegistered);
  EXPECT_EQ(cudaHostRegister(numbers.data(), 0, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaHostRegister(nullptr, 64, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaHostRegister(numbers.data(), bytes, 0), cudaSuccess);
  EXPECT_EQ(cudaHostRegister(numbers.data() + 1, 4, 0), cudaErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(cudaHostGetFlags(&flags, numbers.data()), cudaSuccess);
  EXPECT_EQ(cudaPointerGetAttributes(&attributes, numbers.data() + 1), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeHost);
  EXPECT_EQ(cudaHostUnregister(numbers.data()), cudaSuccess);
  EXPECT_EQ(cudaPointerGetAttributes(&attributes, numbers.data()), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeUnregistered);
  EXPECT_STREQ(cudaGetErrorName(cudaErrorHostMemoryNotRegistered),
               "cudaErrorHostMemoryNotRegistered");
  cudaGetLastError();
}

TEST(Memory, is_not_allocated_with_unknown_flags) {
  void* p = nullptr;
  EXPECT_EQ(cudaHostAlloc(&p, 4, 64), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMallocManaged(&p, 4, 64), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMallocManaged(&p, 0, cudaMemAttachGlobal), cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST(Sizes, without_bounds_are_refused) {
  constexpr std::size_t all = ~std::size_t{0};
  int number = 0;
  void* p = nullptr;
  cudaPitchedPtr pitched{};
  ASSERT_EQ(cudaMalloc(&p, 64), cudaSuccess);
  const void* const variable = variable_of_kernels();
  EXPECT_EQ(cudaMalloc3D(&pitched, {4, all / 2 + 1, 2}), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaMemcpyToSymbol(variable, p, all / 2, 0, cudaMemcpyDeviceToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyFromSymbol(p, variable, all / 2, 0, cudaMemcpyDeviceToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset2D(p, 1, 0, 0, all), cudaSuccess);  // nothing
  EXPECT_EQ(cudaMemset3D({p, 1, 1, 1}, 0, {0, all, all}), cudaSuccess);
  EXPECT_EQ(cudaMemcpy2D(p, all, &number, all, 4, all, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  const cudaMemsetParams overflowing{p, all, 0, 4, all / 4 + 2, 1};
  const Graph g;
  cudaGraphNode_t node = nullptr;
  EXPECT_EQ(cudaGraphAddMemsetNode(&node, g, nullptr, 0, &overflowing), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(p), cudaSuccess);
  take_findings();
  cudaGetLastError();
}

TEST(Kinds, of_copies_are_those_of_cuda) {
  int from = 1;
  int to = 0;
  for (const int kind : {-1, 5, 42}) {
    EXPECT_EQ(cudaMemcpy(&to, &from, sizeof to, static_cast<cudaMemcpyKind>(kind)),
              cudaErrorInvalidMemcpyDirection);
  }
  EXPECT_EQ(to, 0);
  cudaGetLastError();
}

// More than 48 KiB need the program's leave.
TEST(DynamicSharedMemory, is_limited) {
  const void* const kernel = kernel_of_add();
  Memory m;
  int added = 1;
  unsigned count = 1;
  void* arguments[] = {&m.a, &added, &count};
  const auto launch = [&](std::size_t shared) {
    return cudaLaunchKernel(kernel, 1, 1, arguments, shared, nullptr);
  };
  const auto allow = [&](int bytes) {
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  };
  cudaFuncAttributes attributes{};
  EXPECT_EQ(launch(48 * 1024), cudaSuccess);
  EXPECT_EQ(launch(48 * 1024 + 1), cudaErrorInvalidValue);
  EXPECT_EQ(allow(-1), cudaErrorInvalidValue);
  EXPECT_EQ(allow(1 << 20), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(nullptr, cudaFuncAttributeMaxDynamicSharedMemorySize, 1),
            cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(cudaFuncSetAttribute(kernel, cudaFuncAttributeMax, 1), cudaErrorInvalidValue);
  EXPECT_EQ(allow(64 * 1024), cudaSuccess);
  EXPECT_EQ(cudaFuncGetAttributes(&attributes, kernel), cudaSuccess);
  EXPECT_EQ(attributes.maxDynamicSharedSizeBytes, 64 * 1024);
  EXPECT_EQ(launch(64 * 1024), cudaSuccess);
  EXPECT_EQ(launch(64 * 1024 + 1), cudaErrorInvalidValue);
  EXPECT_EQ(allow(0), cudaSuccess);
  cudaGetLastError();
}

// Each allocation has an address of its own, and memory that the host sees needs a low one.
TEST(Memory, that_host_and_device_share_is_there_after_thousands_of_allocations) {
  for (int k = 0; k < 2500; ++k) {
    void* memory = nullptr;
    ASSERT_EQ(cudaMalloc(&memory, 4), cudaSuccess);
    ASSERT_EQ(cudaFree(memory), cudaSuccess);
  }
  int* shared = nullptr;
  int* other = nullptr;
  ASSERT_EQ(cudaMallocManaged(&shared, sizeof *shared), cudaSuccess);
  ASSERT_EQ(cudaMallocHost(&other, sizeof *other), cudaSuccess);
  EXPECT_EQ(cudaMemset(shared, 1, sizeof *shared), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(other, shared, sizeof *shared, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(*shared, 0x01010101);
  EXPECT_EQ(*other, 0x01010101);
  EXPECT_EQ(cudaFree(shared), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(other), cudaSuccess);
  take_findings();
  EXPECT_EQ(cudaFree(shared), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_THAT(take_findings(), ::testing::SizeIs(1));
}

}  // namespace
}  // namespace bankproof::cuda::tests
