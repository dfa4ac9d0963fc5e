// Captures of streams. Both APIs may begin a capture, ask about it and end it.
#include "forward.hpp"

using namespace bankproof::cuda::driver;  // NOLINT(google-build-using-namespace)

extern "C" {
CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, const CUgraphNode* after,
                                     const CUgraphEdgeData* data, size_t count,
                                     CUstreamCaptureMode mode) {
  return forward_in_context<&cudaStreamBeginCaptureToGraph>(
      "cuStreamBeginCaptureToGraph", stream, graph, after, edges_of(data), count,
      static_cast<cudaStreamCaptureMode>(mode));
}
CUresult cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                   CUgraph* graph, const CUgraphNode** after,
                                   const CUgraphEdgeData** data, size_t* count) {
  return forward_in_context<&cudaStreamGetCaptureInfo>(
      "cuStreamGetCaptureInfo", stream, reinterpret_cast<cudaStreamCaptureStatus*>(status), id,
      graph, after, reinterpret_cast<const cudaGraphEdgeData**>(data), count);
}
CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                   CUgraph* graph, const CUgraphNode** after, size_t* count) {
  return cuStreamGetCaptureInfo_v3(stream, status, id, graph, after, nullptr, count);
}
CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id) {
  return cuStreamGetCaptureInfo_v3(stream, status, id, nullptr, nullptr, nullptr, nullptr);
}
CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode* after,
                                              const CUgraphEdgeData* data, size_t count,
                                              unsigned flags) {
  return forward_in_context<&cudaStreamUpdateCaptureDependencies>(
      "cuStreamUpdateCaptureDependencies", stream, after, edges_of(data), count, flags);
}
CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode* after, size_t count,
                                           unsigned flags) {
  return cuStreamUpdateCaptureDependencies_v2(stream, after, nullptr, count, flags);
}
}
