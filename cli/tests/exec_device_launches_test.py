"""Whole programs whose kernels launch kernels. nvcc compiles them; clang does not."""

import json
import os
import unittest

from exec_support import CLANG, FINDING, NVCC, Programs
from program import CLEAN, INPUT, run

# Two files of device code, which nvcc links. The first argument chooses what the program does.
PROGRAM = """#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
extern __device__ int square(int);
__global__ void squares(int* a, int n) { if (threadIdx.x < n) a[threadIdx.x] = square(threadIdx.x); }
__global__ void add(int* a, int n) { *a += n; }
__global__ void sort(int* a, int first, int last, int depth) {
  if (first >= last) return;
  int middle = first;
  for (int i = first; i < last; ++i) {
    if (a[i] >= a[last]) continue;
    const int t = a[i]; a[i] = a[middle]; a[middle++] = t;
  }
  const int t = a[middle]; a[middle] = a[last]; a[last] = t;
  cudaStream_t left, right;
  cudaStreamCreateWithFlags(&left, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&right, cudaStreamNonBlocking);
  sort<<<1, 1, 0, left>>>(a, first, middle - 1, depth + 1);
  sort<<<1, 1, 0, right>>>(a, middle + 1, last, depth + 1);
  cudaStreamDestroy(left);
  cudaStreamDestroy(right);
}
__global__ void reads(int* a) {
  add<<<1, 1>>>(a, 1);
  a[1] = a[0];  // too early
}
__global__ void by_blocks(int* a) { if (threadIdx.x == 0) add<<<1, 1>>>(a, 1); }
__global__ void hands_shared(int* a) {
  __shared__ int own[2];
  own[threadIdx.x] = 1;
  add<<<1, 1>>>(own, 1);
}
__global__ void in_tail(int* a) {
  add<<<1, 1, 0, cudaStreamTailLaunch>>>(a + blockIdx.x, 5);
  add<<<1, 1>>>(a + blockIdx.x, 7);
  a[8 + blockIdx.x] = a[4];
}
__global__ void nothing(int* a, bool asks) {
  add<<<0, 1>>>(a, 1);
  if (asks) printf("%s\\n", cudaGetErrorString(cudaGetLastError()));
}
__global__ void copies(int* a, int bytes) {
  a[0] = 9;
  cudaMemcpyAsync(a + 8, a, bytes, cudaMemcpyDeviceToDevice, 0);
  cudaMemsetAsync(a, 1, 4, 0);
}
__global__ void many(int* a) { for (int i = 0; i < 6; ++i) add<<<1, 1>>>(a, 1); }
int main(int, char** arguments) {
  int *a, host[64];
  cudaMalloc(&a, sizeof host);
  for (int i = 0; i < 64; ++i) host[i] = i * 37 % 64;
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  switch (std::atoi(arguments[1])) {
    case 0: squares<<<1, 64>>>(a, 8); sort<<<1, 1>>>(a, 8, 63, 0); break;
    case 1: reads<<<1, 1>>>(a); break;
    case 2: by_blocks<<<2, 32>>>(a); break;
    case 3: hands_shared<<<1, 1>>>(a); break;
    case 4: in_tail<<<2, 1>>>(a); break;
    case 5: nothing<<<1, 1>>>(a, false); break;
    case 6: nothing<<<1, 1>>>(a, true); break;
    case 7: copies<<<1, 1>>>(a, 4); break;
    case 8: copies<<<1, 1>>>(a, 4 * 57); break;
    case 9: cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 4); many<<<1, 1>>>(a);
  }
  cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 16; ++i) std::printf("%d ", host[i]);
  return cudaFree(a);
}
"""
HAS = "__device__ int square(int n) { return n * n; }\n"
LINKED = ["-rdc=true", "-lcudadevrt"]
LINES = {text: number for number, text in enumerate(PROGRAM.split("\n"), 1)}


def line_of(part):
    return next(number for text, number in LINES.items() if part in text)


@unittest.skipUnless(NVCC, "clang compiles no kernels that launch kernels")
class DeviceLaunches(Programs):
    def test_children_run_and_are_judged(self):
        program = self.build(PROGRAM, HAS, options=LINKED)

        def ran(case, code, *options):
            ended, output, report = self.exec(program, str(case), options=options)
            self.assertEqual(ended, code, report)
            return output.split(), report

        numbers, report = ran(0, CLEAN)
        host = [k * 37 % 64 for k in range(64)]
        self.assertEqual([int(n) for n in numbers], [k * k for k in range(8)] + sorted(host[8:])[:8])
        self.assertRegex(report, r"note: \d+ launches of sort\(int\*, int, int, int\): child of sort\(")
        with self.subTest("another order of streams"):
            self.assertEqual(ran(0, CLEAN, "--schedule", "3")[0], numbers)
        with self.subTest("a parent reads what its child writes"):
            report = ran(1, FINDING)[1]
            self.assertIn(f"part0.cu:{line_of('void add')}: race: block 0, thread 0 of add(int*, int), "
                          "which block 0, thread 0 of reads(int*) launched at ", report)
            self.assertIn(f"part0.cu:{line_of('add<<<1, 1>>>(a, 1);')}: ", report)
            self.assertIn("is not ordered with a read by block 0, thread 0 of reads(int*)", report)
            self.assertIn(f"the other is at {self.folder}/part0.cu:{line_of('too early')}", report)
        with self.subTest("children of two blocks"):
            report = ran(2, FINDING)[1]
            self.assertRegex(report, r"part0.cu:\d+: race: .* of add\(int\*, int\), which block 1")
        with self.subTest("a pointer to shared memory"):
            self.assertRegex(ran(3, FINDING)[1], "out_of_bounds: .*passes the address of byte 0 of its "
                             r"shared memory as argument 0 of add\(int\*, int\)")
        with self.subTest("the tail follows all"):
            numbers, report = ran(4, CLEAN)
            self.assertEqual([int(n) for n in numbers[:2]], [host[0] + 12, host[1] + 12])
        with self.subTest("nobody asks for an error"):
            self.assertRegex(ran(5, FINDING)[1], "unchecked_error: .*cudaErrorInvalidConfiguration")
        with self.subTest("somebody asks for an error"):
            self.assertEqual(ran(6, CLEAN)[0][:3], ["invalid", "configuration", "argument"])
        with self.subTest("copies and fills are work of a stream"):
            numbers = ran(7, CLEAN)[0]
            self.assertEqual((numbers[0], numbers[8]), (str(0x01010101), "9"))
        with self.subTest("a copy that leaves its allocation"):
            self.assertRegex(ran(8, FINDING)[1], "out_of_bounds: .* of cudaMemcpyAsync, which block 0, "
                             r"thread 0 of copies\(int\*, int\) launched at ")
        with self.subTest("pending launches have a limit"):
            numbers, report = ran(9, FINDING)
            self.assertEqual(numbers[0], "4")
            self.assertIn("cudaErrorLaunchPendingCountExceeded", report)
        with self.subTest("other formats"):
            report = json.loads(ran(4, CLEAN, "--format", "json")[1])
            self.assertEqual(report["children"], [
                {"kernel": "add(int*, int)", "parent": "in_tail(int*)", "launches": 4}])
            self.assertEqual(report["launches"], 5)
        with self.subTest("a launch alone"):
            report = ran(1, FINDING, "--save-launches", os.path.join(self.folder, "saved"))[1]
            command = report[report.index("alone: bankproof ") + 17:].split("\n")[0].split()
            alone = run(*command)
            self.assertEqual(alone.returncode, FINDING)
            self.assertIn("of add(int*, int), which block 0, thread 0 of reads(int*)", alone.stdout.decode())


@unittest.skipUnless(CLANG, "there is no clang")
class Refusals(Programs):
    def test_clang_says_what_compiles_such_kernels(self):
        file = self.file("part.cu", PROGRAM)
        refused = run("nvcc", "-rdc=true", "-c", file, "-o", file + ".o",
                      env={**os.environ, "BANKPROOF_CUDA_COMPILER": "clang", "BANKPROOF_CLANG": CLANG})
        self.assertEqual(refused.returncode, INPUT)
        self.assertIn(b"clang does not compile kernels that launch kernels: build the program with nvcc",
                      refused.stderr)


if __name__ == "__main__":
    unittest.main()
