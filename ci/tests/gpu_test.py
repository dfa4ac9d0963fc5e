"""Runs ci/gpu in a scratch tree, with stand-ins for CMake, the program and the profilers: a gate that
can pass without having looked would be worth nothing."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

CI = os.path.join(os.environ["BANKPROOF_SOURCE"], "ci")
LOAD = "smsp__sass_inst_executed_op_shared_ld.sum"
WAVEFRONTS = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"
METRICS = [LOAD, LOAD.replace("_ld", "_st"), LOAD.replace("shared", "global"),
           LOAD.replace("shared_ld", "global_st"), WAVEFRONTS, WAVEFRONTS.replace("op_ld", "op_st"),
           "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum",
           "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum",
           "smsp__sass_l1tex_tags_mem_global.sum"]
DEVICE = '{"name": "A GPU", "capability": "9.0", "multiprocessors": 132, "bytes": 1, "driver": 13000}'

# The program: what a file of the scratch folder says of each of its commands.
PROGRAM = """#!/usr/bin/env python3
import json, os, sys
here = os.environ["STATE"]
says = json.load(open(os.path.join(here, "says")))
words = sys.argv[1:]
with open(os.path.join(here, "log"), "a") as log: log.write(" ".join(words) + "\\n")
if words[0] == "device":
    if not says["device"]: print("no GPU"); sys.exit(3)
    print(says["device"])
elif words[0] == "scenario":
    for name in words[1:]: print("WRONG" if name in says["wrong"] else "right", name)
    sys.exit(any(name in says["wrong"] for name in words[1:]))
elif words[0] == "bench":
    if "--list" in words: print(json.dumps(says["rows"])); sys.exit(0)
    names = [word for word in words[1:] if not word.startswith("--") and not word.isdigit()]
    rows = [row for row in says["rows"] if not names or row["name"] in names]
    print(json.dumps({"repeats": 21, "copy": {"bytes": 2000, "milliseconds": 1}, "rows": rows}))
else:
    report = [word for word in words if word.startswith("--gtest_output=json:")][0][20:]
    cases = [{"name": name, "classname": "S", "result": result} for name, result in says["tests"].items()]
    json.dump({"testsuites": [{"testsuite": cases}]}, open(report, "w"))
    sys.exit(says["exit"])
"""
SANITIZER = """#!/usr/bin/env python3
import json, os, subprocess, sys
says = json.load(open(os.path.join(os.environ["STATE"], "says")))
if sys.argv[-1].startswith("planted.") and says["sharp"]: print("ERROR SUMMARY"); sys.exit(9)
program = [k for k, word in enumerate(sys.argv) if word.endswith("bankproof-gpu")][0]
sys.exit(subprocess.run(sys.argv[program:]).returncode)
"""
# Nsight Compute: a launch a row, a row of units first.
NCU = """#!/usr/bin/env python3
import csv, json, os, sys
says = json.load(open(os.path.join(os.environ["STATE"], "says")))
log = sys.argv[sys.argv.index("--log-file") + 1]
metrics = sys.argv[sys.argv.index("--metrics") + 1].split(",")
if says["ncu"]: open(log, "w").write("==ERROR== " + says["ncu"]); sys.exit(1)
with open(log, "w") as file:
    file.write("==PROF== Connected\\n")
    out = csv.writer(file, quoting=csv.QUOTE_ALL)
    out.writerow(["ID", "Kernel Name", *metrics])
    out.writerow(["", "", *["inst"] * len(metrics)])
    for k, (name, counts) in enumerate(says["launches"]):
        out.writerow([k, name, *[f"{counts.get(metric, 0):,}" for metric in metrics]])
"""


def launch(kernel, **counts):
    return {"kernel": f"void ns::{kernel}<int>(int const*, int*)",
            "metrics": {metric: counts.get(metric, 0) for metric in METRICS}}


PREDICTED = [
    {"name": "sum.int32", "right": True, "plain": True,
     "launches": [launch("sum", **{LOAD: 3, WAVEFRONTS: 1200}), launch("sum", **{LOAD: 4})]},
    {"name": "microkernel.shared-load.8.pair-1", "right": True, "plain": True,
     "launches": [launch("load_from_shared", **{LOAD: 1, WAVEFRONTS: 1})]},
    {"name": "scan.int32", "right": True, "plain": False, "because": "atom.global.add.u32",
     "launches": [launch("scan")]},
]
ROWS = [{"name": "sum_columns.float", "elements": 250, "bytes": 1000, "floor": 1.0, "target": 1.1,
         "peer": "cub.sum.float", "milliseconds": 0.625},
        {"name": "cub.sum.float", "elements": 250, "bytes": 1000, "floor": 1, "target": 0, "peer": "",
         "milliseconds": 0.5},
        {"name": "prefix_sums_simple_global.float", "elements": 250, "bytes": 2000, "floor": 0,
         "target": 0, "peer": "cublas", "milliseconds": 2.5},
        {"name": "cublas", "elements": 1, "bytes": 2000, "floor": 0, "target": 0, "peer": "",
         "because": "libcublas.so is not on this machine"}]
COUNTED = [["void ns::sum<T1>(const T1 *, T1 *)", {LOAD: 3, WAVEFRONTS: 1200}],
           ["void ns::sum<T1>(const T1 *, T1 *)", {LOAD: 4}],
           ["void ns::load_from_shared<T1>(T1 *)", {LOAD: 1, WAVEFRONTS: 1}]]


class GpuTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.mkdtemp(prefix="with blank ")
        self.addCleanup(shutil.rmtree, self.scratch)
        self.binary = self.path("bin/bankproof-gpu")
        os.makedirs(self.path("bin"))
        for name, text in {"bankproof-gpu": PROGRAM, "compute-sanitizer": SANITIZER, "ncu": NCU}.items():
            self.write(f"bin/{name}", text)
            os.chmod(self.path(f"bin/{name}"), 0o755)
        os.symlink(sys.executable, self.path("bin/python3"))
        os.makedirs(self.path("tree/docs"))
        shutil.copytree(CI, self.path("tree/ci"))
        with open(os.path.join(CI, "..", "docs", "fidelity.md"), encoding="utf-8") as file:
            self.write("tree/docs/fidelity.md", file.read())
        self.write("bin/bankproof-gpu.json", json.dumps({"machine": "sm_90", "scenarios": PREDICTED}))
        self.says = {"device": DEVICE, "tests": {"one": "COMPLETED", "two": "COMPLETED"}, "exit": 0,
                     "wrong": [], "sharp": True, "ncu": "", "launches": COUNTED, "rows": ROWS}

    def path(self, name):
        return os.path.join(self.scratch, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def gpu(self, *words, binary=True):
        self.write("says", json.dumps(self.says))
        given = ["--binary", self.binary] if binary else []
        run = subprocess.run(
            [sys.executable, self.path("tree/ci/gpu"), *given, "--out", self.path("out"), *words],
            env={"PATH": self.path("bin"), "STATE": self.scratch}, capture_output=True, text=True,
            check=False)
        return run.returncode, (run.stdout + run.stderr).replace("'", "")

    def assert_ends(self, code, words, *arguments):
        got, output = self.gpu(*arguments)
        self.assertEqual(got, code, output)
        self.assertIn(words, output)
        return output

    def log(self):
        with open(self.path("log"), encoding="utf-8") as file:
            return file.read().splitlines()

    def test_all_holds(self):
        output = self.assert_ends(0, "ci/gpu: all holds")
        self.assertIn("tests: 2 hold", output)
        self.assertIn("memcheck: 3 scenarios are right", output)
        self.assertIn("racecheck: 2 scenarios are right", output)
        self.assertEqual(self.log()[-1].split(), ["scenario"] + ["scan.int32"] * 100)

    def test_dry_run_lists_everything_anywhere(self):
        self.says["device"] = None
        output = self.assert_ends(0, "memcheck", "--dry-run")
        for words in ["bankproof-gpu device", "RC_PARAMS=max_success=400", "--gtest_filter=-*OnMachine*",
                      "scenario sum.int32 microkernel.shared-load.8.pair-1 scan.int32",
                      "--tool memcheck --error-exitcode 9", "planted.out-of-bounds", "planted.race",
                      "--tool racecheck", "polling: "]:
            self.assertIn(words, output)
        self.assertFalse(os.path.exists(self.path("log")), "a dry run runs nothing")
        self.assertFalse(os.path.exists(self.path("out")))
        output = self.assert_ends(0, "--clock-control none", "--dry-run", "--counters")
        for metric in METRICS:
            self.assertIn(metric, output)
        self.assertNotIn("scan.int32", output)
        code, output = self.gpu("--dry-run", binary=False)
        self.assertEqual(code, 0, output)
        self.assertIn("build: cmake --preset gpu-portable", output)
        self.assertIn("build-gpu/bin/bankproof-gpu scenario EACH", output)

    def test_no_gpu_is_no_pass(self):
        self.says["device"] = None
        self.assert_ends(3, "there is no GPU")

    def test_a_test_that_fails_or_is_skipped_is_a_failure(self):
        self.says["exit"] = 1
        self.assert_ends(1, "FAILED: differential tests")
        self.says["exit"] = 0
        self.says["tests"]["two"] = "SKIPPED"
        self.assert_ends(1, "S.two")
        self.says["tests"] = {}
        self.assert_ends(1, "no test ran")

    def test_a_wrong_scenario_is_a_failure(self):
        self.says["wrong"] = ["scan.int32"]
        self.assert_ends(1, "2 of 3 scenarios are right")

    def test_a_checker_must_be_there_and_must_tell_a_planted_bug(self):
        self.says["sharp"] = False
        self.assert_ends(3, "memcheck does not tell a planted bug")
        os.remove(self.path("bin/compute-sanitizer"))
        self.assert_ends(3, "compute-sanitizer is not installed")
        self.assert_ends(0, "LEFT OUT", "--without-sanitizer")

    def test_predictions_must_be_there_and_right(self):
        self.write("bin/bankproof-gpu.json", '{"scenarios": []}')
        self.assert_ends(3, "no scenario")
        wrong = {**PREDICTED[0], "right": False}
        self.write("bin/bankproof-gpu.json", json.dumps({"scenarios": [wrong]}))
        self.assert_ends(1, "wrong already on the reference machine: sum.int32")
        os.remove(self.path("bin/bankproof-gpu.json"))
        self.assert_ends(3, "the predictions are missing")

    def test_counters_as_predicted(self):
        self.assert_ends(0, "2 scenarios as predicted, 1 left out", "--counters", "--write")
        with open(self.path("tree/docs/fidelity.md"), encoding="utf-8") as file:
            document = file.read()
        for words in ["A GPU (sm_9.0)", "| sum.int32 | 7/0 | 1200/0 | 0/0 | 0/0 | 0 | yes |",
                      "| shared-load | 8 | 1 |", "scan.int32 (`atom.global.add.u32`)"]:
            self.assertIn(words, document)
        self.assertEqual(self.gpu("--counters", "--write")[0], 0, "it can be written again")

    def test_another_count_is_a_failure(self):
        COUNTED[2][1][WAVEFRONTS] = 2
        self.addCleanup(COUNTED[2][1].update, {WAVEFRONTS: 1})
        output = self.assert_ends(1, "1 counters are not as predicted", "--counters")
        self.assertIn(f"microkernel.shared-load.8.pair-1: {WAVEFRONTS} is 2, predicted 1", output)
        with open(self.path("out/counters.md"), encoding="utf-8") as file:
            self.assertIn("**2** (predicted 1)", file.read())

    def test_other_launches_are_a_failure(self):
        self.says["launches"] = COUNTED[:2]
        self.assert_ends(1, "no further launch", "--counters")
        self.says["launches"] = COUNTED[1:]
        self.assert_ends(1, "profiled void ns::load_from_shared", "--counters")
        self.says["launches"] = COUNTED + COUNTED[:1]
        self.assert_ends(1, "1 launches more than predicted", "--counters")

    def test_counters_that_cannot_be_read_are_no_pass(self):
        self.says["ncu"] = "ERR_NVGPUCTRPERM - no permission"
        self.assert_ends(3, "counters are closed to this user", "--counters")
        self.says["ncu"] = "LibraryNotLoaded"
        self.assert_ends(3, "the counters cannot be read", "--counters")
        os.remove(self.path("bin/ncu"))
        self.assert_ends(3, "ncu is not installed", "--counters")

    def test_times_become_ratios(self):
        self.assert_ends(0, "4 rows", "--bench")
        with open(self.path("out/bench.md"), encoding="utf-8") as file:
            report = file.read()
        for row in [
                "| sum_columns.float | 250 | 0.6250 | 1.250 | 1.00 | 80.0% | 0 | missed by 13.6% | "
                "cub.sum.float: 0.800 |",
                "| prefix_sums_simple_global.float | 250 | 2.5000 | 2.500 | – | – | – | – | "
                "cublas: not there |",
                "| cublas | 1 | libcublas.so is not on this machine | – |",
                "| MOD 8, global memory | simple / sum, n = 2^10 | 4 | – |",
                "| THS 5.2 | bit-reversal, D-designated / scheduled, 256 x 256 | open | 0.413 |"]:
            self.assertIn(row, report)

    def test_no_times_are_no_pass(self):
        self.says["rows"] = []
        self.assert_ends(3, "there is no benchmark", "--bench")


class Skips(unittest.TestCase):
    def test_are_of_suites_that_the_gate_leaves_out(self):
        """A skipped test is a failure on a GPU, so one for the machine alone is in …OnMachine."""
        folder = os.path.join(os.path.dirname(CI), "properties", "cuda")
        skips = 0
        for name in sorted(os.listdir(folder)):
            if not name.endswith(".cpp"):
                continue
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                text = file.read()
            for test in re.split(r"^(?=(?:TYPED_)?TEST(?:_F|_P)?\()", text, flags=re.MULTILINE)[1:]:
                if "GTEST_SKIP" in test:
                    skips += 1
                    self.assertIn("OnMachine,", test.split("\n")[0], name)
        self.assertGreater(skips, 10)


if __name__ == "__main__":
    unittest.main()
