"""Runs `schedule` as a program: an independent check finds its plans right, and their headers
compile and agree with them."""

import hashlib
import os
import subprocess
import unittest

from plan_support import PlanFolder, lanes_of
from program import CLEAN, USAGE, run

ALL = ("identity:1", "identity:8", "transpose:32x32", "bit-reversal:1024", "shuffle:1024",
       "morton:32x32", "nchw-to-nhwc:2x3x32x32", "random:1000", "random:100", "identity:33")



class Plans(PlanFolder):
    """Plans are right, and so are their reports."""

    def test_bank_plans_are_right(self):
        for specification in ALL:
            for width in ("1", "2", "7", "32", "100"):
                with self.subTest(specification, width=width):
                    about = self.expect_plan(specification, "--width", width)
                    self.assertEqual((about["format"], about["version"]), ("bankproof-plan", 1))
                    self.assertEqual(about["width"], int(width))

    def test_schedules_are_right(self):
        for specification in ALL:
            for width in ("2", "7", "32"):
                with self.subTest(specification, width=width):
                    about = self.expect_plan(specification, "--width", width, "--global")
                    self.assertEqual(about["kind"], "scheduled")

    def test_a_closed_form_where_there_is_one(self):
        self.assertEqual(self.expect_plan("bit-reversal:1024")["kind"], "affine")
        self.assertEqual(self.expect_plan("bit-reversal:1024", "--width", "24")["kind"], "banks")
        text = self.schedule("random:1024")
        self.assertIn("no closed form: not affine over GF(2), as P(3) shows", text)
        self.assertIn("no closed form: 1000 elements are not a power of two",
                      self.schedule("random:1000"))
        self.assertIn("no closed form: width 24 is not a power of two",
                      self.schedule("shuffle:64", "--width", "24"))

    def test_the_plan_does_not_depend_on_the_threads(self):
        for options in ((), ("--global",)):
            digests = set()
            for threads in ("1", "2"):
                self.schedule("random:1500000", "--threads", threads, *options)
                digests.add(tuple(hashlib.sha256(self.read(os.path.join(self.plan, name))).digest()
                                  for name in sorted(os.listdir(self.plan))))
            self.assertEqual(len(digests), 1)

    def test_the_summary_compares_before_and_after(self):
        text = self.schedule("bit-reversal:1024", "--machine", "dmm:l=5,p=512")
        self.assertRegex(text, r"writing b\[P\(i\)\] = a\[i\] +1024 +32\n")
        # 2·32 + 1024 + 3·2·4 designated; 2·32 + 2·2·4 in place
        self.assertRegex(text, r"dmm:w=32,l=5,p=512 +1112 +80 ")
        text = self.schedule("random:4096", "--global", "--machine", "hmm:d=1,l=1,L=10,p=4096")
        # 32n/w + 16L − 16 for one DMM
        self.assertRegex(text, r"hmm:w=32,l=1,L=10,d=1,p=4096 +\d+ +%d " % (32 * 128 + 160 - 16))

    def test_without_output_nothing_is_written(self):
        result = run("schedule", "shuffle:64", cwd=self.folder)
        self.assertEqual(result.returncode, CLEAN)
        self.assertEqual(os.listdir(self.folder), [])


class Headers(PlanFolder):
    """plan.h compiles as C without a warning and agrees with the arrays."""

    MAIN = """
#include <stdio.h>
#include "plan.h"
int main(void) {
%s
  return 0;
}
"""

    def compiled_output(self, body):
        main = self.file("main.c", self.MAIN % body)
        program = os.path.join(self.folder, "main")
        subprocess.run(["c++", "-x", "c", "-std=c99", "-Wall", "-Wextra", "-Werror", "-I", self.plan,
                        main, "-o", program], check=True)
        out = subprocess.run([program], stdout=subprocess.PIPE, check=True).stdout.decode()
        return [int(word) for word in out.split()]

    def test_bank_plans(self):
        for specification in ALL:
            for width in ("2", "7", "32"):
                with self.subTest(specification, width=width):
                    self.schedule(specification, "--width", width, "--emit", "npy,c")
                    out = self.compiled_output(
                        "  for (uint32_t j = 0; j < BANKPROOF_LANES; ++j)\n"
                        '    printf("%d %d\\n", (int)bankproof_s(j), (int)bankproof_d(j));')
                    (s,), (d,) = (lanes_of(os.path.join(self.plan, name))
                                  for name in ("s.npy", "d.npy"))
                    self.assertEqual(out, [n for pair in zip(s, d) for n in pair])

    def test_schedules(self):
        self.schedule("random:1000", "--width", "16", "--global", "--emit", "npy,c")
        about = self.json()
        for number, names in enumerate(about["passes"], 1):
            out = self.compiled_output(
                "  for (uint32_t r = 0; r < BANKPROOF_ROWS_%d; ++r)\n"
                "    for (uint32_t j = 0; j < BANKPROOF_LANES_%d; ++j)\n"
                '      printf("%%d %%d\\n", (int)bankproof_s%d(r, j), (int)bankproof_d%d(r, j));\n'
                % (number, number, number, number) +
                "\n".join("  (void)bankproof_%s%d;" % (letter, k)
                          for k in (1, 2, 3) for letter in "sd"))
            s, d = (sum(lanes_of(os.path.join(self.plan, names[k])), []) for k in "sd")
            self.assertEqual(out, [n for pair in zip(s, d) for n in pair])

    def test_a_program_can_have_several(self):
        for prefix in ("first", "second"):
            self.schedule("random:40", "--width", "8", "--emit", "npy,c", "--prefix", prefix,
                          output=os.path.join(self.folder, prefix))
        main = self.file("main.c", '#include "first/plan.h"\n#include "second/plan.h"\n'
                         "int main(void) {\n  return FIRST_LANES != SECOND_LANES ||\n"
                         "         first_s(0) != second_s(0) || first_d(1) != second_d(1);\n}\n")
        program = os.path.join(self.folder, "main")
        subprocess.run(["c++", "-x", "c", "-std=c99", "-Wall", "-Wextra", "-Werror", main, "-o",
                        program], check=True)
        subprocess.run([program], check=True)
        for prefix in ("1st", "a-b"):
            result = run("schedule", "random:40", "--prefix", prefix)
            self.assertEqual(result.returncode, USAGE)
            self.assertIn(b"no digit first", result.stderr)

    def test_a_name_cannot_end_the_comment(self):
        os.makedirs(os.path.join(self.folder, "x*", "*y"))
        source = self.file("x*/*y/p", "1 0")
        result = run("schedule", source, "--emit", "c", "-o", self.plan)
        self.assertEqual(result.returncode, CLEAN)
        text = self.read(os.path.join(self.plan, "plan.h")).decode()
        self.assertEqual((text.count("/*"), text.count("*/")), (1, 1))

    def test_tables_too_long_for_compilers_are_refused(self):
        result = run("schedule", "random:1048577", "--emit", "c", "-o", self.plan)
        self.expect_failure(result, USAGE,
                            "--emit c: tables of 1048608 lanes are too large for a header, which "
                            "has at most 1048576: compilers are slow on larger tables; load the "
                            ".npy files instead")
        self.assertFalse(os.path.exists(self.plan))
        self.schedule("bit-reversal:2097152", "--emit", "c")  # a closed form has none
        self.assertEqual(sorted(os.listdir(self.plan)), ["plan.h", "plan.json"])


if __name__ == "__main__":
    unittest.main()
