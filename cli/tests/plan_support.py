"""Helpers of the tests of plans: a folder with a plan, its arrays, and an independent check."""

import hashlib
import json
import os
import re
import struct

from program import CLEAN, Folder, run

FINDING = 1


def lanes_of(path):
    """Returns the rows of an .npy file of signed integers."""
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
    """Returns a row after a pass of the plan; fails on a conflict."""
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
    """A test with a plan in its own folder."""

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
        """Returns P by its definition; None for names with a long definition."""
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
        """Returns 0, 1, …, n−1 as the plan in the folder moves them."""
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
                self.assertEqual(place, element)  # padding: the matrix has more places than n
        expected = self.permutation_of(specification)
        if expected is not None:
            self.assertEqual(values, expected)
        digest = hashlib.sha256(struct.pack("<%dQ" % n, *values)).hexdigest()
        self.assertEqual(about["permutation"]["sha256"], digest)
        result = self.verify(specification)
        self.assertEqual((result.returncode, result.stderr), (CLEAN, b""), result.stdout)
        return about
