"""Input from outside: permutations in every form, input that is no permutation, and hostile input."""

import json
import os
import resource
import struct
import threading
import unittest

from program import BANKPROOF, CLEAN, INPUT, USAGE, Folder, run, run_unprivileged

SHARED = "a permutation of 3 elements has each of 0 … 2 once"


def npy(descr="<i4", shape="(3,)", order="False", data=struct.pack("<3i", 2, 0, 1), version=1,
        header=None):
    """Returns the bytes of an .npy file, padded as numpy pads it."""
    if header is None:
        header = "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }" % (descr, order, shape)
    text = header.encode()
    size = 2 if version == 1 else 4
    text += b" " * (-(8 + size + len(text) + 1) % 64) + b"\n"
    return b"\x93NUMPY" + bytes([version, 0]) + len(text).to_bytes(size, "little") + text + data


class GoodInput(Folder):
    """Every permutation reaches the check, which finds no conflict in these."""

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

    def test_a_name_with_parameters_is_never_taken_for_a_file(self):
        self.file("identity:64", "no integer")
        self.expect_clean("identity:64", cwd=self.folder)
        result = run("check", "./identity:64", cwd=self.folder)
        self.assertEqual(result.returncode, INPUT)

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
        self.expect_refused("p", "0 x\x1b[31m", ":1:3: 'x\\x1b[31m' is not an integer")
        self.expect_refused("p", "[0,1]", ":1:1: '[0' is not an integer; write the integers "
                            "without brackets")
        self.expect_refused("p", b"\x89\xff\x1b", ":1:1: '\\x89\\xff\\x1b' is not text; binary "
                            "input is an .npy file, or little-endian 32-bit integers in a file "
                            "whose name ends in .bin")
        for name in ("p.npz", "p"):
            self.expect_refused(name, b"PK\x03\x04\x14\x00", ": is an .npz archive: unpack it and "
                                "give the .npy inside")
        self.expect_refused("p", "0 18446744073709551616",
                            ":1:3: '18446744073709551616' does not fit 64 bits")
        self.expect_refused("p", "1.0", ":1:1: '1.0' is not an integer; numpy writes integers by "
                            "numpy.savetxt(FILE, p, fmt='%d')")
        self.expect_refused("p.bin", struct.pack("<4Q", 1, 0, 3, 2), ": element 2 (byte 8): value 0 "
                            "repeats that of element 1; a permutation of 8 elements has each of "
                            "0 … 7 once, and 4 is missing; these look like 64-bit integers, and a "
                            ".bin file has 32-bit ones: save them as .npy")
        self.expect_refused("p.bin", b"", ": is empty: there is no element in it")
        self.expect_refused("p.bin", b"12345", ": has 5 bytes, which is not a multiple of 4, so it "
                            "is not a file of little-endian 32-bit integers")

    def test_npy_files_that_are_no_list_of_integers(self):
        self.expect_refused("p.npy", npy("<f8"), ": has dtype '<f8', which is not an integer; if its "
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

    def test_controls_of_the_writing_direction_are_not_shown_as_they_are(self):
        line = "'\\xe2\\x80\\xae\\xe2\\x81\\xa6x'"
        self.expect_failure(run("check", "-", input="\u202e\u2066x".encode()), INPUT,
                            "standard input:1:1: " + line + " is not an integer")
        digit = "'identity:\\xe2\\x80\\xae4'"
        self.expect_failure(run("check", "identity:\u202e4"), USAGE, "bad permutation " + digit +
                            ": N has to be a decimal number without sign, not " +
                            digit.replace("identity:", "") + "; for example: identity:1024")
        self.file("\u202e\uffff", "0 1 2")
        for form in ("text", "json", "sarif", "junit"):
            with self.subTest(form):
                shown = run("check", "\u202e\uffff", "--format", form, cwd=self.folder)
                self.assertEqual(shown.returncode, CLEAN)
                text = shown.stdout.decode()
                self.assertNotRegex(text, "[\u202e\uffff\ufffd]")
                name = r"\xe2\x80\xae\xef\xbf\xbf"
                self.assertIn({"json": name.replace("\\", "\\\\"),
                               "sarif": "%E2%80%AE%EF%BF%BF"}.get(form, name), text)

    def test_a_file_without_permission(self):
        path = self.file("secret", "0")
        os.chmod(path, 0)
        self.expect_failure(run_unprivileged("check", path), INPUT,
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
    """With little address space: the program never allocates what a file only claims to hold."""

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

    def test_a_file_far_larger_than_its_array(self):
        path = self.file("p.npy", npy())
        os.truncate(path, 1 << 34)
        self.expect_failure(self.run_limited("check", path), INPUT,
                            path + ": does not end after the 3 elements that its header promises")

    def test_hostile_header_lengths(self):
        path = self.file("p.npy", b"\x93NUMPY\x02\x00\xff\xff\xff\x7f{")
        self.expect_failure(self.run_limited("check", path), INPUT,
                            path + ": claims an .npy header of 2147483647 bytes; the header "
                            "of an array of integers has about a hundred")

    def test_a_token_without_end(self):
        result = self.run_limited("check", "-", input=b"0 " + b"7" * (100 << 20))
        self.expect_failure(result, INPUT,
                            "standard input:1:3: '" + "7" * 64 + "…' does not fit 64 bits")

    def test_more_than_the_memory_holds(self):
        # Elements take 4 bytes each in memory. A machine with less memory reports its own limit.
        for name, elements, size in (("identity:100000000", 100000000, "381.5 MiB"),
                                     (self.file("p.bin", b""), 1 << 27, "512.0 MiB"),
                                     (self.file("p.npy", self.zeros(1 << 26)), 1 << 26,
                                      "256.0 MiB")):
            if name.endswith(".bin"):
                os.truncate(name, 4 * elements)
            elif name.endswith(".npy"):
                os.truncate(name, 128 + 8 * elements)
            with self.subTest(name):
                self.expect_failure(self.run_limited("check", name), INPUT,
                                    f"{name}: {elements} elements need {size} of memory, more "
                                    "than is available")

    @staticmethod
    def zeros(count):
        return npy("<i8", "(%d,)" % count, data=b"")

    def test_more_than_the_machine_has(self):
        has = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        if not 1 << 30 <= has < 1 << 40:
            self.skipTest("a machine of another size")
        limit = "of memory, more than the %.1f GiB of this machine" % (has / (1 << 30))
        self.expect_failure(run("check", f"identity:{1 << 40}"), INPUT, f"identity:{1 << 40}: "
                            f"{1 << 40} elements need 8.0 TiB {limit}")
        for name, content, first, size in (("p.bin", b"", 0, 4),
                                           ("p.npy", self.zeros(1 << 40), 128, 8)):
            path = self.file(name, content)
            try:
                os.truncate(path, first + size * (1 << 40))
            except OSError:
                self.skipTest("the file system has no files of 8 TiB")
            self.expect_failure(run("check", path), INPUT, f"{path}: {1 << 40} elements need "
                                f"4.0 TiB {limit}")


if __name__ == "__main__":
    unittest.main()
