// The functions of cublasLt that fail; see functions.def.
//
// Their arguments do not matter, so this file declares them without any, and includes no header of
// CUDA's.
#include "../support/refuse.hpp"

extern "C" {
#define implemented(name)
#define refused(name, why)                                                \
  int name() {                                                            \
    constexpr int not_supported = 15; /* CUBLAS_STATUS_NOT_SUPPORTED */   \
    return bankproof::cuda::libraries::refuse(#name, why, not_supported); \
  }
#include "functions.def"
#undef implemented
#undef refused
}
