"""The PTX that nvcc and clang make of one kernel does the same on the same inputs: it leaves the
same bytes in every buffer, has the same faults at the same lines, and the same counts at each line
that accesses memory. Lines with only arithmetic are not compared: compilers move arithmetic, and
unroll its loops.
"""

import json
import os
import re
import struct

from kernel_support import FINDING, KernelFolder, words
from program import CLEAN, run

SOURCE = os.environ["BANKPROOF_SOURCE"]
GOLDEN = os.path.join(SOURCE, "properties", "golden")
COMPILERS = ("nvcc", "clang")
SEEDS = (1, 2, 3)

TILES = ("--grid", "3,3", "--block", "32,8", "buffer:f32:96x96=random:SEED",
         "buffer:f32:96x96=zeros", "i32:96")
MAPS = ("buffer:u32:600=random:SEED", "buffer:u32:600=zeros", "i32:300")

# Each kernel: its file, its name there, its shape and arguments. With these sizes, the last block or the
# last tile is not full.
CALLS = [
    ("transpose", "transpose_plain", *TILES),
    ("transpose", "transpose_padded", *TILES),
    ("transpose", "transpose_swizzled", *TILES),
    ("reduction", "reduction<int>", "--grid", "3", "--block", "128", "buffer:i32:1001=random:SEED",
     "buffer:i32:1=zeros", "i32:1001"),
    ("reduction", "reduction<float>", "--grid", "3", "--block", "128",
     "buffer:f32:1001=random:SEED:-1:1", "buffer:f32:1=zeros", "i32:1001"),
    ("scan", "scan<true>", "--grid", "1", "--block", "320", *MAPS),
    ("scan", "scan<false>", "--grid", "1", "--block", "320", *MAPS),
    ("histogram", "histogram", "--grid", "3", "--block", "96", "buffer:u8:5003=random:SEED",
     "buffer:u32:256=zeros", "i32:5003"),
    ("lookback", "prefix_sums", "--grid", "6", "--block", "256", "buffer:u32:1500=random:SEED",
     "buffer:u32:1500=zeros", "buffer:u32:18=zeros", "buffer:i32:1=zeros", "i32:1500"),
    ("stencil", "stencil", "--grid", "4,4", "--block", "32,8", "buffer:f32:3000=random:SEED:-1:1",
     "buffer:f32:3000=zeros", "i32:100", "i32:30"),
    *(("matrix_tiles", "product_" + kind, "--grid", "2,2", "--block", "128",
       "buffer:f16:128x128=random:SEED:-1:1", "buffer:f16:128x128=random:1:-1:1",
       "buffer:f32:128x128=zeros", "i32:128") for kind in ("plain", "swizzled")),
    ("dropped_syncthreads", "dropped_syncthreads", *TILES),
    ("swapped_index", "swapped_index", *TILES),
    ("unpadded_tile", "unpadded_tile", *TILES),
    ("halo_off_by_one", "halo_off_by_one", "--grid", "8", "--block", "128",
     "buffer:f32:1024=random:SEED:-1:1", "buffer:f32:1024=zeros", "i32:1024"),
    ("divergent_barrier", "divergent_barrier", "--grid", "4", "--block", "64",
     "buffer:i32:256=random:SEED", "buffer:i32:256=zeros"),
    ("missing_fence", "missing_fence", "--grid", "8", "--block", "32", "buffer:u32:256=random:SEED",
     "buffer:u32:256=zeros", "buffer:u32:8=zeros", "buffer:i32:8=zeros", "buffer:i32:1=zeros"),
    ("missing_wait", "missing_wait", "--grid", "3", "--block", "64",
     "buffer:f32:960=random:SEED:-1:1", "buffer:f32:960=zeros", "i32:5"),
    ("swapped_operands", "swapped_operands", "--grid", "2", "--block", "32",
     "buffer:u32:128=random:SEED", "buffer:u32:128=zeros"),
]


# The lines at which the compilers differ. Each key is the file of a kernel and part of the text of a
# line.
DIFFERENT = {
    # clang selects between two addresses and loads the identity from a constant in global memory;
    # nvcc selects between values, and loads no identity.
    ("scan", "? in[i] : identity"): {"lanes", "global"},
    ("scan", "? totals[lane] : identity"): {"lanes", "global"},
    # nvcc puts the three loads at one column, like the copies of an unrolled loop.
    ("halo_off_by_one", "/ 3.0f"): {"visits", "lanes"},
}
FIELDS = ("visits", "lanes", "shared", "global")


def source_of(file):
    """Returns the lines of the example or of the canary."""
    paths = (os.path.join(SOURCE, *folder, file + ".cu")
             for folder in (("examples", "kernels"), ("properties", "mutants")))
    (path,) = filter(os.path.exists, paths)
    with open(path, encoding="utf-8") as text:
        return text.read().split("\n")


class Compiled(KernelFolder):
    def text(self, compiler, file):
        with open(os.path.join(GOLDEN, compiler, file + ".ptx"), encoding="utf-8") as ptx:
            return ptx.read()

    def outcome(self, ptx, call, seed):
        """Runs the PTX; returns the bytes of each buffer, and the report."""
        _, kernel, *arguments = call
        arguments = [word.replace("SEED", str(seed)) for word in arguments]
        saved = [os.path.join(self.folder, "%d.npy" % k)
                 for k, _ in enumerate(word for word in arguments if word.startswith("buffer:"))]
        for k, name in enumerate(saved):
            arguments += ["--save", "%d=%s" % (k, name)]
        result = run("kernel", self.file("kernel.ptx", ptx), "--kernel", kernel, *arguments,
                     "--format", "json")
        self.assertIn(result.returncode, (CLEAN, FINDING), result.stderr)
        return [self.read(name) for name in saved], json.loads(result.stdout)

    def counts(self, report, file):
        """Returns the counts of lines with accesses to memory or barriers, by line and field."""
        source, counts = source_of(file), {}
        for line in report["lines"]:
            at = line["line"]
            text = source[at - 1] if at else ""
            if any((*line["shared"].values(), *line["global"].values())) or "__sync" in text:
                values = (line["visits"], line["active_lanes"], line["shared"], line["global"])
                counts.update({(at, field): value for field, value in zip(FIELDS, values)})
        return counts

    def differing(self, file, one, other):
        """Returns the lines and fields in which two reports differ, in the form of DIFFERENT."""
        source, found = source_of(file), {}
        one, other = self.counts(one, file), self.counts(other, file)
        self.assertTrue(one)
        for at, field in {*one, *other}:
            if one.get((at, field)) != other.get((at, field)):
                text = source[at - 1] if at else "line 0"
                key = next((key for key in DIFFERENT if key[0] == file and key[1] in text),
                           (file, text))
                found.setdefault(key, set()).add(field)
        return found

    def expect_same(self, file, one, other):
        (bytes_of_one, one), (bytes_of_other, other) = one, other
        self.assertEqual(bytes_of_one, bytes_of_other)
        self.assertEqual(*([(fault["kind"], fault["line"], fault["message"], fault["count"])
                            for fault in report["faults"]] for report in (one, other)))
        self.assertEqual(self.differing(file, one, other),
                         {key: fields for key, fields in DIFFERENT.items() if key[0] == file})


class SameKernel(Compiled):
    def test_by_both_compilers(self):
        for call in CALLS:
            for seed in SEEDS:
                with self.subTest(call[1], seed=seed):
                    outcomes = [self.outcome(self.text(compiler, call[0]), call, seed)
                                for compiler in COMPILERS]
                    self.expect_same(call[0], *outcomes)

    def test_is_run_for_all_that_are_kept(self):
        called = [call[0] for call in CALLS]
        for compiler in COMPILERS:
            names = os.listdir(os.path.join(GOLDEN, compiler))
            files = [name.removesuffix(".ptx") for name in names]
            kept = {file: len(re.findall(r"\.entry", self.text(compiler, file))) for file in files}
            self.assertEqual(kept, {file: called.count(file) for file in called})

    def test_is_missed_where_kernels_differ(self):
        by_name = {call[1]: call for call in CALLS}
        for one, other in (("scan<true>", "scan<false>"), ("transpose_plain", "transpose_padded")):
            outcomes = [self.outcome(self.text(compiler, by_name[name][0]), by_name[name], 1)
                        for compiler, name in zip(COMPILERS, (one, other))]
            with self.assertRaises(AssertionError):
                self.expect_same(by_name[one][0], *outcomes)


class Stencil(Compiled):
    CALL = ("stencil", "stencil", "--grid", "2,4", "--block", "32,8", "buffer:f32:INPUT",
            "buffer:f32:1500", "i32:50", "i32:30")

    def weighted(self, compiler, weights):
        """Returns the PTX with weights in place of the zeros that the host would overwrite."""
        values = ", ".join(str(byte) for byte in struct.pack("<5f", *weights))
        text, count = re.subn(r"(\.const \.align 4 \.b8 weights\[20\])", r"\1 = {%s}" % values,
                              self.text(compiler, "stencil"))
        self.assertEqual(count, 1)
        return text

    def run_with(self, compiler, weights, given):
        call = [word.replace("INPUT", given) for word in self.CALL]
        return self.outcome(self.weighted(compiler, weights), call, 0)

    def test_of_numbers_whose_sums_are_exact(self):
        columns, rows = 50, 30

        def at(y, x):
            return y * columns + x if 0 <= y < rows and 0 <= x < columns else 0

        weights = (0.5, 0.125, -0.25, 0.0625, 0.1875)
        expected = [weights[0] * at(y, x) + weights[1] * at(y - 1, x) + weights[2] * at(y + 1, x) +
                    weights[3] * at(y, x - 1) + weights[4] * at(y, x + 1)
                    for y in range(rows) for x in range(columns)]
        for compiler in COMPILERS:
            with self.subTest(compiler):
                (_, out), report = self.run_with(compiler, weights, "1500=iota")
                self.assertEqual(list(struct.unpack("<1500f", out[-6000:])), expected)
                self.assertEqual(report["faults"], [])

    def test_of_numbers_that_are_rounded(self):
        weights = (0.1, 0.2, -0.3, 0.7, 1 / 3)
        outcomes = [self.run_with(compiler, weights, "1500=random:5:-1:1")
                    for compiler in COMPILERS]
        self.expect_same("stencil", *outcomes)
        self.assertGreater(len(set(words(outcomes[0][0][1], 1500))), 1400)
