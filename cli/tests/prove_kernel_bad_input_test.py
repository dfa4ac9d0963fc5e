"""How `bankproof prove --kernel` refuses bad input."""

import os
import shutil
import unittest

from program import INPUT, USAGE, run
from prove_kernel_support import MATRIX, Kernels, example


class BadInput(Kernels):
    def refused(self, code, what, *arguments):
        result = run("prove", *map(str, arguments))
        self.assertEqual(result.returncode, code, result.stderr.decode())
        self.assertEqual(result.stdout, b"")
        message = result.stderr.decode()
        self.assertIn(what, message)
        return message

    def test_options(self):
        path = self.source(example("transpose.cu"))
        kernel = ("--kernel", path, "--compiler", "clang", "transpose_plain")
        for what, words in (
                ("there is no claim 'races'; did you mean 'race'?", (*kernel, "--claim", "races")),
                ("only banks and coalesced have a number", (*kernel, "--claim", "race=2")),
                ("M from 0 to 31", (*kernel, "--claim", "coalesced=32")),
                ("expected LINE=FORMULA", (*kernel, "--address", "threadIdx.x")),
                ("expected LINE=FORMULA", (*kernel, "--address", "5:=threadIdx.x")),
                ("the line has no such access; the kernel accesses", (*kernel, "--address", "1=threadIdx.x")),
                ("expected NAME=FIRST..LAST", (*kernel, "--address", "29=i", "--for", "i=3")),
                ("the second not below the first", (*kernel, "--address", "29=i", "--for", "i=3..2")),
                ("the name has a meaning already", (*kernel, "--address", "29=n", "--for", "n=0..2")),
                ("--format html is for kernels", ("--size", "4", "--source", "i", "--format", "html")),
                ("--for is for the variables of --address", (*kernel, "--for", "i=0..2")),
                ("a layout has one --address", ("--address", "i", "--address", "i + 1")),
                ("K from 1 to 32", (*kernel, "--claim", "banks=33")),
                ("expected NAME=EXPRESSION", (*kernel, "--buffer", "in")),
                ("the kernel's parameters are in, out, n", (*kernel, "--buffer", "input=n")),
                ("no variables in __device__ or __constant__ memory", (*kernel, "--symbol", "in")),
                ("expected one to three numbers", (*kernel, "--block", "32,x")),
                ("they contradict each other", (*kernel, "--where", "n > 5", "--where", "n < 5")),
                ("1 to 1024 threads along x", (*kernel, "--block", "2048")),
                ("transpose", ("--kernel", path, "--compiler", "clang")),
                ("takes one kernel", (*kernel, "transpose_padded")),
                ("a kernel or a layout", (*kernel, "--size", "64")),
                ("needs --kernel FILE", ("--where", "n > 5")),
                ("--list, --export and --coq are for theorems", (*kernel, "--list")),
                ("sarif is for kernels", ("A12", "--format", "sarif"))):
            with self.subTest(words[-1]):
                self.refused(USAGE, what, *words)

    def test_formulas_are_pointed_at(self):
        path = self.source(example("transpose.cu"))
        kernel = ("--kernel", path, "--compiler", "clang", "transpose_plain")
        message = self.refused(USAGE, "'n <= 2 *': ", *kernel, "--where", "n <= 2 *")
        self.assertIn("\n  n <= 2 *\n          ^", message)
        self.refused(USAGE, "'m > 0': ", *kernel, "--where", "m > 0")
        self.refused(USAGE, "does not fit 64 bits with a sign", *kernel, "--where", f"n < {2**63}")

    def test_members_that_are_not_there(self):
        path = self.source(MATRIX)
        for what, *words in (("unknown name 'a.row'; did you mean 'a.rows'?", "--where", "a.row <= 3"),
                             ("unknown name 'a.offsets[2]'", "--where", "a.offsets[2] == 3"),
                             ("unknown name 'a.data'", "--where", "a.data == 0"),
                             ("the kernel's parameters are a.data, value", "--buffer", "a=3"),
                             ("a.rows is no pointer", "--buffer", "a.rows=3")):
            with self.subTest(words):
                self.refused(USAGE, what, "--kernel", path, "--compiler", "clang", *words)

    @unittest.skipUnless(shutil.which("nvcc"), "needs nvcc")
    def test_members_without_debug_information(self):
        path = self.source("#ifdef __CUDACC_DEBUG__\n#error no debugging\n#endif\n" + MATRIX)
        self.refused(USAGE, "no names: nvcc", "--kernel", path, "--compiler", "nvcc", "--where", "a.rows > 3")

    def test_files(self):
        self.refused(INPUT, "missing.cu", "--kernel", os.path.join(self.folder, "missing.cu"))
        path = os.path.join(self.folder, "broken.ptx")
        with open(path, "w", encoding="utf-8") as file:
            file.write("no PTX")
        self.refused(INPUT, "broken.ptx", "--kernel", path)
        self.refused(USAGE, "needs no compiler", "--kernel", path, "--compiler", "clang")
        self.refused(INPUT, "contains no kernel", "--kernel", self.source("int x;"), "--compiler", "clang")


if __name__ == "__main__":
    unittest.main()
