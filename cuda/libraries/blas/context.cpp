// Handles of cuBLAS and their settings.
#include "context.hpp"

#include <array>

namespace bankproof::cuda::blas {

Handles<cublasContext>& handles() {
  static auto* const all = new Handles<cublasContext>;
  return *all;
}

cublasStatus_t status_of(int error) {
  switch (error) {
    case cudaSuccess:
      return CUBLAS_STATUS_SUCCESS;
    case cudaErrorMemoryAllocation:
      return CUBLAS_STATUS_ALLOC_FAILED;
    default:
      return CUBLAS_STATUS_EXECUTION_FAILED;
  }
}

const cublasContext* live(const char* name, cublasHandle_t handle) {
  if (handles().is_live(handle)) return handle;
  libraries::say(name, "the handle does not exist; was it destroyed?");
  return nullptr;
}

cublasStatus_t tell(const char* name, const Refused& refused) {
  libraries::say(name, refused.why);
  return refused.status;
}

namespace {

struct StatusText {
  cublasStatus_t status;
  const char* name;
  const char* text;
};

constexpr std::array statuses = {
    StatusText{CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "success"},
    StatusText{CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED",
               "there is no such handle"},
    StatusText{CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED", "no memory is left"},
    StatusText{CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE", "an argument is wrong"},
    StatusText{CUBLAS_STATUS_ARCH_MISMATCH, "CUBLAS_STATUS_ARCH_MISMATCH",
               "the device cannot do this"},
    StatusText{CUBLAS_STATUS_MAPPING_ERROR, "CUBLAS_STATUS_MAPPING_ERROR",
               "memory cannot be accessed"},
    StatusText{CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED",
               "the operation failed on the device"},
    StatusText{CUBLAS_STATUS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR", "an internal error"},
    StatusText{CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED", "not supported"},
    StatusText{CUBLAS_STATUS_LICENSE_ERROR, "CUBLAS_STATUS_LICENSE_ERROR", "a license is missing"}};

constexpr int version = CUBLAS_VERSION;

template <class T>
cublasStatus_t give_setting(const char* name, cublasHandle_t handle, T* place,
                            T cublasContext::*member) {
  return make_call(name, handle, [&](const Call& call) {
    require(place != nullptr, "the address for the answer is null");
    *place = call.context().*member;
    return CUBLAS_STATUS_SUCCESS;
  });
}
template <class T>
cublasStatus_t set_setting(const char* name, cublasHandle_t handle, T value,
                           T cublasContext::*member, bool is_valid) {
  return make_call(name, handle, [&](const Call&) {
    require(is_valid, "there is no such value");
    handle->*member = value;
    return CUBLAS_STATUS_SUCCESS;
  });
}

cublasLogCallback log_callback = nullptr;  // is never called: the machine tells by its report

}  // namespace
}  // namespace bankproof::cuda::blas

using bankproof::cuda::blas::Call;
using bankproof::cuda::blas::handles;
using bankproof::cuda::blas::make_call;

extern "C" {
cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
  if (handle == nullptr) {
    bankproof::cuda::libraries::say("cublasCreate", "the address for the handle is null");
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  *handle = handles().make();
  return CUBLAS_STATUS_SUCCESS;
}
// CUDA waits for the device here.
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  return make_call("cublasDestroy", handle, [&](const Call&) {
    cudaDeviceSynchronize();
    handles().destroy(handle);
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int* version) {
  return make_call("cublasGetVersion", handle, [&](const Call&) {
    bankproof::cuda::blas::require(version != nullptr, "the address for the answer is null");
    *version = bankproof::cuda::blas::version;
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus_t cublasGetProperty(libraryPropertyType property, int* value) {
  if (value == nullptr || property < MAJOR_VERSION || property > PATCH_LEVEL) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  constexpr std::array values = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
  *value = values[static_cast<std::size_t>(property)];
  return CUBLAS_STATUS_SUCCESS;
}
size_t cublasGetCudartVersion(void) {
  int version = 0;
  cudaRuntimeGetVersion(&version);
  return static_cast<size_t>(version);
}
// The machine's computations need no memory of the program.
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void* workspace, size_t bytes) {
  return make_call("cublasSetWorkspace", handle, [&](const Call&) {
    bankproof::cuda::blas::require(workspace != nullptr || bytes == 0, "the workspace is null");
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
  return make_call("cublasSetStream", handle, [&](const Call& call) {
    if (bankproof_library_has_stream(call.name(), stream) == 0) return CUBLAS_STATUS_INVALID_VALUE;
    handle->stream = stream;
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t* stream) {
  return bankproof::cuda::blas::give_setting("cublasGetStream", handle, stream,
                                             &cublasContext::stream);
}
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t* mode) {
  return bankproof::cuda::blas::give_setting("cublasGetPointerMode", handle, mode,
                                             &cublasContext::pointer_mode);
}
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode) {
  return bankproof::cuda::blas::set_setting(
      "cublasSetPointerMode", handle, mode, &cublasContext::pointer_mode,
      mode == CUBLAS_POINTER_MODE_HOST || mode == CUBLAS_POINTER_MODE_DEVICE);
}
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode) {
  return bankproof::cuda::blas::give_setting("cublasGetAtomicsMode", handle, mode,
                                             &cublasContext::atomics);
}
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode) {
  return bankproof::cuda::blas::set_setting(
      "cublasSetAtomicsMode", handle, mode, &cublasContext::atomics,
      mode == CUBLAS_ATOMICS_NOT_ALLOWED || mode == CUBLAS_ATOMICS_ALLOWED);
}
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
  return bankproof::cuda::blas::give_setting("cublasGetMathMode", handle, mode,
                                             &cublasContext::math);
}
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  constexpr unsigned flag = CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION;
  const unsigned plain = static_cast<unsigned>(mode) & ~flag;
  return bankproof::cuda::blas::set_setting(
      "cublasSetMathMode", handle, mode, &cublasContext::math,
      plain <= CUBLAS_FP32_EMULATED_BF16X9_MATH || plain == CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH);
}
cublasStatus_t cublasGetSmCountTarget(cublasHandle_t handle, int* count) {
  return bankproof::cuda::blas::give_setting("cublasGetSmCountTarget", handle, count,
                                             &cublasContext::sm_count);
}
cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int count) {
  return bankproof::cuda::blas::set_setting("cublasSetSmCountTarget", handle, count,
                                            &cublasContext::sm_count, count >= 0);
}
const char* cublasGetStatusName(cublasStatus_t status) {
  for (const auto& one : bankproof::cuda::blas::statuses) {
    if (one.status == status) return one.name;
  }
  return "unknown status";
}
const char* cublasGetStatusString(cublasStatus_t status) {
  for (const auto& one : bankproof::cuda::blas::statuses) {
    if (one.status == status) return one.text;
  }
  return "unknown status";
}
cublasStatus_t cublasLoggerConfigure(int, int, int, const char*) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasSetLoggerCallback(cublasLogCallback callback) {
  bankproof::cuda::blas::log_callback = callback;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetLoggerCallback(cublasLogCallback* callback) {
  if (callback == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *callback = bankproof::cuda::blas::log_callback;
  return CUBLAS_STATUS_SUCCESS;
}
}
