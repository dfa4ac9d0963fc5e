"""Runs ci/build-times on made-up logs of ninja, with 2 cores."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCE = os.environ["BANKPROOF_SOURCE"]
# Start and end in ms of the build's clock, start of the build in s, output, command.
LOG = [
    (0, 10000, 100, "CMakeFiles/one.dir/model/a.cpp.o", "1"),      # alone for 4 s, then one of two
    (4000, 10000, 100, "CMakeFiles/one.dir/model/b.cpp.o", "2"),
    (10000, 16000, 100, "properties/CMakeFiles/two.dir/c.cpp.o", "3"),  # three at a time on two cores
    (10000, 16000, 100, "properties/machine/two/cuda/d.cu.o", "4"),
    (10000, 16000, 100, "properties/machine/two/cuda/d.cu.o.ptx", "4"),
    (10000, 16000, 100, "model/libone.a", "5"),
    (16000, 16000, 100, "stamp", "6"),
    (0, 5000, 900, "CMakeFiles/headers.dir/h.cpp.o", "7"),         # a later build
    (1000, 5000, 900, "bin/bench_x", "8"),
    (0, 90000, 50, "CMakeFiles/one.dir/model/gone.cpp.o", "9"),    # its file is gone
    (0, 90000, 50, "CMakeFiles/one.dir/model/stale.cpp.o", "10"),  # its file exists, but no rule
]
TARGETS = {"one": 20, "two": 8, "headers": 5, "bench_x": 4, "all": 37}


class BuildTimesTest(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        with open(os.path.join(SOURCE, "ci", "build-times"), encoding="utf-8") as file:
            script = file.read().replace("os.cpu_count()", "2")
        self.write("ci/build-times", script)
        self.write("docs/benchmarks.md", "x, all that `./ci/test` builds: 1,020 processor seconds.\n")
        self.log(LOG)

    def write(self, name, text):
        os.makedirs(os.path.dirname(os.path.join(self.root, name)), exist_ok=True)
        with open(os.path.join(self.root, name), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(os.path.join(self.root, name), 0o755)

    def log(self, rows):
        lines, rules = ["# ninja log v5"], ["rule x"]
        for start, end, began, output, command in rows:
            if "gone" not in output:
                self.write(f"build/{output}", "")
            if "stale" not in output:
                rules.append(f"build {output.replace(' ', '$ ')} | ${{dir}}other: x in$ put.cpp | b: c || d")
            lines.append(f"{start}\t{end}\t{(began * 1000 + end) * 10**6}\t{output}\t{command}")
        self.write("build/.ninja_log", "\n".join(lines) + "\n4\t1")  # ninja was killed
        self.write("build/build.ninja", "\n".join(rules) + "\n")

    def run_it(self, *arguments):
        run = subprocess.run([os.path.join(self.root, "ci", "build-times"), *arguments],
                             capture_output=True, text=True)
        return run.returncode, run.stdout, run.stderr

    def tables(self):
        """The rows of both tables as numbers."""
        code, out, said = self.run_it()
        self.assertEqual((code, said), (0, ""))
        return [{name: int(number) for name, number in re.findall(r"^\| (.*) \| (\d+) \|$", table,
                                                                  re.MULTILINE)}
                for table in out.split("\n\n")]

    def test_shares_the_cores_among_what_is_made_at_a_time(self):
        targets, files = self.tables()
        self.assertEqual(targets, TARGETS)
        self.assertEqual(list(targets), ["one", "two", "headers", "bench_x", "all"])
        self.assertEqual(files["one: model/a.cpp.o"], 10)
        self.assertEqual(files["two: cuda/d.cu.o.ptx"], 4)
        self.assertEqual(files["model/libone.a"], 4)
        self.assertEqual(list(files)[0], "one: model/a.cpp.o")

    def test_lists_the_twenty_slowest_files(self):
        self.log([(0, 1000 * k, 100 * k, f"CMakeFiles/t.dir/{k}.cpp.o", str(k)) for k in range(1, 31)])
        _, files = self.tables()
        self.assertEqual(files, {f"t: {k}.cpp.o": k for k in range(11, 31)})

    def test_compares_what_the_tests_need_with_the_figure(self):
        beyond = [(0, 9000, 900, "bin/bankproof-gpu", "2"), *LOG[7:9]]
        self.log([(0, 2040000, 5000, "CMakeFiles/t.dir/a b.cpp.o", "1"), *beyond])
        self.assertEqual(self.run_it("--total")[:2],
                         (0, "all that ./ci/test builds: 2040 processor seconds, +1020 (+100 %) against "
                          "docs/benchmarks.md\n"))
        self.assertEqual(self.run_it("--gate", "90")[2],
                         "ci/build-times: ci/check: 90 seconds on the clock; docs/benchmarks.md has no "
                         "figure to compare it with\n")
        self.write("docs/benchmarks.md", "x, all that `./ci/test` builds: 1,020 processor seconds.\n"
                                         "`./ci/check` on a fresh clone: 1,800 seconds on the clock\n")
        self.assertEqual(self.run_it("--gate", "1980")[1].splitlines()[0],
                         "ci/check: 1980 seconds on the clock, +180 (+10 %) against docs/benchmarks.md")
        self.write("docs/benchmarks.md", "no figure\n")
        code, _, said = self.run_it("--total")
        self.assertEqual(code, 3)
        self.assertIn("2040 processor seconds; docs/benchmarks.md has no figure", said)

    def test_no_log_is_told(self):
        self.log(LOG[9:])
        self.assertIn("nothing that was built", self.run_it()[2])
        for text in ("words\n", "", "\xff\0"):
            self.write("build/.ninja_log", text)
            self.assertEqual(self.run_it()[:1] + self.run_it()[2:],
                             (3, f"ci/build-times: {self.root}/build/.ninja_log: not a log of ninja's\n"))
        self.assertEqual(self.run_it(os.path.join(self.root, "docs"))[0], 3)


if __name__ == "__main__":
    unittest.main()
