"""Runs `tables` as a program: its formats, its choice of tables, its exit codes."""

import csv
import io
import json
import os
import re
import unittest
import xml.etree.ElementTree

from program import CLEAN, USAGE, Folder, run


SOURCE = os.environ["BANKPROOF_SOURCE"]

IDS = ["CONV:7.2", "CONV:7.4", "CONV:7.6", "CONV:7.8", "CONV:7.22", "HMM:I", "HMM:II",
       "MOD:8-shared", "MOD:8-global", "OPT:I", "OPT:3", "OPT:4", "OPT:5", "OPT:6", "OPT:IV",
       "OPT:VI", "THS:4.1", "THS:4.3", "THS:5.1", "THS:5.2", "THS:5.3", "THS:6.1", "THS:6.6",
       "bounds"]
CHARTS = ["HMM:II", "MOD:8-shared", "MOD:8-global", "OPT:3", "OPT:4", "OPT:5", "OPT:6", "OPT:IV",
          "OPT:VI", "THS:6.1", "THS:6.6"]
ERRATA = [("CONV:7.22", "CONV 7.6, sizes"), ("CONV:7.22", "CONV figure 7.22"),
          ("CONV:7.4", "CONV 7.4"), ("CONV:7.6", "CONV 7.6"), ("MOD:8-global", "MOD 8"),
          ("MOD:8-shared", "MOD 8"), ("THS:5.2", "THS 5, introduction"),
          ("THS:6.1", "THS table 6.1, cost"), ("THS:6.1", "THS table 6.1, shared"),
          ("THS:6.1", "THS theorem 6.4.2"), ("THS:6.6", "THS 6.6")]


class Tables(Folder):
    """The tables of the sources."""

    @classmethod
    def setUpClass(cls):
        # Runs the largest members of families of bounds, which takes long under sanitizers.
        cls.all_of_them = run("tables", "--format", "json", timeout=400)

    def points(self, table):
        """Returns the lines of a table's chart, each as a dictionary from x to y."""
        tables = json.loads(self.all_of_them.stdout)["tables"]
        chart = next(t["chart"] for t in tables if t["id"] == table)
        return {line["name"]: {x: y for x, y in line["points"]} for line in chart["lines"]}

    def test_all_of_them_as_json(self):
        result = self.all_of_them
        self.assertEqual((result.returncode, result.stderr), (CLEAN, b""))
        tables = json.loads(result.stdout)["tables"]
        self.assertEqual([t["id"] for t in tables], IDS)
        sizes = {t["id"]: len(t["cells"]) for t in tables}
        self.assertEqual([sizes[i] for i in ("THS:4.1", "THS:4.3", "THS:5.1", "THS:5.3")],
                         [32, 30, 42, 3])
        self.assertEqual([t["id"] for t in tables if "chart" in t], CHARTS)
        errata = sorted({(t["id"], cell["erratum"])
                         for t in tables for cell in t["cells"] if cell["differs"]})
        self.assertEqual(errata, ERRATA)
        for table in tables:
            self.assertTrue(table["cells"], table["id"])
            for cell in table["cells"]:
                same = cell["here"] == cell["printed"]
                self.assertEqual((cell["differs"], "erratum" in cell), (not same, not same), cell)

    def test_the_documentation_lists_them(self):
        with open(os.path.join(SOURCE, "docs", "algorithms.md"), encoding="utf-8") as document:
            page = document.read()
        table = page[page.index("\n| table |"):].split("\n\n")[0]
        names = [line.split(" | ")[0] for line in table.splitlines()]
        self.assertEqual(re.findall("`(.*?)`", " ".join(names)), IDS)

    def test_the_errata_have_rows(self):
        with open(os.path.join(SOURCE, "docs", "errata.md"), encoding="utf-8") as document:
            places = [line.split("|")[1] for line in document if line.startswith("| ")]
        for table, erratum in ERRATA:
            self.assertTrue(any(erratum in place for place in places), erratum)
            self.assertIn(table.split(":")[0], erratum)

    def test_one_of_them_as_text(self):
        text = run("tables", "--only", "THS:4.3").stdout.decode()
        self.assertIn("Random        32-bit D-designated   1/3.37 (5.37)  1/3.37 (5.37)  =\n", text)
        self.assertTrue(text.endswith("\nAll 30 cells are as printed.\n"))
        self.assertNotIn("THS:5.1", text)

    def test_a_chart_as_csv(self):
        lines = {}
        text = run("tables", "--only", "OPT:IV", "--format", "csv").stdout.decode()
        for row in csv.DictReader(io.StringIO(text)):
            if not row["printed"]:
                lines.setdefault(row["column"], {})[float(row["row"])] = float(row["here"])
        exact = self.points("OPT:IV")
        self.assertEqual({name: list(line) for name, line in lines.items()},
                         {name: list(line) for name, line in exact.items()})
        for name, line in lines.items():
            for x, y in line.items():
                self.assertAlmostEqual(y / exact[name][x], 1, 5)  # six digits

    def test_crossings_are_marked(self):
        def marks(table):
            chart = json.loads(run("tables", "--only", table, "--format", "json").stdout)
            return [mark["x"] for mark in chart["tables"][0]["chart"]["marks"]]
        # properties/algorithms/prefix_sums.cpp checks the first one.
        self.assertEqual((marks("MOD:8-shared"), marks("MOD:8-global")), ([1024], [8192]))

    def test_latency_shows_from_as_many_threads_as_registers_on(self):
        for table in ("OPT:IV", "OPT:VI"):
            lines = self.points(table)
            self.assertEqual(set(lines), {"p = 16", "p = 32", "p = 64"})
            for points in lines.values():
                self.assertLess(points[0.5] / points[0.0625], 1.25, table)
                self.assertGreater(points[16] / points[8], 1.9, table)

    def test_times_fall_with_d_and_with_the_other_letter(self):
        for table in ("OPT:3", "OPT:4", "OPT:5", "OPT:6"):
            lines = self.points(table)
            for points in lines.values():
                values = list(points.values())
                self.assertEqual(values, sorted(values, reverse=True), table)
            at_16 = [points[16] for points in lines.values()]
            # More threads and larger tiles are faster, a wider kernel is slower.
            self.assertEqual(at_16, sorted(at_16, reverse=table != "OPT:4"), table)

    def test_a_chart_as_svg(self):
        path = os.path.join(self.folder, "chart.svg")
        result = run("tables", "--only", "MOD:8-global", "--format", "svg", "-o", path)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (CLEAN, b"", b""))
        root = xml.etree.ElementTree.parse(path).getroot()
        name = "{http://www.w3.org/2000/svg}"
        self.assertEqual(root.tag, name + "svg")
        lines = root.findall(name + "polyline")
        self.assertEqual([len(line.get("points").split()) for line in lines], [18, 18, 18])
        width, height = (float(root.get(key)) for key in ("width", "height"))
        for line in lines:
            for point in line.get("points").split():
                x, y = map(float, point.split(","))
                self.assertTrue(0 <= x <= width and 0 <= y <= height, point)

    def test_svg_is_of_one_table_with_a_chart(self):
        joined = ", ".join(CHARTS[:-1]) + " and " + CHARTS[-1]
        for arguments in ([], ["--only", "THS:4.1"]):
            self.expect_failure(run("tables", "--format", "svg", *arguments), USAGE,
                                "--format svg draws one chart: choose it with --only, of " +
                                joined)

    def test_tables_that_do_not_exist(self):
        there_are = "here are " + ", ".join(IDS[:-1]) + " and " + IDS[-1]
        for table, hint in (("x", "; t"), ("ths:6.6", "; did you mean 'THS:6.6'? T"),
                            ("hmm:i", "; did you mean 'HMM:I'? T"),
                            ("MOD:8-share", "; did you mean 'MOD:8-shared'? T")):
            self.expect_failure(run("tables", "--only", table), USAGE,
                                "--only '%s': no such table%s%s" % (table, hint, there_are))
        self.assertIn("One table: " + ", ".join(IDS[:-1]) + " and " + IDS[-1],
                      " ".join(run("tables", "--help").stdout.decode().split()))


if __name__ == "__main__":
    unittest.main()
