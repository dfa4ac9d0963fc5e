"""Recomputes, cell by cell, the table of docs/algorithms.md that says where (1+r)R1W pays."""

import os
import re
import unittest

from program import CLEAN, run

SOURCE = os.environ["BANKPROOF_SOURCE"]

ROW = re.compile(r"^\| (50|400) \| (\d+) \| (.*) \|$", re.MULTILINE)
BEST = re.compile(r"([\d.]+) \(t = (\d+)\)")


def measures(latency, dmms, mode, variant, t=0):
    """Returns the global memory access cost and the time of a variant."""
    size = "rows=256,columns=256" + (",t=%d" % t if t else "")
    result = run("run", "summed-area-table", "--variant", variant, "--size", size, "--mode", mode,
                 "--machine", "hmm:w=16,l=1,L=%d,d=%d,p=256" % (latency, dmms))
    assert result.returncode == CLEAN, result.stderr
    text = result.stdout.decode()
    cost = re.search(r"(\d+)  C/w \+ S", text).group(1)
    return {"cost": int(cost), "time": int(re.search(r"(\d+) time units", text).group(1))}


class HybridTable(unittest.TestCase):
    def check(self, latency, dmms, cells, mode, measure):
        two_passes, best = cells
        of = lambda variant, t=0: measures(latency, dmms, mode, variant, t)[measure]  # noqa: E731
        whole = of("1R1W")
        self.assertEqual("%.2f" % (of("2R1W") / whole), two_passes)
        ratio, t = BEST.fullmatch(best).groups()
        least = of("hybrid", int(t))
        self.assertEqual("%.2f" % (least / whole), ratio)
        for other in (int(t) - 1, int(t) + 1):
            if 1 <= other <= 15:
                self.assertGreaterEqual(of("hybrid", other), least)

    def test_has_what_the_program_says(self):
        with open(os.path.join(SOURCE, "docs", "algorithms.md"), encoding="utf-8") as file:
            rows = ROW.findall(file.read())
        self.assertEqual(len(rows), 6)
        for latency, dmms, rest in rows:
            cells = [cell.strip() for cell in rest.split("|")]
            self.assertEqual(len(cells), 6)
            with self.subTest(L=latency, d=dmms):
                if cells[0]:
                    self.check(int(latency), int(dmms), cells[:2], "lockstep", "cost")
                self.check(int(latency), int(dmms), cells[2:4], "lockstep", "time")
                self.check(int(latency), int(dmms), cells[4:], "overlapped", "time")


if __name__ == "__main__":
    unittest.main()
