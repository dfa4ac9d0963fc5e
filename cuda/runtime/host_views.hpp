// Memory that host and device see at one address: managed memory, and page-locked memory of the
// host.
//
// A buffer of the machine has a fixed address (ptx/memory/spaces.hpp). Its bytes are a file in
// memory that is mapped twice: once for the machine, and once for the program, at the buffer's
// address.
//
// While an operation may still use managed memory, the program's mapping is closed. The program's
// first access then ends in a signal, whose handler reports the access and opens the mapping.
// An access is atomic if its instruction has the prefix LOCK, or exchanges a register with memory
// (Intel's manual, volume 2, "LOCK" and "XCHG"); an atomic load is a load like any other there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>

#include "../order/accesses.hpp"

namespace bankproof::cuda {

class HostViews {
 public:
  /// The handler calls this function when the program accesses a closed mapping, with the address,
  /// the kind of access, and the address of the instruction.
  using OnAccess = std::function<void(std::uint64_t address, AccessKind kind, std::uintptr_t code)>;

  /// Maps new bytes, which are 0, at the address; returns the machine's mapping, whose owner has to
  /// unmap it. Nothing if the process uses the address for something else.
  std::optional<std::byte*> map(std::uint64_t address, std::size_t bytes);
  void unmap(std::uint64_t address);

  /// Closes the mapping at the address until open() or the program's next access to it.
  void close(std::uint64_t address, const OnAccess& on_access);
  void open(std::uint64_t address);

  /// For the handler of the signal: whether the address was in a closed mapping, which is open now.
  bool handle(std::uint64_t address, bool write, std::uintptr_t code);

 private:
  struct View {
    std::size_t bytes = 0;
    bool closed = false;
  };
  std::map<std::uint64_t, View>::iterator find(std::uint64_t address);

  std::map<std::uint64_t, View> views_;
  OnAccess on_access_;
};

}  // namespace bankproof::cuda
