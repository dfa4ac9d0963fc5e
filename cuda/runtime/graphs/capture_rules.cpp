// What programs must not do while streams are captured (CUDA Programming Guide, "Prohibited and
// Unhandled Operations"; Runtime API, cudaThreadExchangeStreamCaptureMode). A call that breaks a
// rule fails, and so do the later calls for that capture, up to its end.
#include <utility>

#include "../default_stream.hpp"
#include "../devices.hpp"
#include "../stream_handles.hpp"

namespace bankproof::cuda {

namespace {

/// The mode of captures that the calling thread has chosen.
thread_local cudaStreamCaptureMode mode_of_thread = cudaStreamCaptureModeGlobal;

bool is_legacy(cudaStream_t stream) {
  return (stream == nullptr ? default_stream() : stream) == cudaStreamLegacy;
}

/// All nodes that happen before these, and these.
std::set<cudaGraphNode_t> nodes_up_to(const std::vector<Edge>& last) {
  std::set<cudaGraphNode_t> found;
  std::vector<cudaGraphNode_t> open;
  open.reserve(last.size());
  for (const Edge& edge : last) open.push_back(edge.from);
  while (!open.empty()) {
    cudaGraphNode_t const node = open.back();
    open.pop_back();
    if (!handles<CUgraphNode_st>().is_live(node) || !found.insert(node).second) continue;
    for (const Edge& edge : node->after) open.push_back(edge.from);
  }
  return found;
}

}  // namespace

void Runtime::Capture::add(cudaStream_t stream) {
  const int device = is_default(stream) ? current_device() : stream->device;
  devices.insert(device);
  if (is_default(stream) || (stream->flags & cudaStreamNonBlocking) == 0) blocking.insert(device);
}

bool Runtime::Capture::is_joined() const {
  const std::set<cudaGraphNode_t> joined = nodes_up_to(last.at(origin));
  for (const auto& [stream, nodes] : last) {
    for (const Edge& edge : nodes) {
      const bool exists = handles<CUgraphNode_st>().is_live(edge.from);
      if (stream != origin && exists && joined.count(edge.from) == 0) return false;
    }
  }
  return true;
}

cudaError_t Runtime::break_captures(cudaError_t error, const std::string& why,
                                    const std::function<bool(const Capture&)>& is_concerned) {
  const std::lock_guard lock(mutex_);
  bool breaks = false;
  for (const auto& [stream, capture] : captured_) {
    if (!is_concerned(*capture)) continue;
    capture->is_invalid = true;
    breaks = true;
  }
  return breaks ? fail(error, why) : cudaSuccess;
}

cudaError_t Runtime::require_no_capture(const char* call) {
  if (const cudaError_t error = require_no_host_function(call); error != cudaSuccess) return error;
  const auto me = std::this_thread::get_id();
  return break_captures(
      cudaErrorStreamCaptureUnsupported,
      fmt::format("{}: a stream is being captured, whose mode forbids this call", call),
      [&](const Capture& capture) {
        if (mode_of_thread == cudaStreamCaptureModeRelaxed) return false;
        if (capture.thread == me) return capture.mode != cudaStreamCaptureModeRelaxed;
        return mode_of_thread == cudaStreamCaptureModeGlobal &&
               capture.mode == cudaStreamCaptureModeGlobal;
      });
}

cudaError_t Runtime::require_no_capture_of(const char* call, int device) {
  return break_captures(cudaErrorStreamCaptureUnsupported,
                        fmt::format("{}: a stream of the device is being captured", call),
                        [&](const Capture& capture) { return capture.devices.count(device) != 0; });
}

cudaError_t Runtime::require_usable(const char* call, cudaStream_t stream) {
  if (!is_legacy(stream)) return cudaSuccess;
  return break_captures(
      cudaErrorStreamCaptureImplicit,
      fmt::format("{}: the legacy default stream waits for blocking streams, and one of them is "
                  "being captured",
                  call),
      [&](const Capture& capture) { return capture.blocking.count(current_device()) != 0; });
}

}  // namespace bankproof::cuda

extern "C" cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode* mode) {
  if (mode == nullptr) return bankproof::cuda::no_place("cudaThreadExchangeStreamCaptureMode");
  std::swap(*mode, bankproof::cuda::mode_of_thread);
  return cudaSuccess;
}
