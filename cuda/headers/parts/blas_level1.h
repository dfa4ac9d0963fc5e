// cuBLAS, level 1: vectors.
#pragma once
#pragma GCC system_header

#include "blas_types.h"

// clang-format off: a function a line
#ifdef __cplusplus
extern "C" {
#endif
#define M(L, T, R, E, I) \
  cublasStatus_t cublas##L##axpy_v2##E(cublasHandle_t handle, I n, const T* alpha, const T* x, I incx, T* y, I incy); \
  cublasStatus_t cublas##L##scal_v2##E(cublasHandle_t handle, I n, const T* alpha, T* x, I incx); \
  cublasStatus_t cublas##L##copy_v2##E(cublasHandle_t handle, I n, const T* x, I incx, T* y, I incy); \
  cublasStatus_t cublas##L##swap_v2##E(cublasHandle_t handle, I n, T* x, I incx, T* y, I incy); \
  cublasStatus_t cublas##L##rot_v2##E(cublasHandle_t handle, I n, T* x, I incx, T* y, I incy, const R* c, const T* s);
BANKPROOF_BLAS_EACH(M)
#undef M
#define M(L, T, R, E, I) \
  cublasStatus_t cublas##L##dot_v2##E(cublasHandle_t handle, I n, const T* x, I incx, const T* y, I incy, T* result); \
  cublasStatus_t cublas##L##nrm2_v2##E(cublasHandle_t handle, I n, const T* x, I incx, T* result); \
  cublasStatus_t cublas##L##asum_v2##E(cublasHandle_t handle, I n, const T* x, I incx, T* result); \
  cublasStatus_t cublas##L##rotm_v2##E(cublasHandle_t handle, I n, T* x, I incx, T* y, I incy, const T* parameters);
BANKPROOF_BLAS_EACH_REAL(M)
#undef M
#define M(L, T, R, E, I) \
  cublasStatus_t cublas##L##dotu_v2##E(cublasHandle_t handle, I n, const T* x, I incx, const T* y, I incy, T* result); \
  cublasStatus_t cublas##L##dotc_v2##E(cublasHandle_t handle, I n, const T* x, I incx, const T* y, I incy, T* result);
BANKPROOF_BLAS_EACH_COMPLEX(M)
#undef M
#define M(L, T, R, E, I) \
  cublasStatus_t cublas##L##rotg_v2(cublasHandle_t handle, T* a, T* b, R* c, T* s);
BANKPROOF_BLAS_EACH_SHORT(M)
#undef M
#define M(L, T, R, E, I) \
  cublasStatus_t cublas##L##rotmg_v2(cublasHandle_t handle, T* d1, T* d2, T* x1, const T* y1, T* parameters);
BANKPROOF_BLAS_REAL(M, , int)
#undef M
// Functions whose names have two letters, or another place for the letter.
#define M(L, T, R, E, I) \
  cublasStatus_t cublas##L##nrm2_v2##E(cublasHandle_t handle, I n, const T* x, I incx, R* result); \
  cublasStatus_t cublas##L##asum_v2##E(cublasHandle_t handle, I n, const T* x, I incx, R* result);
#define BOTH(E, I) M(Sc, cuComplex, float, E, I) M(Dz, cuDoubleComplex, double, E, I)
BANKPROOF_BLAS_BOTH(BOTH)
#undef BOTH
#undef M
#define M(L, T, R, E, I) \
  cublasStatus_t cublas##L##scal_v2##E(cublasHandle_t handle, I n, const R* alpha, T* x, I incx); \
  cublasStatus_t cublas##L##rot_v2##E(cublasHandle_t handle, I n, T* x, I incx, T* y, I incy, const R* c, const R* s);
#define BOTH(E, I) M(Cs, cuComplex, float, E, I) M(Zd, cuDoubleComplex, double, E, I)
BANKPROOF_BLAS_BOTH(BOTH)
#undef BOTH
#undef M
#define M(L, T, E, I) \
  cublasStatus_t cublasI##L##amax_v2##E(cublasHandle_t handle, I n, const T* x, I incx, I* result); \
  cublasStatus_t cublasI##L##amin_v2##E(cublasHandle_t handle, I n, const T* x, I incx, I* result);
#define BOTH(E, I) M(s, float, E, I) M(d, double, E, I) M(c, cuComplex, E, I) M(z, cuDoubleComplex, E, I)
BANKPROOF_BLAS_BOTH(BOTH)
#undef BOTH
#undef M
// Functions that name the types of their operands.
#define M(E, I) \
  cublasStatus_t cublasNrm2Ex##E(cublasHandle_t handle, I n, const void* x, cudaDataType x_type, I incx, void* result, cudaDataType result_type, cudaDataType computed); \
  cublasStatus_t cublasAsumEx##E(cublasHandle_t handle, I n, const void* x, cudaDataType x_type, I incx, void* result, cudaDataType result_type, cudaDataType computed); \
  cublasStatus_t cublasDotEx##E(cublasHandle_t handle, I n, const void* x, cudaDataType x_type, I incx, const void* y, cudaDataType y_type, I incy, void* result, cudaDataType result_type, cudaDataType computed); \
  cublasStatus_t cublasDotcEx##E(cublasHandle_t handle, I n, const void* x, cudaDataType x_type, I incx, const void* y, cudaDataType y_type, I incy, void* result, cudaDataType result_type, cudaDataType computed); \
  cublasStatus_t cublasScalEx##E(cublasHandle_t handle, I n, const void* alpha, cudaDataType alpha_type, void* x, cudaDataType x_type, I incx, cudaDataType computed); \
  cublasStatus_t cublasAxpyEx##E(cublasHandle_t handle, I n, const void* alpha, cudaDataType alpha_type, const void* x, cudaDataType x_type, I incx, void* y, cudaDataType y_type, I incy, cudaDataType computed); \
  cublasStatus_t cublasCopyEx##E(cublasHandle_t handle, I n, const void* x, cudaDataType x_type, I incx, void* y, cudaDataType y_type, I incy); \
  cublasStatus_t cublasSwapEx##E(cublasHandle_t handle, I n, void* x, cudaDataType x_type, I incx, void* y, cudaDataType y_type, I incy); \
  cublasStatus_t cublasIamaxEx##E(cublasHandle_t handle, I n, const void* x, cudaDataType x_type, I incx, I* result); \
  cublasStatus_t cublasIaminEx##E(cublasHandle_t handle, I n, const void* x, cudaDataType x_type, I incx, I* result);
BANKPROOF_BLAS_BOTH(M)
#undef M
#ifdef __cplusplus
}
#endif
// clang-format on
