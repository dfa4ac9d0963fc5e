// Graphs: operations that captured streams collected, to be launched again and again.
#include <utility>

#include "stream_handles.hpp"

namespace bankproof::cuda {

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
  captured_[stream] = std::make_shared<Capture>(Capture{stream, {}, {}});
  return cudaSuccess;
}

std::shared_ptr<Runtime::Capture> Runtime::capture_of(cudaStream_t stream) {
  const std::lock_guard lock(mutex_);
  const auto found = captured_.find(stream);
  return found == captured_.end() ? nullptr : found->second;
}

void Runtime::join_capture(cudaStream_t stream, const std::shared_ptr<Capture>& capture,
                           const std::vector<std::size_t>& nodes) {
  const std::lock_guard lock(mutex_);
  captured_[stream] = capture;
  std::vector<std::size_t>& last = capture->last[stream];
  last.insert(last.end(), nodes.begin(), nodes.end());
}

cudaError_t Runtime::end_capture(cudaStream_t stream, std::vector<Node>& nodes) {
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
  nodes = std::move(capture->nodes);
  std::erase_if(captured_, [&](const auto& one) { return one.second == capture; });
  return cudaSuccess;
}

}  // namespace bankproof::cuda

using bankproof::cuda::create;
using bankproof::cuda::destroy;
using bankproof::cuda::is_live;
using bankproof::cuda::is_live_stream;
using bankproof::cuda::Runtime;

extern "C" {
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode) {
  return Runtime::get().begin_capture(stream);
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  *graph = nullptr;
  std::vector<Runtime::Node> nodes;
  const cudaError_t error = Runtime::get().end_capture(stream, nodes);
  return error == cudaSuccess ? create(graph, CUgraph_st{std::move(nodes)}) : error;
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
  return create(executable, CUgraphExec_st{graph->nodes});
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long flags) {
  return cudaGraphInstantiate(executable, graph, flags);
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  if (!is_live("cudaGraphLaunch", executable)) return cudaErrorInvalidResourceHandle;
  if (!is_live_stream("cudaGraphLaunch", stream)) return cudaErrorInvalidResourceHandle;
  return Runtime::get().perform_graph(executable->nodes, stream, executable->last);
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) { return destroy("cudaGraphDestroy", graph); }
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return destroy("cudaGraphExecDestroy", executable);
}
}
