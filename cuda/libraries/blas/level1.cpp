// Level 1 of cuBLAS: vectors.
#include "level1.hpp"

#include "exports.hpp"

namespace bankproof::cuda::blas {
namespace {

template <class V, class I>
cublasStatus_t find_extreme(const char* name, cublasHandle_t handle, I n, const void* x, I incx,
                            I* result, bool greatest) {
  return make_call(name, handle, [=](const Call& call) {
    const VectorOf from = vector_of<V>("x", x, n, incx);
    return call.give<I>(result, [=](Operation& on) { return extreme<V, I>(on, from, greatest); });
  });
}

template <class V>
cublasStatus_t give_norm(const char* name, cublasHandle_t handle, std::int64_t n, const void* x,
                         std::int64_t incx, void* result, bool is_euclidean) {
  return make_call(name, handle, [=](const Call& call) {
    const VectorOf from = vector_of<V>("x", x, n, incx);
    return call.give<Real<V>>(result, [=](Operation& on) {
      return is_euclidean ? norm<V>(on, from) : sum_of_sizes<V>(on, from);
    });
  });
}

template <class V>
cublasStatus_t give_dot(const char* name, cublasHandle_t handle, std::int64_t n, const void* x,
                        std::int64_t incx, const void* y, std::int64_t incy, void* result,
                        bool conjugates) {
  return make_call(name, handle, [=](const Call& call) {
    return call.give<V>(result, [=](Operation& on) {
      return dot<V>(on, vector_of<V>("x", x, n, incx), vector_of<V>("y", y, n, incy), conjugates);
    });
  });
}

template <class V, class S>
cublasStatus_t rotate(const char* name, cublasHandle_t handle, std::int64_t n, void* x,
                      std::int64_t incx, void* y, std::int64_t incy, const void* c, const void* s) {
  return make_call(name, handle, [=](const Call& call) {
    return rot<V, S>(call, vector_of<V>("x", x, n, incx), vector_of<V>("y", y, n, incy),
                     call.scalar<Real<V>>("c", c), call.scalar<S>("s", s));
  });
}

template <class V, class S>
cublasStatus_t scale(const char* name, cublasHandle_t handle, std::int64_t n, const void* alpha,
                     void* x, std::int64_t incx) {
  return make_call(name, handle, [=](const Call& call) {
    return scal<V, S>(call, call.scalar<S>("alpha", alpha), vector_of<V>("x", x, n, incx));
  });
}

}  // namespace
}  // namespace bankproof::cuda::blas

using namespace bankproof::cuda::blas;

extern "C" {
// NOLINTBEGIN(bugprone-macro-parentheses): types, and parts of names.
#define M(L, T, R, V, E, I)                                                                        \
  cublasStatus_t cublas##L##axpy_v2##E(cublasHandle_t handle, I n, const T* alpha, const T* x,     \
                                       I incx, T* y, I incy) {                                     \
    return make_call("cublas" #L "axpy" #E, handle, [=](const Call& call) {                        \
      return axpy<V>(call, call.scalar<V>("alpha", alpha), vector_of<V>("x", x, n, incx),          \
                     vector_of<V>("y", y, n, incy));                                               \
    });                                                                                            \
  }                                                                                                \
  cublasStatus_t cublas##L##scal_v2##E(cublasHandle_t handle, I n, const T* alpha, T* x, I incx) { \
    return scale<V, V>("cublas" #L "scal" #E, handle, n, alpha, x, incx);                          \
  }                                                                                                \
  cublasStatus_t cublas##L##copy_v2##E(cublasHandle_t handle, I n, const T* x, I incx, T* y,       \
                                       I incy) {                                                   \
    return make_call("cublas" #L "copy" #E, handle, [=](const Call& call) {                        \
      return copy<V>(call, vector_of<V>("x", x, n, incx), vector_of<V>("y", y, n, incy));          \
    });                                                                                            \
  }                                                                                                \
  cublasStatus_t cublas##L##swap_v2##E(cublasHandle_t handle, I n, T* x, I incx, T* y, I incy) {   \
    return make_call("cublas" #L "swap" #E, handle, [=](const Call& call) {                        \
      return swap<V>(call, vector_of<V>("x", x, n, incx), vector_of<V>("y", y, n, incy));          \
    });                                                                                            \
  }                                                                                                \
  cublasStatus_t cublas##L##rot_v2##E(cublasHandle_t handle, I n, T* x, I incx, T* y, I incy,      \
                                      const R* c, const T* s) {                                    \
    return rotate<V, V>("cublas" #L "rot" #E, handle, n, x, incx, y, incy, c, s);                  \
  }
BLAS_EACH(M)
#undef M

#define M(L, T, R, V, E, I)                                                                       \
  cublasStatus_t cublas##L##dot_v2##E(cublasHandle_t handle, I n, const T* x, I incx, const T* y, \
                                      I incy, T* result) {                                        \
    return give_dot<V>("cublas" #L "dot" #E, handle, n, x, incx, y, incy, result, false);         \
  }                                                                                               \
  cublasStatus_t cublas##L##nrm2_v2##E(cublasHandle_t handle, I n, const T* x, I incx,            \
                                       T* result) {                                               \
    return give_norm<V>("cublas" #L "nrm2" #E, handle, n, x, incx, result, true);                 \
  }                                                                                               \
  cublasStatus_t cublas##L##asum_v2##E(cublasHandle_t handle, I n, const T* x, I incx,            \
                                       T* result) {                                               \
    return give_norm<V>("cublas" #L "asum" #E, handle, n, x, incx, result, false);                \
  }
BLAS_EACH_REAL(M)
#undef M

#define M(L, T, R, V, E, I)                                                                        \
  cublasStatus_t cublas##L##dotu_v2##E(cublasHandle_t handle, I n, const T* x, I incx, const T* y, \
                                       I incy, T* result) {                                        \
    return give_dot<V>("cublas" #L "dotu" #E, handle, n, x, incx, y, incy, result, false);         \
  }                                                                                                \
  cublasStatus_t cublas##L##dotc_v2##E(cublasHandle_t handle, I n, const T* x, I incx, const T* y, \
                                       I incy, T* result) {                                        \
    return give_dot<V>("cublas" #L "dotc" #E, handle, n, x, incx, y, incy, result, true);          \
  }
BLAS_EACH_COMPLEX(M)
#undef M

#define M(L, T, R, V, E, I)                                                            \
  cublasStatus_t cublas##L##nrm2_v2##E(cublasHandle_t handle, I n, const T* x, I incx, \
                                       R* result) {                                    \
    return give_norm<V>("cublas" #L "nrm2" #E, handle, n, x, incx, result, true);      \
  }                                                                                    \
  cublasStatus_t cublas##L##asum_v2##E(cublasHandle_t handle, I n, const T* x, I incx, \
                                       R* result) {                                    \
    return give_norm<V>("cublas" #L "asum" #E, handle, n, x, incx, result, false);     \
  }
M(Sc, cuComplex, float, Complex, , int)
M(Sc, cuComplex, float, Complex, _64, std::int64_t)
M(Dz, cuDoubleComplex, double, DoubleComplex, , int)
M(Dz, cuDoubleComplex, double, DoubleComplex, _64, std::int64_t)
#undef M

#define M(L, T, R, V, E, I)                                                                        \
  cublasStatus_t cublas##L##scal_v2##E(cublasHandle_t handle, I n, const R* alpha, T* x, I incx) { \
    return scale<V, R>("cublas" #L "scal" #E, handle, n, alpha, x, incx);                          \
  }                                                                                                \
  cublasStatus_t cublas##L##rot_v2##E(cublasHandle_t handle, I n, T* x, I incx, T* y, I incy,      \
                                      const R* c, const R* s) {                                    \
    return rotate<V, R>("cublas" #L "rot" #E, handle, n, x, incx, y, incy, c, s);                  \
  }
M(Cs, cuComplex, float, Complex, , int)
M(Cs, cuComplex, float, Complex, _64, std::int64_t)
M(Zd, cuDoubleComplex, double, DoubleComplex, , int)
M(Zd, cuDoubleComplex, double, DoubleComplex, _64, std::int64_t)
#undef M

#define M(L, T, V, E, I)                                                                  \
  cublasStatus_t cublasI##L##amax_v2##E(cublasHandle_t handle, I n, const T* x, I incx,   \
                                        I* result) {                                      \
    return find_extreme<V, I>("cublasI" #L "amax" #E, handle, n, x, incx, result, true);  \
  }                                                                                       \
  cublasStatus_t cublasI##L##amin_v2##E(cublasHandle_t handle, I n, const T* x, I incx,   \
                                        I* result) {                                      \
    return find_extreme<V, I>("cublasI" #L "amin" #E, handle, n, x, incx, result, false); \
  }
#define BOTH(L, T, V) M(L, T, V, , int) M(L, T, V, _64, std::int64_t)
BOTH(s, float, float)
BOTH(d, double, double)
BOTH(c, cuComplex, Complex)
BOTH(z, cuDoubleComplex, DoubleComplex)
#undef BOTH
#undef M
}
// NOLINTEND(bugprone-macro-parentheses)
