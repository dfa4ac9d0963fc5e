"""The messages of `bankproof kernel` for wrong command lines, files and launch files."""

import json
import os
import struct

from kernel_support import CALL, HEAD, KernelFolder, npy, words
from program import CLEAN, INPUT, USAGE, run


class BadInput(KernelFolder):
    def test_command_lines(self):
        file = self.tile()
        good = ("--grid", "2", "--block", "64")
        three = CALL[4:]
        for arguments, message in (
                ((), "--grid is missing; for example --grid 64"),
                (("--grid", "2"), "--block is missing; for example --block 64"),
                (("--grid", "2,0", "--block", "4"),
                 "--grid '2,0': expected one to three numbers from 1 to 4294967295, as in 64,2"),
                (("--grid", "4294967296", "--block", "4"), "--grid '4294967296': expected one to "
                 "three numbers from 1 to 4294967295, as in 64,2"),
                (("--grid", "2147483647", "--block", "1", *three), "launch of scale(unsigned int*, "
                 "unsigned int const*, int): the machine runs at most 67108861 warps a launch, and "
                 "these are 2147483647 blocks of 1 warp; a part of the grid shows the same"),
                ((*good, *three, "--shared", "232448"), "launch of scale(unsigned int*, "
                 "unsigned int const*, int): 240640 bytes of shared memory, 8192 of the "
                 "kernel's own and 232448 of the launch; no chip has more than 232448 a block"),
                ((*good, "--max-excess", "99999999999999999999"),
                 "--max-excess '99999999999999999999': does not fit 64 bits"),
                (("--grid", "1,1,1,1", "--block", "4"),
                 "--grid '1,1,1,1': expected X, X,Y or X,Y,Z"),
                (("--grid", "1", "--block", "1025"),
                 "a block of 1025x1x1 threads; CUDA has at most 1024, and 64 in z"),
                (("--grid", "1", "--block", "1", "--shared", "x"),
                 "--shared 'x': expected bytes, as a number that is not negative"),
                (("--grid", "1", "--block", "1", "--shared", "-1"),
                 "--shared '-1': expected bytes, as a number that is not negative"),
                ((*good, "--max-excess", "few"), "--max-excess 'few': expected a number"),
                ((*good, "--max-shared-excess", "-1"),
                 "--max-shared-excess '-1': expected a number"),
                ((*good, "--max-global-excess", "1.5"),
                 "--max-global-excess '1.5': expected a number"),
                ((*good, "--fail-on", "raze"), "--fail-on: unknown kind 'raze'; did you mean "
                 "'race'? There are race, out_of_bounds, misaligned, uninitialized, "
                 "barrier_divergence, deadlock, inactive_lane, colliding_writes, trap, "
                 "instruction_limit, use_after_free, double_free, invalid_copy, leak and "
                 "unchecked_error"),
                ((*good, "--machine", "hmm:w=16"),
                 "--machine: w=16 is not 32, the threads of a warp in CUDA"),
                ((*good, "--save", "7"), "--save '7': expected a buffer and a file, as in "
                 "0=out.npy"),
                ((*good, *three, "--save", "2=a.npy"),
                 "--save '2=a.npy': there is no buffer '2'; there are 0 and 1"),
                ((*good, *three, "--save", "0=a.txt"),
                 "--save '0=a.txt': files are written as .npy"),
                ((*good, "5"), "'5': an argument is TYPE:VALUE, buffer:TYPE:COUNT=INITIAL or "
                 "bytes:HEX|FILE"),
                ((*good, *three[:2]), "scale(unsigned int*, unsigned int const*, int) takes 3 "
                 "arguments (.u64, .u64, .u32), and is given 2"),
                ((*good, *three[:2], "i64:5"), "argument 2 of scale(unsigned int*, unsigned int "
                 "const*, int), 'i64:5', has 8 bytes; the parameter is .u32 and has 4"),
                ((*good, *three, "--kernel", "scall"), "no kernel 'scall' in " + file
                 + "; did you mean 'scale'? There are: 'scale(unsigned int*, unsigned int const*, "
                 "int)'"),
                ((*good, *three, "-D", "N=4"), file + " is PTX, which needs no compiler: "
                 "--compiler, -I, -D, --compile-option and the words after '--' work only with CUDA "
                 "source"),
                ((*good, "--launch", "x.json"), "the file of --launch has the kernels, grids, "
                 "blocks and arguments; give either --launch or these"),
                (("--html", file, *good, *three), None)):
            with self.subTest(arguments):
                result = run("kernel", file, *arguments)
                if message is None:
                    self.assertEqual(result.returncode, USAGE)
                    self.assertEqual(self.read(file).decode()[:8], ".version"[:8])
                else:
                    self.expect_failure(result, USAGE, message)

    def test_files(self):
        good = ("--grid", "2", "--block", "64")
        missing = os.path.join(self.folder, "missing.ptx")
        for name, text, message in (
                ("a.ptx", "nonsense", "a.ptx:1:1"),
                ("b.ptx", HEAD + ".entry k()\n{\nfrob.u32 1;\nret;\n}\n",
                 "unsupported: frob.u32, "),
                ("c.ptx", HEAD, "c.ptx contains no kernel; it needs a __global__ function, and a "
                 "template must be instantiated"),
                ("d.ptx", HEAD + ".const .b8 c[720897];\n.entry k()\n{\n.reg .b32 %r;\n"
                 "ld.const.u32 %r, [c];\nret;\n}\n", "unsupported: variable c: too large, "),
                ("e.ptx", HEAD + ".entry k()\n{\n.local .b8 x[524289];\n.reg .b32 %r;\n"
                 "ld.local.u32 %r, [x];\nret;\n}\n", "more than 512 KiB of local memory, ")):
            with self.subTest(name):
                result = run("kernel", self.file(name, text), *good)
                self.assertEqual(result.returncode, INPUT)
                self.assertIn(message, result.stderr.decode())
                self.assertEqual(result.stderr.count(b"\n"), 1)
        folder = os.path.join(self.folder, "folder.ptx")
        os.mkdir(folder)
        self.expect_failure(run("kernel", folder, *good), INPUT, folder + ": is a folder")
        result = run("kernel", missing, *good)
        self.assertEqual(result.returncode, INPUT)
        self.assertIn("missing.ptx: cannot be read", result.stderr.decode())
        bad = self.file("bad.npy", npy(b"\0" * 512, "(128,)", "<f4"))
        result = run("kernel", self.tile(), *CALL[:5], "buffer:u32=" + bad, "i32:1")
        self.assertEqual(result.returncode, INPUT)
        self.assertIn("has dtype '<f4'; expected '<u4'", result.stderr.decode())

    def test_arrays(self):
        whole = npy(b"\0" * 512, "(128,)", "<u4")
        for content, message in (
                (b"", "is empty: there is no .npy header in it"),
                (b"PK\3\4", "is not an .npy file: it begins with 'PK\\x03\\x04'; save it with "
                 "numpy.save"),
                (whole[:40], "is truncated: it ends inside its .npy header"),
                (whole[:-1], "is truncated, or longer than its header promises: 128 elements of 4 "
                 "bytes"),
                (whole + b"0", "is truncated, or longer than its header promises: 128 elements of "
                 "4 bytes"),
                (npy(b"\0" * 512, "(64, 2)", "<u4").replace(b"False", b"True "),
                 "is in Fortran order; save numpy.ascontiguousarray(a)"),
                (npy(b"\0" * 512, "(128,)", ">u4"),
                 "has dtype '>u4'; expected '<u4', as after .astype('<u4')"),
                (npy(b"\0" * 128, "(128,)", "|O"),
                 "has dtype '|O'; expected '<u4', as after .astype('<u4')"),
                (npy(b"", "(0,)", "<u4"), "is empty: a buffer has at least one element"),
                (npy(b"\0" * 4, "(1,)", "<u4"),
                 "has 1 element, but argument 1 has 128"),
                (npy(b"\0" * 4, "(18446744073709551615, 2)", "<u4"),
                 "claims more elements than any file can hold")):
            with self.subTest(message):
                bad = self.file("bad.npy", content)
                self.expect_failure(run("kernel", self.tile(), *CALL[:5],
                                        "buffer:u32:128=" + bad, "i32:1"), INPUT,
                                    bad + ": " + message)

    def test_files_of_bytes(self):
        for size, given, count in ((0, "u32:128", 128), (511, "u32:128", 128), (511, "u32", 127)):
            bad = self.file("bad.bin", b"\0" * size)
            self.expect_failure(run("kernel", self.tile(), *CALL[:5], f"buffer:{given}={bad}", "i32:1"),
                                INPUT, f"{bad}: has {size} bytes, but argument 1 has {count} elements of u32")
        good = self.file("good.bin", struct.pack("<128I", *range(128)))
        out = os.path.join(self.folder, "out.npy")
        ran = run("kernel", self.tile(), *CALL[:5], f"buffer:u32={good}", "i32:1", "--save", f"0={out}")
        self.assertEqual(ran.returncode, CLEAN, ran.stderr)
        self.assertEqual(words(self.read(out), 128), [3 * k + 1 for k in range(128)])

    def test_outputs(self):
        tile = self.tile()
        page = os.path.join(self.folder, "page.html")
        os.symlink(page, os.path.join(self.folder, "link"))
        for other in ("page.html", os.path.join("..", os.path.basename(self.folder), "page.html"),
                      "link"):
            result = run("kernel", tile, *CALL, "--html", page, "-o",
                         os.path.join(self.folder, other))
            self.assertEqual(result.returncode, USAGE)
            self.assertIn("two outputs go to '", result.stderr.decode())
        for output in self.folder, os.path.join(self.folder, "none", "x"):
            for option in "-o", "--html", "--trace":
                result = run("kernel", tile, *CALL, option, output)
                self.assertEqual(result.returncode, INPUT)
                self.assertIn(output + ": cannot be written: ", result.stderr.decode())
                self.assertFalse(os.path.exists(page))
        self.expect_failure(run("kernel", tile, *CALL, "-o", "/dev/full"), INPUT,
                            "/dev/full: cannot be written: No space left on device")

    def test_launch_files(self):
        tile = self.tile()
        launch = {"kernel": "scale", "grid": [2], "block": 64, "arguments": []}
        for content, message in (
                ("{", ":1:2: is not valid JSON from here on"),
                ("[]", "the file is not an object"),
                ("{}", "expected \"launches\", a list of at least one launch"),
                ({"launch": []}, "unknown key 'launch'; did you mean 'launches'?"),
                ({"launches": [{**launch, "grid": 0}]},
                 "launch 0: 'grid' is '0'; expected a whole number from 1 to 4294967295"),
                ({"launches": [{**launch, "block": "64"}]},
                 "launch 0: 'block' is '\"64\"'; expected a whole number from 1 to 4294967295"),
                ({"launches": [launch, {**launch, "shared": -1}]}, "launch 1: 'shared' is '-1'; "),
                ({"launches": [{**launch, "threads": 1}]}, "launch 0 has an unknown key 'threads'; "
                 "there are kernel, grid, block, shared and arguments"),
                ({"launches": [launch, {**launch, "block": 2048}]},
                 "launch 1: a block of 2048x1x1 threads; CUDA has at most 1024"),
                ({"launches": [launch], "max_instructions": 0},
                 "\"max_instructions\" is '0'; expected a whole number from 1 "),
                ('{"launches": [], "launches": []}', "an object has the key 'launches' twice"),
                ('{"launches": [{"grid": 1, "grid": 2}]}', "an object has the key 'grid' twice"),
                ('{"buffers": ' * 100000 + "1" + "}" * 100000, "nests deeper than 64 levels"),
                ('{"buffers": ' + "[" * 60 + "]" * 60 + "}", "\"buffers\" is not an object"),
                ({"launches": [{**launch, "block": [1, 2, 3, 4]}]}, "one to three numbers"),
                ({"launches": [{"kernel": "scale"}]}, "launch 0 has no 'grid'"),
                ({"launches": [{**launch, "arguments": ["buffer:x"]}]},
                 "launch 0: argument 0: 'buffer:x': there is no buffer 'x'"),
                ({"launches": [{**launch, "arguments": [5]}]},
                 "launch 0: argument 0 is '5'; expected a string"),
                # Errors that need the file of kernels to be found.
                ({"launches": [{**launch, "kernel": "scael"}]},
                 "launch 0: no kernel 'scael' in " + tile + "; did you mean 'scale'?"),
                ({"buffers": {"a": "u32:128"}, "launches": [
                    {**launch, "arguments": ["buffer:a", "buffer:a", "i32:1"]},
                    {**launch, "arguments": ["buffer:a"]}]},
                 "launch 1: scale(unsigned int*, unsigned int const*, int) takes 3 arguments"),
                ({"buffers": {"a": "u32:128"}, "launches": [
                    {**launch, "arguments": ["buffer:a", "buffer:a", "i8:1"]}]},
                 "launch 0: argument 2 of scale(unsigned int*, unsigned int const*, int), 'i8:1', "
                 "has 1 byte"),
                ({"launches": [{**launch, "arguments": ["bytes:no_such_file", "i32:1", "i32:1"]}]},
                 "launch 0: no_such_file: cannot be opened"),
                ({"buffers": {"a": "u32:4"}, "symbols": {"a": "u32:4"}, "launches": [launch]},
                 "symbol 'a': 'a': a buffer has that name"),
                ({"buffers": {"a": {}}, "launches": [launch]}, "buffer 'a' has no 'contents'"),
                ({"buffers": {"a": {"contents": "u8:4", "undefined": [[3, 2]]}}, "launches": [launch]},
                 "buffer 'a': 'undefined' is '2'; expected a whole number from 3 to "),
                ({"buffers": {"a": {"contents": "u8:4", "undefined": [[0, 5]]}}, "launches": [launch]},
                 "buffer 'a': 'undefined' is beyond the end of the buffer"),
                ({"buffers": {"a": {"contents": "u8:4", "undefined": [1]}}, "launches": [launch]},
                 "'undefined': expected a list of two numbers"),
                ({"buffers": {"a": {"freed": False}}, "launches": [launch]}, "'freed' is true, or missing"),
                ({"buffers": {"a": {"content": "u8:4"}}, "launches": [launch]},
                 "buffer 'a' has an unknown key 'content'; did you mean 'contents'?"),
                ({"buffers": {"a": "u8:4"}, "symbols": {"b": "buffer:c"}, "launches": [launch]},
                 "symbol 'b': 'b': there is no buffer 'c'"),
                ({"symbols": {"table": 4}, "launches": [launch]}, "symbol 'table' is '4'; "
                 "expected a string"),
                ({"buffers": {"a": "f32:4"}, "launches": [
                    {**launch, "arguments": ["buffer:a+4"]}]}, "is beyond the end of the buffer"),
                ({"buffers": {"a": "f99:4"}, "launches": [launch]},
                 "buffer 'a': unknown type 'f99'"),
                ({"buffers": {"a+": "f32:4"}, "launches": [launch]},
                 "bad buffer name 'a+': a name must not be empty or contain + or ="),
                ({"launches": [launch], "save": {"a": "a.npy"}}, "there is no buffer 'a'")):
            with self.subTest(content):
                text = content if isinstance(content, str) else json.dumps(content)
                file = self.file("l.json", text)
                result = run("kernel", tile, "--launch", file)
                self.assertEqual(result.returncode, INPUT, result.stderr)
                self.assertIn(file, result.stderr.decode())
                self.assertIn(message, result.stderr.decode())
                self.assertEqual(result.stderr.count(b"\n"), 1)
