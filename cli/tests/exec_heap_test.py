"""Whole programs whose kernels use malloc, free, new and delete."""

import json
import os
import re
import unittest

from exec_support import CAN_BUILD, FINDING, Programs
from program import CLEAN, needs, run

COMPILER = "a compiler of CUDA"

# A list of shapes with virtual functions, made by one kernel, used by another, and freed by a third.
PROGRAM = """#include <cstdio>
#include <cuda_runtime.h>
struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  float side;
  __device__ Square(float s) : side(s) {}
  __device__ float area() const override { return side * side; }
};
struct Rectangle : Shape {
  float* sides;
  __device__ Rectangle(float a, float b) : sides(new float[2]) { sides[0] = a; sides[1] = b; }
  __device__ ~Rectangle() override { delete[] sides; }
  __device__ float area() const override { return sides[0] * sides[1]; }
};
__global__ void make(Shape** shapes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 2 == 0) shapes[i] = new Square(i); else shapes[i] = new Rectangle(i, 2);
}
__global__ void measure(Shape* const* shapes, float* areas) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  areas[i] = shapes[i]->area();
}
__global__ void end(Shape** shapes) { delete shapes[blockIdx.x * blockDim.x + threadIdx.x]; }
__global__ void fill(int* sums) {
  __shared__ int* numbers;
  if (threadIdx.x == 0) numbers = static_cast<int*>(malloc(64 * sizeof(int)));
  __syncthreads();
  numbers[threadIdx.x] = threadIdx.x;
  __syncthreads();
  sums[threadIdx.x] = numbers[threadIdx.x] + numbers[63 - threadIdx.x];
  BARRIER
  if (threadIdx.x == 0) free(numbers);
}
// A compiler may leave out an allocation whose address nobody can see.
__global__ void exhaust(Shape** kept, int* count) {
  while ((kept[*count] = static_cast<Shape*>(malloc(1 << 16))) != nullptr) ++*count;
}
int main(int words, char**) {
  constexpr int count = 192;
  Shape** shapes;
  float *areas, host[count];
  int *sums, first[64];
  size_t bytes = 0;
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20);
  cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize);
  cudaMalloc(&shapes, count * sizeof(Shape*));
  cudaMalloc(&areas, sizeof host);
  cudaMalloc(&sums, sizeof first);
  for (int k = 0; k < 4; ++k) {
    make<<<3, 64>>>(shapes);
    measure<<<3, 64>>>(shapes, areas);
    measure<<<3, 64>>>(shapes, areas);
    END
  }
  fill<<<1, 64>>>(sums);
  cudaMemcpy(host, areas, sizeof host, cudaMemcpyDeviceToHost);
  cudaMemcpy(first, sums, sizeof first, cudaMemcpyDeviceToHost);
  cudaMemset(sums, 0, 4);
  exhaust<<<1, 1>>>(shapes, sums);
  int left = 0;
  cudaMemcpy(&left, sums, 4, cudaMemcpyDeviceToHost);
  const int late = cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 21);
  cudaGetLastError();
  std::printf("%g %g %d %zu %d %d\\n", host[8], host[9], first[5], bytes, left, late);
  cudaFree(shapes);
  cudaFree(areas);
  cudaFree(sums);
}
"""


def program_of(end="end<<<3, 64>>>(shapes);", barrier="__syncthreads();"):
    return PROGRAM.replace("END", end).replace("BARRIER", barrier)


class Heap(Programs):
    @needs(CAN_BUILD, COMPILER)
    def test_objects_live_until_they_are_deleted(self):
        code, output, report = self.exec(self.build(program_of()))
        self.assertEqual(code, CLEAN, report)
        self.assertEqual(output, "64 18 63 1048576 16 1\n", report)

    @needs(CAN_BUILD, COMPILER)
    def test_what_is_wrong_with_the_heap_is_told(self):
        # Calls of virtual functions of freed objects trap, and then the device does no more work.
        program = self.build(program_of(
            "end<<<3, 64>>>(shapes); if (words == 2) measure<<<3, 64>>>(shapes, areas);"
            "if (words == 3) end<<<3, 64>>>(shapes);", ""))
        for words, told in (
                ((), r"part0\.cu:35: race: .*free at byte \d+ of 'heap allocation \d+' is not "
                     r"ordered with a read by"),
                (("measure",), r"part0\.cu:24: out_of_bounds: .*'heap allocation \d+, freed'"),
                (("end", "twice"), r"part0\.cu:26: (out_of_bounds|double_free): "
                                   r".*'heap allocation \d+, freed'")):
            code, _, report = self.exec(program, *words)
            self.assertEqual(code, FINDING, report)
            self.assertRegex(report, told)

    @needs(CAN_BUILD, COMPILER)
    def test_a_saved_launch_has_the_heap(self):
        program = self.build(program_of(
            "end<<<1, 64>>>(shapes + 64); measure<<<3, 64>>>(shapes, areas); end<<<1, 64>>>(shapes);"
            "end<<<1, 64>>>(shapes + 128);"))
        ran = run("exec", "--save-launches", "saved", "--format", "json", "--", program, cwd=self.folder)
        self.assertEqual(ran.returncode, FINDING, ran.stderr)
        faults = [fault for fault in json.loads(ran.stderr)["faults"] if "command" in fault]
        self.assertTrue(faults)
        (saved,) = os.listdir(os.path.join(self.folder, "saved"))
        command = f"kernel saved/{saved}/kernel.ptx --launch saved/{saved}/launch.json --format json"
        alone = run(*command.split(), cwd=self.folder)
        self.assertEqual(alone.returncode, FINDING, alone.stderr)

        def seen(faults):
            return [(fault["kind"], fault["line"], fault["message"].split("; it")[0]) for fault in faults]

        here = [fault for fault in faults if re.search(re.escape(saved), fault["command"])]
        self.assertEqual(seen(json.loads(alone.stdout)["faults"]), seen(here))


if __name__ == "__main__":
    unittest.main()
