// Level 2 of cuBLAS: matrices of any shape, and bands.
#include "exports.hpp"
#include "level2.hpp"

namespace bankproof::cuda::blas {
namespace {

struct GeneralProduct {
  cublasOperation_t op;
  const void* alpha;
  const void* a;
  const void* x;
  std::int64_t incx;
  const void* beta;
  void* y;
  std::int64_t incy;
};

template <class V>
cublasStatus_t multiply_general(const char* name, cublasHandle_t handle, const GeneralProduct& of,
                                const std::function<MatrixShape()>& shape_of) {
  return make_call(name, handle, [&](const Call& call) {
    require_op(of.op);
    require_increment("incx", of.incx);
    require_increment("incy", of.incy);
    const MatrixShape shape = shape_of();
    const bool plain = of.op == CUBLAS_OP_N;
    return general_product<V>(call, of.op, call.scalar<V>("alpha", of.alpha),
                              {operand<V>("A", of.a), shape},
                              vector_of<V>("x", of.x, plain ? shape.columns : shape.rows, of.incx),
                              call.scalar<V>("beta", of.beta),
                              vector_of<V>("y", of.y, plain ? shape.rows : shape.columns, of.incy));
  });
}

void require_sizes(std::int64_t m, std::int64_t n) {
  require_size("m", m);
  require_size("n", n);
}

template <class V>
cublasStatus_t add_rank_one(const char* name, cublasHandle_t handle, std::int64_t m, std::int64_t n,
                            const void* alpha, const void* x, std::int64_t incx, const void* y,
                            std::int64_t incy, void* a, std::int64_t lda, bool conjugates) {
  return make_call(name, handle, [=](const Call& call) {
    require_sizes(m, n);
    require_increment("incx", incx);
    require_increment("incy", incy);
    return rank_one<V>(call, call.scalar<V>("alpha", alpha), vector_of<V>("x", x, m, incx),
                       vector_of<V>("y", y, n, incy), {operand<V>("A", a), full("lda", m, n, lda)},
                       conjugates);
  });
}

}  // namespace
}  // namespace bankproof::cuda::blas

using namespace bankproof::cuda::blas;

extern "C" {
// NOLINTBEGIN(bugprone-macro-parentheses): types, and parts of names.
#define M(L, T, R, V, E, I)                                                                       \
  cublasStatus_t cublas##L##gemv_v2##E(cublasHandle_t handle, cublasOperation_t op, I m, I n,     \
                                       const T* alpha, const T* a, I lda, const T* x, I incx,     \
                                       const T* beta, T* y, I incy) {                             \
    return multiply_general<V>("cublas" #L "gemv" #E, handle,                                     \
                               {op, alpha, a, x, incx, beta, y, incy}, [=] {                      \
                                 require_sizes(m, n);                                             \
                                 return full("lda", m, n, lda);                                   \
                               });                                                                \
  }                                                                                               \
  cublasStatus_t cublas##L##gbmv_v2##E(cublasHandle_t handle, cublasOperation_t op, I m, I n,     \
                                       I kl, I ku, const T* alpha, const T* a, I lda, const T* x, \
                                       I incx, const T* beta, T* y, I incy) {                     \
    return multiply_general<V>("cublas" #L "gbmv" #E, handle,                                     \
                               {op, alpha, a, x, incx, beta, y, incy}, [=] {                      \
                                 require_sizes(m, n);                                             \
                                 return band(m, n, kl, ku, lda);                                  \
                               });                                                                \
  }
BLAS_EACH(M)
#undef M

#define GER(N, T, V, E, I, conjugates)                                                          \
  cublasStatus_t cublas##N##_v2##E(cublasHandle_t handle, I m, I n, const T* alpha, const T* x, \
                                   I incx, const T* y, I incy, T* a, I lda) {                   \
    return add_rank_one<V>("cublas" #N #E, handle, m, n, alpha, x, incx, y, incy, a, lda,       \
                           conjugates);                                                         \
  }
#define M(L, T, R, V, E, I) GER(L##ger, T, V, E, I, false)
BLAS_EACH_REAL(M)
#undef M
#define M(L, T, R, V, E, I) GER(L##geru, T, V, E, I, false) GER(L##gerc, T, V, E, I, true)
BLAS_EACH_COMPLEX(M)
#undef M
#undef GER
}
// NOLINTEND(bugprone-macro-parentheses)
