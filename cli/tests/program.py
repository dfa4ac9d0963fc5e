"""Helpers of the tests that run the program, and the form of every failure: one line on standard
error that begins with `bankproof: `, the right exit code, and nothing on standard output.
"""

import functools
import os
import subprocess
import tempfile
import unittest

BANKPROOF = os.environ["BANKPROOF"]
CLEAN, USAGE, INPUT = 0, 2, 3


def run(*arguments, **options):
    """Runs the program without a shell, by default for at most a minute; captures both streams."""
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    if "stdin" not in options and "input" not in options:
        options["stdin"] = subprocess.DEVNULL
    options.setdefault("timeout", 60)
    return subprocess.run([*options.pop("under", ()), BANKPROOF, *arguments], check=False, **options)


def run_unprivileged(*arguments, **options):
    """Like run(), but file permissions bind the program even if root runs the tests."""
    return run(*arguments, **options,
               under=["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
               if os.geteuid() == 0 else ())


def needs(found, what):
    """Skips a test if a program of ci/packages.txt is missing. Fails instead if those packages were
    installed, which ci/test and ci/check say in BANKPROOF_PACKAGES.
    """
    def decorate(test):
        @functools.wraps(test)
        def run_or_skip(self):
            if not found and os.environ.get("BANKPROOF_PACKAGES") == "installed":
                self.fail(what + " is not here, though ci/packages.txt has it")
            if not found:
                self.skipTest(what + " is not here")
            test(self)
        return run_or_skip
    return decorate


class Folder(unittest.TestCase):
    """A test with its own folder, and the common checks of failures."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = holder.name

    def file(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as out:
            out.write(content.encode() if isinstance(content, str) else content)
        return path

    def read(self, path):
        with open(path, "rb") as source:
            return source.read()

    def expect_failure(self, result, code, line):
        self.assertEqual(result.stderr.decode(), "bankproof: " + line + "\n")
        self.assertEqual(result.returncode, code)
        self.assertFalse(result.stdout)
