"""Runs ci/kernel_bugs on bugs of the list, and on a list of our own with a text that is no bug."""

import os
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.environ["BANKPROOF_SOURCE"]
PROGRAM = os.environ.get("BANKPROOF", "")
SCRIPT = os.path.join(SOURCE, "ci", "kernel_bugs")
KERNEL = """[[kernel]]
file = "examples/kernels/histogram.cu"
name = "histogram"
stated = [{stated}]
"""
BUG = """[[kernel.bug]]
title = "{title}"
from = "{old}"
to = "{new}"
claim = "{claim}"
"""
CLEARED = "counts[b] = 0;\\n  __syncthreads();\\n"


@unittest.skipUnless(os.path.exists(PROGRAM), "the program is not built")
class Bugs(unittest.TestCase):
    def run_script(self, *words, bugs="", stated=""):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "list.toml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(KERNEL.format(stated=stated) + bugs)
            own = ["--list", path] if bugs else []
            return subprocess.run([sys.executable, SCRIPT, "--compiler", "clang", "--program", PROGRAM, *own, *words],
                                  capture_output=True, text=True, check=False)

    def test_bugs_of_the_list(self):
        result = self.run_script("--only", "transpose_padded: no")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("2 of 2 bugs are found\n", result.stdout)
        self.assertIn("ok: clang: transpose_padded: no pad: banks refuted [50]; without the bug proved", result.stdout)

    def test_a_text_that_is_no_bug(self):
        bugs = (BUG.format(title="no bug", old=CLEARED, new=CLEARED + "  __syncthreads();\\n", claim="race")
                + BUG.format(title="a bug", old=CLEARED, new="counts[b] = 0;\\n", claim="race"))
        result = self.run_script(bugs=bugs)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("MISSED: clang: histogram: no bug: race proved ; without the bug proved", result.stdout)
        self.assertIn("ok: clang: histogram: a bug: race refuted [14, 16]", result.stdout)
        self.assertIn("1 of 2 bugs are found\n", result.stdout)

    def test_a_kernel_that_is_refuted_without_the_bug(self):
        bugs = BUG.format(title="known", old="bins[b]", new="bins[b + 1]", claim="bounds")
        result = self.run_script(bugs=bugs, stated='"--buffer", "data=n - 1", "--where", "n >= 2"')
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertRegex(result.stdout, "MISSED: clang: histogram: known: bounds refuted .*; without the bug refuted")

    def test_a_text_that_the_kernel_does_not_have(self):
        result = self.run_script(bugs=BUG.format(title="none", old="no such text", new="", claim="race"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("examples/kernels/histogram.cu has no text 'no such text'", result.stderr)

    def test_nothing_to_do(self):
        result = self.run_script("--only", "no such title")
        self.assertEqual(result.returncode, 1)
        self.assertIn("no bug has 'no such title' in its title", result.stderr)


if __name__ == "__main__":
    unittest.main()
