// Functions of libcudart.so.12 and libcudart.so.11.0 that are not those of libcudart.so.13 (Runtime
// API of these versions, "Modules" and "Deprecated List"): their signatures or structures are
// others, or CUDA 13 has them no more. CUDA gives a function with a changed signature a name with
// _v2, and makes it the function's only one in the next major.
//
// This file declares the functions as these majors do, so it cannot include the runtime's header.
#include <cstring>

#include "../majors.hpp"
#include "../refuse.hpp"
#include "earlier_layouts.hpp"

namespace {

/// A place as these majors name it: −1 for the host.
cudaMemLocation location_of(int device) {
  if (device == cudaCpuDeviceId) return {cudaMemLocationTypeHost, 0};
  return {cudaMemLocationTypeDevice, device};
}

}  // namespace

extern "C" {
// NOLINTBEGIN(readability-identifier-naming): CUDA's names.
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit);
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end);
cudaError_t bankproof_of_13_cudaCreateTextureObject(cudaTextureObject_t* texture,
                                                    const cudaResourceDesc* resource,
                                                    const cudaTextureDesc* sampling,
                                                    const cudaResourceViewDesc* view);
cudaError_t bankproof_of_13_cudaGetTextureObjectTextureDesc(cudaTextureDesc* sampling,
                                                            cudaTextureObject_t texture);
cudaError_t bankproof_of_13_cudaGetDeviceProperties(cudaDeviceProp* of, int device);
cudaError_t bankproof_of_13_cudaPointerGetAttributes(cudaPointerAttributes* of,
                                                     const void* pointer);
cudaError_t bankproof_of_13_cudaMemAdvise(const void* pointer, size_t bytes,
                                          cudaMemoryAdvise advice, cudaMemLocation location);
cudaError_t bankproof_of_13_cudaMemPrefetchAsync(const void* pointer, size_t bytes,
                                                 cudaMemLocation location, unsigned flags,
                                                 cudaStream_t stream);
cudaError_t bankproof_of_13_cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                     const cudaGraphNode_t* to,
                                                     const cudaGraphEdgeData* data, size_t count);
cudaError_t bankproof_of_13_cudaGraphRemoveDependencies(cudaGraph_t graph,
                                                        const cudaGraphNode_t* from,
                                                        const cudaGraphNode_t* to,
                                                        const cudaGraphEdgeData* data,
                                                        size_t count);
cudaError_t bankproof_of_13_cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from,
                                              cudaGraphNode_t* to, cudaGraphEdgeData* data,
                                              size_t* count);
cudaError_t bankproof_of_13_cudaGraphNodeGetDependencies(cudaGraphNode_t node,
                                                         cudaGraphNode_t* after,
                                                         cudaGraphEdgeData* data, size_t* count);
cudaError_t bankproof_of_13_cudaGraphNodeGetDependentNodes(cudaGraphNode_t node,
                                                           cudaGraphNode_t* dependents,
                                                           cudaGraphEdgeData* data, size_t* count);
cudaError_t bankproof_of_13_cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* after,
                                             const cudaGraphEdgeData* data, size_t count,
                                             cudaGraphNodeParams* parameters);
cudaError_t bankproof_of_13_cudaStreamGetCaptureInfo(cudaStream_t stream,
                                                     cudaStreamCaptureStatus* status,
                                                     unsigned long long* id, cudaGraph_t* graph,
                                                     const cudaGraphNode_t** after,
                                                     const cudaGraphEdgeData** data, size_t* count);
cudaError_t bankproof_of_13_cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
                                                                cudaGraphNode_t* after,
                                                                const cudaGraphEdgeData* data,
                                                                size_t count, unsigned flags);

// ---- Structures that have grown.
cudaError_t cudaGetDeviceProperties(void* given, int device) {
  cudaDeviceProp of = {};
  const cudaError_t error = bankproof_of_13_cudaGetDeviceProperties(&of, device);
  const bankproof::cuda::DevicePropertiesOf12 earlier = bankproof::cuda::earlier(of);
  std::memcpy(given, &earlier, bankproof::cuda::bytes_of_properties_of_11);
  return error;
}
cudaError_t cudaGetDeviceProperties_v2(bankproof::cuda::DevicePropertiesOf12* given, int device) {
  cudaDeviceProp of = {};
  const cudaError_t error = bankproof_of_13_cudaGetDeviceProperties(&of, device);
  *given = bankproof::cuda::earlier(of);
  return error;
}
cudaError_t cudaPointerGetAttributes(void* given, const void* pointer) {
  cudaPointerAttributes of = {};
  const cudaError_t error = bankproof_of_13_cudaPointerGetAttributes(&of, pointer);
  std::memcpy(given, &of, bankproof::cuda::bytes_of_earlier_pointer_attributes);
  return error;
}

// ---- Memory is at devices with numbers.
cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, int device) {
  return bankproof_of_13_cudaMemAdvise(pointer, bytes, advice, location_of(device));
}
cudaError_t cudaMemAdvise_v2(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                             cudaMemLocation location) {
  return bankproof_of_13_cudaMemAdvise(pointer, bytes, advice, location);
}
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device,
                                 cudaStream_t stream) {
  return bankproof_of_13_cudaMemPrefetchAsync(pointer, bytes, location_of(device), 0, stream);
}
cudaError_t cudaMemPrefetchAsync_v2(const void* pointer, size_t bytes, cudaMemLocation location,
                                    unsigned flags, cudaStream_t stream) {
  return bankproof_of_13_cudaMemPrefetchAsync(pointer, bytes, location, flags, stream);
}
cudaError_t cudaMemPrefetchAsync_ptsz(const void* pointer, size_t bytes, int device,
                                      cudaStream_t stream) {
  return cudaMemPrefetchAsync(pointer, bytes, device,
                              stream == nullptr ? cudaStreamPerThread : stream);
}
cudaError_t cudaMemPrefetchAsync_v2_ptsz(const void* pointer, size_t bytes,
                                         cudaMemLocation location, unsigned flags,
                                         cudaStream_t stream) {
  return cudaMemPrefetchAsync_v2(pointer, bytes, location, flags,
                                 stream == nullptr ? cudaStreamPerThread : stream);
}

// ---- Edges of graphs without data.
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, size_t count) {
  return bankproof_of_13_cudaGraphAddDependencies(graph, from, to, nullptr, count);
}
cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                                        size_t count) {
  return bankproof_of_13_cudaGraphAddDependencies(graph, from, to, data, count);
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, size_t count) {
  return bankproof_of_13_cudaGraphRemoveDependencies(graph, from, to, nullptr, count);
}
cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from,
                                           const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                                           size_t count) {
  return bankproof_of_13_cudaGraphRemoveDependencies(graph, from, to, data, count);
}
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              size_t* count) {
  return bankproof_of_13_cudaGraphGetEdges(graph, from, to, nullptr, count);
}
cudaError_t cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                 cudaGraphEdgeData* data, size_t* count) {
  return bankproof_of_13_cudaGraphGetEdges(graph, from, to, data, count);
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* after,
                                         size_t* count) {
  return bankproof_of_13_cudaGraphNodeGetDependencies(node, after, nullptr, count);
}
cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t* after,
                                            cudaGraphEdgeData* data, size_t* count) {
  return bankproof_of_13_cudaGraphNodeGetDependencies(node, after, data, count);
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* dependents,
                                           size_t* count) {
  return bankproof_of_13_cudaGraphNodeGetDependentNodes(node, dependents, nullptr, count);
}
cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t* dependents,
                                              cudaGraphEdgeData* data, size_t* count) {
  return bankproof_of_13_cudaGraphNodeGetDependentNodes(node, dependents, data, count);
}
cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                             size_t count, cudaGraphNodeParams* parameters) {
  return bankproof_of_13_cudaGraphAddNode(node, graph, after, nullptr, count, parameters);
}
cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t* node, cudaGraph_t graph,
                                const cudaGraphNode_t* after, const cudaGraphEdgeData* data,
                                size_t count, cudaGraphNodeParams* parameters) {
  return bankproof_of_13_cudaGraphAddNode(node, graph, after, data, count, parameters);
}

// ---- Captures, for streams and for per-thread default streams.
cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                        unsigned long long* id, cudaGraph_t* graph,
                                        const cudaGraphNode_t** after,
                                        const cudaGraphEdgeData** data, size_t* count) {
  return bankproof_of_13_cudaStreamGetCaptureInfo(stream, status, id, graph, after, data, count);
}
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                        unsigned long long* id, cudaGraph_t* graph,
                                        const cudaGraphNode_t** after, size_t* count) {
  return cudaStreamGetCaptureInfo_v3(stream, status, id, graph, after, nullptr, count);
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id) {
  return cudaStreamGetCaptureInfo_v2(stream, status, id, nullptr, nullptr, nullptr);
}
cudaError_t cudaStreamGetCaptureInfo_v3_ptsz(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                             unsigned long long* id, cudaGraph_t* graph,
                                             const cudaGraphNode_t** after,
                                             const cudaGraphEdgeData** data, size_t* count) {
  if (stream == nullptr) stream = cudaStreamPerThread;
  return cudaStreamGetCaptureInfo_v3(stream, status, id, graph, after, data, count);
}
cudaError_t cudaStreamGetCaptureInfo_v2_ptsz(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                             unsigned long long* id, cudaGraph_t* graph,
                                             const cudaGraphNode_t** after, size_t* count) {
  return cudaStreamGetCaptureInfo_v3_ptsz(stream, status, id, graph, after, nullptr, count);
}
cudaError_t cudaStreamGetCaptureInfo_ptsz(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                          unsigned long long* id) {
  return cudaStreamGetCaptureInfo_v2_ptsz(stream, status, id, nullptr, nullptr, nullptr);
}
cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream, cudaGraphNode_t* after,
                                                   const cudaGraphEdgeData* data, size_t count,
                                                   unsigned flags) {
  return bankproof_of_13_cudaStreamUpdateCaptureDependencies(stream, after, data, count, flags);
}
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* after,
                                                size_t count, unsigned flags) {
  return cudaStreamUpdateCaptureDependencies_v2(stream, after, nullptr, count, flags);
}
cudaError_t cudaStreamUpdateCaptureDependencies_v2_ptsz(cudaStream_t stream, cudaGraphNode_t* after,
                                                        const cudaGraphEdgeData* data, size_t count,
                                                        unsigned flags) {
  if (stream == nullptr) stream = cudaStreamPerThread;
  return cudaStreamUpdateCaptureDependencies_v2(stream, after, data, count, flags);
}
cudaError_t cudaStreamUpdateCaptureDependencies_ptsz(cudaStream_t stream, cudaGraphNode_t* after,
                                                     size_t count, unsigned flags) {
  return cudaStreamUpdateCaptureDependencies_v2_ptsz(stream, after, nullptr, count, flags);
}

// ---- Functions of CUDA 12 that have other names in CUDA 13, or none.
cudaError_t cudaEventElapsedTime_v2(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return cudaEventElapsedTime(milliseconds, start, end);
}
cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value) {
  return cudaDeviceSetLimit(limit, value);
}
cudaError_t cudaThreadGetLimit(size_t* value, cudaLimit limit) {
  return cudaDeviceGetLimit(value, limit);
}
cudaError_t cudaThreadGetCacheConfig(cudaFuncCache* config) {
  return cudaDeviceGetCacheConfig(config);
}
cudaError_t cudaThreadSetCacheConfig(cudaFuncCache) { return cudaSuccess; }  // there are no caches
cudaError_t cudaSetDoubleForDevice(double*) { return cudaSuccess; }          // devices have doubles
cudaError_t cudaSetDoubleForHost(double*) { return cudaSuccess; }
cudaError_t cudaCreateTextureObject_v2(cudaTextureObject_t* texture,
                                       const cudaResourceDesc* resource,
                                       const cudaTextureDesc* sampling,
                                       const cudaResourceViewDesc* view) {
  return bankproof_of_13_cudaCreateTextureObject(texture, resource, sampling, view);
}
cudaError_t cudaGetTextureObjectTextureDesc_v2(cudaTextureDesc* sampling,
                                               cudaTextureObject_t texture) {
  return bankproof_of_13_cudaGetTextureObjectTextureDesc(sampling, texture);
}
#define refused(name, why) \
  int name() { return bankproof::cuda::refuse(#name, why); }
refused(cudaLaunchCooperativeKernelMultiDevice,
        "a grid runs on one device") refused(cudaSignalExternalSemaphoresAsync_v2,
                                             "the machine shares nothing with other APIs")
    refused(cudaSignalExternalSemaphoresAsync_v2_ptsz, "the machine shares nothing with other APIs")
        refused(cudaWaitExternalSemaphoresAsync_v2, "the machine shares nothing with other APIs")
            refused(cudaWaitExternalSemaphoresAsync_v2_ptsz,
                    "the machine shares nothing with other APIs")
#undef refused
// NOLINTEND(readability-identifier-naming)
}
