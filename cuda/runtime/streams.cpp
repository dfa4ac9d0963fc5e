// Streams: their operations, and the host that waits for them. A captured stream collects its
// operations for a graph instead, and so does a stream that waits for an event of a captured
// stream.
#include <algorithm>
#include <atomic>
#include <utility>

#include "devices.hpp"
#include "stream_handles.hpp"

namespace bankproof::cuda {

namespace {

constexpr int greatest_priority = -5;

/// The body of the functions that wait for a stream, or ask whether its work is done.
cudaError_t wait_for(const char* call, cudaStream_t stream) {
  if (!is_live_stream(call, stream)) return cudaErrorInvalidResourceHandle;
  if (Runtime::get().capture_of(stream) == nullptr) return Runtime::get().synchronize(stream);
  return Runtime::fail(cudaErrorStreamCaptureUnsupported,
                       fmt::format("{}: the stream is being captured", call));
}

/// Adds the nodes of a graph to a graph that is being captured, after the nodes of the stream.
void append(Runtime::Capture& capture, cudaStream_t stream,
            const std::vector<Runtime::Node>& nodes) {
  if (nodes.empty()) return;
  const std::size_t first = capture.nodes.size();
  std::vector<std::size_t>& last = capture.last[stream];
  for (Runtime::Node node : nodes) {
    for (std::size_t& earlier : node.after) earlier += first;
    node.after.insert(node.after.end(), last.begin(), last.end());
    capture.nodes.push_back(std::move(node));
  }
  last.clear();
  for (std::size_t k = first; k < capture.nodes.size(); ++k) last.push_back(k);
}

/// Calls answer(stream), unless the stream is a default stream, whose answer is known.
template <class Answer>
cudaError_t about_stream(const char* call, cudaStream_t stream, Answer answer) {
  if (!is_live_stream(call, stream)) return cudaErrorInvalidResourceHandle;
  if (!is_default(stream)) answer(*stream);
  return cudaSuccess;
}

}  // namespace

Stream Runtime::stream_number(cudaStream_t stream) {
  const Device device{static_cast<std::uint32_t>(current_device())};
  if (stream == cudaStreamPerThread) {
    ordering_.use_streams();
    return ordering_.order().per_thread(Ordering::host(), device);
  }
  return is_default(stream) ? ordering_.order().legacy(device) : stream->number;
}

cudaError_t Runtime::perform(const std::string& what, cudaStream_t stream, Action action) {
  if (!is_live_stream(what.c_str(), stream)) return cudaErrorInvalidResourceHandle;
  const std::lock_guard lock(mutex_);
  if (const auto capture = capture_of(stream)) {
    std::vector<std::size_t>& last = capture->last[stream];
    capture->nodes.push_back({what, std::move(action), last});
    last = {capture->nodes.size() - 1};
    return cudaSuccess;
  }
  const auto result = std::make_shared<cudaError_t>(cudaSuccess);
  const Operation operation = ordering_.order().begin(stream_number(stream), Ordering::host());
  ordering_.perform(operation, {what, host_call()}, [this, result, action = std::move(action)] {
    *result = action();
    if (*result != cudaSuccess && ordering_.is_late()) late_error_ = *result;
  });
  return *result;
}

cudaError_t Runtime::perform_graph(const std::vector<Node>& nodes, cudaStream_t stream,
                                   std::vector<Operation>& before) {
  const std::lock_guard lock(mutex_);
  if (const auto capture = capture_of(stream)) {
    append(*capture, stream, nodes);
    return cudaSuccess;
  }
  ordering_.use_streams();
  const Stream number = stream_number(stream);
  std::vector<Operation> begun;
  const auto result = std::make_shared<cudaError_t>(cudaSuccess);
  for (const Node& node : nodes) {
    std::vector<Operation> predecessors = before;
    for (const std::size_t earlier : node.after) predecessors.push_back(begun[earlier]);
    begun.push_back(ordering_.order().begin_after(number, Ordering::host(), predecessors));
  }
  ordering_.order().join(number, begun);
  const HostCall call = host_call();
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    ordering_.perform(begun[k], {nodes[k].what + " in a graph", call},
                      [this, result, action = nodes[k].action] {
                        if (*result == cudaSuccess) *result = action();
                        if (*result != cudaSuccess && ordering_.is_late()) late_error_ = *result;
                      });
  }
  before = std::move(begun);
  return *result;
}

void Runtime::record(Event event, cudaStream_t stream) {
  ordering_.order().record(event, stream_number(stream), Ordering::host());
}
void Runtime::wait(cudaStream_t stream, Event event) {
  ordering_.order().wait(stream_number(stream), event, Ordering::host());
}

cudaError_t Runtime::synchronize(cudaStream_t stream) {
  const std::lock_guard lock(mutex_);
  ordering_.order().synchronize(Ordering::host(), stream_number(stream));
  ordering_.perform_awaited();
  open_views();
  return std::exchange(late_error_, cudaSuccess);
}

cudaError_t Runtime::synchronize(Event event) {
  const std::lock_guard lock(mutex_);
  ordering_.order().synchronize(Ordering::host(), event);
  ordering_.perform_awaited();
  open_views();
  return std::exchange(late_error_, cudaSuccess);
}

cudaError_t Runtime::synchronize_device() {
  const std::lock_guard lock(mutex_);
  ordering_.order().synchronize_device(Ordering::host(),
                                       Device{static_cast<std::uint32_t>(current_device())});
  ordering_.perform_awaited();
  open_views();
  return std::exchange(late_error_, cudaSuccess);
}

}  // namespace bankproof::cuda

using bankproof::cuda::about_stream;
using bankproof::cuda::current_device;
using bankproof::cuda::Device;
using bankproof::cuda::greatest_priority;
using bankproof::cuda::is_live;
using bankproof::cuda::is_live_stream;
using bankproof::cuda::Ordering;
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
      Ordering::host());
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
  Runtime& runtime = Runtime::get();
  if (runtime.capture_of(stream) != nullptr) {
    std::vector<Runtime::Node> dropped;
    runtime.end_capture(stream, dropped);
  }
  if (!is_live("cudaStreamDestroy", stream)) return cudaErrorInvalidResourceHandle;
  const std::lock_guard lock(runtime.mutex());
  runtime.ordering().order().destroy(stream->number);
  return bankproof::cuda::destroy("cudaStreamDestroy", stream);
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return wait_for("cudaStreamSynchronize", stream);
}
cudaError_t cudaStreamQuery(cudaStream_t stream) { return wait_for("cudaStreamQuery", stream); }
cudaError_t cudaDeviceSynchronize() { return Runtime::get().synchronize_device(); }
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
  *device = current_device();
  return about_stream("cudaStreamGetDevice", stream, [&](const auto& of) { *device = of.device; });
}
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode* mode) {
  static thread_local cudaStreamCaptureMode current = cudaStreamCaptureModeGlobal;
  std::swap(*mode, current);
  return cudaSuccess;
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void* data,
                                  unsigned int) {
  return Runtime::get().perform("cudaStreamAddCallback", stream, [=] {
    function(stream, cudaSuccess, data);
    return cudaSuccess;
  });
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return Runtime::get().perform("cudaLaunchHostFunc", stream, [=] {
    function(data);
    return cudaSuccess;
  });
}
}
