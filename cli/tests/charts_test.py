"""`bankproof run --chart`: the SVG shows every stage in every register, in its place."""

import json
import os
import unittest
import xml.etree.ElementTree as ElementTree

from program import CLEAN, USAGE, Folder, run

SVG = "{http://www.w3.org/2000/svg}"


class Charts(Folder):
    def chart_of(self, *arguments):
        """Returns the root of the SVG, its boxes as (x, y, width, height), and the report."""
        path = os.path.join(self.folder, "chart.svg")
        done = run("run", *arguments, "--format", "json", "--chart", path)
        self.assertEqual(done.returncode, CLEAN, done.stderr)
        root = ElementTree.fromstring(self.read(path))
        boxes = [tuple(int(box.get(key)) for key in ("x", "y", "width", "height"))
                 for box in root.iter(SVG + "rect") if box.get("class").startswith("box")]
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
                        self.assertGreaterEqual(x, ends.get(y, 0))  # one after another in a row
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

    def test_writes_are_framed(self):
        root, _, report = self.chart_of("prefix-sums", "--size", "n=8", "--machine",
                                        "dmm:w=4,l=2,p=4")
        framed = {}
        for group in root.iter(SVG + "g"):
            what = group.find(SVG + "title").text.split(" ")[1]
            for box in group.iter(SVG + "rect"):
                framed.setdefault(what, set()).add("write" in box.get("class"))
        self.assertEqual(framed, {"reads": {False}, "writes": {True}})
        self.assertGreater(report["memories"][0]["rounds"]["coalesced_write"], 0)

    def legend(self, *arguments):
        root, _, _ = self.chart_of(*arguments)
        _, _, _, height = (int(side) for side in root.get("viewBox").split())
        for text in root.iter(SVG + "text"):
            self.assertLess(int(text.get("y")), height)
        self.assertEqual([text.text for text in root.iter(SVG + "text")
                          if text.text == "time units"], ["time units"] * 2)
        return [text.text for text in root.iter(SVG + "text") if text.get("class") == "key"]

    def test_a_legend(self):
        bars = ["a bar: an access, from its first stage to its completion",
                "a color: a warp, as in its row at the bottom", "a dashed line: a launch ends"]
        self.assertEqual(self.legend("sum", "--size", "n=8", "--machine", "pram:p=4"),
                         ["reads", "writes", *bars])
        small = ("sum", "--variant", "pairwise", "--size", "n=8", "--machine")
        box = "a box: a stage, one time unit in a register"
        self.assertEqual(self.legend(*small, "dmm:w=4,l=2,p=4"),
                         ["reads", "writes", box + ", with its addresses", *bars])
        self.assertEqual(self.legend(*small, "dmm:w=16,l=2,p=4"), ["reads", "writes", box, *bars])
        for n, more in ((9, ""), (10, "; they repeat")):  # all threads but one work; each is a warp
            self.assertIn(bars[1] + more, self.legend("prefix-sums", "--size", "n=%d" % n,
                                                      "--machine", "dmm:w=1,p=%d" % n))

    def test_long_runs_have_no_addresses(self):
        for latency, there in ((2, True), (20, False)):
            root, _, _ = self.chart_of("sum", "--variant", "pairwise", "--size", "n=8", "--machine",
                                       "dmm:w=4,l=%d,p=4" % latency)
            words = [text for text in root.iter(SVG + "text") if text.get("class") == "word"]
            self.assertEqual(bool(words), there)

    def test_numbers_of_the_axis_do_not_touch(self):
        for latency in (1, 2, 12, 25):
            root, _, report = self.chart_of("sum", "--variant", "pairwise", "--size", "n=8",
                                            "--machine", "dmm:w=4,l=%d,p=4" % latency)
            ends = {}
            for tick in root.iter(SVG + "text"):
                if tick.get("class") != "tick":
                    continue
                half = 3.5 * len(tick.text)  # letters are 7 pixels wide at most
                x, y = int(tick.get("x")), tick.get("y")
                self.assertGreater(x - half, ends.get(y, 0), report["time"])
                ends[y] = x + half
            self.assertEqual(len(ends), 2)

    def test_too_large_a_run(self):
        path = os.path.join(self.folder, "chart.svg")
        outputs = ("--chart", path, "--output", os.path.join(self.folder, "result.npy"))
        for line, *arguments in (
                ("the run takes 400 time units or more, for which a chart is wider than 4000 "
                 "pixels; choose smaller sizes (rows, columns, t), lower latencies l and L, more "
                 "threads p, or --trace, which takes longer runs", "summed-area-table"),
                ("the run takes 351 time units or more, for which a chart is wider than 4000 "
                 "pixels; choose smaller sizes (n), more threads p, or --trace, which takes longer "
                 "runs", "sum", "--machine", "pram:p=1"),
                ("211 warps and 1 memory with a row for each register are higher than 4000 pixels; "
                 "choose a lower latency l, fewer threads p, or --trace, which takes larger "
                 "machines", "sum", "--machine", "dmm:w=64,p=16384", "--size", "n=32768"),
                ("13 warps and 10 memories with a row for each register are higher than 4000 "
                 "pixels; choose lower latencies l and L, fewer threads p or DMMs d, or --trace, "
                 "which takes larger machines", "sum", "--variant", "all-dmms", "--machine",
                 "hmm:w=16,l=40,L=5,d=16,p=16", "--size", "n=256")):
            self.expect_failure(run("run", *arguments, *outputs), USAGE, "--chart: " + line)
            self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    unittest.main()
