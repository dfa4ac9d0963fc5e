// Copies from and to 2-D arrays (CUDA Runtime API, "Memory Management"): of rows, and of bytes that
// go on in the next row. Their places and widths are in bytes; shapes.cpp has copies that count
// texels.
#include <fmt/format.h>

#include <utility>

#include "../called_as.hpp"
#include "arrays.hpp"
#include "shapes.hpp"

namespace bankproof::cuda {

namespace {

/// One side of a copy.
struct Side {
  bool is_array = false;
  cudaArray_t array = nullptr;
  std::size_t x = 0;  // bytes
  std::size_t y = 0;
  void* pointer = nullptr;  // without an array
  std::size_t pitch = 0;
};
Side in_array(cudaArray_const_t array, std::size_t x, std::size_t y) {
  return {.is_array = true, .array = const_cast<cudaArray_t>(array), .x = x, .y = y};
}
Side in_memory(const void* pointer, std::size_t pitch) {
  return {.pointer = const_cast<void*>(pointer), .pitch = pitch};
}

struct ArrayCopy {
  const char* call = nullptr;
  cudaMemcpyKind kind = cudaMemcpyDefault;
  cudaStream_t stream = nullptr;
  bool waits = true;
};

/// The bytes as a number of texels.
cudaError_t texels_of(const char* call, const cudaArray& array, std::size_t bytes,
                      std::size_t& texels) {
  const std::size_t texel = array.image.channels.bytes();
  texels = bytes / texel;
  if (bytes % texel == 0) return cudaSuccess;
  return Runtime::fail(
      cudaErrorInvalidValue,
      fmt::format("{}: {} bytes are no whole texels of {} bytes", call, bytes, texel));
}

cudaError_t copy_array_rows(const ArrayCopy& of, const Side& to, const Side& from,
                            std::size_t width, std::size_t height) {
  const std::lock_guard lock(Runtime::get().mutex());
  cudaMemcpy3DParms all = {};
  all.kind = of.kind;
  all.extent = {width, height, 1};
  const auto place = [&](const Side& side, cudaArray_t& array, cudaPos& at,
                         cudaPitchedPtr& memory) {
    if (!side.is_array) {
      memory = {side.pointer, side.pitch, width, height};
      if (width <= side.pitch) return cudaSuccess;
      return Runtime::fail(cudaErrorInvalidPitchValue,
                           fmt::format("{}: rows of {} bytes are wider than the pitch, {}", of.call,
                                       width, side.pitch));
    }
    cudaError_t error = require_array(of.call, side.array);
    if (error != cudaSuccess) return error;
    array = side.array;
    at.y = side.y;
    error = texels_of(of.call, *array, side.x, at.x);
    return error == cudaSuccess ? texels_of(of.call, *array, width, all.extent.width) : error;
  };
  cudaError_t error = place(to, all.dstArray, all.dstPos, all.dstPtr);
  if (error == cudaSuccess) error = place(from, all.srcArray, all.srcPos, all.srcPtr);
  return error == cudaSuccess ? copy_with_arrays(of.call, all, of.stream, of.waits) : error;
}

/// The pointer to a byte of a 2-D array from which `bytes` bytes are left, in this row and the next
/// ones.
cudaError_t bytes_in_array(const char* call, const Side& side, std::size_t bytes, void*& pointer) {
  const cudaError_t error = require_array(call, side.array);
  if (error != cudaSuccess) return error;
  const ptx::Image& image = side.array->image;
  const std::size_t all = image.row_bytes * image.rows();
  const bool is_inside = side.y < image.rows() && side.x < image.row_bytes;
  const std::size_t first = is_inside ? side.y * image.row_bytes + side.x : all;
  if (!is_inside || bytes > all - first) {
    return Runtime::get().fail_with(
        ptx::FaultKind::invalid_copy, cudaErrorInvalidValue,
        fmt::format("{}: {} bytes from byte {} of row {} of an array of {} rows of {} bytes, made "
                    "at {}",
                    call, bytes, side.x, side.y, image.rows(), image.row_bytes,
                    text_of(place_of(side.array->made))));
  }
  pointer = side.array->at(0, side.y, 0) + side.x;
  return cudaSuccess;
}

/// Copies bytes that may go on in the next row: rows lie one behind the other.
cudaError_t copy_array_bytes(const ArrayCopy& of, const Side& to, const Side& from,
                             std::size_t bytes) {
  const std::lock_guard lock(Runtime::get().mutex());
  void* target = to.pointer;
  void* source = from.pointer;
  cudaError_t error = cudaSuccess;
  if (to.is_array) error = bytes_in_array(of.call, to, bytes, target);
  if (error == cudaSuccess && from.is_array) {
    error = bytes_in_array(of.call, from, bytes, source);
  }
  if (error != cudaSuccess) return error;
  const std::string& outer = CalledAs::current();
  const CalledAs as(outer.empty() ? of.call : outer);
  return of.waits ? cudaMemcpy(target, source, bytes, of.kind)
                  : cudaMemcpyAsync(target, source, bytes, of.kind, of.stream);
}

}  // namespace
}  // namespace bankproof::cuda

using bankproof::cuda::copy_array_bytes;
using bankproof::cuda::copy_array_rows;
using bankproof::cuda::in_array;
using bankproof::cuda::in_memory;

extern "C" {
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind) {
  return copy_array_rows({"cudaMemcpy2DToArray", kind}, in_array(to, x, y), in_memory(from, pitch),
                         width, height);
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                     size_t pitch, size_t width, size_t height,
                                     enum cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_array_rows({"cudaMemcpy2DToArrayAsync", kind, stream, false}, in_array(to, x, y),
                         in_memory(from, pitch), width, height);
}
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, enum cudaMemcpyKind kind) {
  return copy_array_rows({"cudaMemcpy2DFromArray", kind}, in_memory(to, pitch),
                         in_array(from, x, y), width, height);
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height,
                                       enum cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_array_rows({"cudaMemcpy2DFromArrayAsync", kind, stream, false}, in_memory(to, pitch),
                         in_array(from, x, y), width, height);
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t from_x, size_t from_y,
                                     size_t width, size_t height, enum cudaMemcpyKind kind) {
  return copy_array_rows({"cudaMemcpy2DArrayToArray", kind}, in_array(to, to_x, to_y),
                         in_array(from, from_x, from_y), width, height);
}
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t size,
                              enum cudaMemcpyKind kind) {
  return copy_array_bytes({"cudaMemcpyToArray", kind}, in_array(to, x, y), in_memory(from, size),
                          size);
}
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                   size_t size, enum cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_array_bytes({"cudaMemcpyToArrayAsync", kind, stream, false}, in_array(to, x, y),
                          in_memory(from, size), size);
}
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t size,
                                enum cudaMemcpyKind kind) {
  return copy_array_bytes({"cudaMemcpyFromArray", kind}, in_memory(to, size), in_array(from, x, y),
                          size);
}
cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y,
                                     size_t size, enum cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_array_bytes({"cudaMemcpyFromArrayAsync", kind, stream, false}, in_memory(to, size),
                          in_array(from, x, y), size);
}
cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                   size_t from_x, size_t from_y, size_t size,
                                   enum cudaMemcpyKind kind) {
  return copy_array_bytes({"cudaMemcpyArrayToArray", kind}, in_array(to, to_x, to_y),
                          in_array(from, from_x, from_y), size);
}
}
