// cudaMalloc, cudaMemcpy, cudaMemset and similar functions.
#include <cstddef>
#include <mutex>

#include "../default_stream.hpp"
#include "../devices.hpp"
#include "../majors.hpp"
#include "../runtime.hpp"
#include "../stream_handles.hpp"

using bankproof::cuda::MemoryKind;
using bankproof::cuda::Runtime;

BANKPROOF_OF_13(cudaPointerGetAttributes);

namespace {

/// Calls allocate(), after checks that the kinds of memory that the host sees share.
template <class Allocate>
cudaError_t allocate_for_host(const char* call, void** pointer, Allocate allocate) {
  if (pointer == nullptr) return bankproof::cuda::no_place(call);
  const cudaError_t error = Runtime::get().require_no_capture(call);
  return error == cudaSuccess ? allocate() : error;
}

cudaError_t free_now(const char* call, void* pointer, bool frees_host) {
  if (pointer == nullptr) return cudaSuccess;
  Runtime& runtime = Runtime::get();
  cudaError_t error = runtime.require_no_capture(call);
  if (error == cudaSuccess) error = runtime.require_freed_by(call, pointer, frees_host);
  if (error != cudaSuccess) return error;
  runtime.synchronize_device();
  return runtime.release(pointer);
}

}  // namespace

extern "C" {
cudaError_t cudaMalloc(void** pointer, size_t size) {
  const cudaError_t error = Runtime::get().require_no_capture("cudaMalloc");
  return error == cudaSuccess ? Runtime::get().allocate(pointer, size) : error;
}

// cudaFree waits for the device, as the Programming Guide says where it compares it with
// cudaFreeAsync ("Stream Ordered Memory Allocator").
cudaError_t cudaFree(void* pointer) { return free_now("cudaFree", pointer, false); }
cudaError_t cudaMallocManaged(void** pointer, size_t size, unsigned int flags) {
  constexpr const char* call = "cudaMallocManaged";
  return allocate_for_host(call, pointer, [&] {
    if (size == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)) {
      return Runtime::fail(cudaErrorInvalidValue,
                           fmt::format("{}: {} bytes with the flags {}", call, size, flags));
    }
    return Runtime::get().allocate_for_both(call, pointer, size, MemoryKind::managed);
  });
}

cudaError_t cudaMallocHost(void** pointer, size_t size) {
  constexpr const char* call = "cudaMallocHost";
  return allocate_for_host(call, pointer, [&] {
    return Runtime::get().allocate_for_both(call, pointer, size, MemoryKind::host);
  });
}
cudaError_t cudaHostAlloc(void** pointer, size_t size, unsigned int flags) {
  constexpr unsigned all = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
  if ((flags & ~all) != 0) {
    return Runtime::fail(cudaErrorInvalidValue,
                         fmt::format("cudaHostAlloc: unknown flags {:#x}", flags));
  }
  return cudaMallocHost(pointer, size);
}
cudaError_t cudaFreeHost(void* pointer) { return free_now("cudaFreeHost", pointer, true); }
cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  if (free == nullptr || total == nullptr) return bankproof::cuda::no_place("cudaMemGetInfo");
  *total = bankproof::ptx::most_buffer_bytes;
  *free = *total - Runtime::get().bytes_in_use();
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t size, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
  Runtime& runtime = Runtime::get();
  const auto staged = runtime.staged(from, size, kind, stream);
  bankproof::cuda::Work work;
  bankproof::cuda::copy_work("cudaMemcpyAsync", to, staged ? staged->data() : from, size, kind,
                             work);
  bankproof::cuda::keep(work, staged);
  const cudaError_t error = runtime.perform(std::move(work), stream);
  return error == cudaSuccess ? runtime.wait_after_copy_to(to, stream) : error;
}
cudaError_t cudaMemcpy(void* to, const void* from, size_t size, enum cudaMemcpyKind kind) {
  Runtime& runtime = Runtime::get();
  const cudaError_t error = runtime.perform(
      "cudaMemcpy", nullptr, [=, &runtime] { return runtime.copy(to, from, size, kind); });
  return error == cudaSuccess ? runtime.wait_after_copy(to, from) : error;
}
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t size, cudaStream_t stream) {
  const cudaMemsetParams parameters{pointer, size, static_cast<unsigned>(value) & 0xffU,
                                    1,       size, 1};
  bankproof::cuda::Work work;
  bankproof::cuda::fill_work("cudaMemset", &parameters, work);
  return Runtime::get().perform(std::move(work), stream);
}
cudaError_t cudaMemset(void* pointer, int value, size_t size) {
  return cudaMemsetAsync(pointer, value, size, nullptr);
}
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes* attributes,
                                     const void* pointer) {
  if (attributes == nullptr) return bankproof::cuda::no_place("cudaPointerGetAttributes");
  *attributes = {};
  attributes->device = cudaInvalidDeviceId;
  const std::lock_guard lock(Runtime::get().mutex());
  const auto kind = Runtime::get().kind_of(pointer);
  if (!kind && Runtime::get().is_pinned(pointer)) {  // kernels do not reach it
    attributes->type = cudaMemoryTypeHost;
    attributes->device = bankproof::cuda::current_device();
    attributes->hostPointer = const_cast<void*>(pointer);
  }
  if (!kind) return cudaSuccess;
  attributes->device = Runtime::get().device_of(*Runtime::get().find(pointer));
  void* const same = const_cast<void*>(pointer);
  attributes->type = *kind == MemoryKind::managed ? cudaMemoryTypeManaged
                     : *kind == MemoryKind::host  ? cudaMemoryTypeHost
                                                  : cudaMemoryTypeDevice;
  attributes->devicePointer = same;
  attributes->hostPointer = Runtime::get().is_of_device_alone(pointer) ? nullptr : same;
  return cudaSuccess;
}
}
