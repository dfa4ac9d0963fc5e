"""Checks which headers ci/headers.py lists, in a made-up repository."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.environ["BANKPROOF_SOURCE"]
FILES = {"model/a.hpp": "// a\n", "cli/b.hpp": '#include "c.hpp"\n',
         "cli/c.hpp": '#include "../model/a.hpp"\n', "cli/d.hpp": "// d\n",
         "cmake/headers.cmake": "# none\n"}


class HeadersTest(unittest.TestCase):
    def setUp(self):
        self.root = os.path.realpath(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        for path, text in FILES.items():
            self.write(path, text)
        self.git("init", "-q")
        self.git("add", ".")
        self.git("-c", "user.name=x", "-c", "user.email=x@localhost", "commit", "-q", "-m", "all")

    def write(self, path, text):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def git(self, *words):
        subprocess.run(["git", "-C", self.root, *words], check=True, stdout=subprocess.DEVNULL)

    def concerned(self, base="HEAD"):
        run = subprocess.run([sys.executable, os.path.join(SOURCE, "ci", "headers.py"), self.root],
                             env={**os.environ, "BANKPROOF_BASE": base}, capture_output=True,
                             text=True, check=False)
        if run.returncode:
            return run.stderr
        prefix, suffix = "CMakeFiles/headers.dir/headers/", ".cpp.o"
        for line in run.stdout.splitlines():
            self.assertTrue(line.startswith(prefix) and line.endswith(suffix), line)
        return [line[len(prefix):-len(suffix)] for line in run.stdout.splitlines()]

    def test_nothing_has_changed(self):
        self.assertEqual(self.concerned(), [])

    def test_a_header_concerns_those_that_include_it(self):
        self.write("model/a.hpp", "// a\nint changed;\n")
        self.assertEqual(self.concerned(), ["cli/b.hpp", "cli/c.hpp", "model/a.hpp"])

    def test_comments_and_moves_concern_nothing(self):
        self.write("model/a.hpp", "// changed\n")
        self.write("cmake/headers.cmake", "# changed\n")
        self.git("mv", "cli/d.hpp", "model/d.hpp")
        self.assertEqual(self.concerned(), [])

    def test_another_include_concerns_a_header(self):
        self.write("cli/c.hpp", '#include "d.hpp"\n')
        self.assertEqual(self.concerned(), ["cli/b.hpp", "cli/c.hpp"])

    def test_tests_of_the_tree_concern_nothing(self):
        self.write("ci/CMakeLists.txt", "add_test(more)\n")
        self.write("examples/cuda/CMakeLists.txt", "project(more)\n")
        self.assertEqual(self.concerned(), [])

    def test_a_new_header_is_concerned(self):
        self.write("cli/e.hpp", "// e\n")
        self.assertEqual(self.concerned(), ["cli/e.hpp"])

    def test_a_header_that_is_gone_concerns_those_that_include_it(self):
        os.remove(os.path.join(self.root, "model/a.hpp"))
        self.assertEqual(self.concerned(), ["cli/b.hpp", "cli/c.hpp"])

    def test_a_folder_that_is_not_the_tree(self):
        os.remove(os.path.join(self.root, "cmake/headers.cmake"))
        self.assertEqual(self.concerned(), f"headers: {self.root} is not the tree: it has no "
                                           "cmake/headers.cmake\n")

    def test_how_everything_is_compiled_concerns_all(self):
        self.write("cmake/headers.cmake", "# none\nset(more 1)\n")
        self.assertEqual(self.concerned(), ["cli/b.hpp", "cli/c.hpp", "cli/d.hpp", "model/a.hpp"])

    def test_how_a_room_is_compiled_concerns_all(self):
        for path in ("CMakeLists.txt", "cli/CMakeLists.txt", "properties/cuda/kernels/gpu.cmake"):
            self.write(path, "set(more 1)\n")
            self.assertEqual(self.concerned(), ["cli/b.hpp", "cli/c.hpp", "cli/d.hpp", "model/a.hpp"])
            os.remove(os.path.join(self.root, path))

    def test_a_base_that_is_no_commit(self):
        self.assertEqual(self.concerned("nowhere"), "git cannot compare with nowhere\n")


if __name__ == "__main__":
    unittest.main()
