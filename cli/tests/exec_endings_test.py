"""Whole programs that end while a kernel of theirs is compiled in the background."""

import os
import unittest

from exec_support import CAN_BUILD, Programs
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


class Endings(Programs):
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
