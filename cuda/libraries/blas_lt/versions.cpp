// The versions and names that cublasLt tells.
#include <array>

#include "descriptors.hpp"

using bankproof::cuda::blas_lt::make_call;
using bankproof::cuda::blas_lt::require;

namespace {

struct StatusText {
  cublasStatus_t status;
  const char* name;
  const char* text;
};
constexpr std::array lt_statuses = {
    StatusText{CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "success"},
    StatusText{CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED",
               "there is no such handle"},
    StatusText{CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE", "an argument is wrong"},
    StatusText{CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED",
               "the operation failed on the device"},
    StatusText{CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED", "not supported"}};
constexpr StatusText other_status{CUBLAS_STATUS_INTERNAL_ERROR, "another status of cuBLAS",
                                  "another status of cuBLAS"};

const StatusText& text_of_status(cublasStatus_t status) {
  for (const StatusText& one : lt_statuses) {
    if (one.status == status) return one;
  }
  return other_status;
}

}  // namespace

extern "C" {
size_t cublasLtGetVersion(void) { return CUBLAS_VERSION; }
size_t cublasLtGetCudartVersion(void) { return CUDART_VERSION; }
cublasStatus_t cublasLtGetProperty(libraryPropertyType property, int* value) {
  return make_call("cublasLtGetProperty", [&] {
    require(value != nullptr, "the address for the value is null");
    require(property >= MAJOR_VERSION && property <= PATCH_LEVEL, "there is no such property");
    constexpr std::array values = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
    *value = values[static_cast<std::size_t>(property)];
  });
}
const char* cublasLtGetStatusName(cublasStatus_t status) { return text_of_status(status).name; }
const char* cublasLtGetStatusString(cublasStatus_t status) { return text_of_status(status).text; }
}
