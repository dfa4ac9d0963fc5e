"""Whole programs whose default streams are per thread: headers give functions other names for them."""

import unittest

from exec_support import CAN_BUILD, FINDING, NVCC, Programs
from program import CLEAN, needs

PROGRAM = """#include <cstdio>
#include <thread>
#include <cuda_runtime.h>
__global__ void add(int* a, int n) { a[threadIdx.x] += n; }
int main(int argc, char** argv) {
  int* a = nullptr;
  int numbers[64];
  cudaMalloc(&a, sizeof numbers);
  cudaMemset(a, 0, sizeof numbers);
  cudaDeviceSynchronize();
  std::thread first([=] {
    add<<<1, 64>>>(a, 1);
    if (argc > 1) cudaStreamSynchronize(0);
  });
  first.join();
  add<<<1, 64>>>(a, 10);
  cudaStreamSynchronize(0);
  cudaMemcpy(numbers, a, sizeof numbers, cudaMemcpyDeviceToHost);
  std::printf("%d\\n", numbers[63]);
  cudaFree(a);
}
"""


class PerThread(Programs):
    @needs(CAN_BUILD, "a compiler of CUDA")
    def test_the_default_stream_of_all_threads(self):
        code, output, report = self.exec(self.build(PROGRAM))
        self.assertEqual((code, output), (CLEAN, "11\n"), report)

    @needs(CAN_BUILD, "a compiler of CUDA")
    def test_default_streams_of_their_own(self):
        spellings = [["-DCUDA_API_PER_THREAD_DEFAULT_STREAM"]]
        if NVCC:  # nvcc_test.py has the same of `bankproof nvcc`
            spellings.append(["--default-stream", "per-thread"])
        for options in spellings:
            program = self.build(PROGRAM, options=options)
            code, output, report = self.exec(program)
            self.assertEqual((code, output), (FINDING, "11\n"), report)
            self.assertRegex(report, r"part0\.cu:16: race: add\(int\*, int\) \w+ 256 bytes .* is not ordered "
                                     r"with add\(int\*, int\) at \S*part0\.cu:12, which \w+ them")
            code, output, report = self.exec(program, "waits")
            self.assertEqual((code, output), (CLEAN, "11\n"), report)


if __name__ == "__main__":
    unittest.main()
