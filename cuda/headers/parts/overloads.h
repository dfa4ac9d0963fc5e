// Overloads of the host API that take pointers and kernels of any type instead of void*.
#pragma once
#pragma GCC system_header

// Without debug information, so that an inlined call has the line of its caller.
#ifdef __clang__
#define BANKPROOF_CALL inline __attribute__((nodebug))
#else
#define BANKPROOF_CALL inline
#endif

template <class T>
BANKPROOF_CALL cudaError_t cudaMalloc(T** pointer, size_t size) {
  return cudaMalloc(reinterpret_cast<void**>(pointer), size);
}
template <class T>
BANKPROOF_CALL cudaError_t cudaMallocHost(T** pointer, size_t size, unsigned int = 0) {
  return cudaMallocHost(reinterpret_cast<void**>(pointer), size);
}
template <class T>
BANKPROOF_CALL cudaError_t cudaMallocManaged(T** pointer, size_t size,
                                             unsigned int flags = cudaMemAttachGlobal) {
  return cudaMallocManaged(reinterpret_cast<void**>(pointer), size, flags);
}
template <class T>
BANKPROOF_CALL cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width,
                                           size_t height) {
  return cudaMallocPitch(reinterpret_cast<void**>(pointer), pitch, width, height);
}
template <class T>
BANKPROOF_CALL cudaError_t cudaMallocAsync(T** pointer, size_t size, cudaStream_t stream) {
  return cudaMallocAsync(reinterpret_cast<void**>(pointer), size, stream);
}
template <class T>
BANKPROOF_CALL cudaError_t cudaHostAlloc(T** pointer, size_t size, unsigned int flags) {
  return cudaHostAlloc(reinterpret_cast<void**>(pointer), size, flags);
}
template <class T>
BANKPROOF_CALL cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int flags) {
  return cudaHostGetDevicePointer(reinterpret_cast<void**>(device), host, flags);
}

template <class T>
BANKPROOF_CALL cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t size,
                                              size_t offset = 0,
                                              enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol(reinterpret_cast<const void*>(&symbol), from, size, offset, kind);
}
template <class T>
BANKPROOF_CALL cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t size,
                                                size_t offset = 0,
                                                enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(to, reinterpret_cast<const void*>(&symbol), size, offset, kind);
}
template <class T>
BANKPROOF_CALL cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t size,
                                                   size_t offset, enum cudaMemcpyKind kind,
                                                   cudaStream_t stream = 0) {
  return cudaMemcpyToSymbolAsync(reinterpret_cast<const void*>(&symbol), from, size, offset, kind,
                                 stream);
}
template <class T>
BANKPROOF_CALL cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
  return cudaGetSymbolAddress(pointer, reinterpret_cast<const void*>(&symbol));
}

template <class T>
BANKPROOF_CALL cudaError_t cudaLaunchKernel(T* kernel, dim3 grid, dim3 block, void** arguments,
                                            size_t shared = 0, cudaStream_t stream = 0) {
  return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments, shared,
                          stream);
}
template <class T>
BANKPROOF_CALL cudaError_t cudaLaunchCooperativeKernel(T* kernel, dim3 grid, dim3 block,
                                                       void** arguments, size_t shared = 0,
                                                       cudaStream_t stream = 0) {
  return cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments,
                                     shared, stream);
}
/// Launch attributes change nothing on the reference machine.
template <class... Parameters, class... Arguments>
BANKPROOF_CALL cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* configuration,
                                              void (*kernel)(Parameters...),
                                              Arguments&&... arguments) {
  return [&](Parameters... values) {
    void* pointers[] = {static_cast<void*>(&values)..., nullptr};
    return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), configuration->gridDim,
                            configuration->blockDim, pointers, configuration->dynamicSmemBytes,
                            configuration->stream);
  }(static_cast<Arguments&&>(arguments)...);
}

template <class T>
BANKPROOF_CALL cudaError_t cudaFuncSetAttribute(T* kernel, enum cudaFuncAttribute attribute,
                                                int value) {
  return cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), attribute, value);
}
template <class T>
BANKPROOF_CALL cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attributes, T* kernel) {
  return cudaFuncGetAttributes(attributes, reinterpret_cast<const void*>(kernel));
}
template <class T>
BANKPROOF_CALL cudaError_t cudaFuncSetCacheConfig(T* kernel, enum cudaFuncCache config) {
  return cudaFuncSetCacheConfig(reinterpret_cast<const void*>(kernel), config);
}
template <class T>
BANKPROOF_CALL cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T* kernel,
                                                                         int block, size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      blocks, reinterpret_cast<const void*>(kernel), block, shared);
}
/// Suggests blocks of 256 threads, or of `most` if this is less, and as many blocks as can be
/// resident.
template <class T>
BANKPROOF_CALL cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, T* kernel,
                                                              size_t shared = 0, int most = 0) {
  *block = most > 0 && most < 256 ? most : 256;
  int blocks = 0, processors = 0;
  const cudaError_t error =
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, *block, shared);
  if (error != cudaSuccess) return error;
  *grid = blocks;
  return cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0) == cudaSuccess
             ? (*grid = blocks * processors, cudaSuccess)
             : cudaErrorUnknown;
}
BANKPROOF_CALL cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return cudaEventCreateWithFlags(event, flags);
}

// As before CUDA 12: places for a node with an error, and for a text about it.
BANKPROOF_CALL cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                                cudaGraphNode_t* error_node, char* text,
                                                size_t size) {
  if (error_node) *error_node = 0;
  if (text && size > 0) text[0] = 0;
  return cudaGraphInstantiate(executable, graph, 0);
}

// As before CUDA 13: a device's number for its memory, and −1 for the host's.
BANKPROOF_CALL struct cudaMemLocation bankproof_location(int device) {
  struct cudaMemLocation location;
  location.type = device < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  location.id = device < 0 ? 0 : device;
  return location;
}
BANKPROOF_CALL cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t size, int device,
                                                cudaStream_t stream = 0) {
  return cudaMemPrefetchAsync(pointer, size, bankproof_location(device), 0, stream);
}
BANKPROOF_CALL cudaError_t cudaMemAdvise(const void* pointer, size_t size,
                                         enum cudaMemoryAdvise advice, int device) {
  return cudaMemAdvise(pointer, size, advice, bankproof_location(device));
}

// Shapes of memory.
BANKPROOF_CALL struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  struct cudaExtent extent;
  extent.width = width;
  extent.height = height;
  extent.depth = depth;
  return extent;
}
BANKPROOF_CALL struct cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  struct cudaPos position;
  position.x = x;
  position.y = y;
  position.z = z;
  return position;
}
BANKPROOF_CALL struct cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch, size_t width,
                                                         size_t height) {
  struct cudaPitchedPtr pitched;
  pitched.ptr = pointer;
  pitched.pitch = pitch;
  pitched.xsize = width;
  pitched.ysize = height;
  return pitched;
}

template <class T>
BANKPROOF_CALL cudaError_t cudaMallocFromPoolAsync(T** pointer, size_t size, cudaMemPool_t pool,
                                                   cudaStream_t stream) {
  return cudaMallocFromPoolAsync(reinterpret_cast<void**>(pointer), size, pool, stream);
}
template <class T>
BANKPROOF_CALL cudaError_t cudaMallocAsync(T** pointer, size_t size, cudaMemPool_t pool,
                                           cudaStream_t stream) {
  return cudaMallocFromPoolAsync(reinterpret_cast<void**>(pointer), size, pool, stream);
}
template <class T>
BANKPROOF_CALL cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t size,
                                                     size_t offset, enum cudaMemcpyKind kind,
                                                     cudaStream_t stream = 0) {
  return cudaMemcpyFromSymbolAsync(to, reinterpret_cast<const void*>(&symbol), size, offset, kind,
                                   stream);
}
template <class T>
BANKPROOF_CALL cudaError_t cudaGetSymbolSize(size_t* size, const T& symbol) {
  return cudaGetSymbolSize(size, reinterpret_cast<const void*>(&symbol));
}
template <class T>
BANKPROOF_CALL cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                          const cudaGraphNode_t* after,
                                                          size_t count, const T& symbol,
                                                          const void* from, size_t size,
                                                          size_t offset, enum cudaMemcpyKind kind) {
  return cudaGraphAddMemcpyNodeToSymbol(
      node, graph, after, count, reinterpret_cast<const void*>(&symbol), from, size, offset, kind);
}
template <class T>
BANKPROOF_CALL cudaError_t cudaGraphAddMemcpyNodeFromSymbol(
    cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count, void* to,
    const T& symbol, size_t size, size_t offset, enum cudaMemcpyKind kind) {
  return cudaGraphAddMemcpyNodeFromSymbol(
      node, graph, after, count, to, reinterpret_cast<const void*>(&symbol), size, offset, kind);
}
template <class T>
BANKPROOF_CALL cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, T* kernel, int block, size_t shared, unsigned int flags) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, reinterpret_cast<const void*>(kernel), block, shared, flags);
}
template <class T>
BANKPROOF_CALL cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block,
                                                                       T* kernel, size_t shared = 0,
                                                                       int most = 0,
                                                                       unsigned int = 0) {
  return cudaOccupancyMaxPotentialBlockSize(grid, block, kernel, shared, most);
}
/// shared(threads) is the shared memory of a block.
template <class T, class Shared>
BANKPROOF_CALL cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid, int* block,
                                                                          T* kernel, Shared shared,
                                                                          int most = 0) {
  return cudaOccupancyMaxPotentialBlockSize(grid, block, kernel,
                                            shared(most > 0 && most < 256 ? most : 256), most);
}
template <class T>
BANKPROOF_CALL cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, T* kernel,
                                                                     int blocks, int block) {
  return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, reinterpret_cast<const void*>(kernel),
                                                   blocks, block);
}
