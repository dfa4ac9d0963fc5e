// See host_views.hpp; the signal is sigaction(2)'s SIGSEGV.
#include "host_views.hpp"

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <iterator>

namespace bankproof::cuda {

namespace {

HostViews* watched = nullptr;  // whose mappings the handler opens
struct sigaction earlier_handler;

void* pointer_of(std::uint64_t address) {
  return reinterpret_cast<void*>(address);  // NOLINT(performance-no-int-to-ptr)
}

/// Whether the instruction, which the thread is executing, is atomic (x86-64).
bool is_atomic(std::uintptr_t code) {
  constexpr unsigned char lock = 0xf0;
  constexpr std::array<unsigned char, 10> other_prefixes = {0x66, 0x67, 0xf2, 0xf3, 0x2e,
                                                            0x36, 0x3e, 0x26, 0x64, 0x65};
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of code.
  const auto* byte = reinterpret_cast<const unsigned char*>(code);
  while (std::find(other_prefixes.begin(), other_prefixes.end(), *byte) != other_prefixes.end()) {
    ++byte;
  }
  if (*byte == lock) return true;
  if ((*byte & 0xf0U) == 0x40U) ++byte;   // REX
  return *byte == 0x86 || *byte == 0x87;  // XCHG
}

/// A register of the thread at its access (x86-64).
std::uintptr_t register_of(const void* context, int number) {
  return static_cast<std::uintptr_t>(
      static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[number]);
}

void on_signal(int signal, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
  constexpr std::uintptr_t write_bit = 2;  // of the error code
  const bool write = (register_of(context, REG_ERR) & write_bit) != 0;
  if (watched != nullptr && watched->handle(address, write, register_of(context, REG_RIP))) return;
  // Another access: as if this handler did not exist.
  if ((earlier_handler.sa_flags & SA_SIGINFO) != 0) {
    earlier_handler.sa_sigaction(signal, info, context);
  } else if (earlier_handler.sa_handler != SIG_DFL && earlier_handler.sa_handler != SIG_IGN) {
    earlier_handler.sa_handler(signal);
  } else {
    sigaction(signal, &earlier_handler, nullptr);  // the access is repeated, and ends the program
  }
}

void install_handler(HostViews* views) {
  if (watched == nullptr) {
    struct sigaction action = {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &earlier_handler);
  }
  watched = views;
}

}  // namespace

std::optional<std::byte*> HostViews::map(std::uint64_t address, std::size_t bytes) {
  const int file = memfd_create("bankproof", MFD_CLOEXEC);
  if (file < 0) return {};
  void* machine = MAP_FAILED;
  void* program = MAP_FAILED;
  if (ftruncate(file, static_cast<off_t>(bytes)) == 0) {
    machine = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    program = mmap(pointer_of(address), bytes, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_FIXED_NOREPLACE, file, 0);
  }
  ::close(file);
  if (machine != MAP_FAILED && program == pointer_of(address)) {
    views_[address] = {.bytes = bytes};
    return static_cast<std::byte*>(machine);
  }
  if (machine != MAP_FAILED) munmap(machine, bytes);
  if (program != MAP_FAILED) munmap(program, bytes);
  return {};
}

void HostViews::unmap(std::uint64_t address) {
  const auto found = views_.find(address);
  if (found == views_.end()) return;
  munmap(pointer_of(address), found->second.bytes);
  views_.erase(found);
}

std::map<std::uint64_t, HostViews::View>::iterator HostViews::find(std::uint64_t address) {
  auto after = views_.upper_bound(address);
  if (after == views_.begin()) return views_.end();
  --after;
  return address < after->first + after->second.bytes ? after : views_.end();
}

void HostViews::close(std::uint64_t address, const OnAccess& on_access) {
  const auto found = find(address);
  if (found == views_.end() || found->second.closed) return;
  install_handler(this);
  on_access_ = on_access;
  found->second.closed = mprotect(pointer_of(found->first), found->second.bytes, PROT_NONE) == 0;
}

void HostViews::open(std::uint64_t address) {
  const auto found = find(address);
  if (found == views_.end() || !found->second.closed) return;
  mprotect(pointer_of(found->first), found->second.bytes, PROT_READ | PROT_WRITE);
  found->second.closed = false;
}

bool HostViews::handle(std::uint64_t address, bool write, std::uintptr_t code) {
  const auto found = find(address);
  if (found == views_.end() || !found->second.closed) return false;
  const AccessKind plain = write ? AccessKind::write : AccessKind::read;
  open(address);
  on_access_(address, is_atomic(code) ? AccessKind::atomic : plain, code);
  return true;
}

}  // namespace bankproof::cuda
