// What programs must not do while streams are captured. Each rule is broken once; the capture is
// invalid then, and the streams are ordinary ones after its end.
#include <functional>
#include <thread>

#include "graph_support.hpp"

namespace bankproof::cuda::tests {
namespace {

class Rules : public testing::Test {
 public:
  void SetUp() override {
    EXPECT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    EXPECT_EQ(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
    for (cudaEvent_t* one : {&event, &second}) EXPECT_EQ(cudaEventCreate(one), cudaSuccess);
  }
  void TearDown() override {
    for (cudaEvent_t one : {event, second}) EXPECT_EQ(cudaEventDestroy(one), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(other), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    cudaGetLastError();
  }

  void begin(cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) const {
    EXPECT_EQ(cudaStreamBeginCapture(stream, mode), cudaSuccess);
    EXPECT_EQ(cudaMemsetAsync(memory.a, 1, bytes, stream), cudaSuccess);
  }
  /// The other stream joins the capture and does something.
  void fork() const {
    EXPECT_EQ(cudaEventRecord(event, stream), cudaSuccess);
    EXPECT_EQ(cudaStreamWaitEvent(other, event, 0), cudaSuccess);
    EXPECT_EQ(cudaMemsetAsync(memory.b, 1, bytes, other), cudaSuccess);
  }
  cudaStreamCaptureStatus status() const {
    cudaStreamCaptureStatus now = cudaStreamCaptureStatusNone;
    EXPECT_EQ(cudaStreamIsCapturing(stream, &now), cudaSuccess);
    return now;
  }
  void expect_end(cudaError_t expected) const {
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(stream, &graph), expected);
    EXPECT_EQ(graph != nullptr, expected == cudaSuccess);
    if (graph != nullptr) {
      EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    }
    EXPECT_EQ(status(), cudaStreamCaptureStatusNone);
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  }
  void expect_broken() const {
    EXPECT_EQ(status(), cudaStreamCaptureStatusInvalidated);
    EXPECT_EQ(cudaMemsetAsync(memory.a, 2, bytes, stream), cudaErrorStreamCaptureInvalidated);
    expect_end(cudaErrorStreamCaptureInvalidated);
  }

  Memory memory;
  cudaStream_t stream = nullptr;
  cudaStream_t other = nullptr;
  cudaEvent_t event = nullptr;
  cudaEvent_t second = nullptr;
};

TEST_F(Rules, calls_that_may_wait_are_forbidden_by_the_mode) {
  void* p = nullptr;
  std::size_t pitch = 0;
  const std::function<cudaError_t()> calls[] = {
      [&] { return cudaMalloc(&p, 4); },
      [&] { return cudaMallocPitch(&p, &pitch, 4, 4); },
      [&] { return cudaMallocHost(&p, 4); },
      [&] { return cudaMallocManaged(&p, 4, cudaMemAttachGlobal); },
      [&] { return cudaFree(memory.b); },
      [&] { return cudaFreeHost(memory.pinned); },
  };
  for (const auto& call : calls) {
    begin();
    EXPECT_EQ(call(), cudaErrorStreamCaptureUnsupported);
    expect_broken();
  }
  begin(cudaStreamCaptureModeRelaxed);
  EXPECT_EQ(cudaMalloc(&p, 4), cudaSuccess);
  EXPECT_EQ(cudaFree(p), cudaSuccess);
  expect_end(cudaSuccess);
  begin();
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  EXPECT_EQ(cudaThreadExchangeStreamCaptureMode(&mode), cudaSuccess);
  EXPECT_EQ(mode, cudaStreamCaptureModeGlobal);
  EXPECT_EQ(cudaMalloc(&p, 4), cudaSuccess);
  EXPECT_EQ(cudaThreadExchangeStreamCaptureMode(&mode), cudaSuccess);
  expect_end(cudaSuccess);
  EXPECT_EQ(cudaFree(p), cudaSuccess);
}

TEST_F(Rules, of_modes_hold_for_other_threads) {
  const auto allocates = [](cudaError_t expected) {
    std::thread([&] {
      void* p = nullptr;
      EXPECT_EQ(cudaMalloc(&p, 4), expected);
      cudaGetLastError();
      cudaFree(p);
    }).join();
  };
  begin(cudaStreamCaptureModeThreadLocal);
  allocates(cudaSuccess);
  std::thread([&] {
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureWrongThread);
    cudaGetLastError();
  }).join();
  expect_end(cudaSuccess);
  begin();
  allocates(cudaErrorStreamCaptureUnsupported);
  expect_broken();
}

TEST_F(Rules, nobody_waits_for_what_is_captured) {
  const std::function<cudaError_t()> calls[] = {
      [] { return cudaDeviceSynchronize(); },
      [&] { return cudaStreamSynchronize(stream); },
      [&] { return cudaStreamQuery(stream); },
  };
  for (const auto& call : calls) {
    begin(cudaStreamCaptureModeRelaxed);
    EXPECT_EQ(call(), cudaErrorStreamCaptureUnsupported);
    expect_broken();
  }
  for (const auto& call : {cudaEventSynchronize, cudaEventQuery}) {
    begin();
    EXPECT_EQ(cudaEventRecord(event, stream), cudaSuccess);
    EXPECT_EQ(call(event), cudaErrorCapturedEvent);
    expect_broken();
  }
}

TEST_F(Rules, the_legacy_stream_is_not_used_while_a_blocking_stream_is_captured) {
  const std::function<cudaError_t()> calls[] = {
      [&] { return cudaMemset(memory.b, 0, bytes); },
      [&] { return cudaMemcpy(memory.b, memory.pinned, bytes, cudaMemcpyDefault); },
      [&] { return cudaEventRecord(second, nullptr); },
      [&] { return cudaStreamWaitEvent(cudaStreamLegacy, second, 0); },
      [] { return cudaStreamSynchronize(nullptr); },
      [&] { return add(memory.b, 1, size), cudaGetLastError(); },
  };
  for (const auto& call : calls) {
    begin();
    EXPECT_EQ(call(), cudaErrorStreamCaptureImplicit);
    expect_broken();
    cudaGetLastError();
    // A stream that is not blocking has nothing to do with it.
    EXPECT_EQ(cudaStreamBeginCapture(other, cudaStreamCaptureModeGlobal), cudaSuccess);
    EXPECT_EQ(call(), cudaSuccess);
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(other, &graph), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  }
}

TEST_F(Rules, streams_that_joined_have_to_be_waited_for) {
  begin();
  fork();
  expect_end(cudaErrorStreamCaptureUnjoined);
  EXPECT_EQ(cudaStreamSynchronize(other), cudaSuccess);
  begin();
  fork();
  EXPECT_EQ(cudaEventRecord(second, other), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(stream, second, 0), cudaSuccess);
  expect_end(cudaSuccess);
  // A stream without work of its own has nothing to wait for.
  begin();
  EXPECT_EQ(cudaEventRecord(event, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(other, event, 0), cudaSuccess);
  expect_end(cudaSuccess);
}

TEST_F(Rules, captures_stay_apart_from_each_other_and_from_other_work) {
  EXPECT_EQ(cudaEventRecord(event, other), cudaSuccess);
  begin();
  EXPECT_EQ(cudaStreamWaitEvent(stream, second, 0), cudaSuccess);  // was never recorded
  EXPECT_EQ(cudaStreamWaitEvent(stream, event, 0), cudaErrorStreamCaptureIsolation);
  expect_broken();
  begin();
  EXPECT_EQ(cudaStreamBeginCapture(other, cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(event, other), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(stream, event, 0), cudaErrorStreamCaptureMerge);
  expect_broken();
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(other, &graph), cudaErrorStreamCaptureInvalidated);
}

TEST_F(Rules, callbacks_are_not_captured) {
  begin();
  EXPECT_EQ(cudaStreamAddCallback(
                stream, [](cudaStream_t, cudaError_t, void*) {}, nullptr, 0),
            cudaErrorStreamCaptureUnsupported);
  expect_broken();
}

TEST_F(Rules, a_stream_that_joined_may_be_destroyed) {
  begin();
  fork();
  EXPECT_EQ(cudaEventRecord(second, other), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(stream, second, 0), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(other), cudaSuccess);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  expect_end(cudaSuccess);
  EXPECT_EQ(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
}

}  // namespace
}  // namespace bankproof::cuda::tests
