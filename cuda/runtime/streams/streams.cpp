// Streams: their operations, and the host that waits for them. A captured stream collects its
// operations for a graph instead, and so does a stream that waits for an event of a captured
// stream.
#include <algorithm>
#include <atomic>
#include <utility>

#include "../called_as.hpp"
#include "../default_stream.hpp"
#include "../devices.hpp"
#include "../stream_handles.hpp"

namespace bankproof::cuda {

namespace {

constexpr int greatest_priority = -5;

/// The operation of a captured stream becomes a node.
cudaError_t capture_work(Runtime::Capture& capture, Stream stream, const Work& work) {
  if (capture.is_invalid) {
    return Runtime::fail(
        cudaErrorStreamCaptureInvalidated,
        fmt::format("{}: an earlier call made the capture of the stream invalid", work.what));
  }
  std::vector<Edge>& last = capture.last[stream];
  cudaGraphNode_t node = nullptr;
  const cudaError_t error = add_node(work.what.c_str(), &node, capture.graph, last, work);
  if (error == cudaSuccess) last = {{node, {}}};
  return error;
}

/// The body of the functions that wait for a stream, or ask whether its work is done.
cudaError_t wait_for(const char* call, cudaStream_t stream) {
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live_stream(call, stream)) return cudaErrorInvalidResourceHandle;
  Runtime& runtime = Runtime::get();
  const auto capture = runtime.capture_of(stream);
  if (capture == nullptr) {
    const cudaError_t error = runtime.require_usable(call, stream);
    return error == cudaSuccess ? runtime.synchronize(stream) : error;
  }
  capture->is_invalid = true;
  return Runtime::fail(cudaErrorStreamCaptureUnsupported,
                       fmt::format("{}: the stream is being captured", call));
}

/// Calls answer(stream), unless the stream is a default stream, whose answer is known.
template <class Answer>
cudaError_t about_stream(const char* call, cudaStream_t stream, Answer answer) {
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live_stream(call, stream)) return cudaErrorInvalidResourceHandle;
  if (!is_default(stream)) answer(*stream);
  return cudaSuccess;
}

}  // namespace

Stream Runtime::stream_number(cudaStream_t stream) {
  const Device device{static_cast<std::uint32_t>(current_device())};
  if (stream == nullptr) stream = default_stream();
  if (stream == cudaStreamPerThread) {
    ordering_.use_streams();
    return ordering_.order().per_thread(ordering_.host(), device);
  }
  return is_default(stream) ? ordering_.order().legacy(device) : stream->number;
}

cudaError_t Runtime::perform(const std::string& what, cudaStream_t stream, Action action,
                             cudaGraphNodeType type) {
  return perform(Work{what, type, SymbolCopy{}, std::move(action)}, stream);
}

namespace {

thread_local bool in_host_function = false;

}  // namespace

void Runtime::call_host(const std::function<void()>& function) {
  const std::lock_guard lock(mutex_);
  const RuntimeMutex::Away away(mutex_);
  in_host_function = true;
  function();
  in_host_function = false;
}

// (CUDA Runtime API, cudaLaunchHostFunc)
cudaError_t Runtime::require_no_host_function(const char* call) {
  if (!in_host_function) return cudaSuccess;
  return fail(
      cudaErrorNotPermitted,
      fmt::format("{}: a function of the host that a stream calls must not call CUDA", call));
}

cudaError_t Runtime::perform(Work work, cudaStream_t stream) {
  const std::lock_guard lock(mutex_);
  if (const cudaError_t error = require_no_host_function(work.what.c_str()); error != cudaSuccess)
    return error;
  if (!is_live_stream(work.what.c_str(), stream)) return cudaErrorInvalidResourceHandle;
  use_runtime();
  work.what = CalledAs::renamed(work.what);
  if (const cudaError_t error = require_running(work.what.c_str(), current_device());
      error != cudaSuccess)
    return error;
  // Whoever waits may perform the action in a call of another name.
  if (work.action) {
    work.action = [called = CalledAs::current(), action = std::move(work.action)] {
      const CalledAs as(called);
      return action();
    };
  }
  if (const auto capture = capture_of(stream))
    return capture_work(*capture, stream_number(stream), work);
  if (const cudaError_t error = require_usable(work.what.c_str(), stream); error != cudaSuccess)
    return error;
  if (work.type == cudaGraphNodeTypeKernel && !is_default(stream) &&
      stream->device != current_device()) {
    return fail(cudaErrorInvalidResourceHandle,
                fmt::format("launch of {}: the stream is of device {}, and the thread has chosen "
                            "device {}",
                            work.what, stream->device, current_device()));
  }
  const auto result = std::make_shared<cudaError_t>(cudaSuccess);
  const Operation operation = ordering_.order().begin(stream_number(stream), ordering_.host());
  ordering_.perform(operation, {work.what, host_call()},
                    [this, result, action = std::move(work.action)] {
                      *result = action();
                      if (*result != cudaSuccess && ordering_.is_late()) late_error_ = *result;
                    });
  return *result;
}

void Runtime::record(Event event, cudaStream_t stream) {
  ordering_.order().record(event, stream_number(stream), ordering_.host());
}
void Runtime::wait(cudaStream_t stream, Event event) {
  ordering_.order().wait(stream_number(stream), event, ordering_.host());
}

cudaError_t Runtime::synchronize(cudaStream_t stream) {
  const std::lock_guard lock(mutex_);
  if (const cudaError_t error = require_no_host_function("cudaStreamSynchronize");
      error != cudaSuccess)
    return error;
  // Another thread may have destroyed it meanwhile.
  if (!is_live_stream("cudaStreamSynchronize", stream)) return cudaErrorInvalidResourceHandle;
  ordering_.order().synchronize(ordering_.host(), stream_number(stream));
  ordering_.perform_awaited();
  open_views();
  return error_after_wait("cudaStreamSynchronize", current_device());
}

cudaError_t Runtime::synchronize(Event event) {
  const std::lock_guard lock(mutex_);
  if (const cudaError_t error = require_no_host_function("cudaEventSynchronize");
      error != cudaSuccess)
    return error;
  ordering_.order().synchronize(ordering_.host(), event);
  ordering_.perform_awaited();
  open_views();
  return error_after_wait("cudaEventSynchronize", current_device());
}

cudaError_t Runtime::synchronize_device() { return synchronize_device(current_device()); }

cudaError_t Runtime::synchronize_device(int device) {
  const std::lock_guard lock(mutex_);
  if (const cudaError_t error = require_no_host_function("cudaDeviceSynchronize");
      error != cudaSuccess)
    return error;
  ordering_.order().synchronize_device(ordering_.host(),
                                       Device{static_cast<std::uint32_t>(device)});
  ordering_.perform_awaited();
  open_views();
  return error_after_wait("cudaDeviceSynchronize", device);
}

}  // namespace bankproof::cuda

using bankproof::cuda::about_stream;
using bankproof::cuda::current_device;
using bankproof::cuda::Device;
using bankproof::cuda::greatest_priority;
using bankproof::cuda::is_live;
using bankproof::cuda::no_place;
using bankproof::cuda::Runtime;
using bankproof::cuda::StreamKind;
using bankproof::cuda::wait_for;

extern "C" {
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  static std::atomic<unsigned long long> ids = 2;  // 1 and 2 are the default streams
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex());
  runtime.ordering().use_streams();
  const auto number = runtime.ordering().order().create(
      Device{static_cast<std::uint32_t>(current_device())},
      (flags & cudaStreamNonBlocking) != 0 ? StreamKind::non_blocking : StreamKind::blocking,
      runtime.ordering().host());
  return bankproof::cuda::create(
      stream, CUstream_st{flags, std::clamp(priority, greatest_priority, 0), current_device(),
                          ++ids, number});
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  const std::lock_guard lock(Runtime::get().mutex());
  Runtime& runtime = Runtime::get();
  if (!is_live("cudaStreamDestroy", stream)) return cudaErrorInvalidResourceHandle;
  runtime.leave_capture(stream);
  runtime.ordering().order().destroy(stream->number);
  return bankproof::cuda::destroy("cudaStreamDestroy", stream);
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return wait_for("cudaStreamSynchronize", stream);
}
cudaError_t cudaStreamQuery(cudaStream_t stream) { return wait_for("cudaStreamQuery", stream); }
cudaError_t cudaDeviceSynchronize() {
  Runtime& runtime = Runtime::get();
  const cudaError_t error =
      runtime.require_no_capture_of("cudaDeviceSynchronize", current_device());
  return error == cudaSuccess ? runtime.synchronize_device() : error;
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  if (flags == nullptr) return no_place("cudaStreamGetFlags");
  *flags = cudaStreamDefault;
  return about_stream("cudaStreamGetFlags", stream, [&](const auto& of) { *flags = of.flags; });
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  if (priority == nullptr) return no_place("cudaStreamGetPriority");
  *priority = 0;
  return about_stream("cudaStreamGetPriority", stream,
                      [&](const auto& of) { *priority = of.priority; });
}
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  if (id == nullptr) return no_place("cudaStreamGetId");
  if (stream == nullptr) stream = bankproof::cuda::default_stream();
  *id = stream == cudaStreamPerThread ? 2 : 1;
  return about_stream("cudaStreamGetId", stream, [&](const auto& of) { *id = of.id; });
}
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  if (device == nullptr) return no_place("cudaStreamGetDevice");
  *device = current_device();
  return about_stream("cudaStreamGetDevice", stream, [&](const auto& of) { *device = of.device; });
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void* data,
                                  unsigned int) {
  if (function == nullptr) {
    return Runtime::fail(cudaErrorInvalidValue, "cudaStreamAddCallback: the function is null");
  }
  if (const auto capture = Runtime::get().capture_of(stream)) {
    capture->is_invalid = true;
    return Runtime::fail(cudaErrorStreamCaptureUnsupported,
                         "cudaStreamAddCallback: the stream is being captured; "
                         "cudaLaunchHostFunc can be");
  }
  return Runtime::get().perform(
      "cudaStreamAddCallback", stream,
      [=] {
        Runtime::get().call_host([=] { function(stream, cudaSuccess, data); });
        return cudaSuccess;
      },
      cudaGraphNodeTypeHost);
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  const cudaHostNodeParams parameters{function, data};
  bankproof::cuda::Work work;
  const cudaError_t error = bankproof::cuda::host_work("cudaLaunchHostFunc", &parameters, work);
  return error == cudaSuccess ? Runtime::get().perform(std::move(work), stream) : error;
}
// Attributes of streams do not change results; programs read what they have set.
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue* value) {
  if (value == nullptr) {
    return Runtime::fail(cudaErrorInvalidValue, "cudaStreamSetAttribute: the value is null");
  }
  return about_stream("cudaStreamSetAttribute", stream, [&](auto& of) {
    if (attribute == cudaLaunchAttributePriority) of.priority = value->priority;
    of.attributes[attribute] = *value;
  });
}
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   cudaStreamAttrValue* value) {
  if (value == nullptr) {
    return Runtime::fail(cudaErrorInvalidValue, "cudaStreamGetAttribute: no place for the value");
  }
  *value = {};
  return about_stream("cudaStreamGetAttribute", stream, [&](const auto& of) {
    const auto found = of.attributes.find(attribute);
    if (found != of.attributes.end()) *value = found->second;
    if (attribute == cudaLaunchAttributePriority) value->priority = of.priority;
  });
}
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  std::map<cudaLaunchAttributeID, cudaStreamAttrValue> attributes;
  const cudaError_t error = about_stream("cudaStreamCopyAttributes", from,
                                         [&](const auto& of) { attributes = of.attributes; });
  if (error != cudaSuccess) return error;
  return about_stream("cudaStreamCopyAttributes", to,
                      [&](auto& of) { of.attributes = attributes; });
}
}
