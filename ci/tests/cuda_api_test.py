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
NAMES = ["cudaMalloc", "cudaMalloc_ptsz", "cudaProfilerStart", "cudaMallocArray"]


class CudaApi(unittest.TestCase):
    def setUp(self):
        self.root = self.enterContext(tempfile.TemporaryDirectory())
        self.write("cuda/runtime/functions.def", DEFINITIONS)
        self.write("docs/cuda-api.md", "# Functions\n\n| function | here |\n|---|---|\n")
        self.assert_ok("--write")

    def write(self, name, text):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def library(self, name, names):
        source = self.write(name + ".c", "".join(f"int {one}(void) {{ return 0; }}\n" for one in names))
        path = os.path.join(self.root, name)
        subprocess.run(["cc", "-shared", "-fPIC", source, "-o", path], check=True)
        return path

    def toolkit(self, names):
        return os.path.dirname(os.path.dirname(self.library("toolkit/lib64/libcudart.so.13", names)))

    def run_script(self, *options):
        return subprocess.run([sys.executable, SCRIPT, self.root, *options], capture_output=True, text=True,
                              check=False)

    def assert_ok(self, *options):
        ran = self.run_script(*options)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""), ran.stdout)
        self.assertIn("cuda_api: ok, 3 functions", ran.stdout)

    def assert_found(self, words, *options):
        ran = self.run_script(*options)
        self.assertEqual(ran.returncode, 1)
        self.assertIn(words, ran.stdout + ran.stderr)

    def test_no_gap(self):
        library = self.library("ours.so", NAMES)
        self.assert_ok()
        self.assert_ok("--library", library, "--toolkit", self.toolkit(NAMES))

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
        self.assert_found("functions.def has cudaMallocArray, which",
                          "--library", self.library("less.so", NAMES[:-1]))
        self.assert_found("has cudaFree, which cuda/runtime/functions.def has not",
                          "--library", self.library("more.so", NAMES + ["cudaFree"]))

    def test_a_toolkit_that_differs(self):
        self.assert_found("functions.def has cudaMallocArray, which", "--toolkit", self.toolkit(NAMES[:-1]))
        self.assert_found("has cudaFree, which cuda/runtime/functions.def has not",
                          "--toolkit", self.toolkit(NAMES + ["cudaFree"]))

    def test_a_version_for_per_thread_streams_that_is_missing(self):
        library = self.library("ours.so", NAMES)
        self.assert_found("has cudaProfilerStart_ptsz, which", "--library", library,
                          "--toolkit", self.toolkit(NAMES + ["cudaProfilerStart_ptsz"]))


if __name__ == "__main__":
    unittest.main()
