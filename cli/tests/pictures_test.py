"""Pictures into and out of `bankproof run`: every kind of file, the algorithms' results compared
with plain code, and the README's pictures."""

import json
import os
import re
import shlex
import struct
import subprocess
import sys
import unittest
import zlib

from picture_support import PictureFolder, convolved, noise, parsed, typed
from program import CLEAN, Folder, run

SOURCE = os.environ["BANKPROOF_SOURCE"]


class Pictures(PictureFolder):
    def test_every_kind_comes_out_as_it_went_in(self):
        for kind in (2, 3, 5, 6):
            for greatest in (1, 200, 255, 256, 1000, 65535):
                with self.subTest(kind, greatest=greatest):
                    channels = 1 if kind in (2, 5) else 3
                    values = noise(5 * 3 * channels, greatest)
                    path = self.picture(kind, 5, 3, greatest, values)
                    raw = self.result("image-convolution", "--input", path, "--input", "values:1",
                                      ending="pgm" if channels == 1 else "ppm")
                    self.assertEqual(parsed(raw), (5 if channels == 1 else 6, 5, 3, greatest, values))

    def test_blanks_and_comments(self):
        for text in (b"P2 2 1 9 3 4", b"P2#x\n2#y\r1\t\v\f9\r\n3 # z 7\n\n4#", b"P2\n002 01 9\n3\n04\n",
                     b"P5 2 1 9\n\x03\x04", b"P5# 7\n2 1#\n9\t\x03\x04"):
            with self.subTest(text):
                path = self.file("in.pgm", text)
                raw = self.result("image-convolution", "--input", path, "--input", "values:1",
                                  ending="pgm")
                self.assertEqual(parsed(raw), (5, 2, 1, 9, [3, 4]))

    def test_convolutions_in_gray_and_in_color(self):
        mask = [[1, 2, 3], [0, 4, 1], [2, 2, 1]]  # changes when turned or mirrored
        tiled = ("tiled-convolution", "--size", "t=4", "--variant")
        for kind, channels in ((5, 1), (6, 3)):
            for arguments, nearest in (
                    (("image-convolution",), False),
                    (("image-convolution", "--machine", "hmm:w=4,d=2,p=8"), False),
                    ((*tiled, "2d-basic"), False), ((*tiled, "2d-constant"), False),
                    ((*tiled, "2d-tiled"), False), ((*tiled, "2d-tiled", "--size", "nearest=1"), True)):
                with self.subTest(arguments, channels=channels):
                    values = noise(9 * 7 * channels, 60000)
                    path = self.picture(kind, 9, 7, 60000, values)
                    raw = self.result(*arguments, "--input", path, "--input", typed(mask), "--divide",
                                      "16", ending="pgm" if channels == 1 else "ppm")
                    wanted = [(total + 8) // 16 for total in
                              convolved(values, 7, 9, channels, mask, nearest)]
                    self.assertEqual(parsed(raw), (kind, 9, 7, 60000, wanted))

    def test_a_line(self):
        path = self.picture(6, 4, 1, 255, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
        raw = self.result("tiled-convolution", "--variant", "1d-tiled", "--input", path, "--input",
                          "values:1,0,2", ending="ppm")
        self.assertEqual(parsed(raw)[4], [8, 10, 12, 15, 18, 21, 24, 27, 30, 7, 8, 9])

    def test_summed_area_tables(self):
        rows, columns = 6, 5
        for variant in ("2R2W", "1R1W", "hybrid"):
            for kind, channels in ((5, 1), (3, 3)):
                with self.subTest(variant, channels=channels):
                    values = noise(rows * columns * channels, 255)
                    table = [sum(values[(y * columns + x) * channels + c]
                                 for y in range(i + 1) for x in range(j + 1))
                             for i in range(rows) for j in range(columns) for c in range(channels)]
                    path = self.picture(kind, columns, rows, 255, values)
                    arguments = ("summed-area-table", "--variant", variant, "--machine",
                                 "hmm:w=4,d=2,p=8", "--input", path)
                    npy = self.result(*arguments, ending="npy")
                    shape = (rows, columns, channels) if channels > 1 else (rows, columns)
                    self.assertIn(b"'shape': %s, }" % str(shape).encode(), npy[:128])
                    self.assertEqual(list(struct.unpack("<%dq" % len(table), npy[128:])), table)
                    raw = self.result(*arguments, "--maxval", "65535",
                                      ending="pgm" if channels == 1 else "ppm")
                    self.assertEqual(parsed(raw)[3:], (65535, table))

    def test_the_report_of_a_picture_in_color_is_of_one_channel(self):
        def report(path, *arguments):
            done = run("run", "summed-area-table", "--input", path, *arguments)
            self.assertEqual(done.returncode, CLEAN, done.stderr)
            return done.stdout.decode()

        color = self.picture(6, 5, 4, 255, noise(60, 255))
        gray = self.picture(5, 5, 4, 255, noise(20, 255))
        self.assertIn("\nthe result is the oracle's\n3 channels, run one after another; the "
                      "numbers below are those of each channel\n", report(color))
        self.assertNotIn("channel", report(gray))
        found = json.loads(report(color, "--format", "json"))
        self.assertEqual(found.pop("passes"), 3)
        self.assertEqual(found, json.loads(report(gray, "--format", "json")))


def png_pixels(data):
    """Returns (columns, rows, bytes) of a gray PNG of 8 bits without filters."""
    shape = struct.unpack_from(">IIBBBBB", data, 16)
    assert shape[2:] == (8, 0, 0, 0, 0), shape
    at, packed = 8, b""
    while at < len(data):
        length, name = struct.unpack_from(">I4s", data, at)
        content = data[at + 8:at + 8 + length]
        assert struct.unpack_from(">I", data, at + 8 + length)[0] == zlib.crc32(name + content)
        packed += content if name == b"IDAT" else b""
        at += 12 + length
    rows = zlib.decompress(packed)
    line = shape[0] + 1
    assert not any(rows[::line])
    return shape[0], shape[1], b"".join(rows[k + 1:k + line] for k in range(0, len(rows), line))


class Shown(Folder):
    """The README's commands make the README's pictures."""

    def pixels(self, path):
        with open(os.path.join(SOURCE, path), "rb") as source:
            return png_pixels(source.read())

    def test_the_blurred_and_the_edge_detected_picture(self):
        with open(os.path.join(SOURCE, "README.md"), encoding="utf-8") as page:
            commands = re.findall(r"^\./bankproof (run .*) --output (\S+)\.pgm$", page.read(), re.M)
        self.assertEqual([name for _, name in commands], ["blurred", "edges"])
        for arguments, name in commands:
            with self.subTest(name):
                path = os.path.join(self.folder, name + ".pgm")
                done = run(*shlex.split(arguments), "--output", path, cwd=SOURCE)
                self.assertEqual(done.returncode, CLEAN, done.stderr)
                kind, columns, rows, greatest, values = parsed(self.read(path))
                self.assertEqual((kind, greatest), (5, 255))
                self.assertEqual(self.pixels("docs/pictures/spheres-%s.png" % name),
                                 (columns, rows, bytes(values)))

    def test_the_picture_itself(self):
        drawn = subprocess.run([sys.executable, os.path.join(SOURCE, "examples/spheres.py")],
                               capture_output=True, check=True).stdout
        with open(os.path.join(SOURCE, "examples/spheres.pgm"), "rb") as source:
            self.assertEqual(source.read(), drawn)
        path, png = self.file("in.pgm", drawn), os.path.join(self.folder, "out.png")
        subprocess.run([sys.executable, os.path.join(SOURCE, "examples/png.py"), path, png], check=True)
        _, columns, rows, _, values = parsed(drawn)
        self.assertEqual(png_pixels(self.read(png)), (columns, rows, bytes(values)))
        self.assertEqual(self.pixels("docs/pictures/spheres.png"), (columns, rows, bytes(values)))


if __name__ == "__main__":
    unittest.main()
