"""Plants each violation that ci/layout.py knows; the check has to report that violation and no other."""

import os
import subprocess
import sys
import tempfile
import unittest

LAYOUT = os.path.join(os.environ["BANKPROOF_SOURCE"], "ci", "layout.py")
GOOD = "// A good header.\n#pragma once\n"
PLAN = """# Floors

| room | may include | holds |
|---|---|---|
| `oracles/` | | |
| `model/` | | |
| `algorithms/` | `model/` `oracles/` | |
| `testing/` | `model/` `algorithms/` | |
| `model/chips/` | `model/` | |
| `bench/` `properties/` | `model/` `testing/` | |
| `cli/` | `model/` | |
"""
SCRIPT = "#!/usr/bin/env bash\n# A good script.\n"


def layout(files):
    """The exit code and the output lines of the check for a tree of these files and a plan."""
    files = {"docs/architecture.md": PLAN, **files}
    with tempfile.TemporaryDirectory() as root:
        for path, content in files.items():
            os.makedirs(os.path.dirname(os.path.join(root, path)) or root, exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(content)
        run = subprocess.run([sys.executable, LAYOUT, root], capture_output=True, text=True)
        return run.returncode, run.stdout.splitlines()


class LayoutTest(unittest.TestCase):
    def assert_finds(self, path, content, line, words, more=None):
        """The check reports exactly one problem in a tree with this file and some good ones."""
        good = {"model/good.hpp": GOOD, "oracles/good.hpp": GOOD, "algorithms/good.hpp": GOOD,
                "cli/good.hpp": GOOD, "cli/tests/good.hpp": GOOD, "testing/good.hpp": GOOD}
        code, lines = layout({**good, **(more or {}), path: content})
        self.assertEqual(code, 1, lines)
        self.assertEqual(len(lines), 1, lines)
        self.assertTrue(lines[0].startswith(f"{path}:{line}: "), lines)
        self.assertIn(words, lines[0])

    def test_accepts_a_good_tree(self):
        self.assertEqual(layout({"model/good.hpp": GOOD, "ci/run": SCRIPT})[0], 0)

    def test_reports_having_checked_nothing(self):
        self.assertEqual(layout({"README.md": "words\n"})[0], 3)

    def test_finds_includes_against_the_direction(self):
        for here, there in [("model", "oracles"), ("oracles", "model"), ("model", "algorithms"),
                            ("algorithms", "testing"), ("testing", "cli"), ("bench", "cli"),
                            ("properties", "cli"), ("algorithms/a/b", "testing"), ("testing", "model/chips")]:
            with self.subTest(here=here, there=there):
                up = "/".join(".." for _ in here.split("/"))
                good = {f"{there}/good.hpp": GOOD}
                room = here.split("/")[0]
                for line in f'#include "{up}/{there}/good.hpp"', f"#include <bankproof/{there}/good.hpp>":
                    self.assert_finds(f"{here}/bad.cpp", f"// Bad.\n{line}\n", 2,
                                      f"{room}/ must not include {there}/", good)

    def test_accepts_includes_in_the_direction(self):
        for path, line in (("algorithms/a/b/fine.cpp", '#include "../../../model/good.hpp"'),
                           ("model/chips/fine.hpp", "#pragma once\n#include <bankproof/model/good.hpp>"),
                           ("bench/fine.cpp", '#include "../testing/good.hpp"')):
            with self.subTest(path):
                code, lines = layout({"model/good.hpp": GOOD, "testing/good.hpp": GOOD,
                                      path: f"// Fine.\n{line}\n"})
                self.assertEqual(code, 0, lines)

    def test_finds_a_circle_of_folders(self):
        circle = {"cli/a/x.hpp": f'{GOOD}#include "../b/y.hpp"\n', "cli/b/y.hpp": f'{GOOD}#include "z.hpp"\n',
                  "cli/b/z.hpp": GOOD}
        code, lines = layout(circle)
        self.assertEqual(code, 0, lines)
        code, lines = layout({**circle, "cli/b/v.hpp": f'{GOOD}#include "../c/w.hpp"\n',
                              "cli/c/w.hpp": f'{GOOD}#include <bankproof/cli/a/x.hpp>\n'})
        self.assertEqual((code, len(lines)), (1, 1), lines)
        self.assertIn("cli/a/x.hpp:3: closes a circle of folders: cli/a/ -> cli/b/ -> cli/c/ -> cli/a/", lines[0])
        code, lines = layout({"cli/x.hpp": f'{GOOD}#include "a/y.hpp"\n',
                              "cli/a/y.hpp": f'{GOOD}#include "../z.hpp"\n', "cli/z.hpp": GOOD})
        self.assertEqual((code, len(lines)), (1, 1), lines)
        self.assertIn("cli/ -> cli/a/ -> cli/", lines[0])

    def test_finds_a_source_in_no_room(self):
        self.assert_finds("elsewhere/good.hpp", GOOD, 1, "in no room of docs/architecture.md")
        self.assert_finds("good.hpp", GOOD, 1, "in no room of docs/architecture.md")

    def test_finds_a_plan_that_is_none(self):
        row = PLAN.replace("| `oracles/` | |", "| `oracles/` | `cli/` |")
        for plan, words in (("# Floors\n", "has no table of floors"), (row, "cli/ stands on no floor below")):
            with self.subTest(words):
                code, lines = layout({"model/good.hpp": GOOD, "docs/architecture.md": plan})
                self.assertEqual(code, 1)
                self.assertTrue(lines[0].startswith("docs/architecture.md:"), lines)
                self.assertIn(words, lines[0])

    def test_finds_an_include_of_tests_by_others(self):
        self.assert_finds("cli/bad.cpp", '// Bad.\n#include "tests/good.hpp"\n', 2, "only cli/tests/")

    def test_finds_an_include_of_nothing(self):
        self.assert_finds("model/bad.cpp", '// Bad.\n#include "gtest/gtest.h"\n', 2, "not in the tree")

    def test_finds_bad_openings(self):
        self.assert_finds("model/bad.cpp", "int x;\n", 1, "open with a comment")
        self.assert_finds("ci/bad.py", "import os\n", 1, "open with a comment")
        self.assert_finds("model/bad.hpp", "// Bad.\n#include <a>\n#pragma once\n", 2, "pragma once")

    def test_finds_using_namespace_in_a_header(self):
        self.assert_finds("model/bad.hpp", GOOD + "using namespace std;\n", 3, "using namespace")

    def test_finds_a_long_file(self):
        self.assert_finds("model/bad.cpp", "// Bad.\n" * 401, 401, "401 lines")

    def test_finds_unclean_text(self):
        self.assert_finds("model/bad.cpp", "// Bad.\n\tint x;\n", 2, "a tab")
        self.assert_finds("bad.md", "words \n", 1, "blanks")
        self.assert_finds("model/bad.cpp", "// Bad.", 1, "no newline")
        self.assert_finds("model/bad.cpp", "", 1, "an empty file")
        self.assert_finds("bad.md", "see /ro" "ot/x\n", 1, "path of one machine")
        self.assert_finds("model/bad.cpp", "// TO" "DO: more.\n", 1, "unfinished")

    def assert_together(self, first, second, problems):
        """The findings if two files of a folder have these lines in their unnamed namespaces."""
        files = {f"model/{name}.cpp": f"// A source.\nnamespace {{\n{text}\n}}  // namespace\n"
                 for name, text in (("a", first), ("b", second))}
        self.assertEqual([line.split(" ", 1)[0] + " " + line.split(" ", 2)[1]
                          for line in layout({"model/good.hpp": GOOD, **files})[1] if ".cpp:" in line],
                         problems)
        apart = {"model/good.hpp": GOOD, "model/a.cpp": files["model/a.cpp"],
                 "oracles/b.cpp": files["model/b.cpp"]}
        self.assertEqual(layout(apart)[0], 0)

    def test_finds_a_name_that_two_files_of_a_folder_have_for_themselves(self):
        for first, second in (("int f() { return 1; }", "int f(int x) { return x; }"),
                              ("struct f {\n  int x;\n};", "constexpr int f = 1;"),
                              ("template <class T>\nT f(T x) {\n  return x;\n}", "enum class f { a };"),
                              ("using f = int;", "using f = long;"),
                              ("std::vector<int> f(\n    int x) {\n  return {x};\n}", "bool f{};")):
            with self.subTest(first, second=second):
                self.assert_together(first, second, ["model/b.cpp:3: f"])
        self.assert_together("using f = int;", "using f = int;", [])
        self.assert_together("namespace n {\nint f = 1;\n}  // namespace n\nint g = 1;",
                             "int f = 1;\nint g = 1;", ["model/b.cpp:4: g"])
        self.assert_together("void g() {\n  h();\n}\nint f = 1;", "void k() {\n  l();\n}\nint f = 1;",
                             ["model/b.cpp:6: f"])
        self.assert_together("struct A {};\nint f(A a);", "struct B {};\nint f(B b);",
                             ["model/b.cpp:4: f"])

    def test_finds_a_function_that_another_file_of_the_folder_would_call(self):
        call = "int g() { return f(1); }"
        self.assert_together("int f(int x) { return x; }", call, ["model/a.cpp:3: f"])
        self.assert_together("int h(int x) { return x; }", call, [])
        self.assert_together("struct A {};\nint f(A a) { return 1; }", call, [])
        self.assert_together("int f(int x) { return x; }", "int g(A a) { return a.f(1) + b::f(1); }", [])
        self.assert_together("int f(int x) { return x; }",
                             "int g() {\n  const auto f = [] { return 1; };\n  return f();\n}", [])


if __name__ == "__main__":
    unittest.main()
