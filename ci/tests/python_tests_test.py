"""Checks how ctest reports a file of Python tests: passed, failed, skipped or empty."""

import os
import re
import subprocess
import tempfile
import unittest

SOURCE = os.environ["BANKPROOF_SOURCE"]

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(tests LANGUAGES NONE)
enable_testing()
include("%s/cmake/python_tests.cmake")
foreach(name IN ITEMS passes skips fails skips_and_fails prints nothing)
  bankproof_python_test(${name} some "${CMAKE_SOURCE_DIR}/${name}.py")
endforeach()
"""

BEGIN = "import sys, unittest\nclass T(unittest.TestCase):\n"
PASSES = "    def test_passes(self): pass\n"
SKIPS = "    def test_skips(self): self.skipTest('no reason')\n"
FAILS = "    def test_fails(self): self.fail()\n"
PRINTS = "    def test_prints(self): sys.stderr.write('as if OK (skipped=1)')\n"


class PythonTests(unittest.TestCase):
    def test_are_told_for_what_they_are(self):
        with tempfile.TemporaryDirectory() as folder:
            def write(name, text):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)

            write("CMakeLists.txt", PROJECT % SOURCE)
            write("passes.py", BEGIN + PASSES)
            write("skips.py", BEGIN + PASSES + SKIPS)
            write("fails.py", BEGIN + PASSES + FAILS)
            write("skips_and_fails.py", BEGIN + FAILS + SKIPS)
            write("prints.py", BEGIN + PRINTS)
            write("nothing.py", "")
            build = os.path.join(folder, "build")
            subprocess.run(["cmake", "-G", "Ninja", "-S", folder, "-B", build], check=True,
                           stdout=subprocess.DEVNULL)
            result = subprocess.run(["ctest", "--test-dir", build], stdout=subprocess.PIPE,
                                    stderr=subprocess.STDOUT, check=False)
        self.assertNotEqual(result.returncode, 0)
        told = dict(re.findall(r"Test +#\d+: (\w+) [.]+[ *]+(\w+)", result.stdout.decode()))
        self.assertEqual(told, {"passes": "Passed", "prints": "Passed", "skips": "Skipped",
                                "fails": "Failed", "skips_and_fails": "Failed",
                                "nothing": "Failed"})


if __name__ == "__main__":
    unittest.main()
