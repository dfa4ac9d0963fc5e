// cuBLAS, level 3: matrices; batches of them; and functions that BLAS does not have.
#pragma once
#pragma GCC system_header

#include "blas_types.h"

// clang-format off: a function a line
#ifdef __cplusplus
extern "C" {
#endif
#define GEMM(N, T, E, I) \
  cublasStatus_t cublas##N##E(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, I m, I n, I k, const T* alpha, const T* a, I lda, const T* b, I ldb, const T* beta, T* c, I ldc);
#define GEMM_BATCHED(N, T, E, I) \
  cublasStatus_t cublas##N##Batched##E(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, I m, I n, I k, const T* alpha, const T* const a[], I lda, const T* const b[], I ldb, const T* beta, T* const c[], I ldc, I count); \
  cublasStatus_t cublas##N##StridedBatched##E(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, I m, I n, I k, const T* alpha, const T* a, I lda, long long stride_a, const T* b, I ldb, long long stride_b, const T* beta, T* c, I ldc, long long stride_c, I count);
#define M(L, T, R, E, I) \
  GEMM(L##gemm_v2, T, E, I) \
  GEMM_BATCHED(L##gemm, T, E, I) \
  cublasStatus_t cublas##L##symm_v2##E(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, I m, I n, const T* alpha, const T* a, I lda, const T* b, I ldb, const T* beta, T* c, I ldc); \
  cublasStatus_t cublas##L##syrk_v2##E(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t op, I n, I k, const T* alpha, const T* a, I lda, const T* beta, T* c, I ldc); \
  cublasStatus_t cublas##L##syr2k_v2##E(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t op, I n, I k, const T* alpha, const T* a, I lda, const T* b, I ldb, const T* beta, T* c, I ldc); \
  cublasStatus_t cublas##L##syrkx##E(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t op, I n, I k, const T* alpha, const T* a, I lda, const T* b, I ldb, const T* beta, T* c, I ldc); \
  cublasStatus_t cublas##L##trmm_v2##E(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t op, cublasDiagType_t diag, I m, I n, const T* alpha, const T* a, I lda, const T* b, I ldb, T* c, I ldc); \
  cublasStatus_t cublas##L##trsm_v2##E(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t op, cublasDiagType_t diag, I m, I n, const T* alpha, const T* a, I lda, T* b, I ldb); \
  cublasStatus_t cublas##L##trsmBatched##E(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t op, cublasDiagType_t diag, I m, I n, const T* alpha, const T* const a[], I lda, T* const b[], I ldb, I count); \
  cublasStatus_t cublas##L##geam##E(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, I m, I n, const T* alpha, const T* a, I lda, const T* beta, const T* b, I ldb, T* c, I ldc); \
  cublasStatus_t cublas##L##dgmm##E(cublasHandle_t handle, cublasSideMode_t side, I m, I n, const T* a, I lda, const T* x, I incx, T* c, I ldc);
BANKPROOF_BLAS_EACH(M)
#undef M
#define M(L, T, R, E, I) \
  GEMM(L##gemm3m, T, E, I) \
  cublasStatus_t cublas##L##hemm_v2##E(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, I m, I n, const T* alpha, const T* a, I lda, const T* b, I ldb, const T* beta, T* c, I ldc); \
  cublasStatus_t cublas##L##herk_v2##E(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t op, I n, I k, const R* alpha, const T* a, I lda, const R* beta, T* c, I ldc); \
  cublasStatus_t cublas##L##her2k_v2##E(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t op, I n, I k, const T* alpha, const T* a, I lda, const T* b, I ldb, const R* beta, T* c, I ldc); \
  cublasStatus_t cublas##L##herkx##E(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t op, I n, I k, const T* alpha, const T* a, I lda, const T* b, I ldb, const R* beta, T* c, I ldc);
BANKPROOF_BLAS_EACH_COMPLEX(M)
#undef M
#define M(E, I) \
  GEMM(Hgemm, __half, E, I) \
  GEMM_BATCHED(Hgemm, __half, E, I) \
  GEMM_BATCHED(Cgemm3m, cuComplex, E, I) \
  cublasStatus_t cublasSgemmEx##E(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, I m, I n, I k, const float* alpha, const void* a, cudaDataType a_type, I lda, const void* b, cudaDataType b_type, I ldb, const float* beta, void* c, cudaDataType c_type, I ldc); \
  cublasStatus_t cublasCgemmEx##E(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, I m, I n, I k, const cuComplex* alpha, const void* a, cudaDataType a_type, I lda, const void* b, cudaDataType b_type, I ldb, const cuComplex* beta, void* c, cudaDataType c_type, I ldc); \
  cublasStatus_t cublasGemmEx##E(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, I m, I n, I k, const void* alpha, const void* a, cudaDataType a_type, I lda, const void* b, cudaDataType b_type, I ldb, const void* beta, void* c, cudaDataType c_type, I ldc, cublasComputeType_t computed, cublasGemmAlgo_t algorithm); \
  cublasStatus_t cublasGemmBatchedEx##E(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, I m, I n, I k, const void* alpha, const void* const a[], cudaDataType a_type, I lda, const void* const b[], cudaDataType b_type, I ldb, const void* beta, void* const c[], cudaDataType c_type, I ldc, I count, cublasComputeType_t computed, cublasGemmAlgo_t algorithm); \
  cublasStatus_t cublasGemmStridedBatchedEx##E(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, I m, I n, I k, const void* alpha, const void* a, cudaDataType a_type, I lda, long long stride_a, const void* b, cudaDataType b_type, I ldb, long long stride_b, const void* beta, void* c, cudaDataType c_type, I ldc, long long stride_c, I count, cublasComputeType_t computed, cublasGemmAlgo_t algorithm);
BANKPROOF_BLAS_BOTH(M)
#undef M
#undef GEMM_BATCHED
#undef GEMM
#define M(L, T, R, E, I) \
  cublasStatus_t cublas##L##getrfBatched(cublasHandle_t handle, int n, T* const a[], int lda, int* pivots, int* info, int count); \
  cublasStatus_t cublas##L##getrsBatched(cublasHandle_t handle, cublasOperation_t op, int n, int columns, const T* const a[], int lda, const int* pivots, T* const b[], int ldb, int* info, int count); \
  cublasStatus_t cublas##L##getriBatched(cublasHandle_t handle, int n, const T* const a[], int lda, const int* pivots, T* const c[], int ldc, int* info, int count); \
  cublasStatus_t cublas##L##geqrfBatched(cublasHandle_t handle, int m, int n, T* const a[], int lda, T* const tau[], int* info, int count); \
  cublasStatus_t cublas##L##gelsBatched(cublasHandle_t handle, cublasOperation_t op, int m, int n, int columns, T* const a[], int lda, T* const c[], int ldc, int* info, int* codes, int count); \
  cublasStatus_t cublas##L##matinvBatched(cublasHandle_t handle, int n, const T* const a[], int lda, T* const inverse[], int ld_inverse, int* info, int count); \
  cublasStatus_t cublas##L##tpttr(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* ap, T* a, int lda); \
  cublasStatus_t cublas##L##trttp(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* a, int lda, T* ap);
BANKPROOF_BLAS_EACH_SHORT(M)
#undef M
#ifdef __cplusplus
}
#endif
// clang-format on
