// A family: a kernel that launches kernels, and all that it, its children and their children may
// launch.
//
// A family is decoded as a whole. Its kernels number their sites one after the other, so that a
// race between a parent and its child can name an instruction of each; and their constants lie at
// the same addresses, so that a parent may pass the address of one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "program.hpp"

namespace bankproof::ptx {

struct Family {
  struct Kernel {
    std::uint64_t address = 0;         // as kernels have it
    std::string name;                  // mangled
    std::unique_ptr<Program> program;  // null if the machine cannot run it
    std::string why_not;
    std::vector<bool> pointers;  // for each parameter, whether it is, or may be, a pointer
  };
  std::vector<Kernel> kernels;  // those that are launched by kernels; without the parent of all
  std::vector<Site> sites;      // of all of them, and of the parent of all

  /// Null if no kernel of the family has that address.
  const Kernel* at(std::uint64_t address) const {
    for (const Kernel& kernel : kernels) {
      if (kernel.address == address) return &kernel;
    }
    return nullptr;
  }
};

/// The parameter buffers that a thread may have at a time: it gets one, fills it, and launches.
inline constexpr std::uint32_t parameter_buffers_of_thread = 4;

/// The bytes of a parameter buffer in such a kernel.
inline std::uint64_t parameter_buffer_bytes(const Program& program) {
  return program.parameter_buffers / parameter_buffers_of_thread;
}

}  // namespace bankproof::ptx
