// Level 2 of cuBLAS: symmetric and Hermitian matrices, of which a triangle is stored.
#include "exports.hpp"
#include "level2.hpp"

namespace bankproof::cuda::blas {
namespace {

/// `shape_of` makes the shape for a part.
using ShapeOf = std::function<MatrixShape(Part)>;

template <class V>
cublasStatus_t multiply_symmetric(const char* name, cublasHandle_t handle, cublasFillMode_t uplo,
                                  std::int64_t n, const void* alpha, const void* a, const void* x,
                                  std::int64_t incx, const void* beta, void* y, std::int64_t incy,
                                  bool is_hermitian, const ShapeOf& shape_of) {
  return make_call(name, handle, [&](const Call& call) {
    const Part part = part_of(uplo);
    require_size("n", n);
    require_increment("incx", incx);
    require_increment("incy", incy);
    return symmetric_product<V>(
        call, call.scalar<V>("alpha", alpha), {operand<V>("A", a), shape_of(part), is_hermitian},
        vector_of<V>("x", x, n, incx), call.scalar<V>("beta", beta), vector_of<V>("y", y, n, incy));
  });
}

/// Without y if `incy` is empty.
template <class V, class S>
cublasStatus_t add_symmetric(const char* name, cublasHandle_t handle, cublasFillMode_t uplo,
                             std::int64_t n, const void* alpha, const void* x, std::int64_t incx,
                             const void* y, std::optional<std::int64_t> incy, void* a,
                             bool is_hermitian, const ShapeOf& shape_of) {
  return make_call(name, handle, [&](const Call& call) {
    const Part part = part_of(uplo);
    require_size("n", n);
    require_increment("incx", incx);
    std::optional<VectorOf> second;
    if (incy) {
      require_increment("incy", *incy);
      second = vector_of<V>("y", y, n, *incy);
    }
    return symmetric_rank<V, S>(call, call.scalar<S>("alpha", alpha), vector_of<V>("x", x, n, incx),
                                second, {operand<V>("A", a), shape_of(part), is_hermitian});
  });
}

}  // namespace
}  // namespace bankproof::cuda::blas

using namespace bankproof::cuda::blas;

extern "C" {
#define FULL [=](Part part) { return triangle("lda", n, lda, part); }
#define BAND [=](Part part) { return band_triangle(n, k, lda, part); }
#define PACKED [=](Part part) { return packed(n, part); }
// NOLINTBEGIN(bugprone-macro-parentheses): types, and parts of names.
#define MV(N, T, V, E, I, hermitian)                                                               \
  cublasStatus_t cublas##N##mv_v2##E(cublasHandle_t handle, cublasFillMode_t uplo, I n,            \
                                     const T* alpha, const T* a, I lda, const T* x, I incx,        \
                                     const T* beta, T* y, I incy) {                                \
    return multiply_symmetric<V>("cublas" #N "mv" #E, handle, uplo, n, alpha, a, x, incx, beta, y, \
                                 incy, hermitian, FULL);                                           \
  }
#define BMV(N, T, V, E, I, hermitian)                                                              \
  cublasStatus_t cublas##N##mv_v2##E(cublasHandle_t handle, cublasFillMode_t uplo, I n, I k,       \
                                     const T* alpha, const T* a, I lda, const T* x, I incx,        \
                                     const T* beta, T* y, I incy) {                                \
    return multiply_symmetric<V>("cublas" #N "mv" #E, handle, uplo, n, alpha, a, x, incx, beta, y, \
                                 incy, hermitian, BAND);                                           \
  }
#define PMV(N, T, V, E, I, hermitian)                                                              \
  cublasStatus_t cublas##N##mv_v2##E(cublasHandle_t handle, cublasFillMode_t uplo, I n,            \
                                     const T* alpha, const T* a, const T* x, I incx,               \
                                     const T* beta, T* y, I incy) {                                \
    return multiply_symmetric<V>("cublas" #N "mv" #E, handle, uplo, n, alpha, a, x, incx, beta, y, \
                                 incy, hermitian, PACKED);                                         \
  }
#define R1(N, T, V, S, CS, E, I, hermitian)                                                     \
  cublasStatus_t cublas##N##_v2##E(cublasHandle_t handle, cublasFillMode_t uplo, I n,           \
                                   const CS* alpha, const T* x, I incx, T* a, I lda) {          \
    return add_symmetric<V, S>("cublas" #N #E, handle, uplo, n, alpha, x, incx, nullptr, {}, a, \
                               hermitian, FULL);                                                \
  }
#define PR1(N, T, V, S, CS, E, I, hermitian)                                                    \
  cublasStatus_t cublas##N##_v2##E(cublasHandle_t handle, cublasFillMode_t uplo, I n,           \
                                   const CS* alpha, const T* x, I incx, T* a) {                 \
    return add_symmetric<V, S>("cublas" #N #E, handle, uplo, n, alpha, x, incx, nullptr, {}, a, \
                               hermitian, PACKED);                                              \
  }
#define R2(N, T, V, E, I, hermitian)                                                              \
  cublasStatus_t cublas##N##2_v2##E(cublasHandle_t handle, cublasFillMode_t uplo, I n,            \
                                    const T* alpha, const T* x, I incx, const T* y, I incy, T* a, \
                                    I lda) {                                                      \
    return add_symmetric<V, V>("cublas" #N "2" #E, handle, uplo, n, alpha, x, incx, y, incy, a,   \
                               hermitian, FULL);                                                  \
  }
#define PR2(N, T, V, E, I, hermitian)                                                           \
  cublasStatus_t cublas##N##2_v2##E(cublasHandle_t handle, cublasFillMode_t uplo, I n,          \
                                    const T* alpha, const T* x, I incx, const T* y, I incy,     \
                                    T* a) {                                                     \
    return add_symmetric<V, V>("cublas" #N "2" #E, handle, uplo, n, alpha, x, incx, y, incy, a, \
                               hermitian, PACKED);                                              \
  }
#define M(L, T, R, V, E, I)           \
  MV(L##sy, T, V, E, I, false)        \
  R1(L##syr, T, V, V, T, E, I, false) \
  R2(L##syr, T, V, E, I, false)
BLAS_EACH(M)
#undef M
#define M(L, T, R, V, E, I)            \
  BMV(L##sb, T, V, E, I, false)        \
  PMV(L##sp, T, V, E, I, false)        \
  PR1(L##spr, T, V, V, T, E, I, false) \
  PR2(L##spr, T, V, E, I, false)
BLAS_EACH_REAL(M)
#undef M
#define M(L, T, R, V, E, I)           \
  MV(L##he, T, V, E, I, true)         \
  BMV(L##hb, T, V, E, I, true)        \
  PMV(L##hp, T, V, E, I, true)        \
  R1(L##her, T, V, R, R, E, I, true)  \
  PR1(L##hpr, T, V, R, R, E, I, true) \
  R2(L##her, T, V, E, I, true)        \
  PR2(L##hpr, T, V, E, I, true)
BLAS_EACH_COMPLEX(M)
#undef M
#undef FULL
#undef BAND
#undef PACKED
#undef MV
#undef BMV
#undef PMV
#undef R1
#undef PR1
#undef R2
#undef PR2
}
// NOLINTEND(bugprone-macro-parentheses)
