"""Adds a made-up chip to a copy of the tree, by one row of model/gpu/chip_table.hpp, and builds there
the program that makes and checks plans. Its options, help, messages and reports, the prices of kernels and
the numbers for the solvers have to know the chip. No other source of the program may name a chip."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.environ["BANKPROOF_SOURCE"]
sys.path.insert(0, os.path.join(SOURCE, "ci"))
import tree  # noqa: E402

TABLE = "model/gpu/chip_table.hpp"
ROW = """
    {.name = "made_up",
     .shared = {.banks = 16,
                .bank_bytes = 4,
                .words_per_row = 64,
                .lanes_per_group = {32, 32, 32, 16, 8},
                .merging = Merging::if_partners_agree},
     .usual_element_bytes = 2,
     .narrow_sources = detail::vendor_documents,
     .wide_sources = detail::measured_on_an_a100,
     .global_sources = detail::sectors_measured_elsewhere},
"""
END_OF_ROWS = "\n});\nstatic_assert("

# Prints what the option --machine cannot show of a chip: the costs of a kernel's accesses, and the numbers
# for the solvers.
PROBE = """
#include <cstdio>
#include "proofs/formulas/serving.hpp"
#include "ptx/memory/costs.hpp"
int main() {
  using namespace bankproof;
  for (const std::uint32_t bytes : {1u, 4u, 16u}) {
    const auto s = formulas::serving_of(*shared_rule(*find_chip("made_up"), bytes));
    std::printf("%d %u/%u %d %d %u %u\\n", s.by_rows, s.multiply, s.divide, static_cast<int>(s.banks),
                static_cast<int>(s.row), s.lanes, s.merged_lanes);
  }
  ptx::CostCounter counter(ptx::MachineRules::of("made_up"), 1);
  ptx::LaneAddresses addresses;
  for (std::uint32_t lane = 0; lane < 32; ++lane) addresses[lane] = 16 * lane;
  std::printf("%u wavefronts\\n", counter.shared(0, addresses, ~0U, 4).stages);
}
"""

# Files that name certain chips on purpose: a table of a source, theorems, a benchmark.
ABOUT_CHIPS = {TABLE, "cli/tables/ths_4_3.cpp", "proofs/theorems/layouts/wide_accesses.cpp",
               "bench/check.cpp"}
TESTS = ("properties/", "cli/tests/", "ci/", "examples/")


def chips_of(text):
    return re.findall(r'\{\.name = "([^"]+)"', text)


def sources_that_name_chips(root):
    """The sources outside of tests whose strings contain the name of a chip."""
    with open(os.path.join(root, TABLE), encoding="utf-8") as file:
        names = "|".join(map(re.escape, chips_of(file.read())))
    found = set()
    for path in tree.paths(root):
        if not path.endswith((".hpp", ".cpp")) or path.startswith(TESTS):
            continue
        with open(os.path.join(root, path), encoding="utf-8") as file:
            code = re.sub(r"//.*", "", file.read())
        if re.search(rf'"[^"\n]*\b({names})\b[^"\n]*"', code):
            found.add(path)
    return found


class AddingAChipTest(unittest.TestCase):
    def setUp(self):
        self.tree = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.tree)
        for path in tree.paths(SOURCE):
            target = os.path.join(self.tree, path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy(os.path.join(SOURCE, path), target)

    def change(self, path, old, new):
        full = os.path.join(self.tree, path)
        with open(full, encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(text.count(old), 1, f"{path}: {old}")
        with open(full, "w", encoding="utf-8") as file:
            file.write(text.replace(old, new))

    def run_in_tree(self, *words, text=None):
        return subprocess.run(words, cwd=self.tree, capture_output=True, text=True, input=text, check=False,
                              timeout=500)

    def succeed(self, *words, text=None):
        run = self.run_in_tree(*words, text=text)
        self.assertEqual(run.returncode, 0, f"{words}:\n{run.stdout[-3000:]}{run.stderr[-3000:]}")
        return run.stdout

    def test_one_row_is_enough(self):
        self.change(TABLE, END_OF_ROWS, ROW.rstrip("\n") + END_OF_ROWS)
        self.succeed("cmake", "--preset", "release", "-DBANKPROOF_TESTS=OFF", "-DCMAKE_BUILD_TYPE=Debug",
                     "-DCMAKE_CXX_FLAGS_DEBUG=-O0")
        self.succeed("cmake", "--build", "build", "--target", "bankproof_program")
        self.is_in_help_and_messages()
        self.is_the_rule_of_check()
        self.is_in_kernels_and_proofs()

    def check(self, *arguments, text=None):
        return self.run_in_tree("build/bin/bankproof", "check", *arguments, text=text)

    def is_in_help_and_messages(self):
        text = re.sub(r"\s+", " ", self.check("--help").stdout)
        self.assertIn("dmm, umm, kepler-64bit, kepler-32bit, sm_90 or made_up [dmm]", text)
        self.assertIn("[4; kepler-64bit: 8; made_up: 2]", text)
        self.assertIn("did you mean 'made_up'? There are pram, dmm, umm, hmm, async-hmm, kepler-64bit, "
                      "kepler-32bit, sm_90 and made_up",
                      self.check("identity:4", "--machine", "made-up").stderr)
        self.assertIn("kepler-64bit; sm_90 and made_up have one",
                      self.check("identity:4", "--machine", "kepler-64bit", "--memory", "global").stderr)
        self.assertIn("the width of made_up is 32",
                      self.check("identity:4", "--machine", "made_up:w=16").stderr)

    def is_the_rule_of_check(self):
        """Lane i of a warp touches element 4i + k, so the warp asks each of four banks for two rows."""
        stride_4 = " ".join(str(i % 32 * 4 + i // 32) for i in range(128))
        arguments = ("-", "--machine", "made_up", "--access", "destination", "--word-bytes", "4")
        report = json.loads(self.check(*arguments, "--format", "json", text=stride_4).stdout)
        self.assertEqual(report["machine"], "made_up")
        self.assertEqual(report["destination"]["stages"], 4 * 2)
        self.assertIn("2 different 4-word rows", self.check(*arguments, text=stride_4).stdout)
        wide = self.check("identity:64", "--machine", "made_up", "--word-bytes", "16").stdout
        self.assertIn("measured on an A100, not yet on made_up", re.sub(r"\s+", " ", wide))

    def is_in_kernels_and_proofs(self):
        with open(os.path.join(self.tree, "probe.cpp"), "w", encoding="utf-8") as file:
            file.write(PROBE)
        self.succeed(os.environ["CXX"], "-std=c++20", "-I.", "probe.cpp", "ptx/memory/costs.cpp", "-o",
                     "probe")
        self.assertEqual(self.succeed("./probe"), "0 1/4 16 64 32 32\n0 1/1 16 64 32 32\n0 4/1 16 64 8 16\n"
                                                  "2 wavefronts\n")

    def test_no_other_source_names_a_chip(self):
        self.assertEqual(sources_that_name_chips(self.tree), ABOUT_CHIPS)
        with open(os.path.join(self.tree, "cli/planted.cpp"), "w", encoding="utf-8") as file:
            file.write('// "sm_90"\nconst char* const names = "dmm, umm or sm_90";\n')
        self.assertEqual(sources_that_name_chips(self.tree), ABOUT_CHIPS | {"cli/planted.cpp"})

    def test_a_row_that_no_rule_can_follow_does_not_compile(self):
        self.change(TABLE, END_OF_ROWS, ROW.rstrip("\n").replace("16,", "24,", 1) + END_OF_ROWS)
        run = self.run_in_tree(os.environ["CXX"], "-std=c++20", "-fsyntax-only", "-x", "c++", TABLE)
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("static assertion failed", run.stderr)


if __name__ == "__main__":
    unittest.main()
