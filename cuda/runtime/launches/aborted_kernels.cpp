// Kernels that end in the middle: a failed assertion, or the instruction `trap`.
//
// The launch itself succeeds. The next call that waits for the device, or gives it more work,
// returns cudaErrorAssert or cudaErrorLaunchFailure, and so does each later one, until the process
// ends (CUDA Runtime API, "Data types used by CUDA Runtime", cudaErrorAssert). A second kernel does
// not replace the error of the first. The abort is a finding of its own, so that a program need not
// look at its error.
#include <fmt/format.h>

#include <utility>

#include "../runtime.hpp"

namespace bankproof::cuda {

void Runtime::note_abort(const std::string& kernel, const ptx::KernelReport& report, int device) {
  for (const ptx::FaultReport& fault : report.faults) {
    if (fault.kind != ptx::FaultKind::trap) continue;
    const bool is_assertion = fault.message.find("assertion failed") != std::string::npos;
    aborted_.try_emplace(
        device,
        Abort{is_assertion ? cudaErrorAssert : cudaErrorLaunchFailure,
              fmt::format("{} has {}; the device does no more work for this process", kernel,
                          is_assertion ? "failed an assertion" : "ended by a trap")});
  }
}

cudaError_t Runtime::require_running(const char* call, int device) {
  const auto found = aborted_.find(device);
  if (found == aborted_.end()) return cudaSuccess;
  // Once is enough.
  if (const std::string why = std::exchange(found->second.why, {}); !why.empty()) {
    say(fmt::format("{}: {}", call, why));
  }
  set_last(found->second.error);
  return found->second.error;
}

cudaError_t Runtime::error_after_wait(const char* call, int device) {
  const cudaError_t late = std::exchange(late_error_, cudaSuccess);
  const cudaError_t aborted = require_running(call, device);
  return aborted != cudaSuccess ? aborted : late;
}

}  // namespace bankproof::cuda
