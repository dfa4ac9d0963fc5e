// Level 3: what the calls on matrices do, for any type of numbers.
#pragma once

#include "level2.hpp"

namespace bankproof::cuda::blas {

/// C := alpha · op(A) · op(B) + beta · C, of m × n, with k products for each element. `a`, `b` and
/// `c` may be moved from a matrix of a batch to the next.
struct Gemm {
  cublasOperation_t op_a = CUBLAS_OP_N;
  cublasOperation_t op_b = CUBLAS_OP_N;
  std::int64_t m = 0, n = 0, k = 0;
  Typed a;
  std::int64_t lda = 1;
  Typed b;
  std::int64_t ldb = 1;
  Typed c;
  std::int64_t ldc = 1;

  MatrixShape shape_a() const {
    const bool plain = op_a == CUBLAS_OP_N || op_a == CUBLAS_OP_CONJG;
    return full("lda", plain ? m : k, plain ? k : m, lda);
  }
  MatrixShape shape_b() const {
    const bool plain = op_b == CUBLAS_OP_N || op_b == CUBLAS_OP_CONJG;
    return full("ldb", plain ? k : n, plain ? n : k, ldb);
  }
  MatrixShape shape_c() const { return full("ldc", m, n, ldc); }
  void check() const {
    require_op(op_a);
    require_op(op_b);
    require_size("m", m);
    require_size("n", n);
    require_size("k", k);
    shape_a();
    shape_b();
    shape_c();
  }
};

/// Writes beta · C + alpha · added() to the stored part of C, which is not read if beta is 0.
template <class V>
void add_to_matrix(Operation& on, V alpha, V beta, const MatrixOf& c,
                   const std::function<Dense<V>()>& added) {
  if (alpha == V(0) && beta == V(1)) return;
  Dense<V> sum(c.shape.rows, c.shape.columns);
  if (beta != V(0)) {
    sum = get<V>(on, c);
    for (V& value : sum.values) value *= beta;
  }
  if (alpha != V(0)) {
    const Dense<V> more = added();
    for (std::size_t k = 0; k < sum.values.size(); ++k) sum.values[k] += alpha * more.values[k];
  }
  if (c.is_hermitian) make_diagonal_real(sum);
  write_matrix(on, c.memory, c.shape, sum);
}

template <class V>
void perform_gemm(Operation& on, const Gemm& of, V alpha, V beta) {
  if (of.m == 0 || of.n == 0) return;
  const V factor = of.k == 0 ? V(0) : alpha;
  add_to_matrix<V>(on, factor, beta, {of.c, of.shape_c()}, [&] {
    const Dense<V> a = applied(of.op_a, get<V>(on, MatrixOf{of.a, of.shape_a()}));
    return product(a, applied(of.op_b, get<V>(on, MatrixOf{of.b, of.shape_b()})));
  });
}

/// One product, or `count` products whose operands are `strides` elements apart.
struct Strides {
  long long a = 0, b = 0, c = 0;
};
template <class V, class S = V>
cublasStatus_t gemm_strided(const Call& call, const Gemm& of, const Scalar<S>& alpha,
                            const Scalar<S>& beta, std::int64_t count = 1,
                            const Strides& strides = {}) {
  of.check();
  require_size("the number of products", count);
  if (of.m == 0 || of.n == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;
  return call.perform([=](Operation& on) {
    const V first = computed<V>(alpha.get(on));
    const V second = computed<V>(beta.get(on));
    Gemm one = of;
    for (std::int64_t k = 0; k < count; ++k) {
      one.a = of.a.moved_by(k * strides.a);
      one.b = of.b.moved_by(k * strides.b);
      one.c = of.c.moved_by(k * strides.c);
      perform_gemm<V>(on, one, first, second);
    }
  });
}

/// The addresses of `count` operands, which are in memory of the device.
inline std::vector<void*> addresses(Operation& on, const char* name, const void* array,
                                    std::int64_t count) {
  return on.read<void*>(name, array, VectorShape{count, 1});
}

/// The addresses of the operands are in memory of the device.
template <class V, class S = V>
cublasStatus_t gemm_batched(const Call& call, const Gemm& of, const Scalar<S>& alpha,
                            const Scalar<S>& beta, std::int64_t count) {
  of.check();
  require_size("the number of products", count);
  if (of.m == 0 || of.n == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;
  return call.perform([=](Operation& on) {
    const V first = computed<V>(alpha.get(on));
    const V second = computed<V>(beta.get(on));
    const bool needs = first != V(0) && of.k != 0;
    const std::vector<void*> c = addresses(on, "the array of C", of.c.pointer, count);
    const std::vector<void*> a = needs ? addresses(on, "the array of A", of.a.pointer, count) : c;
    const std::vector<void*> b = needs ? addresses(on, "the array of B", of.b.pointer, count) : c;
    Gemm one = of;
    for (std::int64_t k = 0; k < count; ++k) {
      one.a.pointer = a[index_of(k)];
      one.b.pointer = b[index_of(k)];
      one.c.pointer = c[index_of(k)];
      perform_gemm<V>(on, one, first, second);
    }
  });
}

}  // namespace bankproof::cuda::blas
