"""Plants documents with false statements; ci/docs.py has to catch each of them."""

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
LIST = "ci/commands.txt"
NOT_RUN = {LIST: "# words\n\\./ci/test.*  a reason\ngit clone .*  another\n"}
TOOL = {"bankproof": "#!/bin/sh\n[ $1 != bad ] || exit 4\necho ran $1\n"}


class DocsTest(unittest.TestCase):
    def docs(self, readme, files=None, *options, path=None):
        """The exit code and the output of the check for a tree with this README."""
        root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, root)
        for name, content in {**(files or {}), "README.md": readme}.items():
            os.makedirs(os.path.dirname(os.path.join(root, name)), exist_ok=True)
            with open(os.path.join(root, name), "w", encoding="utf-8") as file:
                file.write(content)
            os.chmod(os.path.join(root, name), 0o755)
        run = subprocess.run([sys.executable, DOCS, root, "--include", root, *options],
                             capture_output=True, text=True,
                             env={**os.environ, "PATH": f"{path or root}:{os.environ['PATH']}"})
        return run.returncode, run.stdout

    def assert_good(self, readme, files=None):
        code, output = self.docs(readme, files)
        self.assertEqual(code, 0, output)

    def assert_bad(self, readme, place, words, files=None):
        code, output = self.docs(readme, files)
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
        self.assert_bad(ECHO + block("sh", "./ci/test", "git clone x") + block("text", "x"), 14,
                        "not run", NOT_RUN)

    def test_catches_having_checked_nothing(self):
        self.assertEqual(self.docs("words\n")[0], 3)
        self.assertEqual(self.docs(block("sh", "./ci/test", "git clone x"), NOT_RUN)[0], 3)

    def test_runs_commands_in_text(self):
        self.assert_good("Either `./bankproof good` or `bankproof good`, not `bankproof` or `x y`.\n", TOOL)
        self.assert_bad("It is\n`bankproof bad`.\n", 2, "exit 4 of `./bankproof bad`", TOOL)
        self.assert_bad("It is `./nothing`.\n", 1, "exit 127 of `./nothing`")
        self.assert_bad("| `python3 -c 'exit(5)'` |\n", 1, "exit 5")

    def test_a_command_in_text_may_be_one_of_a_block(self):
        self.assert_good("As `bankproof bad`:\n" + block("sh", "./bankproof bad # exit 4"), TOOL)
        self.assert_bad("As `./bankproof bad x`:\n" + block("sh", "./bankproof bad # exit 4"), 1,
                        "exit 4", TOOL)

    def test_a_command_that_is_not_run_stands_on_the_list(self):
        text = ECHO + "`./ci/test -R x` and `git clone x`\n"
        self.assert_good(text, NOT_RUN)
        code, output = self.docs(ECHO + "`./ci/test`\n", NOT_RUN)
        self.assertEqual(code, 1)
        self.assertIn(f"{LIST}:3: no document has a command `git clone .*`", output)
        code, output = self.docs(text, {LIST: NOT_RUN[LIST].replace("  another", "")})
        self.assertEqual(code, 1)
        self.assertIn(f"{LIST}:3: no reason", output)

    def test_commands_of_nvcc_are_run_with_the_toolkit(self):
        text = ECHO + "`nvcc good` and `./bankproof bad`\n" + block("sh", "nvcc x")
        programs = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, programs)
        nvcc = os.path.join(programs, "nvcc")
        with open(nvcc, "w", encoding="ascii") as file:
            file.write("#!/bin/sh\necho called; [ $1 = good ]\n")
        os.chmod(nvcc, 0o755)
        self.assert_good(ECHO + "`nvcc bad`\n")
        code, output = self.docs(text, TOOL, "--toolkit", path=programs)
        self.assertEqual((code, output.count(": exit 1")), (1, 1), output)
        self.assertIn("README.md:12: exit 1, not 0; it printed:\ncalled", output)
        self.assertIn("README.md:8: exit 1 of `nvcc bad`",
                      self.docs("\n" * 7 + "`nvcc bad`\n", {}, "--toolkit", path=programs)[1])
        self.assertEqual(self.docs(ECHO, {}, "--toolkit")[0], 3)


if __name__ == "__main__":
    unittest.main()
