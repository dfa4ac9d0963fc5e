"""Runs ci/gpu --counters in a scratch tree, with stand-ins for the program and for Nsight Compute."""

import os
import unittest

from gpu_stand_ins import CHECK, COUNTED, IDEAL, WAVEFRONTS, GpuCase


class Counters(GpuCase):
    def test_counters_as_predicted(self):
        self.assert_ends(0, "2 scenarios as predicted, 2 left out", "--counters", "--write")
        with open(self.path("tree/docs/fidelity.md"), encoding="utf-8") as file:
            document = file.read()
        for words in ["A GPU (sm_9.0)", "| sum.int32 | 7/0 | 1200/0 | 0/0 | 0/0 | 0 | 1200/900 | yes |",
                      "| shared-load | 8 | 1 |", "scan.int32 (`st.volatile.global.u32`)"]:
            self.assertIn(words, document)
        self.assertEqual(self.gpu("--counters", "--write")[0], 0, "it can be written again")

    def test_another_count_is_a_failure(self):
        COUNTED[2][1][WAVEFRONTS] = 2
        self.addCleanup(COUNTED[2][1].update, {WAVEFRONTS: 1})
        output = self.assert_ends(1, "1 counters are not as predicted", "--counters")
        self.assertIn(f"microkernel.shared-load.8.pair-1: {WAVEFRONTS} is 2, predicted 1", output)
        with open(self.path("out/counters.md"), encoding="utf-8") as file:
            self.assertIn("**2** (predicted 1)", file.read())

    def test_a_cross_check_that_disagrees_is_a_failure(self):
        COUNTED[0][1][CHECK] = 1100
        self.addCleanup(COUNTED[0][1].update, {CHECK: 1200})
        output = self.assert_ends(1, "1 cross-checks disagree", "--counters")
        self.assertIn(f"sum.int32: {CHECK} is 1100, wavefronts of loads and of stores are 1200", output)

    def test_without_a_cross_check_counters_are_compared_and_nothing_passes(self):
        self.says["unknown"] = [IDEAL]
        output = self.assert_ends(3, "2 scenarios as predicted", "--counters")
        self.assertIn(f"not cross-checked: this chip has no {IDEAL}", output)
        with open(self.path("out/counters.md"), encoding="utf-8") as file:
            self.assertIn("| not read | yes |", file.read())

    def test_other_launches_are_a_failure(self):
        self.says["launches"] = COUNTED[:2]
        self.assert_ends(1, "no further launch", "--counters")
        self.says["launches"] = COUNTED[1:]
        self.assert_ends(1, "profiled void ns::load_from_shared", "--counters")
        self.says["launches"] = COUNTED + COUNTED[:1]
        self.assert_ends(1, "1 launches more than predicted", "--counters")

    def test_counters_that_cannot_be_read_are_no_pass(self):
        self.says["ncu"] = "ERR_NVGPUCTRPERM - no permission"
        self.assert_ends(3, "counters are closed to this user", "--counters")
        self.says["ncu"] = "LibraryNotLoaded"
        self.assert_ends(3, "the counters cannot be read", "--counters")
        os.remove(self.path("bin/ncu"))
        self.assert_ends(3, "ncu is not installed", "--counters")


if __name__ == "__main__":
    unittest.main()
