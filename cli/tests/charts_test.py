"""`bankproof run --chart`: that its SVG shows every stage in every register, where it belongs."""

import json
import os
import unittest
import xml.etree.ElementTree as ElementTree

from program import CLEAN, USAGE, Folder, run

SVG = "{http://www.w3.org/2000/svg}"


class Charts(Folder):
    def chart_of(self, *arguments):
        """The root of the SVG, its boxes as (x, y, width, height), and the report."""
        path = os.path.join(self.folder, "chart.svg")
        done = run("run", *arguments, "--format", "json", "--chart", path)
        self.assertEqual(done.returncode, CLEAN, done.stderr)
        root = ElementTree.fromstring(self.read(path))
        boxes = [tuple(int(box.get(key)) for key in ("x", "y", "width", "height"))
                 for box in root.iter(SVG + "rect") if "box" in box.get("class")]
        return root, boxes, json.loads(done.stdout)

    def test_a_box_for_each_stage_in_each_register_and_for_each_access(self):
        for algorithm, machine, latencies in (
                (("prefix-sums", "--size", "n=20"), "dmm:w=4,l=3,p=10", {"memory": 3}),
                (("prefix-sums", "--size", "n=20"), "umm:w=16,l=3,p=10", {"memory": 3}),
                (("sum", "--size", "n=20"), "pram:p=7", {"memory": 0}),
                (("summed-area-table", "--variant", "1R1W", "--size", "rows=5,columns=3"),
                 "hmm:w=2,l=2,L=5,d=2,p=4", {"shared": 2, "global": 5}),
                (("tiled-convolution", "--size", "columns=20,t=8"), "async-hmm:w=4,l=2,L=9,d=3,p=8",
                 {"shared": 2, "global": 9, "constant": 1})):
            for mode in ("lockstep", "overlapped"):
                with self.subTest(algorithm, machine=machine, mode=mode):
                    root, boxes, report = self.chart_of(*algorithm, "--machine", machine, "--mode",
                                                        mode)
                    groups = [group for group in root if group.tag == SVG + "g"]
                    served = [group for group in groups if "[" in group[0].text]
                    bars = len(groups) - len(served)
                    if "pram" not in machine:
                        self.assertEqual(len(served), sum(m["stages"] for m in report["memories"]))
                    self.assertEqual(len(boxes) - bars, sum(m["stages"] * latencies[m["name"]]
                                                            for m in report["memories"]))
                    self.assertGreater(bars, 0)
                    _, _, width, height = (int(side) for side in root.get("viewBox").split())
                    ends = {}
                    for x, y, wide, high in sorted(boxes):
                        self.assertLessEqual((x + wide, y + high), (width, height))
                        self.assertGreaterEqual(x, ends.get(y, 0))  # in a row one after another
                        ends[y] = x + wide
                    self.assertIn("Complete after %d time units." % report["time"],
                                  root.find(SVG + "desc").text)

    def test_a_title_for_people_and_colors_for_dark_screens(self):
        root, _, _ = self.chart_of("sum", "--variant", "pairwise", "--size", "n=8", "--machine",
                                   "dmm:w=4,l=2,p=4")
        title = "sum pairwise (MOD 4, HMM VI), n=8 on dmm:w=4,l=2,p=4, overlapped"
        self.assertEqual(root.find(SVG + "title").text, title)
        self.assertEqual(root.find(SVG + "text").text, title)
        self.assertIn("prefers-color-scheme:dark", root.find(SVG + "style").text)

    def test_addresses_stand_in_their_banks(self):
        root, _, _ = self.chart_of("sum", "--variant", "pairwise", "--size", "n=8", "--machine",
                                   "dmm:w=4,l=1,p=4")
        words = [(int(word.get("y")), int(word.text)) for word in root.iter(SVG + "text")
                 if word.get("class") == "word"]
        self.assertTrue(words)
        rows = {}
        for y, address in words:
            rows.setdefault(y, set()).add(address % 4)
        self.assertEqual(sorted(len(banks) for banks in rows.values()), [1, 1, 1, 1])

    def test_too_large_a_run(self):
        done = run("run", "summed-area-table", "--chart", os.path.join(self.folder, "chart.svg"))
        self.expect_failure(done, USAGE, "--chart: more than 30000 boxes and numbers, of which a stage "
                            "has one in each of its memory's l registers; choose smaller sizes or "
                            "latencies, or --trace")
        self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    unittest.main()
