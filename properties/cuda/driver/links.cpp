// Modules that programs link by the driver API.
#include <cstring>
#include <string>

#include "support.hpp"

namespace bankproof::cuda::tests {
namespace {

using ::testing::HasSubstr;

const std::string header = ".version 7.5\n.target sm_80\n.address_size 64\n";
/// A kernel that writes what a function of another module returns.
const std::string caller = header + R"(
.extern .func (.param .b32 result) answer();
.visible .entry write(.param .u64 place) {
  .reg .b32 %r<2>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [place];
  cvta.to.global.u64 %rd2, %rd1;
  { .param .b32 got;
    call.uni (got), answer;
    ld.param.b32 %r1, [got]; }
  st.global.u32 [%rd2], %r1;
  ret;
}
)";
const std::string callee = header + R"(
.visible .func (.param .b32 result) answer() {
  .reg .b32 %r<2>;
  mov.u32 %r1, 42;
  st.param.b32 [result], %r1;
  ret;
}
)";

class DriverLinks : public WithContext {
 protected:
  CUresult add(const std::string& text, CUjitInputType type = CU_JIT_INPUT_PTX) {
    std::string bytes = text;
    return cuLinkAddData(link_, type, bytes.data(), bytes.size(), "a.ptx", 0, nullptr, nullptr);
  }
  void create(unsigned count = 0, CUjit_option* options = nullptr, void** values = nullptr) {
    ASSERT_EQ(cuLinkCreate(count, options, values, &link_), CUDA_SUCCESS);
  }

  CUlinkState link_ = nullptr;
  void* image_ = nullptr;
  size_t size_ = 0;
};

TEST_F(DriverLinks, let_functions_of_one_module_call_those_of_another) {
  create();
  EXPECT_EQ(add(caller), CUDA_SUCCESS);
  EXPECT_EQ(add(callee), CUDA_SUCCESS);
  ASSERT_EQ(cuLinkComplete(link_, &image_, &size_), CUDA_SUCCESS);
  EXPECT_EQ(std::strlen(static_cast<char*>(image_)) + 1, size_);
  CUmodule module = nullptr;
  CUfunction kernel = nullptr;
  CUdeviceptr place = 0;
  ASSERT_EQ(cuModuleLoadData(&module, image_), CUDA_SUCCESS);
  EXPECT_EQ(cuLinkDestroy(link_), CUDA_SUCCESS);
  ASSERT_EQ(cuModuleGetFunction(&kernel, module, "write"), CUDA_SUCCESS);
  ASSERT_EQ(cuMemAlloc(&place, 4), CUDA_SUCCESS);
  void* arguments[] = {&place};
  EXPECT_EQ(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr), CUDA_SUCCESS);
  unsigned answer = 0;
  EXPECT_EQ(cuMemcpyDtoH(&answer, place, 4), CUDA_SUCCESS);
  EXPECT_EQ(answer, 42U);
  EXPECT_EQ(cuMemFree(place), CUDA_SUCCESS);
  EXPECT_EQ(cuModuleUnload(module), CUDA_SUCCESS);
}

TEST_F(DriverLinks, name_the_function_that_nobody_defines) {
  char log[200] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  // NOLINTNEXTLINE(performance-no-int-to-ptr): CUDA keeps sizes where values of options are.
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  create(2, options, values);
  EXPECT_EQ(add(caller), CUDA_SUCCESS);
  EXPECT_EQ(add(header), CUDA_SUCCESS);
  EXPECT_EQ(cuLinkComplete(link_, &image_, &size_), CUDA_ERROR_INVALID_PTX);
  EXPECT_THAT(log, HasSubstr("answer"));
  EXPECT_EQ(cuLinkDestroy(link_), CUDA_SUCCESS);
}

TEST_F(DriverLinks, refuse_inputs_that_are_no_ptx) {
  create();
  EXPECT_EQ(cuLinkComplete(link_, &image_, &size_), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(add(header + "nonsense"), CUDA_ERROR_INVALID_PTX);
  EXPECT_EQ(add("\x7f"
                "ELF"),
            CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(add(callee, CU_JIT_INPUT_CUBIN), CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(add(callee, CU_JIT_INPUT_LIBRARY), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(add(callee, CU_JIT_NUM_INPUT_TYPES), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuLinkAddFile(link_, CU_JIT_INPUT_PTX, "/nowhere/a.ptx", 0, nullptr, nullptr),
            CUDA_ERROR_FILE_NOT_FOUND);
  EXPECT_EQ(cuLinkComplete(link_, nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuLinkDestroy(link_), CUDA_SUCCESS);
  EXPECT_EQ(cuLinkDestroy(link_), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(add(callee), CUDA_ERROR_INVALID_HANDLE);
}

}  // namespace
}  // namespace bankproof::cuda::tests
