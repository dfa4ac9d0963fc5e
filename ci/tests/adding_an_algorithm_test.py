"""Follows docs/adding-an-algorithm.md in a copy of the tree: makes its files and runs its commands. The
resulting suite has to run, to pass, and to fail when the algorithm is wrong."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.environ["BANKPROOF_SOURCE"]
sys.path.insert(0, os.path.join(SOURCE, "ci"))
from fences import blocks_of  # noqa: E402
import tree  # noqa: E402

DOCUMENT = "docs/adding-an-algorithm.md"


class AddingAnAlgorithmTest(unittest.TestCase):
    def setUp(self):
        self.tree = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.tree)
        for path in tree.paths(SOURCE):
            target = os.path.join(self.tree, path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy(os.path.join(SOURCE, path), target)

    def run_in_tree(self, command):
        return subprocess.run(["bash", "-ec", command], cwd=self.tree, capture_output=True, text=True,
                              check=False, timeout=500)

    def succeed(self, command):
        run = self.run_in_tree(command)
        self.assertEqual(run.returncode, 0, f"{command}:\n{run.stdout[-3000:]}{run.stderr[-3000:]}")
        return run.stdout

    def test_its_steps_make_an_algorithm_with_a_suite(self):
        made = []
        with open(os.path.join(SOURCE, DOCUMENT), encoding="utf-8") as file:
            blocks = blocks_of(DOCUMENT, file.read())
        for block in blocks:
            if block.new_file:
                self.assertFalse(os.path.exists(os.path.join(self.tree, block.new_file)))
                with open(os.path.join(self.tree, block.new_file), "w", encoding="utf-8") as file:
                    file.write(block.text())
                made.append(block.new_file)
            elif block.language == "sh" and "cmake" in block.text():
                # Without optimization, which halves the time.
                text = block.text().replace("--preset release", "--preset release "
                                            "-DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0")
                output = self.succeed(text)
                self.assertRegex(output, r"\[  PASSED  \] 6 tests")
            elif block.language == "sh":
                self.succeed(block.text())
        self.assertEqual(made, ["oracles/differences.hpp", "algorithms/differences.hpp",
                                "properties/differences.cpp"])
        self.knows_it_in_the_catalog()
        self.fails_when_the_closed_form_is_wrong()

    def knows_it_in_the_catalog(self):
        """Everything that the command line needs of the algorithm compiles."""
        with open(os.path.join(self.tree, "algorithms/catalog/catalog.hpp"), encoding="utf-8") as file:
            self.assertRegex(file.read(), r"std::tuple<Differences, ")
        self.succeed(f"{os.environ['CXX']} -std=c++20 -fsyntax-only cli/run/entry.cpp")

    def fails_when_the_closed_form_is_wrong(self):
        header = os.path.join(self.tree, "algorithms/differences.hpp")
        with open(header, encoding="utf-8") as file:
            text = file.read()
        wrong = re.sub(r"Run<N>\{start \+ N\(1\), count\}", "Run<N>{start, count}", text)
        self.assertNotEqual(text, wrong)
        with open(header, "w", encoding="utf-8") as file:
            file.write(wrong)
        self.succeed("cmake --build build --target properties_differences")
        run = self.run_in_tree("build/bin/properties_differences")
        self.assertEqual(run.returncode, 1)
        self.assertIn("[  FAILED  ] Differences.takes_the_closed_time_in_lockstep", run.stdout)


if __name__ == "__main__":
    unittest.main()
