// Level 1 of cuBLAS for operands whose types the call names. The machine computes in double,
// whatever the type of the computation is, and rounds each result once.
#include "exports.hpp"
#include "level1.hpp"

namespace bankproof::cuda::blas {
namespace {

VectorOf typed_vector(const char* name, const void* pointer, cudaDataType type, std::int64_t n,
                      std::int64_t increment) {
  if (!is_known(type)) {
    throw Refused{CUBLAS_STATUS_NOT_SUPPORTED,
                  fmt::format("{} has the type {}, which the machine does not have", name,
                              static_cast<int>(type))};
  }
  return {typed(name, pointer, type), {n, increment}};
}

bool has_complex_numbers(cudaDataType type) { return type == CUDA_C_32F || type == CUDA_C_64F; }

/// Calls use(double{}), or with complex numbers if the type has them.
template <class Use>
cublasStatus_t with_double(cudaDataType type, const Use& use) {
  return has_complex_numbers(type) ? use(DoubleComplex{}) : use(double{});
}

/// A scalar of any type, as a number of type V.
template <class V>
std::function<V(Operation&)> typed_scalar(const Call& call, const char* name, const void* pointer,
                                          cudaDataType type) {
  std::function<V(Operation&)> get;
  const bool known = with_type(type, [&](auto kind) {
    using T = decltype(kind);
    const auto scalar = call.scalar<T>(name, pointer);
    get = [scalar](Operation& on) { return computed<V>(scalar.get(on)); };
  });
  require(known, fmt::format("{} has an unknown type", name));
  return get;
}

/// Gives a result of any type.
template <class V>
cublasStatus_t give_typed(const Call& call, void* result, cudaDataType type,
                          const std::function<V(Operation&)>& compute) {
  cublasStatus_t status = CUBLAS_STATUS_NOT_SUPPORTED;
  with_type(type, [&](auto kind) {
    using T = decltype(kind);
    status = call.give<T>(result, [compute](Operation& on) { return stored<T>(compute(on)); });
  });
  return status;
}

cublasStatus_t dot_typed(const char* name, cublasHandle_t handle, const VectorOf& x,
                         const VectorOf& y, void* result, cudaDataType type, bool conjugates) {
  return make_call(name, handle, [&](const Call& call) {
    typed_vector("x", nullptr, x.memory.type, 0, 1);
    typed_vector("y", nullptr, y.memory.type, 0, 1);
    return with_double(x.memory.type, [&](auto kind) {
      using V = decltype(kind);
      return give_typed<V>(call, result, type,
                           [=](Operation& on) { return dot<V>(on, x, y, conjugates); });
    });
  });
}

cublasStatus_t norm_typed(const char* name, cublasHandle_t handle, const VectorOf& x, void* result,
                          cudaDataType type, bool is_euclidean) {
  return make_call(name, handle, [&](const Call& call) {
    typed_vector("x", nullptr, x.memory.type, 0, 1);
    return with_double(x.memory.type, [&](auto kind) {
      using V = decltype(kind);
      return give_typed<double>(call, result, type, [=](Operation& on) {
        return is_euclidean ? norm<V>(on, x) : sum_of_sizes<V>(on, x);
      });
    });
  });
}

template <class I>
cublasStatus_t extreme_typed(const char* name, cublasHandle_t handle, const VectorOf& x, I* result,
                             bool greatest) {
  return make_call(name, handle, [&](const Call& call) {
    typed_vector("x", nullptr, x.memory.type, 0, 1);
    return with_double(x.memory.type, [&](auto kind) {
      using V = decltype(kind);
      return call.give<I>(result, [=](Operation& on) { return extreme<V, I>(on, x, greatest); });
    });
  });
}

}  // namespace
}  // namespace bankproof::cuda::blas

using namespace bankproof::cuda::blas;

extern "C" {
#define X                              \
  {                                    \
    typed("x", x, x_type), { n, incx } \
  }
#define Y                              \
  {                                    \
    typed("y", y, y_type), { n, incy } \
  }
// NOLINTBEGIN(bugprone-macro-parentheses): types, and parts of names.
#define M(E, I)                                                                                    \
  cublasStatus_t cublasNrm2Ex##E(cublasHandle_t handle, I n, const void* x, cudaDataType x_type,   \
                                 I incx, void* result, cudaDataType result_type, cudaDataType) {   \
    return norm_typed("cublasNrm2Ex" #E, handle, X, result, result_type, true);                    \
  }                                                                                                \
  cublasStatus_t cublasAsumEx##E(cublasHandle_t handle, I n, const void* x, cudaDataType x_type,   \
                                 I incx, void* result, cudaDataType result_type, cudaDataType) {   \
    return norm_typed("cublasAsumEx" #E, handle, X, result, result_type, false);                   \
  }                                                                                                \
  cublasStatus_t cublasDotEx##E(cublasHandle_t handle, I n, const void* x, cudaDataType x_type,    \
                                I incx, const void* y, cudaDataType y_type, I incy, void* result,  \
                                cudaDataType result_type, cudaDataType) {                          \
    return dot_typed("cublasDotEx" #E, handle, X, Y, result, result_type, false);                  \
  }                                                                                                \
  cublasStatus_t cublasDotcEx##E(cublasHandle_t handle, I n, const void* x, cudaDataType x_type,   \
                                 I incx, const void* y, cudaDataType y_type, I incy, void* result, \
                                 cudaDataType result_type, cudaDataType) {                         \
    return dot_typed("cublasDotcEx" #E, handle, X, Y, result, result_type, true);                  \
  }                                                                                                \
  cublasStatus_t cublasScalEx##E(cublasHandle_t handle, I n, const void* alpha,                    \
                                 cudaDataType alpha_type, void* x, cudaDataType x_type, I incx,    \
                                 cudaDataType) {                                                   \
    return make_call("cublasScalEx" #E, handle, [=](const Call& call) {                            \
      const VectorOf vector = typed_vector("x", x, x_type, n, incx);                               \
      return with_double(x_type, [&](auto kind) {                                                  \
        using V = decltype(kind);                                                                  \
        const auto factor = typed_scalar<V>(call, "alpha", alpha, alpha_type);                     \
        if (n <= 0 || incx <= 0) return CUBLAS_STATUS_SUCCESS;                                     \
        return call.perform([=](Operation& on) {                                                   \
          std::vector<V> values = get<V>(on, vector);                                              \
          const V by = factor(on);                                                                 \
          for (V & value : values) value *= by;                                                    \
          put(on, vector, std::move(values));                                                      \
        });                                                                                        \
      });                                                                                          \
    });                                                                                            \
  }                                                                                                \
  cublasStatus_t cublasAxpyEx##E(cublasHandle_t handle, I n, const void* alpha,                    \
                                 cudaDataType alpha_type, const void* x, cudaDataType x_type,      \
                                 I incx, void* y, cudaDataType y_type, I incy, cudaDataType) {     \
    return make_call("cublasAxpyEx" #E, handle, [=](const Call& call) {                            \
      const VectorOf from = typed_vector("x", x, x_type, n, incx);                                 \
      const VectorOf to = typed_vector("y", y, y_type, n, incy);                                   \
      return with_double(x_type, [&](auto kind) {                                                  \
        using V = decltype(kind);                                                                  \
        const auto factor = typed_scalar<V>(call, "alpha", alpha, alpha_type);                     \
        if (n <= 0) return CUBLAS_STATUS_SUCCESS;                                                  \
        return call.perform([=](Operation& on) {                                                   \
          const V by = factor(on);                                                                 \
          if (by == V(0)) return;                                                                  \
          const std::vector<V> values = get<V>(on, from);                                          \
          std::vector<V> sums = get<V>(on, to);                                                    \
          for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += by * values[k];                 \
          put(on, to, std::move(sums));                                                            \
        });                                                                                        \
      });                                                                                          \
    });                                                                                            \
  }                                                                                                \
  cublasStatus_t cublasCopyEx##E(cublasHandle_t handle, I n, const void* x, cudaDataType x_type,   \
                                 I incx, void* y, cudaDataType y_type, I incy) {                   \
    return make_call("cublasCopyEx" #E, handle, [=](const Call& call) {                            \
      const VectorOf from = typed_vector("x", x, x_type, n, incx);                                 \
      const VectorOf to = typed_vector("y", y, y_type, n, incy);                                   \
      return with_double(x_type, [&](auto kind) { return copy<decltype(kind)>(call, from, to); }); \
    });                                                                                            \
  }                                                                                                \
  cublasStatus_t cublasSwapEx##E(cublasHandle_t handle, I n, void* x, cudaDataType x_type, I incx, \
                                 void* y, cudaDataType y_type, I incy) {                           \
    return make_call("cublasSwapEx" #E, handle, [=](const Call& call) {                            \
      const VectorOf from = typed_vector("x", x, x_type, n, incx);                                 \
      const VectorOf to = typed_vector("y", y, y_type, n, incy);                                   \
      return with_double(x_type, [&](auto kind) { return swap<decltype(kind)>(call, from, to); }); \
    });                                                                                            \
  }                                                                                                \
  cublasStatus_t cublasIamaxEx##E(cublasHandle_t handle, I n, const void* x, cudaDataType x_type,  \
                                  I incx, I* result) {                                             \
    return extreme_typed<I>("cublasIamaxEx" #E, handle, X, result, true);                          \
  }                                                                                                \
  cublasStatus_t cublasIaminEx##E(cublasHandle_t handle, I n, const void* x, cudaDataType x_type,  \
                                  I incx, I* result) {                                             \
    return extreme_typed<I>("cublasIaminEx" #E, handle, X, result, false);                         \
  }
BLAS_BOTH(M)
#undef M
#undef X
#undef Y
}
// NOLINTEND(bugprone-macro-parentheses)
