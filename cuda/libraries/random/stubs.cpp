// The functions of cuRAND that fail; see functions.def.
//
// Their arguments do not matter, so this file declares them without any, and includes no header of
// CUDA's.
#include "../support/refuse.hpp"

extern "C" {
#define implemented(name)
#define refused(name, why)                                                 \
  int name() {                                                             \
    constexpr int internal_error = 999; /* CURAND_STATUS_INTERNAL_ERROR */ \
    return bankproof::cuda::libraries::refuse(#name, why, internal_error); \
  }
#include "functions.def"
#undef implemented
#undef refused
}
