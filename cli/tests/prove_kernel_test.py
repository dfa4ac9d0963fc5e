"""Runs `bankproof prove --kernel`: what is proved of the examples, that planted bugs are refuted by launches
that the machine has replayed, and how bad input is refused.

The kernels are compiled by clang, which is always there.
"""

import json
import os
import re
import shutil
import unittest

from kernel_support import CALL, TILE
from program import CLEAN, INPUT, USAGE, Folder, run

REFUTED = 1
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
SQUARE = ("--where", "n == 32 * gridDim.x", "--where", "gridDim.y == gridDim.x", "--where", "n <= 32768",
          "--buffer", "in=n*n", "--buffer", "out=n*n", "--block", "32,8")
STRIDED = ("--where", "n >= 0", "--where", "blockDim.x % 32 == 0")
ALL = ("race", "blocks", "barriers", "bounds", "banks", "coalesced", "overflow", "initialized")

MATRIX = """
struct Matrix { float* data; int rows, columns; long long pitch; int offsets[2]; };
__global__ void fill(Matrix a, float value) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y;
  if (column < a.columns && row < a.rows) a.data[row * a.pitch + column + a.offsets[1]] = value;
}
"""
PITCHED = ("--where", "a.pitch >= a.columns", "--where", "a.pitch <= 1 << 20", "--where", "a.offsets[1] == 3",
           "--buffer", "a.data=a.rows * a.pitch + 3")


def example(name):
    with open(os.path.join(ROOT, "examples", "kernels", name), encoding="utf-8") as file:
        return file.read()


def prove(*arguments, **options):
    return run("prove", "--kernel", *map(str, arguments), **options)


class Kernels(Folder):
    maxDiff = None

    def source(self, text, old=None, new=None):
        """Writes a kernel, perhaps with a planted bug, and returns its path."""
        if old is not None:
            self.assertIn(old, text)
            text = text.replace(old, new)
        path = os.path.join(self.folder, "kernel.cu")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def verdicts(self, code, *arguments):
        """The verdict of each claim, and the whole report."""
        result = prove(*arguments, "--compiler", "clang", "--format", "json")
        self.assertEqual(result.stderr.decode(), "")
        self.assertEqual(result.returncode, code, result.stdout.decode())
        report = json.loads(result.stdout)
        self.assertEqual(list(report), ["kernel", "claims", "reached", "unreachable", "maybe_unreachable",
                                        "assumptions", "seconds"])
        return {one["claim"]: one["verdict"] for one in report["claims"]}, report

    def assert_refuted(self, claim, *arguments):
        """The claim is refuted by a launch of which the machine has shown the fault. Returns it."""
        verdicts, report = self.verdicts(REFUTED, *arguments)
        self.assertEqual(verdicts[claim], "refuted")
        findings = [finding for one in report["claims"] if one["claim"] == claim
                    for finding in one["findings"] if finding["verdict"] == "refuted"]
        self.assertTrue(findings)
        for finding in findings:
            self.assertTrue(finding["example"]["replayed"])
            fault = finding["example"]["fault"]
            self.assertTrue(fault)
            blocks = re.findall(r"block ([^ ]+), thread", fault)
            if claim in ("race", "blocks") and len(blocks) == 2:
                self.assertEqual(blocks[0] == blocks[1], claim == "race", fault)
            self.assertTrue(finding["at"][0]["line"])
        self.assert_shown_again(claim, findings[0]["example"])
        return findings[0]

    def assert_shown_again(self, claim, example):
        """The command of the report launches the kernel with the same fault."""
        program, *words = example["run"]
        self.assertEqual(program, "bankproof")
        shown = run(*words)
        if claim in ("banks", "coalesced", "address"):
            self.assertEqual(shown.stderr.decode(), "")
        else:
            self.assertEqual(shown.returncode, REFUTED, shown.stderr.decode())
            self.assertIn(example["fault"].split(";")[0], shown.stdout.decode())


class Proofs(Kernels):
    def test_transposes_of_any_size(self):
        for kernel in ("transpose_padded", "transpose_swizzled"):
            with self.subTest(kernel):
                verdicts, report = self.verdicts(CLEAN, self.source(example("transpose.cu")), kernel, *SQUARE)
                self.assertEqual(verdicts, dict.fromkeys(ALL, "proved"))
                self.assertGreater(report["reached"], 0)
                self.assertEqual(report["maybe_unreachable"], [])

    def test_strided_loops(self):
        path = self.source(example("reduction.cu"))
        verdicts, _ = self.verdicts(CLEAN, path, "reduction<int>", *STRIDED, "--buffer", "in=n", "--buffer", "sum=1")
        self.assertEqual(verdicts, dict.fromkeys(ALL, "proved"))

    def test_statements_about_members_of_structures(self):
        verdicts, report = self.verdicts(CLEAN, self.source(MATRIX), *PITCHED, "--claim", "race,blocks,bounds")
        self.assertEqual(verdicts, {"race": "proved", "blocks": "proved", "bounds": "proved"})
        self.assertIn("members of structures lie where the compiler's debug information says", report["assumptions"])

    def test_a_statement_about_another_member_proves_nothing(self):
        others = [word.replace("a.pitch >= a.columns", "a.offsets[0] >= a.columns") for word in PITCHED]
        verdicts, report = self.verdicts(REFUTED, self.source(MATRIX), *others, "--claim", "blocks")
        example = report["claims"][0]["findings"][0]["example"]
        self.assertLess(int(example["parameters"]["a.pitch"]), int(example["parameters"]["a.columns"]))
        self.assert_shown_again("blocks", example)

    def test_a_structure_is_launched_again(self):
        finding = self.assert_refuted("bounds", self.source(MATRIX), *PITCHED[:-1], "a.data=a.rows * a.pitch",
                                      "--claim", "bounds")
        self.assertEqual(finding["example"]["threads"][0]["array"], "a.data")

    def test_bytes_bound_an_index(self):
        """Each byte is less than the number of bins."""
        path = self.source(example("histogram.cu"))
        verdicts, _ = self.verdicts(CLEAN, path, *STRIDED, "--buffer", "data=n", "--buffer", "bins=256",
                                    "--claim", "race,blocks,barriers,bounds")
        self.assertEqual(set(verdicts.values()), {"proved"})
        self.assert_refuted("bounds", path, *STRIDED, "--buffer", "data=n", "--buffer", "bins=255", "--claim",
                            "bounds")

    def test_division_by_a_constant(self):
        path = self.source(example("stencil.cu"))
        size = [word for name in ("columns", "rows")
                for word in ("--where", f"{name} >= 0", "--where", f"{name} <= 32768")]
        verdicts, _ = self.verdicts(CLEAN, path, *size, "--block", "32,8", "--buffer", "in=columns*rows",
                                    "--buffer", "out=columns*rows", "--claim",
                                    "race,blocks,barriers,bounds,banks,overflow,initialized")
        self.assertEqual(set(verdicts.values()), {"proved"})

    def test_addresses(self):
        """The swizzle of the example is the formula, in each of the rows that a thread writes."""
        path = self.source(example("transpose.cu"))
        line = 1 + example("transpose.cu").split("tile[j][threadIdx.x ^ j]")[0].count("\n")
        words = (path, "transpose_swizzled", *SQUARE, "--for", "j=0..3", "--address")
        swizzle = "32*(threadIdx.y + 8*j) + (threadIdx.x ^ (threadIdx.y + 8*j))"
        verdicts, _ = self.verdicts(CLEAN, *words, f"{line}:tile={swizzle}")
        self.assertEqual(verdicts, {"address": "proved"})
        row = "(32*blockIdx.y + threadIdx.y + 8*j)*n + 32*blockIdx.x + threadIdx.x"
        self.verdicts(CLEAN, *words, f"{line}:in={row}")
        self.assert_refuted("address", *words, f"{line}:in={row} + 1")

    def test_shuffles_and_published_state(self):
        verdicts, _ = self.verdicts(CLEAN, self.source(example("lookback.cu")), "--block", "256", "--claim",
                                    "race,barriers,banks", "--where", "n <= 1 << 30")
        self.assertEqual(set(verdicts.values()), {"proved"})


class PlantedBugs(Kernels):
    def test_transposes_without_their_parts(self):
        text = example("transpose.cu")
        self.assert_refuted("banks", self.source(text), "transpose_plain", *SQUARE, "--claim", "banks")
        for claim, old, new in (("race", "__syncthreads();", ""),
                                ("banks", "[TILE][TILE + 1]", "[TILE][TILE]"),
                                ("bounds", "[TILE][TILE + 1]", "[TILE - 1][TILE + 1]")):
            with self.subTest(claim):
                self.assert_refuted(claim, self.source(text, old, new), "transpose_padded", *SQUARE, "--claim", claim)

    def test_a_grid_that_is_too_high(self):
        """The square of the example is not stated: rows of blocks overlap, and leave the arrays."""
        path = self.source(example("transpose.cu"))
        words = ("transpose_padded", "--where", "n == 32 * gridDim.x", "--block", "32,8", "--where",
                 "n <= 32768")
        finding = self.assert_refuted("blocks", path, *words, "--claim", "blocks")
        self.assertGreater(finding["example"]["grid"][1], finding["example"]["grid"][0])
        self.assert_refuted("bounds", path, *words, "--buffer", "in=n*n", "--buffer", "out=n*n", "--claim",
                            "bounds")

    def test_a_missing_guard(self):
        path = self.source(example("scan.cu"), "if (i < n)", "if (i <= n)")
        self.assert_refuted("bounds", path, "scan<true>", "--buffer", "in=8:n", "--buffer", "out=8:n", "--where",
                            "0 <= n", "--where", "n <= 1 << 20", "--claim", "bounds")

    def test_a_barrier_that_not_all_reach(self):
        path = self.source(example("reduction.cu"), "__syncthreads();", "if (threadIdx.x < 40) __syncthreads();")
        self.assert_refuted("barriers", path, "reduction<int>", "--claim", "barriers")

    def test_a_tile_of_the_machine(self):
        """A stride of two words in PTX, whose line is refuted; with one word it is proved."""
        for stride, code in (("4", CLEAN), ("8", REFUTED)):
            path = os.path.join(self.folder, "tile.ptx")
            with open(path, "w", encoding="utf-8") as file:
                file.write(TILE.replace("%STRIDE", stride).replace("%BARRIER", "bar.sync 0;"))
            result = prove(path, "--claim", "banks", "--block", "64")
            self.assertEqual(result.returncode, code, result.stdout.decode() + result.stderr.decode())


class WhatIsKnown(Kernels):
    def test_sizes_that_nobody_states(self):
        path = self.source(example("histogram.cu"))
        verdicts, report = self.verdicts(INPUT, path, "--claim", "bounds")
        self.assertEqual(verdicts, {"bounds": "unknown"})
        self.assertEqual([finding["why"] for finding in report["claims"][0]["findings"]],
                         [f"the size of {name} is not stated; state it by --buffer {name}=COUNT"
                          for name in ("data", "bins")])
        self.verdicts(CLEAN, path, "--claim", "bounds", "--allow-unknown")

    def test_a_counter_that_overflows(self):
        """Bounds hold below n near 2^31, where an int wraps around; the examples have an unsigned."""
        for name, kernel, buffers in (("reduction.cu", "reduction<int>", ("in=n", "sum=1")),
                                      ("histogram.cu", "histogram", ("data=n", "bins=256"))):
            with self.subTest(name):
                words = (kernel, "--where", "n >= 0", "--claim", "bounds,overflow",
                         *(word for buffer in buffers for word in ("--buffer", buffer)))
                self.verdicts(CLEAN, self.source(example(name)), *words)
                path = self.source(example(name), "(unsigned i", "(int i")
                verdicts, report = self.verdicts(INPUT, path, *words)
                self.assertEqual(verdicts, {"bounds": "proved", "overflow": "unknown"})
                bounds, overflow = report["claims"]
                self.assertEqual(bounds["at_most"]["n"], 2**30)
                self.assertFalse(overflow["findings"][0].get("example", {}).get("replayed", False))

    def test_assertions(self):
        path = self.source("""
#include <cassert>
__global__ void store(int* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    assert(i >= 0);
    a[i] = i;
  }
}
""")
        stated = ("--where", "n >= 0", "--where", "n <= 1 << 30", "--claim", "asserts")
        self.assertEqual(self.verdicts(CLEAN, path, *stated)[0], {"asserts": "proved"})
        path = self.source(open(path, encoding="utf-8").read(), "i >= 0", "i != 77")
        self.assert_refuted("asserts", path, *stated)

    def test_contents_that_decide(self):
        path = self.source("""
__constant__ int leader[32];
__global__ void publish(int* a) {
  if (leader[threadIdx.x] != 0) *a = threadIdx.x;
}
""")
        finding = self.assert_refuted("race", path, "--block", "32", "--claim", "race")
        self.assertIn("--symbol", finding["example"]["run"])

    def test_initial_values_that_the_host_overwrites(self):
        path = self.source("""
namespace settings { __constant__ int place[4] = {0, 1, 2, 3}; }
__global__ void publish(int* a) { a[settings::place[threadIdx.x]] = threadIdx.x; }
""")
        words = (path, "--block", "4", "--claim", "race")
        verdicts, report = self.verdicts(INPUT, *words)
        self.assertEqual(verdicts, {"race": "unknown"})
        self.assertRegex(report["claims"][0]["findings"][0]["why"],
                         "place keeps its initial values here; .* --symbol place$")
        for name in ("settings::place", "place"):
            finding = self.assert_refuted("race", *words, "--symbol", name)
            self.assertIn("--symbol", finding["example"]["run"])
            self.assertNotIn("initial values", finding["why"])

    def test_code_that_is_not_optimized(self):
        path = self.source(example("transpose.cu"))
        words = (path, "transpose_padded", *SQUARE, "--compile-option=-O0", "--claim",
                 "race,barriers,bounds,banks,coalesced,overflow,initialized")
        self.assertEqual(set(self.verdicts(CLEAN, *words)[0].values()), {"proved"})
        path = self.source(example("transpose.cu"), "__syncthreads();", "")
        self.assert_refuted("race", path, "transpose_plain", *SQUARE, "--compile-option=-O0", "--claim", "race")

    def test_constructs_that_are_not_followed(self):
        path = self.source('__global__ void f(int* a) { asm volatile("bar.sync 1, 64;"); a[threadIdx.x] = 0; }')
        verdicts, report = self.verdicts(INPUT, path, "--claim", "race")
        self.assertEqual(verdicts, {"race": "unsupported"})
        self.assertIn("bar.sync", report["claims"][0]["findings"][0]["why"])
        self.assertEqual(report["claims"][0]["findings"][0]["at"][0]["line"], 1)

    def test_a_claim_about_nothing(self):
        path = self.source("__global__ void f(int* a) { a[threadIdx.x] = 0; }")
        self.assertEqual(self.verdicts(INPUT, path, "--claim", "banks")[0], {"banks": "nothing"})
        self.assertEqual(self.verdicts(CLEAN, path, "--claim", "race,banks")[0], {"race": "proved", "banks": "nothing"})
        # Blocks write the same elements.
        self.assertEqual(sorted(self.verdicts(REFUTED, path)[0]), ["blocks", "bounds", "coalesced", "race"])

    def test_reports(self):
        path = self.source(example("histogram.cu"))
        words = (path, "--compiler", "clang", "--claim", "race,bounds,banks")
        junit = prove(*words, "--format", "junit").stdout.decode()
        self.assertIn('tests="3" failures="1" errors="1"', junit)
        sarif = json.loads(prove(*words, "--format", "sarif").stdout)
        results = sarif["runs"][0]["results"]
        self.assertEqual({result["ruleId"] for result in results}, {"claim-bounds", "claim-banks"})
        self.assertEqual({result["level"] for result in results}, {"error", "warning"})
        page = prove(*words, "--format", "html").stdout.decode()
        self.assertIn('<span class="refuted" title="refuted">banks</span>', page)
        line = next(row for row in page.split("<tr ") if "atomicAdd(&amp;counts" in row)
        self.assertRegex(line, r'title="proved">(blocks )?race<')
        self.assertRegex(page, r"<h2>.*kernel.cu</h2>")
        self.assertNotIn("<script", page)
        text = prove(*words).stdout.decode()
        self.assertIn("assumed:\n", text)
        self.assertRegex(text, r"(?m)^proved +race ")
        self.assertRegex(text, r"(?m)^refuted +banks ")

    def test_marks_on_the_page_of_a_run(self):
        kernel, proof, page = (os.path.join(self.folder, name) for name in ("kernel.ptx", "proof.json", "page.html"))
        with open(kernel, "w", encoding="utf-8") as file:
            file.write(TILE.replace("%STRIDE", "128").replace("%BARRIER", "bar.sync 0;"))
        with open(proof, "wb") as file:
            file.write(prove(kernel, "--block", 64, "--claim", "race,banks", "--format", "json").stdout)
        call = ("kernel", kernel, *CALL, "--html", page)
        result = run(*call, "--proof", proof)
        self.assertEqual(result.stderr.decode(), "")
        with open(page, encoding="utf-8") as file:
            text = file.read()
        self.assertIn('<span class="refuted" title="refuted">banks</span>', text)
        self.assertIn('<span class="proved" title="proved">race</span>', text)
        self.assertIn("<h2>Assumed by the proofs</h2>", text)
        with open(proof, encoding="utf-8") as file:
            good = json.load(file)
        for message, report in (("is about 'f(int)', but this run is of 'scale(", {**good, "kernel": "f(int)"}),
                                ("'claims' is missing or of another type", {**good, "claims": 3}),
                                ("'verdict' is missing or of another type",
                                 {**good, "claims": [{"claim": "race", "verdict": "true"}]}),
                                ("'assumptions' is missing", {**good, "assumptions": [1]})):
            with open(proof, "w", encoding="utf-8") as file:
                json.dump(report, file)
            result = run(*call, "--proof", proof)
            self.assertEqual(result.returncode, INPUT)
            self.assertIn(message, result.stderr.decode())
        result = run("kernel", kernel, *CALL, "--proof", proof)
        self.assertEqual(result.returncode, USAGE)
        self.assertIn("give --html FILE, too", result.stderr.decode())


class BadInput(Kernels):
    def refused(self, code, what, *arguments):
        result = run("prove", *map(str, arguments))
        self.assertEqual(result.returncode, code, result.stderr.decode())
        self.assertEqual(result.stdout, b"")
        message = result.stderr.decode()
        self.assertIn(what, message)
        return message

    def test_options(self):
        path = self.source(example("transpose.cu"))
        kernel = ("--kernel", path, "--compiler", "clang", "transpose_plain")
        for what, words in (
                ("there is no claim 'races'; did you mean 'race'?", (*kernel, "--claim", "races")),
                ("only banks and coalesced have a number", (*kernel, "--claim", "race=2")),
                ("M from 0 to 31", (*kernel, "--claim", "coalesced=32")),
                ("expected LINE=FORMULA", (*kernel, "--address", "threadIdx.x")),
                ("expected LINE=FORMULA", (*kernel, "--address", "5:=threadIdx.x")),
                ("the line has no such access; the kernel accesses", (*kernel, "--address", "1=threadIdx.x")),
                ("expected NAME=FIRST..LAST", (*kernel, "--address", "29=i", "--for", "i=3")),
                ("the second not below the first", (*kernel, "--address", "29=i", "--for", "i=3..2")),
                ("the name has a meaning already", (*kernel, "--address", "29=n", "--for", "n=0..2")),
                ("--format html is for kernels", ("--size", "4", "--source", "i", "--format", "html")),
                ("--for is for the variables of --address", (*kernel, "--for", "i=0..2")),
                ("a layout has one --address", ("--address", "i", "--address", "i + 1")),
                ("K from 1 to 32", (*kernel, "--claim", "banks=33")),
                ("expected NAME=EXPRESSION", (*kernel, "--buffer", "in")),
                ("the kernel's parameters are in, out, n", (*kernel, "--buffer", "input=n")),
                ("no variables in __device__ or __constant__ memory", (*kernel, "--symbol", "in")),
                ("expected one to three numbers", (*kernel, "--block", "32,x")),
                ("they contradict each other", (*kernel, "--where", "n > 5", "--where", "n < 5")),
                ("1 to 1024 threads along x", (*kernel, "--block", "2048")),
                ("transpose", ("--kernel", path, "--compiler", "clang")),
                ("takes one kernel", (*kernel, "transpose_padded")),
                ("a kernel or a layout", (*kernel, "--size", "64")),
                ("needs --kernel FILE", ("--where", "n > 5")),
                ("--list, --export and --coq are for theorems", (*kernel, "--list")),
                ("sarif is for kernels", ("A12", "--format", "sarif"))):
            with self.subTest(words[-1]):
                self.refused(USAGE, what, *words)

    def test_formulas_are_pointed_at(self):
        path = self.source(example("transpose.cu"))
        kernel = ("--kernel", path, "--compiler", "clang", "transpose_plain")
        message = self.refused(USAGE, "'n <= 2 *': ", *kernel, "--where", "n <= 2 *")
        self.assertIn("\n  n <= 2 *\n          ^", message)
        self.refused(USAGE, "'m > 0': ", *kernel, "--where", "m > 0")

    def test_members_that_are_not_there(self):
        path = self.source(MATRIX)
        for what, *words in (("unknown name 'a.row'; did you mean 'a.rows'?", "--where", "a.row <= 3"),
                             ("unknown name 'a.offsets[2]'", "--where", "a.offsets[2] == 3"),
                             ("unknown name 'a.data'", "--where", "a.data == 0"),
                             ("the kernel's parameters are a.data, value", "--buffer", "a=3"),
                             ("a.rows is no pointer", "--buffer", "a.rows=3")):
            with self.subTest(words):
                self.refused(USAGE, what, "--kernel", path, "--compiler", "clang", *words)

    @unittest.skipUnless(shutil.which("nvcc"), "needs nvcc")
    def test_members_without_debug_information(self):
        path = self.source("#ifdef __CUDACC_DEBUG__\n#error no debugging\n#endif\n" + MATRIX)
        self.refused(USAGE, "no names: nvcc", "--kernel", path, "--compiler", "nvcc", "--where", "a.rows > 3")

    def test_files(self):
        self.refused(INPUT, "missing.cu", "--kernel", os.path.join(self.folder, "missing.cu"))
        path = os.path.join(self.folder, "broken.ptx")
        with open(path, "w", encoding="utf-8") as file:
            file.write("no PTX")
        self.refused(INPUT, "broken.ptx", "--kernel", path)
        self.refused(USAGE, "needs no compiler", "--kernel", path, "--compiler", "clang")
        self.refused(INPUT, "contains no kernel", "--kernel", self.source("int x;"), "--compiler", "clang")


if __name__ == "__main__":
    unittest.main()
