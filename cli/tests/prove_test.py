"""Runs `bankproof prove` as a program, for layouts: its verdicts, its reports, and its refusals.

Python's integers check every refutation once more.
"""

import json
import os
import unittest

from program import CLEAN, INPUT, USAGE, Folder, run

REFUTED = 1
SWIZZLE = "i ^ ((i & 31) << 5)"


def prove(*arguments, **options):
    return run("prove", *map(str, arguments), **options)


class Layouts(Folder):
    maxDiff = None

    def report(self, *arguments, code):
        result = prove(*arguments, "--format", "json")
        self.assertEqual(result.stderr.decode(), "")
        self.assertEqual(result.returncode, code, result.stdout.decode())
        report = json.loads(result.stdout)
        self.assertEqual(list(report)[:6],
                         ["verdict", "method", "property", "size", "width", "counterexample"])
        return report

    def proved(self, *arguments):
        report = self.report(*arguments, code=CLEAN)
        self.assertEqual((report["verdict"], report["property"], report["counterexample"]),
                         ("proved", None, None))
        for one in report["properties"]:
            self.assertEqual(one["verdict"], "proved")
            if one["method"] != "exhaustive":
                self.assertEqual(one["solvers"], ["z3", "cvc5"], one)
        return report

    def refuted(self, name, *arguments):
        report = self.report(*arguments, code=REFUTED)
        self.assertEqual((report["verdict"], report["property"]), ("refuted", name))
        return report["counterexample"]

    def conflict(self, name, *arguments, address, width=32):
        found = self.refuted(name, *arguments)
        a, b = found["threads"]
        self.assertNotEqual(a, b)
        self.assertEqual({a // width, b // width}, {found["warp"]})
        addresses = [address(i, **found["variables"]) for i in (a, b)]
        self.assertEqual(found["addresses"], addresses)
        self.assertNotEqual(*addresses)
        return found, addresses

    def test_proves_the_swizzle_of_a_transpose(self):
        report = self.proved("--size", 1024, "--width", 32, "--source", SWIZZLE, "--destination",
                             "((i & 31) << 5) | ((i >> 5) ^ (i & 31))", "--permutation",
                             "((i & 31) << 5) | (i >> 5)")
        self.assertEqual([one["property"] for one in report["properties"]],
                         ["undefined", "source-permutation", "destination-permutation",
                          "source-conflict-free", "destination-conflict-free", "composition"])
        self.assertEqual((report["method"], report["size"], report["width"]), ("words", 1024, 32))

    def test_proves_for_all_numbers_of_32_bits(self):
        self.proved("--size", 2 ** 32, "--source", SWIZZLE)
        self.proved("--size", 2 ** 32, "--source", "i * 33")

    def test_takes_names_for_expressions(self):
        self.proved("--size", 1024, "--let", "k=5", "--let", "mask=(1 << k) - 1", "--let",
                    "lane=i & mask", "--source", "i ^ (lane << k)")

    def test_proves_a_tile_for_all_rows_and_columns(self):
        self.proved("--address", "33 * i + column", "--for", "column=0..31")
        self.proved("--address", "33 * row + i", "--for", "row=0..31")
        self.proved("--address", "32 * i + (column ^ i)", "--for", "column=0..31")
        self.proved("--address", "i + offset", "--for", "offset=0..0xffffff00")

    def test_refutes_a_tile_without_padding(self):
        found, addresses = self.conflict("address-conflict-free", "--address", "32 * i + column",
                                         "--for", "column=3..31",
                                         address=lambda i, column: 32 * i + column)
        self.assertEqual(found["stages"], 32)
        self.assertEqual({a % 32 for a in addresses}, {found["bank"]})
        self.assertEqual(len(found["lanes"]), 32)

    def test_finds_what_fails_for_few_values(self):
        # A search over some of the threads would miss these counterexamples. The solvers find them, and
        # the machine agrees.
        found, _ = self.conflict("address-conflict-free", "--address", "i * (row == 77777 ? 2 : 1)",
                                 "--for", "row=0..1000000",
                                 address=lambda i, row: i * (2 if row == 77777 else 1))
        self.assertEqual(found["variables"], {"row": 77777})
        found = self.refuted("source-permutation", "--size", 2 ** 30, "--source",
                             "i == 987654321 ? 5 : i")
        self.assertEqual((sorted(found["threads"]), found["addresses"]), ([5, 987654321], [5, 5]))
        found = self.refuted("source-permutation", "--size", 10 ** 9, "--source",
                             "i == 123456789 ? 1000000000 : i")
        self.assertEqual((found["threads"], found["addresses"]), ([123456789], [10 ** 9]))

    def test_refutes_a_composition(self):
        found = self.refuted("composition", "--size", 64, "--width", 8, "--source", "i",
                             "--destination", "i ^ 9", "--permutation", "i ^ 8")
        self.assertEqual(found["source"] ^ 8, found["permutation"])
        self.assertEqual(found["source"] ^ 9, found["destination"])

    def test_refutes_what_is_undefined(self):
        for source, i, column, why in (
                ("100 / (i - 7) % 1", 7, 5, "division by 0"),
                ("i % (63 - i)", 63, 3, "remainder of a division by 0"),
                ("i == 9 ? 1 << (i + 23) : i", 9, 12, "a shift by 32 or more")):
            with self.subTest(source):
                found = self.refuted("undefined", "--size", 64, "--source", source)
                self.assertEqual((found["formula"], found["i"], found["column"], found["why"]),
                                 ("source", i, column, why))
        found = self.refuted("undefined", "--size", 64, "--let", "k=8/(5-i)", "--address", "i+k")
        self.assertEqual((found["formula"], found["let"], found["column"]), ("address", "k", 2))
        found = self.refuted("undefined", "--size", 64, "--source", "i", "--destination", "i",
                             "--permutation", "i / (i - 3)")
        self.assertEqual((found["formula"], found["i"]), ("permutation", 3))
        self.proved("--size", 64, "--address", "i == 7 || 100 / (i - 7) ? i : i")

    def test_uses_integers_where_words_are_hard(self):
        report = self.proved("--size", 10 ** 9, "--width", 31, "--address",
                             "i / 31 * 31 + (i % 31 + i / 31) % 31")
        self.assertEqual(report["method"], "integers")

    def test_knows_more_stages(self):
        stride = ["--address", "4 * i"]
        self.conflict("address-conflict-free", *stride, "--max-stages", 3,
                      address=lambda i: 4 * i)
        self.proved(*stride, "--max-stages", 4)

    def test_knows_other_machines(self):
        self.proved("--machine", "umm:w=16", "--size", 4096, "--source", "i ^ 16")
        found, addresses = self.conflict("address-conflict-free", "--machine", "umm", "--address",
                                         "i + 1", address=lambda i: i + 1)
        self.assertEqual(found["groups"], [a // 32 for a in addresses])
        self.proved("--machine", "umm", "--address", "i + k", "--for", "k=0..31", "--max-stages", 2)
        self.proved("--machine", "sm_90", "--word-bytes", 8, "--address", "i")
        self.proved("--machine", "sm_90", "--word-bytes", 16, "--address", "i ^ k", "--for", "k=0..31")
        self.refuted("address-conflict-free", "--machine", "sm_90", "--word-bytes", 16, "--address",
                     "8 * i")
        self.proved("--machine", "kepler-64bit", "--address", "i + k", "--for", "k=0..99")
        self.proved("--machine", "kepler-32bit", "--address", "i / 2 + i % 2 * 32")
        self.proved("--word-bytes", 1, "--address", "4 * i + k", "--for", "k=0..3")
        self.proved("--machine", "sm_90", "--memory", "global", "--address", "i")

    def test_the_last_warp_may_be_partial(self):
        # With threads 0 to 33, the second warp has only i = 32 and 33.
        self.proved("--size", 34, "--address", "i < 32 ? i : 31 * i")
        self.refuted("address-conflict-free", "--size", 34, "--address", "i < 32 ? i : 32 * i")

    def test_draws_the_warp(self):
        result = prove("--width", 4, "--address", "4 * i + row", "--for", "row=1..3")
        self.assertEqual(result.returncode, REFUTED)
        text = result.stdout.decode()
        text = "\n".join(line for line in text.splitlines() if "0." not in line)
        self.assertEqual(text, """\
4 threads in 1 warp of 4, on dmm
  address      4 * i + row
  for row      1..3

  property                   verdict   method      solvers   seconds

Refuted: address-conflict-free.
Warp 0, with row = 1, takes 4 stages where 1 is allowed: bank 1 is asked for 4 different words.
Thread 0 touches 1, thread 1 touches 5, both in bank 1.
Numbers are the threads' stages.

        bank
  i  address  0 1 2 3
  0        1  · 1 · ·
  1        5  · 2 · ·
  2        9  · 3 · ·
  3       13  · 4 · ·""")

    def test_text_names_what_fails(self):
        for arguments, line in (
                (["--size", 8, "--source", "i / 2"], "The source of threads 0 and 1 is 0."),
                (["--size", 8, "--source", "i + 1"],
                 "The source of thread 7 is 8, which is not below the size 8."),
                (["--size", 8, "--source", "i", "--destination", "i", "--permutation", "i ^ 1"],
                 "Thread 0: source(0) = 0, permutation(0) = 1, destination(0) = 0."),
                (["--size", 8, "--source", "8 / i"],
                 "The source has no value for i = 0 because of division by 0, column 3.\n"
                 "  8 / i\n    ^")):
            with self.subTest(arguments):
                result = prove(*arguments)
                self.assertEqual(result.returncode, REFUTED)
                self.assertIn("\n" + line + "\n", result.stdout.decode())

    def test_wide_elements_are_explained_by_groups_of_lanes(self):
        wide = ["--machine", "sm_90", "--word-bytes", 16]
        for arguments, code, lines in (
                (["--address", 7, "--max-stages", 1], REFUTED,
                 "Warp 0 takes 2 wavefronts where 1 is allowed: the warp is served as 2 groups of 16 "
                 "lanes, one after the other, and one group asks bank 28 for 1 word.\n"
                 "Thread 0 touches 7, thread 16 touches 7, in groups of lanes that are served one "
                 "after the other.\n"),
                (["--address", "8*(i%4)", "--size", 36], REFUTED,
                 "Warp 0 takes 16 wavefronts where 4 are allowed: the warp is served as 4 groups of 8 "
                 "lanes, one after the other, and one group asks bank 0 for 4 different words.\n"
                 "Thread 0 touches 0, thread 1 touches 8, both in bank 0.\n"),
                (["--address", "8*(i%4)", "--size", 8], CLEAN,
                 "Note: conflict-free means at most 4 wavefronts, the best case of a full warp with "
                 "distinct 16-byte elements; --max-stages sets another limit.\n")):
            with self.subTest(arguments):
                result = prove(*arguments, *wide)
                self.assertEqual(result.returncode, code, result.stderr)
                self.assertIn(lines, result.stdout.decode())
        found = self.refuted("address-conflict-free", "--address", 7, "--max-stages", 1, *wide)
        self.assertEqual((found["threads"], found["addresses"], found["bank"]), ([0, 16], [7, 7], 28))
        found = self.refuted("address-conflict-free", "--address", 7, "--max-stages", 1,
                             "--word-bytes", 16)
        self.assertEqual((found["threads"], found["addresses"], found["bank"]), ([0], [7], 28))
        found = self.refuted("address-conflict-free", "--address", 7, "--max-stages", 1,
                             "--word-bytes", 16, "--machine", "umm")
        self.assertEqual((found["threads"], found["groups"]), ([0], [0]))

    def test_says_what_addresses_below_0_are(self):
        result = prove("--address", "i - 5")
        self.assertEqual(result.returncode, CLEAN)
        self.assertIn("\nNote: addresses reach 4294967295; a result below 0 wraps around, to 2^32 "
                      "plus that result.\n", result.stdout.decode())
        self.assertNotIn("Note", prove("--address", "i < 5 ? 0 : i - 5").stdout.decode())

    def test_bounds_may_use_names_of_constants(self):
        report = self.proved("--let", "w=32", "--let", "last=w - 1", "--address", "33 * i + column",
                             "--for", "column=0..last")
        self.assertEqual(report["size"], 32)
        self.conflict("address-conflict-free", "--let", "w=32", "--address", "w * i + column",
                      "--for", "column=w/2..w-1", address=lambda i, column: 32 * i + column)

    def test_what_is_not_used_is_noted(self):
        result = prove("--address", "i", "--let", "k=5", "--for", "column=0..3")
        self.assertEqual(result.returncode, CLEAN)
        self.assertEqual(result.stderr.decode(), "bankproof: note: --let k is not used\n"
                                                 "bankproof: note: --for column is not used\n")

    def test_a_picture_counts_what_it_leaves_out(self):
        text = prove("--width", 64, "--address", "64 * i").stdout.decode()
        self.assertIn("\n  … and 24 more threads in these banks\n", text)
        self.assertNotIn("other banks", text)

    def test_text_says_what_is_proved(self):
        result = prove("--size", 64, "--source", "i", "--destination", "i ^ 1", "--permutation",
                       "i ^ 1")
        self.assertEqual(result.returncode, CLEAN)
        self.assertTrue(result.stdout.decode().endswith(
            "\nProved for all 64 threads: permutations of 0 … 63, permutation(source) is "
            "destination, no warp takes more than 1 stage.\n"), result.stdout.decode())

    def test_what_nobody_decides_is_unknown(self):
        # A permutation as in hash functions; there are too many threads to evaluate them all.
        mixed = "i ^ i >> 16"
        hashed = "((%s) * 2246822519u) ^ (((%s) * 2246822519u) >> 13)" % (mixed, mixed)
        result = prove("--size", 2 ** 32, "--source", "(%s) * 3266489917u" % hashed, "--max-stages", 32,
                       "--format", "json")
        report = json.loads(result.stdout)
        self.assertEqual(result.returncode, INPUT)
        self.assertEqual((report["verdict"], report["property"], report["method"]),
                         ("unknown", "source-permutation", None))
        why = report["properties"][1]["why"]
        self.assertRegex(why, r"^words: Z3 gives up \(.*\); integers: \^ has no form; "
                              r"exhaustive: more than 67108864 threads × values$")

    def test_writes_to_a_file(self):
        path = os.path.join(self.folder, "report.json")
        result = prove("--size", 64, "--source", "i", "--format", "json", "-o", path)
        self.assertEqual((result.returncode, result.stdout), (CLEAN, b""))
        self.assertEqual(json.loads(self.read(path))["verdict"], "proved")


class Refusals(Folder):
    def test_formulas_are_refused_at_the_column(self):
        for text, column, why, line in (
                ("i ^ ((i & ) << 5)", 11, "expected a number, a name or '(', not ')'", None),
                ("i +", 4, "expected a number, a name or '(', not the end", None),
                ("lane * 33", 1, "unknown name 'lane'; the thread is i: --let lane=i", None),
                ("pitch * i", 1, "unknown name 'pitch'; there is i; --let and --for give others", None),
                ("i\x1b[31m", 2, "'\\x1b' is no part of an expression", "i?[31m"),
                ("4294967296", 1, "'4294967296' does not fit 32 bits, which every value has", None),
                ("i * 2654435761", 5, "in C this number has 64 bits: write 2654435761u", None),
                ("i * 5UL", 5, "'5UL' is a long number in C, and every value here has 32 bits: "
                               "write 5u", None)):
            with self.subTest(text):
                self.expect_failure(
                    prove("--size", 64, "--source", text), USAGE,
                    "--source, column %d: %s\n  %s\n  %s^"
                    % (column, why, line or text, " " * (column - 1)))

    def test_each_option_names_itself(self):
        for option in ("--source", "--destination", "--permutation"):
            arguments = {"--source": "i", "--destination": "i", option: "i i"}
            given = [word for pair in arguments.items() for word in pair]
            self.expect_failure(prove("--size", 8, *given), USAGE,
                                option + ", column 3: expected an operator or the end, not 'i'"
                                "\n  i i\n    ^")
        self.expect_failure(prove("--address", "i", "--let", "k=5 5"), USAGE,
                            "--let k, column 3: expected an operator or the end, not '5'"
                            "\n  5 5\n    ^")
        self.expect_failure(prove("--address", "i", "--for", "k=0..n"), USAGE,
                            "--for k, column 1: unknown name 'n'; there are no names here\n  n\n  ^")
        self.expect_failure(prove("--address", "i", "--for", "k=0..1/0"), USAGE,
                            "--for k, column 2: has no value\n  1/0\n   ^")

    def test_hostile_formulas_end_in_an_error(self):
        most = 120_000  # an argument's length has a limit
        for text in ("(" * most, "1+" * (most // 2) + "1", "~" * most, "1?" * (most // 2), "i" * most,
                     "9" * most, "\xff" * 1000):
            with self.subTest(text[:4]):
                result = prove("--size", 8, "--source=" + text)
                self.assertEqual(result.returncode, USAGE, result.stderr[:300])
                self.assertTrue(result.stderr.startswith(b"bankproof: --source, column "))
                self.assertLess(len(result.stderr), 600)

    def test_options_that_make_no_sense(self):
        swizzle = ["--size", "64", "--source", "i"]
        for arguments, line in (
                (["--size", "64"],
                 "there is nothing to prove: --source, --destination or --address is missing"),
                (["--source", "i"], "--size, the number of threads, is missing"),
                (["--source", "i", "--size", "0"], "--size '0': expected a number of at least 1"),
                (["--source", "i", "--size", "4294967297"],
                 "--size 4294967297: at most 2^32 = 4294967296, as i has 32 bits"),
                (swizzle + ["--address", "i"],
                 "--address describes a complete access; do not combine it with --source or "
                 "--destination"),
                (swizzle + ["--for", "k=0..1"], "--for is for the variables of --address"),
                (swizzle + ["--permutation", "i"],
                 "--permutation P asks whether P(source) is destination: both have to be given"),
                (swizzle + ["--let", "k"], "--let 'k': expected NAME=EXPRESSION"),
                (swizzle + ["--let", "2=3"],
                 "--let '2=3': '2' is not a name; names have letters, digits and _"),
                (swizzle + ["--let", "i=3"], "--let 'i=3': i is the thread; take another name"),
                (swizzle + ["--let", "k=3", "--let", "k=4"], "--let 'k=4': the name is taken already"),
                (["--address", "i", "--for", "k=3"], "--for 'k=3': expected k=FIRST..LAST"),
                (["--address", "i", "--for", "k=..5"],
                 "--for 'k=..5': expected k=FIRST..LAST; FIRST is missing"),
                (["--address", "i", "--for", "k=0..3", "j=0..3"],
                 "a layout and 'j=0..3': prove takes a layout or ids of theorems, not both; give --for "
                 "or --let again before each name"),
                (["nonsense"], "no theorem is called 'nonsense'; 'bankproof prove --list' lists all"),
                (["--address", "i", "--for", "k=3..2"],
                 "--for 'k=3..2': the range is empty, 3 is above 2"),
                (swizzle + ["--format", "junit"],
                 "--format junit is for theorems and kernels; layouts have text and json"),
                (swizzle + ["A12"],
                 "a layout and 'A12': prove takes a layout or ids of theorems, not both"),
                (swizzle + ["--export", "x"], "--export is for theorems, not for layouts"),
                (swizzle + ["--coq", "x"], "--coq is for theorems, not for layouts"),
                (["--coq", "x", "--list"], "--coq writes times and theorems, without --list and --export"),
                (["--coq", "x", "--format", "json"], "--coq has text, not json"),
                (swizzle + ["--machine", "dmm:p=4"],
                 "--machine dmm:p=4: prove runs one thread per element and counts stages, so it "
                 "accepts only the key w (and l, which does not change the result)"),
                (swizzle + ["--machine", "hmm"], None)):
            with self.subTest(arguments):
                result = prove(*arguments)
                if line is None:
                    self.assertEqual(result.returncode, USAGE)
                    self.assertIn(b"prove", result.stderr)
                else:
                    self.expect_failure(result, USAGE, line)


if __name__ == "__main__":
    unittest.main()
