// See host_memory.hpp. process_vm_readv() (process_vm_readv(2)) copies bytes of this process and
// stops at the first that cannot be read, without a signal.
#include "host_memory.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>

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

}  // namespace bankproof::cuda
