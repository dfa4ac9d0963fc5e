// cuBLAS's products of two matrices: one, batches, and operands whose types the call names.
#include "exports.hpp"
#include "level3.hpp"

namespace bankproof::cuda::blas {
namespace {

struct GemmArguments {
  cublasOperation_t op_a, op_b;
  std::int64_t m, n, k;
  const void* alpha;
  Typed a;
  std::int64_t lda;
  Typed b;
  std::int64_t ldb;
  const void* beta;
  Typed c;
  std::int64_t ldc;

  Gemm gemm() const { return {op_a, op_b, m, n, k, a, lda, b, ldb, c, ldc}; }
};

/// The operands are one of each, `count` at strides, or `count` whose addresses are in arrays.
struct Batch {
  enum Kind : std::uint8_t { strided, pointers } kind = strided;
  std::int64_t count = 1;
  Strides strides{};
};

template <class V, class S>
cublasStatus_t multiply(const Call& call, const GemmArguments& of, const Batch& batch) {
  const auto alpha = call.scalar<S>("alpha", of.alpha);
  const auto beta = call.scalar<S>("beta", of.beta);
  if (batch.kind == Batch::pointers) {
    return gemm_batched<V, S>(call, of.gemm(), alpha, beta, batch.count);
  }
  return gemm_strided<V, S>(call, of.gemm(), alpha, beta, batch.count, batch.strides);
}

template <class V, class S = V>
cublasStatus_t multiply_plain(const char* name, cublasHandle_t handle, const GemmArguments& of,
                              const Batch& batch = {}) {
  return make_call(name, handle, [&](const Call& call) { return multiply<V, S>(call, of, batch); });
}

bool is_complex_type(cudaDataType type) { return type == CUDA_C_32F || type == CUDA_C_64F; }

bool is_of(cudaDataType type, std::initializer_list<cudaDataType> types) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

/// The types that a computation allows (cuBLAS documentation, cublasGemmEx).
bool fits(cublasComputeType_t computed, cudaDataType a, cudaDataType b, cudaDataType c) {
  if (a != b) return false;
  switch (computed) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
      return a == CUDA_R_16F && c == CUDA_R_16F;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
      return a == CUDA_R_8I && c == CUDA_R_32I;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
    case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT:
      return a == c && is_of(a, {CUDA_R_64F, CUDA_C_64F});
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
      return (is_of(a, {CUDA_R_16F, CUDA_R_16BF}) && is_of(c, {a, CUDA_R_32F})) ||
             (a == CUDA_R_8I && c == CUDA_R_32F) || (a == c && is_of(a, {CUDA_R_32F, CUDA_C_32F}));
    default:
      return a == c && is_of(a, {CUDA_R_32F, CUDA_C_32F});
  }
}

bool is_compute_type(cublasComputeType_t computed) {
  return computed >= CUBLAS_COMPUTE_16F && computed <= CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT;
}

cublasStatus_t multiply_typed(const char* name, cublasHandle_t handle, const GemmArguments& of,
                              cublasComputeType_t computed, const Batch& batch = {}) {
  return make_call(name, handle, [&](const Call& call) {
    require(is_compute_type(computed), "there is no such type of computation");
    if (!fits(computed, of.a.type, of.b.type, of.c.type)) {
      throw Refused{CUBLAS_STATUS_NOT_SUPPORTED,
                    fmt::format("no computation {} of the types {} and {} gives the type {}",
                                static_cast<int>(computed), static_cast<int>(of.a.type),
                                static_cast<int>(of.b.type), static_cast<int>(of.c.type))};
    }
    switch (computed) {
      case CUBLAS_COMPUTE_16F:
      case CUBLAS_COMPUTE_16F_PEDANTIC:
        return multiply<float, Half16>(call, of, batch);
      case CUBLAS_COMPUTE_32I:
      case CUBLAS_COMPUTE_32I_PEDANTIC:
        return multiply<double, std::int32_t>(call, of, batch);
      case CUBLAS_COMPUTE_64F:
      case CUBLAS_COMPUTE_64F_PEDANTIC:
      case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT:
        return is_complex_type(of.c.type) ? multiply<DoubleComplex, DoubleComplex>(call, of, batch)
                                          : multiply<double, double>(call, of, batch);
      default:
        if (of.a.type == CUDA_R_8I) return multiply<double, float>(call, of, batch);
        return is_complex_type(of.c.type) ? multiply<Complex, Complex>(call, of, batch)
                                          : multiply<float, float>(call, of, batch);
    }
  });
}

template <class V>
GemmArguments plain_arguments(cublasOperation_t op_a, cublasOperation_t op_b, std::int64_t m,
                              std::int64_t n, std::int64_t k, const void* alpha, const void* a,
                              std::int64_t lda, const void* b, std::int64_t ldb, const void* beta,
                              void* c, std::int64_t ldc, cudaDataType type = type_of<V>) {
  return {op_a,
          op_b,
          m,
          n,
          k,
          alpha,
          typed("A", a, type),
          lda,
          typed("B", b, type),
          ldb,
          beta,
          typed("C", c, type),
          ldc};
}

}  // namespace
}  // namespace bankproof::cuda::blas

using namespace bankproof::cuda::blas;

extern "C" {
// NOLINTBEGIN(bugprone-macro-parentheses): types, and parts of names.
#define GEMM(N, SHOWN, T, V, S, type, E, I)                                                      \
  cublasStatus_t cublas##N##E(cublasHandle_t handle, cublasOperation_t op_a,                     \
                              cublasOperation_t op_b, I m, I n, I k, const T* alpha, const T* a, \
                              I lda, const T* b, I ldb, const T* beta, T* c, I ldc) {            \
    return multiply_plain<V, S>(                                                                 \
        SHOWN #E, handle,                                                                        \
        plain_arguments<V>(op_a, op_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, type));     \
  }
#define GEMM_BATCHED(N, T, V, S, type, E, I)                                                   \
  cublasStatus_t cublas##N##Batched##E(cublasHandle_t handle, cublasOperation_t op_a,          \
                                       cublasOperation_t op_b, I m, I n, I k, const T* alpha,  \
                                       const T* const a[], I lda, const T* const b[], I ldb,   \
                                       const T* beta, T* const c[], I ldc, I count) {          \
    return multiply_plain<V, S>("cublas" #N "Batched" #E, handle,                              \
                                plain_arguments<V>(op_a, op_b, m, n, k, alpha, a, lda, b, ldb, \
                                                   beta, const_cast<T**>(c), ldc, type),       \
                                {Batch::pointers, count});                                     \
  }                                                                                            \
  cublasStatus_t cublas##N##StridedBatched##E(                                                 \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, I m, I n, I k,    \
      const T* alpha, const T* a, I lda, long long stride_a, const T* b, I ldb,                \
      long long stride_b, const T* beta, T* c, I ldc, long long stride_c, I count) {           \
    return multiply_plain<V, S>(                                                               \
        "cublas" #N "StridedBatched" #E, handle,                                               \
        plain_arguments<V>(op_a, op_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, type),    \
        {Batch::strided, count, {stride_a, stride_b, stride_c}});                              \
  }
#define M(L, T, R, V, E, I)                                       \
  GEMM(L##gemm_v2, "cublas" #L "gemm", T, V, V, type_of<V>, E, I) \
  GEMM_BATCHED(L##gemm, T, V, V, type_of<V>, E, I)
BLAS_EACH(M)
#undef M
#define M(L, T, R, V, E, I) GEMM(L##gemm3m, "cublas" #L "gemm3m", T, V, V, type_of<V>, E, I)
BLAS_EACH_COMPLEX(M)
#undef M
#define M(E, I)                                                       \
  GEMM(Hgemm, "cublasHgemm", __half, float, Half16, CUDA_R_16F, E, I) \
  GEMM_BATCHED(Hgemm, __half, float, Half16, CUDA_R_16F, E, I)        \
  GEMM_BATCHED(Cgemm3m, cuComplex, Complex, Complex, CUDA_C_32F, E, I)
BLAS_BOTH(M)
#undef M
#undef GEMM
#undef GEMM_BATCHED

#define TYPED                                                                                 \
  {                                                                                           \
    op_a, op_b, m, n, k, alpha, typed("A", a, a_type), lda, typed("B", b, b_type), ldb, beta, \
        typed("C", c, c_type), ldc                                                            \
  }
#define M(E, I)                                                                                    \
  cublasStatus_t cublasSgemmEx##E(                                                                 \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, I m, I n, I k,        \
      const float* alpha, const void* a, cudaDataType a_type, I lda, const void* b,                \
      cudaDataType b_type, I ldb, const float* beta, void* c, cudaDataType c_type, I ldc) {        \
    return multiply_typed("cublasSgemmEx" #E, handle, TYPED, CUBLAS_COMPUTE_32F);                  \
  }                                                                                                \
  cublasStatus_t cublasCgemmEx##E(                                                                 \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, I m, I n, I k,        \
      const cuComplex* alpha, const void* a, cudaDataType a_type, I lda, const void* b,            \
      cudaDataType b_type, I ldb, const cuComplex* beta, void* c, cudaDataType c_type, I ldc) {    \
    return multiply_typed("cublasCgemmEx" #E, handle, TYPED, CUBLAS_COMPUTE_32F);                  \
  }                                                                                                \
  cublasStatus_t cublasGemmEx##E(                                                                  \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, I m, I n, I k,        \
      const void* alpha, const void* a, cudaDataType a_type, I lda, const void* b,                 \
      cudaDataType b_type, I ldb, const void* beta, void* c, cudaDataType c_type, I ldc,           \
      cublasComputeType_t computed, cublasGemmAlgo_t) {                                            \
    return multiply_typed("cublasGemmEx" #E, handle, TYPED, computed);                             \
  }                                                                                                \
  cublasStatus_t cublasGemmBatchedEx##E(                                                           \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, I m, I n, I k,        \
      const void* alpha, const void* const a[], cudaDataType a_type, I lda, const void* const b[], \
      cudaDataType b_type, I ldb, const void* beta, void* const c[], cudaDataType c_type, I ldc,   \
      I count, cublasComputeType_t computed, cublasGemmAlgo_t) {                                   \
    return multiply_typed("cublasGemmBatchedEx" #E, handle, TYPED, computed,                       \
                          {Batch::pointers, count});                                               \
  }                                                                                                \
  cublasStatus_t cublasGemmStridedBatchedEx##E(                                                    \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, I m, I n, I k,        \
      const void* alpha, const void* a, cudaDataType a_type, I lda, long long stride_a,            \
      const void* b, cudaDataType b_type, I ldb, long long stride_b, const void* beta, void* c,    \
      cudaDataType c_type, I ldc, long long stride_c, I count, cublasComputeType_t computed,       \
      cublasGemmAlgo_t) {                                                                          \
    return multiply_typed("cublasGemmStridedBatchedEx" #E, handle, TYPED, computed,                \
                          {Batch::strided, count, {stride_a, stride_b, stride_c}});                \
  }
BLAS_BOTH(M)
#undef M
#undef TYPED
}
// NOLINTEND(bugprone-macro-parentheses)
