// Captures of streams (CUDA Programming Guide, "Creating a Graph Using Stream Capture"): the
// operations of a captured stream become nodes of a graph. A stream that waits for an event of a
// captured stream is captured as well.
#include <utility>

#include "../default_stream.hpp"
#include "../majors.hpp"
#include "../stream_handles.hpp"

namespace bankproof::cuda {

cudaError_t Runtime::begin_capture(cudaStream_t stream, cudaGraph_t graph,
                                   const std::vector<Edge>& after, cudaStreamCaptureMode mode) {
  static unsigned long long captures = 0;
  const std::lock_guard lock(mutex_);
  if (!is_live_stream("cudaStreamBeginCapture", stream)) return cudaErrorInvalidResourceHandle;
  const cudaStream_t named = stream == nullptr ? default_stream() : stream;
  if (named == cudaStreamLegacy) {
    return fail(cudaErrorStreamCaptureUnsupported,
                "cudaStreamBeginCapture: the default stream cannot be captured");
  }
  if (capture_of(stream) != nullptr) {
    return fail(cudaErrorIllegalState, "cudaStreamBeginCapture: the stream is captured already");
  }
  const Stream number = stream_number(stream);
  if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed) {
    return fail(cudaErrorInvalidValue,
                fmt::format("cudaStreamBeginCapture: there is no mode {}", static_cast<int>(mode)));
  }
  const bool owns_graph = graph == nullptr;
  if (owns_graph) graph = handles<CUgraph_st>().make(CUgraph_st{});
  captured_[number] = std::make_shared<Capture>(Capture{.origin = number,
                                                        .graph = graph,
                                                        .id = ++captures,
                                                        .mode = mode,
                                                        .owns_graph = owns_graph,
                                                        .last = {{number, after}}});
  captured_[number]->add(stream);
  return cudaSuccess;
}

std::shared_ptr<Runtime::Capture> Runtime::capture_of(cudaStream_t stream) {
  const std::lock_guard lock(mutex_);
  if (captured_.empty()) return nullptr;
  if (!is_default(stream) && !handles<CUstream_st>().is_live(stream)) return nullptr;
  const auto found = captured_.find(stream_number(stream));
  return found == captured_.end() ? nullptr : found->second;
}

cudaError_t Runtime::join_capture(cudaStream_t stream, const std::shared_ptr<Capture>& capture,
                                  const std::vector<Edge>& nodes) {
  const std::lock_guard lock(mutex_);
  const auto before = capture_of(stream);
  if (before != nullptr && before != capture) {
    before->is_invalid = capture->is_invalid = true;
    return fail(cudaErrorStreamCaptureMerge,
                "cudaStreamWaitEvent: the stream and the event belong to two captures");
  }
  const Stream number = stream_number(stream);
  captured_[number] = capture;
  capture->add(stream);
  std::vector<Edge>& last = capture->last[number];
  last.insert(last.end(), nodes.begin(), nodes.end());
  return cudaSuccess;
}

void Runtime::end(const std::shared_ptr<Capture>& capture) {
  capture->is_ended = true;
  std::erase_if(captured_, [&](const auto& one) { return one.second == capture; });
}

cudaError_t Runtime::end_capture(cudaStream_t stream, cudaGraph_t* graph) {
  const std::lock_guard lock(mutex_);
  const std::shared_ptr<Capture> capture = capture_of(stream);
  if (capture == nullptr) {
    return fail(cudaErrorIllegalState, "cudaStreamEndCapture: the stream is not being captured");
  }
  if (capture->origin != stream_number(stream)) {
    return fail(cudaErrorStreamCaptureUnmatched,
                "cudaStreamEndCapture: the capture was begun in another stream");
  }
  if (capture->mode != cudaStreamCaptureModeRelaxed &&
      capture->thread != std::this_thread::get_id()) {
    return fail(cudaErrorStreamCaptureWrongThread,
                "cudaStreamEndCapture: another thread began the capture, not in relaxed mode");
  }
  end(capture);
  const bool exists = handles<CUgraph_st>().is_live(capture->graph);
  if (exists && !capture->is_invalid && capture->is_joined()) {
    *graph = capture->graph;
    return cudaSuccess;
  }
  if (exists && capture->owns_graph) destroy_graph(capture->graph);
  if (!exists) {
    return fail(cudaErrorInvalidResourceHandle,
                "cudaStreamEndCapture: the program destroyed the graph");
  }
  if (capture->is_invalid) {
    return fail(cudaErrorStreamCaptureInvalidated,
                "cudaStreamEndCapture: an earlier call made the capture invalid");
  }
  return fail(cudaErrorStreamCaptureUnjoined,
              "cudaStreamEndCapture: the first stream does not wait for all work of the streams "
              "that joined the capture");
}

void Runtime::leave_capture(cudaStream_t stream) {
  const std::lock_guard lock(mutex_);
  const std::shared_ptr<Capture> capture = capture_of(stream);
  if (capture == nullptr) return;
  if (capture->origin != stream_number(stream)) {
    captured_.erase(stream_number(stream));
    return;
  }
  end(capture);
  if (capture->owns_graph && handles<CUgraph_st>().is_live(capture->graph)) {
    destroy_graph(capture->graph);
  }
}

}  // namespace bankproof::cuda

using bankproof::cuda::Edge;
using bankproof::cuda::is_live;
using bankproof::cuda::is_live_stream;
using bankproof::cuda::no_place;
using bankproof::cuda::Runtime;

BANKPROOF_OF_13(cudaStreamGetCaptureInfo);
BANKPROOF_OF_13(cudaStreamUpdateCaptureDependencies);

extern "C" {
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode) {
  return Runtime::get().begin_capture(stream, nullptr, {}, mode);
}
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t* after,
                                          const cudaGraphEdgeData* data, size_t count,
                                          enum cudaStreamCaptureMode mode) {
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live("cudaStreamBeginCaptureToGraph", graph)) return cudaErrorInvalidResourceHandle;
  const std::vector<Edge> edges = bankproof::cuda::edges_from(after, data, count);
  for (const Edge& edge : edges) {
    if (!is_live("cudaStreamBeginCaptureToGraph", edge.from)) return cudaErrorInvalidResourceHandle;
  }
  return Runtime::get().begin_capture(stream, graph, edges, mode);
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  cudaGraph_t known = nullptr;  // to a program that captures into a graph of its own
  if (graph == nullptr) {
    const auto capture = Runtime::get().capture_of(stream);
    if (capture == nullptr || capture->owns_graph) return no_place("cudaStreamEndCapture");
    graph = &known;
  }
  *graph = nullptr;
  return Runtime::get().end_capture(stream, graph);
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus* status) {
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live_stream("cudaStreamIsCapturing", stream)) return cudaErrorInvalidResourceHandle;
  if (status == nullptr) {
    return no_place("cudaStreamIsCapturing");
  }
  const auto capture = Runtime::get().capture_of(stream);
  *status = capture == nullptr    ? cudaStreamCaptureStatusNone
            : capture->is_invalid ? cudaStreamCaptureStatusInvalidated
                                  : cudaStreamCaptureStatusActive;
  return cudaSuccess;
}
// The lists of nodes live until the program asks again.
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** after, const cudaGraphEdgeData** data,
                                     size_t* count) {
  const cudaError_t error = cudaStreamIsCapturing(stream, status);
  if (error != cudaSuccess || *status != cudaStreamCaptureStatusActive) return error;
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex());
  const auto capture = runtime.capture_of(stream);
  capture->shown.clear();
  capture->shown_data.clear();
  for (const Edge& edge : capture->last[runtime.stream_number(stream)]) {
    capture->shown.push_back(edge.from);
    capture->shown_data.push_back(edge.data);
  }
  if (id != nullptr) *id = capture->id;
  if (graph != nullptr) *graph = capture->graph;
  if (after != nullptr) *after = capture->shown.data();
  if (data != nullptr) *data = capture->shown_data.data();
  if (count != nullptr) *count = capture->shown.size();
  return cudaSuccess;
}
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* after,
                                                const cudaGraphEdgeData* data, size_t count,
                                                unsigned int flags) {
  constexpr const char* call = "cudaStreamUpdateCaptureDependencies";
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live_stream(call, stream)) return cudaErrorInvalidResourceHandle;
  Runtime& runtime = Runtime::get();
  const auto capture = runtime.capture_of(stream);
  if (capture == nullptr) {
    return Runtime::fail(cudaErrorIllegalState,
                         fmt::format("{}: the stream is not being captured", call));
  }
  const std::vector<Edge> edges = bankproof::cuda::edges_from(after, data, count);
  for (const Edge& edge : edges) {
    if (!is_live(call, edge.from)) return cudaErrorInvalidResourceHandle;
    if (edge.from->graph != capture->graph) {
      return Runtime::fail(cudaErrorInvalidValue, fmt::format("{}: a node of another graph", call));
    }
  }
  std::vector<Edge>& last = capture->last[runtime.stream_number(stream)];
  if (flags == cudaStreamSetCaptureDependencies) last.clear();
  last.insert(last.end(), edges.begin(), edges.end());
  return cudaSuccess;
}
}
