// cublasXt: products of matrices that lie in memory of the host or of a device, which its call
// waits for.
//
// On a chip, tiles of the result are computed by the devices that the program selects. Here a call
// is one operation of the default stream. It is that of cuBLAS with the same letters, by a handle
// of cuBLAS that is not the program's.
#include <array>
#include <utility>

#include "../../headers/cublasXt.h"
#include "context.hpp"

// cuBLAS lets the library define this type.
struct cublasXtContext {
  cublasHandle_t blas = nullptr;
  int block = 2048;  // rows of a tile, which is of no concern here
  cublasXtPinnedMemMode_t pinning = CUBLASXT_PINNING_DISABLED;
  bool has_devices = false;
};

namespace bankproof::cuda::blas {
namespace {

/// As handles().
Handles<cublasXtContext>& xt_handles() {
  static auto* const all = new Handles<cublasXtContext>;
  return *all;
}

/// Calls body(), whose errors end the call, if there is such a handle.
template <class Body>
cublasStatus_t make_xt_call(const char* name, cublasXtHandle_t handle, const Body& body) {
  if (!xt_handles().is_live(handle)) {
    libraries::say(name, "the handle does not exist; was it destroyed?");
    return CUBLAS_STATUS_NOT_INITIALIZED;
  }
  try {
    return body();
  } catch (const Refused& refused) {
    return tell(name, refused);
  }
}

/// Calls function(handle of cuBLAS, arguments…).
template <class Function, class... Arguments>
cublasStatus_t call_blas(const char* name, cublasXtHandle_t handle, Function function,
                         Arguments... arguments) {
  return make_xt_call(name, handle, [&] {
    if (!handle->has_devices) {
      throw Refused{CUBLAS_STATUS_NOT_INITIALIZED, "no device is selected for the handle"};
    }
    handle->blas->called_as = name;
    return function(handle->blas, arguments...);
  });
}

std::int64_t size(std::size_t x) { return static_cast<std::int64_t>(x); }

}  // namespace
}  // namespace bankproof::cuda::blas

using namespace bankproof::cuda::blas;

extern "C" {
cublasStatus_t cublasXtCreate(cublasXtHandle_t* handle) {
  if (handle == nullptr) {
    bankproof::cuda::libraries::say("cublasXtCreate", "the address for the handle is null");
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  *handle = xt_handles().make();
  (*handle)->blas = handles().make();
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle) {
  return make_xt_call("cublasXtDestroy", handle, [&] {
    handles().destroy(handle->blas);
    xt_handles().destroy(handle);
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int count, int devices[]) {
  return make_xt_call("cublasXtDeviceSelect", handle, [&] {
    int all = 0;
    cudaGetDeviceCount(&all);
    require(count > 0 && devices != nullptr, "no devices are given");
    for (int k = 0; k < count; ++k) {
      require(devices[k] >= 0 && devices[k] < all,
              fmt::format("there is no device {}, but {} in all", devices[k], all));
    }
    handle->has_devices = true;
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int block) {
  return make_xt_call("cublasXtSetBlockDim", handle, [&] {
    require(block > 0, fmt::format("the size of a block is {}", block));
    handle->block = block;
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t handle, int* block) {
  return make_xt_call("cublasXtGetBlockDim", handle, [&] {
    require(block != nullptr, "the address for the answer is null");
    *block = handle->block;
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t mode) {
  return make_xt_call("cublasXtSetPinningMemMode", handle, [&] {
    require(mode == CUBLASXT_PINNING_DISABLED || mode == CUBLASXT_PINNING_ENABLED,
            "there is no such mode");
    handle->pinning = mode;
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus_t cublasXtGetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t* mode) {
  return make_xt_call("cublasXtGetPinningMemMode", handle, [&] {
    require(mode != nullptr, "the address for the answer is null");
    *mode = handle->pinning;
    return CUBLAS_STATUS_SUCCESS;
  });
}

// NOLINTBEGIN(bugprone-macro-parentheses): types, and parts of names.
#define SYMM(N, T)                                                                                \
  cublasStatus_t cublasXt##N(cublasXtHandle_t handle, cublasSideMode_t side,                      \
                             cublasFillMode_t uplo, size_t m, size_t n, const T* alpha,           \
                             const T* a, size_t lda, const T* b, size_t ldb, const T* beta, T* c, \
                             size_t ldc) {                                                        \
    return call_blas("cublasXt" #N, handle, cublas##N##_v2_64, side, uplo, size(m), size(n),      \
                     alpha, a, size(lda), b, size(ldb), beta, c, size(ldc));                      \
  }
#define SYRK(N, T, S)                                                                              \
  cublasStatus_t cublasXt##N(cublasXtHandle_t handle, cublasFillMode_t uplo, cublasOperation_t op, \
                             size_t n, size_t k, const S* alpha, const T* a, size_t lda,           \
                             const S* beta, T* c, size_t ldc) {                                    \
    return call_blas("cublasXt" #N, handle, cublas##N##_v2_64, uplo, op, size(n), size(k), alpha,  \
                     a, size(lda), beta, c, size(ldc));                                            \
  }
#define SYR2K(N, function, T, S)                                                                   \
  cublasStatus_t cublasXt##N(cublasXtHandle_t handle, cublasFillMode_t uplo, cublasOperation_t op, \
                             size_t n, size_t k, const T* alpha, const T* a, size_t lda,           \
                             const T* b, size_t ldb, const S* beta, T* c, size_t ldc) {            \
    return call_blas("cublasXt" #N, handle, function, uplo, op, size(n), size(k), alpha, a,        \
                     size(lda), b, size(ldb), beta, c, size(ldc));                                 \
  }
#define EACH(L, T)                                                                                 \
  cublasStatus_t cublasXt##L##gemm(cublasXtHandle_t handle, cublasOperation_t op_a,                \
                                   cublasOperation_t op_b, size_t m, size_t n, size_t k,           \
                                   const T* alpha, const T* a, size_t lda, const T* b, size_t ldb, \
                                   const T* beta, T* c, size_t ldc) {                              \
    return call_blas("cublasXt" #L "gemm", handle, cublas##L##gemm_v2_64, op_a, op_b, size(m),     \
                     size(n), size(k), alpha, a, size(lda), b, size(ldb), beta, c, size(ldc));     \
  }                                                                                                \
  SYMM(L##symm, T)                                                                                 \
  SYRK(L##syrk, T, T)                                                                              \
  SYR2K(L##syr2k, cublas##L##syr2k_v2_64, T, T)                                                    \
  SYR2K(L##syrkx, cublas##L##syrkx_64, T, T)                                                       \
  cublasStatus_t cublasXt##L##trmm(                                                                \
      cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t op, \
      cublasDiagType_t diag, size_t m, size_t n, const T* alpha, const T* a, size_t lda,           \
      const T* b, size_t ldb, T* c, size_t ldc) {                                                  \
    return call_blas("cublasXt" #L "trmm", handle, cublas##L##trmm_v2_64, side, uplo, op, diag,    \
                     size(m), size(n), alpha, a, size(lda), b, size(ldb), c, size(ldc));           \
  }                                                                                                \
  cublasStatus_t cublasXt##L##trsm(cublasXtHandle_t handle, cublasSideMode_t side,                 \
                                   cublasFillMode_t uplo, cublasOperation_t op,                    \
                                   cublasDiagType_t diag, size_t m, size_t n, const T* alpha,      \
                                   const T* a, size_t lda, T* b, size_t ldb) {                     \
    return call_blas("cublasXt" #L "trsm", handle, cublas##L##trsm_v2_64, side, uplo, op, diag,    \
                     size(m), size(n), alpha, a, size(lda), b, size(ldb));                         \
  }
#define EACH_COMPLEX(L, T, R)                   \
  EACH(L, T)                                    \
  SYMM(L##hemm, T)                              \
  SYRK(L##herk, T, R)                           \
  SYR2K(L##her2k, cublas##L##her2k_v2_64, T, R) \
  SYR2K(L##herkx, cublas##L##herkx_64, T, R)
EACH(S, float)
EACH(D, double)
EACH_COMPLEX(C, cuComplex, float)
EACH_COMPLEX(Z, cuDoubleComplex, double)
#undef EACH_COMPLEX
#undef EACH
#undef SYR2K
#undef SYRK
#undef SYMM
// NOLINTEND(bugprone-macro-parentheses)
}
