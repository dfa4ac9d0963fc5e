"""Matrices that a warp multiplies with nvcuda::wmma, by every compiler found here: nvcc has its own
header mma.h, clang the one of this tree.
"""

import os
import shutil
import struct

from kernel_support import KernelFolder, npy
from program import needs

SOURCE = os.environ["BANKPROOF_SOURCE"]
FILE = os.path.join(SOURCE, "properties", "cuda", "compile", "sources", "matrices.cu")
COMPILERS = [name for name in ("nvcc", "clang++-16") if shutil.which(name)]

# For each kernel: m, n and k; whether a and b are stored by columns; the type of a and b, then the type of c
# and d, each as its name for buffers and as its letter for Python's struct.
KERNELS = {
    "halves": (16, 16, 16, False, True, ("f16", "e"), ("f16", "e")),
    "floats_of_halves": (8, 32, 16, True, False, ("f16", "e"), ("f32", "f")),
    "brains": (32, 8, 16, False, False, ("bf16", None), ("f32", "f")),
    "bytes": (16, 16, 16, True, True, ("i8", "b"), ("i32", "i")),
    "unsigned_bytes": (8, 32, 16, False, True, ("u8", "B"), ("i32", "i")),
    "short_floats": (16, 16, 8, False, True, ("f32", "f"), ("f32", "f")),
    "doubles": (8, 8, 4, False, True, ("f64", "d"), ("f64", "d")),
}


def packed(code, numbers):
    """Packs numbers by a letter of struct, or as bf16, the upper halves of floats."""
    if code:
        return struct.pack("<%d%s" % (len(numbers), code), *numbers)
    return b"".join(struct.pack("<f", number)[2:] for number in numbers)


def flat(matrix, by_columns):
    return [x for row in (zip(*matrix) if by_columns else matrix) for x in row]


class Fragments(KernelFolder):
    def numbers(self, rows, columns, seed, least):
        return [[(seed * i + 3 * j) % 7 + least for j in range(columns)] for i in range(rows)]

    def buffer(self, name, kind, numbers):
        buffer_type, code = kind
        kinds = {"bf16": "<u2", "i8": "|i1", "u8": "|u1", "f16": "<f2", "i32": "<i4", "f32": "<f4",
                 "f64": "<f8"}
        path = self.file(name + ".npy", npy(packed(code, numbers), "(%d,)" % len(numbers),
                                            kinds[buffer_type]))
        return "buffer:%s=%s" % ("u16" if buffer_type == "bf16" else buffer_type, path)

    def test_are_tried_by_nvcc_where_it_is(self):
        if os.environ.get("BANKPROOF_TOOLKIT") == "installed":
            self.assertIn("nvcc", COMPILERS)

    @needs(COMPILERS, "a compiler of CUDA")
    def test_are_loaded_multiplied_and_stored(self):
        saved = os.path.join(self.folder, "d.npy")
        for compiler in COMPILERS:
            for kernel, (m, n, k, a_columns, b_columns, factors, sums) in KERNELS.items():
                with self.subTest(compiler, kernel=kernel):
                    least = 0 if factors[0] == "u8" else -3
                    a = self.numbers(m, k, 5, least)
                    b = self.numbers(k, n, 2, least)
                    c = self.numbers(m, n, 4, -3)
                    expected = [[sum(x * y for x, y in zip(row, column)) + c[i][j] + 1
                                 for j, column in enumerate(zip(*b))] for i, row in enumerate(a)]
                    report = self.report(
                        FILE, "--compiler", compiler, "--kernel", kernel, "--grid", "1", "--block",
                        "32", self.buffer("a", factors, flat(a, a_columns)),
                        self.buffer("b", factors, flat(b, b_columns)),
                        self.buffer("c", sums, flat(c, False)), "buffer:%s:%d" % (sums[0], m * n),
                        "--save", "3=" + saved)
                    size = struct.calcsize(sums[1]) * m * n
                    out = struct.unpack("<%d%s" % (m * n, sums[1]), self.read(saved)[-size:])
                    self.assertEqual(list(out), flat(expected, True))
                    self.assertEqual(report["faults"], [])

    @needs(COMPILERS, "a compiler of CUDA")
    def test_are_saturated(self):
        saved = os.path.join(self.folder, "d.npy")
        ones = self.buffer("ones", ("i8", "b"), [1] * 256)
        for compiler in COMPILERS:
            with self.subTest(compiler):
                self.report(FILE, "--compiler", compiler, "--kernel", "saturated", "--grid", "1",
                            "--block", "32", ones, ones, "buffer:i32:256", "--save", "2=" + saved)
                self.assertEqual(self.read(saved)[-1024:], struct.pack("<i", 2**31 - 1) * 256)

    @needs(COMPILERS, "a compiler of CUDA")
    def test_numbers_are_rounded_to_tf32(self):
        saved = os.path.join(self.folder, "short.npy")
        given = self.buffer("x", ("f32", "f"), [1 + 2**-11 + 2**-20])
        for compiler in COMPILERS:
            with self.subTest(compiler):
                self.report(FILE, "--compiler", compiler, "--kernel", "shortened", "--grid", "1",
                            "--block", "1", given, "--save", "0=" + saved)
                self.assertEqual(self.read(saved)[-4:], struct.pack("<f", 1 + 2**-10))
