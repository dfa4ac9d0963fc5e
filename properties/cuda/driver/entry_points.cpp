// Every function is found by its name, in the form that a program of a version of CUDA means.
#include <algorithm>
#include <cstring>
#include <span>
#include <string>

#include "../../../cuda/driver/table.hpp"
#include "support.hpp"

namespace bankproof::cuda::tests {
namespace {

using driver::DriverFunction;

const void* in_table(std::span<const DriverFunction> table, const std::string& name) {
  const auto found = std::ranges::find_if(table, [&](const auto& one) { return name == one.name; });
  return found == table.end() ? nullptr : reinterpret_cast<const void*>(found->function);
}

const void* in_table(const std::string& name) {
  return in_table(std::span(bankproof_driver_functions, bankproof_driver_function_count), name);
}

std::span<const DriverFunction> functions_of_threads() {
  return {bankproof_driver_functions_of_threads, bankproof_driver_function_of_threads_count};
}
const void* in_table_of_threads(const std::string& name) {
  return in_table(functions_of_threads(), name);
}

const void* by_name(const char* name, int version, unsigned long long flags = 0) {
  void* function = nullptr;
  CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
  EXPECT_EQ(cuGetProcAddress(name, &function, version, flags, &status), CUDA_SUCCESS);
  EXPECT_EQ(status == CU_GET_PROC_ADDRESS_SUCCESS, function != nullptr);
  return function;
}

TEST(EntryPoints, are_in_the_table_by_name) {
  EXPECT_EQ(in_table("cuInit"), reinterpret_cast<const void*>(&cuInit));
  EXPECT_EQ(in_table("cuMemAlloc_v2"), reinterpret_cast<const void*>(&cuMemAlloc_v2));
  EXPECT_EQ(in_table("cuLaunchKernel"), reinterpret_cast<const void*>(&cuLaunchKernel));
  for (unsigned k = 0; k < bankproof_driver_function_count; ++k) {
    EXPECT_NE(bankproof_driver_functions[k].function, nullptr);
  }
}

TEST(EntryPoints, have_the_form_that_the_version_means) {
  struct Form {
    const char* name;
    int number;
    int since;
  };
  constexpr Form forms[] = {
#define version(name, number, since) {#name, number, since},
#include "../../../cuda/driver/versions.def"
#undef version
  };
  for (const Form& form : forms) {
    const auto named = [&](int number) {
      const std::string suffix = number == 1 ? "" : "_v" + std::to_string(number);
      return in_table(form.name + suffix);
    };
    EXPECT_NE(named(form.number), nullptr) << form.name;
    EXPECT_EQ(by_name(form.name, form.since), named(form.number)) << form.name;
    EXPECT_EQ(by_name(form.name, form.since - 1), named(form.number - 1)) << form.name;
  }
  EXPECT_EQ(by_name("cuNothing", 13000), nullptr);
}

TEST(EntryPoints, of_the_runtime_are_those_of_the_driver) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult status{};
  EXPECT_EQ(cudaGetDriverEntryPoint("cuMemAlloc", &function, 0, &status), cudaSuccess);
  EXPECT_EQ(status, cudaDriverEntryPointSuccess);
  EXPECT_EQ(function, reinterpret_cast<const void*>(&cuMemAlloc_v2));
  EXPECT_EQ(cudaGetDriverEntryPointByVersion("cuCtxCreate", &function, 12000, 0, &status),
            cudaSuccess);
  EXPECT_EQ(function, in_table("cuCtxCreate_v3"));
  EXPECT_EQ(cudaGetDriverEntryPoint("cuNothing", &function, 0, &status), cudaSuccess);
  EXPECT_EQ(status, cudaDriverEntryPointSymbolNotFound);
  EXPECT_EQ(cudaGetDriverEntryPoint(nullptr, &function, 0, nullptr), cudaErrorInvalidValue);
  cudaGetLastError();
}

constexpr auto of_threads = CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;

TEST(EntryPoints, have_versions_for_default_streams_of_threads) {
  EXPECT_NE(in_table_of_threads("cuMemcpyHtoD_v2_ptds"), nullptr);
  EXPECT_EQ(by_name("cuMemcpyHtoD", 13000, of_threads),
            in_table_of_threads("cuMemcpyHtoD_v2_ptds"));
  EXPECT_EQ(by_name("cuLaunchKernel", 13000, of_threads),
            in_table_of_threads("cuLaunchKernel_ptsz"));
  EXPECT_EQ(by_name("cuStreamGetCaptureInfo", 11030, of_threads),
            in_table_of_threads("cuStreamGetCaptureInfo_v2_ptsz"));
  // CUDA 6.5 has no such streams, and no stream matters to cuMemAlloc.
  EXPECT_EQ(by_name("cuLaunchKernel", 6050, of_threads), in_table("cuLaunchKernel"));
  EXPECT_EQ(by_name("cuMemAlloc", 13000, of_threads), in_table("cuMemAlloc_v2"));
  EXPECT_EQ(by_name("cuLaunchKernel", 13000, CU_GET_PROC_ADDRESS_LEGACY_STREAM),
            in_table("cuLaunchKernel"));
  EXPECT_EQ(by_name("cuLaunchKernel", 13000), in_table("cuLaunchKernel"));
  void* function = nullptr;
  EXPECT_EQ(cuGetProcAddress("cuLaunchKernel", &function, 13000, 4, nullptr),
            CUDA_ERROR_INVALID_VALUE);
  const char* looked = nullptr;
  EXPECT_EQ(cuGetErrorName(CUDA_ERROR_INVALID_VALUE, &looked), CUDA_SUCCESS);
}

TEST(EntryPoints, are_different_functions_only_where_the_stream_matters) {
  for (const DriverFunction& one : functions_of_threads()) {
    const std::string name = one.name;
    const std::string plain = name.substr(0, name.size() - std::string("_ptsz").size());
    ASSERT_NE(in_table(plain), nullptr) << name;
    EXPECT_NE(one.function, nullptr) << name;
  }
  EXPECT_EQ(in_table_of_threads("cuGraphicsMapResources_ptsz"), in_table("cuGraphicsMapResources"));
  EXPECT_NE(in_table_of_threads("cuMemcpy_ptds"), in_table("cuMemcpy"));
}

// As the toolkit's headers declare it for programs whose default streams are per thread.
extern "C" cudaError_t cudaGetDriverEntryPoint_ptsz(const char* name, void** function,
                                                    unsigned long long flags,
                                                    cudaDriverEntryPointQueryResult* status);

TEST(EntryPoints, of_the_runtime_follow_the_callers_default_stream) {
  const auto found = [](auto get, unsigned long long flags) {
    void* function = nullptr;
    EXPECT_EQ(get("cuLaunchKernel", &function, flags, nullptr), cudaSuccess);
    return static_cast<const void*>(function);
  };
  const void* const legacy = in_table("cuLaunchKernel");
  const void* const own = in_table_of_threads("cuLaunchKernel_ptsz");
  EXPECT_EQ(found(&cudaGetDriverEntryPoint_ptsz, cudaEnableDefault), own);
  EXPECT_EQ(found(&cudaGetDriverEntryPoint_ptsz, cudaEnableLegacyStream), legacy);
  EXPECT_EQ(found(&cudaGetDriverEntryPoint, cudaEnableDefault), legacy);
  EXPECT_EQ(found(&cudaGetDriverEntryPoint, cudaEnablePerThreadDefaultStream), own);
}

}  // namespace
}  // namespace bankproof::cuda::tests
