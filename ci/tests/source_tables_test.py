"""The sources' tables that ci/gpu --bench fills: in the program that runs on the reference machine,
each cell has its benchmarks, no benchmark is without a cell, and the crossover of random permutations has
its benchmarks."""

import collections
import json
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["BANKPROOF_SOURCE"], "ci"))
from on_gpu import crossover  # noqa: E402
from on_gpu.source_tables import CELLS, Best, Ratio  # noqa: E402


class SourceTables(unittest.TestCase):
    def setUp(self):
        listed = subprocess.run([os.environ["BANKPROOF_MACHINE_PROGRAM"], "bench", "--list"],
                                capture_output=True, text=True, check=True)
        self.rows = json.loads(listed.stdout)
        self.of_cells = {name for cell in CELLS for name in cell.names()}

    def test_every_cell_has_its_benchmarks(self):
        self.assertEqual(self.of_cells - {row["name"] for row in self.rows}, set())

    def test_the_crossover_has_its_benchmarks(self):
        """The sides of its matrices are multiples of 32, so that a schedule has as many elements as the
        array."""
        self.assertEqual(set(crossover.NAMES) - {row["name"] for row in self.rows}, set())
        self.assertEqual([side for side in crossover.SIDES if side % 32], [])

    def test_every_benchmark_of_the_tables_has_a_cell(self):
        of_tables = {row["name"] for row in self.rows if row["named_only"]}
        self.assertEqual(of_tables - self.of_cells, set())

    def test_all_tables_are_there_and_no_cell_twice(self):
        tables = collections.Counter(cell.table.split(",")[0] for cell in CELLS)
        self.assertEqual(set(tables), {"THS 4.2", "THS 4.4", "THS 5.2", "THS 6.2", "OPT 3", "OPT 4",
                                       "OPT 5", "OPT 6", "MOD 8"})
        rows = collections.Counter((cell.table, cell.row) for cell in CELLS)
        self.assertEqual([row for row, count in rows.items() if count > 1], [])

    def test_printed_ratios_are_of_the_printed_times(self):
        """Checks some ratios, computed by hand from THS."""
        printed = {(cell.table, cell.row): cell.printed for cell in CELLS}
        for table, row, ratio in [
                ("THS 4.2", "D-designated / copy, transpose", "16.4"),
                ("THS 4.2", "conflict-free in place / copy, bit-reversal", "1.06"),
                ("THS 4.4", "S-designated in place / copy, transpose", "8.24"),
                ("THS 4.4", "D-designated / copy, shuffle", "1.32"),
                ("THS 5.2", "S-designated / scheduled, transpose, 1024 x 1024 of double", "1.21"),
                ("THS 5.2", "D-designated / scheduled, bit-reversal, 4096 x 4096 of float", "2.98"),
                ("THS 5.2", "D-designated / scheduled, random, 8192 x 8192 of float", ""),
                ("THS 6.2", "4R4W / 1R1W, 18K", "2.17"),
                ("THS 6.2", "2R2W on the CPU / 1R1W, 1K", "28.7"),
                ("THS 6.2", "4R1W on the CPU / fastest (1+r)R1W, 5K", "100"),
                ("THS 6.2", "r of the fastest (1+r)R1W, 2K", "0.174")]:
            self.assertEqual(printed[table, row], ratio, row)

    def test_values_are_of_the_least_times(self):
        self.assertEqual(Ratio("t", "r", ("a", "b"), ("c",), 1).value({"a": 9, "b": 3, "c": 2}), "1.5")
        self.assertEqual(Best("t", "r", {"a": "0.1", "b": "0.2"}, 1).value({"a": 9, "b": 3}), "0.2")


if __name__ == "__main__":
    unittest.main()
