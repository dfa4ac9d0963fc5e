// Level 2 of cuBLAS: triangles, which multiply a vector or are solved for it.
#include "exports.hpp"
#include "level2.hpp"

namespace bankproof::cuda::blas {
namespace {

template <class V>
cublasStatus_t use_triangle(const char* name, cublasHandle_t handle, cublasFillMode_t uplo,
                            cublasOperation_t op, cublasDiagType_t diag, std::int64_t n,
                            const void* a, void* x, std::int64_t incx, bool solves,
                            const std::function<MatrixShape(Part)>& shape_of) {
  return make_call(name, handle, [&](const Call& call) {
    const Part part = part_of(uplo);
    require_size("n", n);
    require_increment("incx", incx);
    MatrixShape shape = shape_of(part);
    shape.unit = is_unit(diag);
    return triangular<V>(call, op, {operand<V>("A", a), shape}, vector_of<V>("x", x, n, incx),
                         solves);
  });
}

}  // namespace
}  // namespace bankproof::cuda::blas

using namespace bankproof::cuda::blas;

extern "C" {
// NOLINTBEGIN(bugprone-macro-parentheses): types, and parts of names.
#define FULL(N, T, V, E, I, solves)                                                              \
  cublasStatus_t cublas##N##_v2##E(cublasHandle_t handle, cublasFillMode_t uplo,                 \
                                   cublasOperation_t op, cublasDiagType_t diag, I n, const T* a, \
                                   I lda, T* x, I incx) {                                        \
    return use_triangle<V>("cublas" #N #E, handle, uplo, op, diag, n, a, x, incx, solves,        \
                           [=](Part part) { return triangle("lda", n, lda, part); });            \
  }
#define BAND(N, T, V, E, I, solves)                                                       \
  cublasStatus_t cublas##N##_v2##E(cublasHandle_t handle, cublasFillMode_t uplo,          \
                                   cublasOperation_t op, cublasDiagType_t diag, I n, I k, \
                                   const T* a, I lda, T* x, I incx) {                     \
    return use_triangle<V>("cublas" #N #E, handle, uplo, op, diag, n, a, x, incx, solves, \
                           [=](Part part) { return band_triangle(n, k, lda, part); });    \
  }
#define PACKED(N, T, V, E, I, solves)                                                            \
  cublasStatus_t cublas##N##_v2##E(cublasHandle_t handle, cublasFillMode_t uplo,                 \
                                   cublasOperation_t op, cublasDiagType_t diag, I n, const T* a, \
                                   T* x, I incx) {                                               \
    return use_triangle<V>("cublas" #N #E, handle, uplo, op, diag, n, a, x, incx, solves,        \
                           [=](Part part) { return packed(n, part); });                          \
  }
#define M(L, T, R, V, E, I)          \
  FULL(L##trmv, T, V, E, I, false)   \
  FULL(L##trsv, T, V, E, I, true)    \
  BAND(L##tbmv, T, V, E, I, false)   \
  BAND(L##tbsv, T, V, E, I, true)    \
  PACKED(L##tpmv, T, V, E, I, false) \
  PACKED(L##tpsv, T, V, E, I, true)
BLAS_EACH(M)
#undef M
#undef FULL
#undef BAND
#undef PACKED
}
// NOLINTEND(bugprone-macro-parentheses)
