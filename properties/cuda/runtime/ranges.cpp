// Advice for managed memory, copies in batches, attributes of streams, and objects of graphs.
#include "../../../cuda/runtime/reports.hpp"
#include "graph_support.hpp"

namespace bankproof::cuda::tests {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr cudaMemLocation device{cudaMemLocationTypeDevice, 0};
constexpr cudaMemLocation host{cudaMemLocationTypeHost, 0};
constexpr cudaMemLocation nowhere{cudaMemLocationTypeDevice, 99};

TEST(Advice, is_kept_for_programs_that_ask) {
  int* managed = nullptr;
  ASSERT_EQ(cudaMallocManaged(reinterpret_cast<void**>(&managed), bytes), cudaSuccess);
  const auto attribute = [&](cudaMemRangeAttribute of) {
    int value = -77;
    EXPECT_EQ(cudaMemRangeGetAttribute(&value, sizeof value, of, managed, bytes), cudaSuccess);
    return value;
  };
  EXPECT_EQ(attribute(cudaMemRangeAttributeReadMostly), 0);
  EXPECT_EQ(attribute(cudaMemRangeAttributePreferredLocation), cudaInvalidDeviceId);
  EXPECT_EQ(cudaMemAdvise(managed, bytes, cudaMemAdviseSetReadMostly, device), cudaSuccess);
  EXPECT_EQ(cudaMemAdvise(managed, bytes, cudaMemAdviseSetPreferredLocation, host), cudaSuccess);
  EXPECT_EQ(cudaMemAdvise(managed, bytes, cudaMemAdviseSetAccessedBy, device), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, bytes, device, 0, nullptr), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(attribute(cudaMemRangeAttributeReadMostly), 1);
  EXPECT_EQ(attribute(cudaMemRangeAttributePreferredLocation), cudaCpuDeviceId);
  EXPECT_EQ(attribute(cudaMemRangeAttributePreferredLocationType), cudaMemLocationTypeHost);
  EXPECT_EQ(attribute(cudaMemRangeAttributeLastPrefetchLocation), 0);
  int accessed[2] = {};
  EXPECT_EQ(cudaMemRangeGetAttribute(accessed, sizeof accessed, cudaMemRangeAttributeAccessedBy,
                                     managed, bytes),
            cudaSuccess);
  EXPECT_THAT(accessed, ElementsAre(0, cudaInvalidDeviceId));

  EXPECT_EQ(cudaMemAdvise(managed, bytes, cudaMemAdviseSetAccessedBy, nowhere),
            cudaErrorInvalidDevice);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, bytes + 1, device, 0, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemRangeGetAttribute(accessed, 3, cudaMemRangeAttributeReadMostly, managed, bytes),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamAttachMemAsync(nullptr, managed, 0, cudaMemAttachHost), cudaSuccess);
  EXPECT_EQ(cudaStreamAttachMemAsync(nullptr, managed, 0, 64), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(managed), cudaSuccess);
  const Memory m;
  EXPECT_EQ(cudaMemAdvise(m.a, bytes, cudaMemAdviseSetReadMostly, device), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, bytes, device, 0, nullptr), cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST(Batches, copy_in_the_order_of_the_stream_and_in_no_order_of_their_own) {
  for (const bool apart : {true, false}) {
    Memory m;
    take_findings();
    cudaMemcpyAttributes attributes{};
    attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    std::size_t first = 0;
    void* to[] = {m.b, apart ? m.b + size : m.b};
    const void* from[] = {m.a, m.a};
    const std::size_t sizes[] = {bytes, bytes};
    EXPECT_EQ(cudaMemset(m.a, 1, bytes), cudaSuccess);
    EXPECT_EQ(cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, &first, 1, nullptr),
              cudaSuccess);
    EXPECT_THAT(m.values(m.b), Each(0x01010101));
    EXPECT_EQ(take_findings().empty(), apart);
    EXPECT_EQ(cudaMemcpyBatchAsync(to, from, sizes, 0, &attributes, &first, 1, nullptr),
              cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpyBatchAsync(nullptr, from, sizes, 2, &attributes, &first, 1, nullptr),
              cudaErrorInvalidValue);
  }
  cudaGetLastError();
}

TEST(StreamAttributes, are_kept_and_copied) {
  cudaStream_t streams[2] = {};
  for (cudaStream_t& stream : streams) ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  cudaStreamAttrValue value{}, got{};
  value.priority = -2;
  EXPECT_EQ(cudaStreamSetAttribute(streams[0], cudaLaunchAttributePriority, &value), cudaSuccess);
  int priority = 0;
  EXPECT_EQ(cudaStreamGetPriority(streams[0], &priority), cudaSuccess);
  EXPECT_EQ(priority, -2);
  value.cooperative = 3;
  EXPECT_EQ(cudaStreamSetAttribute(streams[0], cudaLaunchAttributeMemSyncDomain, &value),
            cudaSuccess);
  EXPECT_EQ(cudaStreamCopyAttributes(streams[1], streams[0]), cudaSuccess);
  EXPECT_EQ(cudaStreamGetAttribute(streams[1], cudaLaunchAttributeMemSyncDomain, &got),
            cudaSuccess);
  EXPECT_EQ(got.cooperative, 3);
  EXPECT_EQ(cudaStreamGetAttribute(streams[1], cudaLaunchAttributeMemSyncDomain, nullptr),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamGetFlags(streams[0], nullptr), cudaErrorInvalidValue);
  for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
  EXPECT_EQ(cudaStreamCopyAttributes(streams[1], streams[0]), cudaErrorInvalidResourceHandle);
  cudaGetLastError();
}

TEST(Captures, tell_their_graph_and_go_on_in_a_given_one) {
  Memory m;
  take_findings();
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  const Graph g;
  cudaGraphNode_t const fill = g.fill(m.a, 1);
  EXPECT_EQ(
      cudaStreamBeginCaptureToGraph(stream, g, &fill, nullptr, 1, cudaStreamCaptureModeGlobal),
      cudaSuccess);
  add(m.a, 2, size, stream);
  cudaStreamCaptureStatus status{};
  cudaGraph_t told = nullptr;
  const cudaGraphNode_t* after = nullptr;
  std::size_t count = 0;
  unsigned long long id = 0;
  EXPECT_EQ(cudaStreamGetCaptureInfo(stream, &status, &id, &told, &after, nullptr, &count),
            cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusActive);
  EXPECT_EQ(told, static_cast<cudaGraph_t>(g));
  ASSERT_EQ(count, 1U);
  // A node that the program adds itself, in the middle of the capture.
  cudaGraphNode_t own = g.add(m.a, 10);
  EXPECT_EQ(cudaGraphAddDependencies(g, after, &own, nullptr, 1), cudaSuccess);
  EXPECT_EQ(cudaStreamUpdateCaptureDependencies(stream, &own, nullptr, 1,
                                                cudaStreamSetCaptureDependencies),
            cudaSuccess);
  EXPECT_EQ(cudaMemcpyAsync(m.b, m.a, bytes, cudaMemcpyDeviceToDevice, stream), cudaSuccess);
  cudaGraph_t ended = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(stream, &ended), cudaSuccess);
  EXPECT_EQ(ended, told);
  g.launch();
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_THAT(m.values(m.b), Each(13));
  // The program knows a graph of its own, and need not ask for it.
  constexpr auto mode = cudaStreamCaptureModeGlobal;
  EXPECT_EQ(cudaStreamBeginCaptureToGraph(stream, g, nullptr, nullptr, 0, mode), cudaSuccess);
  EXPECT_EQ(cudaStreamEndCapture(stream, nullptr), cudaSuccess);
  EXPECT_EQ(cudaStreamBeginCapture(stream, mode), cudaSuccess);
  EXPECT_EQ(cudaStreamEndCapture(stream, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamEndCapture(stream, &ended), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(ended), cudaSuccess);
  cudaGetLastError();
  EXPECT_THAT(take_findings(), IsEmpty());
  cudaStreamDestroy(stream);
}

TEST(GraphMemory, exists_from_node_to_node) {
  Memory m;
  take_findings();
  cudaMemAllocNodeParams of = {};
  of.poolProps.allocType = cudaMemAllocationTypePinned;
  of.poolProps.location = device;
  of.bytesize = bytes;
  const Graph g;
  cudaGraphNode_t allocate = nullptr;
  ASSERT_EQ(cudaGraphAddMemAllocNode(&allocate, g, nullptr, 0, &of), cudaSuccess);
  int* const array = static_cast<int*>(of.dptr);
  EXPECT_EQ(cudaMemset(array, 0, bytes), cudaErrorInvalidValue);  // no launch yet
  EXPECT_EQ(take_findings().size(), 1U);
  g.order({allocate, g.fill(array, 3)});
  cudaGraphExec_t const once = g.instantiate();
  cudaGraphExec_t const again = g.instantiate(cudaGraphInstantiateFlagAutoFreeOnLaunch);
  EXPECT_EQ(cudaGraphLaunch(once, nullptr), cudaSuccess);
  std::uint64_t used = 0;
  EXPECT_EQ(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used), cudaSuccess);
  EXPECT_EQ(used, bytes);
  EXPECT_EQ(cudaMemcpy(m.a, array, bytes, cudaMemcpyDeviceToDevice), cudaSuccess);
  EXPECT_THAT(m.values(m.a), Each(3));
  EXPECT_EQ(cudaGraphLaunch(once, nullptr), cudaErrorInvalidValue);  // not freed
  EXPECT_EQ(cudaGraphLaunch(again, nullptr), cudaSuccess);
  EXPECT_EQ(cudaFree(array), cudaSuccess);
  EXPECT_THAT(take_findings(), IsEmpty());
  EXPECT_EQ(cudaFree(array), cudaErrorInvalidValue);
  add(array, 1, size);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  const auto found = take_findings();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].kind, ptx::FaultKind::double_free);
  EXPECT_EQ(found[1].kind, ptx::FaultKind::use_after_free);
  cudaGraphExecDestroy(once);
  cudaGraphExecDestroy(again);
}

TEST(GraphMemory, is_that_of_captured_allocations) {
  Memory m;
  take_findings();
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  EXPECT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  int* array = nullptr;
  EXPECT_EQ(cudaMallocAsync(reinterpret_cast<void**>(&array), bytes, stream), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(array, 1, bytes, stream), cudaSuccess);
  EXPECT_EQ(cudaMemcpyAsync(m.a, array, bytes, cudaMemcpyDeviceToDevice, stream), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(array, stream), cudaSuccess);
  cudaGraph_t captured = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(stream, &captured), cudaSuccess);
  Graph(captured).launch(3);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_THAT(m.values(m.a), Each(0x01010101));
  EXPECT_THAT(take_findings(), IsEmpty());
  cudaStreamDestroy(stream);
}

TEST(UserObjects, live_as_long_as_their_graphs) {
  int destroyed = 0;
  cudaUserObject_t object = nullptr;
  const auto destroy = [](void* data) { ++*static_cast<int*>(data); };
  EXPECT_EQ(cudaUserObjectCreate(&object, &destroyed, destroy, 1, 0), cudaErrorInvalidValue);
  ASSERT_EQ(cudaUserObjectCreate(&object, &destroyed, destroy, 1, cudaUserObjectNoDestructorSync),
            cudaSuccess);
  cudaGraphExec_t executable = nullptr;
  {
    const Graph g;
    EXPECT_EQ(cudaGraphRetainUserObject(g, object, 1, cudaGraphUserObjectMove), cudaSuccess);
    EXPECT_EQ(cudaUserObjectRetain(object, 2), cudaSuccess);
    EXPECT_EQ(cudaUserObjectRelease(object, 2), cudaSuccess);
    executable = g.instantiate();
  }
  EXPECT_EQ(destroyed, 0);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(destroyed, 1);
  EXPECT_EQ(cudaUserObjectRetain(object, 1), cudaErrorInvalidResourceHandle);
  cudaGetLastError();
}

}  // namespace
}  // namespace bankproof::cuda::tests
