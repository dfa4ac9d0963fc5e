// The functions of CUDA's runtime that do nothing here, and those that fail; see functions.def.
//
// Their arguments do not matter, so this file declares them without any, and includes no header of
// CUDA's.
#include <fmt/format.h>

#include "refuse.hpp"

extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): CUDA's names.
#define implemented(name)
#define accepted(name, why) \
  int name() { return 0; }
#define refused(name, why) \
  int name() { return bankproof::cuda::refuse(#name, why); }
#include "functions.def"
#undef implemented
#undef accepted
#undef refused

// Their versions for per-thread default streams; per_thread.cpp has those of other functions.
#define refused(name, suffix) \
  int name##suffix() { return name(); }
refused(cudaMemcpy3DBatchAsync, _ptsz) refused(cudaSignalExternalSemaphoresAsync, _ptsz)
    refused(cudaWaitExternalSemaphoresAsync, _ptsz)
#undef refused
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
}
