"""`schedule` and `verify` from outside: a plan is right by a check of its own, its header compiles and
says the same, and nothing is replaced or left behind that should not be."""

import hashlib
import json
import os
import re
import resource
import shutil
import struct
import subprocess
import sys
import unittest

from program import CLEAN, INPUT, USAGE, Folder, run

FINDING = 1
ALL = ("identity:1", "identity:8", "transpose:32x32", "bit-reversal:1024", "shuffle:1024",
       "morton:32x32", "nchw-to-nhwc:2x3x32x32", "random:1000", "random:100", "identity:33")


def lanes_of(path):
    """The rows of an .npy file of signed integers."""
    with open(path, "rb") as source:
        data = source.read()
    length = struct.unpack("<H", data[8:10])[0]
    header = data[10:10 + length].decode()
    size = int(re.search(r"'<i(\d)'", header).group(1))
    shape = [int(n) for n in re.search(r"\(([\d, ]*)\)", header).group(1).split(",") if n.strip()]
    values = struct.unpack("<%d%s" % ((len(data) - 10 - length) // size,
                                      {2: "h", 4: "i", 8: "q"}[size]), data[10 + length:])
    columns = shape[-1]
    return [list(values[k:k + columns]) for k in range(0, len(values), columns)]


def moved_without_conflict(row, s, d, width):
    """What a plan makes of a row; fails on a conflict."""
    after = [None] * len(row)
    for warp in range(0, len(s), width):
        lanes = [(i, o) for i, o in zip(s[warp:warp + width], d[warp:warp + width]) if i != -1]
        assert len({i % width for i, _ in lanes}) == len(lanes), "reading conflicts"
        assert len({o % width for _, o in lanes}) == len(lanes), "writing conflicts"
        for source, target in lanes:
            assert after[target] is None, "written twice"
            after[target] = row[source]
    assert None not in after, "not written"
    return after


def transposed(rows):
    return [list(column) for column in zip(*rows)]


class PlanFolder(Folder):
    """A plan in a folder of its own."""

    def setUp(self):
        super().setUp()
        self.plan = os.path.join(self.folder, "plan")

    def schedule(self, *arguments, output=None):
        result = run("schedule", *arguments, "-o", output or self.plan)
        self.assertEqual(result.stderr, b"")
        self.assertEqual(result.returncode, CLEAN)
        return result.stdout.decode()

    def verify(self, permutation):
        return run("verify", self.plan, permutation)

    def json(self):
        with open(os.path.join(self.plan, "plan.json"), encoding="utf-8") as source:
            return json.load(source)

    def permutation_of(self, specification):
        """P by its definition; none for those with a long one."""
        name, _, parameters = specification.partition(":")
        sizes = [int(n) for n in re.findall(r"\d+", parameters.split(",")[0])]
        n = 1
        for size in sizes:
            n *= size
        bits = n.bit_length() - 1
        if name == "identity":
            return list(range(n))
        if name == "transpose":
            rows, columns = sizes
            return [i % columns * rows + i // columns for i in range(n)]
        if name == "bit-reversal":
            return [int(format(i, "0%db" % bits)[::-1], 2) for i in range(n)]
        if name == "shuffle":
            return [2 * i if i < n // 2 else 2 * (i - n // 2) + 1 for i in range(n)]
        return None

    def moved(self, n):
        """What the plan in the folder makes of 0, 1, …, n−1."""
        about = self.json()
        if about["kind"] != "scheduled":
            (names,) = about["passes"]
            (s,), (d,) = (lanes_of(os.path.join(self.plan, names[k])) for k in "sd")
            return moved_without_conflict(list(range(n)), s, d, about["width"])
        rows, columns = about["shape"]["rows"], about["shape"]["columns"]
        matrix = [list(range(r * columns, (r + 1) * columns)) for r in range(rows)]
        for number, names in enumerate(about["passes"]):
            if number == 1:
                matrix = transposed(matrix)
            s, d = (lanes_of(os.path.join(self.plan, names[k])) for k in "sd")
            matrix = [moved_without_conflict(row, s[r], d[r], about["width"])
                      for r, row in enumerate(matrix)]
            if number == 1:
                matrix = transposed(matrix)
        return [value for row in matrix for value in row]

    def expect_plan(self, specification, *arguments):
        self.schedule(specification, *arguments)
        about = self.json()
        n = about["n"]
        moved = self.moved(n)
        values = [None] * n
        for place, element in enumerate(moved):
            if element < n:
                values[element] = place
            else:
                self.assertEqual(place, element)  # of a matrix with room for more
        expected = self.permutation_of(specification)
        if expected is not None:
            self.assertEqual(values, expected)
        digest = hashlib.sha256(struct.pack("<%dQ" % n, *values)).hexdigest()
        self.assertEqual(about["permutation"]["sha256"], digest)
        result = self.verify(specification)
        self.assertEqual((result.returncode, result.stderr), (CLEAN, b""), result.stdout)
        return about


class Plans(PlanFolder):
    """Plans are right, and so is what is said of them."""

    def test_bank_plans_are_right(self):
        for specification in ALL:
            for width in ("1", "2", "7", "32", "100"):
                with self.subTest(specification, width=width):
                    about = self.expect_plan(specification, "--width", width)
                    self.assertEqual((about["format"], about["version"]), ("bankproof-plan", 1))
                    self.assertEqual(about["width"], int(width))

    def test_schedules_are_right(self):
        for specification in ALL:
            for width in ("2", "7", "32"):
                with self.subTest(specification, width=width):
                    about = self.expect_plan(specification, "--width", width, "--global")
                    self.assertEqual(about["kind"], "scheduled")

    def test_a_closed_form_where_there_is_one(self):
        self.assertEqual(self.expect_plan("bit-reversal:1024")["kind"], "affine")
        self.assertEqual(self.expect_plan("bit-reversal:1024", "--width", "24")["kind"], "banks")
        text = self.schedule("random:1024")
        self.assertIn("no closed form: not affine over GF(2), as P(3) shows", text)
        self.assertIn("no closed form: 1000 elements are no power of two",
                      self.schedule("random:1000"))
        self.assertIn("no closed form: width 24 is no power of two",
                      self.schedule("shuffle:64", "--width", "24"))

    def test_the_plan_does_not_depend_on_the_threads(self):
        for options in ((), ("--global",)):
            digests = set()
            for threads in ("1", "2"):
                self.schedule("random:300000", "--threads", threads, *options)
                digests.add(tuple(hashlib.sha256(self.read(os.path.join(self.plan, name))).digest()
                                  for name in sorted(os.listdir(self.plan))))
            self.assertEqual(len(digests), 1)

    def test_the_summary_compares_before_and_after(self):
        text = self.schedule("bit-reversal:1024", "--machine", "dmm:l=5,p=512")
        self.assertRegex(text, r"writing b\[P\(i\)\] = a\[i\] +1024 +32\n")
        # 2·32 + 1024 + 3·2·4 designated; in place 2·32 + 2·2·4
        self.assertRegex(text, r"dmm:w=32,l=5,p=512 +1112 +80 ")
        text = self.schedule("random:4096", "--global", "--machine", "hmm:L=10")
        # 32n/w + 16L − 16 for one DMM
        self.assertRegex(text, r"hmm:w=32,L=10 +\d+ +%d " % (32 * 128 + 160 - 16))

    def test_without_output_nothing_is_written(self):
        result = run("schedule", "shuffle:64", cwd=self.folder)
        self.assertEqual(result.returncode, CLEAN)
        self.assertEqual(os.listdir(self.folder), [])


class Headers(PlanFolder):
    """plan.h compiles as C without a warning and agrees with the arrays."""

    MAIN = """
#include <stdio.h>
#include "plan.h"
int main(void) {
%s
  return 0;
}
"""

    def compiled_output(self, body):
        main = self.file("main.c", self.MAIN % body)
        program = os.path.join(self.folder, "main")
        subprocess.run(["c++", "-x", "c", "-std=c99", "-Wall", "-Wextra", "-Werror", "-I", self.plan,
                        main, "-o", program], check=True)
        out = subprocess.run([program], stdout=subprocess.PIPE, check=True).stdout.decode()
        return [int(word) for word in out.split()]

    def test_bank_plans(self):
        for specification in ALL:
            for width in ("2", "7", "32"):
                with self.subTest(specification, width=width):
                    self.schedule(specification, "--width", width, "--emit", "npy,c")
                    out = self.compiled_output(
                        "  for (uint32_t j = 0; j < BANKPROOF_LANES; ++j)\n"
                        '    printf("%d %d\\n", (int)bankproof_s(j), (int)bankproof_d(j));')
                    (s,), (d,) = (lanes_of(os.path.join(self.plan, name))
                                  for name in ("s.npy", "d.npy"))
                    self.assertEqual(out, [n for pair in zip(s, d) for n in pair])

    def test_schedules(self):
        self.schedule("random:1000", "--width", "16", "--global", "--emit", "npy,c")
        about = self.json()
        for number, names in enumerate(about["passes"], 1):
            out = self.compiled_output(
                "  for (uint32_t r = 0; r < %d; ++r)\n"
                "    for (uint32_t j = 0; j < %d; ++j)\n"
                '      printf("%%d %%d\\n", (int)bankproof_s%d(r, j), (int)bankproof_d%d(r, j));\n'
                % (names["rows"], names["lanes"], number, number) +
                "\n".join("  (void)bankproof_%s%d;" % (letter, k)
                          for k in (1, 2, 3) for letter in "sd"))
            s, d = (sum(lanes_of(os.path.join(self.plan, names[k])), []) for k in "sd")
            self.assertEqual(out, [n for pair in zip(s, d) for n in pair])

    def test_a_name_cannot_end_the_comment(self):
        os.mkdir(os.path.join(self.folder, "x*"))
        source = self.file("x*/p", "1 0")
        result = run("schedule", source, "--emit", "c", "-o", self.plan)
        self.assertEqual(result.returncode, CLEAN)
        text = self.read(os.path.join(self.plan, "plan.h")).decode()
        self.assertEqual(text.count("*/"), 1)

    def test_tables_too_long_for_compilers_are_refused(self):
        result = run("schedule", "random:1048577", "--emit", "c", "-o", self.plan)
        self.expect_failure(result, USAGE,
                            "--emit c: a header with tables of 1048608 lanes is more than compilers "
                            "take (1048576); load the .npy files instead")
        self.assertFalse(os.path.exists(self.plan))
        self.schedule("bit-reversal:2097152", "--emit", "c")  # a closed form has none
        self.assertEqual(sorted(os.listdir(self.plan)), ["plan.h", "plan.json"])


class Replacing(PlanFolder):
    """The folder is there whole or not at all, and only a plan is replaced."""

    def test_a_plan_is_replaced_whole(self):
        self.schedule("random:1000", "--global", "--emit", "npy,c")
        self.schedule("shuffle:64", output=self.plan + "/")
        self.assertEqual(sorted(os.listdir(self.plan)), ["d.npy", "plan.json", "s.npy"])
        self.assertEqual(os.listdir(self.folder), ["plan"])

    def expect_refused(self, why):
        before = sorted(os.listdir(self.folder))
        result = run("schedule", "shuffle:64", "-o", self.plan)
        self.expect_failure(result, USAGE, "-o '%s': %s; give a folder that does not exist yet, or a "
                            "plan to replace" % (self.plan, why))
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_other_things_are_refused(self):
        os.mkdir(self.plan)
        self.expect_refused("is there and is no plan")
        self.file("plan/data", "precious")
        self.expect_refused("is there and is no plan")
        shutil.rmtree(self.plan)
        self.schedule("shuffle:64")
        self.file("plan/data", "precious")
        self.expect_refused("has 'data', which is no part of a plan")
        shutil.rmtree(self.plan)
        self.file("plan", "precious")
        self.expect_refused("is there and is no folder")
        os.rename(self.plan, self.plan + "2")
        os.symlink(self.plan + "2", self.plan)
        self.expect_refused("is there and is no folder")

    def test_a_failed_write_changes_nothing(self):
        self.schedule("shuffle:64")
        before = self.read(os.path.join(self.plan, "s.npy"))
        result = run("schedule", "random:65536", "-o", self.plan,
                     preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000)))
        self.assertEqual(result.returncode, INPUT)
        self.assertIn(b"cannot be written: File too large", result.stderr)
        self.assertEqual(self.read(os.path.join(self.plan, "s.npy")), before)
        self.assertEqual(os.listdir(self.folder), ["plan"])

    def test_a_folder_that_cannot_be_made(self):
        result = run("schedule", "shuffle:64", "-o", os.path.join(self.folder, "no", "plan"))
        self.assertEqual(result.returncode, INPUT)
        self.assertIn(b"cannot be written: No such file or directory", result.stderr)


class CommandLines(PlanFolder):
    """What is wrong on the command line."""

    def expect_usage(self, line, *arguments):
        result = run("schedule", "shuffle:64", *arguments, "-o", self.plan)
        self.expect_failure(result, USAGE, line)
        self.assertFalse(os.path.exists(self.plan))

    def test_options(self):
        self.expect_usage("--emit 'npy,d': 'd' is none of npy, c and json", "--emit", "npy,d")
        self.expect_usage("--emit ',': '' is none of npy, c and json", "--emit", ",")
        self.expect_usage("--threads '0': expected a number of at least 1", "--threads", "0")
        result = run("schedule", "shuffle:64", "-o", "-")
        self.expect_failure(result, USAGE, "-o -: a plan is a folder; give its name")

    def test_machines(self):
        for machine, arguments in (("umm", ()), ("sm_90", ()), ("dmm", ("--global",))):
            result = run("schedule", "shuffle:64", "--machine", machine, *arguments)
            self.assertEqual(result.returncode, USAGE, machine)
            self.assertIn(machine.encode(), result.stderr)


class Verifying(PlanFolder):
    """Every plan that is not right is refused, and so is what cannot be read."""

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
                ({"version": "1"}, "'version' has to be a number"),
                ({"format": "other"}, "has format 'other', expected 'bankproof-plan'"),
                ({"kind": "best"}, "has kind 'best'"),
                ({"width": 0}, "has width 0; widths are 1 to 1024"),
                ({"n": -1}, "'n' has to be a number from 0 on"),
                ({"passes": []}, "has 0 passes, expected 1"),
                ({"passes": [{"s": "../s.npy", "d": "d.npy"}]}, "which is not in its folder"),
                ({"passes": [{"s": "s.npy"}]}, "has no field 'd'"),
                ({"kind": "affine"}, "has no field 'closed_form'"),
                ({"kind": "scheduled", "passes": about["passes"] * 3}, "has no field 'shape'"),
                ({"kind": "scheduled", "shape": {"rows": 2, "columns": 2}}, "has no room for 100")):
            with self.subTest(pattern):
                self.file("plan/plan.json", json.dumps({**about, **change}))
                self.expect(INPUT, pattern)
        self.file("plan/plan.json", "{")
        self.expect(INPUT, "is no JSON")
        self.file("plan/plan.json", "[" * 200000)
        self.expect(INPUT, "is no JSON")
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
                ("text", b"1 2 3", "s.npy: is no .npy file"),
                ("unsigned", whole.replace(b"<i2", b"<u2"), "has dtype '<u2'"),
                ("three dimensions", whole.replace(b"(100,)", b"(1,1,)"), "s.npy: ")):
            with self.subTest(name):
                self.file("plan/s.npy", content)
                self.expect(INPUT, pattern)
        os.remove(path)
        self.expect(INPUT, "s.npy")

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
    sys.exit(unittest.main())
