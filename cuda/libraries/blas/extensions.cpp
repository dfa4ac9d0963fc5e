// Functions that cuBLAS has and BLAS has not: sums of matrices, products with a diagonal, copies
// between packed and full triangles, products of batches of matrices and vectors.
#include "exports.hpp"
#include "level3.hpp"

namespace bankproof::cuda::blas {
namespace {

struct Summand {
  cublasOperation_t op;
  const void* factor;
  const void* memory;
  std::int64_t leading;
};

/// C := alpha · op(A) + beta · op(B); a matrix whose factor is 0 is not read.
template <class V>
cublasStatus_t geam(const char* name, cublasHandle_t handle, std::int64_t m, std::int64_t n,
                    const Summand& a, const Summand& b, void* c, std::int64_t ldc) {
  return make_call(name, handle, [&](const Call& call) {
    require_size("m", m);
    require_size("n", n);
    const auto matrix = [&](const char* what, const char* leading, const Summand& of) {
      require_op(of.op);
      const bool plain = of.op == CUBLAS_OP_N;
      return MatrixOf{operand<V>(what, of.memory),
                      full(leading, plain ? m : n, plain ? n : m, of.leading)};
    };
    const MatrixOf first = matrix("A", "lda", a);
    const MatrixOf second = matrix("B", "ldb", b);
    const MatrixOf result{operand<V>("C", c), full("ldc", m, n, ldc)};
    const auto alpha = call.scalar<V>("alpha", a.factor);
    const auto beta = call.scalar<V>("beta", b.factor);
    if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
    return call.perform([=, op_a = a.op, op_b = b.op](Operation& on) {
      Dense<V> sum(m, n);
      const auto add = [&](V factor, cublasOperation_t op, const MatrixOf& of) {
        if (factor == V(0)) return;
        const Dense<V> more = applied(op, get<V>(on, of));
        for (std::size_t k = 0; k < sum.values.size(); ++k) {
          sum.values[k] += factor * more.values[k];
        }
      };
      add(alpha.get(on), op_a, first);
      add(beta.get(on), op_b, second);
      write_matrix(on, result.memory, result.shape, sum);
    });
  });
}

/// C := A · diag(x), or diag(x) · A
template <class V>
cublasStatus_t dgmm(const char* name, cublasHandle_t handle, cublasSideMode_t side, std::int64_t m,
                    std::int64_t n, const void* a, std::int64_t lda, const void* x,
                    std::int64_t incx, void* c, std::int64_t ldc) {
  return make_call(name, handle, [&](const Call& call) {
    require(side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT, "there is no such side");
    require_size("m", m);
    require_size("n", n);
    const bool left = side == CUBLAS_SIDE_LEFT;
    const MatrixOf from{operand<V>("A", a), full("lda", m, n, lda)};
    const MatrixOf result{operand<V>("C", c), full("ldc", m, n, ldc)};
    if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
    return call.perform([=](Operation& on) {
      const std::vector<V> diagonal = get<V>(on, vector_of<V>("x", x, left ? m : n, incx));
      Dense<V> values = get<V>(on, from);
      for (std::int64_t j = 0; j < n; ++j) {
        for (std::int64_t i = 0; i < m; ++i) values(i, j) *= diagonal[index_of(left ? i : j)];
      }
      write_matrix(on, result.memory, result.shape, values);
    });
  });
}

/// Copies a triangle from one form to another.
template <class V>
cublasStatus_t copy_triangle(const char* name, cublasHandle_t handle, cublasFillMode_t uplo,
                             std::int64_t n, const void* from, void* to, std::int64_t lda,
                             bool packs) {
  return make_call(name, handle, [&](const Call& call) {
    const Part part = part_of(uplo);
    require_size("n", n);
    const MatrixShape whole = triangle("lda", n, lda, part);
    const MatrixShape dense = packed(n, part);
    if (n == 0) return CUBLAS_STATUS_SUCCESS;
    return call.perform([=](Operation& on) {
      const Typed source = operand<V>(packs ? "A" : "AP", from);
      const Dense<V> values = read_matrix<V>(on, source, packs ? whole : dense);
      write_matrix(on, operand<V>(packs ? "AP" : "A", to), packs ? dense : whole, values);
    });
  });
}

struct GemvBatch {
  cublasOperation_t op;
  std::int64_t m, n;
  const void* a;
  std::int64_t lda;
  const void* x;
  std::int64_t incx;
  void* y;
  std::int64_t incy;
  std::int64_t count;
  Strides strides{};
  bool has_pointers = false;
};

template <class V>
cublasStatus_t gemv_batch(const char* name, cublasHandle_t handle, const GemvBatch& of,
                          const void* alpha, const void* beta) {
  return make_call(name, handle, [&](const Call& call) {
    require_op(of.op);
    require_size("m", of.m);
    require_size("n", of.n);
    require_size("the number of products", of.count);
    require_increment("incx", of.incx);
    require_increment("incy", of.incy);
    const MatrixShape shape = full("lda", of.m, of.n, of.lda);
    const auto factor = call.scalar<V>("alpha", alpha);
    const auto kept = call.scalar<V>("beta", beta);
    if (of.m == 0 || of.n == 0 || of.count == 0) return CUBLAS_STATUS_SUCCESS;
    return call.perform([=](Operation& on) {
      const V first = factor.get(on);
      const V second = kept.get(on);
      const bool plain = of.op == CUBLAS_OP_N;
      const auto all = [&](const char* what, const void* memory, long long stride) {
        if (of.has_pointers) return addresses(on, what, memory, of.count);
        std::vector<void*> made;
        for (std::int64_t k = 0; k < of.count; ++k) {
          made.push_back(operand<V>(what, memory).moved_by(k * stride).pointer);
        }
        return made;
      };
      const auto a = all("the array of A", of.a, of.strides.a);
      const auto x = all("the array of x", of.x, of.strides.b);
      const auto y = all("the array of y", of.y, of.strides.c);
      for (std::size_t k = 0; k < a.size(); ++k) {
        const VectorOf result = vector_of<V>("y", y[k], plain ? of.m : of.n, of.incy);
        add_to_vector<V>(on, first, second, result, [&] {
          const VectorOf from = vector_of<V>("x", x[k], plain ? of.n : of.m, of.incx);
          return product(applied(of.op, get<V>(on, MatrixOf{operand<V>("A", a[k]), shape})),
                         get<V>(on, from));
        });
      }
    });
  });
}

}  // namespace
}  // namespace bankproof::cuda::blas

using namespace bankproof::cuda::blas;

extern "C" {
// NOLINTBEGIN(bugprone-macro-parentheses): types, and parts of names.
#define M(L, T, R, V, E, I)                                                                        \
  cublasStatus_t cublas##L##geam##E(cublasHandle_t handle, cublasOperation_t op_a,                 \
                                    cublasOperation_t op_b, I m, I n, const T* alpha, const T* a,  \
                                    I lda, const T* beta, const T* b, I ldb, T* c, I ldc) {        \
    return geam<V>("cublas" #L "geam" #E, handle, m, n, {op_a, alpha, a, lda},                     \
                   {op_b, beta, b, ldb}, c, ldc);                                                  \
  }                                                                                                \
  cublasStatus_t cublas##L##dgmm##E(cublasHandle_t handle, cublasSideMode_t side, I m, I n,        \
                                    const T* a, I lda, const T* x, I incx, T* c, I ldc) {          \
    return dgmm<V>("cublas" #L "dgmm" #E, handle, side, m, n, a, lda, x, incx, c, ldc);            \
  }                                                                                                \
  cublasStatus_t cublas##L##gemvBatched##E(                                                        \
      cublasHandle_t handle, cublasOperation_t op, I m, I n, const T* alpha, const T* const a[],   \
      I lda, const T* const x[], I incx, const T* beta, T* const y[], I incy, I count) {           \
    return gemv_batch<V>("cublas" #L "gemvBatched" #E, handle,                                     \
                         {op, m, n, a, lda, x, incx, const_cast<T**>(y), incy, count, {}, true},   \
                         alpha, beta);                                                             \
  }                                                                                                \
  cublasStatus_t cublas##L##gemvStridedBatched##E(                                                 \
      cublasHandle_t handle, cublasOperation_t op, I m, I n, const T* alpha, const T* a, I lda,    \
      long long stride_a, const T* x, I incx, long long stride_x, const T* beta, T* y, I incy,     \
      long long stride_y, I count) {                                                               \
    return gemv_batch<V>(                                                                          \
        "cublas" #L "gemvStridedBatched" #E, handle,                                               \
        {op, m, n, a, lda, x, incx, y, incy, count, {stride_a, stride_x, stride_y}}, alpha, beta); \
  }
BLAS_EACH(M)
#undef M
#define M(L, T, R, V, E, I)                                                                        \
  cublasStatus_t cublas##L##tpttr(cublasHandle_t handle, cublasFillMode_t uplo, int n,             \
                                  const T* ap, T* a, int lda) {                                    \
    return copy_triangle<V>("cublas" #L "tpttr", handle, uplo, n, ap, a, lda, false);              \
  }                                                                                                \
  cublasStatus_t cublas##L##trttp(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* a, \
                                  int lda, T* ap) {                                                \
    return copy_triangle<V>("cublas" #L "trttp", handle, uplo, n, a, ap, lda, true);               \
  }
BLAS_EACH_SHORT(M)
#undef M
}
// NOLINTEND(bugprone-macro-parentheses)
