// Memory in rows and planes: pitched allocations, and copies and fills of 2-D and 3-D shapes, from
// and to arrays, too.
#include "shapes.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "../../../ptx/memory/spaces.hpp"
#include "../called_as.hpp"
#include "arrays.hpp"

using bankproof::cuda::CalledAs;
using bankproof::cuda::copy_shapes;
using bankproof::cuda::Runtime;
using bankproof::cuda::Work;

namespace {

constexpr size_t pitch_bytes = 512;  // rows begin at multiples of it, as on chips

/// The pointer, so many bytes further on; a program's sizes may lead anywhere.
char* further(void* pointer, size_t bytes) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): beyond its memory, a pointer must not be moved.
  return reinterpret_cast<char*>(reinterpret_cast<std::uintptr_t>(pointer) + bytes);
}

/// A shape of bytes in memory: `depth` planes of `height` rows.
struct Shape {
  char* first;
  size_t pitch;
  size_t plane;

  char* row(size_t y, size_t z) const { return further(first, z * plane + y * pitch); }
};

Shape shape_of(const cudaPitchedPtr& pointer, const cudaPos& at) {
  const size_t plane = pointer.pitch * pointer.ysize;
  return {further(pointer.ptr, at.z * plane + at.y * pointer.pitch + at.x), pointer.pitch, plane};
}

/// Calls row(y, z) for each row, until a call fails. Rows of no bytes are none.
template <class Row>
cudaError_t for_rows(size_t width, size_t height, size_t depth, Row row) {
  if (width == 0) return cudaSuccess;
  for (size_t z = 0; z < depth; ++z) {
    for (size_t y = 0; y < height; ++y) {
      if (const cudaError_t error = row(y, z); error != cudaSuccess) return error;
    }
  }
  return cudaSuccess;
}

cudaError_t require_rows(const char* call, size_t width, std::initializer_list<size_t> pitches) {
  for (const size_t pitch : pitches) {
    if (width <= pitch) continue;
    return Runtime::fail(
        cudaErrorInvalidPitchValue,
        fmt::format("{}: rows of {} bytes are wider than the pitch, {}", call, width, pitch));
  }
  return cudaSuccess;
}

/// The name of the call in messages about rows. If a call of the driver API makes this call, the
/// messages name that one.
std::string named(const char* call) {
  const std::string& current = CalledAs::current();
  return current.empty() ? call : current;
}

/// A copy in bytes, whose sides are memory of the host, of the device, or of arrays.
struct RowCopy {
  Shape to;
  Shape from;
  cudaExtent extent;  // the width in bytes
  cudaMemcpyKind kind;
};

/// Copies the rows now.
cudaError_t copy_rows(const RowCopy& of) {
  return for_rows(of.extent.width, of.extent.height, of.extent.depth, [&](size_t y, size_t z) {
    return Runtime::get().copy(of.to.row(y, z), of.from.row(y, z), of.extent.width, of.kind);
  });
}

std::string sizes_text(size_t x, size_t y, size_t z) {
  return fmt::format("{} x {} x {}", x, y, z);
}

/// The part of an array at this place, if the array has it.
cudaError_t part_of_array(const char* call, const char* what, const cudaArray& array,
                          const cudaPos& at, const cudaExtent& extent, Shape& shape) {
  const bankproof::ptx::Image& image = array.image;
  const auto fits = [](size_t begin, size_t size, size_t most) {
    return begin <= most && size <= most - begin;
  };
  if (!fits(at.x, extent.width, image.width) || !fits(at.y, extent.height, image.rows()) ||
      !fits(at.z, extent.depth, image.slices())) {
    return Runtime::get().fail_with(
        bankproof::ptx::FaultKind::invalid_copy, cudaErrorInvalidValue,
        fmt::format("{} {} an array: {} texels from ({}, {}, {}) of {}, made at {}", call, what,
                    sizes_text(extent.width, extent.height, extent.depth), at.x, at.y, at.z,
                    sizes_text(image.width, image.rows(), image.slices()),
                    bankproof::cuda::text_of(bankproof::cuda::place_of(array.made))));
  }
  shape = {array.at(at.x, at.y, at.z), image.row_bytes, image.slice_bytes};
  return cudaSuccess;
}

/// Arrays are memory of the device.
cudaError_t require_direction(const char* call, const cudaMemcpy3DParms& of) {
  const bool to_device = of.kind == cudaMemcpyHostToDevice || of.kind == cudaMemcpyDeviceToDevice;
  const bool from_device = of.kind == cudaMemcpyDeviceToHost || of.kind == cudaMemcpyDeviceToDevice;
  const bool fits = of.kind == cudaMemcpyDefault || ((of.dstArray == nullptr || to_device) &&
                                                     (of.srcArray == nullptr || from_device));
  if (fits) return cudaSuccess;
  return Runtime::get().fail_with(
      bankproof::ptx::FaultKind::invalid_copy, cudaErrorInvalidMemcpyDirection,
      fmt::format("{}: the kind of the copy treats an array as host memory", call));
}

/// The copy in bytes. Its checks are those that need no memory, and those of arrays.
cudaError_t row_copy_of(const char* call, const cudaMemcpy3DParms& of, RowCopy& copy) {
  copy.extent = of.extent;
  copy.kind = of.kind;
  size_t texel = 1;
  for (const cudaArray_t array : {of.srcArray, of.dstArray}) {
    if (array == nullptr) continue;
    const cudaError_t error = bankproof::cuda::require_array(call, array);
    if (error != cudaSuccess) return error;
    texel = array->image.channels.bytes();
  }
  if (of.srcArray != nullptr || of.dstArray != nullptr) {
    const cudaError_t error = require_direction(call, of);
    if (error != cudaSuccess) return error;
  }
  if (of.srcArray != nullptr && of.srcArray->image.channels.bytes() != texel) {
    return Runtime::fail(cudaErrorInvalidValue,
                         fmt::format("{}: texels of {} bytes do not become texels of {}", call,
                                     of.srcArray->image.channels.bytes(), texel));
  }
  if (__builtin_mul_overflow(of.extent.width, texel, &copy.extent.width)) {
    copy.extent.width = ~size_t{0};
  }
  const auto side = [&](const char* what, cudaArray_t array, const cudaPitchedPtr& pointer,
                        const cudaPos& at, Shape& shape) {
    if (array != nullptr) return part_of_array(call, what, *array, at, of.extent, shape);
    shape = shape_of(pointer, at);
    const bool has_rows = of.extent.height > 1 || of.extent.depth > 1;
    return has_rows ? require_rows(call, copy.extent.width, {pointer.pitch}) : cudaSuccess;
  };
  const cudaError_t error = side("to", of.dstArray, of.dstPtr, of.dstPos, copy.to);
  if (error != cudaSuccess) return error;
  return side("from", of.srcArray, of.srcPtr, of.srcPos, copy.from);
}

/// The bytes from the first row to the end of the last one; all bytes of memory if there are more.
size_t span_of(const Shape& shape, const cudaExtent& extent) {
  size_t planes = 0;
  size_t rows = 0;
  size_t span = 0;
  const bool is_more = __builtin_mul_overflow(extent.depth - 1, shape.plane, &planes) ||
                       __builtin_mul_overflow(extent.height - 1, shape.pitch, &rows) ||
                       __builtin_add_overflow(planes, rows, &span) ||
                       __builtin_add_overflow(span, extent.width, &span);
  return is_more ? ~size_t{0} : span;
}

/// `waits`: the host waits for the copy, unless both sides are on the device.
cudaError_t enqueue_copy(const char* call, cudaMemcpy3DParms of, cudaStream_t stream, bool waits) {
  if (of.extent.width == 0 || of.extent.height == 0 || of.extent.depth == 0) return cudaSuccess;
  const CalledAs as(named(call));
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex());
  RowCopy copy{};
  cudaError_t error = row_copy_of(call, of, copy);
  if (error != cudaSuccess) return error;
  const char* const from = copy.from.first;
  const auto staged = runtime.staged(from, span_of(copy.from, copy.extent), of.kind, stream);
  if (staged) {
    of.srcPtr.ptr = const_cast<std::byte*>(staged->data());
    of.srcPos = {};
  }
  Work work;
  error = copy_shapes(call, of, work);
  if (error != cudaSuccess) return error;
  bankproof::cuda::keep(work, staged);
  error = runtime.perform(std::move(work), stream);
  if (error == cudaSuccess) error = runtime.wait_after_copy_to(copy.to.first, stream);
  return error == cudaSuccess && waits ? runtime.wait_after_copy(copy.to.first, from) : error;
}

cudaError_t fill_shape(const char* call, const Shape& to, int value, size_t width, size_t height,
                       size_t depth, cudaStream_t stream) {
  const CalledAs as(named(call));
  if (height > 1) {
    if (const cudaError_t error = require_rows(call, width, {to.pitch}); error != cudaSuccess) {
      return error;
    }
  }
  Work work{call, cudaGraphNodeTypeMemset, bankproof::cuda::SymbolCopy{}, [=] {
              return for_rows(width, height, depth, [&](size_t y, size_t z) {
                return Runtime::get().fill(to.row(y, z), value, width);
              });
            }};
  if (depth <= 1) {
    work.parameters =
        cudaMemsetParams{to.first, to.pitch, static_cast<unsigned>(value & 0xff), 1, width, height};
  }
  return Runtime::get().perform(std::move(work), stream);
}

cudaError_t allocate_rows(const char* call, void** pointer, size_t* pitch, size_t width,
                          size_t rows) {
  constexpr size_t most = bankproof::ptx::most_buffer_bytes;
  if (width > most || (rows > 0 && width > most / rows)) {
    return Runtime::fail(
        cudaErrorMemoryAllocation,
        fmt::format("{}: {} rows of {} bytes are more than {} bytes", call, rows, width, most));
  }
  if (const cudaError_t error = Runtime::get().require_no_capture(call); error != cudaSuccess)
    return error;
  *pitch = (width + pitch_bytes - 1) / pitch_bytes * pitch_bytes;
  return Runtime::get().allocate(pointer, *pitch * rows);
}

cudaMemcpy3DParms of_peers(const cudaMemcpy3DPeerParms& of) {
  cudaMemcpy3DParms same = {};
  same.srcArray = of.srcArray;
  same.srcPos = of.srcPos;
  same.srcPtr = of.srcPtr;
  same.dstArray = of.dstArray;
  same.dstPos = of.dstPos;
  same.dstPtr = of.dstPtr;
  same.extent = of.extent;
  same.kind = cudaMemcpyDefault;
  return same;
}

}  // namespace

namespace bankproof::cuda {

cudaError_t copy_shapes(const char* call, const cudaMemcpy3DParms& of, Work& work) {
  RowCopy copy{};
  const cudaError_t error = row_copy_of(call, of, copy);
  if (error != cudaSuccess) return error;
  work = {call, cudaGraphNodeTypeMemcpy, of, [copy] { return copy_rows(copy); }};
  return cudaSuccess;
}

cudaError_t copy_with_arrays(const char* call, const cudaMemcpy3DParms& of, cudaStream_t stream,
                             bool waits) {
  return enqueue_copy(call, of, stream, waits);
}

}  // namespace bankproof::cuda

extern "C" {
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  if (pointer == nullptr || pitch == nullptr) return bankproof::cuda::no_place("cudaMallocPitch");
  return allocate_rows("cudaMallocPitch", pointer, pitch, width, height);
}
cudaError_t cudaMalloc3D(struct cudaPitchedPtr* pointer, struct cudaExtent extent) {
  if (pointer == nullptr) return bankproof::cuda::no_place("cudaMalloc3D");
  pointer->xsize = extent.width;
  pointer->ysize = extent.height;
  size_t rows = 0;
  if (__builtin_mul_overflow(extent.height, extent.depth, &rows)) rows = ~size_t{0};
  return allocate_rows("cudaMalloc3D", &pointer->ptr, &pointer->pitch, extent.width, rows);
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream) {
  if (const cudaError_t error = require_rows("cudaMemcpy2D", width, {to_pitch, from_pitch});
      error != cudaSuccess) {
    return error;
  }
  cudaMemcpy3DParms of = {};
  of.srcPtr = {const_cast<void*>(from), from_pitch, width, height};
  of.dstPtr = {to, to_pitch, width, height};
  of.extent = {width, height, 1};
  of.kind = kind;
  return enqueue_copy("cudaMemcpy2D", of, stream, false);
}
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind) {
  const cudaError_t error =
      cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, nullptr);
  return error == cudaSuccess ? Runtime::get().wait_after_copy(to, from) : error;
}
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms* of, cudaStream_t stream) {
  if (of == nullptr) return bankproof::cuda::no_place("cudaMemcpy3DAsync");
  return enqueue_copy("cudaMemcpy3D", *of, stream, false);
}
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms* of) {
  if (of == nullptr) return bankproof::cuda::no_place("cudaMemcpy3D");
  return enqueue_copy("cudaMemcpy3D", *of, nullptr, true);
}
cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms* of, cudaStream_t stream) {
  if (of == nullptr) return bankproof::cuda::no_place("cudaMemcpy3DPeerAsync");
  return enqueue_copy("cudaMemcpy3DPeer", of_peers(*of), stream, false);
}
// It waits as cudaMemcpyPeer does.
cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms* of) {
  if (of == nullptr) return bankproof::cuda::no_place("cudaMemcpy3DPeer");
  Runtime& runtime = Runtime::get();
  const auto wait = [&] {
    for (const int device : {of->dstDevice, of->srcDevice}) runtime.synchronize_device(device);
    return runtime.synchronize_device();
  };
  wait();
  const cudaError_t error = cudaMemcpy3DPeerAsync(of, nullptr);
  return error == cudaSuccess ? wait() : error;
}

cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  if (const cudaError_t error = require_rows("cudaMemset2D", width, {pitch});
      error != cudaSuccess) {
    return error;
  }
  return fill_shape("cudaMemset2D", {static_cast<char*>(pointer), pitch, 0}, value, width, height,
                    1, stream);
}
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
  return cudaMemset2DAsync(pointer, pitch, value, width, height, nullptr);
}
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent,
                              cudaStream_t stream) {
  return fill_shape("cudaMemset3D", shape_of(pointer, {}), value, extent.width, extent.height,
                    extent.depth, stream);
}
cudaError_t cudaMemset3D(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent) {
  return cudaMemset3DAsync(pointer, value, extent, nullptr);
}
}
