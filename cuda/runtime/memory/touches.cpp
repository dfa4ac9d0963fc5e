// What the operations of a program touch, and the races between operations that nothing orders.
#include <fmt/format.h>

#include "../called_as.hpp"
#include "../runtime.hpp"
#include "host_memory.hpp"

namespace bankproof::cuda {

namespace {

std::uint64_t number_of_host(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

}  // namespace

void Runtime::touch_device(const DevicePlace& place, std::size_t bytes, AccessKind kind) {
  const std::uint64_t begin = Session::address(place.buffer, place.offset);
  tell(ordering_.touch(begin, begin + bytes, kind));
}

void Runtime::touch_host(const void* pointer, std::size_t bytes, AccessKind kind) {
  // The program sees other memory of the host as the call left it.
  if (!is_pinned(pointer)) return;
  const std::uint64_t begin = host_address(number_of_host(pointer));
  tell(ordering_.touch(begin, begin + bytes, kind));
}

cudaError_t Runtime::touch_host_of_copy(const char* call, const char* what, const void* pointer,
                                        std::size_t bytes, AccessKind kind) {
  const std::size_t readable = readable_bytes(pointer, bytes);
  if (readable < bytes) {
    return fail_with(ptx::FaultKind::invalid_copy, cudaErrorInvalidValue,
                     fmt::format("{} {} {:#x}: the program can access {} of the {} bytes there",
                                 call, what, number_of_host(pointer),
                                 readable == 0 ? "none" : fmt::to_string(readable), bytes));
  }
  touch_host(pointer, bytes, kind);
  return cudaSuccess;
}

void Runtime::touch_before_destruction(const char* call, std::uint64_t object) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t at = object_address(object);
  tell(
      ordering_.touch_as_host(at, at + 1, AccessKind::write, host_call(), CalledAs::renamed(call)));
}

void Runtime::tell(const std::vector<StreamRace>& races) {
  for (const StreamRace& race : races) {
    if (is_object_address(race.begin)) {
      found(ptx::FaultKind::race,
            fmt::format("{} destroys an object, and is not ordered with {} at {}, which uses it",
                        race.later.what, race.earlier.what, text_of(place_of(race.earlier.call))),
            race.later.call);
      continue;
    }
    std::string bytes = fmt::format("bytes {:#x} to {:#x} of the host's memory",
                                    race.begin & ~host_address(0), race.end & ~host_address(0));
    if (!is_host_address(race.begin)) {
      const auto place = Session::place(race.begin);
      const auto found = live_.find(place->first);
      const std::uint64_t count = race.end - race.begin;
      bytes = fmt::format(
          "{} of {}",
          count == 1 ? fmt::format("byte {}", place->second)
                     : fmt::format("{} bytes from byte {}", count, place->second),
          found == live_.end()
              ? "memory of the device"
              : fmt::format("the allocation of {}", text_of(place_of(found->second.made))));
    }
    found(
        ptx::FaultKind::race,
        fmt::format("{} {} {}, and is not ordered with {} at {}, which {} them", race.later.what,
                    race.later_writes ? "writes" : "reads", bytes, race.earlier.what,
                    text_of(place_of(race.earlier.call)), race.earlier_writes ? "writes" : "reads"),
        race.later.call);
  }
}

cudaError_t Runtime::wait_after_copy(const void* to, const void* from) {
  const bool on_device = is_of_device_alone(to) && is_of_device_alone(from);
  return on_device ? cudaSuccess : synchronize(nullptr);
}

cudaError_t Runtime::wait_after_copy_to(const void* to, cudaStream_t stream) {
  const bool returns = is_of_device(to) || is_pinned(to) || capture_of(stream) != nullptr;
  return returns ? cudaSuccess : synchronize(stream);
}

std::shared_ptr<const std::vector<std::byte>> Runtime::staged(const void* from, std::size_t bytes,
                                                              cudaMemcpyKind kind,
                                                              cudaStream_t stream) {
  const std::lock_guard lock(mutex_);
  const bool is_now = !ordering_.is_late() || capture_of(stream) != nullptr;
  const bool is_other = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice ||
                        is_of_device(from) || freed_at(from) || is_pinned(from);
  // The operation tells of memory that the program does not have.
  if (is_now || is_other || readable_bytes(from, bytes) < bytes) return nullptr;
  const auto* const first = static_cast<const std::byte*>(from);
  return std::make_shared<const std::vector<std::byte>>(first, first + bytes);
}

void Runtime::close_view(std::uint32_t buffer) {
  const auto found = live_.find(buffer);
  if (found == live_.end() || found->second.kind != MemoryKind::managed) return;
  used_[buffer] = ordering_.current();
  views_.close(Session::address(buffer),
               [this](std::uint64_t address, AccessKind kind, std::uintptr_t code) {
                 const std::lock_guard lock(mutex_);
                 const HostCall at{code + 1};  // as if the next instruction were returned to
                 tell(ordering_.touch_as_host(address, address + 1, kind, at));
               });
}

void Runtime::open_views() {
  std::erase_if(used_, [&](const auto& one) {
    if (!ordering_.has_waited_for(one.second)) return false;
    views_.open(Session::address(one.first));
    return true;
  });
}

}  // namespace bankproof::cuda
