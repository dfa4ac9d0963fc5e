// Streams, events and graphs. The runtime executes every operation at once, so there is never work
// to wait for. Only a captured stream collects its operations instead of executing them, and so
// does a stream that waits for an event of a captured stream.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "devices.hpp"
#include "handles.hpp"
#include "runtime.hpp"

// CUDA lets the runtime define these types.
struct CUstream_st {
  unsigned flags = 0;
  int priority = 0;
  int device = 0;
  unsigned long long id = 0;
};
struct CUevent_st {
  bool recorded = false;
  bankproof::Time time = 0;
  std::weak_ptr<bankproof::cuda::Runtime::Capture> capture;  // the capture of the last record
};
struct CUgraph_st {
  std::vector<bankproof::cuda::Runtime::Operation> operations;
};
struct CUgraphExec_st {
  std::vector<bankproof::cuda::Runtime::Operation> operations;
};

namespace bankproof::cuda {

namespace {

/// The program's handles. The handles outlive the program's static variables, since destructors of
/// these variables may use handles.
template <class T>
Handles<T>& handles() {
  static auto* const all = new Handles<T>;
  return *all;
}

template <class T>
constexpr const char* kind_of = "graph";
template <>
constexpr const char* kind_of<CUstream_st> = "stream";
template <>
constexpr const char* kind_of<CUevent_st> = "event";

/// Whether the handle is live; if not, the call fails.
template <class T>
bool is_live(const char* call, const T* handle) {
  if (handles<T>().is_live(handle)) return true;
  Runtime::fail(cudaErrorInvalidResourceHandle,
                fmt::format("{}: the {} does not exist; was it destroyed?", call, kind_of<T>));
  return false;
}
bool is_default(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}
/// The default streams always exist.
bool is_live_stream(const char* call, cudaStream_t stream) {
  return is_default(stream) || is_live(call, stream);
}

template <class T, class... Parts>
cudaError_t create(T** handle, Parts&&... parts) {
  if (handle == nullptr)
    return Runtime::fail(cudaErrorInvalidValue, "the address for the new handle is null");
  *handle = handles<T>().make(std::forward<Parts>(parts)...);
  return cudaSuccess;
}
template <class T>
cudaError_t destroy(const char* call, const T* handle) {
  if (!is_live(call, handle)) return cudaErrorInvalidResourceHandle;
  handles<T>().destroy(handle);
  return cudaSuccess;
}

/// The body of the functions that wait for a stream, or ask whether its work is done.
cudaError_t require_no_capture(const char* call, cudaStream_t stream) {
  if (!is_live_stream(call, stream)) return cudaErrorInvalidResourceHandle;
  if (Runtime::get().capture_of(stream) == nullptr) return cudaSuccess;
  return Runtime::fail(cudaErrorStreamCaptureUnsupported,
                       fmt::format("{}: the stream is being captured", call));
}

constexpr int greatest_priority = -5;

/// Calls answer(stream), unless the stream is a default stream, whose answer is known.
template <class Answer>
cudaError_t about_stream(const char* call, cudaStream_t stream, Answer answer) {
  if (!is_live_stream(call, stream)) return cudaErrorInvalidResourceHandle;
  if (!is_default(stream)) answer(*stream);
  return cudaSuccess;
}

}  // namespace

cudaError_t Runtime::perform(cudaStream_t stream, Operation operation) {
  if (!is_live_stream("an operation of a stream", stream)) return cudaErrorInvalidResourceHandle;
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
  if (!is_live_stream("cudaStreamBeginCapture", stream)) return cudaErrorInvalidResourceHandle;
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

}  // namespace bankproof::cuda

using bankproof::cuda::about_stream;
using bankproof::cuda::create;
using bankproof::cuda::destroy;
using bankproof::cuda::greatest_priority;
using bankproof::cuda::is_live;
using bankproof::cuda::is_live_stream;
using bankproof::cuda::require_no_capture;
using bankproof::cuda::Runtime;

extern "C" {
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  static std::atomic<unsigned long long> ids = 2;  // 1 and 2 are the default streams
  return create(stream, CUstream_st{flags, std::clamp(priority, greatest_priority, 0),
                                    bankproof::cuda::current_device(), ++ids});
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (Runtime::get().capture_of(stream) != nullptr) {
    std::vector<Runtime::Operation> dropped;
    Runtime::get().end_capture(stream, dropped);
  }
  return destroy("cudaStreamDestroy", stream);
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return require_no_capture("cudaStreamSynchronize", stream);
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return require_no_capture("cudaStreamQuery", stream);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int) {
  if (!is_live_stream("cudaStreamWaitEvent", stream)) return cudaErrorInvalidResourceHandle;
  if (!is_live("cudaStreamWaitEvent", event)) return cudaErrorInvalidResourceHandle;
  const auto capture = event->capture.lock();
  const bool goes_on = capture != nullptr && Runtime::get().capture_of(capture->origin) == capture;
  if (goes_on) Runtime::get().join_capture(stream, capture);
  return cudaSuccess;
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  *flags = cudaStreamDefault;
  return about_stream("cudaStreamGetFlags", stream, [&](const auto& of) { *flags = of.flags; });
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  *priority = 0;
  return about_stream("cudaStreamGetPriority", stream,
                      [&](const auto& of) { *priority = of.priority; });
}
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  *id = stream == cudaStreamPerThread ? 2 : 1;
  return about_stream("cudaStreamGetId", stream, [&](const auto& of) { *id = of.id; });
}
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  *device = bankproof::cuda::current_device();
  return about_stream("cudaStreamGetDevice", stream, [&](const auto& of) { *device = of.device; });
}
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode* mode) {
  static thread_local cudaStreamCaptureMode current = cudaStreamCaptureModeGlobal;
  std::swap(*mode, current);
  return cudaSuccess;
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void* data,
                                  unsigned int) {
  return Runtime::get().perform(stream, [=] {
    function(stream, cudaSuccess, data);
    return cudaSuccess;
  });
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return Runtime::get().perform(stream, [=] {
    function(data);
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) { return create(event); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int) { return create(event); }
cudaError_t cudaEventDestroy(cudaEvent_t event) { return destroy("cudaEventDestroy", event); }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (!is_live("cudaEventRecord", event)) return cudaErrorInvalidResourceHandle;
  event->capture = Runtime::get().capture_of(stream);
  return Runtime::get().perform(stream, [=] {
    if (!is_live("cudaEventRecord", event)) return cudaErrorInvalidResourceHandle;
    event->recorded = true;
    event->time = Runtime::get().time();
    return cudaSuccess;
  });
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int) {
  return cudaEventRecord(event, stream);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return is_live("cudaEventSynchronize", event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  return is_live("cudaEventQuery", event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}
// The machine's time units are not the time of a chip; a million time units count as a millisecond.
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  for (const cudaEvent_t event : {start, end}) {
    if (!is_live("cudaEventElapsedTime", event)) return cudaErrorInvalidResourceHandle;
  }
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
  if (!is_live("cudaGraphInstantiate", graph)) return cudaErrorInvalidResourceHandle;
  return create(executable, graph->operations);
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long flags) {
  return cudaGraphInstantiate(executable, graph, flags);
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  if (!is_live("cudaGraphLaunch", executable)) return cudaErrorInvalidResourceHandle;
  return Runtime::get().perform(stream, [operations = executable->operations] {
    for (const Runtime::Operation& operation : operations) {
      if (const cudaError_t error = operation(); error != cudaSuccess) return error;
    }
    return cudaSuccess;
  });
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) { return destroy("cudaGraphDestroy", graph); }
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return destroy("cudaGraphExecDestroy", executable);
}
}
