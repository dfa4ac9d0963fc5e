// Streams, events and graphs. The machine does everything at once, so that all is always done; a
// stream that is captured collects what it is asked for instead, and so does one that waits for an
// event of it.
#include <fmt/format.h>

#include <utility>

#include "runtime.hpp"

// CUDA leaves these types to the runtime.
struct CUstream_st {};
struct CUevent_st {
  bool recorded = false;
  bankproof::Time time = 0;
  std::weak_ptr<bankproof::cuda::Runtime::Capture> capture;  // in which it was recorded last
};
struct CUgraph_st {
  std::vector<bankproof::cuda::Runtime::Operation> operations;
};
struct CUgraphExec_st {
  std::vector<bankproof::cuda::Runtime::Operation> operations;
};

namespace bankproof::cuda {

cudaError_t Runtime::perform(cudaStream_t stream, Operation operation) {
  if (const auto capture = capture_of(stream)) {
    const std::lock_guard lock(mutex_);
    capture->operations.push_back(std::move(operation));
    return cudaSuccess;
  }
  return operation();
}

cudaError_t Runtime::begin_capture(cudaStream_t stream) {
  const std::lock_guard lock(mutex_);
  if (stream == nullptr || stream == cudaStreamLegacy) {
    return fail(cudaErrorStreamCaptureUnsupported,
                "cudaStreamBeginCapture: the default stream cannot be captured");
  }
  if (captured_.count(stream) != 0) {
    return fail(cudaErrorIllegalState, "cudaStreamBeginCapture: the stream is captured already");
  }
  captured_[stream] = std::make_shared<Capture>(Capture{stream, {}});
  return cudaSuccess;
}

std::shared_ptr<Runtime::Capture> Runtime::capture_of(cudaStream_t stream) {
  const std::lock_guard lock(mutex_);
  const auto found = captured_.find(stream);
  return found == captured_.end() ? nullptr : found->second;
}

void Runtime::join_capture(cudaStream_t stream, const std::shared_ptr<Capture>& capture) {
  const std::lock_guard lock(mutex_);
  captured_[stream] = capture;
}

cudaError_t Runtime::end_capture(cudaStream_t stream, std::vector<Operation>& operations) {
  const std::lock_guard lock(mutex_);
  const auto found = captured_.find(stream);
  if (found == captured_.end()) {
    return fail(cudaErrorIllegalState, "cudaStreamEndCapture: the stream is not being captured");
  }
  const std::shared_ptr<Capture> capture = found->second;
  if (capture->origin != stream) {
    return fail(cudaErrorStreamCaptureUnmatched,
                "cudaStreamEndCapture: the capture was begun in another stream");
  }
  operations = std::move(capture->operations);
  std::erase_if(captured_, [&](const auto& one) { return one.second == capture; });
  return cudaSuccess;
}

namespace {

/// An object that the program holds by its pointer until it destroys it.
template <class T, class... Parts>
cudaError_t create(T** object, Parts&&... parts) {
  if (object == nullptr) return Runtime::fail(cudaErrorInvalidValue, "no place for what is made");
  *object = new T{std::forward<Parts>(parts)...};
  return cudaSuccess;
}
template <class T>
cudaError_t destroy(T* object) {
  delete object;
  return cudaSuccess;
}

/// For what waits until a stream is done, or asks whether it is.
cudaError_t require_no_capture(const char* call, cudaStream_t stream) {
  if (Runtime::get().capture_of(stream) == nullptr) return cudaSuccess;
  return Runtime::fail(cudaErrorStreamCaptureUnsupported,
                       fmt::format("{}: the stream is being captured", call));
}

}  // namespace
}  // namespace bankproof::cuda

using bankproof::cuda::create;
using bankproof::cuda::destroy;
using bankproof::cuda::require_no_capture;
using bankproof::cuda::Runtime;

extern "C" {
cudaError_t cudaStreamCreate(cudaStream_t* stream) { return create(stream); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int) { return create(stream); }
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int, int) {
  return create(stream);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (Runtime::get().capture_of(stream) != nullptr) {
    std::vector<Runtime::Operation> dropped;
    Runtime::get().end_capture(stream, dropped);
  }
  return destroy(stream);
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return require_no_capture("cudaStreamSynchronize", stream);
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return require_no_capture("cudaStreamQuery", stream);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int) {
  const auto capture = event->capture.lock();
  const bool goes_on = capture != nullptr && Runtime::get().capture_of(capture->origin) == capture;
  if (goes_on) Runtime::get().join_capture(stream, capture);
  return cudaSuccess;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return Runtime::get().perform(stream, [=] {
    function(data);
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) { return create(event); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int) { return create(event); }
cudaError_t cudaEventDestroy(cudaEvent_t event) { return destroy(event); }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  event->capture = Runtime::get().capture_of(stream);
  return Runtime::get().perform(stream, [=] {
    event->recorded = true;
    event->time = Runtime::get().time();
    return cudaSuccess;
  });
}
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventQuery(cudaEvent_t) { return cudaSuccess; }
// A million time units of the machine count as a millisecond: its time is no chip's.
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  if (!start->recorded || !end->recorded) {
    return Runtime::fail(cudaErrorInvalidResourceHandle,
                         "cudaEventElapsedTime: an event that was not recorded");
  }
  *milliseconds = static_cast<float>(end->time - start->time) * 1e-6F;
  return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode) {
  return Runtime::get().begin_capture(stream);
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  *graph = nullptr;
  std::vector<Runtime::Operation> operations;
  const cudaError_t error = Runtime::get().end_capture(stream, operations);
  return error == cudaSuccess ? create(graph, std::move(operations)) : error;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus* status) {
  const bool captured = Runtime::get().capture_of(stream) != nullptr;
  *status = captured ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}
cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int) { return create(graph); }
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 unsigned long long) {
  return create(executable, graph->operations);
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  return Runtime::get().perform(stream, [operations = executable->operations] {
    for (const Runtime::Operation& operation : operations) {
      if (const cudaError_t error = operation(); error != cudaSuccess) return error;
    }
    return cudaSuccess;
  });
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) { return destroy(graph); }
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) { return destroy(executable); }
}
