"""Runs ci/fresh with stand-ins for apt, mmdebstrap and chroot, in a tree whose README has commands that
pass, fail, or are missing.

The stand-in of chroot runs a command in the clone, on this machine.
"""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCE = os.environ["BANKPROOF_SOURCE"]
README = """# It

```sh
cd elsewhere
./bankproof schedule x:4 -o plan
./bankproof verify plan
```

```sh
./ci/test
```
"""
STAND_INS = {
    "apt-get": """
echo 'Debian|bookworm|http://debian.example/debian/|bookworm|main'
echo 'Debian|bookworm-security|http://debian.example/security/|bookworm-security|main'
echo 'Debian|trixie|http://debian.example/debian/|trixie|main'
echo 'Third|bookworm|http://third.example|bookworm|main'
""",
    "apt-config": """printf '%s "%s";\\n' Acquire::Check-Date false Acquire::http ''""",
    "mmdebstrap": """
printf '%s\\n' "$@" >"$LOG"
[[ ! -e $STATE/unreachable ]] || { echo 'E: no such mirror' >&2; exit 25; }
while [[ $1 != bookworm ]]; do shift; done
mkdir -p "$2/root" "$2/var/log"
""",
    "unshare": 'while [[ $1 == --* ]]; do shift; done; exec "$@"',
    "mount": "true",
    "chroot": """
root=$1; shift 3
cd "$root${1#--chdir=}" || exit 9
bash=$(command -v bash)
[[ ! -e $STATE/bare ]] || PATH=$STATE/bin
exec "$bash" -c "${@: -1}"
""",
    "bankproof": """
case $* in
  *transpose:32x32* | *transpose_plain*) exit 1 ;;
  *transpose.cu*) [[ ! -e $STATE/cannot_compile ]] || exit 3 ;;
esac
""",
}


class FreshTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.scratch)
        self.tree = os.path.join(self.scratch, "tree")
        shutil.copytree(os.path.join(SOURCE, "ci", "on_debian"), self.path("tree/ci/on_debian"),
                        ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("fresh", "fences.py"):
            shutil.copy(os.path.join(SOURCE, "ci", name), self.path("tree/ci"))
        self.script("tree/bankproof", 'echo "given: $*"')
        self.script("tree/ci/test", "echo tested")
        self.write("tree/README.md", README)
        self.write("tree/.gitignore", "build/\n")
        for name, text in STAND_INS.items():
            self.script(f"bin/{name}", text)

    def path(self, name):
        return os.path.join(self.scratch, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def script(self, name, text):
        self.write(name, f"#!/usr/bin/env bash\n{text.strip()}\n")
        os.chmod(self.path(name), 0o755)

    def fresh(self, *arguments):
        """Commits the tree and runs ci/fresh; returns its exit code, its table, and its messages."""
        git = ["git", "-C", self.tree, "-c", "user.name=x", "-c", "user.email=x@example.org"]
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "--allow-empty", "-m", "x"]):
            subprocess.run([*git, *words], check=True)
        environment = {**os.environ, "PATH": f"{self.path('bin')}:{os.environ['PATH']}",
                       "TMPDIR": self.scratch, "LOG": self.path("log"), "STATE": self.scratch}
        run = subprocess.run([self.path("tree/ci/fresh"), *arguments], env=environment,
                             capture_output=True, text=True)
        return run.returncode, run.stdout, run.stderr

    def numbers(self, table, command):
        """The numbers of a command's row."""
        return [float(cell) for cell in re.search(
            rf"^\| `{re.escape(command)}` \|(.*)\|$", table, re.MULTILINE)[1].split("|")]

    def test_runs_the_commands_of_the_readme_in_a_clone(self):
        code, table, said = self.fresh()
        self.assertEqual((code, said.splitlines()[-1]), (0, "ci/fresh: all pass"))
        self.assertEqual(self.read("tree/build/fresh/1.log"), "given: schedule x:4 -o plan\n")
        self.assertEqual(self.read("tree/build/fresh/2.log"), "tested\n")
        for command in ("./bankproof schedule x:4 -o plan", "./ci/test"):
            self.assertEqual(len(self.numbers(table, command)), 6)
        self.assertEqual([name for name in os.listdir(self.scratch) if "fresh" in name], [])

    def test_makes_the_root_from_sources_of_debian_alone(self):
        self.fresh("--command", "true")
        words = self.read("log").splitlines()
        self.assertEqual(words[:3], ["--mode=root", "--variant=minbase", "--include=git"])
        self.assertIn('--aptopt=Acquire::Check-Date "false";', words)
        sources = [re.sub(r"\[.*\] ", "", word) for word in words if word.startswith("deb ")]
        self.assertEqual(sources, ["deb http://debian.example/debian/ bookworm main",
                                   "deb http://debian.example/security/ bookworm-security main"])

    def test_a_command_that_fails_is_a_finding(self):
        for broken in ("bankproof", "ci/test"):
            with self.subTest(broken):
                before = self.read(f"tree/{broken}")
                self.script(f"tree/{broken}", "echo words of an error; exit 7")
                code, _, said = self.fresh()
                self.assertEqual(code, 1, said)
                self.assertIn("words of an error\nci/fresh: exit 7: ./" + broken, said)
                self.write(f"tree/{broken}", before)

    def test_tries_what_is_committed(self):
        self.fresh("--command", "true")
        self.write("tree/new", "")
        git = os.path.join(self.tree, ".git", "info", "exclude")
        with open(git, "a", encoding="utf-8") as file:
            file.write("new\n")
        self.assertEqual(self.fresh("--command", "test -e README.md")[0], 0)
        self.assertEqual(self.fresh("--command", "test -e new")[0], 1)

    def test_a_readme_without_its_commands(self):
        for lost in ("./ci/test", "./bankproof schedule"):
            with self.subTest(lost):
                self.write("tree/README.md", README.replace(lost, "echo").replace(
                    "./bankproof verify", "echo"))
                code, _, said = self.fresh()
                self.assertEqual(code, 3, said)
                self.assertIn("README.md has no command that begins with", said)

    def test_a_root_that_cannot_be_made(self):
        self.write("unreachable", "")
        code, table, said = self.fresh()
        self.assertEqual((code, table), (3, ""))
        self.assertIn("cannot try anything: `mmdebstrap", said)
        self.assertIn("E: no such mirror", said)
        self.script("bin/apt-get", "echo 'Third|bookworm|http://third.example|bookworm|main'")
        self.assertIn("apt has no Debian source of bookworm", self.fresh()[2])
        self.script("bin/apt-get", "exit 100")
        self.assertEqual(self.fresh()[0], 3)

    def test_tries_a_package_where_there_is_no_compiler(self):
        for name in ("examples/metis-nd-grid128x128.iperm", "examples/kernels/transpose.cu",
                     "properties/golden/nvcc/transpose.ptx", "bankproof_1_amd64.deb"):
            self.write(f"tree/{name}", "")
        # The stand-in of chroot finds this machine's compilers, which is a finding.
        code, _, said = self.fresh("--package", self.path("tree/bankproof_1_amd64.deb"))
        self.assertEqual(code, 1, said)
        self.assertRegex(said, r"FAILED: ! command -v c\+\+ [^;]*\n$")
        self.assertNotIn("--include", self.read("log"))
        self.write("bare", "")
        os.symlink(shutil.which("bash"), self.path("bin/bash"))
        code, table, said = self.fresh("--package", self.path("tree/bankproof_1_amd64.deb"))
        self.assertEqual(code, 0, said)
        self.assertRegex(table, r"`apt-get update && apt-get install .* \./bankproof_1_amd64\.deb`")
        self.write("cannot_compile", "")
        code, _, said = self.fresh("--package", self.path("tree/bankproof_1_amd64.deb"))
        self.assertEqual(code, 1, said)
        self.assertRegex(said, r"FAILED: bankproof kernel transpose\.cu [^;]*\n$")

    def test_a_package_that_cannot_be_made(self):
        self.script("bin/cpack", "true")
        code, _, said = self.fresh("--package")
        self.assertEqual(code, 3, said)
        self.assertIn("cpack made 0 files bankproof_*.deb", said)

    def test_measures_apt_apart(self):
        _, table, _ = self.fresh("--command", "echo 30.0 3.5 0.5 >>../../var/log/apt-seconds",
                                 "--command", "(ulimit -t 1; exec yes) | tail -1; "
                                 "head -c 5000000 /dev/zero >here")
        clock, processor, _, _, apt_clock, apt_processor = self.numbers(
            table, "echo 30.0 3.5 0.5 >>../../var/log/apt-seconds")
        self.assertEqual((apt_clock, apt_processor), (30, 4))
        self.assertLess(clock, 0)
        self.assertLess(processor, 0)
        self.assertRegex(table, r"exec yes\) \\\| tail")
        self.assertRegex(table.splitlines()[-1], r"here` \| \d+ \| [1-9]\d* \| \d+ \| 5 \| 0 \| 0 \|")


if __name__ == "__main__":
    unittest.main()
