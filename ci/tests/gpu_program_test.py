"""Checks that the program for GPU machines needs only a driver and glibc 2.36, and that it can do
everything that ci/gpu asks of it."""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["BANKPROOF_SOURCE"], "ci"))
from on_gpu import counters, gate  # noqa: E402
from on_gpu.session import Session  # noqa: E402

PROGRAM = os.environ.get("BANKPROOF_GPU_PROGRAM")
GLIBC = (2, 36)
LIBRARIES = {"libc.so.6", "libm.so.6", "libdl.so.2", "librt.so.1", "libpthread.so.0",
             "ld-linux-x86-64.so.2"}


def problems(readelf):
    """The libraries and versions that a program needs beyond these, read from the output of `readelf
    -dV`."""
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


class Recorder(Session):
    """Keeps ci/gpu's commands in full, and runs none of them."""

    def __init__(self, part):
        options = argparse.Namespace(dry_run=True, binary=PROGRAM, out="", cases=1, bytes=1, repeats=1,
                                     without_sanitizer=False, write=False)
        super().__init__("", options)
        self.find_tools(part.tools_for(options))
        self.dry, self.commands = False, []
        part.run(self, options)

    def run(self, step, command, environment=None, timeout=3600, quiet=False):
        self.commands.append((step, command))

    def words_for(self, step, subcommand=""):
        """The program's arguments in the commands of a step, after its subcommand."""
        words = [command[command.index(PROGRAM) + 1:] for of, command in self.commands if of == step]
        return [each[1:] if subcommand else each for each in words
                if not subcommand or each[0] == subcommand]


def patterns_of(gtest_filter):
    """GoogleTest's patterns; the patterns after the first - exclude tests."""
    wanted, _, unwanted = gtest_filter.partition("-")
    return [pattern for pattern in f"{wanted}:{unwanted}".split(":") if pattern]


class GpuProgramTest(unittest.TestCase):
    def program(self, *words):
        return subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False)

    def scenarios(self):
        return self.program("scenarios").stdout.splitlines()

    def predicted(self):
        return json.loads(self.program("predictions").stdout)

    def listed(self, gtest_filter):
        run = self.program(f"--gtest_filter={gtest_filter}", "--gtest_list_tests")
        self.assertEqual(run.returncode, 0)
        return [line for line in run.stdout.splitlines() if line.startswith("  ")]

    def setUp(self):
        if not PROGRAM:
            self.skipTest("there is no nvcc, so the program for GPU machines was not built")

    def test_needs_glibc_alone(self):
        readelf = subprocess.run(["readelf", "-W", "-dV", PROGRAM], capture_output=True, text=True,
                                 check=True)
        self.assertEqual(problems(readelf.stdout), [])

    def test_has_the_scenarios_that_are_predicted(self):
        listed, predicted = self.scenarios(), self.predicted()
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
        sizes = {row["name"]: row["size"] for row in rows}
        self.assertIn("cub.sum.float", sizes)
        for row in rows:
            if row["peer"]:
                self.assertEqual(sizes.get(row["peer"]), row["size"], row["name"])

    def test_has_what_the_gate_asks_for(self):
        scenarios, recorder = self.scenarios(), Recorder(gate)
        words, = recorder.words_for("tests")
        gtest_filter = words[0].removeprefix("--gtest_filter=")
        self.assertGreater(len(self.listed(gtest_filter)), 50)
        for pattern in patterns_of(gtest_filter):
            self.assertTrue(self.listed(pattern), pattern)
        self.assertEqual(recorder.words_for("scenarios", "scenario"), [scenarios])
        kernels = [name for name in scenarios if not name.startswith("microkernel.")]
        for checker, names in {"memcheck": scenarios, "racecheck": kernels}.items():
            planted, whole = recorder.words_for(checker, "scenario")
            self.assertEqual(whole, names, checker)
            self.assertIn(self.program("scenario", *planted).returncode, (0, 1), planted)
        polling = [collections.Counter(words) for words in recorder.words_for("polling", "scenario")]
        self.assertEqual(polling, [{each["name"]: 100} for each in self.predicted()["scenarios"]
                                   if each["polls"]])
        self.assertGreater(len(polling), 3)

    def test_has_what_counters_are_asked_of(self):
        names, = Recorder(counters).words_for("counters", "scenario")
        self.assertLessEqual(set(names), set(self.scenarios()))
        for words in ["microkernel.shared-load.4.", "microkernel.global-store.16.", "sum_packets"]:
            self.assertIn(words, " ".join(names))

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
