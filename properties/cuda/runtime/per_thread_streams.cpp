// The functions of programs whose default streams are per thread: the stream 0 is the calling
// thread's own. It is ordered with the legacy default stream, and not with other threads' streams.
#include <thread>

#include "../../../cuda/runtime/reports.hpp"
#include "graph_support.hpp"

// As the toolkit's header declares them for such programs.
extern "C" {
cudaError_t cudaMemsetAsync_ptsz(void* pointer, int value, size_t size, cudaStream_t stream);
cudaError_t cudaMemset_ptds(void* pointer, int value, size_t size);
cudaError_t cudaMemcpy_ptds(void* to, const void* from, size_t size, cudaMemcpyKind kind);
cudaError_t cudaStreamSynchronize_ptsz(cudaStream_t stream);
cudaError_t cudaStreamGetId_ptsz(cudaStream_t stream, unsigned long long* id);
cudaError_t cudaEventRecord_ptsz(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaStreamWaitEvent_ptsz(cudaStream_t stream, cudaEvent_t event, unsigned flags);
cudaError_t cudaStreamBeginCapture_ptsz(cudaStream_t stream, cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture_ptsz(cudaStream_t stream, cudaGraph_t* graph);
cudaError_t cudaGraphLaunch_ptsz(cudaGraphExec_t executable, cudaStream_t stream);
}

namespace bankproof::cuda::tests {
namespace {

using ::testing::Each;
using ::testing::IsEmpty;

/// A call of another thread, which is over when this function returns. Nothing else orders the
/// thread's operations with those of the calling thread.
template <class Call>
void in_other_thread(Call call) {
  std::thread(call).join();
}

/// Whether operations of two threads on the same bytes are found to race.
template <class First, class Second>
bool race(First first, Second second) {
  take_findings();
  first();
  in_other_thread(second);
  const bool found = !take_findings().empty();
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  return found;
}

TEST(PerThread, default_streams_of_two_threads_are_not_ordered) {
  Memory m;
  const auto fill = [&] { EXPECT_EQ(cudaMemsetAsync_ptsz(m.a, 1, bytes, nullptr), cudaSuccess); };
  EXPECT_TRUE(race(fill, fill));
  EXPECT_FALSE(race(fill, [] {}));
  fill();
  fill();
  EXPECT_THAT(take_findings(), IsEmpty());
}

TEST(PerThread, default_streams_and_the_legacy_stream_wait_for_each_other) {
  Memory m;
  const auto own = [&] { EXPECT_EQ(cudaMemset_ptds(m.a, 1, bytes), cudaSuccess); };
  const auto legacy = [&] { EXPECT_EQ(cudaMemset(m.a, 2, bytes), cudaSuccess); };
  const auto named = [&] {
    EXPECT_EQ(cudaMemsetAsync_ptsz(m.a, 2, bytes, cudaStreamLegacy), cudaSuccess);
  };
  EXPECT_FALSE(race(own, legacy));
  EXPECT_FALSE(race(legacy, own));
  EXPECT_FALSE(race(own, named));
  EXPECT_FALSE(race(legacy, named));
}

TEST(PerThread, default_streams_do_not_wait_for_streams_of_either_kind) {
  Memory m;
  constexpr unsigned kinds[] = {cudaStreamDefault, cudaStreamNonBlocking};
  for (const unsigned flags : kinds) {
    cudaStream_t stream = nullptr;
    ASSERT_EQ(cudaStreamCreateWithFlags(&stream, flags), cudaSuccess);
    const auto own = [&] { EXPECT_EQ(cudaMemset_ptds(m.a, 1, bytes), cudaSuccess); };
    const auto other = [&] { EXPECT_EQ(cudaMemsetAsync_ptsz(m.a, 2, bytes, stream), cudaSuccess); };
    EXPECT_TRUE(race(own, other));
    cudaStreamDestroy(stream);
  }
}

TEST(PerThread, default_streams_are_named_by_a_handle) {
  Memory m;
  take_findings();
  EXPECT_EQ(cudaMemsetAsync(m.a, 1, bytes, cudaStreamPerThread), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync_ptsz(m.a, 1, bytes, nullptr), cudaSuccess);
  EXPECT_THAT(take_findings(), IsEmpty());
  unsigned long long own = 0, named = 0, legacy = 0;
  EXPECT_EQ(cudaStreamGetId_ptsz(nullptr, &own), cudaSuccess);
  EXPECT_EQ(cudaStreamGetId(cudaStreamPerThread, &named), cudaSuccess);
  EXPECT_EQ(cudaStreamGetId(nullptr, &legacy), cudaSuccess);
  EXPECT_EQ(own, named);
  EXPECT_NE(own, legacy);
}

// What one thread has waited for, a later call of another thread knows: the threads were joined.
TEST(PerThread, waiting_for_the_default_stream_does_not_wait_for_other_threads) {
  for (const bool waits : {true, false}) {
    Memory m;
    take_findings();
    in_other_thread([&] {
      EXPECT_EQ(cudaMemsetAsync_ptsz(m.a, 1, bytes, nullptr), cudaSuccess);
      if (waits) {
        EXPECT_EQ(cudaStreamSynchronize_ptsz(nullptr), cudaSuccess);
      }
    });
    EXPECT_EQ(cudaStreamSynchronize_ptsz(nullptr), cudaSuccess);
    EXPECT_EQ(cudaMemsetAsync_ptsz(m.a, 1, bytes, nullptr), cudaSuccess);
    EXPECT_EQ(take_findings().empty(), waits);
  }
}

TEST(PerThread, events_order_the_default_streams_of_two_threads) {
  for (const bool waits : {true, false}) {
    Memory m;
    cudaEvent_t event = nullptr;
    ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
    EXPECT_NE(waits, race(
                         [&] {
                           cudaMemsetAsync_ptsz(m.a, 1, bytes, nullptr);
                           EXPECT_EQ(cudaEventRecord_ptsz(event, nullptr), cudaSuccess);
                         },
                         [&] {
                           if (waits) cudaStreamWaitEvent_ptsz(nullptr, event, 0);
                           cudaMemsetAsync_ptsz(m.a, 1, bytes, nullptr);
                         }));
    cudaEventDestroy(event);
  }
}

TEST(PerThread, default_streams_are_captured_and_run_graphs) {
  Memory m;
  EXPECT_EQ(cudaStreamBeginCapture_ptsz(nullptr, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync_ptsz(m.a, 1, bytes, nullptr), cudaSuccess);
  // Another thread's stream is another one.
  in_other_thread([&] {
    EXPECT_EQ(cudaMemsetAsync_ptsz(m.b, 1, bytes, nullptr), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize_ptsz(nullptr), cudaSuccess);
  });
  cudaGraph_t captured = nullptr;
  EXPECT_EQ(cudaStreamEndCapture_ptsz(nullptr, &captured), cudaSuccess);
  const Graph graph(captured);
  std::size_t nodes = 0;
  EXPECT_EQ(cudaGraphGetNodes(graph, nullptr, &nodes), cudaSuccess);
  EXPECT_EQ(nodes, 1U);
  cudaGraphExec_t const executable = graph.instantiate();
  EXPECT_EQ(cudaGraphLaunch_ptsz(executable, nullptr), cudaSuccess);
  std::vector<int> values(size);
  EXPECT_EQ(cudaMemcpy_ptds(values.data(), m.a, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_THAT(values, Each(0x01010101));
  cudaGraphExecDestroy(executable);
  take_findings();
}

}  // namespace
}  // namespace bankproof::cuda::tests
