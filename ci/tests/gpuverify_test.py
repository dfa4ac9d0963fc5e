"""Runs ci/gpuverify on a suite of our own: a kernel that is right, one with a fault, one that the suite calls
right and is not, and one that does not compile."""

import os
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.environ["BANKPROOF_SOURCE"]
BUILD = os.environ.get("BANKPROOF_BUILD", "")
SCRIPT = os.path.join(SOURCE, "ci", "gpuverify")

HEAD = "//{}\n//--blockDim=[64,32] --gridDim=2 -DWORDS=64\n__global__ void store(int* a) {{\n"
RIGHT = HEAD.format("pass") + ("  __requires(blockIdx.x == 1);\n  __assert(blockDim.x * blockDim.y <= 1024);\n"
                               "  a[threadIdx.y * WORDS + threadIdx.x] = 1;\n}\n")
WRONG = HEAD.format("xfail:NOT_ALL_VERIFIED") + "  a[threadIdx.x] = threadIdx.y;\n}\n"
SUITE = {"right": RIGHT, "wrong": WRONG, "called_right": WRONG.replace("xfail:NOT_ALL_VERIFIED", "pass"),
         "empty": HEAD.format("pass") + "}\n", "missing": RIGHT.replace("a[", "b["), "other": RIGHT.replace("//pass", "//xfail:BUGLE_ERROR")}


@unittest.skipUnless(os.path.exists(os.path.join(BUILD, "bin", "bankproof")), "the program is not built")
class Suites(unittest.TestCase):
    def suite(self, folder, names):
        for name in names:
            place = os.path.join(folder, "testsuite", "CUDA", name)
            os.makedirs(place)
            with open(os.path.join(place, "kernel.cu"), "w", encoding="utf-8") as file:
                file.write(SUITE[name])

    def run_script(self, folder, *words):
        return subprocess.run([sys.executable, SCRIPT, *words, "--build", BUILD, "--results",
                               os.path.join(folder, "results"), "--output", os.path.join(folder, "page.md")],
                              capture_output=True, text=True, check=False)

    def test_a_suite(self):
        with tempfile.TemporaryDirectory() as folder:
            self.suite(folder, SUITE)
            result = self.run_script(folder, folder, "--variant", "clang")
            # A right kernel that is refuted is a finding of the script.
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertIn("not as the suite says: called_right/kernel.cu", result.stderr)
            with open(os.path.join(folder, "page.md"), encoding="utf-8") as file:
                page = file.read()
            # should, compiled, proved, refuted, unknown, unsupported, nothing, timeout, not built
            self.assertIn("| clang | 4 | 3 | 1 | 1 | 0 | 0 | 1 | 0 | 1 |", page)
            self.assertIn("| clang | 1 | 1 | 0 | 1 | 0 | 0 | 0 | 0 | 0 |", page)
            self.assertRegex(page, r"\| `called_right/kernel.cu` \| refuted \| race: block ")
            self.assertRegex(page, r"\| `missing/kernel.cu` \| not built \| use of undeclared identifier 'b'")
            self.assertNotIn("other/kernel.cu", page)
            with open(os.path.join(folder, "page.md"), "w", encoding="utf-8"):
                pass
            self.assertEqual(self.run_script(folder, "--page").returncode, 1)
            with open(os.path.join(folder, "page.md"), encoding="utf-8") as file:
                self.assertEqual(file.read(), page)

    def test_a_suite_as_it_says(self):
        with tempfile.TemporaryDirectory() as folder:
            self.suite(folder, ("right", "wrong"))
            result = self.run_script(folder, folder, "--variant", "clang-O0")
            self.assertEqual(result.returncode, 0, result.stderr)

    def test_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(self.run_script(folder, folder).returncode, 3)
            self.assertEqual(self.run_script(folder, "--page").returncode, 3)
            self.assertEqual(self.run_script(folder).returncode, 2)


if __name__ == "__main__":
    unittest.main()
