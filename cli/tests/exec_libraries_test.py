"""Whole programs that call CUDA's libraries: their results, what is found in their calls, and what the
report says of them. With the toolkit, its headers agree with bankproof's.
"""

import json
import os
import re
import subprocess
import unittest

from exec_support import CAN_BUILD, CLANG, FINDING, NVCC, SOURCE, Programs
from program import BANKPROOF, CLEAN, needs

COMPILER = "a compiler of CUDA"
LIBRARIES = ["-lcublas", "-lcublasLt", "-lcufft", "-lcurand", "-lcusparse"]

PROGRAM = """#include <cstdio>
#include <cstdlib>
#include <cublas_v2.h>
#include <cufft.h>
#include <curand.h>
#include <cusparse.h>
__global__ void add(float* x) { x[threadIdx.x] += 1; }
int main(int argc, char** argv) {
  const int way = argc > 1 ? std::atoi(argv[1]) : 0;
  float host[16], *a, *c;
  for (int i = 0; i < 16; ++i) host[i] = i;
  cudaMalloc(&a, way == 1 ? 60 : 64);
  cudaMalloc(&c, 64);
  cudaMemcpy(a, host, way == 1 ? 60 : 64, cudaMemcpyHostToDevice);
  cudaStream_t first, second;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  if (way != 3) add<<<1, 15, 0, first>>>(a);
  if (way != 2) cudaDeviceSynchronize();
  cublasHandle_t blas;
  cublasCreate(&blas);
  cublasSetStream(blas, second);
  const float one = 1, zero = 0;
  const cublasOperation_t n = CUBLAS_OP_N, t = CUBLAS_OP_T;
  const int status = cublasSgemm(blas, n, t, 4, 4, 4, &one, a, 4, a, 4, &zero, c, 4);  // gemm
  cudaDeviceSynchronize();
  cudaMemcpy(host, c, 64, cudaMemcpyDeviceToHost);
  std::printf("%d %g\\n", status, host[0]);
  if (way == 3) return 0;
  cufftHandle plan;
  cufftPlan1d(&plan, 8, CUFFT_C2C, 1);
  cufftExecC2C(plan, (cufftComplex*)c, (cufftComplex*)c, CUFFT_FORWARD);
  curandGenerator_t generator;
  curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
  curandGenerateUniform(generator, c, 16);
  cusparseHandle_t sparse;
  cusparseCreate(&sparse);
  cufftDestroy(plan);
  curandDestroyGenerator(generator);
  cusparseDestroy(sparse);
  cublasDestroy(blas);
  cudaFree(a);
  cudaFree(c);
}
"""
LINE = next(number for number, line in enumerate(PROGRAM.split("\n"), 1) if "// gemm" in line)
CALLS = {"cublasSgemm": 1, "cufftExecC2C": 1, "curandGenerateUniform": 1}


class Libraries(Programs):
    def program(self):
        file = self.file("program.cu", PROGRAM)
        program = os.path.join(self.folder, "program")
        if NVCC:
            self.do([NVCC, "-cudart", "shared", "-lineinfo", "-Xcompiler", "-g", "-gencode",
                     "arch=compute_80,code=compute_80", file, "-o", program, *LIBRARIES])
        else:
            self.do([BANKPROOF, "nvcc", "-g", file, "-o", program, *LIBRARIES],
                    BANKPROOF_CUDA_COMPILER="clang", BANKPROOF_CLANG=CLANG)
        return program

    @needs(CAN_BUILD, COMPILER)
    def test_their_calls_are_checked_and_counted(self):
        program = self.program()
        code, output, report = self.exec(program)
        # The first row of A is 1, 5, 9, 13.
        self.assertEqual((code, output), (CLEAN, "0 276\n"), report)
        self.assertIn("note: calls of libraries were checked as a whole, and inside them nothing is counted: "
                      "cublasSgemm (1), cufftExecC2C (1), curandGenerateUniform (1)\n", report)
        self.assertIn("bankproof: 1 launch and 3 calls of libraries checked on hmm: no finding", report)
        for form in ("json", "sarif", "junit", "html"):
            code, _, text = self.exec(program, options=("--format", form))
            self.assertEqual(code, CLEAN)
            self.assertIn("cublasSgemm", text)
            if form == "json":
                self.assertEqual(json.loads(text)["checked"]["library_calls"], CALLS)
        code, output, report = self.exec(program, "1")
        self.assertEqual((code, output.split()[0]), (FINDING, "13"))
        self.assertRegex(report, rf"program\.cu:{LINE}: out_of_bounds: cublasSgemm reads A at \w+: "
                         "64 bytes from byte 0 of an allocation of 60 bytes")
        code, _, report = self.exec(program, "2")
        self.assertEqual(code, FINDING)
        self.assertRegex(report, rf"program\.cu:{LINE}: race: cublasSgemm reads 60 bytes from byte 0 of the "
                         r"allocation of .*, and is not ordered with add\(float\*\)")
        # A program without kernels is checked, too.
        code, output, report = self.exec(program, "3")
        self.assertEqual((code, output), (CLEAN, "0 224\n"), report)
        self.assertIn("bankproof: 0 launches and 1 call of libraries checked", report)


HEADERS = {"cublas": ("cublasXt.h", "cublas_api.h", "blas"), "cublasLt": ("cublasLt.h", "cublasLt.h", "blas_lt"),
           "cufft": ("cufftXt.h", "cufft.h", "fft"),
           "curand": ("curand.h", "curand.h", "random"), "cusparse": ("cusparse.h", "cusparse.h", "sparse")}


class Headers(Programs):
    """Each implemented function has the same type, and each enumerator the same value, in both headers."""

    def facts(self, library, folder):
        header, enumerators, room = HEADERS[library]
        with open(os.path.join(SOURCE, "cuda", "libraries", room, "functions.def"), encoding="utf-8") as file:
            names = re.findall(r"^implemented\((\w+)\)", file.read(), re.MULTILINE)
        with open(os.path.join(SOURCE, "cuda", "headers", enumerators), encoding="utf-8") as file:
            numbers = re.findall(r"\b(CU[A-Z]+_\w+) = -?\w+[, ]", file.read())
        # These have overloads; the functions with _64 stand for them.
        names = [name for name in names if not re.fullmatch(r"cublasGemm(Batched|StridedBatched)?Ex", name)]
        lines = ["#include <cstdio>", "#include <typeinfo>", f"#include <{header}>", "int main() {"]
        lines += [f'  std::printf("{name} %s\\n", typeid(decltype(&{name})).name());' for name in names]
        lines += [f'  std::printf("{name} %d\\n", int({name}));' for name in numbers]
        source = self.file(f"{library}.cpp", "\n".join(lines) + "\n}\n")
        program = os.path.join(self.folder, library)
        self.do(["c++", "-std=c++17", "-w", f"-I{folder}", source, "-o", program])
        ran = subprocess.run([program], capture_output=True, text=True, check=True)
        return ran.stdout.split("\n")

    @unittest.skipUnless(NVCC, "compares with the headers of the toolkit")
    def test_headers_agree(self):
        toolkit = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(NVCC))), "include")
        for library in HEADERS:
            ours = self.facts(library, os.path.join(SOURCE, "cuda", "headers"))
            self.assertGreater(len(ours), 20)
            self.assertEqual(ours, self.facts(library, toolkit))


if __name__ == "__main__":
    unittest.main()
