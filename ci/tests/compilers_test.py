"""Runs ci/compilers in a scratch tree, with stand-ins for CMake, the compilers and the tests: a check
of compilers is worthless if it can pass without having tried a compiler."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.environ["BANKPROOF_SOURCE"]
NEEDED = ["bash", "cat", "cp", "dirname", "flock", "grep", "mkdir", "readlink", "sed", "sleep",
          "tail"]
CLANGS = ("14", "15", "19", "16")

# Remembers the last value of each option, as CMake does. A build keeps a copy of the values for the
# programs below.
CMAKE = """#!/usr/bin/env bash
echo "$*" >>"$LOG"
cache=build/CMakeCache.txt
if [[ $1 == --build ]]; then
  for word in "${@:3}"; do
    case $word in properties_* | example_* | cli_tests) targets+=" $word" ;; esac
  done
  cp "$cache" build/built
  [[ ! -e $STATE/does_not_build ]] || ! grep -qf "$STATE/does_not_build" build/built
  exit
fi
clang= device=
for word; do
  case $word in
    -DBANKPROOF_CLANG=*) clang=${word#*=} ;;
    -DBANKPROOF_CUDA_COMPILER=*) device=${word#*=} ;;
  esac
done
printf 'BANKPROOF_CLANG:FILEPATH=%s\\nBANKPROOF_CUDA_COMPILER:STRING=%s\\n' "$clang" "$device" >"$cache"
"""
# Fails if the build uses the compiler that a pattern in the file $STATE/NAME matches.
PROGRAM = """#!/usr/bin/env bash
echo "ran ${0##*/} $(sed -n 's/^BANKPROOF_CLANG:FILEPATH=.*-//p' build/built)" >>"$LOG"
[[ ! -e $STATE/${0##*/} ]] || ! grep -qf "$STATE/${0##*/}" build/built
"""
PROGRAMS = ("properties_runtime", "properties_cuda", "example_reverse")


class CompilersTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.scratch)
        for folder in ("tree/ci", "tree/build/bin", "bin"):
            os.makedirs(self.path(folder))
        for name in ("compilers", "lib.sh", "packages.txt"):
            shutil.copy(os.path.join(ROOT, "ci", name), self.path("tree/ci", name))
        for name in NEEDED:
            os.symlink(shutil.which(name), self.path("bin", name))
        self.write("bin/cmake", CMAKE)
        self.write("bin/ctest", PROGRAM)
        for name in PROGRAMS:
            self.write("tree/build/bin/" + name, PROGRAM)
        for name in ("nvcc", *("clang++-" + version for version in CLANGS)):
            self.write("bin/" + name, "#!/usr/bin/env bash\n")

    def path(self, *names):
        return os.path.join(self.scratch, *names)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(self.path(name), 0o755)

    def compilers(self):
        """The exit code, the last lines, and the calls of the stand-ins."""
        result = subprocess.run(
            [self.path("tree/ci/compilers")], capture_output=True, text=True, check=False,
            env={"PATH": self.path("bin"), "LOG": self.path("log"), "STATE": self.scratch,
                 "CUDA_HOME": self.path("nowhere"), "BANKPROOF_NO_INSTALL": "1"})
        with open(self.path("log"), encoding="utf-8") as file:
            log = file.read()
        found = dict(re.findall(r"^ci/compilers: (passed|FAILED): (.*)$", result.stdout, re.M))
        return result.returncode, re.sub(r" \d+ s\b", "", found["passed"]), found.get("FAILED"), log

    def test_tries_all_and_leaves_the_build_as_the_tests_have_it(self):
        code, passed, failed, log = self.compilers()
        self.assertEqual((code, failed), (0, None))
        self.assertEqual(passed, "nvcc,clang 14,clang 15,clang 19,clang 16")
        for name, times in (*((program, 1) for program in PROGRAMS), ("ctest", 3)):
            self.assertEqual(re.findall(rf"ran {name} (\d+)", log)[::times], ["16", *CLANGS])
        with open(self.path("tree/build/CMakeCache.txt"), encoding="utf-8") as file:
            self.assertRegex(file.read(), r"clang\+\+-16\nBANKPROOF_CUDA_COMPILER:STRING=.*clang\+\+-16\n")

    def test_a_compiler_that_is_missing_fails(self):
        os.remove(self.path("bin/clang++-15"))
        os.remove(self.path("bin/nvcc"))
        code, passed, failed, _ = self.compilers()
        self.assertEqual((code, passed), (1, "clang 14,clang 19,clang 16"))
        self.assertRegex(failed, r"^nvcc \(there is none.*\),clang 15 \(there is no clang\+\+-15\)")

    def test_it_takes_no_arguments(self):
        run = subprocess.run([self.path("tree/ci/compilers"), "--help"], capture_output=True, text=True,
                             env={"PATH": self.path("bin")}, check=False)
        self.assertEqual((run.returncode, run.stderr),
                         (2, "ci/compilers: usage: ci/compilers; it takes no arguments\n"))

    def test_each_test_that_fails_by_one_is_told(self):
        for name in (*PROGRAMS, "ctest"):
            with self.subTest(name):
                self.write(name, "clang++-19$")
                code, passed, failed, _ = self.compilers()
                self.assertEqual((code, passed), (1, "nvcc,clang 14,clang 15,clang 16"))
                self.assertEqual(failed, "clang 19")
                os.remove(self.path(name))

    def test_one_that_does_not_build_is_told_and_its_tests_are_not_run(self):
        self.write("does_not_build", "COMPILER:STRING=.*nvcc$")
        code, passed, failed, log = self.compilers()
        self.assertEqual((code, failed), (1, "nvcc"))
        self.assertEqual(passed, "clang 14,clang 15,clang 19,clang 16")
        self.assertEqual(re.findall(r"ran properties_cuda (\d+)", log), list(CLANGS))


if __name__ == "__main__":
    unittest.main()
