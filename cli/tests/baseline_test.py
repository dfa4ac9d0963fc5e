"""--baseline: findings of an earlier report do not fail, new findings do, and those that are gone are named."""

import json
import os
import unittest

from kernel_support import CALL, FINDING, RACE, KernelFolder
from program import CLEAN, INPUT, run

LAUNCH = ("--grid", "1", "--block", "64", "buffer:u32:1")
SOURCE = "// a race\n__global__ void race(int* out) {\n  int i = threadIdx.x;\n  *out = i;\n}\n"


class Baseline(KernelFolder):
    def setUp(self):
        super().setUp()
        self.file("race.cu", SOURCE)
        self.race = self.file("race.ptx", RACE)
        self.old = os.path.join(self.folder, "old.json")

    def judge(self, code, *arguments):
        ran = run("kernel", *arguments, "--format", "json", cwd=self.folder)
        self.assertEqual(ran.returncode, code, ran.stderr.decode() + ran.stdout.decode())
        return json.loads(ran.stdout)

    def write_baseline(self, *arguments):
        return self.save(self.judge(FINDING, *arguments))

    def save(self, report):
        self.file("old.json", json.dumps(report))
        return report

    def move_the_line(self):
        """The same code, seven lines further down."""
        self.file("race.cu", "\n" * 7 + SOURCE.replace("  *out = i;", "\t*out  =  i;"))
        self.race = self.file("race.ptx", RACE.replace(".loc 1 4", ".loc 1 11"))

    def test_known_findings_do_not_fail(self):
        found = self.write_baseline(self.race, *LAUNCH)["faults"]
        self.assertTrue(found)
        self.move_the_line()
        report = self.judge(CLEAN, self.race, *LAUNCH, "--baseline", self.old)
        self.assertEqual([fault["known"] for fault in report["faults"]], [True] * len(found))
        self.assertEqual([fault["line"] for fault in report["faults"]], [11] * len(found))
        self.assertEqual(report["notes"], [f"{len(found)} known findings in {self.old}"])
        text = run("kernel", self.race, *LAUNCH, "--baseline", self.old, cwd=self.folder)
        self.assertEqual(text.returncode, CLEAN)
        self.assertIn(b"race.cu:11: race (known): ", text.stdout)

    def test_a_line_that_changes_is_a_new_finding_and_the_old_one_is_gone(self):
        found = self.write_baseline(self.race, *LAUNCH)["faults"]
        self.file("race.cu", SOURCE.replace("= i", "= i + 1"))
        report = self.judge(FINDING, self.race, *LAUNCH, "--baseline", self.old)
        self.assertFalse(any(fault["known"] for fault in report["faults"]))
        self.assertEqual(report["notes"][0], f"0 known findings in {self.old}")
        self.assertEqual(len(report["notes"]), 1 + len(found))
        self.assertIn("gone: race.cu:4: race: block 0, thread ", "".join(report["notes"]))

    def test_a_new_finding_beside_known_ones_fails(self):
        report = self.write_baseline(self.race, *LAUNCH)
        report["faults"] = [fault for fault in report["faults"] if fault["kind"] != "race"]
        self.save(report)
        report = self.judge(FINDING, self.race, *LAUNCH, "--baseline", self.old)
        self.assertEqual({fault["known"] for fault in report["faults"] if fault["kind"] == "race"}, {False})

    def test_excess(self):
        limit = ("--max-shared-excess", "0")
        self.write_baseline(self.tile(stride=128), *CALL, *limit)
        report = self.judge(CLEAN, self.tile(stride=128), *CALL, *limit, "--baseline", self.old)
        self.assertEqual(report["notes"], [f"2 known findings in {self.old}"])
        # The baseline says nothing about excess if there is no limit.
        report = self.judge(CLEAN, self.tile(stride=128), *CALL, "--baseline", self.old)
        self.assertEqual(report["notes"], [f"0 known findings in {self.old}"])
        report = self.judge(CLEAN, self.tile(), *CALL, *limit, "--baseline", self.old)
        self.assertEqual(report["notes"][1:],
                         ["gone: tile.cu:12: shared_excess", "gone: tile.cu:14: shared_excess"])
        self.save(self.judge(CLEAN, self.tile(), *CALL, *limit))
        self.judge(FINDING, self.tile(stride=128), *CALL, *limit, "--baseline", self.old)

    def test_sarif_has_the_state_of_each_result(self):
        def states(*options):
            ran = run("kernel", self.race, *LAUNCH, "--format", "sarif", *options, cwd=self.folder)
            return [one.get("baselineState") for one in json.loads(ran.stdout)["runs"][0]["results"]]

        count = len(self.write_baseline(self.race, *LAUNCH)["faults"])
        self.assertEqual(states(), [None] * count)
        self.assertEqual(states("--baseline", self.old), ["unchanged"] * count)
        self.file("race.cu", "")
        self.assertEqual(states("--baseline", self.old), ["new"] * count)

    def test_bad_baselines(self):
        for text, what in (("", "bad.json:1:1: is not valid JSON"), ("{}", "'faults' is missing"), ("[]", "'faults' is missing"),
                           ('{"faults": [{}], "lines": []}', "'kind' is missing"),
                           ('{"faults": [], "lines": [{"shared": {"excess": -1}}]}', "'excess' is missing"),
                           ('{"faults": [], "lines": [{"shared": {"excess": 1}, '
                            '"global": {"excess_sectors": 0}, "line": 1, "file": "x"}]}',
                            "'fingerprint' is missing or of another type; a baseline is a report that "
                            "--format json of this version wrote")):
            ran = run("kernel", self.race, *LAUNCH, "--baseline", self.file("bad.json", text))
            self.assertEqual((ran.returncode, ran.stdout), (INPUT, b""))
            self.assertIn(what, ran.stderr.decode())
        ran = run("kernel", self.race, *LAUNCH, "--baseline", "/nowhere")
        self.assertEqual(ran.returncode, INPUT)


if __name__ == "__main__":
    unittest.main()
