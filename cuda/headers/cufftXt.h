// cuFFT's plans whose numbers are named by cudaDataType, as far as the reference machine has them
// (cuda/libraries/fft).
#pragma once
#pragma GCC system_header

#include "cufft.h"

// Programs ask by this name whether the header is there.
#define _CUFFTXT_H_

// clang-format off: a function a line
#ifdef __cplusplus
extern "C" {
#endif
cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long* n, long long* inembed, long long istride, long long idist, cudaDataType in, long long* onembed, long long ostride, long long odist, cudaDataType out, long long batch, size_t* bytes, cudaDataType computed);
cufftResult cufftXtGetSizeMany(cufftHandle plan, int rank, long long* n, long long* inembed, long long istride, long long idist, cudaDataType in, long long* onembed, long long ostride, long long odist, cudaDataType out, long long batch, size_t* bytes, cudaDataType computed);
cufftResult cufftXtExec(cufftHandle plan, void* in, void* out, int direction);
#ifdef __cplusplus
}
#endif
// clang-format on
