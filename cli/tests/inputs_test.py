"""The program from outside: good and bad input, full disks, closed pipes, hostile headers.

Every failure has to be one line on standard error that begins with `bankproof: `, the right exit
code, nothing on standard output, and no file lost or left behind.
"""

import json
import os
import resource
import signal
import stat
import struct
import subprocess
import tempfile
import threading
import unittest

BANKPROOF = os.environ["BANKPROOF"]
CLEAN, FINDING, USAGE, INPUT = 0, 1, 2, 3
SHARED = "a permutation of 3 elements has each of 0 … 2 once"


def run(*arguments, **options):
    """Runs the program without a shell; text of both streams, and never longer than a minute."""
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    if "stdin" not in options and "input" not in options:
        options["stdin"] = subprocess.DEVNULL
    return subprocess.run([BANKPROOF, *arguments], timeout=60, check=False, **options)


def npy(descr="<i4", shape="(3,)", order="False", data=struct.pack("<3i", 2, 0, 1), version=1,
        header=None):
    """The bytes of an .npy file, padded as numpy does."""
    if header is None:
        header = "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }" % (descr, order, shape)
    text = header.encode()
    size = 2 if version == 1 else 4
    text += b" " * (-(8 + size + len(text) + 1) % 64) + b"\n"
    return b"\x93NUMPY" + bytes([version, 0]) + len(text).to_bytes(size, "little") + text + data


class Folder(unittest.TestCase):
    """A test with a folder of its own, and what all failures have in common."""

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


class GoodInput(Folder):
    """Everything that is a permutation reaches the check, which finds no conflict in these."""

    def expect_clean(self, *arguments, **options):
        result = run("check", *arguments, **options)
        self.assertEqual(result.stderr, b"")
        self.assertEqual(result.returncode, CLEAN)
        self.assertTrue(result.stdout)

    def test_every_example_of_the_list(self):
        listed = json.loads(run("list", "--format", "json").stdout)["permutations"]
        self.assertEqual(len(listed), 10)
        for entry in listed:
            with self.subTest(entry["example"]):
                self.expect_clean(entry["example"], "--max-stages", "1000")

    def test_files_of_every_format(self):
        for name, content in [
            ("text", "2 0 1"),
            ("lines.txt", "2\r\n0\r\n1\r\n"),
            ("commas.csv", "2,0,1,\n"),
            ("marked.txt", b"\xef\xbb\xbf2 0 1"),
            ("p.bin", struct.pack("<3I", 2, 0, 1)),
            ("i4.npy", npy()),
            ("u4.npy", npy("<u4")),
            ("i8.npy", npy("<i8", data=struct.pack("<3q", 2, 0, 1))),
            ("u8.npy", npy("<u8", data=struct.pack("<3q", 2, 0, 1))),
            ("version2.npy", npy(version=2)),
            ("version3.npy", npy(version=3)),
            ("no-extension", npy()),
        ]:
            with self.subTest(name):
                self.expect_clean(self.file(name, content))

    def test_standard_input_and_pipes(self):
        self.expect_clean("-", input=b"2 0 1")
        self.expect_clean("/dev/stdin", input=b"2 0 1")
        self.expect_clean("/dev/stdin", input=npy())
        pipe = os.path.join(self.folder, "pipe.bin")
        os.mkfifo(pipe)

        def write():
            with open(pipe, "wb") as out:
                out.write(struct.pack("<3I", 2, 0, 1))

        writer = threading.Thread(target=write)
        writer.start()
        self.expect_clean(pipe)
        writer.join()


class BadInput(Folder):
    def expect_refused(self, name, content, complaint):
        path = self.file(name, content)
        with self.subTest(name=name, content=content[:80]):
            self.expect_failure(run("check", path), INPUT, path + complaint)

    def test_what_is_no_permutation(self):
        self.expect_refused("p", "0 2\n2", ":2:1: value 2 repeats that of line 1, column 3; " +
                            SHARED + ", and 1 is missing")
        self.expect_refused("p", "0 1 3", ":1:5: value 3 is too large; " + SHARED +
                            ", and 2 is missing")
        self.expect_refused("p", "1 2 3", ":1:5: value 3 is too large; " + SHARED +
                            "; these are 1 … 3: subtract 1 from each")
        self.expect_refused("p", "0\n-1", ":2:1: '-1' is negative; a permutation's elements count "
                            "from 0")
        self.expect_refused("p.bin", struct.pack("<3I", 1, 0, 1), ": element 2 (byte 8): value 1 "
                            "repeats that of element 0; " + SHARED + ", and 2 is missing")
        self.expect_refused("p.npy", npy(data=struct.pack("<3i", 1, -2, 0)), ": element 1 (byte "
                            "132) is -2; a permutation's elements count from 0")
        self.expect_refused("p.npy", npy(data=struct.pack("<3i", 1, 7, 0)), ": element 1 (byte "
                            "132): value 7 is too large; " + SHARED + ", and 2 is missing")

    def test_text_that_is_no_list_of_integers(self):
        self.expect_refused("p", "", ": is empty: there is no integer in it")
        self.expect_refused("p", "\n \n", ": is empty: there is no integer in it")
        self.expect_refused("p", "0,,1", ":1:3: ',' has no integer before it")
        self.expect_refused("p", "0 x\x1b[31m", ":1:3: 'x\\x1b[31m' is not an integer; write the "
                            "integers without brackets")
        self.expect_refused("p", "0 18446744073709551616",
                            ":1:3: '18446744073709551616' does not fit 64 bits")
        self.expect_refused("p", "1.0", ":1:1: '1.0' is not an integer; numpy writes integers by "
                            "numpy.savetxt(FILE, p, fmt='%d')")
        self.expect_refused("p.bin", b"", ": is empty: there is no element in it")
        self.expect_refused("p.bin", b"12345", ": has 5 bytes, no multiple of 4: these are no "
                            "little-endian 32-bit integers")

    def test_npy_files_that_are_no_list_of_integers(self):
        self.expect_refused("p.npy", npy("<f8"), ": has dtype '<f8', which is no integer; if its "
                            "values are whole, save p.astype('<i8')")
        self.expect_refused("p.npy", npy(">i4"), ": has dtype '>i4', which is big-endian; save "
                            "p.astype('<i4')")
        self.expect_refused("p.npy", npy("<i2"), ": has dtype '<i2'; 32- or 64-bit integers can be "
                            "read: save p.astype('<i8')")
        self.expect_refused("p.npy", npy(shape="(3, 1)"), ": has shape '(3, 1)'; a permutation has "
                            "one dimension: save p.ravel()")
        self.expect_refused("p.npy", npy(order="True"), ": is in Fortran order, which numpy never "
                            "writes for one dimension; save numpy.ascontiguousarray(p)")
        self.expect_refused("p.npy", npy(shape="(0,)"), ": is empty: its shape is (0,)")
        self.expect_refused("p.npy", npy()[:-1], ": is truncated: its header promises 3 elements "
                            "of 4 bytes, but only 11 bytes follow")
        self.expect_refused("p.npy", npy()[:50], ": is truncated: it ends inside its .npy header")
        self.expect_refused("p.npy", npy() + b"x", ": does not end after the 3 elements that its "
                            "header promises")
        self.expect_refused("p.npy", npy(header="__import__('os')"),
                            ": its .npy header has '__import__('os')' at byte 0 where '{' belongs")

    def test_files_that_cannot_be_read(self):
        missing = os.path.join(self.folder, "missing")
        self.expect_failure(run("check", missing), INPUT,
                            missing + ": cannot be opened: No such file or directory")
        self.expect_failure(run("check", self.folder), INPUT,
                            self.folder + ": is a directory, not a file")
        below = os.path.join(self.file("file", "0"), "below")
        self.expect_failure(run("check", below), INPUT,
                            below + ": cannot be opened: Not a directory")
        self.expect_failure(run("check", "odd\nname"), INPUT,
                            "odd\\x0aname: cannot be opened: No such file or directory")

    def test_a_file_without_permission(self):
        path = self.file("secret", "0")
        os.chmod(path, 0)
        os.chmod(self.folder, 0o755)
        somebody = {"user": 65534} if os.geteuid() == 0 else {}
        self.expect_failure(run("check", path, **somebody), INPUT,
                            path + ": cannot be opened: Permission denied")

    def test_standard_input(self):
        self.expect_failure(run("check", "-", input=b""), INPUT,
                            "standard input: is empty: there is no integer in it")
        self.expect_failure(run("check", "-", input=b"0 0 1"), INPUT,
                            "standard input:1:3: value 0 repeats that of line 1, column 1; " +
                            SHARED + ", and 2 is missing")
        closed = run("check", "-", stdin=None, preexec_fn=lambda: os.close(0))
        self.expect_failure(closed, INPUT, "standard input: cannot be read: Bad file descriptor")

    def test_specifications(self):
        for text, line in [
            ("", "PERMUTATION is empty; 'bankproof list' shows the names"),
            ("tranpose:4x4", "unknown permutation 'tranpose'; did you mean 'transpose'?"),
            ("transpose", "bad permutation 'transpose': it needs parameters, transpose:RxC; for "
             "example: transpose:32x32"),
            ("identity:0", "bad permutation 'identity:0': N is 0, and nothing is left to permute; "
             "for example: identity:1024"),
            ("shuffle:9", "bad permutation 'shuffle:9': N has to be even; for example: "
             "shuffle:1024"),
        ]:
            with self.subTest(text):
                self.expect_failure(run("check", text), USAGE, line)


class Memory(Folder):
    """With little address space: what a file claims but does not hold is not allocated."""

    @staticmethod
    def limit(mebibytes):
        def apply():
            resource.setrlimit(resource.RLIMIT_AS, (mebibytes << 20, mebibytes << 20))
        return apply

    def run_limited(self, *arguments, mebibytes=64, **options):
        if b"__asan" in self.read(BANKPROOF):
            self.skipTest("the address sanitizer reserves terabytes")
        return run(*arguments, preexec_fn=self.limit(mebibytes), **options)

    def test_hostile_shapes(self):
        for count in [1 << 32, 1 << 40, (1 << 60) - 1, (1 << 61) - 1]:
            path = self.file("p.npy", npy("<i8", "(%d,)" % count))
            with self.subTest(count):
                self.expect_failure(
                    self.run_limited("check", path), INPUT,
                    f"{path}: is truncated: its header promises {count} elements of 8 bytes, but "
                    "only 12 bytes follow")
                self.expect_failure(
                    self.run_limited("check", "/dev/stdin", input=self.read(path)), INPUT,
                    f"/dev/stdin: is truncated: its header promises {count} elements of 8 bytes, "
                    "but only 12 bytes follow")

    def test_hostile_header_lengths(self):
        path = self.file("p.npy", b"\x93NUMPY\x02\x00\xff\xff\xff\x7f{")
        self.expect_failure(self.run_limited("check", path), INPUT,
                            path + ": claims an .npy header of 2147483647 bytes; an array of "
                            "integers needs a hundred")

    def test_a_token_without_end(self):
        result = self.run_limited("check", "-", input=b"0 " + b"7" * (100 << 20))
        self.expect_failure(result, INPUT,
                            "standard input:1:3: '" + "7" * 64 + "…' does not fit 64 bits")

    def test_more_than_the_memory_holds(self):
        self.expect_failure(self.run_limited("check", "identity:1000000000"), INPUT,
                            "out of memory")
        path = self.file("sparse.bin", b"")
        os.truncate(path, 1 << 34)
        self.expect_failure(self.run_limited("check", path), INPUT, "out of memory")


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
        # Mounting needs root; a container's root may still not be allowed to.
        mount = ["mount", "-t", "tmpfs", "-o", "size=4k,nr_inodes=8", "tmpfs", target]
        if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
            self.skipTest("cannot mount a tmpfs here")
        self.addCleanup(subprocess.run, ["umount", target], check=True)
        old = os.path.join(target, "old")
        with open(old, "wb") as out:
            out.write(b"precious")  # takes the only page
        new = os.path.join(target, "new")
        for path in [old, new]:
            self.expect_failure(run("list", "-o", path), INPUT,
                                path + ": cannot be written: No space left on device")
        self.assertEqual(self.read(old), b"precious")
        self.assertEqual(os.listdir(target), ["old"])

    def test_a_closed_pipe(self):
        reading, writing = os.pipe()
        os.close(reading)
        try:
            # Python ignores SIGPIPE for its children unless told otherwise; shells do not.
            result = run("list", stdout=writing,
                         preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_DFL))
        finally:
            os.close(writing)
        self.expect_failure(result, INPUT, "standard output: cannot be written: Broken pipe")

    def test_closed_streams(self):
        result = run("list", stdout=None, preexec_fn=lambda: os.close(1))
        self.expect_failure(result, INPUT,
                            "standard output: cannot be written: Bad file descriptor")
        # Where errors cannot be told, the exit code still tells.
        silent = run("check", "/no/such/file", stderr=None, preexec_fn=lambda: os.close(2))
        self.assertEqual(silent.returncode, INPUT)

    def test_a_file_opened_late_does_not_become_standard_output(self):
        path = self.file("p", "0 1 2")
        result = run("check", path, stdout=None, preexec_fn=lambda: os.close(1))
        self.assertEqual(result.returncode, INPUT)
        self.assertEqual(self.read(path), b"0 1 2")

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
        # The words are CLI11's and change with its version: one line that names the culprit.
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
