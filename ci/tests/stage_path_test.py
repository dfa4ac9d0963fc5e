"""Checks which programs tests may run: ci/stage_path.py on a made-up Debian, and a test that needs
another program.

Under ci/test the tests see this machine's folder of links, and the last class checks its contents.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.environ["BANKPROOF_SOURCE"]
# Package, status, essential, priority, Pre-Depends, Depends, Provides, and its files.
PACKAGES = [
    ("coreutils", "installed", "yes", "required", "libc6 (>= 2.36)", "", "", "ls"),
    ("libc6", "installed", "no", "optional", "", "", "", "ldd"),
    ("mount", "installed", "no", "required", "", "", "", "mount"),
    ("apt", "installed", "no", "important", "", "", "", "apt-get"),
    ("git", "installed", "no", "optional", "", "perl:any, pager | less", "", "git"),
    ("perl", "installed", "no", "optional", "", "", "", "perl"),
    ("less", "installed", "no", "optional", "", "", "pager", "less"),
    ("more", "config-files", "no", "optional", "", "", "pager", "more"),
    ("g++", "installed", "no", "optional", "", "g++-12 (= 12)", "", "g++"),
    ("g++-12", "installed", "no", "optional", "", "binutils | other", "c++-compiler", "g++-12"),
    ("binutils", "installed", "no", "optional", "", "", "", "as"),
    ("other", "installed", "no", "optional", "", "", "", "ld.other"),
    ("clang-16", "installed", "no", "optional", "", "", "c++-compiler", "clang++-16"),
    ("python3", "installed", "no", "optional", "", "", "", "python3"),
    ("shellcheck", "installed", "no", "optional", "", "", "", "shellcheck"),
]
DPKG_QUERY = """#!/usr/bin/env python3
import sys
rows = %r
if sys.argv[1] == "-W":
    for row in rows:
        print("|".join(row[:4]) + "\\t" + "\\t".join(row[4:7]))
else:
    for row in rows:
        if row[0] in sys.argv[2:]:
            print("/.\\n/usr/bin\\n/usr/share/doc/" + row[0] + "\\n%s/" + row[7])
"""
UPDATE_ALTERNATIVES = """#!/usr/bin/env bash
if [[ $1 == --get-selections ]]; then printf '%%s auto %%s\\n' c++ x view x; exit; fi
here=%(here)s
case $2 in
  c++)
    printf '%%s\\n' "Name: c++" "Link: $here/c++" Slaves: " cc $here/cc" " c++.1.gz /usr/share/man/c++.1.gz" \\
      "Status: auto" "Best: $here/shellcheck" "Value: $here/shellcheck" "" \\
      "Alternative: $here/shellcheck" "Priority: 90" Slaves: " cc $here/shellcheck" "" \\
      "Alternative: $here/clang++-16" "Priority: 10" Slaves: "" \\
      "Alternative: $here/g++" "Priority: 20" Slaves: " cc $here/g++-12" " c++.1.gz /usr/share/man/g++.1.gz" ;;
  view)
    printf '%%s\\n' "Name: view" "Link: $here/view" "Status: auto" "Best: $here/shellcheck" \\
      "Value: $here/shellcheck" "" "Alternative: $here/shellcheck" "Priority: 90" ;;
esac
"""
LIST = "# rows\ng++ run why\nless|clang-16 test why\npython3 test why\nshellcheck check why\n"


class StagePathTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.scratch)
        # Copies the script, with a folder of the made-up Debian in place of /usr/bin.
        here = self.path("usr/bin")
        with open(os.path.join(SOURCE, "ci", "stage_path.py"), encoding="utf-8") as file:
            script = file.read().replace('"/usr/bin"', f'"{here}"')
        self.write("ci/stage_path.py", script)
        self.write("ci/packages.txt", LIST)
        self.write("bin/dpkg-query", DPKG_QUERY % (PACKAGES, here))
        self.write("bin/update-alternatives", UPDATE_ALTERNATIVES % {"here": here})
        for row in PACKAGES:
            self.write(f"usr/bin/{row[7]}", "#!/usr/bin/env bash\n")

    def path(self, name):
        return os.path.join(self.scratch, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(self.path(name), 0o755)

    def links(self, *stages, code=0):
        """The programs that these stages may run, with the programs that the links lead to."""
        run = subprocess.run([sys.executable, self.path("ci/stage_path.py"), self.path("links"), *stages],
                             env={**os.environ, "PATH": f"{self.path('bin')}:{os.environ['PATH']}"},
                             capture_output=True, text=True)
        self.assertEqual(run.returncode, code, run.stderr)
        if code:
            return run.stderr
        return {name: os.path.basename(os.readlink(self.path(f"links/{name}")))
                for name in os.listdir(self.path("links"))}

    BASE = {"ls", "ldd", "mount", "apt-get", "git", "perl", "less"}
    COMPILER = {"g++", "g++-12", "as", "c++", "cc"}

    def test_are_those_of_the_stages_and_of_what_they_depend_on(self):
        self.assertEqual(set(self.links()), self.BASE)
        self.assertEqual(set(self.links("run")), self.BASE | self.COMPILER)
        self.assertEqual(set(self.links("run", "test")), self.BASE | self.COMPILER | {"python3"})
        self.assertIn("shellcheck", self.links("run", "test", "check"))

    def test_alternatives_are_those_of_the_packages(self):
        links = self.links("run")
        self.assertEqual((links["c++"], links["cc"]), ("g++", "g++-12"))
        self.assertEqual(self.links("check")["c++"], "shellcheck")

    def test_the_first_of_a_row_that_is_installed(self):
        self.write("ci/packages.txt", LIST.replace("less|clang-16", "nothing|clang-16"))
        self.assertIn("clang++-16", self.links("run", "test"))

    def test_a_package_that_is_missing_is_told(self):
        self.write("ci/packages.txt", LIST + "absent test why\n")
        self.assertIn("absent, of ci/packages.txt, is not installed", self.links("test", code=3))
        self.write("bin/dpkg-query", "#!/usr/bin/env bash\necho broken >&2; exit 2\n")
        self.assertIn("fails: broken", self.links("test", code=3))


class Canary(unittest.TestCase):
    """A test that runs shellcheck, which this machine has."""

    CALL = "import subprocess; subprocess.run(['shellcheck'], check=True)"

    @unittest.skipUnless(shutil.which("dpkg-query"), "a machine without dpkg")
    def test_is_caught(self):
        with tempfile.TemporaryDirectory() as folder:
            planted, allowed = os.path.join(folder, "bin"), os.path.join(folder, "stage")
            for name in (planted, allowed):
                os.mkdir(name)
            with open(os.path.join(planted, "shellcheck"), "w", encoding="ascii") as file:
                file.write("#!/bin/sh\n")
            os.chmod(os.path.join(planted, "shellcheck"), 0o755)
            subprocess.run([sys.executable, os.path.join(SOURCE, "ci", "stage_path.py"), allowed, "run",
                            "test"], check=True)
            self.assertEqual(self.code(f"{planted}:{allowed}"), 0)
            self.assertNotEqual(self.code(allowed), 0)

    def code(self, path):
        """The exit code of ctest with that test and this PATH."""
        with tempfile.TemporaryDirectory() as build:
            with open(os.path.join(build, "CTestTestfile.cmake"), "w", encoding="utf-8") as file:
                file.write(f'add_test(canary python3 -c "{self.CALL}")\n')
            return subprocess.run(["ctest", "--test-dir", build], env={**os.environ, "PATH": path},
                                  capture_output=True).returncode

    @unittest.skipUnless(os.environ.get("BANKPROOF_PACKAGES") == "installed", "not run by ci/test")
    def test_would_be_caught_here(self):
        for name in ("shellcheck", "clang-tidy-16", "nvcc", "mmdebstrap"):
            self.assertIsNone(shutil.which(name), f"tests find {name}")
        for name in ("g++", "c++", "cmake", "ninja", "git", "python3", "clang++-16",
                     "clang-format-16"):
            self.assertIsNotNone(shutil.which(name), f"tests do not find {name}")


if __name__ == "__main__":
    unittest.main()
