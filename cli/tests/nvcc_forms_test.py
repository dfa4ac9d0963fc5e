"""`bankproof nvcc` takes programs in all forms that nvcc takes: how launches are spelt, which headers and
macros other headers look for, and files that another compiler compiles further.
"""

import subprocess
import unittest

from nvcc_support import CAN_COMPILE, COMPILER, LIBRARY, MAIN, WITH_NVCC, NvccFolder
from program import needs

FINDING = 1


class Forms(NvccFolder):
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


if __name__ == "__main__":
    unittest.main()
