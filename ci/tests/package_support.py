"""Helpers of the tests of packages and of their contents."""

import functools
import os
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCE = os.environ["BANKPROOF_SOURCE"]
BUILD = os.environ["BANKPROOF_BUILD"]
PROGRAM = os.environ["BANKPROOF"]


def needs(*programs):
    """Skips a test if a program of ci/packages.txt is missing. If the packages were installed, which
    ci/test and ci/check say by BANKPROOF_PACKAGES, the test fails instead.
    """
    missing = [program for program in programs if not shutil.which(program)]

    def decorate(test):
        @functools.wraps(test)
        def run_or_skip(self):
            if missing and os.environ.get("BANKPROOF_PACKAGES") == "installed":
                self.fail(f"{missing} are not here, though ci/packages.txt has them")
            if missing:
                self.skipTest(f"{missing} are not here")
            test(self)
        return run_or_skip
    return decorate


def run(*command, **options):
    """Runs a command; returns its exit code and its output on both streams together."""
    options = {"stdin": subprocess.DEVNULL, "timeout": 300, **options}
    result = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True,
                            stderr=subprocess.STDOUT, check=False, **options)
    return result.returncode, result.stdout


class Folder(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = holder.name

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def works(self, *command, code=0, **options):
        actual, output = run(*command, **options)
        self.assertEqual(actual, code, f"{command}: {output}")
        return output


def options_in(text):
    """The options that the output of --help lists: -o, --output."""
    lines = re.findall(r"^  (-\S+)", text, re.MULTILINE)
    return [name for line in lines for name in line.split(",")]


def names_in(text):
    """The commands that the output of --help lists."""
    behind = text.partition("Subcommands:\n")[2].partition("\n\n")[0]
    return re.findall(r"^  (\S+)", behind, re.MULTILINE)


def command_line(program=PROGRAM):
    """The command line by --help: {"": …, "check": …, "run sum": …}, each with its commands and
    options.
    """
    found, left = {}, [""]
    while left:
        name = left.pop()
        code, text = run(program, *name.split(), "--help")
        assert code == 0, text
        found[name] = (names_in(text), options_in(text))
        left += [f"{name} {inner}".strip() for inner in names_in(text)]
    return found
