// Copies from global to shared memory that proceed while the thread goes on, on devices that have
// them (cp.async, compute capability 8.0 and later). On other devices the copies are complete at
// once.
#pragma once

#include <cstdint>

namespace bankproof::cuda::kernels {

/// *to ← *from, of 4, 8 or 16 bytes. If `present` is false, writes zeros to *to and reads nothing.
template <class P>
__device__ void copy_async(P* to, const P* from, bool present) {
#if __CUDA_ARCH__ >= 800
  const auto shared = static_cast<std::uint32_t>(__cvta_generic_to_shared(to));
  const std::uint32_t bytes = present ? sizeof(P) : 0;
  if constexpr (sizeof(P) == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(from),
                 "r"(bytes)
                 : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(shared), "l"(from),
                 "n"(sizeof(P)), "r"(bytes)
                 : "memory");
  }
#else
  *to = present ? *from : P{};
#endif
}

/// Ends this thread's current group of copies.
__device__ inline void end_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/// Waits until at most the last `groups` groups of this thread are pending.
template <int groups>
__device__ void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory");
#endif
}

}  // namespace bankproof::cuda::kernels
