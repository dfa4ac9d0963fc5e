"""Runs `bankproof run` as a program: reports, results, and wrong command lines."""

import json
import os
import re
import struct
import unittest

from program import CLEAN, INPUT, USAGE, Folder, run

FINDING = 1


def npy(values, shape, kind="<i8"):
    """Returns the bytes of an .npy file."""
    header = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (kind, shape)
    header += " " * (64 - (10 + len(header) + 1) % 64) + "\n"
    letter = {"<i2": "h", "<i4": "i", "<i8": "q"}[kind]
    return (b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
            + struct.pack("<%d%s" % (len(values), letter), *values))


def listed_algorithms():
    """Returns the algorithms that `run --help` lists."""
    text = run("run", "--help").stdout.decode()
    return re.findall(r"^  ([a-z][a-z-]*)  ", text, re.M)


def joined(names):
    """Joins names as messages do."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


ALGORITHMS = listed_algorithms()
# Names that users depend on.
FIXED = {"sum", "prefix-sums", "convolution", "image-convolution", "tiled-convolution",
         "matrix-product", "transpose", "permutation", "summed-area-table"}


def report(*arguments):
    result = run("run", *arguments, "--format", "json")
    assert result.returncode == CLEAN, result.stderr
    return json.loads(result.stdout)


def variants_of(algorithm):
    """Returns the variants in --help: (variant, machines)."""
    text = run("run", algorithm, "--help").stdout.decode()
    block = text[text.index("Variants:"):text.index("Sizes:")]
    return [(name, machines.split(", ")) for name, machines in
            re.findall(r"^  (\S+) .*; on (.*)$", block, re.M)]


class Reports(Folder):
    def test_every_variant_on_every_machine_and_in_both_modes(self):
        for algorithm in ALGORITHMS:
            for variant, machines in variants_of(algorithm):
                for machine in machines:
                    letters = {"pram": "p=40", "dmm": "w=4,l=3,p=12", "umm": "w=4,l=3,p=12"}.get(
                        machine, "w=4,l=2,L=9,d=3,p=8")
                    for mode in ("lockstep", "overlapped"):
                        with self.subTest(algorithm, variant=variant, machine=machine, mode=mode):
                            sizes = {"MUL-HMM": ("--size", "m=4")}.get(variant, ())
                            if algorithm == "tiled-convolution":
                                sizes = ("--size", "t=8")
                            found = report(algorithm, "--variant", variant, "--machine",
                                           machine + ":" + letters, "--mode", mode, *sizes)
                            self.assertEqual(list(found), [
                                "algorithm", "variant", "machine", "mode", "time", "closed_form",
                                "lower_bound", "upper_bound", "memories", "sizes"]
                                + (["global_cost"] if "hmm" in machine else []))
                            self.assertLessEqual(found["lower_bound"], found["time"])
                            if found["closed_form"] is not None:
                                self.assertEqual(found["closed_form"], found["time"])
                            else:
                                self.assertEqual(found["mode"], "overlapped")
                            for memory in found["memories"]:
                                self.assertEqual(memory["stages"],
                                                 memory["ideal"] + memory["excess"])

    def test_text(self):
        text = run("run", "sum", "--variant", "pairwise", "--size", "n=16", "--machine",
                   "dmm:w=4,l=5,p=8", "--mode", "lockstep").stdout.decode()
        # Levels of 8, 4, 2 and 1 numbers: three accesses each, which take 2 + 4, 1 + 4, … time units.
        self.assertIn("\n63 time units\n", text)
        self.assertIn("the result is the oracle's\n", text)

    def test_sizes_are_those_of_the_variant(self):
        arguments = ("summed-area-table", "--size", "rows=9,columns=7", "--variant")
        self.assertEqual(report(*arguments, "1R1W")["sizes"], {"rows": 9, "columns": 7})
        self.assertEqual(report(*arguments, "hybrid", "--size", "t=2")["sizes"],
                         {"rows": 9, "columns": 7, "t": 2})

    def test_the_bound_of_the_cost_is_beside_it(self):
        arguments = ("summed-area-table", "--variant", "2R2W", "--machine", "hmm:w=4,L=11,p=8",
                     "--size")
        # √n = 8: the passes do not write the first row or column; a stage serves 4 words, or one.
        cost = report(*arguments, "rows=8,columns=8")["global_cost"]
        self.assertEqual(cost, {"value": 120 // 4 + 120 + 2 * 10, "bound": 128 + 32 + 2 * 10})
        text = run("run", *arguments, "rows=8,columns=8").stdout.decode()
        self.assertIn("           170  C/w + S + (B+1)(L-1), its global memory access cost\n"
                      "    at most         180.00  the source's bound of this cost: "
                      "2n + 2n/w + 2(L-1), of which 2n is most\n", text)
        self.assertEqual(report(*arguments, "rows=8,columns=7")["global_cost"]["bound"], None)

    def test_the_variant_is_named_where_none_is_given(self):
        text = run("run", "sum", "--machine", "hmm:w=4,p=8").stdout.decode()
        line = "\nno --variant: one-dmm is the first that the machine runs\n"
        self.assertIn(line, text)
        text = run("run", "sum", "--machine", "hmm:w=4,p=8", "--variant", "one-dmm").stdout.decode()
        self.assertNotIn("--variant", text)

    def test_the_part_of_the_hybrid_in_two_passes(self):
        arguments = ("summed-area-table", "--variant", "hybrid", "--size", "rows=64,columns=64",
                     "--machine", "hmm:w=4,d=2,p=8")
        # √0.25 of 16 tiles per side
        self.assertEqual(report(*arguments, "--r", "0.25")["time"],
                         report(*arguments, "--size", "t=8")["time"])
        for r, t, taken in (("0.25", 8, "0.25"), ("0.3", 9, "0.3164"), ("1", 15, "0.8789")):
            self.assertIn("\n--r %s gives t=%d, the possible value nearest to √r·16 tiles, so r is %s\n"
                          % (r, t, taken), run("run", *arguments, "--r", r).stdout.decode())
        for r, line in (("2", "--r '2': expected a number from 0 to 1"),
                        ("x", "--r 'x': expected a number from 0 to 1")):
            self.expect_failure(run("run", *arguments, "--r", r), USAGE, line)
        self.expect_failure(run("run", "summed-area-table", "--variant", "1R1W", "--r", "0.5"),
                            USAGE, "--r is of the variant hybrid")

    def test_a_report_in_a_file(self):
        path = os.path.join(self.folder, "report.json")
        result = run("run", "sum", "--format", "json", "-o", path)
        self.assertEqual((result.returncode, result.stdout), (CLEAN, b""))
        self.assertEqual(json.loads(self.read(path))["algorithm"], "sum")


class Permutations(Folder):
    """`run permutation` takes what `check` takes."""

    def values(self, *arguments, **options):
        a = self.file("a.npy", npy([10, 20, 30, 40], "(4,)"))
        b = os.path.join(self.folder, "b.npy")
        result = run("run", "permutation", *arguments, "--input", a, "--output", b, **options)
        self.assertEqual(result.returncode, CLEAN, result.stderr)
        return list(struct.unpack("<4q", self.read(b)[-32:]))

    def test_by_name_from_a_file_and_from_standard_input(self):
        for variant, machine in (("D-designated", "umm"), ("S-designated", "hmm"),
                                 ("conflict-free", "dmm"), ("scheduled", "hmm")):
            options = ("--variant", variant, "--machine", machine + ":w=2,p=4", "--permutation")
            with self.subTest(variant):
                self.assertEqual(self.values(*options, "transpose:2x2"), [10, 30, 20, 40])
                file = self.file("p.txt", "3 0 1 2")
                self.assertEqual(self.values(*options, file), [20, 30, 40, 10])
                self.assertEqual(self.values(*options, "-", input=b"1 0 3 2"), [20, 10, 40, 30])

    def test_stages_are_those_of_check(self):
        for access, variant in (("destination", "D-designated"), ("source", "S-designated")):
            checked = json.loads(run("check", "bit-reversal:1024", "--machine", "dmm:w=32",
                                     "--access", access, "--format", "json",
                                     "--max-stages", "32").stdout)
            found = report("permutation", "--permutation", "bit-reversal:1024", "--variant", variant,
                           "--machine", "dmm:w=32,p=64")
            self.assertEqual(found["memories"][0]["stages"],
                             2 * 1024 // 32 + checked[access]["stages"])

    def test_what_is_wrong(self):
        for arguments, message in (
                (("--permutation", "nonsense:4"), "unknown permutation"),
                (("--permutation", "identity:4", "--size", "n=5"), "the permutation has 4 elements"),
                (("--machine", "dmm:w=4,p=6"), "p=6 is not a multiple of w=4"),
                (("--variant", "scheduled", "--machine", "hmm:w=4,p=8,capacity=16"),
                 "a shared memory has 16")):
            with self.subTest(arguments):
                result = run("run", "permutation", *arguments)
                self.assertEqual(result.returncode, USAGE)
                self.assertIn(message, result.stderr.decode())
        result = run("run", "permutation", "--permutation", self.file("p.txt", "0 0"))
        self.assertEqual(result.returncode, INPUT)
        result = run("run", "sum", "--permutation", "identity:4")
        self.assertEqual(result.returncode, USAGE)


class Traces(Folder):
    def events_of(self, *arguments):
        path = os.path.join(self.folder, "trace.json")
        result = run("run", *arguments, "--trace", path)
        self.assertEqual(result.returncode, CLEAN, result.stderr)
        return json.loads(self.read(path))["traceEvents"], result.stdout.decode()

    def test_events_of_a_track_do_not_overlap(self):
        for arguments in (("prefix-sums", "--size", "n=50", "--machine", "dmm:w=4,l=3,p=10"),
                          ("prefix-sums", "--size", "n=50", "--machine", "umm:w=4,l=3,p=10"),
                          ("sum", "--size", "n=50", "--machine", "pram:p=70"),
                          ("tiled-convolution", "--size", "columns=40,t=8", "--machine",
                           "hmm:w=4,l=2,L=9,d=3,p=16"),
                          ("summed-area-table", "--size", "rows=9,columns=7", "--variant", "1R1W",
                           "--machine", "async-hmm:w=4,l=2,L=9,d=3,p=8")):
            for mode in ("lockstep", "overlapped"):
                with self.subTest(arguments, mode=mode):
                    events, _ = self.events_of(*arguments, "--mode", mode)
                    last = {}
                    for event in sorted((e for e in events if e["ph"] == "X"),
                                        key=lambda e: e["ts"]):
                        track = (event["pid"], event["tid"])
                        self.assertGreaterEqual(event["ts"], last.get(track, 0))
                        last[track] = event["ts"] + event["dur"]
                    named = {(e["pid"], e["tid"]) for e in events if e["name"] == "thread_name"}
                    self.assertEqual(set(last), named)
                    # Perfetto gives process 0 and thread 0 names of its own.
                    self.assertGreater(min(min(track) for track in named), 0)

    def test_stages_are_events_of_the_memory(self):
        events, text = self.events_of("prefix-sums", "--variant", "optimal", "--size", "n=16",
                                      "--machine", "umm:w=4,l=3,p=8")
        names = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
        stages = [e for e in events if e["ph"] == "X" and names[e["pid"]] == "memory"]
        self.assertIn(" %d " % len(stages), text.split("\n")[4])

    def test_too_many_events(self):
        result = run("run", "sum", "--size", "n=9000000", "--variant", "pairwise", "--trace",
                     os.path.join(self.folder, "trace.json"))
        self.expect_failure(result, USAGE,
                            "--trace: more than 2000000 events; choose smaller sizes")


class Documentation(unittest.TestCase):
    def test_no_fixed_name_is_missing(self):
        self.assertLessEqual(FIXED, set(ALGORITHMS))

    def test_the_table_has_all_variants(self):
        with open(os.path.join(os.environ["BANKPROOF_SOURCE"], "docs/algorithms.md"),
                  encoding="utf-8") as page:
            rows = re.findall(r"^\| `(\S+)` \| `(\S+)` \| .* \| (.*) \| .* \|$", page.read(), re.M)
        listed = [(algorithm, variant, ", ".join(machines)) for algorithm in ALGORITHMS
                  for variant, machines in variants_of(algorithm)]
        self.assertEqual(rows, listed)


class Values(Folder):
    def result_of(self, *arguments):
        path = os.path.join(self.folder, "result.npy")
        result = run("run", *arguments, "--output", path)
        self.assertEqual(result.returncode, CLEAN, result.stderr)
        data = self.read(path)
        return struct.unpack("<%dq" % ((len(data) - 128) // 8), data[128:])

    def test_of_files(self):
        a = self.file("a.npy", npy([1, 2, -3, 4, 5, 6], (2, 3), "<i4"))
        self.assertEqual(self.result_of("summed-area-table", "--size", "rows=2,columns=3",
                                        "--input", a), (1, 3, 0, 5, 12, 15))
        x = self.file("x.npy", npy([1, 2], (2,)))
        y = self.file("y.npy", npy([3, 4, 5], (3,), "<i2"))
        self.assertEqual(self.result_of("convolution", "--size", "n=2", "--size", "m=2",
                                        "--input", x, "--input", y), (11, 14))
        self.assertEqual(self.result_of("prefix-sums", "--size", "n=3", "--input", y), (3, 7, 12))

    def dimensions_of(self, *arguments):
        path = os.path.join(self.folder, "result.npy")
        result = run("run", *arguments, "--output", path)
        self.assertEqual(result.returncode, CLEAN, result.stderr)
        return re.search(rb"'shape': \((.*?),?\), }", self.read(path)[:128]).group(1).decode()

    def test_have_the_dimensions_of_the_result(self):
        image = ("--size", "rows=1,columns=3,v=0")
        tiled = ("tiled-convolution", "--size", "columns=3,v=0,t=4", "--variant")
        for wanted, *arguments in (
                ("1", "sum"), ("3", "prefix-sums", "--size", "n=3"),
                ("1", "prefix-sums", "--size", "n=1"),
                ("3", "convolution", "--size", "n=3"),
                ("2", "permutation", "--permutation", "identity:2"),
                ("1, 3", "summed-area-table", "--size", "rows=1,columns=3"),
                ("3, 1", "summed-area-table", "--size", "rows=3,columns=1"),
                ("1, 1", "summed-area-table", "--size", "rows=1,columns=1"),
                ("3, 1", "transpose", "--size", "rows=1,columns=3"),
                ("1, 3", "transpose", "--size", "rows=3,columns=1"),
                ("1, 3", "matrix-product", "--size", "rows=1,columns=3,inner=2"),
                ("1, 3", "image-convolution", *image),
                ("3", *tiled, "1d-tiled"), ("1, 3", *tiled, "2d-tiled", "--size", "rows=1"),
                ("1, 3, 2", *tiled, "2d-tiled", "--size", "rows=1,channels=2")):
            with self.subTest(arguments):
                self.assertEqual(self.dimensions_of(*arguments), wanted)

    def test_of_one_row_are_taken_as_a_vector_and_as_a_matrix(self):
        for shape in ((3,), (1, 3), (1, 3, 1)):
            a = self.file("a.npy", npy([1, 2, 3], shape))
            for algorithm in ("prefix-sums", "summed-area-table"):
                with self.subTest(algorithm, shape=shape):
                    self.assertEqual(self.result_of(algorithm, "--input", a), (1, 3, 6))

    def test_of_three_dimensions_have_channels(self):
        a = self.file("a.npy", npy([1, 10, 2, 20, 3, 30, 4, 40], (2, 2, 2)))
        table = (1, 10, 3, 30, 4, 40, 10, 100)
        self.assertEqual(self.result_of("summed-area-table", "--input", a), table)
        self.assertEqual(self.dimensions_of("summed-area-table", "--input", a), "2, 2, 2")
        # `run` can read the file that it wrote; in a matrix, channels are columns.
        one = ("tiled-convolution", "--variant", "2d-basic", "--size", "t=4", "--input")
        self.assertEqual(self.dimensions_of(*one, a, "--input", "values:1"), "2, 2, 2")
        flat = self.file("flat.npy", npy([1, 10, 2, 20, 3, 30, 4, 40], (2, 4)))
        self.assertEqual(self.dimensions_of(*one, flat, "--input", "values:1", "--size",
                                            "channels=2,columns=2"), "2, 2, 2")
        self.assertEqual(self.dimensions_of(*one, flat, "--input", "values:1", "--size",
                                            "channels=2"), "2, 2, 2")
        self.assertEqual(self.dimensions_of(*one, flat, "--input", "values:1"), "2, 4")

    def test_of_another_shape(self):
        a = self.file("a.npy", npy([1, 2, 3, 4, 5, 6], (2, 3)))
        result = run("run", "summed-area-table", "--size", "rows=3,columns=2", "--input", a)
        self.expect_failure(result, INPUT, a + ": has 2 x 3 elements, and a has 3 x 2; --size says "
                            "how many")

    def test_of_a_seed(self):
        self.assertEqual(self.result_of("sum", "--input", "random:5"),
                         self.result_of("sum", "--input", "random:5", "--variant", "recursive"))
        self.assertNotEqual(self.result_of("sum", "--input", "random:5"),
                            self.result_of("sum", "--input", "random:6"))


class CommandLines(Folder):
    def test_what_is_wrong(self):
        there_are = "there are " + joined(ALGORITHMS)
        for arguments, line in (
                ((), "the algorithm is missing; " + there_are),
                (("sums",), "unknown algorithm 'sums'; did you mean 'sum'? T" + there_are[1:]),
                (("sum", "extra"), "unexpected 'extra'"),
                (("sum", "--fomat", "json"), "unknown option --fomat; did you mean --format?"),
                (("sum", "--size", "n=0"), "--size 'n=0': n is a number from 1 to 4294967296"),
                (("sum", "--variant", "x"), "sum has no variant 'x'; there are pairwise, columns, "
                 "one-dmm, all-dmms and recursive"),
                (("sum", "--variant", "pairwize"), "sum has no variant 'pairwize'; did you mean "
                 "'pairwise'? There are pairwise, columns, one-dmm, all-dmms and recursive"),
                (("sum", "--variant", "pairwise", "--machine", "hmm"),
                 "sum pairwise does not run on hmm, but on dmm, umm"),
                (("sum", "--machine", "dmm:w=100"),
                 "--machine: w=100 is too large: machines run up to w=64"),
                (("sum", "--machine", "hmm:d=5000"), "--machine: d=5000 is more than 1024"),
                (("prefix-sums", "--machine", "hmm"), "no variant of prefix-sums runs on hmm; run "
                 "prefix-sums --help tells which runs where"),
                (("matrix-product", "--machine", "hmm:capacity=100"), "matrix-product MUL-HMM: three "
                 "tiles of m=32 take 3072 words, and a shared memory has 100: choose a smaller m"),
                (("sum", "--input", "random:x"),
                 "--input 'random:x': expected a number after random:"),
                (("convolution", "--input", "values:1", "--input", "random:1"),
                 "--input: give random:SEED, or a file or values:… for each of x, y"),
                (("matrix-product", "--input", "a.npy"),
                 "--input: give random:SEED, or a file or values:… for each of a, b")):
            with self.subTest(line):
                self.expect_failure(run("run", *arguments), USAGE, line)


if __name__ == "__main__":
    unittest.main()
