// Kernels with random control flow, as PTX.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bankproof::ptx {

/// What a kernel may hold beside branches.
struct KernelFeatures {
  bool exits = true;        // some threads leave early
  bool calls = true;        // device functions, recursive ones too
  bool collectives = true;  // wherever control comes
  bool barriers = true;     // only where all threads come that have not left
  bool locals = true;       // words of a thread's own, in local memory
};

/// A kernel `k(.param .u64 out)` that writes a word for each thread. Loops, branches and returns
/// are nested as in a program of a structured language. `choices` decide; where they end the
/// kernel ends too.
std::string structured_kernel(const std::vector<std::uint8_t>& choices,
                              const KernelFeatures& features);

/// The same with branches from anywhere to anywhere, so that loops have several entries.
std::string tangled_kernel(const std::vector<std::uint8_t>& choices,
                           const KernelFeatures& features);

}  // namespace bankproof::ptx
