// Events: what a stream has done so far, for the host and for other streams to wait for.
#include <atomic>

#include "stream_handles.hpp"

using bankproof::cuda::create;
using bankproof::cuda::destroy;
using bankproof::cuda::Event;
using bankproof::cuda::is_live;
using bankproof::cuda::is_live_stream;
using bankproof::cuda::Ordering;
using bankproof::cuda::Runtime;

namespace {

cudaError_t wait_for(const char* call, cudaEvent_t event) {
  if (!is_live(call, event)) return cudaErrorInvalidResourceHandle;
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex());
  return runtime.synchronize(event->number);
}

}  // namespace

extern "C" {
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int) {
  static std::atomic<std::uint64_t> numbers = 0;
  return create(event, CUevent_st{.number = Event{numbers++}});
}
cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (!is_live("cudaEventDestroy", event)) return cudaErrorInvalidResourceHandle;
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex());
  runtime.ordering().order().forget(event->number);
  return destroy("cudaEventDestroy", event);
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (!is_live("cudaEventRecord", event)) return cudaErrorInvalidResourceHandle;
  if (!is_live_stream("cudaEventRecord", stream)) return cudaErrorInvalidResourceHandle;
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex());
  const auto capture = runtime.capture_of(stream);
  event->capture = capture;
  event->nodes = capture == nullptr ? std::vector<std::size_t>() : capture->last[stream];
  const auto note_time = [event] {
    if (!is_live("cudaEventRecord", event)) return cudaErrorInvalidResourceHandle;
    event->recorded = true;
    event->time = Runtime::get().time();
    return cudaSuccess;
  };
  const cudaError_t error = runtime.perform("cudaEventRecord", stream, note_time);
  if (capture == nullptr) runtime.record(event->number, stream);
  return error;
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int) {
  return cudaEventRecord(event, stream);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int) {
  if (!is_live_stream("cudaStreamWaitEvent", stream)) return cudaErrorInvalidResourceHandle;
  if (!is_live("cudaStreamWaitEvent", event)) return cudaErrorInvalidResourceHandle;
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex());
  const auto capture = event->capture.lock();
  if (capture != nullptr && runtime.capture_of(capture->origin) == capture) {
    runtime.join_capture(stream, capture, event->nodes);
  } else {
    runtime.wait(stream, event->number);
  }
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return wait_for("cudaEventSynchronize", event);
}
cudaError_t cudaEventQuery(cudaEvent_t event) { return wait_for("cudaEventQuery", event); }
// The machine's time is not that of a chip: a million time units count as a millisecond.
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
}
