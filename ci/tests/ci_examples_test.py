"""The workflow for GitHub and the job for GitLab of examples/ci do what they say: their steps run in a
repository that passes, in repositories with a planted conflict, race or bug, and in repositories without
anything to check.
"""

import glob
import json
import os
import re
import shutil
import subprocess
import unittest
import xml.etree.ElementTree

import yaml

from package_support import PROGRAM, SOURCE, Folder

EXAMPLES = os.path.join(SOURCE, "examples", "ci")
TILE = "--grid 4,4 --block 32,8 buffer:f32:128x128=iota buffer:f32:128x128 i32:128 --max-excess 0"
CONFLICT = f"kernel kernels/transpose.cu --kernel transpose_plain {TILE}\n"
CLEAN = f"kernel kernels/transpose.cu --kernel transpose_padded {TILE}\n"
QUICK = "check butterfly:1024,3\n"
RACE = """__global__ void shift(int* data) {
  data[threadIdx.x] = data[(threadIdx.x + 1) % blockDim.x];
}
"""


def read(*names):
    with open(os.path.join(EXAMPLES, *names), encoding="utf-8") as file:
        return yaml.safe_load(file)


def github_steps():
    (job,) = read("github.yml")["jobs"].values()
    return job["steps"]


def gitlab_job():
    (job,) = read("gitlab.yml").values()
    return job


# The steps that run a shell, except those that get bankproof from a release or a clone, which are
# elsewhere.
STEPS = {
    "github": [step["run"] for step in github_steps()
               if "run" in step and step["name"] != "Get bankproof"],
    "gitlab": gitlab_job()["script"],
}


@unittest.skipUnless(shutil.which("jq") or os.environ.get("BANKPROOF_PACKAGES") == "installed",
                     "jq is not here")
class RepositoryTest(Folder):
    """A repository with the files of examples/ci at the places that they name."""

    def setUp(self):
        super().setUp()
        for folder in ("ci", "bin", "layouts", "temporary"):
            os.mkdir(self.path(folder))
        shutil.copytree(os.path.join(SOURCE, "examples", "kernels"), self.path("kernels"))
        shutil.copy(os.path.join(EXAMPLES, "check-gpu-code"), self.path("ci"))
        shutil.copy(os.path.join(EXAMPLES, "gpu-checks.txt"), self.folder)
        os.symlink(PROGRAM, self.path("bin", "bankproof"))
        self.write("layouts/columns.perm", " ".join(str(5 * i % 256) for i in range(256)) + "\n")
        self.write("kernels/shift.cu", RACE)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def steps(self, host):
        """Runs the steps in turn until one fails; returns the exit code and all output."""
        self.assertEqual(len(STEPS[host]), 1)
        environment = {**os.environ, "PATH": self.path("bin") + ":" + os.environ["PATH"],
                       "GITHUB_STEP_SUMMARY": self.path("summary.md")}
        del environment["BANKPROOF"]
        for step in STEPS[host]:
            shell = ["bash", "-e", "-o", "pipefail", "-c", step]
            done = subprocess.run(shell, cwd=self.folder, env=environment, timeout=300, text=True,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, check=False)
            if done.returncode:
                break
        return done.returncode, done.stdout

    def expect(self, host, code, words):
        actual, output = self.steps(host)
        self.assertEqual(actual, code, output)
        self.assertIn(words, output)
        return output

    def results(self):
        with open(self.path("gpu-reports", "bankproof.sarif"), encoding="utf-8") as file:
            (run,) = json.load(file)["runs"]
        return run["results"], run["properties"]["checked"]

    def cases(self):
        """The cases of all JUnit files: names and messages of those that do not pass."""
        bad, number = [], 0
        for path in sorted(glob.glob(self.path("gpu-reports", "junit", "*.xml"))):
            for case in xml.etree.ElementTree.parse(path).iter("testcase"):
                number += 1
                bad += [one.get("message") for one in case if one.tag in ("failure", "error")]
        return number, bad

    def test_a_repository_that_passes(self):
        for host in STEPS:
            self.expect(host, 0, "checked: launches 1, permutations 2; lines that fail 0, not checked 0")
            self.assertEqual(self.results(), ([], {"launches": 1, "permutations": 2}))
            number, bad = self.cases()
            self.assertEqual((number, bad), (3 + 1 + 2, []))
            self.assertEqual(self.quality(), [])
            with open(self.path("summary.md"), encoding="utf-8") as file:
                self.assertIn("- passes: check butterfly:1024,3\n", file.read())

    def quality(self):
        with open(self.path("gpu-reports", "code-quality.json"), encoding="utf-8") as file:
            return json.load(file)

    def test_a_bank_conflict_fails_and_is_named(self):
        self.write("gpu-checks.txt", CLEAN + CONFLICT)
        line = 1 + self.lines("kernels/transpose.cu").index(
            next(text for text in self.lines("kernels/transpose.cu") if "tile[threadIdx.x][" in text))
        for host in STEPS:
            self.expect(host, 1, "lines that fail 1, not checked 0")
            (result,), checked = self.results()
            self.assertEqual((result["ruleId"], result["level"]), ("bank-conflict", "error"))
            where = result["locations"][0]["physicalLocation"]
            self.assertEqual((where["artifactLocation"]["uri"], where["region"]["startLine"]),
                             ("kernels/transpose.cu", line))
            self.assertEqual(checked["launches"], 2)
            (message,) = self.cases()[1]
            self.assertTrue(message.startswith(f"kernels/transpose.cu:{line}: "), message)
            (issue,) = self.quality()
            self.assertEqual((issue["severity"], issue["location"]),
                             ("major", {"path": "kernels/transpose.cu", "lines": {"begin": line}}))

    def lines(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read().split("\n")

    def test_a_race_fails_and_is_named(self):
        self.write("gpu-checks.txt", "kernel kernels/shift.cu --grid 1 --block 64 buffer:i32:64=iota\n")
        for host in STEPS:
            self.expect(host, 1, "kernels/shift.cu:2: race: ")
            self.assertIn(("race", 2), {
                (one["ruleId"], one["locations"][0]["physicalLocation"]["region"]["startLine"])
                for one in self.results()[0]})
            self.assertIn("kernels/shift.cu:2: race: ", self.cases()[1][0])

    def test_a_permutation_that_conflicts_is_shown_where_it_stands(self):
        self.write("gpu-checks.txt", "# none\ncheck transpose:32x32\n")
        self.expect("github", 1, "lines that fail 1, not checked 0")
        where = {(one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
                  one["locations"][0]["physicalLocation"]["region"]["startLine"])
                 for one in self.results()[0]}
        self.assertEqual(where, {("gpu-checks.txt", 2)})
        self.assertEqual(len(self.quality()), 64)
        self.assertEqual(len({issue["fingerprint"] for issue in self.quality()}), 64)

    def test_nothing_to_check_fails(self):
        for text in ("", "# nothing\n\n"):
            self.write("gpu-checks.txt", text)
            for host in STEPS:
                self.expect(host, 3, "nothing was checked")
                self.assertFalse(os.path.exists(self.path("gpu-reports", "bankproof.sarif")))
        os.remove(self.path("gpu-checks.txt"))
        for host in STEPS:
            self.expect(host, 3, "there is no file gpu-checks.txt")

    def test_what_cannot_be_checked_fails_and_closes_no_finding(self):
        silent = "__global__ void nothing(int*) {}\n"
        self.write("kernels/nothing.cu", silent)
        self.write("kernels/broken.cu", "__global__ void f() { wrong; }\n")
        for line, why in (("kernel kernels/renamed.cu --grid 1 --block 32", "ends with 3"),
                          ("kernel kernels/broken.cu --grid 1 --block 32", "ends with 3"),
                          ("kernel kernels/nothing.cu --grid 1 --block 32 buffer:i32:1",
                           "it accesses no memory"),
                          ("check transpose:32x32 --no-such-option", "ends with 2"),
                          ("check 'transpose:32x32", "its quotes are not in pairs"),
                          ("list", "it begins neither with kernel nor with check")):
            # Reports of an earlier run must not count for this run.
            self.write("gpu-checks.txt", QUICK)
            self.expect("github", 0, "not checked 0")
            self.write("gpu-checks.txt", QUICK + line + "\n")
            self.expect("github", 3, "lines that fail 0, not checked 1")
            self.assertFalse(os.path.exists(self.path("gpu-reports", "bankproof.sarif")), line)
            (message,) = self.cases()[1]
            self.assertIn(why, message)

    def test_a_tool_that_does_nothing_fails(self):
        os.remove(self.path("bin", "bankproof"))
        os.symlink("/bin/true", self.path("bin", "bankproof"))
        self.assertIn("bankproof wrote no report", self.expect("gitlab", 3, "not checked 3"))

    def test_names_with_blanks(self):
        shutil.copy(self.path("kernels/transpose.cu"), self.path("kernels/tr ü.cu"))
        os.rename(self.path("gpu-checks.txt"), self.path("ch ü.txt"))
        self.write("ch ü.txt", CONFLICT.replace("kernels/transpose.cu", "'kernels/tr ü.cu'") +
                   "check transpose:32x32\n")
        self.assertEqual(self.script("ch ü.txt").returncode, 1)
        self.assertEqual({issue["location"]["path"] for issue in self.quality()},
                         {"kernels/tr ü.cu", "ch ü.txt"})
        self.assertEqual({one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
                          for one in self.results()[0]}, {"kernels/tr%20%C3%BC.cu", "ch%20%C3%BC.txt"})

    def script(self, *arguments, **environment):
        return subprocess.run(["bash", self.path("ci", "check-gpu-code"), *arguments], cwd=self.folder,
                              env={**os.environ, "BANKPROOF": PROGRAM, **environment}, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=300,
                              stderr=subprocess.STDOUT, check=False)

    def test_files_that_it_did_not_write_stay(self):
        os.makedirs(self.path("mine/log"))
        for name in ("mine/log/app.log", "mine/log/notes.txt"):
            self.write(name, "precious")
        self.write("mine/log/7.txt", "of a run before")
        self.write("gpu-checks.txt", QUICK)
        self.assertEqual(self.script("gpu-checks.txt", "mine").returncode, 0)
        self.assertEqual(sorted(os.listdir(self.path("mine/log"))), ["1.txt", "app.log", "notes.txt"])

    def test_what_it_needs_is_looked_for_first(self):
        self.write("gpu-checks.txt", QUICK)
        self.assertEqual(self.script().returncode, 0)
        os.mkdir(self.path("few"))
        for name in ("bash", "jq", "mkdir", "rm", "tee", "tail", "tr"):
            os.symlink(shutil.which(name), self.path("few", name))
        for arguments, environment, said in (
                (["kernels"], {}, "there is no file kernels that says what to check"),
                ([], {"BANKPROOF": "nowhere"},
                 "there is no program nowhere: install bankproof, or set BANKPROOF to its path"),
                ([], {"BANKPROOF": self.folder}, f"there is no program {self.folder}: install"),
                ([], {"PATH": self.path("few")}, "there is no xargs: install it")):
            done = self.script(*arguments, **environment)
            self.assertEqual((done.returncode, done.stdout.count("\n")), (3, 1), done.stdout)
            self.assertIn("check-gpu-code: " + said, done.stdout)
            self.assertFalse(os.path.exists(self.path("gpu-reports", "bankproof.sarif")), said)


class FilesTest(Folder):
    def test_what_the_steps_write_is_what_the_hosts_show(self):
        upload = next(step for step in github_steps() if "upload-sarif" in step.get("uses", ""))
        self.assertEqual(upload["with"]["sarif_file"], "gpu-reports/bankproof.sarif")
        # Findings make the previous step fail.
        self.assertIn("!cancelled()", upload["if"])
        self.assertIn(upload["with"]["sarif_file"], upload["if"])
        self.assertEqual(read("github.yml")["permissions"]["security-events"], "write")
        kept = next(step for step in github_steps() if "upload-artifact" in step.get("uses", ""))
        self.assertEqual(kept["with"]["path"], "gpu-reports")
        artifacts = gitlab_job()["artifacts"]
        self.assertEqual(artifacts["when"], "always")
        self.assertEqual(artifacts["reports"], {"junit": "gpu-reports/junit/*.xml",
                                                "codequality": "gpu-reports/code-quality.json"})

    def test_only_getting_bankproof_is_not_run_here(self):
        skipped = [step for step in github_steps() if "run" in step
                   and step["run"] not in STEPS["github"]]
        self.assertEqual([step["name"] for step in skipped], ["Get bankproof"])
        for text in [skipped[0]["run"], *gitlab_job()["before_script"]]:
            subprocess.run(["bash", "-n", "-c", text], check=True)
        with open(os.path.join(SOURCE, "CMakeLists.txt"), encoding="utf-8") as file:
            version = re.search(r"VERSION (\d+\.\d+\.\d+)", file.read())[1]
        self.assertEqual(read("github.yml")["env"]["BANKPROOF_VERSION"], version)
        self.assertEqual(gitlab_job()["variables"]["BANKPROOF_VERSION"], version)


if __name__ == "__main__":
    unittest.main()
