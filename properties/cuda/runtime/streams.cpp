// Tests graphs, events and streams: launching a graph performs the operations that its stream
// captured; capturing alone performs nothing.
#include "support.hpp"

namespace bankproof::cuda::tests {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

class Stream {
 public:
  Stream() { EXPECT_EQ(cudaStreamCreate(&stream_), cudaSuccess); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { cudaStreamDestroy(stream_); }
  operator cudaStream_t() const { return stream_; }  // NOLINT(google-explicit-constructor)

 private:
  cudaStream_t stream_ = nullptr;
};

class Event {
 public:
  Event() { EXPECT_EQ(cudaEventCreate(&event_), cudaSuccess); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { cudaEventDestroy(event_); }
  operator cudaEvent_t() const { return event_; }  // NOLINT(google-explicit-constructor)

 private:
  cudaEvent_t event_ = nullptr;
};

void begin(const Stream& stream) {
  EXPECT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
}

/// Ends the stream's capture and launches its graph `times` times; returns the first error.
cudaError_t launch_captured(const Stream& stream, int times) {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  EXPECT_EQ(cudaGraphInstantiate(&executable, graph), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  cudaError_t error = cudaSuccess;
  for (int k = 0; k < times && error == cudaSuccess; ++k) {
    error = cudaGraphLaunch(executable, stream);
  }
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  return error;
}

DeviceArray<int> zeros(std::size_t size) {
  DeviceArray<int> array(size);
  EXPECT_EQ(cudaMemset(array.data(), 0, size * sizeof(int)), cudaSuccess);
  return array;
}

/// The numbers, without the default stream, which waits for captured streams.
std::vector<int> values_meanwhile(const DeviceArray<int>& numbers) {
  cudaStream_t stream = nullptr;
  EXPECT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  std::vector<int> values(numbers.size());
  EXPECT_EQ(cudaMemcpyAsync(values.data(), numbers.data(), values.size() * sizeof(int),
                            cudaMemcpyDeviceToHost, stream),
            cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  return values;
}

TEST(Graphs, do_what_was_captured_when_they_are_launched) {
  take_launches();
  DeviceArray<int> numbers = zeros(100);
  const Stream stream;
  begin(stream);
  int added = 3;
  add(numbers.data(), added, 100, stream);
  added = 1000;  // the kernel keeps its old argument
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  EXPECT_EQ(cudaStreamIsCapturing(stream, &status), cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusActive);
  EXPECT_TRUE(take_launches().empty());
  EXPECT_THAT(values_meanwhile(numbers), Each(0));
  EXPECT_EQ(launch_captured(stream, 4), cudaSuccess);
  EXPECT_THAT(numbers.values(), Each(12));
  EXPECT_EQ(take_launches().size(), 4U);
  EXPECT_EQ(cudaStreamIsCapturing(stream, &status), cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusNone);
  add(numbers.data(), added, 100, stream);
  EXPECT_THAT(numbers.values(), Each(1012));
  expect_no_faults();
}

TEST(Graphs, have_copies_fills_and_calls_of_the_host_in_order) {
  take_launches();
  const std::vector<int> given(8, 5);
  std::vector<int> got(8);
  DeviceArray<int> numbers = zeros(8);
  std::vector<int> seen;
  struct Look {
    std::vector<int>* got;
    std::vector<int>* seen;
  } look{&got, &seen};
  const Stream stream;
  begin(stream);
  cudaMemcpyAsync(numbers.data(), given.data(), 32, cudaMemcpyHostToDevice, stream);
  add(numbers.data(), 1, 8, stream);
  cudaMemsetAsync(numbers.data(), 0, 4, stream);
  cudaMemcpyAsync(got.data(), numbers.data(), 32, cudaMemcpyDeviceToHost, stream);
  cudaLaunchHostFunc(
      stream,
      [](void* data) {
        const auto* const what = static_cast<Look*>(data);
        what->seen->push_back((*what->got)[0] + 10 * (*what->got)[7]);
      },
      &look);
  EXPECT_THAT(got, Each(0));
  EXPECT_EQ(launch_captured(stream, 2), cudaSuccess);
  EXPECT_THAT(got, ElementsAre(0, 6, 6, 6, 6, 6, 6, 6));
  EXPECT_THAT(seen, ElementsAre(60, 60));
  expect_no_faults();
}

// Programs fork and join like this within a capture.
TEST(Graphs, capture_streams_that_wait_for_an_event_of_theirs) {
  take_launches();
  DeviceArray<int> numbers = zeros(10);
  const Stream origin;
  const Stream other;
  const Event fork;
  const Event join;
  begin(origin);
  add(numbers.data(), 1, 10, origin);
  cudaEventRecord(fork, origin);
  cudaStreamWaitEvent(other, fork);
  add(numbers.data(), 10, 10, other);
  cudaEventRecord(join, other);
  cudaStreamWaitEvent(origin, join);
  EXPECT_THAT(values_meanwhile(numbers), Each(0));
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(other, &graph), cudaErrorStreamCaptureUnmatched);
  EXPECT_EQ(launch_captured(origin, 2), cudaSuccess);
  EXPECT_THAT(numbers.values(), Each(22));
  // Afterwards both are ordinary streams, and the event belongs to no capture.
  cudaStreamWaitEvent(other, fork);
  add(numbers.data(), 100, 10, other);
  EXPECT_THAT(numbers.values(), Each(122));
  expect_no_faults();
  cudaGetLastError();
}

TEST(Graphs, are_parts_of_others) {
  take_launches();
  DeviceArray<int> numbers = zeros(10);
  const Stream inner;
  begin(inner);
  add(numbers.data(), 2, 10, inner);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(inner, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph), cudaSuccess);
  const Stream outer;
  begin(outer);
  EXPECT_EQ(cudaGraphLaunch(executable, outer), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(executable, outer), cudaSuccess);
  EXPECT_THAT(values_meanwhile(numbers), Each(0));
  EXPECT_EQ(launch_captured(outer, 3), cudaSuccess);
  EXPECT_THAT(numbers.values(), Each(12));
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  expect_no_faults();
}

TEST(Graphs, tell_what_goes_wrong_in_them) {
  take_launches();
  take_findings();
  void* freed = nullptr;
  ASSERT_EQ(cudaMalloc(&freed, 64), cudaSuccess);
  const Stream stream;
  EXPECT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), cudaSuccess);
  cudaMemsetAsync(freed, 0, 64, stream);
  ASSERT_EQ(cudaFree(freed), cudaSuccess);
  EXPECT_EQ(launch_captured(stream, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_THAT(take_kinds(), ElementsAre(ptx::FaultKind::use_after_free));
}

TEST(Captures, are_begun_and_ended_once) {
  const Stream stream;
  cudaGraph_t graph = nullptr;
  const auto mode = cudaStreamCaptureModeRelaxed;
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorIllegalState);
  EXPECT_EQ(cudaStreamBeginCapture(nullptr, mode), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaStreamBeginCapture(cudaStreamLegacy, mode), cudaErrorStreamCaptureUnsupported);
  begin(stream);
  EXPECT_EQ(cudaStreamBeginCapture(stream, mode), cudaErrorIllegalState);
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  cudaGetLastError();
}

TEST(Events, tell_the_machine_s_time_between_them) {
  take_launches();
  DeviceArray<int> numbers = zeros(64);
  const Event first;
  const Event second;
  const Event third;
  float milliseconds = -1;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, first, second), cudaErrorInvalidResourceHandle);
  cudaEventRecord(first);
  add(numbers.data(), 1, 64);
  cudaEventRecord(second);
  cudaEventRecord(third);
  EXPECT_EQ(cudaEventSynchronize(third), cudaSuccess);
  const auto launches = take_launches();
  ASSERT_EQ(launches.size(), 1U);
  EXPECT_GT(launches.front().time, 0U);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, first, second), cudaSuccess);
  EXPECT_FLOAT_EQ(milliseconds, static_cast<float>(launches.front().time) * 1e-6F);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, second, third), cudaSuccess);
  EXPECT_EQ(milliseconds, 0.0F);
  cudaGetLastError();
}

// A destroyed object does not exist, even if its memory does.
TEST(Handles, of_destroyed_objects_are_errors) {
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  EXPECT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  EXPECT_EQ(cudaEventCreate(&event), cudaSuccess);
  EXPECT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphInstantiate(&executable, graph), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);

  constexpr cudaError_t none = cudaErrorInvalidResourceHandle;
  const Stream other;
  const Event live;
  DeviceArray<int> numbers = zeros(4);
  cudaGraphExec_t next = nullptr;
  float milliseconds = 0;
  EXPECT_EQ(cudaStreamDestroy(stream), none);
  EXPECT_EQ(cudaStreamSynchronize(stream), none);
  EXPECT_EQ(cudaStreamQuery(stream), none);
  EXPECT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), none);
  EXPECT_EQ(cudaStreamWaitEvent(stream, live), none);
  EXPECT_EQ(cudaStreamWaitEvent(other, event), none);
  EXPECT_EQ(cudaMemsetAsync(numbers.data(), 1, 4, stream), none);
  EXPECT_EQ(cudaEventRecord(event, other), none);
  EXPECT_EQ(cudaEventRecord(live, stream), none);
  EXPECT_EQ(cudaEventRecord(nullptr, other), none);
  EXPECT_EQ(cudaEventSynchronize(event), none);
  EXPECT_EQ(cudaEventQuery(event), none);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, event, live), none);
  EXPECT_EQ(cudaEventDestroy(event), none);
  EXPECT_EQ(cudaGraphInstantiate(&next, graph), none);
  EXPECT_EQ(cudaGraphLaunch(executable, other), none);
  EXPECT_EQ(cudaGraphLaunch(nullptr, other), none);
  EXPECT_EQ(cudaGraphDestroy(graph), none);
  EXPECT_EQ(cudaGraphExecDestroy(executable), none);
  EXPECT_THAT(numbers.values(), Each(0));
  cudaGetLastError();
}

}  // namespace
}  // namespace bankproof::cuda::tests
