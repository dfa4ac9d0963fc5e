// cuFFT, as far as the reference machine has it (cuda/libraries/fft). The values of enumerators are
// those of CUDA 13.
#pragma once
#pragma GCC system_header

#include <stddef.h>

#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library_types.h"

// Programs ask by this name whether the header is there.
#define _CUFFT_H_
#define CUFFT_VER_MAJOR 12
#define CUFFT_VER_MINOR 0
#define CUFFT_VER_PATCH 0
#define CUFFT_VERSION (CUFFT_VER_MAJOR * 1000 + CUFFT_VER_MINOR * 100 + CUFFT_VER_PATCH)
#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1
#define CUFFT_PLAN_NULL -1

typedef enum cufftResult_t {
  CUFFT_SUCCESS = 0, CUFFT_INVALID_PLAN = 1, CUFFT_ALLOC_FAILED = 2, CUFFT_INVALID_TYPE = 3,
  CUFFT_INVALID_VALUE = 4, CUFFT_INTERNAL_ERROR = 5, CUFFT_EXEC_FAILED = 6, CUFFT_SETUP_FAILED = 7,
  CUFFT_INVALID_SIZE = 8, CUFFT_UNALIGNED_DATA = 9, CUFFT_INVALID_DEVICE = 11,
  CUFFT_NO_WORKSPACE = 13, CUFFT_NOT_IMPLEMENTED = 14, CUFFT_NOT_SUPPORTED = 16,
  CUFFT_MISSING_DEPENDENCY = 17, CUFFT_NVRTC_FAILURE = 18, CUFFT_NVJITLINK_FAILURE = 19,
  CUFFT_NVSHMEM_FAILURE = 20
} cufftResult;
typedef enum cufftType_t {
  CUFFT_C2C = 0x29, CUFFT_R2C = 0x2a, CUFFT_C2R = 0x2c, CUFFT_Z2Z = 0x69, CUFFT_D2Z = 0x6a,
  CUFFT_Z2D = 0x6c
} cufftType;
typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;

// clang-format off: a function a line
#ifdef __cplusplus
extern "C" {
#endif
cufftResult cufftPlan1d(cufftHandle* plan, int n, cufftType type, int batch);
cufftResult cufftPlan2d(cufftHandle* plan, int n0, int n1, cufftType type);
cufftResult cufftPlan3d(cufftHandle* plan, int n0, int n1, int n2, cufftType type);
cufftResult cufftPlanMany(cufftHandle* plan, int rank, int* n, int* inembed, int istride, int idist, int* onembed, int ostride, int odist, cufftType type, int batch);
cufftResult cufftCreate(cufftHandle* plan);
cufftResult cufftMakePlan1d(cufftHandle plan, int n, cufftType type, int batch, size_t* bytes);
cufftResult cufftMakePlan2d(cufftHandle plan, int n0, int n1, cufftType type, size_t* bytes);
cufftResult cufftMakePlan3d(cufftHandle plan, int n0, int n1, int n2, cufftType type, size_t* bytes);
cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int* n, int* inembed, int istride, int idist, int* onembed, int ostride, int odist, cufftType type, int batch, size_t* bytes);
cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long* n, long long* inembed, long long istride, long long idist, long long* onembed, long long ostride, long long odist, cufftType type, long long batch, size_t* bytes);
cufftResult cufftEstimate1d(int n, cufftType type, int batch, size_t* bytes);
cufftResult cufftEstimate2d(int n0, int n1, cufftType type, size_t* bytes);
cufftResult cufftEstimate3d(int n0, int n1, int n2, cufftType type, size_t* bytes);
cufftResult cufftEstimateMany(int rank, int* n, int* inembed, int istride, int idist, int* onembed, int ostride, int odist, cufftType type, int batch, size_t* bytes);
cufftResult cufftGetSize1d(cufftHandle plan, int n, cufftType type, int batch, size_t* bytes);
cufftResult cufftGetSize2d(cufftHandle plan, int n0, int n1, cufftType type, size_t* bytes);
cufftResult cufftGetSize3d(cufftHandle plan, int n0, int n1, int n2, cufftType type, size_t* bytes);
cufftResult cufftGetSizeMany(cufftHandle plan, int rank, int* n, int* inembed, int istride, int idist, int* onembed, int ostride, int odist, cufftType type, int batch, size_t* bytes);
cufftResult cufftGetSizeMany64(cufftHandle plan, int rank, long long* n, long long* inembed, long long istride, long long idist, long long* onembed, long long ostride, long long odist, cufftType type, long long batch, size_t* bytes);
cufftResult cufftGetSize(cufftHandle plan, size_t* bytes);
cufftResult cufftSetWorkArea(cufftHandle plan, void* memory);
cufftResult cufftSetAutoAllocation(cufftHandle plan, int allocates);
cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* in, cufftComplex* out, int direction);
cufftResult cufftExecR2C(cufftHandle plan, cufftReal* in, cufftComplex* out);
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex* in, cufftReal* out);
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleComplex* out, int direction);
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* in, cufftDoubleComplex* out);
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleReal* out);
cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream);
cufftResult cufftDestroy(cufftHandle plan);
cufftResult cufftGetVersion(int* version);
cufftResult cufftGetProperty(libraryPropertyType property, int* value);
#ifdef __cplusplus
}
#endif
// clang-format on
