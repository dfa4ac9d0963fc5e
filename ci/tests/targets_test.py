"""The project's targets for an H200: each target has its benchmarks with exactly these numbers, in the
program that runs on the reference machine, and no other benchmark has a target."""

import json
import os
import subprocess
import unittest

COPY, PEER = "copy", "peer"
R = 1 / 64  # for the hybrid: each triangle has one diagonal in eight


def of_types(name, *types):
    return [f"{name}.{element}" for element in types]


def tables(*variants):
    return [f"summed_area_table_{variant}" for variant in variants]


BOTH = ("float", "double")
# The requirement; benchmarks; floor, target, stretch; what the target is relative to; the size of
# an array relative to 2^30 bytes.
TARGETS = [
    ("sum", of_types("sum_packets", "int32", "float"), (1, 1, 0.97), COPY, 1),
    ("prefix sums, one pass", of_types("prefix_sums_one_pass", "int32", "float"), (1, 1.1, 1.05), COPY, 1),
    ("transpose", [name for variant in ("diagonal", "padded", "swizzled", "packets")
                   for name in of_types(f"transpose_{variant}", *BOTH)], (1, 1.06, 1.03), COPY, 1),
    ("formula bit-reversal", of_types("permutation_affine.bit-reversal", *BOTH), (1, 1.06, 1.03), COPY, 1),
    ("formula shuffle", of_types("permutation_affine.shuffle", *BOTH), (1, 1.06, 1.03), COPY, 1),
    ("2R2W", tables("2r2w.float"), (2, 2.2, 2.1), COPY, 1),
    ("4R4W", tables("4r4w.float"), (4, 4.4, 4.2), COPY, 1),
    ("4R1W", tables("4r1w.float"), (2.5, 2.75, 2.625), COPY, 1),
    ("2R1W", tables("2r1w.float"), (1.5, 1.65, 1.575), COPY, 1),
    ("1R1W, a launch a diagonal, 32K x 32K", tables("1r1w.float", "1r1w.graph.float"), (1, 1.5, 1.3),
     COPY, 32768 ** 2 * 4 / 2 ** 30),
    ("1R1W, one kernel with look-back", tables("look_back.float", "look_back.double"), (1, 1.08, 1.04),
     COPY, 1),
    ("(1+r)R1W", tables("hybrid.float", "hybrid.graph.float"),
     ((2 + R) / 2, (2 + R) / 2 * 1.15, (2 + R) / 2 * 1.08), COPY, 1),
    ("scheduled permutation, 5 kernels", ["permutation_scheduled.float"], (52 / 8, 7.2, 6.8), COPY, 1),
    ("the same in 3 kernels", ["permutation_scheduled_in_three.float"], (36 / 8, 5.0, 4.7), COPY, 1),
    ("convolution 3 x 3 to 7 x 7", [f"image_convolution.v{v}.float" for v in (1, 2, 3)], (1, 1.15, 1.08),
     COPY, 1),
    ("float matrix product of 8192 x 8192 beside cuBLAS", ["matrix_product.float"], (0, 0.92, 1), PEER,
     8192 ** 2 * 4 / 2 ** 30),
]


class Targets(unittest.TestCase):
    def setUp(self):
        listed = subprocess.run([os.environ["BANKPROOF_MACHINE_PROGRAM"], "bench", "--list"],
                                capture_output=True, text=True, check=True)
        self.rows = {row["name"]: row for row in json.loads(listed.stdout)}

    def test_each_has_benchmarks_that_are_held_to_it(self):
        for what, names, numbers, against, size in TARGETS:
            for name in names:
                with self.subTest(what, name=name):
                    row = self.rows[name]
                    got = [row[which] for which in ("floor", "target", "stretch")]
                    for number, wanted in zip(got, numbers, strict=True):
                        self.assertAlmostEqual(number, wanted)
                    self.assertEqual((row["against"], row["size"]), (against, size))
                    self.assertFalse(row["named_only"], "timed with all")
                    self.assertNotEqual(row["limit"], "")

    def test_no_other_benchmark_is_held_to_any(self):
        held = {name for name, row in self.rows.items() if row["target"] or row["stretch"]}
        self.assertEqual(held, {name for _, names, *_ in TARGETS for name in names})

if __name__ == "__main__":
    unittest.main()
