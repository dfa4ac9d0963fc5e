// Functions by their names: cuGetProcAddress, and CUDA's runtime's cudaGetDriverEntryPoint.
//
// A function may have had several forms. The version of CUDA for which a program was written says
// which of them it means; versions.def says when they changed. A form may also have a version for
// default streams of threads (per_thread.def).
#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>

#include "../runtime/default_stream.hpp"
#include "calls.hpp"
#include "table.hpp"

namespace bankproof::cuda::driver {

namespace {

constexpr int newest_version = 13000;
/// CUDA 7.0 introduced default streams of threads.
constexpr int first_version_of_threads = 7000;

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

void* find(std::span<const DriverFunction> functions, const std::string& name) {
  for (const DriverFunction& one : functions) {
    if (name == one.name) return reinterpret_cast<void*>(one.function);
  }
  return nullptr;
}

void* find(const std::string& name) {
  return find(std::span(bankproof_driver_functions, bankproof_driver_function_count), name);
}
void* find_of_threads(const std::string& name) {
  const std::span functions(bankproof_driver_functions_of_threads,
                            bankproof_driver_function_of_threads_count);
  void* const with_default_stream = find(functions, name + "_ptds");
  return with_default_stream != nullptr ? with_default_stream : find(functions, name + "_ptsz");
}

/// The name of the form that programs for this version of CUDA mean.
std::string name_of_form(const char* name, int version) {
  int number = 1;
  for (const Form& form : forms) {
    if (std::string_view(name) == form.name && form.since <= version) number = form.number;
  }
  return number == 1 ? name : fmt::format("{}_v{}", name, number);
}

/// The flags 0 mean what the caller's own default stream is.
bool means_default_streams_of_threads(unsigned long long flags) {
  const bool names_one = (flags & (CU_GET_PROC_ADDRESS_LEGACY_STREAM |
                                   CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM)) != 0;
  if (!names_one) return default_stream() == cudaStreamPerThread;
  return (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) != 0;
}

CUresult get(const char* call, const char* name, void** function, int version,
             unsigned long long flags) {
  *function = nullptr;
  if (version > newest_version) {
    return fail(call, CUDA_ERROR_INVALID_VALUE,
                fmt::format("version {} is later than the driver's, {}", version, newest_version));
  }
  constexpr unsigned long long known =
      CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  if ((flags & ~known) != 0) {
    return fail(call, CUDA_ERROR_INVALID_VALUE,
                fmt::format("there is no flag {:#x}", flags & ~known));
  }
  const std::string form = name_of_form(name, version);
  if (version >= first_version_of_threads && means_default_streams_of_threads(flags)) {
    *function = find_of_threads(form);
  }
  if (*function == nullptr) *function = find(form);
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
