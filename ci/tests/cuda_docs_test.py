"""For every algorithm and variant, docs/cuda.md names the kernel that is its counterpart, or says why
there is none. All calls that it names exist."""

import os
import re
import unittest

ROOT = os.environ["BANKPROOF_SOURCE"]


def cells(path, columns):
    """The rows with this number of columns in the file's tables, if their first cell is code."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        rows = [[cell.strip() for cell in line.strip().strip("|").split("|")]
                for line in file if line.startswith("|")]
    return [row for row in rows if len(row) == columns and row[0].startswith("`")]


def quoted(text):
    return re.findall(r"`([^`]+)`", text)


class CudaDocs(unittest.TestCase):
    def test_every_variant_has_a_kernel_or_a_reason(self):
        variants = {(quoted(row[0])[0], quoted(row[1])[0])
                    for row in cells("docs/algorithms.md", 5) if quoted(row[1])}
        self.assertGreater(len(variants), 30)
        told = [(quoted(row[0])[0], variant) for row in cells("docs/cuda.md", 4)
                for variant in quoted(row[1])]
        self.assertEqual(sorted(told), sorted(variants))

    def test_the_calls_are_in_their_headers(self):
        for _, variant, call, header in cells("docs/cuda.md", 4):
            with self.subTest(variant=variant):
                if call.startswith("none"):
                    self.assertRegex(call, r"^none(: .{10,}|, likewise)$")
                    continue
                with open(os.path.join(ROOT, "cuda", "kernels", quoted(header)[0]), encoding="utf-8") as file:
                    text = file.read()
                for name in quoted(call):
                    self.assertRegex(text, rf"\b{name}\(")


if __name__ == "__main__":
    unittest.main()
