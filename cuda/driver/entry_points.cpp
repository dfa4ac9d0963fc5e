// Functions by their names: cuGetProcAddress, and CUDA's runtime's cudaGetDriverEntryPoint.
//
// A function may have had several forms. The version of CUDA for which a program was written says
// which of them it means; versions.def says when they changed.
#include <fmt/format.h>

#include <cstring>
#include <string>

#include "calls.hpp"
#include "table.hpp"

namespace bankproof::cuda::driver {

namespace {

constexpr int newest_version = 13000;

struct Form {
  const char* name;
  int number;
  int since;  // 12050 for CUDA 12.5
};
constexpr Form forms[] = {
#define version(name, number, since) {#name, number, since},
#include "versions.def"
#undef version
};

void* find(const std::string& name) {
  for (unsigned k = 0; k < bankproof_driver_function_count; ++k) {
    const DriverFunction& one = bankproof_driver_functions[k];
    if (name == one.name) return reinterpret_cast<void*>(one.function);
  }
  return nullptr;
}

/// The form that programs for this version of CUDA mean; null if there is none.
void* find(const std::string& name, int version) {
  int number = 1;
  for (const Form& form : forms) {
    if (name == form.name && form.since <= version) number = form.number;
  }
  return find(number == 1 ? name : fmt::format("{}_v{}", name, number));
}

CUresult get(const char* call, const char* name, void** function, int version,
             unsigned long long flags) {
  *function = nullptr;
  if (version > newest_version) {
    return fail(call, CUDA_ERROR_INVALID_VALUE,
                fmt::format("version {} is later than the driver's, {}", version, newest_version));
  }
  if (flags == CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) {
    return fail(call, CUDA_ERROR_NOT_SUPPORTED,
                "the functions for default streams of threads are not implemented yet");
  }
  *function = find(name, version);
  return CUDA_SUCCESS;
}

}  // namespace
}  // namespace bankproof::cuda::driver

using namespace bankproof::cuda::driver;  // NOLINT(google-build-using-namespace)
using bankproof::cuda::Runtime;

extern "C" {
CUresult cuGetProcAddress_v2(const char* name, void** function, int version, cuuint64_t flags,
                             CUdriverProcAddressQueryResult* status) {
  return at_any_time("cuGetProcAddress", {name, function}, [&] {
    const CUresult error = get("cuGetProcAddress", name, function, version, flags);
    if (status != nullptr) {
      *status =
          *function != nullptr ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    }
    return error;
  });
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned version,
                                             unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult* status) {
  if (name == nullptr || function == nullptr) {
    return Runtime::fail(cudaErrorInvalidValue, "cudaGetDriverEntryPoint: a null pointer");
  }
  const CUresult error =
      get("cudaGetDriverEntryPoint", name, function, static_cast<int>(version), flags);
  if (status != nullptr) {
    *status =
        *function != nullptr ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  }
  return static_cast<cudaError_t>(error);
}
cudaError_t cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult* status) {
  return cudaGetDriverEntryPointByVersion(name, function, newest_version, flags, status);
}
}
