"""Wrong pictures, and values that do not fit a picture: no value is lost silently, and every
refusal says what would help."""

import os
import re
import unittest

from picture_support import PictureFolder, noise, parsed, typed
from program import CLEAN, INPUT, USAGE, run


class Values(PictureFolder):
    """values: on the command line, and how values become those of a picture."""

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
                ("1,256", (), "c[0, 1] would be 256, more than 255: use --divide 2 to make all values "
                 "fit, --clamp to make it 255, --maxval 65535 to have room for all, or .npy to keep all "
                 "values"),
                ("1/70000", (), "c[1, 0] would be 70000, more than 255: use --divide 275 to make all "
                 "values fit, --clamp to make it 255, or .npy to keep all values"),
                ("600,1000", ("--divide", "2"), "c[0, 0] would be 300, more than 255: use --divide "
                 "4 to make all values fit, --clamp to make it 255, --maxval 65535 to have room for "
                 "all, or .npy to keep all values"),
                ("5,-2", ("--divide", "2"), "c[0, 1] would be -1, and pictures have no negative values: "
                 "use --absolute to drop signs, --clamp to make them 0, or .npy to keep all values")):
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
                ("values:", "'' is not a 64-bit integer"),
                ("values:1,,2", "'' is not a 64-bit integer"),
                ("values:1,x", "'x' is not a 64-bit integer"),
                ("values:1;2", "'1;2' is not a 64-bit integer"),
                ("values:9223372036854775808",
                 "'9223372036854775808' is not a 64-bit integer")):
            with self.subTest(values):
                self.expect_failure(
                    run("run", "summed-area-table", "--input", values), USAGE,
                    "--input '%s': %s; separate numbers with commas and rows with /" % (values, line))
        for values, line in (
                ("values:1,2/3", "row 1 has 1 number, and those before have 2"),
                ("values:1/2/3,4", "row 2 has 2 numbers, and those before have 1")):
            with self.subTest(values):
                self.expect_failure(run("run", "summed-area-table", "--input", values), USAGE,
                                    "--input '%s': %s" % (values, line))


class Refusals(PictureFolder):
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
                 gray + ": has 3 x 4 elements, and a has 5 x 4; --size says how many"),
                (("tiled-convolution", "--variant", "2d-basic", "--size", "channels=2", "--input", color,
                  "--input", "values:1"),
                 color + ": has 3 x 4 x 3 elements, and N has 3 x 4 x 2; --size says how many"),
                (("tiled-convolution", "--variant", "2d-basic", "--size", "channels=3", "--input", gray,
                  "--input", "values:1"),
                 gray + ": has 3 x 4 elements, and N has 3 x 4 x 3; --size says how many"),
                (("tiled-convolution", "--variant", "1d-basic", "--input", gray, "--input", "values:1"),
                 gray + ": has 3 x 4 elements, and N has 4; --variant and --size say that it is one row"),
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


if __name__ == "__main__":
    unittest.main()
