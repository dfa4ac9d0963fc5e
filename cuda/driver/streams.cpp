// Streams, events and graphs: their handles are those of CUDA's runtime.
#include <fmt/format.h>

#include "../runtime/stream_handles.hpp"
#include "calls.hpp"
#include "contexts.hpp"

using bankproof::cuda::is_default;
using bankproof::cuda::is_live_stream;
using namespace bankproof::cuda::driver;  // NOLINT(google-build-using-namespace)

namespace {

CUresult require_flags(const char* call, unsigned flags, unsigned known) {
  if ((flags & ~known) == 0) return CUDA_SUCCESS;
  return fail(call, CUDA_ERROR_INVALID_VALUE,
              fmt::format("there is no flag {:#x}", flags & ~known));
}

CUresult make_stream(const char* call, CUstream* stream, unsigned flags, int priority) {
  return in_context(call, {stream}, [&] {
    const CUresult error = require_flags(call, flags, CU_STREAM_NON_BLOCKING);
    if (error != CUDA_SUCCESS) return error;
    return as_result(cudaStreamCreateWithPriority(stream, flags, priority));
  });
}

}  // namespace

extern "C" {
CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
  return make_stream("cuStreamCreate", stream, flags, 0);
}
CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority) {
  return make_stream("cuStreamCreateWithPriority", stream, flags, priority);
}
CUresult cuStreamGetPriority(CUstream stream, int* priority) {
  return in_context("cuStreamGetPriority", {priority},
                    [&] { return cudaStreamGetPriority(stream, priority); });
}
CUresult cuStreamGetDevice(CUstream stream, CUdevice* device) {
  return in_context("cuStreamGetDevice", {device},
                    [&] { return cudaStreamGetDevice(stream, device); });
}
CUresult cuStreamGetFlags(CUstream stream, unsigned* flags) {
  return in_context("cuStreamGetFlags", {flags}, [&] { return cudaStreamGetFlags(stream, flags); });
}
CUresult cuStreamGetId(CUstream stream, unsigned long long* id) {
  return in_context("cuStreamGetId", {id}, [&] { return cudaStreamGetId(stream, id); });
}
// The contexts of a device share its streams: a stream of another device is of its primary context.
CUresult cuStreamGetCtx(CUstream stream, CUcontext* context) {
  return in_context("cuStreamGetCtx", {context}, [&] {
    *context = nullptr;
    if (!is_live_stream("cuStreamGetCtx", stream)) return CUDA_ERROR_INVALID_HANDLE;
    *context = current_context();
    if (!is_default(stream) && stream->device != (*context)->device) {
      *context = primary_context(stream->device);
    }
    return CUDA_SUCCESS;
  });
}
// No device is divided here, so that no stream has a green context.
CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext* context, CUgreenCtx* green) {
  if (green != nullptr) *green = nullptr;
  return cuStreamGetCtx(stream, context);
}
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return in_context("cuStreamWaitEvent", {},
                    [&] { return cudaStreamWaitEvent(stream, event, flags); });
}
// The status has the same numbers in both APIs.
CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback function, void* data,
                             unsigned flags) {
  return in_context("cuStreamAddCallback", {reinterpret_cast<const void*>(function)}, [&] {
    return cudaStreamAddCallback(stream, reinterpret_cast<cudaStreamCallback_t>(function), data,
                                 flags);
  });
}
CUresult cuStreamQuery(CUstream stream) {
  return in_context("cuStreamQuery", {}, [&] { return cudaStreamQuery(stream); });
}
CUresult cuStreamSynchronize(CUstream stream) {
  return in_context("cuStreamSynchronize", {}, [&] { return cudaStreamSynchronize(stream); });
}
CUresult cuStreamDestroy_v2(CUstream stream) {
  return in_context("cuStreamDestroy", {}, [&] { return cudaStreamDestroy(stream); });
}
CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode) {
  return in_context("cuStreamBeginCapture", {}, [&] {
    return cudaStreamBeginCapture(stream, static_cast<cudaStreamCaptureMode>(mode));
  });
}
CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
  return in_context("cuStreamEndCapture", {}, [&] { return cudaStreamEndCapture(stream, graph); });
}
CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  return in_context("cuStreamIsCapturing", {status}, [&] {
    cudaStreamCaptureStatus same = cudaStreamCaptureStatusNone;
    const cudaError_t error = cudaStreamIsCapturing(stream, &same);
    *status = static_cast<CUstreamCaptureStatus>(same);
    return error;
  });
}
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  return when_initialized("cuThreadExchangeStreamCaptureMode", {mode}, [&] {
    auto same = static_cast<cudaStreamCaptureMode>(*mode);
    const cudaError_t error = cudaThreadExchangeStreamCaptureMode(&same);
    *mode = static_cast<CUstreamCaptureMode>(same);
    return error;
  });
}

CUresult cuEventCreate(CUevent* event, unsigned flags) {
  return in_context("cuEventCreate", {event}, [&] {
    constexpr unsigned known = CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING;
    const CUresult error = require_flags("cuEventCreate", flags, known | CU_EVENT_INTERPROCESS);
    return error == CUDA_SUCCESS ? as_result(cudaEventCreateWithFlags(event, flags)) : error;
  });
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
  return in_context("cuEventRecord", {}, [&] { return cudaEventRecord(event, stream); });
}
CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
  return in_context("cuEventRecordWithFlags", {},
                    [&] { return cudaEventRecordWithFlags(event, stream, flags); });
}
CUresult cuEventQuery(CUevent event) {
  return in_context("cuEventQuery", {}, [&] { return cudaEventQuery(event); });
}
CUresult cuEventSynchronize(CUevent event) {
  return in_context("cuEventSynchronize", {}, [&] { return cudaEventSynchronize(event); });
}
CUresult cuEventDestroy_v2(CUevent event) {
  return in_context("cuEventDestroy", {}, [&] { return cudaEventDestroy(event); });
}
CUresult cuEventElapsedTime_v2(float* milliseconds, CUevent start, CUevent end) {
  return in_context("cuEventElapsedTime", {milliseconds},
                    [&] { return cudaEventElapsedTime(milliseconds, start, end); });
}

CUresult cuGraphCreate(CUgraph* graph, unsigned flags) {
  return when_initialized("cuGraphCreate", {graph}, [&] { return cudaGraphCreate(graph, flags); });
}
CUresult cuGraphDestroy(CUgraph graph) {
  return when_initialized("cuGraphDestroy", {}, [&] { return cudaGraphDestroy(graph); });
}
CUresult cuGraphInstantiateWithFlags(CUgraphExec* executable, CUgraph graph,
                                     unsigned long long flags) {
  return when_initialized("cuGraphInstantiate", {executable},
                          [&] { return cudaGraphInstantiate(executable, graph, flags); });
}
CUresult cuGraphLaunch(CUgraphExec executable, CUstream stream) {
  return in_context("cuGraphLaunch", {}, [&] { return cudaGraphLaunch(executable, stream); });
}
CUresult cuGraphExecDestroy(CUgraphExec executable) {
  return when_initialized("cuGraphExecDestroy", {},
                          [&] { return cudaGraphExecDestroy(executable); });
}
}
