"""Runs `bankproof kernel` as a program: reports, results, pages, and wrong command lines."""

import html.parser
import json
import os
import re
import shutil
import struct
import subprocess

import jsonschema

from kernel_support import CALL, FINDING, RACE, KernelFolder, npy, words
from program import CLEAN, INPUT, needs, run

SOURCE = os.environ["BANKPROOF_SOURCE"]

with open(os.path.join(SOURCE, "cli", "tests", "sarif-essentials.schema.json"),
          encoding="utf-8") as schema_file:
    SCHEMA = json.load(schema_file)


class Reports(KernelFolder):
    def test_json_has_the_fixed_fields(self):
        report = self.report(self.tile(), *CALL)
        self.assertEqual(list(report)[:6],
                         ["kernel", "launches", "time", "lines", "faults", "totals"])
        self.assertEqual(report["kernel"], "scale(unsigned int*, unsigned int const*, int)")
        self.assertEqual(report["launches"], 1)
        self.assertEqual(report["faults"], [])
        for line in report["lines"]:
            self.assertEqual(list(line)[:5], ["file", "line", "visits", "shared", "global"])
            self.assertEqual(list(line["shared"]), ["wavefronts", "ideal", "excess"])
            self.assertEqual(list(line["global"]), ["lines", "ideal_lines", "sectors",
                                                    "ideal_sectors", "excess_sectors"])

    def test_counts_by_line(self):
        lines = self.lines(self.report(self.tile(), *CALL))
        self.assertEqual(lines[11]["global"], {"lines": 4, "ideal_lines": 4, "sectors": 16,
                                               "ideal_sectors": 16, "excess_sectors": 0})
        self.assertEqual(lines[12]["shared"], {"wavefronts": 4, "ideal": 4, "excess": 0})
        self.assertEqual([lines[k]["visits"] for k in (11, 12, 13, 14, 15)], [4] * 5)
        self.assertEqual(lines[14]["active_lanes"], 128)

    def test_conflicts_by_line(self):
        lines = self.lines(self.report(self.tile(stride=128), *CALL))
        for line in (12, 14):
            self.assertEqual(lines[line]["shared"], {"wavefronts": 128, "ideal": 4, "excess": 124})
        self.report(self.tile(stride=128), *CALL, "--max-excess", "124")
        report = self.report(self.tile(stride=128), *CALL, "--max-excess", "123", code=FINDING)
        self.assertFalse(report["passes"])

    def test_text(self):
        text = run("kernel", self.tile(stride=128), *CALL, "--max-excess", "0").stdout.decode()
        self.assertIn("1 launch, ", text)
        self.assertRegex(text, r"(?m)^tile\.cu\n(.*\n)* +12 +4 +32\.0 +128 +4 +124( +-){5} +128$")
        self.assertTrue(text.endswith(
            "\n\ntile.cu:12: shared_excess: 124 wavefronts more than the ideal 4; the limit is 0\n"
            "tile.cu:14: shared_excess: 124 wavefronts more than the ideal 4; the limit is 0\n\n"
            "fails: 2 lines with more than 0 excess wavefronts\n"), text)

    def test_each_memory_has_its_limit(self):
        # Lines 12 and 14 have 124 excess wavefronts each. At line 11 four warps load from the
        # second element on, which makes 4 excess sectors.
        plan = self.file("launch.json", json.dumps({
            "buffers": {"a": "u32:129=iota", "b": "u32:128"},
            "launches": [{"grid": 2, "block": 64, "arguments": ["buffer:b", "buffer:a+1", "i32:1"]}]
        }))
        for options, verdict in (
                ("--max-shared-excess 123", "fails: 2 lines with more than 123 excess wavefronts"),
                ("--max-shared-excess 124", "passes; excess is not limited: 4 sectors on 1 line"),
                ("--max-global-excess 3", "fails: 1 line with more than 3 excess sectors"),
                ("--max-global-excess 4",
                 "passes; excess is not limited: 248 wavefronts on 2 lines"),
                ("--max-excess 4", "fails: 2 lines with more than 4 excess wavefronts"),
                ("--max-excess 123 --max-shared-excess 124", "passes"),
                ("--max-excess 124 --max-global-excess 3",
                 "fails: 1 line with more than 3 excess sectors"),
                ("", "passes; excess is not limited: 248 wavefronts on 2 lines, 4 sectors on 1 "
                     "line")):
            with self.subTest(options):
                result = run("kernel", self.tile(stride=128), "--launch", plan, *options.split())
                lines = result.stdout.decode().splitlines()
                self.assertEqual(result.returncode, FINDING if "fails" in verdict else CLEAN)
                self.assertIn(verdict, lines)
                hint = [line for line in lines if line.startswith("note: --max-excess N fails ")]
                self.assertEqual(len(hint), verdict.count("not limited"))

    def test_results_are_saved(self):
        out = os.path.join(self.folder, "out.npy")
        self.report(self.tile(), *CALL, "--save", "0=" + out)
        self.assertEqual(words(self.read(out), 128), [3 * k + 5 for k in range(128)])

    def test_contents_come_from_files(self):
        values = [(k * k) % 1000 for k in range(128)]
        data = struct.pack("<128I", *values)
        given = self.file("in.npy", npy(data, "(2, 64)", "<u4"))
        out = os.path.join(self.folder, "out.npy")
        self.report(self.tile(), *CALL[:5], "buffer:u32=" + given, "i32:0", "--save", "0=" + out,
                    "--save", "1=" + os.path.join(self.folder, "again.npy"))
        self.assertEqual(words(self.read(out), 128), [3 * value for value in values])
        self.assertIn(b"(2, 64)", self.read(os.path.join(self.folder, "again.npy")))

    def test_several_launches_share_buffers(self):
        out = os.path.join(self.folder, "b.npy")
        launch = {"kernel": "scale", "grid": [2], "block": 64}
        plan = self.file("launches.json", json.dumps({
            "buffers": {"a": "u32:128=iota", "b": "u32:128"},
            "launches": [{**launch, "arguments": ["buffer:b", "buffer:a", "i32:1"]},
                         {**launch, "arguments": ["buffer:a", "buffer:b", "i32:2"]},
                         {**launch, "grid": 1, "arguments": ["buffer:b+64", "buffer:a", "i32:0"]}],
            "save": {"b": out}}))
        report = self.report(self.tile(), "--launch", plan)
        self.assertEqual(report["launches"], 3)
        twice = [3 * (3 * k + 1) + 2 for k in range(128)]
        self.assertEqual(words(self.read(out), 128),
                         [3 * k + 1 for k in range(64)] + [3 * k for k in twice[:64]])

    def test_threads_change_nothing(self):
        arguments = (self.tile(stride=128), *CALL, "--format", "json")
        one = run("kernel", *arguments, "--threads", "1").stdout
        self.assertEqual(run("kernel", *arguments, "--threads", "4").stdout, one)

    def test_a_trace_has_launches_one_behind_the_other(self):
        trace = os.path.join(self.folder, "trace.json")
        launch = {"grid": 1, "block": 64, "arguments": ["buffer:b", "buffer:a", "i32:1"]}
        plan = self.file("launches.json", json.dumps({
            "buffers": {"a": "u32:64=iota", "b": "u32:64"}, "launches": [launch, launch]}))
        report = self.report(self.tile(), "--launch", plan, "--trace", trace)
        events = [event for event in json.loads(self.read(trace))["traceEvents"]
                  if event["ph"] == "X"]
        ends = [event["ts"] + event["dur"] for event in events]
        self.assertEqual(max(ends), report["time"])
        # two launches of two warps with four accesses, each an event of the memory and of the warp
        self.assertEqual(len(events), 2 * 2 * 4 * 2)
        tracks = {}
        for event in events:
            tracks.setdefault((event["pid"], event["tid"]), []).append(
                (event["ts"], event["ts"] + event["dur"]))
        for spans in tracks.values():
            spans.sort()
            for one, next_one in zip(spans, spans[1:]):
                self.assertLessEqual(one[1], next_one[0], "events of a track overlap")


class Faults(KernelFolder):
    def test_a_race_fails(self):
        file = self.file("race.ptx", RACE)
        arguments = ("--grid", "1", "--block", "64", "buffer:u32:1")
        report = self.report(file, *arguments, code=FINDING)
        kinds = {fault["kind"] for fault in report["faults"]}
        self.assertIn("race", kinds)
        for fault in report["faults"]:
            self.assertEqual(list(fault)[:4], ["kind", "file", "line", "message"])
            self.assertEqual((fault["file"], fault["line"]), ("race.cu", 4))
        self.report(file, *arguments, "--fail-on", "none")
        self.report(file, *arguments, "--fail-on", "deadlock,out_of_bounds")
        self.report(file, *arguments, "--fail-on", "race,deadlock", code=FINDING)

    def test_files_may_have_any_name(self):
        # Compilers write "tile ü.cu" like this.
        text = RACE.replace("race.cu", "tile \\303\\274.cu")
        report = self.report(self.file("r ü.ptx", text), "--grid", "1", "--block", "8,8",
                             "buffer:u32:1", code=FINDING)
        self.assertEqual({fault["file"] for fault in report["faults"]}, {"tile ü.cu"})
        (collision,) = [fault for fault in report["faults"]
                        if fault["kind"] == "colliding_writes"]
        self.assertEqual(collision["message"], "block 0, thread (1,0): store of a value that "
                         "differs from that of block 0, thread (0,0) at byte 0 of 'argument 0'; the "
                         "other is at tile ü.cu:4")

    def test_suppressions(self):
        file = self.file("race.ptx", RACE)
        arguments = ("--grid", "1", "--block", "64", "buffer:u32:1", "--suppress")
        listed = self.file("s.txt", "race race.cu 4\ncolliding_writes *.cu race\ntrap * *\n")
        report = self.report(file, *arguments, listed)
        self.assertTrue(all(fault["suppressed"] for fault in report["faults"]))
        self.assertEqual(report["notes"], [listed + ":3: suppresses nothing: trap * *"])
        bad = self.file("bad.txt", "rase * *\n")
        result = run("kernel", file, *arguments, bad)
        self.assertEqual(result.returncode, INPUT)
        self.assertIn("bad.txt:1: unknown kind 'rase'; did you mean 'race'?",
                      result.stderr.decode())

    def test_what_nobody_wrote(self):
        report = self.report(self.tile(), *CALL[:4], "buffer:u32:128", "buffer:u32:128", "i32:1",
                             code=FINDING)
        self.assertEqual({(fault["kind"], fault["line"]) for fault in report["faults"]},
                         {("uninitialized", 11)})

    def test_out_of_bounds_names_the_buffer(self):
        report = self.report(self.tile(), *CALL[:4], "buffer:u32:128", "buffer:u32:100=iota",
                             "i32:1", code=FINDING)
        (fault,) = report["faults"]
        self.assertEqual((fault["kind"], fault["line"]), ("out_of_bounds", 11))
        self.assertIn("argument 1", fault["message"])


class Sarif(KernelFolder):
    def sarif(self, *arguments, code=CLEAN):
        result = run("kernel", *arguments, "--format", "sarif")
        self.assertEqual(result.returncode, code, result.stderr)
        report = json.loads(result.stdout)
        jsonschema.Draft7Validator(SCHEMA).validate(report)
        (found,) = report["runs"]
        self.assertEqual(found["invocations"][0]["exitCode"], code)
        for one in found["results"]:
            self.assertEqual(found["tool"]["driver"]["rules"][one["ruleIndex"]]["id"],
                             one["ruleId"])
        return found["results"]

    def test_excess_is_one_result_a_line(self):
        results = self.sarif(self.tile(stride=128), *CALL)
        places = [(one["ruleId"], one["level"],
                   one["locations"][0]["physicalLocation"]["region"]["startLine"])
                  for one in results]
        self.assertEqual(sorted(places), [("bank-conflict", "warning", 12),
                                          ("bank-conflict", "warning", 14)])
        results = self.sarif(self.tile(stride=128), *CALL, "--max-excess", "0", code=FINDING)
        self.assertEqual({one["level"] for one in results}, {"error"})
        results = self.sarif(self.tile(stride=128), *CALL, "--max-global-excess", "0")
        self.assertEqual({one["level"] for one in results}, {"warning"})

    def test_files_have_normal_uris(self):
        # Compilers name the headers that they find in folders like this.
        for name, uri in (("./sub/../race <1>.cuh", "race%20%3C1%3E.cuh"),
                          ("/src/./a/../race.cu", "file:///src/race.cu")):
            file = self.file("race.ptx", RACE.replace("race.cu", name))
            results = self.sarif(file, "--grid", "1", "--block", "64", "buffer:u32:1",
                                 code=FINDING)
            self.assertEqual({one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
                              for one in results}, {uri})

    def test_faults_are_results(self):
        file = self.file("race.ptx", RACE)
        arguments = ("--grid", "1", "--block", "64", "buffer:u32:1")
        results = self.sarif(file, *arguments, code=FINDING)
        self.assertIn("race", {one["ruleId"] for one in results})
        listed = self.file("s.txt", "* race.cu *\n")
        for one in self.sarif(file, *arguments, "--suppress", listed):
            self.assertEqual(one["suppressions"][0]["kind"], "external")


class Page(html.parser.HTMLParser):
    """Checks that every element is closed, and the inner element before the outer; keeps tags and text."""

    VOID = {"meta"}

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.text = [], {}, ""
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        self.tags.setdefault(tag, []).append(dict(attrs))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        self.text += data


def chromium():
    """Returns a browser that starts without a window; None if this computer has none."""
    for name in ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome",
                 "chrome"):
        path = shutil.which(name)
        if path and subprocess.run([path, "--version"], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, check=False).returncode == 0:
            return path
    return None


BROWSER = chromium()


class Pages(KernelFolder):
    def page(self):
        source = self.file("tile.cu", "\n".join("line %d <&>" % k for k in range(1, 17)) + "\n")
        out = os.path.join(self.folder, "page.html")
        self.report(self.tile(stride=128, source=source), *CALL, "--html", out)
        return out

    def test_is_whole_and_shows_source_and_pictures(self):
        text = self.read(self.page()).decode()
        page = Page(text)
        self.assertNotIn("script", page.tags)
        self.assertNotRegex(text, r"https?:|src=|@import|url\(")
        for k in range(1, 17):
            self.assertIn("line %d <&>" % k, page.text)
        self.assertIn("128 / 4", page.text)
        self.assertGreaterEqual(len(page.tags["svg"]), 4)  # two in shared memory, two in global

    @needs(BROWSER, "Chromium")
    def test_looks_right_in_chromium(self):
        page = self.page()
        dump = subprocess.run(
            [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom",
             "file://" + page], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=120,
            check=True).stdout.decode()
        self.assertEqual(len(re.findall("<svg", dump)), len(re.findall("<svg", self.read(page)
                                                                       .decode())))
        picture = os.path.join(self.folder, "page.png")
        subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu",
                        "--window-size=1200,900", "--screenshot=" + picture, "file://" + page],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120,
                       check=True)
        self.assertGreater(len(self.read(picture)), 10000, "a page of one color packs to less")
