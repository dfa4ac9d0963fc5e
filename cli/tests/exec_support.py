"""CUDA programs for the tests of `bankproof exec`, built by nvcc if the test has the toolkit, and else by
clang with bankproof's headers. Both load CUDA's runtime as libcudart.so.13.
"""

import os
import shutil
import subprocess

from program import BANKPROOF, Folder, run

SOURCE = os.environ["BANKPROOF_SOURCE"]
FINDING = 1
CLANG = shutil.which("clang++-16") or shutil.which("clang++")
NVCC = shutil.which("nvcc") if os.environ.get("BANKPROOF_TOOLKIT") else None
FLAGS = ["-cudart", "shared", "-lineinfo", "-Xcompiler", "-g", "-gencode", "arch=compute_80,code=compute_80"]
BUILD = os.path.join(os.path.dirname(BANKPROOF), "..")
LIBRARIES = os.path.join(BUILD, "lib", "bankproof", "cuda")
CAN_BUILD = NVCC or CLANG

# Moves numbers through shared memory; %s is the barrier. The host's part follows.
REVERSE = """#include <cstdio>
#include <cstdlib>
#include <unistd.h>
#include <cuda_runtime.h>
__global__ void reverse(int* a) {
  __shared__ int tile[64];
  tile[threadIdx.x] = a[threadIdx.x];
  %s
  a[threadIdx.x] = tile[63 - threadIdx.x];
}
int main(int argc, char** argv) {
  int* a = nullptr;
  int numbers[64];
  for (int i = 0; i < 64; ++i) numbers[i] = i;
  cudaMalloc(&a, sizeof numbers);
  cudaMemcpy(a, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  reverse<<<1, 64>>>(a);
  cudaMemcpy(numbers, a, sizeof numbers, cudaMemcpyDeviceToHost);
  std::printf("%%d\\n", numbers[0]);
  %s
  cudaFree(a);
  return argc > 1 ? std::atoi(argv[1]) : 0;
}
"""


def program_of(barrier="__syncthreads();", end=""):
    return REVERSE % (barrier, end)


class Programs(Folder):
    def build(self, *sources, options=()):
        """Writes and builds the sources, and returns the program's path."""
        files = [self.file(f"part{number}.cu", text) for number, text in enumerate(sources)]
        program = os.path.join(self.folder, "program")
        if NVCC:
            self.do([NVCC, *FLAGS, *options, *files, "-o", program])
        else:
            self.build_by_clang(files, program, options=options)
        return program

    def build_by_clang(self, files, program, change=lambda ptx: None, options=()):
        """Calls change(path) for the PTX of each file before the program embeds it."""
        headers = os.path.join(SOURCE, "cuda", "headers")
        objects = []
        for file in files:
            self.do([BANKPROOF, "nvcc", "-ptx", file, "-o", file + ".ptx", *options],
                    BANKPROOF_CUDA_COMPILER="clang", BANKPROOF_CLANG=CLANG)
            change(file + ".ptx")
            # As `bankproof nvcc` embeds it (cli/nvcc/plan.cpp).
            self.file(file + ".ptx", f"// source: {file}\n{self.read(file + '.ptx').decode()}\0")
            self.do([CLANG, "-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib",
                     f"--cuda-path={headers}", "-Xclang", "-target-sdk-version=11.5", f"-I{headers}",
                     "-include", os.path.join(headers, "cuda_runtime.h"), "-Xclang",
                     "-fcuda-include-gpubinary", "-Xclang", file + ".ptx", "-std=c++17", "-g", *options,
                     "-c", file, "-o", file + ".o"])
            objects.append(file + ".o")
        self.do([CLANG, *objects, f"-L{LIBRARIES}", "-l:libcudart.so.13", "-Wl,--allow-shlib-undefined",
                 "-o", program])

    def do(self, words, cwd=None, limit=120, **variables):
        made = subprocess.run(words, capture_output=True, text=True, check=False, cwd=cwd,
                              env={**os.environ, **variables}, timeout=limit)
        self.assertEqual(made.returncode, 0, made.stderr)

    def exec(self, program, *arguments, options=(), **more):
        ran = run("exec", *options, "--", program, *arguments, **more)
        return ran.returncode, ran.stdout.decode(), ran.stderr.decode()
