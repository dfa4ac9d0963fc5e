"""Plants documents that lie, and expects ci/docs.py to catch each of them."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

DOCS = os.path.join(os.environ["BANKPROOF_SOURCE"], "ci", "docs.py")


def block(language, *lines):
    return "\n".join([f"```{language}", *lines, "```", ""])


ECHO = block("sh", "echo one") + "\nprints\n\n" + block("text", "one")


class DocsTest(unittest.TestCase):
    def docs(self, readme, files=None):
        """The exit code and the output of the check for a tree with this README."""
        root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, root)
        for path, content in {**(files or {}), "README.md": readme}.items():
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(content)
        run = subprocess.run([sys.executable, DOCS, root, "--include", root], capture_output=True,
                             text=True)
        return run.returncode, run.stdout

    def assert_good(self, readme, files=None):
        code, output = self.docs(readme, files)
        self.assertEqual(code, 0, output)

    def assert_bad(self, readme, place, words):
        code, output = self.docs(readme)
        self.assertEqual(code, 1, output)
        self.assertIn(f"README.md:{place}: ", output)
        self.assertIn(words, output)

    def test_accepts_what_is_true(self):
        self.assert_good(ECHO)
        self.assert_good(block("sh", "cd $(mktemp -d)", "x=1", "echo $x", "false # exit 1", "true")
                         + block("text", "1"))
        self.assert_good(block("sh", "seq 9; cat <<X", "text", "X", "echo a \\", "  b")
                         + block("text", "1", "...", "9", "text", "a b"))
        self.assert_good(block("sh", "echo {}") + block("json", "{}") + block("json", "[]"))

    def test_runs_in_a_copy_of_the_tree(self):
        self.assert_good(block("sh", "cat file; rm file; touch new") + block("text", "kept"),
                         {"file": "kept\n"})

    def test_compiles_and_runs_programs(self):
        program = "int main() { std::puts(%s); }"
        self.assert_good(block("cpp", "#include <cstdio>", program % '"x"') + block("text", "x"))
        self.assert_bad(block("cpp", "#include <cstdio>", program % '"x"') + block("text", "y"), 5,
                        "is not what")
        self.assert_bad(block("cpp", program % "1"), 1, "does not compile")
        self.assert_bad(block("cpp", "int main() { return 4; }"), 1, "exit 4")

    def test_compiles_files_that_readers_make_at_their_place(self):
        one = "In `one.hpp`:\n\n" + block("cpp", "#pragma once", "constexpr int one = 1;")
        two = "In `two.cpp`:\n\n" + block("cpp", '#include "one.hpp"', "int two = one + %s;")
        self.assert_good(one + two % "one")
        self.assert_good(one + two % "one" + block("sh", "cat two.cpp | tail -1")
                         + block("text", "int two = one + one;"))
        self.assert_bad(one + two % "three", 9, "does not compile as two.cpp")
        self.assert_bad("In `README.md`:\n\n" + block("cpp", "int x;"), 3, "in the tree already")

    def test_looks_up_what_is_quoted(self):
        self.assert_good(block("cmake", "find_package(x)"), {"CMakeLists.txt": "  find_package(x)\n"})
        self.assert_bad(block("cmake", "find_package(y)"), 1, "no file of the tree")
        self.assert_bad(block("cpp", "missing();"), 1, "does not compile")

    def test_catches_wrong_output(self):
        self.assert_bad(block("sh", "echo one") + block("text", "two"), 4, "is not what")
        self.assert_bad(block("sh", "echo one; echo two") + block("text", "one"), 4, "is not what")
        self.assert_bad(block("sh", "true") + block("text", "..", "..."), 4, "is not what")

    def test_catches_wrong_exits(self):
        self.assert_bad(ECHO + block("sh", "true", "false", "true"), 12, "exit 1, not 0")
        self.assert_bad(block("sh", "true # exit 1"), 2, "exit 0, not 1")
        self.assert_bad(block("sh", "cat <<X # exit 3", "x", "X"), 2, "exit 0, not 3")

    def test_catches_blocks_that_nothing_checks(self):
        self.assert_bad(ECHO + block("", "echo"), 10, "nothing checks")
        self.assert_bad(ECHO + block("console", "$ echo"), 10, "nothing checks")
        self.assert_bad(ECHO + block("json", "{"), 10, "is not JSON")
        self.assert_bad(ECHO + "```sh\ntrue\n", 10, "without an end")
        self.assert_bad(ECHO + block("sh", "./ci/test") + block("text", "x"), 13, "not run")

    def test_catches_having_checked_nothing(self):
        self.assertEqual(self.docs("words\n")[0], 3)
        self.assertEqual(self.docs(block("sh", "./ci/test", "git clone x"))[0], 3)


if __name__ == "__main__":
    unittest.main()
