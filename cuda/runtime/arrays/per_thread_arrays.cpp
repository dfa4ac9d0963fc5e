// The functions of arrays that programs call if their default streams are per thread; see
// per_thread.cpp.
#include "../default_stream.hpp"
#include "../runtime.hpp"

using bankproof::cuda::PerThreadDefaultStream;

extern "C" {
cudaError_t cudaMemcpy2DToArray_ptds(cudaArray_t to, size_t x, size_t y, const void* from,
                                     size_t pitch, size_t width, size_t height,
                                     enum cudaMemcpyKind kind) {
  const PerThreadDefaultStream mine;
  return cudaMemcpy2DToArray(to, x, y, from, pitch, width, height, kind);
}
cudaError_t cudaMemcpy2DToArrayAsync_ptsz(cudaArray_t to, size_t x, size_t y, const void* from,
                                          size_t pitch, size_t width, size_t height,
                                          enum cudaMemcpyKind kind, cudaStream_t stream) {
  const PerThreadDefaultStream mine;
  return cudaMemcpy2DToArrayAsync(to, x, y, from, pitch, width, height, kind, stream);
}
cudaError_t cudaMemcpy2DFromArray_ptds(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height,
                                       enum cudaMemcpyKind kind) {
  const PerThreadDefaultStream mine;
  return cudaMemcpy2DFromArray(to, pitch, from, x, y, width, height, kind);
}
cudaError_t cudaMemcpy2DFromArrayAsync_ptsz(void* to, size_t pitch, cudaArray_const_t from,
                                            size_t x, size_t y, size_t width, size_t height,
                                            enum cudaMemcpyKind kind, cudaStream_t stream) {
  const PerThreadDefaultStream mine;
  return cudaMemcpy2DFromArrayAsync(to, pitch, from, x, y, width, height, kind, stream);
}
cudaError_t cudaMemcpy2DArrayToArray_ptds(cudaArray_t to, size_t to_x, size_t to_y,
                                          cudaArray_const_t from, size_t from_x, size_t from_y,
                                          size_t width, size_t height, enum cudaMemcpyKind kind) {
  const PerThreadDefaultStream mine;
  return cudaMemcpy2DArrayToArray(to, to_x, to_y, from, from_x, from_y, width, height, kind);
}
cudaError_t cudaMemcpyToArray_ptds(cudaArray_t to, size_t x, size_t y, const void* from,
                                   size_t size, enum cudaMemcpyKind kind) {
  const PerThreadDefaultStream mine;
  return cudaMemcpyToArray(to, x, y, from, size, kind);
}
cudaError_t cudaMemcpyToArrayAsync_ptsz(cudaArray_t to, size_t x, size_t y, const void* from,
                                        size_t size, enum cudaMemcpyKind kind,
                                        cudaStream_t stream) {
  const PerThreadDefaultStream mine;
  return cudaMemcpyToArrayAsync(to, x, y, from, size, kind, stream);
}
cudaError_t cudaMemcpyFromArray_ptds(void* to, cudaArray_const_t from, size_t x, size_t y,
                                     size_t size, enum cudaMemcpyKind kind) {
  const PerThreadDefaultStream mine;
  return cudaMemcpyFromArray(to, from, x, y, size, kind);
}
cudaError_t cudaMemcpyFromArrayAsync_ptsz(void* to, cudaArray_const_t from, size_t x, size_t y,
                                          size_t size, enum cudaMemcpyKind kind,
                                          cudaStream_t stream) {
  const PerThreadDefaultStream mine;
  return cudaMemcpyFromArrayAsync(to, from, x, y, size, kind, stream);
}
cudaError_t cudaMemcpyArrayToArray_ptds(cudaArray_t to, size_t to_x, size_t to_y,
                                        cudaArray_const_t from, size_t from_x, size_t from_y,
                                        size_t size, enum cudaMemcpyKind kind) {
  const PerThreadDefaultStream mine;
  return cudaMemcpyArrayToArray(to, to_x, to_y, from, from_x, from_y, size, kind);
}
}
