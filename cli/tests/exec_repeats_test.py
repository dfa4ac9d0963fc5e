"""Launches of whole programs that repeat others print again what those printed, and see new inputs."""

import json
import os
import unittest

from exec_support import CAN_BUILD, Programs
from program import CLEAN, needs

PROGRAM = """#include <cstdio>
#include <cuda_runtime.h>
__global__ void add_one(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x] + 1;
  if (threadIdx.x == 0) printf("in %d\\n", in[0]);
}
int main() {
  int numbers[64] = {};
  int *in = nullptr, *out = nullptr;
  cudaMalloc(&in, sizeof numbers);
  cudaMalloc(&out, sizeof numbers);
  for (int k = 0; k < 8; ++k) {
    numbers[63] = k / 4;
    cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    add_one<<<1, 64>>>(in, out);
  }
  cudaMemcpy(numbers, out, sizeof numbers, cudaMemcpyDeviceToHost);
  std::printf("%d\\n", numbers[63]);
  cudaFree(in);
  cudaFree(out);
}
"""


class Repeats(Programs):
    # Four launches with each input: the first with a new input changes the output, the second
    # changes nothing, and the others are not executed.
    @needs(CAN_BUILD, "a compiler of CUDA")
    def test_print_again_and_see_new_inputs(self):
        program = self.build(PROGRAM)
        for options, count in ((), 4), (("--every-launch",), 0):
            report = os.path.join(self.folder, "report.json")
            code, output, said = self.exec(program, options=[*options, "--format", "json", "-o", report])
            self.assertEqual((code, output), (CLEAN, "in 0\n" * 8 + "2\n"), said)
            found = json.loads(self.read(report))
            ranges = [one for taken in found["taken"] if not taken["executed"]
                      for one in taken["launches"]]
            self.assertEqual(sum(last - first + 1 for first, last in ranges), count)
            self.assertEqual(found["launches"], 8)


if __name__ == "__main__":
    unittest.main()
