// Device code that a program loads when it runs.
#include <cstdlib>
#include <fstream>
#include <string>

#include "../../../cuda/runtime/reports.hpp"
#include "support.hpp"

namespace bankproof::cuda::tests {
namespace {

using ::testing::Each;

const std::string code = R"(.version 7.0
.target sm_80
.address_size 64
.visible .global .align 4 .u32 added = 5;
.visible .entry add_variable(.param .u64 numbers)
{
  .reg .b64 %rd<4>;
  .reg .b32 %r<4>;
  ld.param.u64 %rd1, [numbers];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r2, [%rd3];
  ld.global.u32 %r3, [added];
  add.s32 %r2, %r2, %r3;
  st.global.u32 [%rd3], %r2;
  ret;
}
)";

cudaError_t load(cudaLibrary_t* library, const char* text) {
  return cudaLibraryLoadData(library, text, nullptr, nullptr, 0, nullptr, nullptr, 0);
}

TEST(Libraries, have_kernels_and_variables) {
  take_launches();
  cudaLibrary_t library = nullptr;
  ASSERT_EQ(load(&library, code.c_str()), cudaSuccess);
  unsigned count = 0;
  EXPECT_EQ(cudaLibraryGetKernelCount(&count, library), cudaSuccess);
  EXPECT_EQ(count, 1U);
  cudaKernel_t kernel = nullptr, listed = nullptr;
  EXPECT_EQ(cudaLibraryGetKernel(&kernel, library, "add_variable"), cudaSuccess);
  EXPECT_EQ(cudaLibraryEnumerateKernels(&listed, 1, library), cudaSuccess);
  EXPECT_EQ(listed, kernel);
  void* variable = nullptr;
  std::size_t variable_bytes = 0;
  EXPECT_EQ(cudaLibraryGetGlobal(&variable, &variable_bytes, library, "added"), cudaSuccess);
  EXPECT_EQ(variable_bytes, 4U);
  DeviceArray<int> numbers(size);
  EXPECT_EQ(cudaMemset(numbers.data(), 0, bytes), cudaSuccess);
  int* array = numbers.data();
  void* arguments[] = {&array};
  const auto launch = [&] {
    return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), 1, size, arguments, 0, nullptr);
  };
  EXPECT_EQ(launch(), cudaSuccess);
  EXPECT_THAT(numbers.values(), Each(5));
  const int next = 7;
  EXPECT_EQ(cudaMemcpy(variable, &next, 4, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(launch(), cudaSuccess);
  EXPECT_THAT(numbers.values(), Each(12));
  const char* name = nullptr;
  EXPECT_EQ(cudaFuncGetName(&name, reinterpret_cast<const void*>(kernel)), cudaSuccess);
  EXPECT_STREQ(name, "add_variable");
  EXPECT_EQ(cudaLibraryUnload(library), cudaSuccess);
  EXPECT_EQ(launch(), cudaErrorInvalidDeviceFunction);
  cudaGetLastError();
  expect_no_faults();
}

TEST(Libraries, are_read_from_files) {
  const std::string path = testing::TempDir() + "code.ptx";
  std::ofstream(path) << code;
  cudaLibrary_t library = nullptr;
  const auto load_file = [&](const char* file) {
    return cudaLibraryLoadFromFile(&library, file, nullptr, nullptr, 0, nullptr, nullptr, 0);
  };
  EXPECT_EQ(load_file(path.c_str()), cudaSuccess);
  EXPECT_EQ(cudaLibraryUnload(library), cudaSuccess);
  EXPECT_EQ(load_file("/nowhere/code.ptx"), cudaErrorFileNotFound);
  EXPECT_EQ(load_file(nullptr), cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST(Libraries, of_bad_input_are_refused) {
  cudaLibrary_t library = nullptr;
  EXPECT_EQ(load(nullptr, code.c_str()), cudaErrorInvalidValue);
  EXPECT_EQ(load(&library, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(load(&library, ""), cudaErrorInvalidKernelImage);
  EXPECT_EQ(load(&library, "not PTX"), cudaErrorInvalidKernelImage);
  EXPECT_EQ(load(&library,
                 "\x7f"
                 "ELF"),
            cudaErrorNoKernelImageForDevice);
  ASSERT_EQ(load(&library, code.c_str()), cudaSuccess);
  cudaKernel_t kernel = nullptr;
  EXPECT_EQ(cudaLibraryGetKernel(&kernel, library, "nothing"), cudaErrorSymbolNotFound);
  void* variable = nullptr;
  EXPECT_EQ(cudaLibraryGetGlobal(&variable, nullptr, library, "nothing"), cudaErrorInvalidSymbol);
  EXPECT_EQ(cudaLibraryUnload(library), cudaSuccess);
  EXPECT_EQ(cudaLibraryUnload(library), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaLibraryGetKernel(&kernel, library, "add_variable"), cudaErrorInvalidResourceHandle);
  cudaGetLastError();
}

}  // namespace
}  // namespace bankproof::cuda::tests
