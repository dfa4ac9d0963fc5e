"""Pictures for the tests of `bankproof run`: files of every kind, and results by plain code."""

import os
import re
import struct

from program import CLEAN, Folder, run


def netpbm(kind, columns, rows, greatest, values):
    """Returns the bytes of a picture: kinds 2 and 3 in text, 5 and 6 in bytes."""
    header = b"P%d\n# drawn by a test\n%d %d\n%d\n" % (kind, columns, rows, greatest)
    if kind in (2, 3):
        return header + b" ".join(b"%d" % value for value in values) + b"\n"
    return header + struct.pack(">%d%s" % (len(values), "B" if greatest < 256 else "H"), *values)


def parsed(raw):
    """Returns (kind, columns, rows, greatest, values) of a picture that the program wrote."""
    header = re.match(rb"P([56])\n(\d+) (\d+)\n(\d+)\n", raw)
    kind, columns, rows, greatest = (int(field) for field in header.groups())
    count = columns * rows * (3 if kind == 6 else 1)
    values = struct.unpack(">%d%s" % (count, "B" if greatest < 256 else "H"), raw[header.end():])
    return kind, columns, rows, greatest, list(values)


def convolved(values, rows, columns, channels, mask, nearest=False):
    """Convolves with a mask of 2v + 1 rows, as the sources define it, one term at a time."""
    v = len(mask) // 2
    result = []
    for i in range(rows):
        for j in range(columns):
            for c in range(channels):
                total = 0
                for s in range(-v, v + 1):
                    for t in range(-v, v + 1):
                        y, x = i + s, j + t
                        if nearest:
                            y, x = min(max(y, 0), rows - 1), min(max(x, 0), columns - 1)
                        if 0 <= y < rows and 0 <= x < columns:
                            total += values[(y * columns + x) * channels + c] * mask[v + s][v + t]
                result.append(total)
    return result


def typed(mask):
    return "values:" + "/".join(",".join(str(value) for value in row) for row in mask)


def noise(count, greatest, seed=1):
    """Returns numbers from 0 to greatest, both included."""
    values = [0, greatest]
    while len(values) < count:
        seed = (seed * 1103515245 + 12345) % 2**31
        values.append(seed // 7 % (greatest + 1))
    return values[:count]


class PictureFolder(Folder):
    """A test that runs algorithms on pictures."""

    def picture(self, kind, columns, rows, greatest, values):
        return self.file("in." + ("pgm" if kind in (2, 5) else "ppm"),
                         netpbm(kind, columns, rows, greatest, values))

    def result(self, *arguments, ending):
        path = os.path.join(self.folder, "out." + ending)
        done = run("run", *arguments, "--output", path)
        self.assertEqual(done.returncode, CLEAN, done.stderr)
        return self.read(path)
