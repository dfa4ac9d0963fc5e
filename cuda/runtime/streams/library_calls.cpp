// See library_calls.hpp.
#include "library_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "../memory/host_memory.hpp"
#include "../stream_handles.hpp"

namespace bankproof::cuda {

namespace {

std::uint64_t address_of(const BankproofOperand& operand, const BankproofSegment& segment) {
  return reinterpret_cast<std::uintptr_t>(operand.pointer) + segment.offset;
}

const void* pointer_to(std::uint64_t address) {
  return reinterpret_cast<const void*>(address);  // NOLINT(performance-no-int-to-ptr)
}

/// From the first byte that the operand uses to the end of the last.
BankproofSegment whole(const BankproofOperand& operand) {
  std::uint64_t begin = ~std::uint64_t{0};
  std::uint64_t end = 0;
  for (std::size_t k = 0; k < operand.count; ++k) {
    begin = std::min(begin, operand.segments[k].offset);
    end = std::max(end, operand.segments[k].offset + operand.segments[k].bytes);
  }
  return {begin, end - begin};
}

std::string access_of(const BankproofOperand& operand, bool writes) {
  return fmt::format("{} {} {} at {:#x}", operand.call, writes ? "writes" : "reads", operand.name,
                     reinterpret_cast<std::uintptr_t>(operand.pointer));
}

}  // namespace

// The operation's place, since the frames of the library are too many for a HostCall.
void Runtime::found_in_library(ptx::FaultKind kind, const std::string& why) {
  const Enqueued* const place = ordering_.current_place();
  found(kind, why, place != nullptr ? place->call : host_call());
  if (kind == ptx::FaultKind::uninitialized) return;
  say(why);
  set_last(cudaErrorIllegalAddress);
}

// Whoever asks has the lock. The segments of an operand lie in one allocation if all its bytes do.
std::optional<DevicePlace> Runtime::reach(const BankproofOperand& operand, bool writes) {
  const BankproofSegment all = whole(operand);
  const void* const first = pointer_to(address_of(operand, all));
  if (const auto place = find(first, all.bytes)) {
    const std::string call = operand.call;
    const ptx::Touched touched{place->offset, place->offset + all.bytes,
                               writes ? ptx::Use::write : ptx::Use::read};
    if (require_access(call, place->buffer, current_device(), {touched}) != cudaSuccess) return {};
    return DevicePlace{place->buffer, place->offset - all.offset};
  }
  const std::string access = access_of(operand, writes);
  if (const auto before = freed_at(first)) {
    found_in_library(ptx::FaultKind::use_after_free, fmt::format("{}, which {}", access, *before));
    return {};
  }
  const auto place = Session::place(address_of(operand, all));
  const auto found = place ? live_.find(place->first) : live_.end();
  if (found == live_.end()) {
    found_in_library(
        ptx::FaultKind::out_of_bounds,
        fmt::format("{}: no memory of the device has {} bytes from there", access, all.bytes));
    return {};
  }
  found_in_library(ptx::FaultKind::out_of_bounds,
                   fmt::format("{}: {} bytes from byte {} of an allocation of {} bytes, made at {}",
                               access, all.bytes, place->second, found->second.bytes,
                               text_of(place_of(found->second.made))));
  return {};
}

void Runtime::find_undefined(const BankproofOperand& operand, const DevicePlace& place) {
  for (std::size_t k = 0; k < operand.count; ++k) {
    const std::uint64_t begin = place.offset + operand.segments[k].offset;
    const auto missing = session_->first_undefined(place.buffer, begin, operand.segments[k].bytes);
    if (!missing) continue;
    found_in_library(ptx::FaultKind::uninitialized,
                     fmt::format("{}: byte {} of the allocation of {} was never written",
                                 access_of(operand, false), *missing,
                                 text_of(place_of(live_.at(place.buffer).made))));
    return;
  }
}

void Runtime::touch_operand(const BankproofOperand& operand, const DevicePlace& place,
                            AccessKind kind) {
  if (!ordering_.has_streams()) return;
  for (std::size_t k = 0; k < operand.count;) {
    const std::uint64_t begin = operand.segments[k].offset;
    std::uint64_t end = begin;
    for (; k < operand.count && operand.segments[k].offset == end; ++k) {
      end += operand.segments[k].bytes;
    }
    touch_device({place.buffer, place.offset + begin}, end - begin, kind);
  }
  close_view(place.buffer);
}

cudaError_t Runtime::read_operand(const BankproofOperand& operand, void* into) {
  const std::lock_guard lock(mutex_);
  if (operand.count == 0) return cudaSuccess;
  const auto place = reach(operand, false);
  if (!place) return cudaErrorIllegalAddress;
  find_undefined(operand, *place);
  touch_operand(operand, *place, AccessKind::read);
  const auto bytes = std::as_const(*session_).data(place->buffer);
  auto* to = static_cast<std::byte*>(into);
  for (std::size_t k = 0; k < operand.count; ++k) {
    const BankproofSegment& segment = operand.segments[k];
    std::memcpy(to, bytes.data() + place->offset + segment.offset, segment.bytes);
    to += segment.bytes;
  }
  return cudaSuccess;
}

cudaError_t Runtime::write_operand(const BankproofOperand& operand, const void* from) {
  const std::lock_guard lock(mutex_);
  if (operand.count == 0) return cudaSuccess;
  const auto place = reach(operand, true);
  if (!place) return cudaErrorIllegalAddress;
  touch_operand(operand, *place, AccessKind::write);
  const auto* next = static_cast<const std::byte*>(from);
  for (std::size_t k = 0; k < operand.count; ++k) {
    const BankproofSegment& segment = operand.segments[k];
    session_->write(place->buffer, place->offset + segment.offset, {next, segment.bytes});
    next += segment.bytes;
  }
  update_constant(place->buffer);
  return cudaSuccess;
}

// Memory that both see is read at the machine's side, where it is open.
cudaError_t Runtime::copy_scalar(const BankproofOperand& operand, void* into, const void* from) {
  const std::lock_guard lock(mutex_);
  if ((into == nullptr) == (from == nullptr)) return cudaErrorInvalidValue;  // one is the host's
  const BankproofSegment all = whole(operand);
  const auto place = find(operand.pointer, all.bytes);
  const bool writes = from != nullptr;
  const AccessKind kind = writes ? AccessKind::write : AccessKind::read;
  if (place && !is_of_device_alone(operand.pointer)) {
    const std::uint64_t begin = Session::address(place->buffer, place->offset);
    tell(ordering_.touch_as_host(begin, begin + all.bytes, kind, host_call(), operand.call));
    if (writes) {
      session_->write(place->buffer, place->offset,
                      {static_cast<const std::byte*>(from), all.bytes});
    } else {
      const auto bytes = std::as_const(*session_).data(place->buffer);
      std::memcpy(into, bytes.data() + place->offset, all.bytes);
    }
    return cudaSuccess;
  }
  if (operand.pointer == nullptr || readable_bytes(operand.pointer, all.bytes) < all.bytes) {
    found_in_library(
        ptx::FaultKind::invalid_copy,
        fmt::format("{}, where the host has no memory: the pointer mode is that of the "
                    "host",
                    access_of(operand, writes)));
    return cudaErrorInvalidValue;
  }
  if (writes) {
    std::memcpy(const_cast<void*>(operand.pointer), from, all.bytes);
  } else {
    std::memcpy(into, operand.pointer, all.bytes);
  }
  return cudaSuccess;
}

bool Runtime::is_of_host(const void* pointer) const {
  const std::lock_guard lock(mutex_);
  if (find(pointer, 1) || freed_at(pointer)) return false;
  const auto place = Session::place(reinterpret_cast<std::uintptr_t>(pointer));
  return !place || live_.count(place->first) == 0;
}

cudaError_t Runtime::copy_of_host(const BankproofOperand& operand, void* into, const void* from) {
  const std::lock_guard lock(mutex_);
  const bool writes = into == nullptr;
  auto* to = static_cast<std::byte*>(into);
  const auto* next = static_cast<const std::byte*>(from);
  for (std::size_t k = 0; k < operand.count; ++k) {
    const std::uint64_t bytes = operand.segments[k].bytes;
    const void* const there = pointer_to(address_of(operand, operand.segments[k]));
    if (readable_bytes(there, bytes) < bytes) {
      found_in_library(ptx::FaultKind::out_of_bounds,
                       fmt::format("{}: neither the host nor the device has {} bytes from byte {}",
                                   access_of(operand, writes), bytes, operand.segments[k].offset));
      return cudaErrorIllegalAddress;
    }
    if (writes) {
      std::memcpy(const_cast<void*>(there), next, bytes);
      next += bytes;
    } else {
      std::memcpy(to, there, bytes);
      to += bytes;
    }
  }
  return cudaSuccess;
}

cudaError_t Runtime::perform_library(const char* call, cudaStream_t stream, Action action) {
  return perform(call, stream, [this, name = std::string(call), action = std::move(action)] {
    const std::lock_guard lock(mutex_);
    ++library_calls_[name];
    if (run_ != nullptr) run_->end_library_call();
    return action();
  });
}

}  // namespace bankproof::cuda

using bankproof::cuda::Runtime;

extern "C" {

int bankproof_library_perform(const char* call, cudaStream_t stream, int (*act)(void*),
                              void (*drop)(void*), void* data) {
  const std::shared_ptr<void> kept(data, drop);
  return Runtime::get().perform_library(
      call, stream, [kept, act] { return static_cast<cudaError_t>(act(kept.get())); });
}

int bankproof_library_read(const BankproofOperand* operand, void* into) {
  return Runtime::get().read_operand(*operand, into);
}
int bankproof_library_write(const BankproofOperand* operand, const void* from) {
  return Runtime::get().write_operand(*operand, from);
}
int bankproof_library_is_of_host(const void* pointer) {
  return Runtime::get().is_of_host(pointer) ? 1 : 0;
}
int bankproof_library_read_of_host(const BankproofOperand* operand, void* into) {
  return Runtime::get().copy_of_host(*operand, into, nullptr);
}
int bankproof_library_write_of_host(const BankproofOperand* operand, const void* from) {
  return Runtime::get().copy_of_host(*operand, nullptr, from);
}
void bankproof_library_found_out_of_bounds(const char* message) {
  Runtime::get().found_in_library(bankproof::ptx::FaultKind::out_of_bounds, message);
}
int bankproof_library_read_host(const BankproofOperand* operand, void* into) {
  return Runtime::get().copy_scalar(*operand, into, nullptr);
}
int bankproof_library_write_host(const BankproofOperand* operand, const void* from) {
  return Runtime::get().copy_scalar(*operand, nullptr, from);
}
int bankproof_library_wait(cudaStream_t stream) { return Runtime::get().synchronize(stream); }
int bankproof_library_has_stream(const char* call, cudaStream_t stream) {
  return bankproof::cuda::is_live_stream(call, stream) ? 1 : 0;
}
void bankproof_library_failed(const char* why) { Runtime::say(why); }
}
