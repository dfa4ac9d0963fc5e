"""Runs ci/concerned.py on a made-up tree, with a stand-in for ctest that knows seven tests, and with
ctest itself."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.environ["BANKPROOF_SOURCE"]
CTEST = '#!/usr/bin/env bash\n[[ $1 == --test-dir && $3 == --show-only=json-v1 ]] && cat "$2/tests.json"\n'
FILES = {"model/a.hpp": "// a", "cuda/headers/x.h": "// x", "cuda/k.cu": "// k",
         "cli/tests/x_test.py": "from helper import run\n# Not a kernel, and not the tables.\n",
         "cli/tests/helper.py": "run('kernel', 'k.cu')\n", "README.md": "# r",
         "build/bin/properties_a": "a", "build/bin/properties_b": "b", "build/bin/bankproof": "front",
         "build/libexec/bankproof/bankproof-kernel": "kernel",
         "build/libexec/bankproof/bankproof-tables": "tables"}


class ConcernedTest(unittest.TestCase):
    def setUp(self):
        self.root = os.path.realpath(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        for path, text in FILES.items():
            self.write(path, text)
        self.write("build/tests.json", json.dumps({"tests": [
            self.described("A.one", [f"{self.root}/build/bin/properties_a", "--gtest_filter=A.one"]),
            self.described("B.one", [f"{self.root}/build/bin/properties_b", "--gtest_filter=B.one"]),
            self.described("cli.x_test", ["python3", "-m", "unittest", "x_test"], "cli"),
            self.described("house.docs", ["python3", "ci/docs.py"], "house"),
            self.described("A.slow", [f"{self.root}/build/bin/properties_a"], "exhaustive"),
            self.described("house.x_test", ["python3", "x_test"], "house", "scripts"),
            self.described("cli.elsewhere", ["python3", "no_such_test"], "cli")]}))
        self.write("build/stand-in/ctest", CTEST)
        os.chmod(os.path.join(self.root, "build/stand-in/ctest"), 0o755)
        self.remember({"A.one": "run", "B.one": "run", "cli.x_test": "run", "house.docs": "run",
                       "house.x_test": "run", "cli.elsewhere": "run"})

    def described(self, name, command, *labels):
        return {"name": name, "command": command,
                "properties": [{"name": "LABELS", "value": labels or ["property"]},
                               {"name": "WORKING_DIRECTORY", "value": f"{self.root}/cli/tests"}]}

    def write(self, path, text):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def concerned(self, *words):
        path = os.path.join(self.root, "build/stand-in")
        run = subprocess.run([sys.executable, os.path.join(SOURCE, "ci", "concerned.py"), self.root,
                              "--build", os.path.join(self.root, "build"), *words],
                             env={**os.environ, "PATH": f"{path}:{os.environ['PATH']}"},
                             capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        if not words:
            self.assertTrue(run.stdout.startswith("8,8,1"), run.stdout)  # a range after the tests
        return [int(number) for number in run.stdout.split(",")[3:]]

    def remember(self, results):
        cases = "".join(f'<testcase name="{name}" status="{status}"/>' for name, status in results.items())
        self.write("build/ran.xml", f"<testsuite>{cases}</testsuite>")
        self.concerned()
        self.concerned("--ran", os.path.join(self.root, "build/ran.xml"))

    def changed(self, path):
        """The tests that run again after a change of a file."""
        self.write(path, FILES.get(path, "") + " changed")
        try:
            return self.concerned()
        finally:
            self.write(path, FILES[path])

    def test_nothing_runs_again_without_a_change(self):
        self.assertEqual(self.concerned(), [])

    def test_what_a_test_is_made_of_runs_it_again(self):
        self.assertEqual(self.changed("build/bin/properties_a"), [1])
        self.assertEqual(self.changed("build/bin/bankproof"), [3, 4, 7])
        self.assertEqual(self.changed("build/libexec/bankproof/bankproof-kernel"), [3, 4, 7])
        self.assertEqual(self.changed("build/libexec/bankproof/bankproof-tables"), [4, 7])
        self.assertEqual(self.changed("cuda/k.cu"), [1, 2, 3, 4, 6, 7])
        self.assertEqual(self.changed("cuda/headers/x.h"), [1, 2, 3, 4, 6, 7])  # the tool passes it to clang
        self.assertEqual(self.changed("cli/tests/x_test.py"), [3, 4, 6, 7])
        self.assertEqual(self.changed("model/a.hpp"), [4])
        self.assertEqual(self.changed("README.md"), [3, 4, 6, 7])

    def test_what_failed_or_was_skipped_runs_again(self):
        self.write("build/bin/properties_a", "new")
        self.write("build/bin/properties_b", "new")
        for status in ("fail", "notrun", "disabled"):
            self.remember({"A.one": status, "B.one": "run"})
            self.assertEqual(self.concerned(), [1])

    def test_what_never_passed_runs(self):
        os.remove(os.path.join(self.root, "build/passed.json"))
        self.assertEqual(self.concerned(), [1, 2, 3, 4, 6, 7])

    def test_a_file_that_changes_during_the_run_runs_its_tests_again(self):
        self.write("build/bin/properties_a", "new")
        self.assertEqual(self.concerned(), [1])
        self.write("build/bin/properties_a", "newer")
        self.write("build/ran.xml", '<testsuite><testcase name="A.one" status="run"/></testsuite>')
        self.concerned("--ran", os.path.join(self.root, "build/ran.xml"))
        self.assertEqual(self.concerned(), [1])

    def test_ctest_takes_the_numbers(self):
        tests = "".join(f"add_test(T{k} true)\nset_tests_properties(T{k} PROPERTIES LABELS {label})\n"
                        for k, label in enumerate(("property", "slow", "gpu-program", "cli"), 1))
        self.write("build/CTestTestfile.cmake", tests)
        build, numbers = os.path.join(self.root, "build"), os.path.join(self.root, "build/concerned.txt")
        run = subprocess.run([sys.executable, os.path.join(SOURCE, "ci", "concerned.py"), self.root,
                              "--build", build], capture_output=True, text=True, check=True)
        self.write("build/concerned.txt", run.stdout)
        run = subprocess.run(["ctest", "--test-dir", build, "-N", "-I", numbers], capture_output=True,
                             text=True, check=True)
        self.assertEqual(re.findall(r"Test +#\d+: (\S+)", run.stdout), ["T1", "T4"])


if __name__ == "__main__":
    unittest.main()
