// Level 3 of cuBLAS: products with symmetric, Hermitian and triangular matrices, and triangles that
// are solved.
#include "level3.hpp"

#include "exports.hpp"

namespace bankproof::cuda::blas {
namespace {

bool is_left(cublasSideMode_t side) {
  require(side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT,
          "the side is neither left nor right");
  return side == CUBLAS_SIDE_LEFT;
}

struct Sided {
  cublasSideMode_t side;
  cublasFillMode_t uplo;
  std::int64_t m, n;
};

void require_sided(const Sided& of) {
  is_left(of.side);
  part_of(of.uplo);
  require_size("m", of.m);
  require_size("n", of.n);
}

/// C := alpha · A · B + beta · C, or with B · A; A is symmetric or Hermitian.
template <class V>
cublasStatus_t symm(const char* name, cublasHandle_t handle, const Sided& of, const void* alpha,
                    const void* a, std::int64_t lda, const void* b, std::int64_t ldb,
                    const void* beta, void* c, std::int64_t ldc, bool is_hermitian) {
  return make_call(name, handle, [&](const Call& call) {
    require_sided(of);
    const bool left = is_left(of.side);
    const MatrixOf first{operand<V>("A", a),
                         triangle("lda", left ? of.m : of.n, lda, part_of(of.uplo))};
    const MatrixOf second{operand<V>("B", b), full("ldb", of.m, of.n, ldb)};
    const MatrixOf result{operand<V>("C", c), full("ldc", of.m, of.n, ldc)};
    const auto factor = call.scalar<V>("alpha", alpha);
    const auto kept = call.scalar<V>("beta", beta);
    if (of.m == 0 || of.n == 0) return CUBLAS_STATUS_SUCCESS;
    return call.perform([=](Operation& on) {
      add_to_matrix<V>(on, factor.get(on), kept.get(on), result, [&] {
        const Dense<V> whole = completed(get<V>(on, first), first.shape.part, is_hermitian);
        const Dense<V> other = get<V>(on, second);
        return left ? product(whole, other) : product(other, whole);
      });
    });
  });
}

/// An update of one triangle of C, which adds A · Bᵀ and, if `is_twice`, B · Aᵀ.
struct RankK {
  cublasFillMode_t uplo;
  cublasOperation_t op;
  std::int64_t n, k;
  bool is_hermitian = false;
  bool is_twice = false;
};

/// C := alpha · op(A) · op(B)ᵀ (+ conj(alpha) · op(B) · op(A)ᵀ) + beta · C in a triangle; B is A if
/// `b` is null. `SA` and `SB` are the types of alpha and beta.
template <class V, class SA, class SB>
cublasStatus_t syrk(const char* name, cublasHandle_t handle, const RankK& of, const void* alpha,
                    const void* a, std::int64_t lda, const void* b, std::int64_t ldb,
                    const void* beta, void* c, std::int64_t ldc) {
  return make_call(name, handle, [&](const Call& call) {
    const Part part = part_of(of.uplo);
    const bool transposes = of.is_hermitian || !is_complex<V>;
    require(of.op == CUBLAS_OP_N || (of.op == CUBLAS_OP_C && transposes) ||
                (of.op == CUBLAS_OP_T && !of.is_hermitian),
            "the call has no such operation");
    require_size("n", of.n);
    require_size("k", of.k);
    const bool plain = of.op == CUBLAS_OP_N;
    const auto shape = [&](const char* leading_name, std::int64_t leading) {
      return full(leading_name, plain ? of.n : of.k, plain ? of.k : of.n, leading);
    };
    const MatrixOf first{operand<V>("A", a), shape("lda", lda)};
    const MatrixOf second = b == nullptr ? first : MatrixOf{operand<V>("B", b), shape("ldb", ldb)};
    const MatrixOf result{operand<V>("C", c), triangle("ldc", of.n, ldc, part), of.is_hermitian};
    const auto factor = call.scalar<SA>("alpha", alpha);
    const auto kept = call.scalar<SB>("beta", beta);
    const bool has_one = b == nullptr;
    if (of.n == 0) return CUBLAS_STATUS_SUCCESS;
    return call.perform([=](Operation& on) {
      const V scale = of.k == 0 ? V(0) : V(factor.get(on));
      // alpha is in the sum, since the second product may have its conjugate.
      add_to_matrix<V>(on, scale == V(0) ? V(0) : V(1), V(kept.get(on)), result, [&] {
        const Dense<V> left = applied(of.op, get<V>(on, first));
        const Dense<V> right = has_one ? left : applied(of.op, get<V>(on, second));
        Dense<V> sum = product(left, transposed(right, of.is_hermitian));
        for (V& value : sum.values) value *= scale;
        if (of.is_twice) {
          const Dense<V> other = product(right, transposed(left, of.is_hermitian));
          const V turned = of.is_hermitian ? conjugate(scale) : scale;
          for (std::size_t k = 0; k < sum.values.size(); ++k) {
            sum.values[k] += turned * other.values[k];
          }
        }
        return sum;
      });
    });
  });
}

struct Triangular {
  Sided sided;
  cublasOperation_t op;
  cublasDiagType_t diag;

  MatrixShape shape(std::int64_t lda) const {
    require_sided(sided);
    require_op(op);
    MatrixShape shape =
        triangle("lda", is_left(sided.side) ? sided.m : sided.n, lda, part_of(sided.uplo));
    shape.unit = is_unit(diag);
    return shape;
  }
};

/// C := alpha · op(A) · B, or alpha · B · op(A)
template <class V>
cublasStatus_t trmm(const char* name, cublasHandle_t handle, const Triangular& of,
                    const void* alpha, const void* a, std::int64_t lda, const void* b,
                    std::int64_t ldb, void* c, std::int64_t ldc) {
  return make_call(name, handle, [&](const Call& call) {
    const Sided& sided = of.sided;
    const MatrixOf first{operand<V>("A", a), of.shape(lda)};
    const MatrixOf second{operand<V>("B", b), full("ldb", sided.m, sided.n, ldb)};
    const MatrixOf result{operand<V>("C", c), full("ldc", sided.m, sided.n, ldc)};
    const auto factor = call.scalar<V>("alpha", alpha);
    if (sided.m == 0 || sided.n == 0) return CUBLAS_STATUS_SUCCESS;
    return call.perform([=](Operation& on) {
      add_to_matrix<V>(on, factor.get(on), V(0), result, [&] {
        const Dense<V> matrix = applied(of.op, get<V>(on, first));
        const Dense<V> other = get<V>(on, second);
        return is_left(of.sided.side) ? product(matrix, other) : product(other, matrix);
      });
    });
  });
}

/// B := alpha · B, and then the X of op(A) · X = B, or of X · op(A) = B
template <class V>
void perform_trsm(Operation& on, const Triangular& of, V factor, const MatrixOf& a,
                  const MatrixOf& b) {
  Dense<V> values(b.shape.rows, b.shape.columns);
  if (factor != V(0)) {
    const Dense<V> matrix = get<V>(on, a);
    values = get<V>(on, b);
    for (V& value : values.values) value *= factor;
    const bool is_upper = a.shape.part == Part::upper;
    if (is_left(of.sided.side)) {
      solve(applied(of.op, matrix), is_upper == (of.op == CUBLAS_OP_N), values);
    } else {  // op(A)ᵀ · Xᵀ = Bᵀ
      Dense<V> turned = transposed(values, false);
      solve(transposed(applied(of.op, matrix), false), is_upper != (of.op == CUBLAS_OP_N), turned);
      values = transposed(turned, false);
    }
  }
  write_matrix(on, b.memory, b.shape, values);
}

template <class V>
cublasStatus_t trsm(const char* name, cublasHandle_t handle, const Triangular& of,
                    const void* alpha, const void* a, std::int64_t lda, const void* b,
                    std::int64_t ldb, std::optional<std::int64_t> count) {
  return make_call(name, handle, [&](const Call& call) {
    const MatrixOf first{operand<V>("A", a), of.shape(lda)};
    const MatrixOf second{operand<V>("B", b), full("ldb", of.sided.m, of.sided.n, ldb)};
    const auto factor = call.scalar<V>("alpha", alpha);
    require_size("the number of systems", count.value_or(1));
    if (of.sided.m == 0 || of.sided.n == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;
    return call.perform([=](Operation& on) {
      const V scale = factor.get(on);
      if (!count) {
        perform_trsm(on, of, scale, first, second);
        return;
      }
      const auto all_a = addresses(on, "the array of A", first.memory.pointer, *count);
      const auto all_b = addresses(on, "the array of B", second.memory.pointer, *count);
      for (std::size_t k = 0; k < all_a.size(); ++k) {
        perform_trsm(on, of, scale, {operand<V>("A", all_a[k]), first.shape},
                     {operand<V>("B", all_b[k]), second.shape});
      }
    });
  });
}

}  // namespace
}  // namespace bankproof::cuda::blas

using namespace bankproof::cuda::blas;

extern "C" {
// NOLINTBEGIN(bugprone-macro-parentheses): types, and parts of names.
#define SYMM(N, T, V, E, I, hermitian)                                                          \
  cublasStatus_t cublas##N##_v2##E(cublasHandle_t handle, cublasSideMode_t side,                \
                                   cublasFillMode_t uplo, I m, I n, const T* alpha, const T* a, \
                                   I lda, const T* b, I ldb, const T* beta, T* c, I ldc) {      \
    return symm<V>("cublas" #N #E, handle, {side, uplo, m, n}, alpha, a, lda, b, ldb, beta, c,  \
                   ldc, hermitian);                                                             \
  }
#define SYRK(N, T, V, S, CS, E, I, hermitian)                                                   \
  cublasStatus_t cublas##N##_v2##E(cublasHandle_t handle, cublasFillMode_t uplo,                \
                                   cublasOperation_t op, I n, I k, const CS* alpha, const T* a, \
                                   I lda, const CS* beta, T* c, I ldc) {                        \
    return syrk<V, S, S>("cublas" #N #E, handle, {uplo, op, n, k, hermitian}, alpha, a, lda,    \
                         nullptr, 0, beta, c, ldc);                                             \
  }
#define SYRKX(N, SHOWN, T, V, S, CS, E, I, hermitian, twice)                                      \
  cublasStatus_t cublas##N##E(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t op, \
                              I n, I k, const T* alpha, const T* a, I lda, const T* b, I ldb,     \
                              const CS* beta, T* c, I ldc) {                                      \
    return syrk<V, V, S>(SHOWN #E, handle, {uplo, op, n, k, hermitian, twice}, alpha, a, lda, b,  \
                         ldb, beta, c, ldc);                                                      \
  }
#define M(L, T, R, V, E, I)                                                                        \
  SYMM(L##symm, T, V, E, I, false)                                                                 \
  SYRK(L##syrk, T, V, V, T, E, I, false)                                                           \
  SYRKX(L##syr2k_v2, "cublas" #L "syr2k", T, V, V, T, E, I, false, true)                           \
  SYRKX(L##syrkx, "cublas" #L "syrkx", T, V, V, T, E, I, false, false)                             \
  cublasStatus_t cublas##L##trmm_v2##E(cublasHandle_t handle, cublasSideMode_t side,               \
                                       cublasFillMode_t uplo, cublasOperation_t op,                \
                                       cublasDiagType_t diag, I m, I n, const T* alpha,            \
                                       const T* a, I lda, const T* b, I ldb, T* c, I ldc) {        \
    return trmm<V>("cublas" #L "trmm" #E, handle, {{side, uplo, m, n}, op, diag}, alpha, a, lda,   \
                   b, ldb, c, ldc);                                                                \
  }                                                                                                \
  cublasStatus_t cublas##L##trsm_v2##E(                                                            \
      cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t op,   \
      cublasDiagType_t diag, I m, I n, const T* alpha, const T* a, I lda, T* b, I ldb) {           \
    return trsm<V>("cublas" #L "trsm" #E, handle, {{side, uplo, m, n}, op, diag}, alpha, a, lda,   \
                   b, ldb, {});                                                                    \
  }                                                                                                \
  cublasStatus_t cublas##L##trsmBatched##E(                                                        \
      cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t op,   \
      cublasDiagType_t diag, I m, I n, const T* alpha, const T* const a[], I lda, T* const b[],    \
      I ldb, I count) {                                                                            \
    return trsm<V>("cublas" #L "trsmBatched" #E, handle, {{side, uplo, m, n}, op, diag}, alpha, a, \
                   lda, b, ldb, count);                                                            \
  }
BLAS_EACH(M)
#undef M
#define M(L, T, R, V, E, I)                                             \
  SYMM(L##hemm, T, V, E, I, true)                                       \
  SYRK(L##herk, T, V, R, R, E, I, true)                                 \
  SYRKX(L##her2k_v2, "cublas" #L "her2k", T, V, R, R, E, I, true, true) \
  SYRKX(L##herkx, "cublas" #L "herkx", T, V, R, R, E, I, true, false)
BLAS_EACH_COMPLEX(M)
#undef M
#undef SYMM
#undef SYRK
#undef SYRKX
}
// NOLINTEND(bugprone-macro-parentheses)
