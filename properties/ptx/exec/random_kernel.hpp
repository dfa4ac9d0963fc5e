// Kernels with random control flow, as PTX.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bankproof::ptx {

/// The parts that a kernel may contain besides branches.
struct KernelFeatures {
  bool exits = true;        // some threads exit early
  bool calls = true;        // device functions, also recursive ones
  bool collectives = true;  // anywhere, also in divergent code
  bool barriers = true;     // only where all threads that have not exited arrive
  bool locals = true;       // the thread's words in local memory
};

/// A kernel `k(.param .u64 out)` that writes a word for each thread. Loops, branches and returns
/// nest as in a structured language. `choices` determine the kernel, which ends when all choices
/// are used.
std::string structured_kernel(const std::vector<std::uint8_t>& choices,
                              const KernelFeatures& features);

/// A kernel like those of structured_kernel(), but with branches between any two places, so that
/// loops have several entries.
std::string tangled_kernel(const std::vector<std::uint8_t>& choices,
                           const KernelFeatures& features);

}  // namespace bankproof::ptx
