"""Runs `bankproof prove --kernel`: what is proved of the examples, and that planted bugs are refuted by launches
that the machine has replayed.
"""

import json
import os
import unittest

from kernel_support import CALL, TILE
from program import CLEAN, INPUT, USAGE, run
from prove_kernel_support import ALL, MATRIX, PITCHED, REFUTED, SQUARE, STRIDED, Kernels, example, prove


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

    def test_numbers_of_more_than_32_bits(self):
        path = self.source("""
__global__ void set_last(char* a, long long n) { a[n - 1] = 1; }
""")
        words = (path, "--claim", "bounds", "--buffer", "a=5000000000", "--where")
        for size in ("5000000000", "5000000000LL", "0x12a05f200", "(1 << 32) + 705032704"):
            self.assertEqual(self.verdicts(CLEAN, *words, f"n == {size}")[0], {"bounds": "proved"})
        self.assertEqual(self.verdicts(INPUT, *words, "n == 5000000001")[0], {"bounds": "unknown"})

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


if __name__ == "__main__":
    unittest.main()
