"""Whole programs that end while a kernel of theirs is compiled in the background, and kernels that end
in the middle.
"""

import os
import unittest

from exec_support import CAN_BUILD, FINDING, Programs
from program import CLEAN, needs

# The kernel earns its compilation during the launches, which take less time than to compile it.
PROGRAM = """#include <cstdio>
#include <cuda_runtime.h>
__global__ void work(unsigned* out, int steps) {
  unsigned a = threadIdx.x, b = blockIdx.x;
  unsigned long long sum = b;
  double half = a;
  for (int k = 0; k < steps; ++k) {
    a = a * 1664525u + b;
    b ^= a >> 7;
    sum += a * 12345ull;
    half = half * 0.5 + static_cast<double>(sum);
    if (b & 1) a += __popc(b);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = a + b + static_cast<unsigned>(sum) +
                                               static_cast<unsigned>(half);
}
int main() {
  unsigned* out = nullptr;
  cudaMalloc(&out, 64 * 256 * sizeof *out);
  for (int k = 0; k < 20; ++k) {
    work<<<64, 256>>>(out, 100 + k);
    cudaDeviceSynchronize();
  }
  cudaFree(out);
  std::puts("ends");
}
"""


# A failed assertion or a trap is an error of the next call that waits, and of all later calls.
ABORT = """#include <cassert>
#include <cstdio>
#include <cuda_runtime.h>
__global__ void abort_at(const int* a, int how) {
  if (how == 1) assert(a[threadIdx.x] > 0);
  if (how == 2) asm volatile("trap;");
}
int main(int argc, char**) {
  int* a = nullptr;
  int one = 0;
  cudaMalloc(&a, 32 * sizeof *a);
  cudaMemset(a, 0, 32 * sizeof *a);
  abort_at<<<1, 32>>>(a, argc);
  std::printf("%d", cudaGetLastError());
  std::printf(" %d", cudaDeviceSynchronize());
  std::printf(" %d", cudaMemcpy(&one, a, sizeof one, cudaMemcpyDeviceToHost));
  abort_at<<<1, 32>>>(a, 0);
  std::printf(" %d", cudaGetLastError());
  std::printf(" %d %s\\n", cudaMalloc(&a, 4), cudaGetErrorName(cudaDeviceSynchronize()));
}
"""


class Endings(Programs):
    @needs(CAN_BUILD, "a compiler of CUDA")
    def test_of_kernels_by_an_assertion_or_a_trap(self):
        program = self.build(ABORT)
        for arguments, error, name, told in (
                ([], 710, "cudaErrorAssert", r"part0\.cu:5: trap: .*assertion failed: a\[threadIdx\.x\] > 0"),
                (["trap"], 719, "cudaErrorLaunchFailure", r"part0\.cu:6: trap: ")):
            code, output, report = self.exec(program, *arguments)
            self.assertEqual((code, output), (FINDING, f"0 {error} {error} {error} {error} {name}\n"), report)
            self.assertRegex(report, told)
            self.assertIn("the device does no more work for this process", report)

    # Without the wait at the end, two of three runs are killed.
    @needs(CAN_BUILD, "a compiler of CUDA")
    def test_wait_for_what_is_compiled(self):
        program = self.build(PROGRAM)
        for number in range(6):
            cache = os.path.join(self.folder, f"cache{number}")
            code, output, said = self.exec(program, env={**os.environ, "BANKPROOF_CACHE": cache})
            self.assertEqual((code, output), (CLEAN, "ends\n"), said)


if __name__ == "__main__":
    unittest.main()
