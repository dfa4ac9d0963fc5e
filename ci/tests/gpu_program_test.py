"""Reads what the program for GPU machines needs: nothing but a driver and glibc 2.36."""

import json
import os
import re
import subprocess
import unittest

PROGRAM = os.environ.get("BANKPROOF_GPU_PROGRAM")
GLIBC = (2, 36)
LIBRARIES = {"libc.so.6", "libm.so.6", "libdl.so.2", "librt.so.1", "libpthread.so.0",
             "ld-linux-x86-64.so.2"}


def problems(readelf):
    """What a program needs beyond that, by what `readelf -dV` prints of it."""
    needed = re.findall(r"\(NEEDED\)\s+Shared library: \[(.+?)\]", readelf)
    versions = set(re.findall(r"Name: ([A-Z][A-Z_]+?)_(\d[\d.]*)", readelf))
    if not needed or not versions:
        return ["not a program with symbols of other libraries"]
    found = [f"needs {library}" for library in needed if library not in LIBRARIES]
    for name, version in sorted(versions):
        number = tuple(int(part) for part in version.split("."))
        if name != "GLIBC" or number[:2] > GLIBC:
            found.append(f"needs {name}_{version}")
    return found


class GpuProgramTest(unittest.TestCase):
    def program(self, *words):
        return subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False)

    def setUp(self):
        if not PROGRAM:
            self.skipTest("there is no nvcc, so the program for GPU machines was not built")

    def test_needs_glibc_alone(self):
        readelf = subprocess.run(["readelf", "-W", "-dV", PROGRAM], capture_output=True, text=True,
                                 check=True)
        self.assertEqual(problems(readelf.stdout), [])

    def test_has_the_scenarios_that_are_predicted(self):
        listed = self.program("scenarios").stdout.splitlines()
        with open(f"{PROGRAM}.json", encoding="utf-8") as file:
            predicted = json.load(file)
        self.assertEqual(listed, [each["name"] for each in predicted["scenarios"]])
        self.assertGreater(len(listed), 100)
        self.assertEqual(predicted["machine"], "sm_90")
        for each in predicted["scenarios"]:
            self.assertTrue(each["right"], each["name"])
            self.assertTrue(each["launches"], each["name"])
            for launch in each["launches"]:
                self.assertEqual(len(launch["metrics"]), 9)

    def test_lists_benchmarks_whose_peers_are_there(self):
        rows = json.loads(self.program("bench", "--list").stdout)
        names = {row["name"] for row in rows}
        self.assertIn("cub.sum.float", names)
        for row in rows:
            self.assertIn(row["peer"], names | {""}, row["name"])

    def test_wants_a_command_that_it_knows(self):
        for words in [["nonsense"], ["scenario"], ["scenario", "nonsense"], ["bench", "nonsense"],
                      ["bench", "--bytes"], ["predict", "file"]]:
            self.assertEqual(self.program(*words).returncode, 2, words)


class CheckTest(unittest.TestCase):
    LINE = " 0x0001 (NEEDED)             Shared library: [{}]\n"
    VERSION = "  0x0060:   Name: {}  Flags: none  Version: 9\n"

    def problems(self, library, version):
        return problems(self.LINE.format(library) + self.VERSION.format(version))

    def test_more_than_glibc_is_told(self):
        self.assertEqual(self.problems("libm.so.6", "GLIBC_2.36"), [])
        self.assertEqual(self.problems("libm.so.6", "GLIBC_2.2.5"), [])
        self.assertEqual(self.problems("libm.so.6", "GLIBC_2.38"), ["needs GLIBC_2.38"])
        self.assertEqual(self.problems("libtbb.so.12", "GLIBC_2.4"), ["needs libtbb.so.12"])
        self.assertEqual(self.problems("libc.so.6", "GLIBCXX_3.4"), ["needs GLIBCXX_3.4"])
        self.assertNotEqual(problems("no ELF file"), [])


if __name__ == "__main__":
    unittest.main()
