"""Pictures into and out of `bankproof run`: every kind of file, results computed here once more, and
what is wrong with a picture or does not fit into one."""

import json
import os
import re
import shlex
import struct
import subprocess
import sys
import unittest
import zlib

from program import CLEAN, INPUT, USAGE, Folder, run

SOURCE = os.environ["BANKPROOF_SOURCE"]


def netpbm(kind, columns, rows, greatest, values):
    """The bytes of a picture: kind 2 or 3 in text, 5 or 6 in bytes."""
    header = b"P%d\n# drawn by a test\n%d %d\n%d\n" % (kind, columns, rows, greatest)
    if kind in (2, 3):
        return header + b" ".join(b"%d" % value for value in values) + b"\n"
    return header + struct.pack(">%d%s" % (len(values), "B" if greatest < 256 else "H"), *values)


def parsed(raw):
    """(kind, columns, rows, greatest, values) of what the program wrote."""
    header = re.match(rb"P([56])\n(\d+) (\d+)\n(\d+)\n", raw)
    kind, columns, rows, greatest = (int(field) for field in header.groups())
    count = columns * rows * (3 if kind == 6 else 1)
    values = struct.unpack(">%d%s" % (count, "B" if greatest < 256 else "H"), raw[header.end():])
    return kind, columns, rows, greatest, list(values)


def convolved(values, rows, columns, channels, mask, nearest=False):
    """The convolution with a mask of 2v + 1 rows, as the sources define it, one term at a time."""
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
    """Numbers from 0 to greatest, both included."""
    values = [0, greatest]
    while len(values) < count:
        seed = (seed * 1103515245 + 12345) % 2**31
        values.append(seed // 7 % (greatest + 1))
    return values[:count]


class Pictures(Folder):
    def picture(self, kind, columns, rows, greatest, values):
        return self.file("in." + ("pgm" if kind in (2, 5) else "ppm"),
                         netpbm(kind, columns, rows, greatest, values))

    def result(self, *arguments, ending):
        path = os.path.join(self.folder, "out." + ending)
        done = run("run", *arguments, "--output", path)
        self.assertEqual(done.returncode, CLEAN, done.stderr)
        return self.read(path)

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
        blur = [[1, 2, 1], [2, 4, 2], [1, 2, 1]]
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
                    raw = self.result(*arguments, "--input", path, "--input", typed(blur), "--divide",
                                      "16", ending="pgm" if channels == 1 else "ppm")
                    wanted = [(total + 8) // 16 for total in
                              convolved(values, 7, 9, channels, blur, nearest)]
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
                    self.assertIn(b"'shape': (%d, %d)" % (rows, columns * channels), npy[:128])
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
        self.assertIn("\nthe result is the oracle's\n3 channels, run one after another; what follows "
                      "is of each\n", report(color))
        self.assertNotIn("channel", report(gray))
        found = json.loads(report(color, "--format", "json"))
        self.assertEqual(found.pop("passes"), 3)
        self.assertEqual(found, json.loads(report(gray, "--format", "json")))


class Values(Pictures):
    """values: on the command line, and how values become a picture's."""

    def typed_result(self, values, *options):
        raw = self.result("image-convolution", "--input", typed([values]), "--input", "values:1",
                          *options, ending="pgm")
        return parsed(raw)[3:]

    def test_division_is_to_the_nearest_and_halves_go_away_from_zero(self):
        self.assertEqual(self.typed_result([0, 1, 2, 3, 4, 5, 6, 7], "--divide", "4"),
                         (255, [0, 0, 1, 1, 1, 1, 2, 2]))
        self.assertEqual(self.typed_result([3, -3, -5, -6], "--divide", "3", "--absolute"),
                         (255, [1, 1, 2, 2]))
        self.assertEqual(self.typed_result([-1, 1], "--divide", "3"), (255, [0, 0]))

    def test_signs_cuts_and_greatest_values(self):
        self.assertEqual(self.typed_result([-7, 300, 5], "--clamp"), (255, [0, 255, 5]))
        self.assertEqual(self.typed_result([-300, 300, 5], "--clamp", "--absolute"),
                         (255, [255, 255, 5]))
        self.assertEqual(self.typed_result([9, 300], "--maxval", "300"), (300, [9, 300]))
        self.assertEqual(self.typed_result([-2**63, 2**63 - 1], "--absolute", "--divide", str(2**62)),
                         (255, [2, 2]))

    def test_nothing_is_cut_silently(self):
        path = os.path.join(self.folder, "out.pgm")
        for values, options, line in (
                ("1,256", (), "c[1] would be 256, more than 255: --divide 2 makes all small enough, "
                 "--clamp makes it 255, --maxval 65535 has room for all, .npy keeps all"),
                ("1/70000", (), "c[1, 0] would be 70000, more than 255: --divide 275 makes all small "
                 "enough, --clamp makes it 255, .npy keeps all"),
                ("600,1000", ("--divide", "2"), "c[0] would be 300, more than 255: --divide 4 makes "
                 "all small enough, --clamp makes it 255, --maxval 65535 has room for all, .npy keeps "
                 "all"),
                ("5,-2", ("--divide", "2"), "c[1] would be -1, and pictures have no negative values: "
                 "--absolute drops signs, --clamp makes them 0, .npy keeps all")):
            with self.subTest(values):
                done = run("run", "image-convolution", "--input", "values:" + values, "--input",
                           "values:1", "--size", "v=0", "--output", path, *options)
                self.expect_failure(done, USAGE, "--output '%s': %s" % (path, line))
                self.assertFalse(os.path.exists(path))

    def test_the_advice_helps(self):
        picture = self.picture(5, 40, 30, 255, noise(1200, 255))
        arguments = ("run", "summed-area-table", "--input", picture, "--output",
                     os.path.join(self.folder, "out.pgm"))
        line = run(*arguments).stderr.decode()
        divide = re.search(r"--divide (\d+)", line).group(1)
        self.assertEqual(run(*arguments, "--divide", divide).returncode, CLEAN)
        smaller = run(*arguments, "--divide", str(int(divide) - 2))
        self.assertEqual(smaller.returncode, USAGE)

    def test_numbers_on_the_command_line(self):
        for values, line in (
                ("values:", "expected 64-bit integers, and '' begins with none"),
                ("values:1,,2", "expected 64-bit integers, and ',2' begins with none"),
                ("values:1,x", "expected 64-bit integers, and 'x' begins with none"),
                ("values:1;2", "expected 64-bit integers, and '1;2' begins with none"),
                ("values:9223372036854775808",
                 "expected 64-bit integers, and '9223372036854775…' begins with none")):
            with self.subTest(values):
                self.expect_failure(
                    run("run", "summed-area-table", "--input", values), USAGE,
                    "--input '%s': %s; rows end in /, and their numbers in commas" % (values, line))
        for values, line in (
                ("values:1,2/3", "row 1 has 1 numbers, and those before have 2"),
                ("values:1/2/3,4", "row 2 has 2 numbers, and those before have 1")):
            with self.subTest(values):
                self.expect_failure(run("run", "summed-area-table", "--input", values), USAGE,
                                    "--input '%s': %s" % (values, line))


class Refusals(Pictures):
    def test_pictures_that_are_wrong(self):
        for content, line in (
                (b"P4 8 1 \x00", "begins with 'P4'; pictures are PGM or PPM, which begin with P2, P3, P5 "
                 "or P6"),
                (b"P7\nWIDTH 1", "begins with 'P7'; pictures are PGM or PPM, which begin with P2, P3, P5 "
                 "or P6"),
                (b"GIF89a", "begins with 'GIF89a'; arrays are .npy files, or pictures in PGM or PPM"),
                (b"", "is empty: there is no array in it"),
                (b"P5", "is truncated: it ends at byte 2, where a blank before its width belongs"),
                (b"P5 3", "is truncated: it ends at byte 4, where a blank before its height belongs"),
                (b"P5 3 # 2\n", "is truncated: it ends at byte 9, where its height belongs"),
                (b"P53 2 255\n", "has '3' at byte 2, where a blank before its width belongs"),
                (b"P5 x", "has 'x' at byte 3, where its width belongs"),
                (b"P5 -3 2 255\n", "has '-' at byte 3, where its width belongs"),
                (b"P5 0 2 255\n", "has the width '0' at byte 3; it is a number from 1 to 4294967296"),
                (b"P5 3 0 255\n", "has the height '0' at byte 5; it is a number from 1 to 4294967296"),
                (b"P5 3 99999999999999999999 255\n", "has the height '99999999999999999999' at byte 5; "
                 "it is a number from 1 to 4294967296"),
                (b"P5 3 2 0\n", "has the greatest value '0' at byte 7; it is a number from 1 to 65535"),
                (b"P5 3 2 65536\n", "has the greatest value '65536' at byte 7; it is a number from 1 to "
                 "65535"),
                (b"P5 3 2 255", "is truncated: it ends at byte 10, where a blank before the values "
                 "belongs"),
                (b"P5 3 2 255x", "has 'x' at byte 10, where a blank before the values belongs"),
                (b"P5 3 2 255\n12345", "is truncated: its header promises 3 x 2 pixels of a value, and 5 "
                 "bytes follow"),
                (b"P6 3 2 256\n" + bytes(35), "is truncated: its header promises 3 x 2 pixels of 3 "
                 "values, and 35 bytes follow"),
                (b"P5 4294967296 4294967296 255\n1", "is truncated: its header promises 4294967296 x "
                 "4294967296 pixels of a value, and 1 bytes follow"),
                (b"P5 2 1 255\n123", "goes on at byte 13, after its picture; one picture is read"),
                (b"P5 3 1 9\n\x01\x0a\x02", "value 1 at byte 10 is more than its greatest value, 9"),
                (b"P5 2 1 999\n\x00\x01\x04\x00", "value 1 at byte 13 is more than its greatest value, "
                 "999"),
                (b"P2 3 1 9 1 10 2", "value 1 at byte 11 is more than its greatest value, 9"),
                (b"P2 1 1 9 99999999999999999999", "value 0 at byte 9 is more than its greatest value, 9"),
                (b"P2 2 1 9 1 ###", "is truncated: it ends at byte 14, where its value 1 of 2 belongs"),
                (b"P2 9 1 9 1 2 3", "is truncated: its header promises 9 x 1 pixels of a value, and 6 "
                 "bytes follow"),
                (b"P3 1 1 9 1 2 x", "has 'x' at byte 13, where its value 2 of 3 belongs"),
                (b"P2 2 1 9 1 2 3", "goes on at byte 13, after its picture; one picture is read"),
                (b"P2 2 1 9 1,2", "has ',' at byte 10, where a blank before its value 1 of 2 belongs")):
            with self.subTest(content):
                path = self.file("in.pgm", content)
                self.expect_failure(run("run", "summed-area-table", "--input", path), INPUT,
                                    path + ": " + line)

    def test_sizes_that_disagree(self):
        gray = self.picture(5, 4, 3, 255, noise(12, 255))
        color = self.picture(6, 4, 3, 255, noise(36, 255))
        for arguments, line in (
                (("summed-area-table", "--size", "rows=5", "--input", gray),
                 gray + ": has 3 x 4 elements, and a has 5 x 64; --size says how many"),
                (("tiled-convolution", "--variant", "2d-basic", "--size", "channels=2", "--input", color,
                  "--input", "values:1"),
                 color + ": has 3 x 4 x 3 elements, and N has 64 x 64 x 2; --size says how many"),
                (("tiled-convolution", "--variant", "2d-basic", "--size", "channels=3", "--input", gray,
                  "--input", "values:1"),
                 gray + ": has 3 x 4 elements, and N has 64 x 64 x 3; --size says how many"),
                (("tiled-convolution", "--variant", "1d-basic", "--input", gray, "--input", "values:1"),
                 gray + ": has 3 x 4 elements, and N has 64; --size says how many"),
                (("image-convolution", "--input", gray, "--input", gray),
                 gray + ": has 3 x 4 elements; a mask of radius v has odd sides, 2v + 1")):
            with self.subTest(line):
                self.expect_failure(run("run", *arguments), INPUT, line)
        self.expect_failure(
            run("run", "image-convolution", "--input", gray, "--input", "values:1,2,1"), USAGE,
            "--input 'values:1,2,1': has 3 elements, and b has 3 x 3; --size says how many")
        self.assertEqual(run("run", "summed-area-table", "--size", "rows=3,columns=4", "--input",
                             gray).returncode, CLEAN)

    def test_channels_may_be_run_by_themselves(self):
        values = noise(36, 255)
        color = self.picture(6, 4, 3, 255, values)
        raw = self.result("tiled-convolution", "--variant", "2d-basic", "--size", "channels=1",
                          "--input", color, "--input", "values:1", ending="ppm")
        self.assertEqual(parsed(raw)[4], values)

    def test_files_that_cannot_have_the_result(self):
        gray = self.picture(5, 4, 3, 255, noise(12, 255))
        color = self.picture(6, 4, 3, 255, noise(36, 255))
        out = os.path.join(self.folder, "out.")
        for ending, options, line in (
                ("ppm", (gray,), "--output '%sppm': b has 1 channel; write .pgm" % out),
                ("pgm", (color,), "--output '%spgm': b has 3 channels; write .ppm" % out),
                ("png", (gray,), "--output '%spng': results are written as .npy, .pgm or .ppm" % out),
                ("npy", (gray, "--clamp"), "--absolute, --divide, --clamp and --maxval are for pictures: "
                 "--output FILE.pgm or FILE.ppm"),
                ("pgm", (gray, "--divide", "0"), "--divide '0': expected a number of at least 1"),
                ("pgm", (gray, "--maxval", "65536"), "--maxval '65536': expected a number from 1 to "
                 "65535")):
            with self.subTest(line):
                done = run("run", "summed-area-table", "--input", *options, "--output", out + ending)
                self.expect_failure(done, USAGE, line)
        done = run("run", "summed-area-table", "--input", gray, "--output", gray)
        self.expect_failure(done, USAGE, "the output is the input: " + gray)


def png_pixels(data):
    """(columns, rows, bytes) of a gray PNG of 8 bits without filters."""
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
    """The pictures in the README are those that its commands make."""

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
