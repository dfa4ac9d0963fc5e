// Memory of the machine: allocations, what a pointer points to, copies and fills.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "../../../ptx/memory/spaces.hpp"
#include "../default_stream.hpp"
#include "../devices.hpp"
#include "../majors.hpp"
#include "../stream_handles.hpp"
#include "pools.hpp"

namespace bankproof::cuda {

namespace {

// Each buffer has an address of its own, 2^36 bytes behind the one before, and none is used twice.
// Memory that the host sees needs an address below this one, the end of the addresses of programs
// on x86-64.
constexpr std::uint64_t end_of_addresses = std::uint64_t{1} << 47U;
constexpr std::uint32_t shareable_numbers = end_of_addresses / ptx::most_buffer_bytes - 1;

std::uint64_t number_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

}  // namespace

void Runtime::keep_numbers() {
  if (has_kept_numbers_ || session_->next_buffer() < shareable_numbers / 2) return;
  has_kept_numbers_ = true;
  while (session_->next_buffer() < shareable_numbers) {
    kept_numbers_.push_back(session_->keep_number());
  }
  std::reverse(kept_numbers_.begin(), kept_numbers_.end());
}

cudaError_t Runtime::allocate(void** pointer, std::size_t bytes, cudaMemPool_t pool) {
  const std::lock_guard lock(mutex_);
  use_runtime();
  if (pointer == nullptr)
    return fail(cudaErrorInvalidValue, "cudaMalloc: no place for the pointer");
  *pointer = nullptr;
  if (const cudaError_t error = require_running("cudaMalloc", current_device());
      error != cudaSuccess)
    return error;
  if (bytes == 0) return cudaSuccess;
  try {
    keep_numbers();
    const std::uint32_t buffer =
        session_->add_buffer(fmt::format("allocation {}", allocations_++), bytes);
    live_[buffer] = {.bytes = bytes, .device = current_device(), .pool = pool, .made = host_call()};
    bytes_in_use_ += bytes;
    if (pool != nullptr) count_in_pool(pool, static_cast<std::int64_t>(bytes));
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of the machine, not of the host.
    *pointer = reinterpret_cast<void*>(Session::address(buffer));
  } catch (const std::exception& error) {
    return fail(cudaErrorMemoryAllocation, fmt::format("cudaMalloc: {}", error.what()));
  }
  return cudaSuccess;
}

cudaError_t Runtime::set_heap_bytes(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  use_runtime();
  if (session_->set_heap_bytes(bytes)) return cudaSuccess;
  return fail(cudaErrorInvalidValue,
              "cudaDeviceSetLimit: a kernel has already used the heap, whose size is now fixed");
}

void Runtime::set_pending_launches(std::size_t most) {
  const std::lock_guard lock(mutex_);
  use_runtime();
  session_->set_pending_launches(most);
}

cudaError_t Runtime::allocate_for_both(const char* call, void** pointer, std::size_t bytes,
                                       MemoryKind kind) {
  const std::lock_guard lock(mutex_);
  use_runtime();
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  keep_numbers();
  while (true) {
    const bool is_kept = !kept_numbers_.empty();
    const std::uint32_t buffer = is_kept ? kept_numbers_.back() : session_->next_buffer();
    const std::uint64_t address = Session::address(buffer);
    if (bytes > ptx::most_buffer_bytes || address + bytes >= end_of_addresses) {
      return fail(cudaErrorMemoryAllocation,
                  fmt::format("{}: no address is left for {} bytes that host and device share",
                              call, bytes));
    }
    const auto mapped = views_.map(address, bytes);
    if (is_kept) kept_numbers_.pop_back();
    if (!mapped) {
      if (!is_kept) session_->add_buffer("addresses of the host", 1);
      continue;
    }
    const std::string name = fmt::format("allocation {}", allocations_++);
    if (is_kept) {
      session_->add_mapped_buffer(buffer, name, {*mapped, bytes});
    } else {
      session_->add_mapped_buffer(name, {*mapped, bytes});
    }
    live_[buffer] = {.bytes = bytes, .kind = kind, .device = current_device(), .made = host_call()};
    if (kind == MemoryKind::managed) ordering_.use_streams();
    bytes_in_use_ += bytes;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the address of both mappings.
    *pointer = reinterpret_cast<void*>(address);
    return cudaSuccess;
  }
}

cudaError_t Runtime::require_freed_by(const char* call, void* pointer, bool frees_host) {
  const std::lock_guard lock(mutex_);
  const auto place = find(pointer);
  if (!place || (kind_of(pointer) == MemoryKind::host) == frees_host) return cudaSuccess;
  return fail(cudaErrorInvalidValue,
              fmt::format("{} of {:#x}, which is {} memory, allocated at {}", call,
                          number_of(pointer), frees_host ? "no page-locked" : "page-locked",
                          text_of(place_of(live_.at(place->buffer).made))));
}

cudaError_t Runtime::release(void* pointer) {
  const std::lock_guard lock(mutex_);
  if (pointer == nullptr) return cudaSuccess;
  if (is_of_graph(pointer)) return end_graph_memory("cudaFree", pointer);
  const auto place = find(pointer);
  if (const auto before = freed_at(pointer)) {
    return fail_with(ptx::FaultKind::double_free, cudaErrorInvalidValue,
                     fmt::format("cudaFree of {:#x}, which {}", number_of(pointer), *before));
  }
  if (!place || place->offset != 0 || live_.at(place->buffer).mappings) {
    return fail(cudaErrorInvalidValue,
                fmt::format("cudaFree: nothing was allocated at {:#x}", number_of(pointer)));
  }
  Allocation& allocation = live_[place->buffer];
  if (allocation.is_variable) {
    return fail(cudaErrorInvalidValue, "cudaFree: a variable of the program is never freed");
  }
  bytes_in_use_ -= allocation.bytes;
  if (allocation.pool != nullptr) {
    count_in_pool(allocation.pool, -static_cast<std::int64_t>(allocation.bytes));
  }
  allocation.freed = call_in_progress();
  freed_[place->buffer] = allocation;
  if (allocation.kind != MemoryKind::device) views_.unmap(number_of(pointer));
  live_.erase(place->buffer);
  session_->release(place->buffer);
  return cudaSuccess;
}

std::optional<DevicePlace> Runtime::find(const void* pointer, std::size_t bytes) const {
  const std::lock_guard lock(mutex_);
  const auto place = Session::place(number_of(pointer));
  if (!place) return {};
  const auto found = live_.find(place->first);
  if (found == live_.end() || !found->second.exists || !found->second.has(place->second, bytes)) {
    return {};
  }
  return DevicePlace{place->first, place->second};
}

std::optional<MemoryKind> Runtime::kind_of(const void* pointer) const {
  const std::lock_guard lock(mutex_);
  const auto place = find(pointer);
  if (!place) return {};
  return live_.at(place->buffer).kind;
}
bool Runtime::is_of_device_alone(const void* pointer) const {
  return kind_of(pointer) == MemoryKind::device;
}

std::optional<std::string> Runtime::freed_at(const void* pointer) const {
  const std::lock_guard lock(mutex_);
  const auto place = Session::place(number_of(pointer));
  if (!place) return {};
  auto found = freed_.find(place->first);
  if (found == freed_.end()) {
    // Memory of a graph keeps its address.
    found = live_.find(place->first);
    if (found == live_.end() || found->second.exists) return {};
    if (found->second.freed == HostCall{}) return "no launch has allocated yet";
  }
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
  if (found->second.mappings) {
    return fail_with(ptx::FaultKind::invalid_copy, cudaErrorInvalidValue,
                     fmt::format("{} {} {:#x}: {} bytes from byte {} of the addresses that were "
                                 "reserved at {}; not all have memory that a device may access",
                                 call, what, number_of(pointer), bytes, place->second,
                                 text_of(place_of(found->second.made))));
  }
  return fail_with(ptx::FaultKind::invalid_copy, cudaErrorInvalidValue,
                   fmt::format("{} {} {:#x}: {} bytes from byte {} of an allocation of {} bytes, "
                               "made at {}",
                               call, what, number_of(pointer), bytes, place->second,
                               found->second.bytes, text_of(place_of(found->second.made))));
}

cudaError_t Runtime::require_range(const char* call, const char* what, const void* pointer,
                                   std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  return find(pointer, bytes) ? cudaSuccess : refuse_range(call, what, pointer, bytes);
}

cudaError_t Runtime::copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  const std::lock_guard lock(mutex_);
  if (bytes == 0) return cudaSuccess;
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) {
    return fail(cudaErrorInvalidMemcpyDirection,
                fmt::format("cudaMemcpy: there is no copy of the kind {}", static_cast<int>(kind)));
  }
  // Memory that both see is a place of the device, whatever the copy calls it; so is memory that
  // was freed.
  const auto is_place = [&](const void* pointer) {
    if (kind == cudaMemcpyDefault && freed_at(pointer)) return true;
    return is_of_device(pointer) && (kind == cudaMemcpyDefault || !is_of_device_alone(pointer));
  };
  const bool to_device =
      kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice || is_place(to);
  const bool from_device =
      kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice || is_place(from);
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
  if (origin) {
    touch_device(*origin, bytes, AccessKind::read);
  } else if (touch_host_of_copy("cudaMemcpy", "from", from, bytes, AccessKind::read) !=
             cudaSuccess) {
    return last();
  }
  if (!to_device) {
    const cudaError_t error = touch_host_of_copy("cudaMemcpy", "to", to, bytes, AccessKind::write);
    if (error == cudaSuccess) std::memcpy(to, source, bytes);
    return error;
  }
  if (!(target = checked(to, "to"))) return last();
  touch_device(*target, bytes, AccessKind::write);
  if (origin) {
    session_->copy(target->buffer, target->offset, origin->buffer, origin->offset, bytes);
  } else {
    session_->write(target->buffer, target->offset, {source, bytes});
  }
  update_constant(target->buffer);
  return cudaSuccess;
}

cudaError_t Runtime::fill(void* to, int value, std::size_t bytes) {
  const auto byte = static_cast<std::byte>(value);
  return fill(to, {&byte, 1}, bytes);
}

cudaError_t Runtime::fill(void* to, std::span<const std::byte> pattern, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes == 0) return cudaSuccess;
  const auto place = find(to, bytes);
  if (!place) return refuse_range("cudaMemset", "of", to, bytes);
  touch_device(*place, bytes, AccessKind::write);
  session_->fill(place->buffer, place->offset, bytes, pattern);
  update_constant(place->buffer);
  return cudaSuccess;
}

}  // namespace bankproof::cuda
