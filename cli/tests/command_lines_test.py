"""Command lines that once passed, did nothing, or failed with an unhelpful message."""

import os
import re
import unittest

from program import CLEAN, INPUT, USAGE, Folder, run


class Values(Folder):
    def test_the_largest_limit_is_a_limit(self):
        result = run("check", "identity:64", "--max-stages", str(2**64 - 1))
        self.assertEqual((result.returncode, result.stderr), (CLEAN, b""))
        self.assertIn(b"Within the limit", result.stdout)

    def test_numbers_beyond_64_bits(self):
        for option in ("--width", "--max-stages", "--word-bytes"):
            with self.subTest(option):
                self.expect_failure(run("check", "identity:4", option, str(2**64)), USAGE,
                                    f"{option} '18446744073709551616': does not fit 64 bits")
                self.expect_failure(run("check", "identity:4", option, "-1"), USAGE,
                                    f"{option} '-1': expected a number of at least 1")

    def test_empty_values_are_not_ignored(self):
        for option in ("--output", "--width", "--max-stages", "--word-bytes", "--machine"):
            with self.subTest(option):
                self.expect_failure(run("check", "identity:4", option, ""), USAGE,
                                    option + " '': the value is empty")
        for arguments in (["list", "-o", ""], ["check", "-o", "", "identity:4"]):
            with self.subTest(arguments):
                self.expect_failure(run(*arguments), USAGE, "--output '': the value is empty")

    def test_a_machine_without_keys_after_its_colon(self):
        self.expect_failure(run("check", "identity:4", "--machine", "dmm:"), USAGE,
                            "bad machine 'dmm:': expected key=value after the colon")


class Words(Folder):
    def test_one_command_at_a_time(self):
        for arguments in (["check", "identity:4", "list"], ["list", "list"], ["list", "check"]):
            with self.subTest(arguments):
                self.expect_failure(run(*arguments), USAGE, "The following argument was not "
                                    "expected: " + arguments[-1])

    def test_unknown_options_are_named_with_what_was_meant(self):
        for arguments, line in [
            (["check", "identity:4", "--max-stage", "3"],
             "unknown option --max-stage; did you mean --max-stages?"),
            (["check", "--max-stage=3", "identity:4"],
             "unknown option --max-stage; did you mean --max-stages?"),
            (["check", "--widht"], "unknown option --widht; did you mean --width?"),
            (["check", "identity:4", "-w16"],
             "unknown option -w16; 'bankproof check --help' lists them"),
            (["list", "--zork"], "unknown option --zork; 'bankproof list --help' lists them"),
            (["--zork"], "unknown option --zork; 'bankproof --help' lists them"),
        ]:
            with self.subTest(arguments):
                self.expect_failure(run(*arguments), USAGE, line)

    def test_the_help_names_the_keys_of_machines(self):
        text = re.sub(r"\s+", " ", run("check", "--help").stdout.decode())
        for words in ("NAME[:w=W,l=L]", "w, the width", "l, the latency"):
            self.assertIn(words, text)
        for machine in ("dmm:w=16,l=5", "umm:l=5", "sm_90:w=32"):  # the help is right
            self.assertEqual(run("check", "identity:4", "--machine", machine).returncode, CLEAN)


class Outputs(Folder):
    def test_the_output_is_not_the_input(self):
        path = self.file("p.txt", "2 0 1")
        link = os.path.join(self.folder, "link")
        hard = os.path.join(self.folder, "hard")
        os.symlink("p.txt", link)
        os.link(path, hard)
        for source, target in ((path, path), (path, link), (link, path), (hard, path),
                               (path, os.path.join(self.folder, ".", "p.txt"))):
            with self.subTest(source=source, target=target):
                self.expect_failure(run("check", source, "-o", target), USAGE,
                                    "the output is the input: " + target)
        with open(path, "rb") as opened:
            self.expect_failure(run("check", "-", "-o", path, stdin=opened), USAGE,
                                "the output is the input: " + path)
        self.assertEqual(self.read(path), b"2 0 1")
        self.assertEqual(run("check", path, "-o", path + ".report").returncode, CLEAN)

    def test_devices_and_names_are_no_input_to_lose(self):
        result = run("check", "-", "-o", "/dev/null")  # standard input is /dev/null too
        self.expect_failure(result, INPUT, "standard input: is empty: there is no integer in it")
        old = self.file("identity:4", "a report")
        self.assertEqual(run("check", "identity:4", "-o", old, cwd=self.folder).returncode, CLEAN)

    def test_dash_is_standard_output(self):
        for arguments in (["list"], ["check", "identity:4"]):
            with self.subTest(arguments):
                result = run(*arguments, "-o", "-", cwd=self.folder)
                self.assertEqual(result.stdout, run(*arguments).stdout)
                self.assertEqual((result.returncode, result.stderr), (CLEAN, b""))
        self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    unittest.main()
