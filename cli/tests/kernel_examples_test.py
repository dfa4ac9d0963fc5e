"""The kernels of examples/kernels give the results of their sources, and every canary gets its
verdict. This holds for the PTX of both compilers, and for a compiler itself if there is one.
"""

import operator
import os
import re
import shutil
import struct

from kernel_support import FINDING, KernelFolder, can_compile, npy, words
from program import CLEAN, needs, run

SOURCE = os.environ["BANKPROOF_SOURCE"]
COMPILERS = ("nvcc", "clang")
CAN_COMPILE = can_compile()
PROGRAMS = [name for name in ("nvcc", "clang++-16") if shutil.which(name)]


def ptx(compiler, name):
    return os.path.join(SOURCE, "properties", "golden", compiler, name + ".ptx")


def affine_scan(maps, inclusive=True):
    """Returns the compositions of x -> a·x + b, earlier maps first."""
    result, (a, b) = [], (1, 0)
    for c, d in maps:
        before = (a, b)
        a, b = c * a % 2**32, (c * b + d) % 2**32
        result += (a, b) if inclusive else before
    return result


class ExamplesOfKernels(KernelFolder):
    def run_kernel(self, file, *arguments, code=CLEAN):
        """Returns the report, and the 32-bit words of the buffers that are arguments 0 and 1."""
        saved = [os.path.join(self.folder, "%d.npy" % k) for k in range(2)]
        saves = [word for k in range(2) for word in ("--save", "%d=%s" % (k, saved[k]))]
        report = self.report(file, *arguments, *saves, code=code)
        return report, [self.read(path) for path in saved]

    def test_transposes(self):
        expected = [float(32 * 2 * column + row) for row in range(64) for column in range(64)]
        arguments = ("--grid", "2,2", "--block", "32,8", "buffer:f32:64x64=iota",
                     "buffer:f32:64x64", "i32:64")
        for compiler in COMPILERS:
            for kind, excess in (("plain", 31 * 128), ("padded", 0), ("swizzled", 0)):
                with self.subTest(compiler, kind=kind):
                    report, (_, out) = self.run_kernel(ptx(compiler, "transpose"), "--kernel",
                                                       "transpose_" + kind, *arguments)
                    self.assertEqual(list(struct.unpack("<4096f", out[-4 * 4096:])), expected)
                    self.assertEqual(report["faults"], [])
                    self.assertEqual(report["totals"]["shared"]["excess"], excess)
                    self.assertEqual(report["totals"]["global"]["excess_sectors"], 0)
                    visits = {line["visits"] for line in report["lines"]
                              if line["global"]["lines"]}
                    self.assertEqual(visits, {128})

    def test_scans(self):
        maps = [(2 * i + 3, i * i + 1) for i in range(1000)]
        data = struct.pack("<2000I", *(word for one in maps for word in one))
        given = self.file("maps.npy", npy(data, "(2000,)", "<u4"))
        for compiler in COMPILERS:
            for inclusive in (True, False):
                with self.subTest(compiler, inclusive=inclusive):
                    report, (_, out) = self.run_kernel(
                        ptx(compiler, "scan"), "--kernel", "scan<%s>" % str(inclusive).lower(),
                        "--grid", "1", "--block", "1024", "buffer:u32=" + given,
                        "buffer:u32:2000", "i32:1000")
                    self.assertEqual(words(out, 2000), affine_scan(maps, inclusive))
                    self.assertEqual(report["faults"], [])

    def test_histograms(self):
        values = bytes(k * k * 7 % 251 for k in range(5000))
        given = self.file("data.npy", npy(values, "(5000,)", "|u1"))
        for compiler in COMPILERS:
            with self.subTest(compiler):
                report, (_, out) = self.run_kernel(
                    ptx(compiler, "histogram"), "--grid", "3", "--block", "256",
                    "buffer:u8=" + given, "buffer:u32:256=zeros", "i32:5000")
                self.assertEqual(words(out, 256), [values.count(bin) for bin in range(256)])
                self.assertEqual(report["faults"], [])

    def test_reductions(self):
        for compiler in COMPILERS:
            with self.subTest(compiler):
                _, (_, out) = self.run_kernel(
                    ptx(compiler, "reduction"), "--kernel", "reduction<int>", "--grid", "5",
                    "--block", "256", "buffer:i32:10007=iota", "buffer:i32:1=zeros", "i32:10007")
                self.assertEqual(words(out, 1), [10007 * 10006 // 2])

    def test_products_of_tiles_that_ldmatrix_loads(self):
        n = 128
        a = [[(3 * i + j) % 7 - 3 for j in range(n)] for i in range(n)]
        b = [[(i + 5 * j) % 9 - 4 for j in range(n)] for i in range(n)]
        columns = list(zip(*b))
        expected = [float(sum(map(operator.mul, row, column))) for row in a for column in columns]
        files = [self.file(name + ".npy", npy(struct.pack("<%de" % (n * n), *sum(matrix, [])),
                                              "(%d, %d)" % (n, n), "<f2"))
                 for name, matrix in (("a", a), ("b", b))]
        saved = os.path.join(self.folder, "c.npy")
        for compiler in COMPILERS:
            # Each warp loads 20 matrices in each of 4 steps. Without a swizzle, the 8 rows of each matrix
            # are in the same banks. There are 4 blocks, 2 tiles along k and 4 warps.
            for kind, excess in (("plain", 7 * 20 * 4 * 4 * 2 * 4), ("swizzled", 0)):
                with self.subTest(compiler, kind=kind):
                    report = self.report(
                        ptx(compiler, "matrix_tiles"), "--kernel", "product_" + kind, "--grid",
                        "2,2", "--block", "128", "buffer:f16=" + files[0], "buffer:f16=" + files[1],
                        "buffer:f32:128x128", "i32:128", "--save", "2=" + saved)
                    out = self.read(saved)[-4 * n * n:]
                    self.assertEqual(list(struct.unpack("<%df" % (n * n), out)), expected)
                    self.assertEqual(report["faults"], [])
                    self.assertEqual(report["totals"]["shared"]["excess"], excess)
                    self.assertEqual(report["totals"]["global"]["excess_sectors"], 0)

    def test_a_look_back(self):
        for compiler in COMPILERS:
            with self.subTest(compiler):
                report, (_, out) = self.run_kernel(
                    ptx(compiler, "lookback"), "--grid", "6", "--block", "256",
                    "buffer:u32:1500=iota", "buffer:u32:1500", "buffer:u32:18=zeros",
                    "buffer:i32:1=zeros", "i32:1500")
                self.assertEqual(words(out, 1500), [k * (k + 1) // 2 for k in range(1500)])
                self.assertEqual(report["faults"], [])

    def test_a_stencil_of_weights_that_nobody_set(self):
        for compiler in COMPILERS:
            with self.subTest(compiler):
                report, (_, out) = self.run_kernel(
                    ptx(compiler, "stencil"), "--grid", "4,4", "--block", "32,8",
                    "buffer:f32:3000=iota", "buffer:f32:3000", "i32:100", "i32:30")
                self.assertEqual(report["faults"], [])
                self.assertEqual(set(words(out, 3000)), {0})


class Canaries(KernelFolder):
    def kinds(self, name, *arguments, code=FINDING):
        found = []
        for compiler in COMPILERS:
            report = self.report(ptx(compiler, name), *arguments, code=code)
            found.append({fault["kind"] for fault in report["faults"]})
        self.assertEqual(*found)
        return found[0]

    def test_tiles(self):
        arguments = ("--grid", "2,2", "--block", "32,8", "buffer:f32:64x64=iota",
                     "buffer:f32:64x64", "i32:64")
        # If the writing warp comes later, a warp reads words that nobody has written yet.
        self.assertEqual(self.kinds("dropped_syncthreads", *arguments), {"race", "uninitialized"})
        self.assertEqual(self.kinds("swapped_index", *arguments, code=CLEAN), set())
        self.kinds("swapped_index", *arguments, "--max-excess", "0")
        self.kinds("unpadded_tile", *arguments, code=CLEAN)
        self.kinds("unpadded_tile", *arguments, "--max-excess", "0")

    def test_a_halo_out_of_bounds(self):
        kinds = self.kinds("halo_off_by_one", "--grid", "8", "--block", "128",
                           "buffer:f32:1024=iota", "buffer:f32:1024", "i32:1024")
        self.assertEqual(kinds, {"out_of_bounds"})

    def test_a_divergent_barrier(self):
        kinds = self.kinds("divergent_barrier", "--grid", "4", "--block", "64",
                           "buffer:i32:256=iota", "buffer:i32:256")
        self.assertIn("barrier_divergence", kinds)

    def test_a_missing_fence(self):
        kinds = self.kinds("missing_fence", "--grid", "8", "--block", "32", "buffer:u32:256=iota",
                           "buffer:u32:256", "buffer:u32:8", "buffer:i32:8=zeros",
                           "buffer:i32:1=zeros")
        self.assertEqual(kinds, {"race"})

    def test_a_missing_wait(self):
        arguments = ("--grid", "4", "--block", "64", "buffer:f32:2048=iota", "buffer:f32:2048",
                     "i32:8")
        self.assertEqual(self.kinds("missing_wait", *arguments), {"race"})
        for compiler in COMPILERS:
            (fault,) = self.report(ptx(compiler, "missing_wait"), *arguments,
                                   code=FINDING)["faults"]
            self.assertIn("load at byte 252 of shared memory is not ordered with a write by block "
                          "0, thread 63, whose cp.async may still be in flight", fault["message"])
            # The test fixes the bug.
            with open(ptx(compiler, "missing_wait"), encoding="utf-8") as text:
                right, count = re.subn(r"cp\.async\.wait_group\s+2", "cp.async.wait_group 1",
                                       text.read())
            self.assertGreater(count, 0)
            saved = os.path.join(self.folder, "out.npy")
            report = self.report(self.file("right.ptx", right), *arguments, "--save", "1=" + saved)
            self.assertEqual(report["faults"], [])
            self.assertEqual(struct.unpack("<2048f", self.read(saved)[-8192:]),
                             tuple(float(i // 64 * 64 + 63 - i % 64) for i in range(2048)))

    def test_operands_swapped(self):
        maps = [(2 * i + 3, i * i + 1) for i in range(32)]
        data = struct.pack("<64I", *(word for one in maps for word in one))
        given = self.file("maps.npy", npy(data, "(64,)", "<u4"))
        out = os.path.join(self.folder, "out.npy")
        for compiler in COMPILERS:
            self.report(ptx(compiler, "swapped_operands"), "--grid", "1", "--block", "32",
                        "buffer:u32=" + given, "buffer:u32:64", "--save", "1=" + out)
            self.assertNotEqual(words(self.read(out), 64), affine_scan(maps))


class Sources(KernelFolder):
    """The .cu files themselves, which the program compiles."""

    @needs(CAN_COMPILE, "a compiler of CUDA")
    def test_a_source_is_compiled_and_reported_by_its_lines(self):
        source = shutil.copy(os.path.join(SOURCE, "examples", "kernels", "transpose.cu"),
                             self.folder)
        report = self.report(source, "--kernel", "transpose_plain", "--grid", "2,2", "--block",
                             "32,8", "buffer:f32:64x64=iota", "buffer:f32:64x64", "i32:64")
        self.assertEqual({line["file"] for line in report["lines"]}, {source})
        with open(source, encoding="utf-8") as text:
            lines = text.read().split("\n")
        (worst,) = [line for line in report["lines"] if line["shared"]["excess"]]
        self.assertIn("tile[threadIdx.x][threadIdx.y + row]", lines[worst["line"] - 1])

    @needs(CAN_COMPILE, "a compiler of CUDA")
    def test_what_the_compiler_says_is_passed_on(self):
        source = self.file("bad.cu", "__global__ void k() { undeclared = 1; }\n")
        result = run("kernel", source, "--grid", "1", "--block", "1")
        self.assertEqual(result.returncode, 3)
        self.assertIn("undeclared", result.stderr.decode())

    @needs(CAN_COMPILE, "a compiler of CUDA")
    def test_options_for_the_compiler(self):
        header = self.file("n.h", "constexpr int n = M;\n")
        source = self.file("k.cu", "#include <n.h>\n#ifndef K\n#error no K\n#endif\n"
                           "__global__ void k(int* p) { *p = n; }\n")
        out = os.path.join(self.folder, "p.npy")
        result = run("kernel", source, "-I", os.path.dirname(header), "-D", "M=42", "--grid", "1",
                     "--block", "1", "--save", "0=" + out, "buffer:i32:1", "--", "-DK")
        self.assertEqual(result.returncode, CLEAN, result.stderr)
        self.assertEqual(words(self.read(out), 1), [42])

    @needs(PROGRAMS, "a compiler of CUDA")
    def test_a_source_that_begins_with_the_header_of_the_driver(self):
        source = self.file("k.cu", "#include <cuda.h>\n__global__ void k(CUdevice* p) { *p = 42; }\n"
                           "CUresult run(CUdeviceptr* p) { return cuMemAlloc(p, 4); }\n")
        out = os.path.join(self.folder, "p.npy")
        for program in PROGRAMS:
            with self.subTest(program):
                self.report(source, "--compiler", program, "--grid", "1", "--block", "1", "--save",
                            "0=" + out, "buffer:i32:1")
                self.assertEqual(words(self.read(out), 1), [42])

    def test_a_compiler_that_is_not_there(self):
        source = self.file("k.cu", "__global__ void k() {}\n")
        result = run("kernel", source, "--compiler", "/no/such/compiler", "--grid", "1",
                     "--block", "1")
        self.assertEqual(result.returncode, 3)
        self.assertIn("/no/such/compiler", result.stderr.decode())
