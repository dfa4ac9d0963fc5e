"""Every file of kernels is compiled for sm_80 and sm_90: by nvcc, into the program for GPU machines, or
without nvcc by clang, except for files that need NVIDIA's libraries."""

import glob
import os
import pathlib
import re
import struct
import subprocess
import tempfile
import unittest

SOURCE = os.environ["BANKPROOF_SOURCE"]
OBJECTS = os.environ.get("BANKPROOF_GPU_OBJECTS", "").split(":")
BY_CLANG = os.environ.get("BANKPROOF_KERNELS_BY_CLANG")
CHIPS = (80, 90)
# The format of the device code that nvcc embeds in an object file. First comes a header: magic number,
# version, size of the header, size of the rest. Then come entries: kind, version, size of the entry's header,
# size of the rest, and the chip at byte 28. Read from nvcc 13.0's output; NVIDIA does not document it.
HEAD, ENTRY, CHIP_AT = struct.Struct("<IHHQ"), struct.Struct("<HHIQ"), 28
MAGIC = struct.pack("<IHH", 0xBA55ED50, 1, HEAD.size)
KINDS = {1: "PTX", 2: "code"}
WANTED = [("PTX", 90), ("code", 80), ("code", 90)]


def files_of_kernels(*folders):
    return sorted(os.path.relpath(path, SOURCE) for folder in folders
                  for path in glob.glob(os.path.join(SOURCE, folder, "*.cu")))


def embedded(objects):
    """The kinds of code and their chips, sorted, for each file that nvcc compiled."""
    files, at = [], objects.find(MAGIC)
    while at >= 0:
        at += HEAD.size
        end, codes = at + HEAD.unpack_from(objects, at - HEAD.size)[3], []
        while at < end:
            kind, _, head, size = ENTRY.unpack_from(objects, at)
            chip, = struct.unpack_from("<I", objects, at + CHIP_AT)
            codes.append((KINDS[kind], chip))
            at += head + size
        files.append(sorted(codes))
        at = objects.find(MAGIC, at)
    return files


def problems_of_objects(objects, files):
    found = embedded(objects)
    problems = [f"one of the files has {codes}, not {WANTED}" for codes in found if codes != WANTED]
    if len(found) != len(files):
        problems.append(f"code of {len(found)} files, not of {len(files)}")
    return problems


def problems_of_clang(folder, files):
    problems = []
    for name in files:
        for chip in CHIPS:
            path = os.path.join(folder, f"{name}.sm_{chip}.ptx")
            if not os.path.isfile(path):
                problems.append(f"{name} is not compiled for sm_{chip}")
                continue
            with open(path, encoding="utf-8") as file:
                text = file.read()
            if not re.search(rf"^\.target sm_{chip}\b", text, re.MULTILINE) or ".entry" not in text:
                problems.append(f"{path} holds no kernels for sm_{chip}")
    return problems


class KernelsForChipsTest(unittest.TestCase):
    def test_every_file_is_compiled_for_each(self):
        kernels = files_of_kernels("cuda/kernels/*", "properties/cuda/kernels")
        peers = files_of_kernels("bench/gpu")
        self.assertTrue(kernels and peers)
        if OBJECTS != [""]:
            objects = b"".join(pathlib.Path(path).read_bytes() for path in OBJECTS)
            self.assertEqual(problems_of_objects(objects, kernels + peers), [])
            print(f"nvcc compiled all of {len(kernels + peers)} files")
        elif BY_CLANG:
            self.assertEqual(problems_of_clang(BY_CLANG, kernels), [])
            print(f"nvcc compiled none of {len(kernels + peers)} files, clang {len(kernels)}")
        else:
            self.skipTest("BANKPROOF_GPU is OFF: nothing is compiled for chips")

    def told(self, text):
        """The report of this build's compiler about a kernel's text, for each chip; None if nothing is
        wrong."""
        nvcc = bool(os.environ["BANKPROOF_NVCC"])
        compiler = os.environ["BANKPROOF_NVCC"] or os.environ["BANKPROOF_CLANG_FOR_CHIPS"]
        if not compiler:
            self.skipTest("BANKPROOF_GPU is OFF: nothing is compiled for chips")
        told = {}
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, "planted.cu")
            with open(source, "w", encoding="utf-8") as file:
                file.write(text)
            for chip in CHIPS:
                flags = ([f"-arch=compute_{chip}"] if nvcc else
                         [f"--cuda-gpu-arch=sm_{chip}", *os.environ["BANKPROOF_CLANG_FLAGS"].split()])
                run = subprocess.run(
                    [os.environ["BANKPROOF_FOR_CHIPS"], source, os.path.join(folder, "ptx"), *flags],
                    env={**os.environ, "BANKPROOF_CUDA_COMPILER": compiler}, capture_output=True,
                    text=True, check=False)
                self.assertIn(run.returncode, (0, 3), run.stderr)
                told[chip] = run.stderr if run.returncode else None
        return told

    def test_an_error_for_one_chip_alone_is_told(self):
        told = self.told("__global__ void kernel(int* a) {\n#if __CUDA_ARCH__ >= 900\n"
                         "  a[0] = not_declared;\n#endif\n}\n")
        self.assertIsNone(told[80])
        self.assertIn("not_declared", told[90])

    def test_a_function_that_is_not_the_devices_is_told(self):
        kernel = ("constexpr int twice(int i) { return 2 * i; }\n"
                  "__global__ void kernel(int* a, int i) { a[i] = twice(i); }\n")
        for message in self.told(kernel).values():
            self.assertIn("twice", message)
        marked = self.told("__host__ __device__ " + kernel)
        self.assertEqual(marked, dict.fromkeys(CHIPS))


class CanaryTest(unittest.TestCase):
    @staticmethod
    def program(*files):
        text = b"a program"
        for codes in files:
            body = b"".join(ENTRY.pack(kind, 1, 64, 8) + bytes(CHIP_AT - ENTRY.size) +
                            struct.pack("<I", chip) + bytes(64 - CHIP_AT - 4 + 8)
                            for kind, chip in codes)
            text += MAGIC + struct.pack("<Q", len(body)) + body + b"more"
        return text

    def test_a_chip_or_a_file_left_out_is_told(self):
        whole = [(2, 80), (2, 90), (1, 90)]
        self.assertEqual(problems_of_objects(self.program(whole, whole), ["a.cu", "b.cu"]), [])
        self.assertEqual(problems_of_objects(self.program(whole), ["a.cu", "b.cu"]),
                         ["code of 1 files, not of 2"])
        for left_out in range(3):
            codes = whole[:left_out] + whole[left_out + 1:]
            self.assertIn("one of the files has",
                          problems_of_objects(self.program(whole, codes), ["a.cu", "b.cu"])[0])

    def test_a_file_that_clang_left_out_is_told(self):
        with tempfile.TemporaryDirectory() as folder:
            for chip, text in (80, ".target sm_80\n.entry a"), (90, ".target sm_80\n.entry a"):
                with open(os.path.join(folder, f"a.cu.sm_{chip}.ptx"), "w", encoding="utf-8") as file:
                    file.write(text)
            self.assertEqual(len(problems_of_clang(folder, ["a.cu"])), 1)
            self.assertEqual(len(problems_of_clang(folder, ["a.cu", "b.cu"])), 3)


if __name__ == "__main__":
    unittest.main()
