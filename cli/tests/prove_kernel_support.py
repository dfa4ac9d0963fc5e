"""What the tests of `bankproof prove --kernel` share. The kernels are compiled by clang, which is always there."""

import json
import os
import re

from program import Folder, run

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
