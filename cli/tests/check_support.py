"""Helpers of the tests of `bankproof check`: they run it, write input files, and count stages in Python,
by code that shares nothing with the program."""

import json
import os
import random
import struct
import subprocess
import tempfile
import unittest

BANKPROOF = os.environ["BANKPROOF"]
SOURCE = os.environ["BANKPROOF_SOURCE"]
METIS = os.path.join(SOURCE, "examples", "metis-nd-grid128x128.iperm")
CLEAN, FINDING, USAGE, INPUT = 0, 1, 2, 3


def check(*arguments, text=None):
    """Runs `bankproof check`; `text` is its standard input."""
    return subprocess.run([BANKPROOF, "check", *map(str, arguments)], timeout=120, check=False,
                          input=(text or "").encode(), capture_output=True)


def shuffled(size, seed):
    values = list(range(size))
    random.Random(seed).shuffle(values)
    return values


def inverse(values):
    result = [0] * len(values)
    for i, value in enumerate(values):
        result[value] = i
    return result


def warps(values, width):
    return [values[i:i + width] for i in range(0, len(values), width)]


def dmm_stages(addresses, width):
    banks = {}
    for address in set(addresses):
        banks[address % width] = banks.get(address % width, 0) + 1
    return max(banks.values())


def umm_stages(addresses, width):
    return len({address // width for address in addresses})


class Folder(unittest.TestCase):
    """A test with its own folder."""

    maxDiff = None

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = holder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def file(self, name, content):
        with open(self.path(name), "wb") as out:
            out.write(content if isinstance(content, bytes) else content.encode())
        return self.path(name)

    def binary(self, name, values):
        return self.file(name, struct.pack("<%dI" % len(values), *values))

    def npy(self, name, values):
        """Writes a file; returns its path and the offset of its data."""
        header = "{'descr': '<i8', 'fortran_order': False, 'shape': (%d,), }" % len(values)
        header += " " * (-(11 + len(header)) % 64) + "\n"
        start = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
        return self.file(name, start + struct.pack("<%dq" % len(values), *values)), len(start)

    def json(self, *arguments, code=None, text=None):
        result = check(*arguments, "--format", "json", text=text)
        self.assertEqual(result.stderr.decode(), "")
        report = json.loads(result.stdout)
        self.assertEqual(result.returncode, CLEAN if report["within_limit"] else FINDING)
        if code is not None:
            self.assertEqual(result.returncode, code)
        return report
