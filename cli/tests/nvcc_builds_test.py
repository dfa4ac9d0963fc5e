"""Build files call `bankproof nvcc` in the place of nvcc: a Makefile, and projects of CMake."""

import shutil
import unittest

from nvcc_support import (BESIDE, CALLS_IT, CAN_COMPILE, COMPILER, DEVICE_FUNCTION, LIBRARY, MAIN,
                          NvccFolder)
from program import BANKPROOF, needs

MAKEFILE = """NVCC ?= nvcc
CUDA_PATH ?= /usr/local/cuda
FLAGS = -std=c++17 -O2 -arch=sm_35 --expt-relaxed-constexpr -Xcompiler "-Wall -Wextra" -DFACTOR=3
program: main.o scale.o
\t$(NVCC) $(FLAGS) $^ -o $@ -L$(CUDA_PATH)/lib64 -lcudart
%.o: %.cu
\t$(NVCC) $(FLAGS) -MMD -MP -c $< -o $@
%.o: %.cpp
\t$(NVCC) $(FLAGS) -MMD -MP -c $< -o $@
-include $(wildcard *.d)
"""

CMAKE = """cmake_minimum_required(VERSION 3.20)
project(scaled LANGUAGES CXX CUDA)
add_library(scale STATIC scale.cu)
target_compile_definitions(scale PRIVATE FACTOR=3)
target_include_directories(scale PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
add_executable(from_cpp main.cpp)
target_link_libraries(from_cpp PRIVATE scale)
add_library(scale_shared SHARED scale.cu)
target_compile_definitions(scale_shared PRIVATE FACTOR=4)
target_include_directories(scale_shared PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
add_executable(from_shared main.cu)
target_link_libraries(from_shared PRIVATE scale_shared)
add_library(separate STATIC twice.cu)
add_executable(calls_it calls_it.cu)
set_target_properties(separate calls_it PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
target_link_libraries(calls_it PRIVATE separate)
find_package(CUDAToolkit REQUIRED)
add_executable(host host.cpp)
target_link_libraries(host PRIVATE CUDA::cudart)
"""

# A host in C, which has no default arguments and no names of types without `typedef`.
HOST_IN_C = """#include <cuda.h>
#include <cuComplex.h>
#include <cublas_v2.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <cufft.h>
#include <curand.h>
#include <cusparse.h>
#include <nvrtc.h>
#include <stdio.h>
void launch(dim3 grid, dim3 block, unsigned char* bytes, cudaStream_t stream);
int main(void) {
  unsigned char *bytes, host[2] = {0, 0};
  struct cudaDeviceProp properties;
  cudaStream_t stream;
  dim3 one = {1, 1, 1}, two = {2, 1, 1};
  const float4 numbers = make_float4(1, 2, 3, 4);
  const cuComplex product = cuCmulf(make_cuComplex(0, 1), make_cuComplex(0, 1));
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return 1;
  cudaStreamCreate(&stream);
  cudaMalloc((void**)&bytes, 2);
  launch(one, two, bytes, stream);
  cudaMemcpyAsync(host, bytes, 2, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  cudaFree(bytes);
  cudaStreamDestroy(stream);
  printf("%d %d %g %g %d\\n", host[0], host[1], numbers.w, product.x, properties.warpSize);
  return 0;
}
"""

FOR_C = """#include <cuda_runtime.h>
__global__ void number(unsigned char* bytes) {
  const unsigned short next = threadIdx.x + 1;
  const uchar2 pair = {next, 0};  // clang's error, which is a warning of nvcc's
  bytes[threadIdx.x] = pair.x;
}
extern "C" void launch(dim3 grid, dim3 block, unsigned char* bytes, cudaStream_t stream) {
  number<<<grid, block, 0, stream>>>(bytes);
}
"""

HOST = """#include <cuda_runtime.h>
#include <cstdio>
int main() {
  int count = 0;
  cudaGetDeviceCount(&count);
  std::printf("%d\\n", count);
}
"""


class BuildFiles(NvccFolder):
    def sources(self):
        self.file("scale.h", "int scaled(int x);\n")
        self.file("scale.cu", LIBRARY)
        self.file("main.cpp", MAIN)

    @needs(CAN_COMPILE and shutil.which("make"), COMPILER + " or make")
    def test_a_makefile(self):
        self.sources()
        self.file("Makefile", MAKEFILE)
        self.call("make", "NVCC=%s nvcc" % BANKPROOF)
        self.assertEqual(self.call("./program"), "15\n")
        self.assertIn("up to date", self.call("make", "NVCC=" + BESIDE))
        self.file("scale.h", "int scaled(int x);  // changed\n")
        self.assertIn("scale.cu", self.call("make", "NVCC=" + BESIDE))

    @needs(CAN_COMPILE and shutil.which("gcc"), COMPILER + " or gcc")
    def test_a_host_in_c(self):
        self.file("main.c", HOST_IN_C)
        self.file("number.cu", FOR_C)
        self.nvcc("main.c", "number.cu", "-o", "program")
        self.assertEqual(self.call("./program"), "1 2 4 -1 32\n")

    @needs(CAN_COMPILE and shutil.which("cmake") and shutil.which("ninja"), COMPILER + " or CMake")
    def test_a_project_of_cmake(self):
        self.sources()
        self.file("main.cu", MAIN)
        self.file("twice.cu", DEVICE_FUNCTION)
        self.file("calls_it.cu", CALLS_IT)
        self.file("host.cpp", HOST)
        self.file("CMakeLists.txt", CMAKE)
        told = self.call("cmake", "-S", ".", "-B", "build", "-G", "Ninja",
                         "-DCMAKE_CUDA_COMPILER=" + BESIDE, "-DCMAKE_CUDA_ARCHITECTURES=80")
        self.assertIn("The CUDA compiler identification is NVIDIA", told)
        self.call("cmake", "--build", "build")
        self.assertEqual(self.call("build/from_cpp"), "15\n")
        self.assertEqual(self.call("build/from_shared"), "20\n")
        self.assertEqual(self.call("build/host"), "1\n")
        self.assertEqual(self.call("build/calls_it"), "19\n")

    @needs(CAN_COMPILE and shutil.which("cmake") and shutil.which("ninja"), COMPILER + " or CMake")
    def test_cmake_finds_an_architecture_by_itself(self):
        self.file("CMakeLists.txt", "cmake_minimum_required(VERSION 3.20)\n"
                                    "project(one LANGUAGES CUDA)\n"
                                    "message(STATUS \"for ${CMAKE_CUDA_ARCHITECTURES}\")\n")
        told = self.call("cmake", "-S", ".", "-B", "build", "-G", "Ninja", CUDACXX=BESIDE)
        self.assertIn("-- for 80\n", told)


if __name__ == "__main__":
    unittest.main()
