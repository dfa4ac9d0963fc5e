"""Runs ci/kernel_proofs with a stand-in for bankproof, which decides each claim as the kernel's name says."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.environ["BANKPROOF_SOURCE"]
SCRIPT = os.path.join(SOURCE, "ci", "kernel_proofs")
STAND_IN = """#!/usr/bin/env python3
import json, sys
words = sys.argv[1:]
claim, kernel = words[words.index("--claim") + 1], words[words.index("--kernel") + 2]
verdict = "refuted" if kernel == claim else {"open": "unknown", "alien": "unsupported"}.get(kernel, "proved")
why = {"unknown": "a solver gave up", "unsupported": "not followed"}.get(verdict, "")
print(json.dumps({"claims": [{"claim": claim, "verdict": verdict, "why": "", "subjects": int(claim != "banks" and kernel != "alien"),
                              "at_most": {"n": 32768} if kernel == "small" and claim == "race" else {},
                              "findings": [{"why": why, "at": [{"line": 7}]}] * (verdict != "proved")}]}))
"""


class Tables(unittest.TestCase):
    def run_script(self, folder, kernels, *words, table="old\n"):
        os.makedirs(os.path.join(folder, "bin"), exist_ok=True)
        for name, text in (("bankproof", STAND_IN), ("nvcc", "#!/bin/sh\n")):
            path = os.path.join(folder, "bin", name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(path, 0o755)
        page, kernels_file = os.path.join(folder, "page.md"), os.path.join(folder, "list.txt")
        with open(page, "w", encoding="utf-8") as file:
            file.write(f"before\n<!-- ci/kernel_proofs -->\n{table}<!-- end -->\nbehind\n")
        with open(kernels_file, "w", encoding="utf-8") as file:
            file.write(kernels)
        path = os.path.join(folder, "bin") + os.pathsep + os.environ["PATH"]
        result = subprocess.run([sys.executable, SCRIPT, "--build", folder, "--list", kernels_file, "--page", page,
                                 *words], capture_output=True, text=True, check=False, env={**os.environ, "PATH": path})
        with open(page, encoding="utf-8") as file:
            return result, file.read()

    def test_a_table(self):
        with tempfile.TemporaryDirectory() as folder:
            result, page = self.run_script(folder, "# a remark\na.cu 'bankproof::cuda::kernels::right' --block 32\n"
                                                   "a.cu open\na.cu alien\na.cu coalesced ! coalesced\na.cu small\n"
                                                   "a.cu 'odd<int>' ? Nobody knows.\n")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertTrue(page.startswith("before\n") and page.endswith("<!-- end -->\nbehind\n"), page)
            self.assertNotIn("old", page)
            self.assertIn("| `right` | yes | yes | yes | yes | - | yes | yes | yes | --block 32 |  |", page)
            self.assertIn("| `open` | ? | ? | ? | ? | - | ? | ? | ? |  | race (line 7): a solver gave up;", page)
            self.assertIn("| `small` | bounded | yes | yes | yes | - | yes | yes | yes |  | race: if n <= 32768 |", page)
            self.assertIn("| `alien` | ? | ? | ? | ? | ? | ? | ? | ? |  | race (line 7): not followed;", page)
            self.assertIn("| `coalesced` | yes | yes | yes | yes | - | no | yes | yes |  | coalesced is refuted (line 7) |",
                          page)

            self.assertIn("\n| not in the table | why |\n|---|---|\n| `odd<int>` | Nobody knows. |\n<!-- end -->", page)

    def test_one_row(self):
        table = "| kernel | race |\n|---|---|\n| `left` | ? |\n| `right` | ? |\n"
        with tempfile.TemporaryDirectory() as folder:
            result, page = self.run_script(folder, "a.cu left\na.cu right --grid 1\n", "--only", "right", table=table)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("| `left` | ? |\n| `right` | yes | yes | yes | yes | - | yes | yes | yes | --grid 1 |  |\n<!--",
                          page)
            result, page = self.run_script(folder, "a.cu left\na.cu new\n", "--only", "new", table=table)
            self.assertEqual(result.returncode, 2)
            self.assertIn("no row of | `new`", result.stderr)
            self.assertIn(table, page)
            result, page = self.run_script(folder, "a.cu left\n", "--only", "typo", table=table)
            self.assertEqual(result.returncode, 2)
            self.assertIn("no kernel has 'typo'", result.stderr)
            self.assertIn(table, page)

    def test_every_kernel_is_in_the_list(self):
        kernels = os.path.join(SOURCE, "cuda", "kernels")
        declared = set()
        for folder, _, names in os.walk(kernels):
            for name in names:
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    text = re.sub(r"__launch_bounds__\([^)]*\)", "", file.read())
                declared |= set(re.findall(r"__global__ void\s+(\w+)\(", text))
        self.assertGreater(len(declared), 30)
        with open(os.path.join(SOURCE, "ci", "kernel_proofs.txt"), encoding="utf-8") as file:
            listed = set(re.findall(r"^\S+ '?(\w+)", file.read(), re.MULTILINE))
        self.assertEqual(declared - listed, set())

    def test_a_refuted_claim(self):
        with tempfile.TemporaryDirectory() as folder:
            result, _ = self.run_script(folder, "a.cu race\n")
            self.assertEqual(result.returncode, 1)
            self.assertIn("refuted: race: race", result.stderr)


if __name__ == "__main__":
    unittest.main()
