"""A long command shows its progress on a terminal, and nowhere else."""

import os
import subprocess
import time
import unittest

from program import BANKPROOF, CLEAN

# Commands that wait for a permutation on standard input, and the progress that they then show.
WAITING = ((["schedule", "-"], b"reading the permutation"),
           (["run", "permutation", "--permutation", "-"], b"reading"))


def said_to_a_terminal(arguments, patience, **environment):
    """Returns the bytes written to standard error while standard input comes late."""
    master, terminal = os.openpty()
    plain = {name: value for name, value in os.environ.items() if name not in ("TERM", "NO_COLOR")}
    with subprocess.Popen([BANKPROOF, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=terminal, env=plain | environment) as process:
        os.close(terminal)
        process.stdin.write(b"1 0")
        process.stdin.flush()
        time.sleep(patience)
        process.communicate(timeout=60)
    assert process.returncode == CLEAN
    said = b""
    try:
        while piece := os.read(master, 4096):
            said += piece
    except OSError:  # the other end is closed
        pass
    os.close(master)
    return said


class Progress(unittest.TestCase):
    def test_is_shown_after_a_second_and_removed(self):
        for arguments, step in WAITING:
            with self.subTest(arguments):
                said = said_to_a_terminal(arguments, 1.4, TERM="xterm", NO_COLOR="")
                self.assertRegex(said, rb"\[-*====-*\] 1\.\d s, step 1: " + step + rb"\x1b")
                self.assertTrue(said.endswith(b"\r\x1b[K"), said)

    def test_is_not_shown_before(self):
        for arguments, _ in WAITING:
            self.assertEqual(said_to_a_terminal(arguments, 0), b"")

    def test_is_not_shown_to_plain_terminals(self):
        for environment in ({"TERM": "dumb"}, {"NO_COLOR": "1"}):
            with self.subTest(environment):
                self.assertEqual(said_to_a_terminal(WAITING[1][0], 1.4, **environment), b"")

    def test_is_not_shown_to_files(self):
        with subprocess.Popen([BANKPROOF, *WAITING[1][0]], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            process.stdin.write(b"1 0")
            process.stdin.flush()
            time.sleep(1.4)
            _, said = process.communicate(timeout=60)
        self.assertEqual((process.returncode, said), (CLEAN, b""))


if __name__ == "__main__":
    unittest.main()
