// Asynchronous copies by single threads (CUDA C++ Programming Guide, "Pipeline Primitives
// Interface"), by PTX's cp.async.
#pragma once
#pragma GCC system_header

#include "cuda_runtime.h"

#ifdef __CUDA__

using __mbarrier_t = unsigned long;

/// Copies `bytes` (4, 8 or 16) from global to shared memory. The last `zeros` bytes are not read;
/// zeros are written in their place.
BANKPROOF_DEVICE void __pipeline_memcpy_async(void* to, const void* from, unsigned long bytes,
                                              unsigned long zeros = 0) {
  const auto shared = static_cast<unsigned int>(__cvta_generic_to_shared(to));
  const unsigned long global = __cvta_generic_to_global(from);
  const auto read = static_cast<unsigned int>(bytes - zeros);
  switch (bytes) {
    case 4:
      asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared), "l"(global),
                   "r"(read)
                   : "memory");
      break;
    case 8:
      asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(shared), "l"(global),
                   "r"(read)
                   : "memory");
      break;
    case 16:
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(global),
                   "r"(read)
                   : "memory");
      break;
    default:
      __trap();
  }
}

BANKPROOF_DEVICE void __pipeline_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }

/// Waits until at most the last `groups` groups of this thread are pending. A number of groups
/// above 8 counts as 8.
BANKPROOF_DEVICE void __pipeline_wait_prior(unsigned long groups) {
#define BANKPROOF_WAIT(number)                                     \
  case number:                                                     \
    asm volatile("cp.async.wait_group " #number ";" ::: "memory"); \
    break
  switch (groups < 8 ? groups : 8) {
    BANKPROOF_WAIT(0);
    BANKPROOF_WAIT(1);
    BANKPROOF_WAIT(2);
    BANKPROOF_WAIT(3);
    BANKPROOF_WAIT(4);
    BANKPROOF_WAIT(5);
    BANKPROOF_WAIT(6);
    BANKPROOF_WAIT(7);
    BANKPROOF_WAIT(8);
  }
#undef BANKPROOF_WAIT
}

/// This thread arrives at the barrier in shared memory when all its copies so far are complete.
/// This arrival does not count towards the barrier's initial count.
BANKPROOF_DEVICE void __pipeline_arrive_on(__mbarrier_t* barrier) {
  const auto shared = static_cast<unsigned int>(__cvta_generic_to_shared(barrier));
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(shared) : "memory");
}

#endif
