"""Runs the program with full disks and closed pipes; it loses no file. Also tests command lines."""

import errno
import os
import resource
import signal
import stat
import subprocess
import unittest

from program import BANKPROOF, CLEAN, INPUT, USAGE, Folder, run


class Output(Folder):
    def test_dash_o_writes_what_standard_output_would_show(self):
        path = os.path.join(self.folder, "report")
        shown = run("list")
        written = run("list", "-o", path)
        self.assertEqual((written.returncode, written.stdout, written.stderr), (CLEAN, b"", b""))
        self.assertEqual(self.read(path), shown.stdout)
        self.assertEqual(os.listdir(self.folder), ["report"])

    def test_a_full_disk_under_standard_output(self):
        with open("/dev/full", "wb") as full:
            for command in [["list"], ["check", "identity:64"], ["--help"], ["--version"]]:
                with self.subTest(command):
                    self.expect_failure(
                        run(*command, stdout=full), INPUT,
                        "standard output: cannot be written: No space left on device")

    def test_a_full_disk_under_dash_o(self):
        self.expect_failure(run("list", "-o", "/dev/full"), INPUT,
                            "/dev/full: cannot be written: No space left on device")
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/full").st_mode))

    def test_no_space_for_a_file(self):
        def no_space():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

        old = self.file("old", "precious")
        for name in ["old", "new"]:
            path = os.path.join(self.folder, name)
            for command in [["list"], ["check", "identity:64", "--format", "json"]]:
                with self.subTest(name=name, command=command):
                    self.expect_failure(run(*command, "-o", path, preexec_fn=no_space), INPUT,
                                        path + ": cannot be written: File too large")
        self.assertEqual(self.read(old), b"precious")
        self.assertEqual(os.listdir(self.folder), ["old"])

    def test_a_full_file_system(self):
        target = os.path.join(self.folder, "tiny")
        os.mkdir(target)
        # Mounting needs root. Even root in a container may be refused, or may get more than 4 KiB.
        mount = ["mount", "-t", "tmpfs", "-o", "size=4k,nr_inodes=8", "tmpfs", target]
        if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
            self.skipTest("cannot mount a tmpfs here")
        self.addCleanup(subprocess.run, ["umount", "--lazy", target], check=True)
        old = os.path.join(target, "old")
        with open(old, "wb") as out:
            out.write(b"precious")  # takes the only page
        if self.has_space(os.path.join(target, "more")):
            self.skipTest("the tmpfs is not full")
        new = os.path.join(target, "new")
        for path in [old, new]:
            self.expect_failure(run("list", "-o", path), INPUT,
                                path + ": cannot be written: No space left on device")
        self.assertEqual(self.read(old), b"precious")
        self.assertEqual(os.listdir(target), ["old"])

    def has_space(self, path):
        """Returns whether a byte can be written to a new file."""
        try:
            with open(path, "wb") as out:
                out.write(b"x")
            return True
        except OSError as error:
            self.assertEqual(error.errno, errno.ENOSPC)
            return False
        finally:
            os.remove(path)

    def test_a_closed_pipe(self):
        reading, writing = os.pipe()
        os.close(reading)
        try:
            # By default, Python's child processes ignore SIGPIPE; the child processes of a shell do not.
            result = run("list", stdout=writing,
                         preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_DFL))
        finally:
            os.close(writing)
        # A reader of only the first line (`| head -1`) wants no error message.
        self.assertEqual((result.returncode, result.stderr), (INPUT, b""))

    def test_closed_streams(self):
        result = run("list", stdout=None, preexec_fn=lambda: os.close(1))
        self.expect_failure(result, INPUT,
                            "standard output: cannot be written: Bad file descriptor")
        # If no error message can be written, the exit code still reports the failure.
        silent = run("check", "/no/such/file", stderr=None, preexec_fn=lambda: os.close(2))
        self.assertEqual(silent.returncode, INPUT)

    def test_nothing_opened_later_takes_the_place_of_a_closed_stream(self):
        pipe = os.path.join(self.folder, "pipe")
        os.mkfifo(pipe)
        waiting = subprocess.Popen([BANKPROOF, "check", pipe], stderr=subprocess.PIPE,
                                   preexec_fn=lambda: os.close(1))
        self.addCleanup(waiting.stderr.close)
        with open(pipe, "w", encoding="ascii") as out:  # returns once the program opens it too
            self.assertEqual(os.readlink(f"/proc/{waiting.pid}/fd/1"), "/dev/null")
            out.write("0 1 2")
        self.assertEqual(waiting.wait(timeout=60), INPUT)
        self.assertEqual(waiting.stderr.read(), b"bankproof: standard output: cannot be written: "
                         b"Bad file descriptor\n")

    def test_dev_stdout_appends_like_standard_output(self):
        path = self.file("log", "before\n")
        with open(path, "ab") as log:
            self.assertEqual(run("list", "-o", "/dev/stdout", stdout=log).returncode, CLEAN)
        self.assertEqual(self.read(path), b"before\n" + run("list").stdout)


class CommandLine(Folder):
    def test_the_list_has_a_line_for_each_permutation(self):
        result = run("list")
        lines = result.stdout.decode().splitlines()
        self.assertEqual(result.returncode, CLEAN)
        self.assertEqual([line.split(":")[0] for line in lines],
                         ["identity", "transpose", "shuffle", "unshuffle", "bit-reversal", "random",
                          "morton", "blocked-to-striped", "nchw-to-nhwc", "butterfly"])
        self.assertIn("transpose:RxC", lines[1])
        self.assertIn("e.g. transpose:32x32", lines[1])

    def test_help_and_version_are_output(self):
        for option in [["--help"], ["list", "--help"], ["check", "--help"]]:
            result = run(*option)
            self.assertEqual((result.returncode, result.stderr), (CLEAN, b""), option)
            self.assertIn(b"Usage: bankproof", result.stdout)
        self.assertRegex(run("--version").stdout.decode(), r"\Abankproof \d+\S*\n\Z")

    def test_no_arguments_show_the_help_as_an_error(self):
        result = run()
        self.assertEqual((result.returncode, result.stdout), (USAGE, b""))
        self.assertEqual(result.stderr, run("--help").stdout)

    def test_wrong_command_lines(self):
        for arguments, line in [
            (["chekc"], "unknown command 'chekc'; did you mean 'check'?"),
            (["zork"], "unknown command 'zork'; 'bankproof --help' lists the commands"),
            (["--"], "a command is missing; 'bankproof --help' lists them"),
        ]:
            with self.subTest(arguments):
                self.expect_failure(run(*arguments), USAGE, line)

    def test_command_lines_that_the_library_refuses(self):
        # The words are CLI11's and change with its version; the test wants one line that names the
        # culprit.
        for arguments, culprit in [
            (["--zork"], "--zork"),
            (["list", "more"], "more"),
            (["list", "--format", "xml"], "xml"),
            (["list", "-o"], "FILE"),
            (["list", "a\nb"], "a\\x0ab"),
        ]:
            with self.subTest(arguments):
                result = run(*arguments)
                self.assertEqual((result.returncode, result.stdout), (USAGE, b""))
                self.assertRegex(result.stderr.decode(), r"\Abankproof: [^\n]+\n\Z")
                self.assertIn(culprit, result.stderr.decode())


if __name__ == "__main__":
    unittest.main()
