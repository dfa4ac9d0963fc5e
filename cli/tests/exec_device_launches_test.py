"""Whole programs whose kernels launch kernels."""

import unittest

from exec_support import NVCC, Programs
from program import CLEAN

# Two files of device code, which nvcc links.
USES = """#include <cstdio>
#include <cuda_runtime.h>
extern __device__ int square(int);
__global__ void squares(int* a) { a[threadIdx.x] = square(threadIdx.x); }
int main() {
  int *a, last;
  cudaMalloc(&a, 32 * sizeof(int));
  squares<<<1, 32>>>(a);
  cudaMemcpy(&last, a + 31, sizeof last, cudaMemcpyDeviceToHost);
  std::printf("%d\\n", last);
  return cudaFree(a);
}
"""
HAS = "__device__ int square(int n) { return n * n; }\n"
LINKED = ["-rdc=true"]


@unittest.skipUnless(NVCC, "clang compiles no kernels that launch kernels")
class DeviceLaunches(Programs):
    def test_device_code_of_several_files_is_linked(self):
        code, output, report = self.exec(self.build(USES, HAS, options=LINKED))
        self.assertEqual((code, output), (CLEAN, "961\n"), report)


if __name__ == "__main__":
    unittest.main()
