"""Programs that nvcc builds for `bankproof exec`: by make, by CMake, with linked device code, and with
libraries. Only the test with nvcc runs this file.
"""

import os
import unittest

from exec_support import FINDING, FLAGS, NVCC, Programs, program_of
from program import CLEAN, INPUT

KERNELS = """#include <cuda_runtime.h>
__global__ void times(int* a, int factor) { *a *= factor; }
extern "C" int multiplied(int n) {
  int* a = nullptr;
  cudaMalloc(&a, 4);
  cudaMemcpy(a, &n, 4, cudaMemcpyHostToDevice);
  times<<<1, 1>>>(a, 7);
  cudaMemcpy(&n, a, 4, cudaMemcpyDeviceToHost);
  cudaFree(a);
  return n;
}
"""

LOADER = r"""#include <cstdio>
#include <dlfcn.h>
int main() {
  for (int n = 1; n <= 3; ++n) {
    void* library = dlopen("./libkernels.so", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return std::puts(dlerror()), 9;
    auto multiplied = reinterpret_cast<int (*)(int)>(dlsym(library, "multiplied"));
    std::printf("%d\n", multiplied(n));
    dlclose(library);
  }
}
"""


class Builds(Programs):
    """Programs whose build files stay as they are, with nvcc's options in the environment."""

    VARIABLE = {"NVCC_APPEND_FLAGS": " ".join(FLAGS)}

    def setUp(self):
        super().setUp()
        self.file("main.cu", program_of(barrier=""))

    def expect_the_race(self, program):
        code, output, report = self.exec(program)
        self.assertEqual((code, output), (FINDING, "0\n"), report)
        self.assertRegex(report, r"main\.cu:[79]: race: ")

    def test_a_makefile(self):
        self.file("Makefile", "program: main.cu\n\tnvcc -O3 -arch=sm_80 $< -o $@\n")
        self.do(["make", "-C", self.folder], **self.VARIABLE)
        self.expect_the_race(os.path.join(self.folder, "program"))

    def test_cmake(self):
        self.file("CMakeLists.txt", """cmake_minimum_required(VERSION 3.25)
project(program LANGUAGES CXX CUDA)
add_executable(program main.cu)
""")
        build = os.path.join(self.folder, "build")
        self.do(["cmake", "-G", "Ninja", "-S", self.folder, "-B", build, "-DCMAKE_CUDA_ARCHITECTURES=80"],
                CUDACXX=NVCC, **self.VARIABLE)
        self.do(["cmake", "--build", build], **self.VARIABLE)
        self.expect_the_race(os.path.join(build, "program"))


class Parts(Programs):
    """Device code in several files, and in libraries."""

    def test_files_that_are_linked(self):
        program = self.build("""#include <cstdio>
extern __device__ int twice(int x);
extern __device__ int number;
__global__ void kernel(int* out) { *out = twice(number); }
int main() {
  int* a = nullptr;
  int n = 0;
  cudaMalloc(&a, 4);
  kernel<<<1, 1>>>(a);
  cudaMemcpy(&n, a, 4, cudaMemcpyDeviceToHost);
  std::printf("%d\\n", n);
  cudaFree(a);
}
""", "__device__ int number = 21;\n__device__ int twice(int x) { return 2 * x; }\n", options=["-rdc=true"])
        self.assertEqual(self.exec(program)[:2], (CLEAN, "42\n"))

    def test_programs_that_cannot_start(self):
        file = self.file("a.cu", program_of())
        program = os.path.join(self.folder, "program")
        self.do([NVCC, file, "-o", program])
        code, _, report = self.exec(program)
        self.assertEqual(code, INPUT)
        self.assertIn("-cudart shared", report)
        self.do([NVCC, "-cudart", "shared", "-gencode", "arch=compute_80,code=sm_80", file, "-o", program])
        code, _, report = self.exec(program)
        self.assertEqual(code, INPUT, report)
        self.assertIn("machine code for sm_80", report)
        self.assertIn("NVCC_APPEND_FLAGS", report)

    def test_libraries_that_the_program_loads_and_unloads(self):
        self.file("kernels.cu", KERNELS)
        self.file("loader.cpp", LOADER)
        self.do([NVCC, *FLAGS, "-shared", "-Xcompiler", "-fPIC", "kernels.cu", "-o", "libkernels.so"],
                cwd=self.folder)
        self.do(["c++", "loader.cpp", "-o", "loader", "-ldl"], cwd=self.folder)
        code, output, report = self.exec("./loader", cwd=self.folder)
        self.assertEqual((code, output), (CLEAN, "7\n14\n21\n"), report)
        self.assertIn("3 launches checked", report)

    def test_compressed_device_code(self):
        for mode in ("default", "size", "speed", "balance", "none"):
            program = self.build(program_of(), options=["--compress-mode=" + mode])
            code, output, report = self.exec(program)
            self.assertEqual((code, output), (CLEAN, "63\n"), report)


if __name__ == "__main__":
    unittest.main()
