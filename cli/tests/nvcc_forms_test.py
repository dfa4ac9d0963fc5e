"""`bankproof nvcc` takes programs in all forms that nvcc takes: how launches are spelt, which headers and
macros other headers look for, and files that another compiler compiles further.
"""

import shutil
import subprocess
import unittest

from nvcc_support import CAN_COMPILE, COMPILER, LIBRARY, MAIN, WITH_NVCC, NvccFolder
from program import INPUT, needs

FINDING = 1


class Forms(NvccFolder):
    def clangs(self):
        """The default compiler, and a clang whose options are those of newer versions."""
        newer = filter(shutil.which, ["clang++-%d" % version for version in (19, 16, 15)])
        return [""] if WITH_NVCC else ["", next(newer, "")]

    @needs(CAN_COMPILE, COMPILER)
    def test_a_file_of_both_halves_goes_to_the_hosts_compiler(self):
        self.file("scale.h", "int scaled(int x);\n")
        self.file("scale.cu", LIBRARY)
        self.file("main.cpp", MAIN)
        self.nvcc("-cuda", "scale.cu", "-DFACTOR=4")
        self.assertTrue(self.there("scale.cu.cpp.ii"))
        self.call("g++", "-g", "-c", "scale.cu.cpp.ii", "-o", "scale.o")
        self.nvcc("scale.o", "main.cpp", "-o", "program")
        self.assertEqual(self.call("./program"), "20\n")

    @needs(CAN_COMPILE, COMPILER)
    def test_launches_spelt_with_blanks_in_files_and_headers(self):
        self.file("launch.h", "static void launch(int* p) { twice << <1, 1 >> > (p); }\n")
        self.file("race.h", "static void launch_more(int* p) {\n  race <<  < 1, 64 >>\t>(p); }\n")
        self.file("a.cu", """#include <cstdio>
static __global__ void twice(int* p) { *p *= 2; }
static __global__ void race(int* p) { *p = threadIdx.x; }
#include "launch.h"
#include <race.h>
int main() {
  int x = 21, *p;
  cudaMalloc(&p, 4);
  cudaMemcpy(p, &x, 4, cudaMemcpyHostToDevice);
  launch(p);
  cudaMemcpy(&x, p, 4, cudaMemcpyDeviceToHost);
  launch_more(p);
  cudaFree(p);
  std::printf("%d\\n", x);
}
""")
        self.nvcc("a.cu", "-I", ".", "-MD", "-o", "a")
        result = subprocess.run(["./a"], check=False, cwd=self.folder, capture_output=True, timeout=60)
        self.assertEqual((result.returncode, result.stdout), (FINDING, b"42\n"), result.stderr)
        self.assertIn(b"\na.cu:3: race: ", b"\n" + result.stderr)  # the file's own name
        if not WITH_NVCC:
            self.nvcc("-MD", "-c", "a.cu", "-I", ".", "-o", "a.o")
            self.assertRegex(self.text("a.d"), r"\blaunch\.h\b")
            self.assertNotIn("joined", self.text("a.d"))

    @needs(CAN_COMPILE, COMPILER)
    def test_headers_and_macros_that_other_headers_look_for(self):
        self.file("a.cu", """
#include <builtin_types.h>
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_profiler_api.h>
#include <driver_types.h>
#include <host_defines.h>
#include <nvtx3/nvToolsExt.h>
#if !defined(__DRIVER_TYPES_H__) || !defined(__CUDA_RUNTIME_H__) || !defined(__CUDA_RUNTIME_API_H__) || \\
    !defined(__VECTOR_TYPES_H__) || !defined(__cuda_cuda_h__) || !defined(__CUDA_FP16_H__) || \\
    !defined(__CUDA_BF16_H__) || CUDART_VERSION < 11000
#error a macro is missing
#endif
int main() {
  nvtxRangePush("range");
  const nvtxRangeId_t id = nvtxRangeStartA("other");
  nvtxRangeEnd(id);
  const bool is_right = nvtxRangePop() == NVTX_NO_PUSH_POP_TRACKING;
  return is_right && cudaProfilerStart() == cudaSuccess && cudaProfilerStop() == cudaSuccess ? 0 : 1;
}
""")
        self.nvcc("a.cu", "-o", "a")
        self.call("./a")

    @needs(CAN_COMPILE, COMPILER)
    def test_host_code_computes_with_numbers_of_16_bits(self):
        self.file("a.cu", """#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cstdio>
template <class Number>
void tell(Number a, Number b, Number c) {
  Number sum = a;
  sum += b * c;
  std::printf("%g %g %g %g %g %d%d%d ", float(sum), float(a - b), float(a / b), float(-__hmin(a, b)),
              float(__hmax(__habs(a), c)), a < b, a == a, __hisnan(c));
}
int main() {
  tell(__float2half_rn(1), __double2half(0.3), __ushort_as_half(0x4200));
  tell(__float2bfloat16_rn(1), __double2bfloat16(0.3), __ushort_as_bfloat16(0x4040));
  tell<__half>(2, -2, __short_as_half(0x7e00));
  const float2 pair = __half22float2(__hadd2(__float2half2_rn(1.5f), make_half2(2u, 3ul)));
  const float2 other = __bfloat1622float2(__hmul2(__floats2bfloat162_rn(3, 5), make_bfloat162(2, 3)));
  std::printf("%g %g %g %g %g %d %d %u", pair.x, pair.y, other.x, other.y,
              __high2float(__lowhigh2highlow(__float22half2_rn(pair))), __half2int_rz(-2.75f),
              (int)__half(1e9f), (unsigned)__half(-3));
}
""")
        self.nvcc("a.cu", "-o", "a")
        half, bfloat = 1 / 2**10, 1 / 2**7
        rows = [(1.9, 0.7, 10 / 3, -0.3, 3, half), (1.9, 0.7, 10 / 3, -0.3, 3, bfloat)]
        words = self.call("./a").split()
        for row, at in zip(rows, (0, 6), strict=True):
            for expected, word in zip(row[:-1], words[at:], strict=False):
                self.assertAlmostEqual(float(word), expected, delta=4 * row[-1])
            self.assertEqual(words[at + 5], "010")
        self.assertEqual(words[12:], "nan 4 -1 2 2 011 3.5 4.5 6 15 3.5 -2 2147483647 0".split())

    @needs(CAN_COMPILE, COMPILER)
    def test_a_value_that_one_lane_has_is_handed_over_by_all(self):
        self.file("a.cu", """#include <cstdio>
__global__ void take(int* next, int* taken) {
  int i;
  if (threadIdx.x % 32 == 0) i = atomicAdd(next, 1);
  i = __shfl_sync(0xffffffff, i, 0);
  taken[threadIdx.x] = i;
}
int main() {
  int *next, *taken;
  cudaMallocManaged(&next, sizeof *next);
  cudaMallocManaged(&taken, 64 * sizeof *taken);
  *next = 40;
  take<<<1, 64>>>(next, taken);
  cudaDeviceSynchronize();
  std::printf("%d %d %d", *next, taken[0] + taken[63], taken[31] + taken[32]);
  cudaFree(next);
  cudaFree(taken);
}
""")
        for clang in self.clangs():
            self.nvcc("a.cu", "-O3", "-o", "a", BANKPROOF_CLANG=clang)
            self.assertEqual(self.call("./a"), "42 81 81")

    @needs(CAN_COMPILE, COMPILER)
    def test_openmp_in_the_host_code(self):
        self.file("a.cu", """#include <omp.h>
__global__ void number(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int* p;
  int sum = 0;
  cudaMallocManaged(&p, 64 * sizeof(int));
  number<<<1, 64>>>(p);
  cudaDeviceSynchronize();
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 64; ++i) sum += p[i];
  cudaFree(p);
  return sum == 2016 && omp_get_max_threads() > 0 ? 0 : 1;
}
""")
        # Newer versions of clang do not take all attributes of gcc's omp.h.
        for clang in self.clangs():
            self.nvcc("a.cu", "-Xcompiler", "-fopenmp", "-o", "a", BANKPROOF_CLANG=clang)
            self.call("./a")

    # The toolkit's header gives these numbers; properties/cuda/toolkit/random.cpp compares many more.
    @needs(CAN_COMPILE, COMPILER)
    def test_random_numbers_of_kernels(self):
        self.file("a.cu", """#include <curand_kernel.h>
#include <cstdio>
template <class State>
__global__ void draw(unsigned* p) {
  State state;
  curand_init(1234, 1, 0, &state);
  p[0] = curand(&state);
  p[1] = curand(&state);
}
#ifdef MTGP
__global__ void refused(curandStateMtgp32_t* state, unsigned* p) { *p = curand(state); }
#endif
int main() {
  unsigned x[6], *p;
  cudaMalloc(&p, sizeof x);
  draw<curandState><<<1, 1>>>(p);
  draw<curandStatePhilox4_32_10_t><<<1, 1>>>(p + 2);
  draw<curandStateMRG32k3a_t><<<1, 1>>>(p + 4);
  cudaMemcpy(x, p, sizeof x, cudaMemcpyDeviceToHost);
  cudaFree(p);
  for (const unsigned one : x) std::printf("%u ", one);
}
""")
        self.nvcc("a.cu", "-o", "a")
        self.assertEqual(self.call("./a"), "3522650202 3978931785 3507855656 1392278645 653317650 2890950871 ")
        if not WITH_NVCC:
            told = self.nvcc("a.cu", "-ptx", "-DMTGP", code=INPUT).stderr.decode()
            self.assertIn("bankproof's curand_kernel.h has no MTGP32", told)


if __name__ == "__main__":
    unittest.main()
