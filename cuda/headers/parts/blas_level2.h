// cuBLAS, level 2: a matrix and vectors.
#pragma once
#pragma GCC system_header

#include "blas_types.h"

// clang-format off: a function a line
#ifdef __cplusplus
extern "C" {
#endif
#define M(L, T, R, E, I) \
  cublasStatus_t cublas##L##gemv_v2##E(cublasHandle_t handle, cublasOperation_t op, I m, I n, const T* alpha, const T* a, I lda, const T* x, I incx, const T* beta, T* y, I incy); \
  cublasStatus_t cublas##L##gbmv_v2##E(cublasHandle_t handle, cublasOperation_t op, I m, I n, I kl, I ku, const T* alpha, const T* a, I lda, const T* x, I incx, const T* beta, T* y, I incy); \
  cublasStatus_t cublas##L##trmv_v2##E(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t op, cublasDiagType_t diag, I n, const T* a, I lda, T* x, I incx); \
  cublasStatus_t cublas##L##trsv_v2##E(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t op, cublasDiagType_t diag, I n, const T* a, I lda, T* x, I incx); \
  cublasStatus_t cublas##L##tbmv_v2##E(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t op, cublasDiagType_t diag, I n, I k, const T* a, I lda, T* x, I incx); \
  cublasStatus_t cublas##L##tbsv_v2##E(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t op, cublasDiagType_t diag, I n, I k, const T* a, I lda, T* x, I incx); \
  cublasStatus_t cublas##L##tpmv_v2##E(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t op, cublasDiagType_t diag, I n, const T* ap, T* x, I incx); \
  cublasStatus_t cublas##L##tpsv_v2##E(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t op, cublasDiagType_t diag, I n, const T* ap, T* x, I incx); \
  cublasStatus_t cublas##L##symv_v2##E(cublasHandle_t handle, cublasFillMode_t uplo, I n, const T* alpha, const T* a, I lda, const T* x, I incx, const T* beta, T* y, I incy); \
  cublasStatus_t cublas##L##syr_v2##E(cublasHandle_t handle, cublasFillMode_t uplo, I n, const T* alpha, const T* x, I incx, T* a, I lda); \
  cublasStatus_t cublas##L##syr2_v2##E(cublasHandle_t handle, cublasFillMode_t uplo, I n, const T* alpha, const T* x, I incx, const T* y, I incy, T* a, I lda); \
  cublasStatus_t cublas##L##gemvBatched##E(cublasHandle_t handle, cublasOperation_t op, I m, I n, const T* alpha, const T* const a[], I lda, const T* const x[], I incx, const T* beta, T* const y[], I incy, I count); \
  cublasStatus_t cublas##L##gemvStridedBatched##E(cublasHandle_t handle, cublasOperation_t op, I m, I n, const T* alpha, const T* a, I lda, long long stride_a, const T* x, I incx, long long stride_x, const T* beta, T* y, I incy, long long stride_y, I count);
BANKPROOF_BLAS_EACH(M)
#undef M
#define M(L, T, R, E, I) \
  cublasStatus_t cublas##L##sbmv_v2##E(cublasHandle_t handle, cublasFillMode_t uplo, I n, I k, const T* alpha, const T* a, I lda, const T* x, I incx, const T* beta, T* y, I incy); \
  cublasStatus_t cublas##L##spmv_v2##E(cublasHandle_t handle, cublasFillMode_t uplo, I n, const T* alpha, const T* ap, const T* x, I incx, const T* beta, T* y, I incy); \
  cublasStatus_t cublas##L##ger_v2##E(cublasHandle_t handle, I m, I n, const T* alpha, const T* x, I incx, const T* y, I incy, T* a, I lda); \
  cublasStatus_t cublas##L##spr_v2##E(cublasHandle_t handle, cublasFillMode_t uplo, I n, const T* alpha, const T* x, I incx, T* ap); \
  cublasStatus_t cublas##L##spr2_v2##E(cublasHandle_t handle, cublasFillMode_t uplo, I n, const T* alpha, const T* x, I incx, const T* y, I incy, T* ap);
BANKPROOF_BLAS_EACH_REAL(M)
#undef M
#define M(L, T, R, E, I) \
  cublasStatus_t cublas##L##hemv_v2##E(cublasHandle_t handle, cublasFillMode_t uplo, I n, const T* alpha, const T* a, I lda, const T* x, I incx, const T* beta, T* y, I incy); \
  cublasStatus_t cublas##L##hbmv_v2##E(cublasHandle_t handle, cublasFillMode_t uplo, I n, I k, const T* alpha, const T* a, I lda, const T* x, I incx, const T* beta, T* y, I incy); \
  cublasStatus_t cublas##L##hpmv_v2##E(cublasHandle_t handle, cublasFillMode_t uplo, I n, const T* alpha, const T* ap, const T* x, I incx, const T* beta, T* y, I incy); \
  cublasStatus_t cublas##L##geru_v2##E(cublasHandle_t handle, I m, I n, const T* alpha, const T* x, I incx, const T* y, I incy, T* a, I lda); \
  cublasStatus_t cublas##L##gerc_v2##E(cublasHandle_t handle, I m, I n, const T* alpha, const T* x, I incx, const T* y, I incy, T* a, I lda); \
  cublasStatus_t cublas##L##her_v2##E(cublasHandle_t handle, cublasFillMode_t uplo, I n, const R* alpha, const T* x, I incx, T* a, I lda); \
  cublasStatus_t cublas##L##hpr_v2##E(cublasHandle_t handle, cublasFillMode_t uplo, I n, const R* alpha, const T* x, I incx, T* ap); \
  cublasStatus_t cublas##L##her2_v2##E(cublasHandle_t handle, cublasFillMode_t uplo, I n, const T* alpha, const T* x, I incx, const T* y, I incy, T* a, I lda); \
  cublasStatus_t cublas##L##hpr2_v2##E(cublasHandle_t handle, cublasFillMode_t uplo, I n, const T* alpha, const T* x, I incx, const T* y, I incy, T* ap);
BANKPROOF_BLAS_EACH_COMPLEX(M)
#undef M
#ifdef __cplusplus
}
#endif
// clang-format on
