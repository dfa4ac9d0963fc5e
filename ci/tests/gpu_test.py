"""Runs the gate ci/gpu in a scratch tree, with stand-ins for the parts of a machine with a GPU: a gate
is worthless if it can pass without having looked."""

import os
import re
import unittest

from gpu_stand_ins import CHECK, CI, IDEAL, METRICS, PREDICTED, GpuCase


class Gate(GpuCase):
    def test_all_holds(self):
        output = self.assert_ends(0, "ci/gpu: all holds")
        self.assertIn("tests: 2 hold", output)
        self.assertIn("memcheck: 4 scenarios are right", output)
        self.assertIn("racecheck: 3 scenarios are right", output)
        polls = [line for line in self.log() if line.count("scan.int32") > 1]
        self.assertEqual(polls, [" ".join(["scenario"] + ["scan.int32"] * 100)])
        self.assertNotIn("product.float product.float", str(self.log()))

    def test_dry_run_lists_everything_anywhere(self):
        self.says["device"] = None
        output = self.assert_ends(0, "memcheck", "--dry-run")
        for words in ["bankproof-gpu device", "RC_PARAMS=max_success=400", "--gtest_filter=-*OnMachine*",
                      "scenario sum.int32 microkernel.shared-load.8.pair-1 scan.int32 product.float",
                      "--tool memcheck --error-exitcode 9", "planted.out-of-bounds", "planted.race",
                      "--tool racecheck", "polling: "]:
            self.assertIn(words, output)
        self.assertEqual(self.log(), ["predictions"], "a dry run only asks")
        self.assertFalse(os.path.exists(self.path("out")))
        output = self.assert_ends(0, "--clock-control none", "--dry-run", "--counters")
        for metric in METRICS:
            self.assertIn(metric, output)
        check = next(line for line in output.splitlines() if line.startswith("cross-check: "))
        self.assertIn(f"--metrics {CHECK},{IDEAL} ", check)
        self.assertNotIn("scan.int32", output)
        output = self.assert_ends(0, "tables: THS 4.4: 24 cells", "--dry-run", "--bench")
        self.assertIn("bankproof-gpu bench --bytes 1073741824 --repeats 21", output)
        code, output = self.gpu("--dry-run", binary=False)
        self.assertEqual(code, 0, output)
        self.assertIn("build: cmake --preset gpu-portable", output)
        self.assertIn("build-gpu/bin/bankproof-gpu scenario EACH", output)

    def test_documents_name_commands_that_there_are(self):
        with open(self.path("tree/docs/fidelity.md"), encoding="utf-8") as file:
            commands = set(re.findall(r"`ci/gpu( [^`]*)?`", file.read()))
        self.assertLessEqual({"", " --counters --write", " --bench", " --binary FILE"}, commands)
        for command in commands:
            words = [self.binary if word == "FILE" else word for word in command.split()]
            code, output = self.gpu("--dry-run", *words, binary=False)
            self.assertEqual(code, 0, output)

    def test_no_gpu_is_no_pass(self):
        self.says["device"] = None
        self.assert_ends(3, "there is no GPU, or its driver is older")

    def test_no_gpu_is_told_before_anything_is_built_or_run(self):
        for environment, words in [
                ({"CU_COUNT": "0"}, "cuDeviceGetCount of libcuda.so.1 counts 0"),
                ({"CU_INIT": "100"}, "cuInit of libcuda.so.1 says CUDA_ERROR_NO_DEVICE"),
                ({"CU_INIT": "7"}, "cuInit of libcuda.so.1 says error 7"),
                ({"LD_LIBRARY_PATH": self.path("broken")}, "its drivers library libcuda.so.1: ")]:
            os.makedirs(self.path("broken"), exist_ok=True)
            self.write("broken/libcuda.so.1", "")  # and later ones are not tried
            with self.subTest(words):
                was = dict(self.environment)
                self.environment.update(environment)
                for part in ([], ["--counters"], ["--bench"]):
                    for binary in (True, False):
                        code, output = self.gpu(*part, binary=binary)
                        self.assertEqual(code, 3, output)
                        self.assertIn(words, output)
                        self.assertIn("install NVIDIAs driver", output)
                self.assertFalse(os.path.exists(self.path("log")))
                self.assertFalse(os.path.exists(self.path("out")))
                self.assertEqual(self.gpu("--dry-run", binary=False)[0], 0, "a dry run needs none")
                self.environment = was

    def test_another_program_is_told(self):
        for said in "echo usage", "echo '[1]'":
            self.write("other", f"#!/bin/sh\n{said}\n")
            os.chmod(self.path("other"), 0o755)
            code, output = self.gpu("--binary", self.path("other"), binary=False)
            self.assertEqual(code, 3, output)
            self.assertIn("other device prints no JSON: is it bankproof-gpu?", output)

    def test_options_that_would_do_nothing_are_refused(self):
        for words, message in ((("--write",), "--write is of --counters"),
                               (("--bench", "--write"), "--write is of --counters"),
                               (("--cases", "0"), "--cases 0: expected a number from 1 on"),
                               (("--bench", "--repeats", "-1"), "--repeats -1: expected a number")):
            code, output = self.gpu(*words)
            self.assertEqual(code, 2, output)
            self.assertIn(message, output)

    def test_a_missing_tool_is_told_before_anything_is_built(self):
        os.remove(self.path("bin/ncu"))
        os.remove(self.path("bin/compute-sanitizer"))
        for part, name in ([], "compute-sanitizer"), (["--counters"], "ncu"):
            code, output = self.gpu(*part, binary=False)
            self.assertEqual(code, 3, output)
            self.assertIn(f"{name} is not installed: looked in ", output)
        self.assertFalse(os.path.exists(self.path("log")))

    def test_is_built_where_there_is_a_gpu(self):
        code, output = self.gpu(binary=False)
        self.assertEqual(code, 3, output)
        self.assertIn("build-gpu/bin/bankproof-gpu", output)  # the stand-in does not make it
        self.assertEqual(self.log(), ["cmake --preset gpu-portable",
                                      "cmake --build --preset gpu-portable"])

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
        self.assert_ends(1, "3 of 4 scenarios are right")

    def test_a_checker_must_be_there_and_must_tell_a_planted_bug(self):
        self.says["sharp"] = False
        self.assert_ends(3, "memcheck does not tell a planted bug")
        os.remove(self.path("bin/compute-sanitizer"))
        self.assert_ends(3, "compute-sanitizer is not installed")
        self.assert_ends(0, "LEFT OUT", "--without-sanitizer")

    def test_predictions_must_be_there_and_right(self):
        self.says["predicted"] = []
        self.assert_ends(3, "predicts no scenario")
        wrong = {**PREDICTED[0], "right": False}
        self.says["predicted"] = [wrong]
        self.assert_ends(1, "wrong already on the reference machine: sum.int32")
        self.says["predicted"] = None
        self.assert_ends(3, "predictions")


class Skips(unittest.TestCase):
    def test_are_of_suites_that_the_gate_leaves_out(self):
        """A skipped test is a failure on a GPU, so a test for the machine alone is in a suite
        …OnMachine."""
        folder = os.path.join(os.path.dirname(CI), "properties", "cuda", "kernels")
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
