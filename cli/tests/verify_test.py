"""Runs `verify` as a program: it refuses every plan that is not right or that it cannot read."""

import json
import os
import struct
import unittest

from plan_support import FINDING, PlanFolder, lanes_of
from program import INPUT, USAGE, run


class Verifying(PlanFolder):
    """Wrong and unreadable plans are refused."""

    def expect(self, code, pattern, permutation="random:100"):
        result = self.verify(permutation)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        said = (result.stderr if code == INPUT else result.stdout).decode()
        self.assertRegex(said, pattern)
        self.assertEqual(said.count("\n"), 1)

    def change(self, name, value, lane):
        """Overwrites one 16-bit lane."""
        path = os.path.join(self.plan, name)
        data = bytearray(self.read(path))
        begin = 10 + struct.unpack("<H", data[8:10])[0]
        data[begin + 2 * lane:begin + 2 * lane + 2] = struct.pack("<h", value)
        with open(path, "wb") as out:
            out.write(data)

    def test_changed_lanes(self):
        for name in ("s.npy", "d.npy"):
            for value in (100, -2, -1, 0, 99, 32767):
                self.schedule("random:100", "--width", "4")
                (lanes,) = lanes_of(os.path.join(self.plan, name))
                lane = 41 if lanes[41] != value else 42
                self.change(name, value, lane)
                with self.subTest(name, value=value):
                    self.expect(FINDING, r"warp 10, lane [12]: ")
        for number in (1, 2, 3):
            for name in ("s%d.npy" % number, "d%d.npy" % number):
                self.schedule("random:100", "--width", "4", "--global")
                rows = lanes_of(os.path.join(self.plan, name))
                self.change(name, (rows[2][5] + 4) % len(rows[0]), 2 * len(rows[0]) + 5)
                with self.subTest(name):
                    self.expect(FINDING, r"pass %d, row 2: warp \d+, lane \d+: " % number)

    def test_messages(self):
        self.schedule("identity:8", "--width", "4")
        self.change("s.npy", 8, 2)
        self.expect(FINDING, r"warp 0, lane 2: S is 8, expected an element below 8 or -1",
                    "identity:8")
        self.change("s.npy", -7, 2)
        self.expect(FINDING, r"lane 2: S is -7, expected", "identity:8")
        self.change("s.npy", 1, 2)
        self.change("d.npy", 1, 2)
        self.expect(FINDING, r"lane 2: element 1 is moved a second time", "identity:8")
        self.change("s.npy", 6, 2)
        self.change("d.npy", 6, 2)
        self.change("s.npy", 2, 5)
        self.change("d.npy", 2, 5)
        self.expect(FINDING, r"warp 1, lane 2: element 6 is moved a second time", "identity:8")

    def test_the_closed_form_is_checked(self):
        self.schedule("bit-reversal:64", "--width", "4")
        about = self.json()
        about["closed_form"]["d"]["offset"] = 1
        self.file("plan/plan.json", json.dumps(about))
        self.expect(FINDING, r"the closed form of lane 0 is 1, and d.npy has 0", "bit-reversal:64")

    def test_another_permutation(self):
        self.schedule("random:100", "--width", "4")
        self.expect(FINDING, "is for another permutation: its SHA-256 is [0-9a-f]{64}",
                    "random:100,seed=1")
        self.expect(FINDING, "is for 100 elements, and random:99,seed=0 has 99", "random:99")
        about = self.json()
        about["permutation"]["sha256"] = "0"
        self.file("plan/plan.json", json.dumps(about))
        self.expect(FINDING, "is for another permutation: its SHA-256 is 0, and")

    def test_what_cannot_be_read(self):
        self.expect(INPUT, "plan/plan.json")  # nothing there
        self.schedule("random:100", "--width", "4")
        about = self.json()
        for change, pattern in (
                ({"version": 2}, "has version 2; this program reads 1"),
                ({"version": "1"}, "'version' must be a whole number"),
                ({"format": "other"}, "has format 'other', expected 'bankproof-plan'"),
                ({"kind": "best"}, "has kind 'best'"),
                ({"width": 0}, "has width 0; widths are 1 to 1024"),
                ({"n": -1}, "'n' must be a whole number, 0 or more"),
                ({"passes": []}, "has 0 passes, expected 1"),
                ({"passes": [{**about["passes"][0], "s": "../s.npy"}]}, "which no plan has"),
                ({"passes": [{**about["passes"][0], "s": "s.npy\0"}]}, "which no plan has"),
                ({"passes": [{"s": "s.npy"}]}, "the plan was written without npy"),
                ({"kind": "affine"}, "has no field 'closed_form'"),
                ({"kind": "scheduled", "passes": about["passes"] * 3}, "has no field 'shape'"),
                ({"kind": "scheduled", "shape": {"rows": 2, "columns": 2}}, "has no room for 100")):
            with self.subTest(pattern):
                self.file("plan/plan.json", json.dumps({**about, **change}))
                self.expect(INPUT, pattern)
        self.file("plan/plan.json", '{\n "n": 5,\n}')
        self.expect(INPUT, "plan/plan.json:3:1: is not valid JSON from here on")
        self.file("plan/plan.json", "[" * 200000)
        self.expect(INPUT, "plan/plan.json: nests deeper than 64 levels")
        self.file("plan/plan.json", " " * 3000000)
        self.expect(INPUT, "is too long for a plan.json")

    def test_arrays_that_cannot_be_read(self):
        self.schedule("random:100", "--width", "4")
        path = os.path.join(self.plan, "s.npy")
        whole = self.read(path)
        for name, content, pattern in (
                ("truncated", whole[:-1], "s.npy: is truncated"),
                ("longer", whole + b"\0\0", "s.npy: is truncated, or longer"),
                ("header only", whole[:20], "s.npy: is truncated: it ends inside"),
                ("empty", b"", "s.npy: is empty"),
                ("text", b"1 2 3", "s.npy: is not an .npy file"),
                ("unsigned", whole.replace(b"<i2", b"<u2"), "has dtype '<u2'"),
                ("three dimensions", whole.replace(b"(100,)", b"(1,1,)"), "s.npy: ")):
            with self.subTest(name):
                self.file("plan/s.npy", content)
                self.expect(INPUT, pattern)
        os.remove(path)
        self.expect(INPUT, "s.npy")

    def test_what_is_no_regular_file(self):
        self.schedule("random:100", "--width", "4")
        for name in ("plan.json", "s.npy"):
            path = os.path.join(self.plan, name)
            os.rename(path, path + "2")
            os.mkfifo(path)
            self.expect(INPUT, name + ": is not a regular file")
            os.remove(path)
            os.rename(path + "2", path)

    def test_a_plan_that_contradicts_itself(self):
        self.schedule("random:100", "--width", "4")
        about = self.json()
        (names,) = about["passes"]
        for change, pattern in (
                ({"warps": 24}, "plan.json says 24 warps, but the plan has 25"),
                ({"passes": [{**names, "rows": 2}]}, "plan.json says 2 rows of 100 lanes for pass 1, expected 1 of 100"),
                ({"passes": [{**names, "lanes": 99}]}, "plan.json says 1 rows of 99 lanes for pass 1, expected 1 of 100")):
            with self.subTest(pattern):
                self.file("plan/plan.json", json.dumps({**about, **change}))
                self.expect(FINDING, pattern)
        self.schedule("shuffle:64", "--width", "4")
        about = self.json()
        about["closed_form"]["bits"] = 5
        self.file("plan/plan.json", json.dumps(about))
        self.expect(INPUT, "a closed form of 5 bits has 6 columns", "shuffle:64")

    def test_a_shape_that_is_a_lie_is_found_before_memory_is_taken(self):
        self.schedule("random:100", "--width", "4", "--global")
        about = self.json()
        about["shape"] = {"rows": 1 << 40, "columns": 1}
        self.file("plan/plan.json", json.dumps(about))
        self.expect(FINDING, "pass 1 has \\d+ lanes, expected 4398046511104")

    def test_the_output_is_none_of_the_inputs(self):
        source = self.file("p.txt", "1 0 2 3")
        self.schedule(source, "--width", "4")
        for name in ("p.txt", "plan/plan.json", "plan/s.npy"):
            path = os.path.join(self.folder, name)
            before = self.read(path)
            result = run("verify", self.plan, source, "-o", path)
            self.expect_failure(result, USAGE, "the output is the input: " + path)
            self.assertEqual(self.read(path), before)
        self.expect_failure(run("verify", "", "random:4"), USAGE, "DIR is empty")

    def test_a_plan_of_other_lanes(self):
        self.schedule("random:100", "--width", "4")
        about = self.json()
        self.file("plan/plan.json", json.dumps({**about, "width": 8}))
        self.expect(FINDING, "has 100 lanes, expected 104")

    def test_json_says_the_same(self):
        self.schedule("random:100", "--width", "4")
        result = run("verify", self.plan, "random:100", "--format", "json")
        self.assertEqual(json.loads(result.stdout)["right"], True)
        self.change("s.npy", 100, 0)
        result = run("verify", self.plan, "random:100", "--format", "json")
        self.assertEqual(result.returncode, FINDING)
        about = json.loads(result.stdout)
        self.assertEqual(about["right"], False)
        self.assertIn("warp 0, lane 0: S is 100", about["defect"])


if __name__ == "__main__":
    unittest.main()
