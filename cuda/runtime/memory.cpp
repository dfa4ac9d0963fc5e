// Memory of the machine: cudaMalloc, cudaMemcpy, cudaMemset and similar functions.
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>

#include "../../ptx/memory/spaces.hpp"
#include "runtime.hpp"

namespace bankproof::cuda {

namespace {

std::uint64_t number_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

}  // namespace

cudaError_t Runtime::allocate(void** pointer, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (pointer == nullptr)
    return fail(cudaErrorInvalidValue, "cudaMalloc: no place for the pointer");
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  try {
    const std::uint32_t buffer =
        session_->add_buffer(fmt::format("allocation {}", allocations_++), bytes);
    live_[buffer] = {.bytes = bytes, .made = host_call()};
    bytes_in_use_ += bytes;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of the machine, not of the host.
    *pointer = reinterpret_cast<void*>(Session::address(buffer));
  } catch (const std::exception& error) {
    return fail(cudaErrorMemoryAllocation, fmt::format("cudaMalloc: {}", error.what()));
  }
  return cudaSuccess;
}

cudaError_t Runtime::release(void* pointer) {
  const std::lock_guard lock(mutex_);
  if (pointer == nullptr) return cudaSuccess;
  const auto place = find(pointer);
  if (const auto before = freed_at(pointer)) {
    return fail_with(ptx::FaultKind::double_free, cudaErrorInvalidValue,
                     fmt::format("cudaFree of {:#x}, which {}", number_of(pointer), *before));
  }
  if (!place || place->offset != 0) {
    return fail(cudaErrorInvalidValue,
                fmt::format("cudaFree: nothing was allocated at {:#x}", number_of(pointer)));
  }
  Allocation& allocation = live_[place->buffer];
  bytes_in_use_ -= allocation.bytes;
  allocation.freed = host_call();
  freed_[place->buffer] = allocation;
  live_.erase(place->buffer);
  session_->release(place->buffer);
  return cudaSuccess;
}

std::optional<DevicePlace> Runtime::find(const void* pointer, std::size_t bytes) const {
  const auto place = Session::place(number_of(pointer));
  if (!place) return {};
  const auto found = live_.find(place->first);
  if (found == live_.end() || place->second > found->second.bytes ||
      bytes > found->second.bytes - place->second) {
    return {};
  }
  return DevicePlace{place->first, place->second};
}

std::optional<std::string> Runtime::freed_at(const void* pointer) const {
  const auto place = Session::place(number_of(pointer));
  const auto found = place ? freed_.find(place->first) : freed_.end();
  if (found == freed_.end()) return {};
  return fmt::format("was freed at {}", text_of(place_of(found->second.freed)));
}

cudaError_t Runtime::refuse_range(const char* call, const char* what, const void* pointer,
                                  std::size_t bytes) {
  if (const auto before = freed_at(pointer)) {
    return fail_with(ptx::FaultKind::use_after_free, cudaErrorInvalidValue,
                     fmt::format("{} {} {:#x}, which {}", call, what, number_of(pointer), *before));
  }
  const auto place = Session::place(number_of(pointer));
  const auto found = place ? live_.find(place->first) : live_.end();
  if (found == live_.end()) {
    return fail_with(ptx::FaultKind::invalid_copy, cudaErrorInvalidValue,
                     fmt::format("{} {} {:#x}: no allocation has {} bytes there", call, what,
                                 number_of(pointer), bytes));
  }
  return fail_with(ptx::FaultKind::invalid_copy, cudaErrorInvalidValue,
                   fmt::format("{} {} {:#x}: {} bytes from byte {} of an allocation of {} bytes, "
                               "made at {}",
                               call, what, number_of(pointer), bytes, place->second,
                               found->second.bytes, text_of(place_of(found->second.made))));
}

cudaError_t Runtime::copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  const std::lock_guard lock(mutex_);
  if (bytes == 0) return cudaSuccess;
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice ||
                         (kind == cudaMemcpyDefault && is_of_device(to));
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice ||
                           (kind == cudaMemcpyDefault && is_of_device(from));
  if ((!to_device && is_of_device(to)) || (!from_device && is_of_device(from))) {
    return fail_with(ptx::FaultKind::invalid_copy, cudaErrorInvalidValue,
                     fmt::format("cudaMemcpy from {:#x} to {:#x}: the kind of the copy treats "
                                 "device memory as host memory",
                                 number_of(from), number_of(to)));
  }
  const auto checked = [&](const void* pointer, const char* what) -> std::optional<DevicePlace> {
    auto place = find(pointer, bytes);
    if (!place) refuse_range("cudaMemcpy", what, pointer, bytes);
    return place;
  };
  const auto* source = static_cast<const std::byte*>(from);
  std::optional<DevicePlace> target;
  std::optional<DevicePlace> origin;
  if (from_device) {
    if (!(origin = checked(from, "from"))) return last();
    source = std::as_const(*session_).data(origin->buffer).data() + origin->offset;
  }
  if (!to_device) {
    std::memcpy(to, source, bytes);
    return cudaSuccess;
  }
  if (!(target = checked(to, "to"))) return last();
  if (origin) {
    session_->copy(target->buffer, target->offset, origin->buffer, origin->offset, bytes);
  } else {
    session_->write(target->buffer, target->offset, {source, bytes});
  }
  return cudaSuccess;
}

cudaError_t Runtime::fill(void* to, int value, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes == 0) return cudaSuccess;
  const auto place = find(to, bytes);
  if (!place) return refuse_range("cudaMemset", "of", to, bytes);
  session_->write(place->buffer, place->offset,
                  std::vector<std::byte>(bytes, static_cast<std::byte>(value)));
  return cudaSuccess;
}

}  // namespace bankproof::cuda

using bankproof::cuda::Runtime;

// clang-format off: a function a line, as in the header
extern "C" {
cudaError_t cudaMalloc(void** pointer, size_t size) {
  return Runtime::get().allocate(pointer, size);
}
cudaError_t cudaMallocAsync(void** pointer, size_t size, cudaStream_t) {
  return Runtime::get().allocate(pointer, size);
}
cudaError_t cudaFree(void* pointer) { return Runtime::get().release(pointer); }
// clang-format on

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return Runtime::get().perform(stream, [=] { return Runtime::get().release(pointer); });
}

cudaError_t cudaMallocManaged(void** pointer, size_t, unsigned int) {
  *pointer = nullptr;
  return Runtime::fail(cudaErrorNotSupported,
                       "cudaMallocManaged: the machine's memory is not the host's; use "
                       "cudaMalloc and cudaMemcpy");
}

cudaError_t cudaMallocHost(void** pointer, size_t size) {
  *pointer = std::malloc(size);
  return *pointer != nullptr || size == 0
             ? cudaSuccess
             : Runtime::fail(cudaErrorMemoryAllocation, "cudaMallocHost: out of memory");
}
cudaError_t cudaHostAlloc(void** pointer, size_t size, unsigned int) {
  return cudaMallocHost(pointer, size);
}
cudaError_t cudaFreeHost(void* pointer) {
  std::free(pointer);
  return cudaSuccess;
}
cudaError_t cudaHostRegister(void*, size_t, unsigned int) { return cudaSuccess; }
cudaError_t cudaHostUnregister(void*) { return cudaSuccess; }
cudaError_t cudaHostGetDevicePointer(void** device, void*, unsigned int) {
  *device = nullptr;
  return Runtime::fail(cudaErrorNotSupported,
                       "cudaHostGetDevicePointer: the machine cannot reach the host's memory");
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  *total = bankproof::ptx::most_buffer_bytes;
  *free = *total - Runtime::get().bytes_in_use();
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t size, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return Runtime::get().perform(stream, [=] { return Runtime::get().copy(to, from, size, kind); });
}
cudaError_t cudaMemcpy(void* to, const void* from, size_t size, enum cudaMemcpyKind kind) {
  return cudaMemcpyAsync(to, from, size, kind, nullptr);
}
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t size, cudaStream_t stream) {
  return Runtime::get().perform(stream, [=] { return Runtime::get().fill(pointer, value, size); });
}
cudaError_t cudaMemset(void* pointer, int value, size_t size) {
  return cudaMemsetAsync(pointer, value, size, nullptr);
}
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t size,
                                cudaStream_t stream) {
  return cudaMemcpyAsync(to, from, size, cudaMemcpyDefault, stream);
}
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                           size_t size) {
  return cudaMemcpyPeerAsync(to, to_device, from, from_device, size, nullptr);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes* attributes,
                                     const void* pointer) {
  const bool of_device = Runtime::get().is_of_device(pointer);
  *attributes = {};
  attributes->type = of_device ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered;
  attributes->devicePointer = of_device ? const_cast<void*>(pointer) : nullptr;
  return cudaSuccess;
}
}
