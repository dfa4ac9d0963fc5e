"""Programs that use CUDA's driver API or NVRTC, for the tests of `bankproof exec`. They are plain C++ and
hold their kernels as PTX text, so that a C++ compiler is enough to build them.
"""

import os

from exec_support import LIBRARIES, SOURCE, Programs

CXX = os.environ.get("CXX") or "c++"

SHOW = r"""#include <cuda.h>
#include <cstdio>
#include <initializer_list>
#include <utility>
// A list is evaluated in order.
void show(std::initializer_list<int> results) {
  const char* before = "";
  for (const int result : results) std::printf("%s%d", std::exchange(before, " "), result);
  std::printf("\n");
}
"""

# What all programs begin with. A failed call is printed with its line, and the program goes on.
BEGIN = r"""#include <cuda.h>
#include <cstdio>
#include <cstring>
#include <vector>
#define TRY(call) tried(__LINE__, call)
CUresult tried(int line, CUresult error) {
  const char* name = nullptr;
  if (error != CUDA_SUCCESS && cuGetErrorName(error, &name) == CUDA_SUCCESS) std::printf("%d %s\n", line, name);
  return error;
}
""" + SHOW + r"""const char* const scale = R"(
.version 7.5
.target sm_80
.address_size 64
.visible .global .align 4 .u32 factor = 3;
.visible .const .align 4 .u32 shift = 5;
.visible .entry scale(.param .u64 array, .param .u32 count) {
  .reg .pred %p<2>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [array];
  ld.param.u32 %r1, [count];
  mov.u32 %r2, %tid.x;
  setp.ge.u32 %p1, %r2, %r1;
  @%p1 bra done;
  cvta.to.global.u64 %rd2, %rd1;
  mul.wide.u32 %rd3, %r2, 4;
  add.s64 %rd4, %rd2, %rd3;
  ld.global.u32 %r3, [%rd4];
  ld.global.u32 %r4, [factor];
  ld.const.u32 %r5, [shift];
  mad.lo.u32 %r6, %r3, %r4, %r5;
  st.global.u32 [%rd4], %r6;
done:
  ret;
}
)";
"""

# The same with a context, a module and an array of 64 words, 0 to 63.
READY = BEGIN + r"""int main(int argc, char**) {
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction kernel;
  CUdeviceptr a;
  TRY(cuInit(0));
  TRY(cuDeviceGet(&device, 0));
  TRY(cuCtxCreate(&context, 0, device));
  TRY(cuModuleLoadData(&module, scale));
  TRY(cuModuleGetFunction(&kernel, module, "scale"));
  TRY(cuMemAlloc(&a, 256));
  std::vector<unsigned> words(64);
  for (unsigned i = 0; i < 64; ++i) words[i] = i;
  TRY(cuMemcpyHtoD(a, words.data(), 256));
  unsigned count = 64;
  void* arguments[] = {&a, &count};
  auto launch = [&](CUstream stream = nullptr) {
    return cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, stream, arguments, nullptr);
  };
  auto show_words = [&] {
    TRY(cuMemcpyDtoH(words.data(), a, 256));
    std::printf("%u %u\n", words[0], words[63]);
  };
"""


class DriverPrograms(Programs):
    def program(self, text, *libraries, end="}\n", options=()):
        """Builds the program and returns its path."""
        source = self.file("main.cpp", text + end)
        program = os.path.join(self.folder, "program")
        headers = os.path.join(SOURCE, "cuda", "headers")
        self.do([CXX, "-g", "-std=c++17", *options, f"-I{headers}", source, "-o", program, f"-L{LIBRARIES}",
                 *(f"-l:{library}" for library in libraries or ("libcuda.so.1",)), "-ldl"])
        return program

    def line(self, text, part):
        """The number of the only line of a program that has this part."""
        numbers = [number for number, line in enumerate(text.split("\n"), 1) if part in line]
        self.assertEqual(len(numbers), 1, part)
        return numbers[0]
