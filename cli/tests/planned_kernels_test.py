"""From a plan to a running kernel: with the plan.h that `schedule` writes, a user's own kernel and
the kernels of cuda/ move every element, and no access of a warp to shared memory conflicts.
"""

import os
import unittest

from kernel_support import can_compile, words
from plan_support import PlanFolder, lanes_of
from program import CLEAN, needs, run

SOURCE = os.environ["BANKPROOF_SOURCE"]
CAN_COMPILE = can_compile()

# One block makes b from a; %s is the code between the barriers.
KERNEL = """#include "plan/plan.h"
%s
__global__ void permute(const unsigned* in, unsigned* out) {
  __shared__ unsigned a[BANKPROOF_N], b[BANKPROOF_N];
  for (unsigned i = threadIdx.x; i < BANKPROOF_N; i += blockDim.x) a[i] = in[i];
  __syncthreads();
  %s
  __syncthreads();
  for (unsigned i = threadIdx.x; i < BANKPROOF_N; i += blockDim.x) out[i] = b[i];
}
"""
OWN = KERNEL % ("", """
  for (unsigned j = threadIdx.x; j < BANKPROOF_LANES; j += blockDim.x)
    if (bankproof_s(j) >= 0) b[bankproof_d(j)] = a[bankproof_s(j)];""")
WITH_THE_KERNELS = KERNEL % ("#include <cuda/kernels/permutation/permutation.cuh>", """
  bankproof::cuda::kernels::permute<unsigned>(
      a, b, BANKPROOF_N, BANKPROOF_LANES, [](unsigned j) { return unsigned(bankproof_s(j)); },
      [](unsigned j) { return unsigned(bankproof_d(j)); }, threadIdx.x, blockDim.x);""")


class PlannedKernels(PlanFolder):
    def moved(self, kernel, n):
        """Returns 0, 1, 2, … as the kernel moves them; fails on a conflict or another fault."""
        source = self.file("permute.cu", kernel)
        after = os.path.join(self.folder, "after.npy")
        result = run("kernel", source, "--grid", "1", "--block", "256", "--max-excess", "0",
                     "buffer:u32:%d=iota" % n, "buffer:u32:%d" % n, "--save", "1=" + after,
                     "-I", self.folder, "-I", SOURCE, "--", "-std=c++20")
        self.assertEqual((result.stderr, result.returncode), (b"", CLEAN), result.stdout.decode())
        return words(self.read(after), n)

    def expect_moved(self, specification, n):
        self.schedule(specification, "--emit", "npy,c")
        s, d = (lanes_of(os.path.join(self.plan, name))[0] for name in ("s.npy", "d.npy"))
        expected = [None] * n
        for source, target in zip(s, d):
            if source != -1:
                expected[target] = source
        self.assertNotIn(None, expected)
        for kernel in (OWN, WITH_THE_KERNELS):
            self.assertEqual(self.moved(kernel, n), expected)
        return expected

    @needs(CAN_COMPILE, "a compiler of CUDA")
    def test_by_tables(self):
        self.expect_moved("random:1000", 1000)

    @needs(CAN_COMPILE, "a compiler of CUDA")
    def test_by_a_closed_form(self):
        expected = [int(format(i, "010b")[::-1], 2) for i in range(1024)]
        self.assertEqual(self.expect_moved("bit-reversal:1024", 1024), expected)


if __name__ == "__main__":
    unittest.main()
