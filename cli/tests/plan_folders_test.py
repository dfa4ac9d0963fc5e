"""Runs `schedule` as a program: it replaces only plans and leaves nothing behind, and it refuses
wrong command lines."""

import os
import resource
import shutil
import signal
import subprocess
import unittest

from plan_support import PlanFolder
from program import BANKPROOF, CLEAN, INPUT, USAGE, run, run_unprivileged


class Replacing(PlanFolder):
    """`schedule` writes the whole folder or nothing, and replaces only a plan."""

    def test_a_plan_is_replaced_whole(self):
        self.schedule("random:1000", "--global", "--emit", "npy,c")
        self.schedule("shuffle:64", output=self.plan + "/")
        self.assertEqual(sorted(os.listdir(self.plan)), ["d.npy", "plan.json", "s.npy"])
        self.assertEqual(os.listdir(self.folder), ["plan"])

    def expect_refused(self, why):
        before = sorted(os.listdir(self.folder))
        result = run("schedule", "shuffle:64", "-o", self.plan)
        self.expect_failure(result, USAGE, "-o '%s': %s; give a folder that does not exist yet, or a "
                            "plan to replace" % (self.plan, why))
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_other_things_are_refused(self):
        os.mkdir(self.plan)
        self.expect_refused("exists and is not a plan")
        self.file("plan/data", "precious")
        self.expect_refused("exists and is not a plan")
        shutil.rmtree(self.plan)
        self.schedule("shuffle:64")
        self.file("plan/data", "precious")
        self.expect_refused("has 'data', which is not part of a plan")
        shutil.rmtree(self.plan)
        self.file("plan", "precious")
        self.expect_refused("exists and is not a folder")
        os.rename(self.plan, self.plan + "2")
        os.symlink(self.plan + "2", self.plan)
        self.expect_refused("exists and is a link")

    def test_what_only_looks_like_a_plan_is_refused(self):
        self.schedule("shuffle:64")
        os.mkdir(os.path.join(self.plan, "plan.h"))
        self.file("plan/plan.h/thesis", "precious")
        self.expect_refused("has 'plan.h', which is not part of a plan")
        shutil.rmtree(os.path.join(self.plan, "plan.h"))
        for content in ('{"note": "bankproof-plan"}', "bankproof-plan", "[]", "{"):
            self.file("plan/plan.json", content)
            self.expect_refused("exists and is not a plan")
        os.remove(os.path.join(self.plan, "plan.json"))
        os.mkfifo(os.path.join(self.plan, "plan.json"))
        self.expect_refused("exists and is not a plan")
        os.remove(os.path.join(self.plan, "plan.json"))
        os.mkdir(os.path.join(self.plan, "plan.json"))
        self.expect_refused("exists and is not a plan")

    def test_the_folder_one_is_in_is_replaced_from_outside(self):
        self.schedule("shuffle:64")
        for output in (".", "./", "../plan"):
            result = run("schedule", "random:100", "-o", output, cwd=self.plan)
            self.assertEqual((result.returncode, result.stderr), (CLEAN, b""), output)
            self.assertEqual(sorted(os.listdir(self.plan)), ["d.npy", "plan.json", "s.npy"])
            self.assertEqual(os.listdir(self.folder), ["plan"])

    def test_a_plan_that_may_not_be_written_stays(self):
        self.schedule("shuffle:64")
        os.chmod(self.plan, 0o555)
        result = run_unprivileged("schedule", "random:100", "-o", self.plan)
        os.chmod(self.plan, 0o755)
        self.assertEqual(result.returncode, INPUT)
        self.assertIn(b"cannot be written: Permission denied", result.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), ["plan"])

    def test_a_failed_write_changes_nothing(self):
        self.schedule("shuffle:64")
        before = self.read(os.path.join(self.plan, "s.npy"))
        result = run("schedule", "random:65536", "-o", self.plan,
                     preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000)))
        self.assertEqual(result.returncode, INPUT)
        self.assertIn(b"cannot be written: File too large", result.stderr)
        self.assertEqual(self.read(os.path.join(self.plan, "s.npy")), before)
        self.assertEqual(os.listdir(self.folder), ["plan"])

    def test_a_folder_that_cannot_be_made(self):
        result = run("schedule", "shuffle:64", "-o", os.path.join(self.folder, "no", "plan"))
        self.assertEqual(result.returncode, INPUT)
        self.assertIn(b"cannot be written: there is no folder", result.stderr)

    def test_an_interrupted_write_leaves_nothing(self):
        self.schedule("shuffle:64")
        before = self.read(os.path.join(self.plan, "s.npy"))
        for number in (signal.SIGINT, signal.SIGTERM):
            with subprocess.Popen([BANKPROOF, "schedule", "random:6000000", "-o", self.plan],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
                while os.listdir(self.folder) == ["plan"] and process.poll() is None:
                    pass  # until the new plan's folder exists, under another name
                process.send_signal(number)
                self.assertEqual(process.wait(60), -number)
            self.assertEqual(os.listdir(self.folder), ["plan"])
            self.assertEqual(self.read(os.path.join(self.plan, "s.npy")), before)


class CommandLines(PlanFolder):
    """Wrong command lines."""

    def expect_usage(self, line, *arguments):
        result = run("schedule", "shuffle:64", *arguments, "-o", self.plan)
        self.expect_failure(result, USAGE, line)
        self.assertFalse(os.path.exists(self.plan))

    def test_options(self):
        self.expect_usage("--emit 'npy,d': unknown format 'd'; expected npy, c or json", "--emit", "npy,d")
        for arguments in (("--emit", "c"), ("--prefix", "q")):
            self.expect_failure(run("schedule", "transpose:8x8", *arguments), USAGE,
                                "--emit and --prefix need a folder to write to: give -o DIR")
        self.expect_usage("--emit ',': unknown format ''; expected npy, c or json", "--emit", ",")
        self.expect_usage("--threads '0': expected a number of at least 1", "--threads", "0")
        result = run("schedule", "shuffle:64", "-o", "-")
        self.expect_failure(result, USAGE, "-o -: a plan is a folder; give its name")

    def test_times_that_would_not_fit_are_not_predicted(self):
        for machine, said in (
                ("hmm:d=4294967296", "d=4294967296 is too large: times are predicted up to 1048576"),
                ("dmm:l=18446744073709551615",
                 "l=18446744073709551615 is too large: times are predicted up to 1048576"),
                ("dmm:p=33", "p=33: times are predicted only for multiples of the width 32, up to "
                 "1048576")):
            self.expect_usage("--machine: " + said, "--machine", machine)
        self.expect_usage("--machine: capacity has no effect on predicted times; leave it out",
                          "--machine", "dmm:capacity=1")

    def test_any_number_of_threads_will_do(self):
        self.schedule("random:100000", "--threads", "18446744073709551615")

    def test_machines(self):
        for machine, arguments in (("umm", ()), ("sm_90", ()), ("dmm", ("--global",))):
            result = run("schedule", "shuffle:64", "--machine", machine, *arguments)
            self.assertEqual(result.returncode, USAGE, machine)
            self.assertIn(machine.encode(), result.stderr)


if __name__ == "__main__":
    unittest.main()
