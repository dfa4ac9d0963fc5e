"""Changes files of a repository, and asks ci/changed.py which of them have changed code."""

import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["BANKPROOF_SOURCE"], "ci"))
import changed  # noqa: E402

SOURCE = """// Adds two numbers, as a stranger would expect of a function of this name.
#include "numbers.hpp"
#include "other/text.hpp"

/// The sum of both.
int sum(int a, int b) { return a + b; }  // NOLINT(readability)
const char* const address = "https://a/";
"""


class ChangedTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = os.path.realpath(folder.name)
        self.git("init", "-q")
        self.write("a/sum.cpp", SOURCE)
        self.commit()

    def git(self, *words):
        subprocess.run(["git", "-C", self.root, "-c", "user.name=n", "-c", "user.email=e", *words], check=True)

    def write(self, path, text):
        os.makedirs(os.path.dirname(os.path.join(self.root, path)), exist_ok=True)
        with open(os.path.join(self.root, path), "w", encoding="utf-8") as file:
            file.write(text)

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-qm", "x")

    def expect(self, paths, text, path="a/sum.cpp"):
        """Expects that code has changed in these paths once this text has replaced the source."""
        os.remove(os.path.join(self.root, "a/sum.cpp"))
        self.write(path, text)
        self.assertEqual(changed.changed(self.root, "HEAD"), paths if path == "a/sum.cpp" else [path])
        self.git("add", "-A")
        self.assertEqual(changed.changed(self.root, "HEAD"), paths)

    def test_nothing(self):
        self.expect([], SOURCE)

    def test_comments_and_blanks(self):
        self.expect([], SOURCE.replace("// Adds two numbers, as", "// Adds, as\n//").replace("a + b", "a +  b"))

    def test_a_moved_file_with_other_includes(self):
        moved = SOURCE.replace('"numbers.hpp"', '"../a/numbers.hpp"').replace("other/", "../other/")
        self.expect([], moved, "b/c/sum.cpp")

    def test_code(self):
        self.expect(["a/sum.cpp"], SOURCE.replace("a + b", "a - b"))

    def test_code_in_a_moved_file(self):
        self.expect(["b/sum.cpp"], SOURCE.replace("a + b", "a - b"), "b/sum.cpp")

    def test_one_include_more(self):
        self.expect(["a/sum.cpp"], '#include "words.hpp"\n' + SOURCE)

    def test_a_message(self):
        self.expect([], SOURCE.replace("//a/", "//b/"))

    def test_an_escape_in_a_message(self):
        self.expect(["a/sum.cpp"], SOURCE.replace("//a/", "//\\x07/"))

    def test_what_is_behind_a_string_that_looks_like_a_comment(self):
        self.expect(["a/sum.cpp"], SOURCE.replace('a/";', 'a/" "b";'))

    def test_a_comment_for_clang_tidy(self):
        self.expect(["a/sum.cpp"], SOURCE.replace("  // NOLINT(readability)", ""))

    def test_a_new_file(self):
        self.write("a/new.cpp", "int x;\n")
        self.assertEqual(changed.changed(self.root, "HEAD"), ["a/new.cpp"])
        self.commit()
        self.assertEqual(changed.changed(self.root, "HEAD~1"), ["a/new.cpp"])

    def test_without_a_base_all(self):
        self.assertEqual(changed.changed(self.root, None), ["a/sum.cpp"])


if __name__ == "__main__":
    unittest.main()
