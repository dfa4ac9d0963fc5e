// The functions that programs call if nvcc compiles them with --default-stream per-thread, or if
// they define CUDA_API_PER_THREAD_DEFAULT_STREAM. The toolkit's header then gives every function
// for which the default stream matters another name: with _ptsz if the function takes a stream,
// with _ptds if it uses the default stream. They do the same, but the stream 0 is that of the
// thread.
//
// stubs.cpp has those of functions that the machine refuses.
#include "../default_stream.hpp"
#include "../runtime.hpp"

using bankproof::cuda::PerThreadDefaultStream;

extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the name nvcc calls.
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               size_t shared, cudaStream_t stream);
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

cudaError_t cudaEventRecordWithFlags_ptsz(cudaEvent_t event, cudaStream_t stream,
                                          unsigned int flags) {
  const PerThreadDefaultStream mine;
  return cudaEventRecordWithFlags(event, stream, flags);
}
cudaError_t cudaEventRecord_ptsz(cudaEvent_t event, cudaStream_t stream) {
  const PerThreadDefaultStream mine;
  return cudaEventRecord(event, stream);
}
cudaError_t cudaFreeAsync_ptsz(void* pointer, cudaStream_t stream) {
  const PerThreadDefaultStream mine;
  return cudaFreeAsync(pointer, stream);
}
cudaError_t cudaGraphInstantiateWithParams_ptsz(cudaGraphExec_t* executable, cudaGraph_t graph,
                                                cudaGraphInstantiateParams* parameters) {
  const PerThreadDefaultStream mine;
  return cudaGraphInstantiateWithParams(executable, graph, parameters);
}
cudaError_t cudaGraphLaunch_ptsz(cudaGraphExec_t executable, cudaStream_t stream) {
  const PerThreadDefaultStream mine;
  return cudaGraphLaunch(executable, stream);
}
cudaError_t cudaGraphUpload_ptsz(cudaGraphExec_t executable, cudaStream_t stream) {
  const PerThreadDefaultStream mine;
  return cudaGraphUpload(executable, stream);
}
cudaError_t cudaLaunchCooperativeKernel_ptsz(const void* kernel, dim3 grid, dim3 block,
                                             void** arguments, size_t shared, cudaStream_t stream) {
  const PerThreadDefaultStream mine;
  return cudaLaunchCooperativeKernel(kernel, grid, block, arguments, shared, stream);
}
cudaError_t cudaLaunchHostFunc_ptsz(cudaStream_t stream, cudaHostFn_t function, void* data) {
  const PerThreadDefaultStream mine;
  return cudaLaunchHostFunc(stream, function, data);
}
cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t* configuration, const void* kernel,
                                     void** arguments) {
  const PerThreadDefaultStream mine;
  return cudaLaunchKernelExC(configuration, kernel, arguments);
}
cudaError_t cudaLaunchKernel_ptsz(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                  size_t shared, cudaStream_t stream) {
  const PerThreadDefaultStream mine;
  return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}
cudaError_t cudaMallocAsync_ptsz(void** pointer, size_t size, cudaStream_t stream) {
  const PerThreadDefaultStream mine;
  return cudaMallocAsync(pointer, size, stream);
}
cudaError_t cudaMallocFromPoolAsync_ptsz(void** pointer, size_t size, cudaMemPool_t pool,
                                         cudaStream_t stream) {
  const PerThreadDefaultStream mine;
  return cudaMallocFromPoolAsync(pointer, size, pool, stream);
}
cudaError_t cudaMemDiscardAndPrefetchBatchAsync_ptsz(void** pointers, size_t* sizes, size_t count,
                                                     struct cudaMemLocation* locations,
                                                     size_t* first, size_t location_count,
                                                     unsigned long long flags,
                                                     cudaStream_t stream) {
  const PerThreadDefaultStream mine;
  return cudaMemDiscardAndPrefetchBatchAsync(pointers, sizes, count, locations, first,
                                             location_count, flags, stream);
}
cudaError_t cudaMemDiscardBatchAsync_ptsz(void** pointers, size_t* sizes, size_t count,
                                          unsigned long long flags, cudaStream_t stream) {
  const PerThreadDefaultStream mine;
  return cudaMemDiscardBatchAsync(pointers, sizes, count, flags, stream);
}
[[gnu::weak]] cudaError_t cudaMemPrefetchAsync_ptsz(const void* pointer, size_t count,
                                                    struct cudaMemLocation location,
                                                    unsigned int flags, cudaStream_t stream) {
  const PerThreadDefaultStream mine;
  return cudaMemPrefetchAsync(pointer, count, location, flags, stream);
}
cudaError_t cudaMemPrefetchBatchAsync_ptsz(void** pointers, size_t* sizes, size_t count,
                                           struct cudaMemLocation* locations, size_t* first,
                                           size_t location_count, unsigned long long flags,
                                           cudaStream_t stream) {
  const PerThreadDefaultStream mine;
  return cudaMemPrefetchBatchAsync(pointers, sizes, count, locations, first, location_count, flags,
                                   stream);
}
cudaError_t cudaMemcpy2DAsync_ptsz(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                                   size_t width, size_t height, enum cudaMemcpyKind kind,
                                   cudaStream_t stream) {
  const PerThreadDefaultStream mine;
  return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, stream);
}
cudaError_t cudaMemcpy2D_ptds(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind) {
  const PerThreadDefaultStream mine;
  return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}
cudaError_t cudaMemcpy3DAsync_ptsz(const struct cudaMemcpy3DParms* of, cudaStream_t stream) {
  const PerThreadDefaultStream mine;
  return cudaMemcpy3DAsync(of, stream);
}
cudaError_t cudaMemcpy3DPeerAsync_ptsz(const struct cudaMemcpy3DPeerParms* of,
                                       cudaStream_t stream) {
  const PerThreadDefaultStream mine;
  return cudaMemcpy3DPeerAsync(of, stream);
}
cudaError_t cudaMemcpy3DPeer_ptds(const struct cudaMemcpy3DPeerParms* of) {
  const PerThreadDefaultStream mine;
  return cudaMemcpy3DPeer(of);
}
cudaError_t cudaMemcpy3D_ptds(const struct cudaMemcpy3DParms* of) {
  const PerThreadDefaultStream mine;
  return cudaMemcpy3D(of);
}
cudaError_t cudaMemcpyAsync_ptsz(void* to, const void* from, size_t size, enum cudaMemcpyKind kind,
                                 cudaStream_t stream) {
  const PerThreadDefaultStream mine;
  return cudaMemcpyAsync(to, from, size, kind, stream);
}
cudaError_t cudaMemcpyBatchAsync_ptsz(void* const* to, const void* const* from, const size_t* sizes,
                                      size_t count, struct cudaMemcpyAttributes* attributes,
                                      size_t* first, size_t attribute_count, cudaStream_t stream) {
  const PerThreadDefaultStream mine;
  return cudaMemcpyBatchAsync(to, from, sizes, count, attributes, first, attribute_count, stream);
}
cudaError_t cudaMemcpyFromSymbolAsync_ptsz(void* to, const void* symbol, size_t size, size_t offset,
                                           enum cudaMemcpyKind kind, cudaStream_t stream) {
  const PerThreadDefaultStream mine;
  return cudaMemcpyFromSymbolAsync(to, symbol, size, offset, kind, stream);
}
cudaError_t cudaMemcpyFromSymbol_ptds(void* to, const void* symbol, size_t size, size_t offset,
                                      enum cudaMemcpyKind kind) {
  const PerThreadDefaultStream mine;
  return cudaMemcpyFromSymbol(to, symbol, size, offset, kind);
}
cudaError_t cudaMemcpyToSymbolAsync_ptsz(const void* symbol, const void* from, size_t size,
                                         size_t offset, enum cudaMemcpyKind kind,
                                         cudaStream_t stream) {
  const PerThreadDefaultStream mine;
  return cudaMemcpyToSymbolAsync(symbol, from, size, offset, kind, stream);
}
cudaError_t cudaMemcpyToSymbol_ptds(const void* symbol, const void* from, size_t size,
                                    size_t offset, enum cudaMemcpyKind kind) {
  const PerThreadDefaultStream mine;
  return cudaMemcpyToSymbol(symbol, from, size, offset, kind);
}
cudaError_t cudaMemcpy_ptds(void* to, const void* from, size_t size, enum cudaMemcpyKind kind) {
  const PerThreadDefaultStream mine;
  return cudaMemcpy(to, from, size, kind);
}
cudaError_t cudaMemset2DAsync_ptsz(void* pointer, size_t pitch, int value, size_t width,
                                   size_t height, cudaStream_t stream) {
  const PerThreadDefaultStream mine;
  return cudaMemset2DAsync(pointer, pitch, value, width, height, stream);
}
cudaError_t cudaMemset2D_ptds(void* pointer, size_t pitch, int value, size_t width, size_t height) {
  const PerThreadDefaultStream mine;
  return cudaMemset2D(pointer, pitch, value, width, height);
}
cudaError_t cudaMemset3DAsync_ptsz(struct cudaPitchedPtr pointer, int value,
                                   struct cudaExtent extent, cudaStream_t stream) {
  const PerThreadDefaultStream mine;
  return cudaMemset3DAsync(pointer, value, extent, stream);
}
cudaError_t cudaMemset3D_ptds(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent) {
  const PerThreadDefaultStream mine;
  return cudaMemset3D(pointer, value, extent);
}
cudaError_t cudaMemsetAsync_ptsz(void* pointer, int value, size_t size, cudaStream_t stream) {
  const PerThreadDefaultStream mine;
  return cudaMemsetAsync(pointer, value, size, stream);
}
cudaError_t cudaMemset_ptds(void* pointer, int value, size_t size) {
  const PerThreadDefaultStream mine;
  return cudaMemset(pointer, value, size);
}
cudaError_t cudaStreamAddCallback_ptsz(cudaStream_t stream, cudaStreamCallback_t function,
                                       void* data, unsigned int flags) {
  const PerThreadDefaultStream mine;
  return cudaStreamAddCallback(stream, function, data, flags);
}
cudaError_t cudaStreamAttachMemAsync_ptsz(cudaStream_t stream, void* pointer, size_t length,
                                          unsigned int flags) {
  const PerThreadDefaultStream mine;
  return cudaStreamAttachMemAsync(stream, pointer, length, flags);
}
cudaError_t cudaStreamBeginCaptureToGraph_ptsz(cudaStream_t stream, cudaGraph_t graph,
                                               const cudaGraphNode_t* after,
                                               const cudaGraphEdgeData* data, size_t count,
                                               enum cudaStreamCaptureMode mode) {
  const PerThreadDefaultStream mine;
  return cudaStreamBeginCaptureToGraph(stream, graph, after, data, count, mode);
}
cudaError_t cudaStreamBeginCapture_ptsz(cudaStream_t stream, enum cudaStreamCaptureMode mode) {
  const PerThreadDefaultStream mine;
  return cudaStreamBeginCapture(stream, mode);
}
cudaError_t cudaStreamCopyAttributes_ptsz(cudaStream_t to, cudaStream_t from) {
  const PerThreadDefaultStream mine;
  return cudaStreamCopyAttributes(to, from);
}
cudaError_t cudaStreamEndCapture_ptsz(cudaStream_t stream, cudaGraph_t* graph) {
  const PerThreadDefaultStream mine;
  return cudaStreamEndCapture(stream, graph);
}
cudaError_t cudaStreamGetAttribute_ptsz(cudaStream_t stream, cudaStreamAttrID attribute,
                                        cudaStreamAttrValue* value) {
  const PerThreadDefaultStream mine;
  return cudaStreamGetAttribute(stream, attribute, value);
}
[[gnu::weak]] cudaError_t cudaStreamGetCaptureInfo_ptsz(cudaStream_t stream,
                                                        enum cudaStreamCaptureStatus* status,
                                                        unsigned long long* id, cudaGraph_t* graph,
                                                        const cudaGraphNode_t** after,
                                                        const cudaGraphEdgeData** data,
                                                        size_t* count) {
  const PerThreadDefaultStream mine;
  return cudaStreamGetCaptureInfo(stream, status, id, graph, after, data, count);
}
cudaError_t cudaStreamGetDevice_ptsz(cudaStream_t stream, int* device) {
  const PerThreadDefaultStream mine;
  return cudaStreamGetDevice(stream, device);
}
cudaError_t cudaStreamGetFlags_ptsz(cudaStream_t stream, unsigned int* flags) {
  const PerThreadDefaultStream mine;
  return cudaStreamGetFlags(stream, flags);
}
cudaError_t cudaStreamGetId_ptsz(cudaStream_t stream, unsigned long long* id) {
  const PerThreadDefaultStream mine;
  return cudaStreamGetId(stream, id);
}
cudaError_t cudaStreamGetPriority_ptsz(cudaStream_t stream, int* priority) {
  const PerThreadDefaultStream mine;
  return cudaStreamGetPriority(stream, priority);
}
cudaError_t cudaStreamIsCapturing_ptsz(cudaStream_t stream, enum cudaStreamCaptureStatus* status) {
  const PerThreadDefaultStream mine;
  return cudaStreamIsCapturing(stream, status);
}
cudaError_t cudaStreamQuery_ptsz(cudaStream_t stream) {
  const PerThreadDefaultStream mine;
  return cudaStreamQuery(stream);
}
cudaError_t cudaStreamSetAttribute_ptsz(cudaStream_t stream, cudaStreamAttrID attribute,
                                        const cudaStreamAttrValue* value) {
  const PerThreadDefaultStream mine;
  return cudaStreamSetAttribute(stream, attribute, value);
}
cudaError_t cudaStreamSynchronize_ptsz(cudaStream_t stream) {
  const PerThreadDefaultStream mine;
  return cudaStreamSynchronize(stream);
}
[[gnu::weak]] cudaError_t cudaStreamUpdateCaptureDependencies_ptsz(cudaStream_t stream,
                                                                   cudaGraphNode_t* after,
                                                                   const cudaGraphEdgeData* data,
                                                                   size_t count,
                                                                   unsigned int flags) {
  const PerThreadDefaultStream mine;
  return cudaStreamUpdateCaptureDependencies(stream, after, data, count, flags);
}
cudaError_t cudaStreamWaitEvent_ptsz(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  const PerThreadDefaultStream mine;
  return cudaStreamWaitEvent(stream, event, flags);
}
// Default flags then mean the driver's functions
// for the stream of the thread.
cudaError_t cudaGetDriverEntryPoint_ptsz(const char* symbol, void** function,
                                         unsigned long long flags,
                                         enum cudaDriverEntryPointQueryResult* result) {
  const PerThreadDefaultStream mine;
  return cudaGetDriverEntryPoint(symbol, function, flags, result);
}
cudaError_t cudaGetDriverEntryPointByVersion_ptsz(const char* symbol, void** function,
                                                  unsigned int version, unsigned long long flags,
                                                  enum cudaDriverEntryPointQueryResult* result) {
  const PerThreadDefaultStream mine;
  return cudaGetDriverEntryPointByVersion(symbol, function, version, flags, result);
}
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the name nvcc calls.
cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                                    size_t shared, cudaStream_t stream) {
  const PerThreadDefaultStream mine;
  return __cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
}
