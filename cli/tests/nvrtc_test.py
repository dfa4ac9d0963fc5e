"""Programs that compile kernels by NVRTC and launch them by the driver API, and NVRTC's bad input. nvcc
compiles if the test has the toolkit, else clang.
"""

import os
import unittest

from driver_support import BEGIN, DriverPrograms
from exec_support import CLANG, FINDING, NVCC
from program import CLEAN, needs

COMPILER = "a compiler of CUDA"
LIBRARIES = ("libnvrtc.so.13", "libcuda.so.1")
HEAD = "#include <nvrtc.h>\n#include <string>\n" + BEGIN + r"""
void failed(nvrtcProgram program, nvrtcResult result) {
  size_t size = 0;
  nvrtcGetProgramLogSize(program, &size);
  std::string log(size, '\0');
  nvrtcGetProgramLog(program, log.data());
  std::printf("%s\n%s\n", nvrtcGetErrorString(result), log.c_str());
}
"""
LAUNCH = r"""
  size_t size = 0;
  nvrtcGetPTXSize(program, &size);
  std::string ptx(size, '\0');
  nvrtcGetPTX(program, ptx.data());
  // What stands for machine code of a chip is the PTX.
  std::string code(size, '\1');
  std::size_t code_size = 0;
  nvrtcGetCUBINSize(program, &code_size);
  std::printf("%d ", nvrtcGetCUBIN(program, code.data()));
  std::printf("%d\n", code_size == size && code == ptx);
  const char* name = "";
  std::printf("%d\n", nvrtcGetLoweredName(program, "add<float, 4>", &name));
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction kernel;
  CUdeviceptr a;
  TRY(cuInit(0));
  TRY(cuDeviceGet(&device, 0));
  TRY(cuCtxCreate(&context, 0, device));
  TRY(cuModuleLoadData(&module, ptx.c_str()));
  TRY(cuModuleGetFunction(&kernel, module, name));
  TRY(cuMemAlloc(&a, 16));
  float words[4] = {1, 2, 3, 4}, more = 0.5F;
  TRY(cuMemcpyHtoD(a, words, 16));
  void* arguments[] = {&a, &more};
  TRY(cuLaunchKernel(kernel, 1, 1, 1, THREADS, 1, 1, 0, nullptr, arguments, nullptr));
  TRY(cuMemcpyDtoH(words, a, 16));
  std::printf("%g %g\n", words[0], words[3]);
  TRY(cuMemFree(a));
  nvrtcProgram same = program;
  show({nvrtcDestroyProgram(&program), nvrtcDestroyProgram(&same), nvrtcCompileProgram(same, 0, nullptr)});
"""
TEMPLATE = r"""int main() {
  const char* const source =
      "#include \"parts/adding.h\"\n"
      "template <class T, int n>\n"
      "__global__ void add(T* a, T b) {\n"
      "  const int i = threadIdx.x;\n"
      "  a[i] = added(a[i], b) * SCALE;\n"
      "}\n";
  const char* const header = "template <class T> __device__ T added(T a, T b) { return a + b; }\n";
  const char* const names[] = {"parts/adding.h"};
  nvrtcProgram program;
  std::printf("%d\n", nvrtcCreateProgram(&program, source, "add.cu", 1, &header, names));
  std::printf("%d\n", nvrtcAddNameExpression(program, "add<float, 4>"));
  const char* const options[] = {"--gpu-architecture=sm_80", "-D", "SCALE=2", "--std=c++17", "-lineinfo"};
  const nvrtcResult result = nvrtcCompileProgram(program, 5, options);
  if (result != NVRTC_SUCCESS) failed(program, result);
"""


class Nvrtc(DriverPrograms):
    def exec(self, program, *arguments, options=(), **more):
        more["env"] = {**os.environ, "BANKPROOF_CUDA_COMPILER": NVCC or CLANG or ""}
        return super().exec(program, *arguments, options=options, **more)

    @needs(NVCC or CLANG, COMPILER)
    def test_a_template_is_compiled_and_launched(self):
        text = HEAD + "#define THREADS 4\n" + TEMPLATE + LAUNCH
        code, output, report = self.exec(self.program(text, *LIBRARIES), options=["--leak-check", "full"])
        self.assertEqual((code, output), (CLEAN, "0\n0\n0 1\n0\n3 9\n0 4 4\n"), report)
        self.assertIn("void add<float, 4>(float*, float) on hmm", report)

    @needs(NVCC or CLANG, COMPILER)
    def test_findings_name_lines_of_the_source(self):
        text = HEAD + "#define THREADS 5\n" + TEMPLATE + LAUNCH
        code, _, report = self.exec(self.program(text, *LIBRARIES))
        self.assertEqual(code, FINDING, report)
        self.assertRegex(report, r"(?m)^add\.cu:5: out_of_bounds: ")

    @needs(NVCC or CLANG, COMPILER)
    def test_headers_lie_in_the_folder_of_the_name(self):
        os.makedirs(os.path.join(self.folder, "parts"), exist_ok=True)
        with open(os.path.join(self.folder, "parts", "nearby.h"), "w", encoding="utf-8") as file:
            file.write("#define NOTHING\n")
        _, output, report = self.exec(self.program("#include <unistd.h>\n" + HEAD + r"""
int main(int, char** words) {
  if (chdir(words[1]) != 0) return 9;
  const char* const source = "#include \"nearby.h\"\n__global__ void k() { NOTHING }\n";
  const char* const option = "--no-source-include";
  nvrtcProgram program;
  nvrtcCreateProgram(&program, source, "parts/k.cu", 0, nullptr, nullptr);
  show({nvrtcCompileProgram(program, 0, nullptr), nvrtcCompileProgram(program, 1, &option)});
""", *LIBRARIES), self.folder)
        self.assertEqual(output, "0 6\n", report)

    @needs(NVCC or CLANG, COMPILER)
    def test_sources_that_do_not_compile(self):
        code, output, report = self.exec(self.program(HEAD + r"""
int main() {
  nvrtcProgram program;
  nvrtcCreateProgram(&program, "__global__ void k() {\n  nothing;\n}\n", "bad.cu", 0, nullptr, nullptr);
  const nvrtcResult result = nvrtcCompileProgram(program, 0, nullptr);
  failed(program, result);
  size_t size = 0;
  const char* name = nullptr;
  show({nvrtcGetPTXSize(program, &size), nvrtcGetLoweredName(program, "k", &name)});
""", *LIBRARIES))
        self.assertNotEqual(code, CLEAN, report)
        self.assertIn("NVRTC_ERROR_COMPILATION\n", output)
        self.assertRegex(output, r"(?m)^bad\.cu[:(]2\b.*nothing")
        self.assertTrue(output.endswith("\n4 9\n"), output)

    @needs(NVCC or CLANG, COMPILER)
    def test_names_and_options_that_do_not_exist(self):
        code, output, report = self.exec(self.program(HEAD + r"""
int main() {
  nvrtcProgram program;
  const char* const source = "extern \"C\" __global__ void k(int* a) { *a = 1; }\n__constant__ int table[4];\n"
                             "__global__ void use(int* a) { *a = table[0]; }\n";
  nvrtcCreateProgram(&program, source, nullptr, 0, nullptr, nullptr);
  const char* const unknown[] = {"--nothing=1"};
  show({nvrtcCompileProgram(program, 1, unknown)});
  nvrtcDestroyProgram(&program);
  nvrtcCreateProgram(&program, source, nullptr, 0, nullptr, nullptr);
  show({nvrtcAddNameExpression(program, "k"), nvrtcAddNameExpression(program, "&table")});
  const nvrtcResult result = nvrtcCompileProgram(program, 0, nullptr);
  if (result != NVRTC_SUCCESS) failed(program, result);
  const char *first = "", *second = "";
  show({nvrtcGetLoweredName(program, "k", &first), nvrtcGetLoweredName(program, "&table", &second),
        nvrtcGetLoweredName(program, "other", &second), nvrtcAddNameExpression(program, "use")});
  std::printf("%s %s\n", first, second);
  size_t size = 1;
  char cubin[1];
  show({nvrtcGetCUBINSize(program, &size), (int)size, nvrtcGetCUBIN(program, cubin)});
  const char* header = "";
  const char* outside = "../x.h";
  show({nvrtcCreateProgram(nullptr, source, "a.cu", 0, nullptr, nullptr),
        nvrtcCreateProgram(&program, nullptr, "a.cu", 0, nullptr, nullptr),
        nvrtcCreateProgram(&program, source, "a.cu", 1, &header, &outside),
        nvrtcCreateProgram(&program, source, "a.cu", 1, nullptr, nullptr),
        nvrtcCompileProgram((nvrtcProgram)&size, 0, nullptr), nvrtcGetPTX(nullptr, cubin)});
""", *LIBRARIES))
        self.assertNotEqual(code, CLEAN, report)  # nothing was launched
        self.assertEqual(output, "5\n0 0\n0 0 10 8\nk table\n0 0 4\n3 3 3 3 4 4\n", report)


if __name__ == "__main__":
    unittest.main()
