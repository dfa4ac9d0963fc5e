// The host API of peer devices, of libraries that are loaded at run time, and of what programs ask
// about memory and streams.
#pragma once
#pragma GCC system_header

#include "per_thread.h"
#include "runtime_types.h"

#ifdef __cplusplus
extern "C" {
#endif
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute,
                                           void* value);
cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute,
                                           void* value);
cudaError_t cudaDeviceGraphMemTrim(int device);
cudaError_t cudaDeviceGetHostAtomicCapabilities(unsigned int* capabilities,
                                                const enum cudaAtomicOperation* operations,
                                                unsigned int count, int device);
cudaError_t cudaDeviceGetP2PAtomicCapabilities(unsigned int* capabilities,
                                               const enum cudaAtomicOperation* operations,
                                               unsigned int count, int from, int to);
cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned int count,
                                        cudaLibrary_t library);
cudaError_t cudaLibraryGetGlobal(void** pointer, size_t* bytes, cudaLibrary_t library,
                                 const char* name);
cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name);
cudaError_t cudaLibraryGetKernelCount(unsigned int* count, cudaLibrary_t library);
cudaError_t cudaLibraryGetManaged(void** pointer, size_t* bytes, cudaLibrary_t library,
                                  const char* name);
cudaError_t cudaLibraryGetUnifiedFunction(void** fptr, cudaLibrary_t library, const char* symbol);
cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code,
                                enum cudaJitOption* jit_options, void** jit_values,
                                unsigned int jit_count, enum cudaLibraryOption* options,
                                void** values, unsigned int count);
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* file,
                                    enum cudaJitOption* jit_options, void** jit_values,
                                    unsigned int jit_count, enum cudaLibraryOption* options,
                                    void** values, unsigned int count);
cudaError_t cudaLibraryUnload(cudaLibrary_t library);
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute attribute,
                                            int value, int device);
cudaError_t cudaMemAdvise(const void* pointer, size_t count, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location);
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t count, struct cudaMemLocation location,
                                 unsigned int flags, cudaStream_t stream BANKPROOF_OR(0));
cudaError_t cudaMemRangeGetAttribute(void* data, size_t bytes, enum cudaMemRangeAttribute attribute,
                                     const void* pointer, size_t count);
cudaError_t cudaMemRangeGetAttributes(void** data, size_t* bytes,
                                      enum cudaMemRangeAttribute* attributes, size_t count,
                                      const void* pointer, size_t size);
cudaError_t cudaMemcpyBatchAsync(void* const* to, const void* const* from, const size_t* sizes,
                                 size_t count, struct cudaMemcpyAttributes* attributes,
                                 size_t* first, size_t attribute_count, cudaStream_t stream);
cudaError_t cudaMemPrefetchBatchAsync(void** pointers, size_t* sizes, size_t count,
                                      struct cudaMemLocation* locations, size_t* first,
                                      size_t location_count, unsigned long long flags,
                                      cudaStream_t stream);
cudaError_t cudaMemDiscardBatchAsync(void** pointers, size_t* sizes, size_t count,
                                     unsigned long long flags, cudaStream_t stream);
cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void** pointers, size_t* sizes, size_t count,
                                                struct cudaMemLocation* locations, size_t* first,
                                                size_t location_count, unsigned long long flags,
                                                cudaStream_t stream);
cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* pool, struct cudaMemLocation* location,
                                     enum cudaMemAllocationType type);
cudaError_t cudaMemGetMemPool(cudaMemPool_t* pool, struct cudaMemLocation* location,
                              enum cudaMemAllocationType type);
cudaError_t cudaMemSetMemPool(struct cudaMemLocation* location, enum cudaMemAllocationType type,
                              cudaMemPool_t pool);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t length BANKPROOF_OR(0),
                                     unsigned int flags BANKPROOF_OR(cudaMemAttachSingle));
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t* after,
                                          const cudaGraphEdgeData* data, size_t count,
                                          enum cudaStreamCaptureMode mode);
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from);
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   cudaStreamAttrValue* value);
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue* value);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus* status,
                                     unsigned long long* id BANKPROOF_OR(0), cudaGraph_t* graph BANKPROOF_OR(0),
                                     const cudaGraphNode_t** after BANKPROOF_OR(0),
                                     const cudaGraphEdgeData** data BANKPROOF_OR(0), size_t* count BANKPROOF_OR(0));
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* after,
                                                const cudaGraphEdgeData* data, size_t count,
                                                unsigned int flags BANKPROOF_OR(0));
#ifdef __cplusplus
}
#endif
