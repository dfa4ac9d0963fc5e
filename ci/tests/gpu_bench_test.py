"""Runs ci/gpu --bench in a scratch tree, with a stand-in for the program."""

import os
import sys
import unittest

from gpu_stand_ins import CI, GpuCase

sys.path.insert(0, CI)
from on_gpu import crossover  # noqa: E402


def row(name, elements, milliseconds=None, **others):
    timed = {"because": "no such library"} if milliseconds is None else {"milliseconds": milliseconds}
    return {"name": name, "elements": elements, "bytes": 2000, "floor": 0, "target": 0, "stretch": 0,
            "limit": "", "against": "copy", "peer": "", **timed, **others}


ROWS = [row("sum_columns.float", 250, 0.625, bytes=1000, floor=1.0, target=1.1, stretch=1.25,
            limit="a read", peer="cub.sum.float"),
        row("cub.sum.float", 250, 0.5, bytes=1000, floor=1),
        row("prefix_sums_simple_global.float", 250, 2.5, peer="cublas"),
        row("cublas", 1)]
OF_RANDOM = {"destination.random": 3, "source.random": 1, "scheduled": 4, "scheduled_in_three": 2}


class Bench(GpuCase):
    rows = ROWS

    def report(self):
        with open(self.path("out/bench.md"), encoding="utf-8") as file:
            return file.read()

    def test_times_become_ratios(self):
        output = self.assert_ends(0, "4 rows", "--bench")
        self.assertIn("bench: targets: 0 met, 1 missed, 0 not judged", output)
        self.assertIn("target of sum_columns.float: 1.10: missed by 13.6%; its limit: a read", output)
        report = self.report()
        for line in [
                "| sum_columns.float | 250 | 0.6250 | 1.250 | 1.00 | 80.0% | 0 | a read | "
                "1.10: missed by 13.6% | 1.25: met | cub.sum.float: 0.800 |",
                "| prefix_sums_simple_global.float | 250 | 2.5000 | 2.500 | – | – | – | – | – | – | "
                "cublas: not there |",
                "| cublas | 1 | no such library | – |",
                "| MOD 8, global memory | simple / sum, n = 2^10 | 4 | – |",
                "| THS 5.2 | D-designated / scheduled, bit-reversal, 256 x 256 of float | open | 0.413 |"]:
            self.assertIn(line, report)

    def test_a_target_beside_a_library_is_of_its_speed(self):
        product = row("product", 9, 1.25, target=0.92, stretch=1.0, against="peer", peer="cublas",
                      limit="arithmetic")
        for milliseconds, target, stretch in [
                (1.25, "met", "met"), (1.2, "met", "missed by 4.0%"),
                (1, "missed by 13.0%", "missed by 20.0%")]:
            with self.subTest(milliseconds):
                self.says["rows"] = [product, row("cublas", 9, milliseconds)]
                self.assert_ends(0, "bench: targets: ", "--bench")
                self.assertIn(f"| 0.92 of the library's speed: {target} | 1.00 of the library's speed: "
                              f"{stretch} |", self.report())
        self.says["rows"] = [product, row("cublas", 9)]
        output = self.assert_ends(0, "0 met, 0 missed, 1 not judged", "--bench")
        self.assertIn("target of product: 0.92 of the librarys speed: not judged: no time of cublas",
                      output)

    def test_targets_of_small_arrays_or_without_a_time_are_not_judged(self):
        output = self.assert_ends(0, "0 met, 0 missed, 1 not judged", "--bench", "--bytes", "1073741823")
        self.assertIn("not judged: arrays of fewer than 2^30 bytes", output)
        self.says["rows"] = [row("sum_columns.float", 250, target=1.1)]
        self.assert_ends(0, "1.10: not judged: no time", "--bench")

    def test_where_random_permutations_cross_is_reported(self):
        self.says["rows"] = [row(f"permutation_{name}.float", 1, time)
                             for name, time in OF_RANDOM.items()]
        self.assert_ends(0, "crossover of random permutations: 15 sizes", "--bench")
        report = self.report()
        for line in ["the L2 has 50.0 MiB", "| 128 x 128 | 0.2 | 3.0000 | 1.0000 | 4.0000 | 2.0000 |",
                     "| 16384 x 16384 | 3072.0 | 3.0000 | 1.0000 | 4.0000 | 2.0000 |",
                     "| 3 kernels | D-designated | from 128 x 128, 0.2 MiB or less |",
                     "| 5 kernels | S-designated | not up to 16384 x 16384, 3072.0 MiB |"]:
            self.assertIn(line, report)
        del self.says["rows"][0]["milliseconds"]
        self.says["rows"][0]["because"] = "no memory"
        self.assert_ends(0, "permutation_destination.random.float of 16384 elements: no memory",
                         "--bench")
        self.assertIn("| 3 kernels | D-designated | open |", self.report())

    def test_cells_are_open_where_a_time_is_missing(self):
        hybrids = [f"summed_area_table_hybrid.r{k * k}of256.double" for k in range(1, 11)]
        times = dict(zip(["summed_area_table_1r1w.double", *hybrids], [4, 9, 8, 3, 7, 5, 6, 7, 8, 9, 10]))
        self.says["rows"] = [row(name, 250, time) for name, time in times.items()]
        output = self.assert_ends(0, "are open", "--bench")
        filled = ["| THS 6.2 | fastest (1+r)R1W / 1R1W, 1K | 0.75 | 0.405 |",
                  "| THS 6.2 | r of the fastest (1+r)R1W, 1K | 0.0352 | 0.168 |"]
        for line in [*filled, "| THS 6.2 | 2R1W / 1R1W, 1K | open | 0.368 |"]:
            self.assertIn(line, self.report())
        del self.says["rows"][4]["milliseconds"]
        self.says["rows"][4]["because"] = "no memory"
        output = self.assert_ends(0, "are open", "--bench")
        self.assertIn(f"{hybrids[3]} of 1048576 elements: no memory", output)
        for line in filled:
            self.assertNotIn(line, self.report())

    def test_no_times_are_no_pass(self):
        self.says["rows"] = []
        self.assert_ends(3, "there is no benchmark", "--bench")

    def test_algorithms_cross_where_one_is_faster_at_all_larger_sizes(self):
        def crossing(*scheduled):
            times = [{"a": 2, "b": time} for time in (*scheduled, *[1] * len(crossover.SIDES))]
            return crossover.crossing(dict(zip(crossover.SIDES, times)), "a", "b")
        self.assertEqual(crossing(3, 3, 3), "from 384 x 384, 1.7 MiB")
        self.assertEqual(crossing(3, 1, 2), "from 384 x 384, 1.7 MiB")
        self.assertEqual(crossing(1), "from 128 x 128, 0.2 MiB or less")
        self.assertEqual(crossing(*[2] * 15), "not up to 16384 x 16384, 3072.0 MiB")


if __name__ == "__main__":
    unittest.main()
