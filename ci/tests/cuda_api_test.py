"""Plants gaps between the table of CUDA's functions, its document and libraries. ci/cuda_api.py has to find
each."""

import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.environ["BANKPROOF_SOURCE"]
SCRIPT = os.path.join(ROOT, "ci", "cuda_api.py")
DEFINITIONS = """// The functions:
implemented(cudaMalloc)
accepted(cudaProfilerStart, "the machine counts everything")
refused(cudaMallocArray, "there are no arrays yet")
"""
PER_THREAD = "#pragma once\n#define cudaMalloc cudaMalloc_ptsz\n"
# The other APIs, each with its library here and in a toolkit.
OTHERS = (("driver", "libcuda.so.1", "stubs/libcuda.so", "cuInit"),
          ("nvrtc", "libnvrtc.so.13", "libnvrtc.so.13", "nvrtcVersion"),
          ("libraries/blas", "libcublas.so.13", "libcublas.so.13", "cublasInit"),
          ("libraries/blas_lt", "libcublasLt.so.13", "libcublasLt.so.13", "cublasLtCreate"),
          ("libraries/fft", "libcufft.so.12", "libcufft.so.12", "cufftCreate"),
          ("libraries/random", "libcurand.so.10", "libcurand.so.10", "curandGenerate"),
          ("libraries/sparse", "libcusparse.so.12", "libcusparse.so.12", "cusparseCreate"))
PAGES = {"driver": "cuda-driver", "nvrtc": "nvrtc", "libraries/blas": "cublas",
         "libraries/blas_lt": "cublaslt", "libraries/fft": "cufft",
         "libraries/random": "curand", "libraries/sparse": "cusparse"}
NAMES = ["cudaMalloc", "cudaMalloc_ptsz", "cudaProfilerStart", "cudaMallocArray"]


class CudaApi(unittest.TestCase):
    def setUp(self):
        self.root = self.enterContext(tempfile.TemporaryDirectory())
        self.write("cuda/runtime/functions.def", DEFINITIONS)
        self.write("docs/cuda-api.md", "# Functions\n\n| function | here |\n|---|---|\n")
        for api, _, _, name in OTHERS:
            self.write(f"cuda/{api}/functions.def", f"implemented({name})\n")
            self.write(f"docs/{PAGES[api]}-api.md", "| none |\n\n| function | here |\n|---|---|\n")
        self.write("cuda/headers/parts/per_thread.h", PER_THREAD)
        self.write("cuda/headers/parts/driver_per_thread.h", "#define cuInit cuInit_ptds\n")
        self.write("cuda/driver/per_thread.def", "// Versions:\nper_thread(cuInit, _ptds)\n")
        self.assert_ok("--write")

    def write(self, name, text):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def library(self, name, names):
        source = self.write(name + ".c", "".join(f"int {one}(void) {{ return 0; }}\n" for one in names))
        subprocess.run(["cc", "-shared", "-fPIC", source, "-o", os.path.join(self.root, name)], check=True)

    def libraries(self, names):
        """Returns a folder like that of our libraries; the runtime has these names."""
        self.library("ours/libcudart.so.13", names)
        for api, library, _, name in OTHERS:
            self.library(f"ours/{library}", [name] + [name + "_ptds"] * (api == "driver"))
        return os.path.join(self.root, "ours")

    def toolkit(self, names):
        self.library("toolkit/lib64/libcudart.so.13", names)
        for api, _, library, name in OTHERS:
            self.library(f"toolkit/lib64/{library}", [name] + [name + "_ptds"] * (api == "driver"))
        return os.path.join(self.root, "toolkit")

    def run_script(self, *options):
        return subprocess.run([sys.executable, SCRIPT, self.root, *options], capture_output=True, text=True,
                              check=False)

    def assert_ok(self, *options):
        ran = self.run_script(*options)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""), ran.stdout)
        self.assertIn("cuda_api: ok, 10 functions", ran.stdout)

    def assert_found(self, words, *options):
        ran = self.run_script(*options)
        self.assertEqual(ran.returncode, 1)
        self.assertIn(words, ran.stdout + ran.stderr)

    def test_no_gap(self):
        self.assert_ok()
        self.assert_ok("--libraries", self.libraries(NAMES), "--toolkit", self.toolkit(NAMES))

    def test_a_document_that_differs(self):
        self.write("cuda/runtime/functions.def", DEFINITIONS.replace("no arrays yet", "no arrays"))
        self.assert_found("docs/cuda-api.md: the table is not that of cuda/runtime/functions.def")
        self.assert_ok("--write")
        self.assert_ok()

    def test_a_table_that_is_no_table(self):
        for row in ("implemented(cudaMalloc)\n", "refused(cudaFree)\n", 'implemented(cudaFree, "why")\n',
                    "cudaFree\n"):
            self.write("cuda/runtime/functions.def", DEFINITIONS + row)
            self.assert_found("functions.def:5: expected a function once")

    def test_a_library_that_differs(self):
        self.assert_found("functions.def has cudaMallocArray, which", "--libraries", self.libraries(NAMES[:-1]))
        self.assert_found("has cudaFree, which cuda/runtime/functions.def has not",
                          "--libraries", self.libraries(NAMES + ["cudaFree"]))

    def test_the_other_apis_that_differ(self):
        for api, library, _, name in OTHERS:
            folder = self.libraries(NAMES)
            self.library(f"ours/{library}", ["cuOther"])
            self.assert_found(f"cuda/{api}/functions.def has {name}, which", "--libraries", folder)

    def test_a_toolkit_that_differs(self):
        self.assert_found("functions.def has cudaMallocArray, which", "--toolkit", self.toolkit(NAMES[:-1]))
        self.assert_found("has cudaFree, which cuda/runtime/functions.def has not",
                          "--toolkit", self.toolkit(NAMES + ["cudaFree"]))

    def test_a_version_for_per_thread_streams_that_differs(self):
        header = "which cuda/headers/parts/per_thread.h has not"
        more = NAMES + ["cudaProfilerStart_ptsz", "__cudaProfilerStart_ptsz"]
        self.assert_found("has cudaProfilerStart_ptsz, " + header, "--toolkit", self.toolkit(more))
        self.assert_found("has cudaProfilerStart_ptsz, " + header, "--libraries", self.libraries(more))
        self.write("cuda/headers/parts/per_thread.h", PER_THREAD + "#define cudaFree cudaFree_ptsz\n")
        self.assert_found("per_thread.h has cudaFree_ptsz, which", "--libraries", self.libraries(NAMES))
        self.write("cuda/headers/parts/per_thread.h", PER_THREAD + "#define cudaFree cudaMalloc_ptsz\n")
        self.assert_found("#define cudaFree cudaMalloc_ptsz: expected the same name with an ending")

    def test_versions_of_the_driver_that_differ(self):
        definitions = "cuda/driver/per_thread.def"
        self.write(definitions, "same(cuInit, _ptds)\n")
        self.assert_found("same(cuInit, _ptds): per_thread is for functions that are implemented")
        self.write(definitions, "per_thread(cuInit, _ptds)\nper_thread(cuOther, _ptsz)\n")
        self.assert_found("per_thread(cuOther, _ptsz): per_thread is for functions that are implemented")
        self.assert_found("per_thread.def has cuOther_ptsz, which cuda/headers/parts/driver_per_thread.h has not")
        self.write(definitions, "")
        self.assert_found("driver_per_thread.h has cuInit_ptds, which cuda/driver/per_thread.def has not")
        self.write(definitions, "cuInit\n")
        self.assert_found("per_thread.def: cuInit: expected a function")


if __name__ == "__main__":
    unittest.main()
