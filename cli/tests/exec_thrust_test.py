"""Thrust's algorithms by nvcc and by clang, with all checks: programs/thrust_algorithms.cu compares them with
the standard library's, for numbers of items that are drawn here. Both compilers have the toolkit's Thrust.
"""

import os
import random
import unittest

from exec_support import CLANG, FINDING, FLAGS, NVCC, SOURCE, Programs
from program import BANKPROOF, CLEAN, needs

PROGRAM = os.path.join(SOURCE, "cli", "tests", "programs", "thrust_algorithms.cu")
BUILD_LIMIT = 560  # seconds; some 30 where nothing else runs
# A merge of CUB's, and a set operation of Thrust's, reads the item behind the end of a list, and leaves it out
# (docs/kernels.md).
BEHIND_THE_END = "uninitialized block_merge_sort.cuh *\nuninitialized set_operations.h *\n"
SEED = int(os.environ.get("BANKPROOF_SEED", "0")) or random.randrange(1, 10**6)


def sizes():
    """None, one, a part of a warp, a few warps, about a tile of sorts and scans, and more than one."""
    draw = random.Random(SEED)
    return [0, 1, draw.randrange(2, 32), draw.randrange(33, 300), draw.choice([1023, 1024, 2048, 2049]),
            draw.randrange(3000, 6000)]


class Thrust(Programs):
    def check(self, program):
        intended = self.file("intended.txt", BEHIND_THE_END)
        arguments = [str(number) for number in (SEED, *sizes())]
        code, output, report = self.exec(program, *arguments, options=("--suppress", intended), timeout=300)
        again = f"thrust_algorithms {' '.join(arguments)}\n"
        self.assertEqual((code, output), (CLEAN, ""), again + report[-6000:])
        # Blocks of thrust::unique in place overwrite what others have read, with relaxed accesses between
        # (docs/kernels.md).
        code, _, report = self.exec(program, "race", timeout=120)
        self.assertEqual(code, FINDING)
        self.assertRegex(report, r": race: block \d+, thread \d+: store at byte \d+ of 'allocation \d+' "
                                 r"is not ordered with a read by block \d+")

    @needs(NVCC, "nvcc")
    def test_by_nvcc(self):
        program = os.path.join(self.folder, "by_nvcc")
        self.do([NVCC, "-std=c++17", *FLAGS, PROGRAM, "-o", program], limit=BUILD_LIMIT)
        self.check(program)

    @needs(NVCC and CLANG, "nvcc's CCCL, or clang")
    def test_by_clang(self):
        toolkit = os.path.dirname(os.path.dirname(os.path.realpath(NVCC)))
        program = os.path.join(self.folder, "by_clang")
        self.do([BANKPROOF, "nvcc", "-std=c++17", "-g", "--cccl", os.path.join(toolkit, "include", "cccl"),
                 PROGRAM, "-o", program], limit=BUILD_LIMIT, BANKPROOF_CUDA_COMPILER="clang",
                BANKPROOF_CLANG=CLANG)
        self.check(program)


if __name__ == "__main__":
    unittest.main()
