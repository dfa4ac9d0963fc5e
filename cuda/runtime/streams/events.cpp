// Events: what a stream has done so far, for the host and for other streams to wait for.
#include <atomic>
#include <utility>

#include "../devices.hpp"
#include "../stream_handles.hpp"

using bankproof::cuda::create;
using bankproof::cuda::destroy;
using bankproof::cuda::Edge;
using bankproof::cuda::Event;
using bankproof::cuda::is_default;
using bankproof::cuda::is_live;
using bankproof::cuda::is_live_stream;
using bankproof::cuda::Runtime;

namespace {

cudaError_t wait_for_event(const char* call, cudaEvent_t event) {
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live(call, event)) return cudaErrorInvalidResourceHandle;
  Runtime& runtime = Runtime::get();
  const auto capture = event->capture.lock();
  if (capture != nullptr && !capture->is_ended) {
    capture->is_invalid = true;
    return Runtime::fail(cudaErrorCapturedEvent,
                         fmt::format("{}: the event was recorded in a capture", call));
  }
  return runtime.synchronize(event->number);
}

bool is_of_same_device(const CUevent_st& event, cudaStream_t stream) {
  const int device = is_default(stream) ? bankproof::cuda::current_device() : stream->device;
  return event.device == device;
}

cudaError_t enqueue_node(const char* call, cudaGraphNodeType type, cudaEvent_t event,
                         cudaStream_t stream) {
  bankproof::cuda::Work work;
  const cudaError_t error = bankproof::cuda::event_work(call, type, event, work);
  return error == cudaSuccess ? Runtime::get().perform(std::move(work), stream) : error;
}

}  // namespace

namespace bankproof::cuda {

cudaError_t note_time(const char* call, cudaEvent_t event) {
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live(call, event)) return cudaErrorInvalidResourceHandle;
  event->recorded = true;
  event->time = Runtime::get().time();
  return cudaSuccess;
}

}  // namespace bankproof::cuda

using bankproof::cuda::note_time;

extern "C" {
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  static std::atomic<std::uint64_t> numbers = 0;
  constexpr unsigned all = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
  if ((flags & ~all) != 0) {
    return Runtime::fail(cudaErrorInvalidValue,
                         fmt::format("cudaEventCreateWithFlags: unknown flags {:#x}", flags));
  }
  return create(event, CUevent_st{.number = Event{numbers++},
                                  .device = bankproof::cuda::current_device(),
                                  .has_time = (flags & cudaEventDisableTiming) == 0});
}
cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live("cudaEventDestroy", event)) return cudaErrorInvalidResourceHandle;
  Runtime& runtime = Runtime::get();
  runtime.ordering().order().forget(event->number);
  return destroy("cudaEventDestroy", event);
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}
// In a capture, the event stands for the nodes so far; an external record is a node of its own.
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
  constexpr const char* call = "cudaEventRecord";
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live(call, event) || !is_live_stream(call, stream)) return cudaErrorInvalidResourceHandle;
  Runtime& runtime = Runtime::get();
  if (!is_of_same_device(*event, stream)) {
    return Runtime::fail(cudaErrorInvalidResourceHandle,
                         fmt::format("{}: the event and the stream are of two devices", call));
  }
  const auto capture = runtime.capture_of(stream);
  if (capture != nullptr && (flags & cudaEventRecordExternal) != 0) {
    return enqueue_node(call, cudaGraphNodeTypeEventRecord, event, stream);
  }
  if (const cudaError_t error = runtime.require_usable(call, stream); error != cudaSuccess)
    return error;
  event->capture = capture;
  event->nodes =
      capture == nullptr ? std::vector<Edge>() : capture->last[runtime.stream_number(stream)];
  if (capture != nullptr) return cudaSuccess;
  event->has_work = true;
  const cudaError_t error =
      runtime.perform(call, stream, [event] { return note_time("cudaEventRecord", event); });
  runtime.record(event->number, stream);
  return error;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  constexpr const char* call = "cudaStreamWaitEvent";
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live_stream(call, stream) || !is_live(call, event)) return cudaErrorInvalidResourceHandle;
  Runtime& runtime = Runtime::get();
  if ((flags & cudaEventWaitExternal) != 0 && runtime.capture_of(stream) != nullptr) {
    return enqueue_node(call, cudaGraphNodeTypeWaitEvent, event, stream);
  }
  const auto capture = event->capture.lock();
  if (capture != nullptr && !capture->is_ended) {
    return runtime.join_capture(stream, capture, event->nodes);
  }
  if (const auto own = runtime.capture_of(stream)) {
    if (!event->has_work) return cudaSuccess;
    own->is_invalid = true;
    return Runtime::fail(cudaErrorStreamCaptureIsolation,
                         fmt::format("{}: the stream is being captured, and the event was recorded "
                                     "outside of the capture",
                                     call));
  }
  if (const cudaError_t error = runtime.require_usable(call, stream); error != cudaSuccess)
    return error;
  runtime.wait(stream, event->number);
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return wait_for_event("cudaEventSynchronize", event);
}
cudaError_t cudaEventQuery(cudaEvent_t event) { return wait_for_event("cudaEventQuery", event); }
// The machine's time is not that of a chip: a million time units count as a millisecond.
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  const std::lock_guard lock(Runtime::get().mutex());
  for (const cudaEvent_t event : {start, end}) {
    if (!is_live("cudaEventElapsedTime", event)) return cudaErrorInvalidResourceHandle;
  }
  if (milliseconds == nullptr) return bankproof::cuda::no_place("cudaEventElapsedTime");
  if (!start->has_time || !end->has_time) {
    return Runtime::fail(cudaErrorInvalidResourceHandle,
                         "cudaEventElapsedTime: an event with cudaEventDisableTiming");
  }
  if (!start->recorded || !end->recorded) {
    return Runtime::fail(cudaErrorInvalidResourceHandle,
                         "cudaEventElapsedTime: an event that was not recorded");
  }
  *milliseconds = static_cast<float>(end->time - start->time) * 1e-6F;
  return cudaSuccess;
}
}
