// cublasXt, as far as the reference machine has it (cuda/libraries/blas). The values of enumerators are
// those of CUDA 13.
#pragma once
#pragma GCC system_header

#include "cublas_v2.h"

// Programs ask by this name whether the header is there.
#define CUBLAS_XT_H_

typedef enum { CUBLASXT_PINNING_DISABLED = 0, CUBLASXT_PINNING_ENABLED = 1 } cublasXtPinnedMemMode_t;
typedef struct cublasXtContext* cublasXtHandle_t;

// clang-format off: a function a line
#ifdef __cplusplus
extern "C" {
#endif
cublasStatus_t cublasXtCreate(cublasXtHandle_t* handle);
cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle);
cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int count, int devices[]);
cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int block);
cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t handle, int* block);
cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t mode);
cublasStatus_t cublasXtGetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t* mode);
#define BANKPROOF_XT_SYMM(N, T) cublasStatus_t cublasXt##N(cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, size_t m, size_t n, const T* alpha, const T* a, size_t lda, const T* b, size_t ldb, const T* beta, T* c, size_t ldc);
#define BANKPROOF_XT_SYRK(N, T, S) cublasStatus_t cublasXt##N(cublasXtHandle_t handle, cublasFillMode_t uplo, cublasOperation_t op, size_t n, size_t k, const S* alpha, const T* a, size_t lda, const S* beta, T* c, size_t ldc);
#define BANKPROOF_XT_SYR2K(N, T, S) cublasStatus_t cublasXt##N(cublasXtHandle_t handle, cublasFillMode_t uplo, cublasOperation_t op, size_t n, size_t k, const T* alpha, const T* a, size_t lda, const T* b, size_t ldb, const S* beta, T* c, size_t ldc);
#define BANKPROOF_XT(L, T) \
  cublasStatus_t cublasXt##L##gemm(cublasXtHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, size_t m, size_t n, size_t k, const T* alpha, const T* a, size_t lda, const T* b, size_t ldb, const T* beta, T* c, size_t ldc); \
  BANKPROOF_XT_SYMM(L##symm, T) \
  BANKPROOF_XT_SYRK(L##syrk, T, T) \
  BANKPROOF_XT_SYR2K(L##syr2k, T, T) \
  BANKPROOF_XT_SYR2K(L##syrkx, T, T) \
  cublasStatus_t cublasXt##L##trmm(cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t op, cublasDiagType_t diag, size_t m, size_t n, const T* alpha, const T* a, size_t lda, const T* b, size_t ldb, T* c, size_t ldc); \
  cublasStatus_t cublasXt##L##trsm(cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t op, cublasDiagType_t diag, size_t m, size_t n, const T* alpha, const T* a, size_t lda, T* b, size_t ldb);
BANKPROOF_XT(S, float)
BANKPROOF_XT(D, double)
BANKPROOF_XT(C, cuComplex)
BANKPROOF_XT(Z, cuDoubleComplex)
#undef BANKPROOF_XT
#define BANKPROOF_XT_COMPLEX(L, T, R) \
  BANKPROOF_XT_SYMM(L##hemm, T) \
  BANKPROOF_XT_SYRK(L##herk, T, R) \
  BANKPROOF_XT_SYR2K(L##her2k, T, R) \
  BANKPROOF_XT_SYR2K(L##herkx, T, R)
BANKPROOF_XT_COMPLEX(C, cuComplex, float)
BANKPROOF_XT_COMPLEX(Z, cuDoubleComplex, double)
#undef BANKPROOF_XT_COMPLEX
#undef BANKPROOF_XT_SYR2K
#undef BANKPROOF_XT_SYRK
#undef BANKPROOF_XT_SYMM
#ifdef __cplusplus
}
#endif
// clang-format on
