"""Runs ./bankproof in a scratch tree, with stand-ins for apt, dpkg and CMake.

The stand-in for `cmake --build` writes a tool that prints its arguments and its standard input.
"""

import os
import pty
import re
import shutil
import subprocess
import tempfile
import time
import unittest

ROOT = os.environ["BANKPROOF_SOURCE"]
NEEDED = ["bash", "cat", "chmod", "env", "find", "flock", "grep", "mkdir", "printf", "readlink", "rm",
          "sleep", "tail", "touch"]

PACKAGES = "# rows\nfirst run why first\nold|new run why second\nother test why other\n"
TOOL = '#!/usr/bin/env bash\necho "args: $*"; [[ ${1:-} != - ]] || cat; [[ ${1:-} != bad ]]\n'
CMAKE = """#!/usr/bin/env bash
echo "$*" >>"$LOG"
if [[ $1 == --build ]]; then
  for file in {1..20}; do echo "[$file/20] noise"; done
  [[ ! -e $STATE/broken ]] || { echo "error: expected ;"; exit 1; }
  sleep 0.2
  for target in "${@:4}"; do
    case $target in
      bankproof_program) made=$2/bin/bankproof ;;
      bankproof_*_program) made=${target%_program} made=$2/libexec/bankproof/bankproof-${made#*_} ;;
      *) continue ;;
    esac
    mkdir -p "${made%/*}" && cat "$STATE/tool" >"$made"
    chmod +x "$made"
  done
fi
echo noise; echo noise >&2
"""
DPKG = '#!/usr/bin/env bash\nprintf "installed/%s " $(cat "$STATE/installed")\n'
APT_CACHE = '#!/usr/bin/env bash\n[[ $2 == new || $2 == first ]] && echo "  Candidate: 1.0"\n'
APT_GET = """#!/usr/bin/env bash
echo "apt-get $*" >>"$LOG"
echo noise; echo noise >&2
[[ ! -e $STATE/unreachable ]] || { echo "E: no such server"; exit 100; }
[[ $* != *install* ]] || echo first new other >"$STATE/installed"
"""


class BootstrapTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.mkdtemp(prefix="with blank ")
        self.addCleanup(shutil.rmtree, self.scratch)
        self.tree, self.bin = self.path("tree of mine"), self.path("bin")
        for folder in ["tree of mine/ci", "tree of mine/model", "bin", "elsewhere"]:
            os.makedirs(self.path(folder))
        for name in ["bankproof", "ci/lib.sh"]:
            shutil.copy(os.path.join(ROOT, name), os.path.join(self.tree, name))
        for name in NEEDED:
            os.symlink(shutil.which(name), os.path.join(self.bin, name))
        self.write("tree of mine/ci/packages.txt", PACKAGES)
        self.write("tree of mine/model/a.hpp", "")
        self.write("tool", TOOL)
        self.write("installed", "first new")
        for name, text in {"cmake": CMAKE, "dpkg-query": DPKG, "apt-cache": APT_CACHE,
                           "apt-get": APT_GET, "sudo": '#!/usr/bin/env bash\nexec "$@"\n'}.items():
            self.write(f"bin/{name}", text)
            os.chmod(self.path(f"bin/{name}"), 0o755)
        self.call = [os.path.join(self.tree, "bankproof")]

    def path(self, name):
        return os.path.join(self.scratch, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def log(self):
        """The calls of the stand-ins of cmake and apt-get; clears the log."""
        try:
            with open(self.path("log"), encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            return ""
        finally:
            self.write("log", "")

    def start(self, *arguments, stderr=subprocess.PIPE):
        environment = {"PATH": self.bin, "LOG": self.path("log"), "STATE": self.scratch}
        return subprocess.Popen(self.call + list(arguments), env=environment, text=True,
                                cwd=self.path("elsewhere"), stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, stderr=stderr)

    def run_tool(self, *arguments, stdin=""):
        process = self.start(*arguments)
        out, err = process.communicate(stdin)
        return process.returncode, out, err

    def assert_runs(self):
        self.assertEqual(self.run_tool("a b", "c")[:2], (0, "args: a b c\n"))

    def test_builds_once_and_again_after_a_change(self):
        self.assert_runs()
        self.assertIn("--build", self.log())
        self.assert_runs()
        self.assertEqual(self.log(), "")
        time.sleep(0.02)
        self.write("tree of mine/model/a.hpp", "// changed\n")
        self.assert_runs()
        self.assertIn("--build", self.log())
        time.sleep(0.02)
        os.remove(os.path.join(self.tree, "model", "a.hpp"))
        self.assert_runs()
        self.assertIn("--build", self.log())
        self.assert_runs()
        self.assertEqual(self.log(), "")

    def test_builds_a_command_apart_when_it_is_first_called(self):
        self.assert_runs()
        self.assertRegex(self.log(), r"--target bankproof_program bankproof_program\b")
        for command in ["kernel", "prove"]:
            for _ in range(2):
                code, out, err = self.run_tool("--help", command, "x")
                self.assertEqual((code, out), (0, f"args: --help {command} x\n"), err)
            log = self.log()
            self.assertEqual(log.count("--build"), 1, log)
            self.assertRegex(log, rf"--target bankproof_program bankproof_{command}_program\b")
        self.assert_runs()  # which is newer, and the same for all separate commands
        self.assertEqual(self.run_tool("check", "kernel")[1], "args: check kernel\n")
        self.assertEqual(self.log(), "")

    def test_builds_each_command_again_after_a_change(self):
        for command in ["kernel", "prove"]:
            self.run_tool(command)
        time.sleep(0.02)
        self.write("tree of mine/model/a.hpp", "// changed\n")
        self.log()
        for command in ["kernel", "prove", "check"]:
            self.run_tool(command)
        self.assertEqual(self.log().count("--build"), 2)  # that of `kernel` built `check` as well

    def test_leaves_standard_input_and_output_to_the_tool(self):
        self.assertEqual(self.run_tool("-", stdin="3 1 2\n")[:2], (0, "args: -\n3 1 2\n"))
        self.assertEqual(self.run_tool("bad")[0], 1)

    def test_runs_through_a_link_from_anywhere(self):
        os.symlink(self.call[0], self.path("link"))
        os.symlink("../link", self.path("bin/link to link"))
        self.call = [self.path("bin/link to link")]
        self.assert_runs()
        os.rename(self.tree, self.path("moved"))
        self.call = [self.path("moved/bankproof")]
        self.assert_runs()

    def test_installs_what_is_missing_and_says_why(self):
        self.write("installed", "")
        code, out, err = self.run_tool("x")
        self.assertEqual((code, out), (0, "args: x\n"))
        self.assertRegex(err, "first +why first\n +old or new +why second\n")
        self.assertNotIn("noise", err)
        log = self.log()
        self.assertIn("update", log)
        self.assertRegex(log, "install .*first new\n")
        self.assertNotIn("-DBANKPROOF_TESTS=OFF", log)

    def test_builds_without_the_tests_where_their_packages_are_missing(self):
        self.assert_runs()
        log = self.log()
        self.assertIn("-DBANKPROOF_TESTS=OFF", log)
        self.assertNotIn("apt-get", log)

    def test_lists_the_packages_and_exits_3_without_apt(self):
        os.remove(self.path("bin/apt-get"))
        self.write("installed", "new")
        code, out, err = self.run_tool("x")
        self.assertEqual((code, out), (3, ""))
        self.assertRegex(err, "first +why first\n")
        self.assertNotIn("second", err)
        self.assertIn("no apt-get", err)

    def test_exits_3_when_packages_cannot_be_installed(self):
        self.write("installed", "")
        self.write("unreachable", "")
        code, out, err = self.run_tool("x")
        self.assertEqual((code, out), (3, ""))
        self.assertIn("E: no such server", err)
        self.assertIn("apt-get install fails", err)

    def test_exits_3_and_shows_the_error_when_the_build_fails(self):
        self.write("broken", "")
        for _ in range(2):
            code, out, err = self.run_tool("x")
            self.assertEqual((code, out), (3, ""))
            self.assertIn("error: expected ;", err)
        os.remove(self.path("broken"))
        self.assert_runs()

    def test_says_how_far_it_is(self):
        _, _, err = self.run_tool("x")
        self.assertIn("CMAKE_BUILD_PARALLEL_LEVEL=N", err)
        self.assertEqual(re.findall(r"^bankproof: built (\d+) of 20 files$", err, re.M),
                         [str(files) for files in [1, *range(2, 21, 2)]])
        self.assertNotIn("noise", err)

    def test_leaves_it_to_ninja_on_a_terminal(self):
        ours, theirs = pty.openpty()
        self.addCleanup(os.close, ours)
        process = self.start("x", stderr=theirs)
        os.close(theirs)
        shown = b""
        while b"[20/20]" not in shown:
            shown += os.read(ours, 4096)
        out, _ = process.communicate("")
        self.assertEqual((process.returncode, out), (0, "args: x\n"))
        self.assertIn(b"[1/20] noise", shown)
        self.assertNotIn(b"built", shown)

    def test_two_first_calls_build_once(self):
        calls = [self.start("x") for _ in range(4)]
        for process in calls:
            out, err = process.communicate()
            self.assertEqual((process.returncode, out), (0, "args: x\n"), err)
        self.assertEqual(self.log().count("--build"), 1)

    def test_does_not_run_an_old_tool_after_a_failed_build(self):
        self.assert_runs()
        time.sleep(0.02)
        self.write("tree of mine/model/a.hpp", "// wrong\n")
        self.write("broken", "")
        for _ in range(2):
            self.assertEqual(self.run_tool("x")[:2], (3, ""))


if __name__ == "__main__":
    unittest.main()
