"""Runs ci/kernel_fuzz on a few kernels, and on faults that it has to find."""

import os
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.environ["BANKPROOF_SOURCE"]
PROGRAM = os.environ.get("BANKPROOF", "")
SCRIPT = os.path.join(SOURCE, "ci", "kernel_fuzz")


@unittest.skipUnless(os.path.exists(PROGRAM), "the program is not built")
class Fuzz(unittest.TestCase):
    def run_script(self, *words):
        with tempfile.TemporaryDirectory() as folder:
            return subprocess.run([sys.executable, SCRIPT, "--program", PROGRAM, "--out", folder, *words],
                                  capture_output=True, text=True, check=False)

    def test_faults_that_are_taken_for_proved(self):
        result = self.run_script("--canary")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("7 of 7 claims that do not hold are found\n", result.stdout)

    def test_a_few_kernels(self):
        result = self.run_script("--seed", "6", "--kernels", "4", "--patience", "10")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"\b[1-9][0-9]* proved\b")

    def test_a_program_that_proves_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            result = subprocess.run([sys.executable, SCRIPT, "--program", "true", "--out", folder, "--kernels", "2"],
                                    capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn("no claim was proved, so no proof was tried\n", result.stderr)

    def test_no_program(self):
        result = subprocess.run([sys.executable, SCRIPT, "--program", "/no/such/program"], capture_output=True,
                                text=True, check=False)
        self.assertEqual(result.returncode, 3)
        self.assertEqual(result.stderr, "ci/kernel_fuzz: bankproof is missing\n")

    def test_nothing_to_do(self):
        self.assertEqual(self.run_script("--kernels", "0").returncode, 2)
        self.assertEqual(self.run_script("--kernels", "none").returncode, 2)


if __name__ == "__main__":
    unittest.main()
