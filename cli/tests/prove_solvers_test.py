"""Runs `bankproof prove` as a program with a second solver that is missing, lies, crashes or
hangs, and looks at what an interrupt leaves behind.
"""

import json
import os
import signal
import subprocess
import time
import unittest

from program import BANKPROOF, CLEAN, INPUT, Folder, run


def prove(*arguments, **options):
    return run("prove", *map(str, arguments), **options)


class Solvers(Folder):
    def test_without_cvc5_it_says_so(self):
        environment = dict(os.environ, PATH=self.folder, TMPDIR="/no/such/folder")
        result = prove("--size", 64, "--source", "i", env=environment)
        self.assertEqual(result.returncode, CLEAN, result.stderr)
        self.assertIn("Z3 only", result.stdout.decode())
        self.assertIn("\ncvc5 does not prove undefined: cvc5 is not installed\n", result.stdout.decode())
        self.assertIn("\nProved by Z3 alone for all 64 threads: ", result.stdout.decode())
        result = prove("--size", 64, "--source", "i", "--format", "json", env=environment)
        for one in json.loads(result.stdout)["properties"]:
            self.assertEqual((one["solvers"], one["why"]), (["z3"], "cvc5 is not installed"))

    def test_a_theorem_without_cvc5_is_an_error_in_junit_xml(self):
        result = prove("A12.rows", "--format", "junit", env=dict(os.environ, PATH=self.folder))
        self.assertEqual(result.returncode, INPUT)
        self.assertIn(b'failures="0" errors="1"', result.stdout)
        self.assertIn(b'<error message="cvc5: premises: cvc5 is not installed" type="error">',
                      result.stdout)

    def with_second_solver(self, script, *arguments):
        path = self.file("cvc5", "#!/bin/sh\n" + script)
        os.chmod(path, 0o755)
        environment = dict(os.environ, PATH=self.folder + os.pathsep + os.environ["PATH"])
        return prove("--size", 64, "--source", "i", *arguments, env=environment)

    def test_a_second_solver_that_cannot_be_believed_is_an_error(self):
        answers = "while read line; do case $line in *check-sat*) echo %s;; esac; done\n"
        for script, line in (
                (answers % "sat", "the solvers disagree on undefined: Z3 proves it and cvc5 refutes it"),
                (answers % "unsat", "cvc5 answers unsat to a satisfiable query"),
                ("echo 'cannot open shared object'\n", "cvc5 does not answer: cannot open shared object"),
                ("exit 3\n", "cvc5 does not answer: no answer, exit code 3"),
                ("kill -11 $$\n", "cvc5 does not answer: no answer, signal 11")):
            with self.subTest(script):
                self.expect_failure(self.with_second_solver(script), INPUT, line)

    def test_a_second_solver_that_gives_up_leaves_z3_alone(self):
        result = self.with_second_solver("echo sat; echo unknown\n", "--format", "json")
        self.assertEqual(result.returncode, CLEAN, result.stderr)
        for one in json.loads(result.stdout)["properties"]:
            self.assertEqual((one["solvers"], one["why"]), (["z3"], "unknown"))

    def test_an_interrupt_ends_it_at_once_and_its_second_solver(self):
        solver = self.file("cvc5", "#!/bin/sh\necho $$ > %s/pid\nexec sleep 60\n" % self.folder)
        os.chmod(solver, 0o755)
        pid_file = os.path.join(self.folder, "pid")
        for arguments in (["--size", "64", "--source", "i"], ["A12.rows"]):
            with self.subTest(arguments):
                environment = dict(os.environ, TMPDIR=self.folder,
                                   PATH=self.folder + os.pathsep + os.environ["PATH"])
                program = subprocess.Popen([BANKPROOF, "prove", *arguments], env=environment,
                                           stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                           preexec_fn=lambda: signal.signal(signal.SIGINT,
                                                                            signal.SIG_DFL))
                self.addCleanup(program.kill)
                self.wait_for(lambda: os.path.exists(pid_file) and self.read(pid_file).endswith(b"\n"))
                child = int(self.read(pid_file))
                os.remove(pid_file)
                program.send_signal(signal.SIGINT)
                output, _ = program.communicate(timeout=30)
                self.assertEqual((program.returncode, output), (-signal.SIGINT, b""))
                self.wait_for(lambda: self.is_gone(child))
                self.assertEqual(os.listdir(self.folder), ["cvc5"])

    def wait_for(self, condition):
        for _ in range(3000):
            if condition():
                return
            time.sleep(0.01)
        self.fail("it never comes")

    @staticmethod
    def is_gone(pid):
        try:
            with open("/proc/%d/stat" % pid, encoding="ascii") as stat:
                return stat.read().rsplit(")", 1)[1].split()[0] == "Z"
        except OSError:
            return True

    def test_refuses_an_output_before_it_proves(self):
        liar = self.file("cvc5", "#!/bin/sh\ntouch %s/asked\n" % self.folder)
        os.chmod(liar, 0o755)
        environment = dict(os.environ, PATH=self.folder + os.pathsep + os.environ["PATH"])
        for arguments in (["--address", "i"], ["A12.rows"]):
            for path, why in ((os.path.join(self.folder, "none", "x"), "No such file or directory"),
                              (self.folder, "Is a directory")):
                self.expect_failure(prove(*arguments, "-o", path, env=environment), INPUT,
                                    "%s: cannot be written: %s" % (path, why))
        self.assertEqual(os.listdir(self.folder), ["cvc5"])


if __name__ == "__main__":
    unittest.main()
