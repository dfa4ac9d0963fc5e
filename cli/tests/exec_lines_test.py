"""Places in findings: programs that a compiler optimizes have the lines of those that it does not."""

import unittest

from exec_support import CAN_BUILD, FINDING, Programs
from program import needs

COMPILER = "a compiler of CUDA"

# Two kernels of two streams write the same numbers.
RACE = """#include <cuda_runtime.h>
template <class T>
__global__ void first(T* a) { a[threadIdx.x] += 1; }
static __global__ void second(float* a) { a[threadIdx.x] += 1; }
namespace { __global__ void third(float* a) { a[threadIdx.x] += 1; } }
static void cudaRun(float* a, cudaStream_t one, cudaStream_t other) {
  first<<<1, 64, 0, one>>>(a);
  second<<<1, 64, 0, other>>>(a);
  third<<<1, 64, 0, one>>>(a);
}
int main() {
  cudaStream_t one, other;
  cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  float* a;
  cudaMalloc(&a, 256);
  cudaMemset(a, 0, 256);
  cudaDeviceSynchronize();
  cudaRun(a, one, other);
  cudaDeviceSynchronize();
  return cudaFree(a);
}
"""


class Lines(Programs):
    @needs(CAN_BUILD, COMPILER)
    def test_optimized_code_has_the_lines_of_the_program(self):
        for level in ["-O0", "-O2", "-O3"]:
            program = self.build(RACE, options=[level])
            code, _, report = self.exec(program)
            self.assertEqual(code, FINDING, report)
            self.assertRegex(report, r"part0\.cu:8: race: second\(float\*\) writes 256 bytes from byte 0 of the "
                                     r"allocation of \S*part0\.cu:16, and is not ordered with void first<float>"
                                     r"\(float\*\) at \S*part0\.cu:7, which writes them", level)
            self.assertRegex(report, r"part0\.cu:9: race: .*third", level)
            self.assertNotIn("cuda_runtime.h", report)
            self.assertNotIn("unknown place", report)


if __name__ == "__main__":
    unittest.main()
