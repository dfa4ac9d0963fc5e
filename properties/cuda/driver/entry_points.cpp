// Every function is found by its name, in the form that a program of a version of CUDA means.
#include <algorithm>
#include <cstring>
#include <string>

#include "../../../cuda/driver/table.hpp"
#include "support.hpp"

namespace bankproof::cuda::tests {
namespace {

const void* in_table(const std::string& name) {
  const auto* const end = bankproof_driver_functions + bankproof_driver_function_count;
  const auto* const found = std::find_if(bankproof_driver_functions, end,
                                         [&](const auto& one) { return name == one.name; });
  return found == end ? nullptr : reinterpret_cast<const void*>(found->function);
}

const void* by_name(const char* name, int version) {
  void* function = nullptr;
  CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
  EXPECT_EQ(cuGetProcAddress(name, &function, version, 0, &status), CUDA_SUCCESS);
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

}  // namespace
}  // namespace bankproof::cuda::tests
