// Memory of the host: which bytes the program can access, and which it has made page-locked.
//
// process_vm_readv() (process_vm_readv(2)) copies bytes of this process and stops at the first that
// cannot be read, without a signal.
#include "host_memory.hpp"

#include <fmt/format.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <iterator>

#include "../stream_handles.hpp"

namespace bankproof::cuda {
namespace {

constexpr std::uintptr_t page_bytes = 4096;
constexpr std::size_t most_pages = 1024;  // of one call: IOV_MAX

/// Reads one byte of each page; returns the number of pages that can be read.
std::size_t readable_pages(std::uintptr_t first, std::size_t pages) {
  std::array<std::byte, most_pages> bytes;
  std::array<iovec, most_pages> remote;
  for (std::size_t k = 0; k < pages; ++k) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the address of a page.
    remote[k] = {reinterpret_cast<void*>(first + k * page_bytes), 1};
  }
  const iovec local = {bytes.data(), pages};
  const ssize_t read = process_vm_readv(getpid(), &local, 1, remote.data(), pages, 0);
  if (read < 0) return errno == EFAULT ? 0 : pages;
  return static_cast<std::size_t>(read);
}

std::uintptr_t address_of_host(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

}  // namespace

std::size_t readable_bytes(const void* begin, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  if (bytes == 0 || address + bytes < address) return 0;
  const std::uintptr_t first = address / page_bytes * page_bytes;
  const std::size_t pages = (address + bytes - 1 - first) / page_bytes + 1;
  for (std::size_t done = 0; done < pages;) {
    const std::size_t some = std::min(pages - done, most_pages);
    const std::size_t good = readable_pages(first + done * page_bytes, some);
    if (good < some) {
      const std::uintptr_t bad = first + (done + good) * page_bytes;
      return bad <= address ? 0 : bad - address;
    }
    done += some;
  }
  return bytes;
}

bool Runtime::is_pinned(const void* pointer) const {
  const std::lock_guard lock(mutex_);
  const auto after = pinned_.upper_bound(address_of_host(pointer));
  if (after == pinned_.begin()) return false;
  const auto& [begin, bytes] = *std::prev(after);
  return address_of_host(pointer) < begin + bytes;
}
cudaError_t Runtime::pin(const void* pointer, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes == 0 || readable_bytes(pointer, bytes) < bytes) {
    return fail(cudaErrorInvalidValue,
                fmt::format("cudaHostRegister: the program has no {} bytes at {:#x}", bytes,
                            address_of_host(pointer)));
  }
  const auto next = pinned_.upper_bound(address_of_host(pointer));
  const bool overlaps = next != pinned_.end() && next->first < address_of_host(pointer) + bytes;
  if (overlaps || is_pinned(pointer) || is_of_device(pointer)) {
    return fail(cudaErrorHostMemoryAlreadyRegistered,
                fmt::format("cudaHostRegister of {:#x}: the memory is page-locked already",
                            address_of_host(pointer)));
  }
  pinned_[address_of_host(pointer)] = bytes;
  return cudaSuccess;
}
cudaError_t Runtime::unpin(const void* pointer) {
  const std::lock_guard lock(mutex_);
  if (pinned_.erase(address_of_host(pointer)) != 0) return cudaSuccess;
  return fail(cudaErrorHostMemoryNotRegistered,
              fmt::format("cudaHostUnregister of {:#x}: no registered memory begins there",
                          address_of_host(pointer)));
}

}  // namespace bankproof::cuda

using bankproof::cuda::MemoryKind;
using bankproof::cuda::Runtime;

extern "C" {
cudaError_t cudaHostRegister(void* pointer, size_t size, unsigned int) {
  return Runtime::get().pin(pointer, size);
}
cudaError_t cudaHostUnregister(void* pointer) { return Runtime::get().unpin(pointer); }
cudaError_t cudaHostGetFlags(unsigned int* flags, void* pointer) {
  if (flags == nullptr) return bankproof::cuda::no_place("cudaHostGetFlags");
  const Runtime& runtime = Runtime::get();
  if (runtime.kind_of(pointer) != MemoryKind::host && !runtime.is_pinned(pointer)) {
    return Runtime::fail(cudaErrorInvalidValue,
                         "cudaHostGetFlags: this is no page-locked memory of the host");
  }
  *flags = cudaHostAllocMapped;
  return cudaSuccess;
}
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int) {
  if (device == nullptr) return bankproof::cuda::no_place("cudaHostGetDevicePointer");
  *device = host;
  if (Runtime::get().is_of_device(host)) return cudaSuccess;
  *device = nullptr;
  return Runtime::fail(cudaErrorNotSupported,
                       "cudaHostGetDevicePointer: the machine reaches memory of the host from "
                       "cudaMallocHost and cudaHostAlloc, not memory that the program registers");
}
}
