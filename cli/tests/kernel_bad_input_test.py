"""What `bankproof kernel` says of command lines, files and launch files that are wrong."""

import json
import os

from kernel_support import CALL, HEAD, KernelFolder, npy
from program import INPUT, USAGE, run


class BadInput(KernelFolder):
    def test_command_lines(self):
        file = self.tile()
        good = ("--grid", "2", "--block", "64")
        three = CALL[4:]
        for arguments, message in (
                ((), "--grid is missing: how many? For example --grid 64"),
                (("--grid", "2"), "--block is missing: how many? For example --block 64"),
                (("--grid", "2,0", "--block", "4"),
                 "--grid '2,0': expected one to three numbers of at least 1, as in 64,2"),
                (("--grid", "1,1,1,1", "--block", "4"),
                 "--grid '1,1,1,1': expected X, X,Y or X,Y,Z"),
                (("--grid", "1", "--block", "1025"),
                 "a block of 1025x1x1 threads; CUDA has at most 1024, and 64 in z"),
                (("--grid", "1", "--block", "1", "--shared", "x"),
                 "--shared 'x': expected bytes"),
                ((*good, "--max-excess", "few"), "--max-excess 'few': expected a number"),
                ((*good, "--fail-on", "raze"), "--fail-on: unknown kind 'raze'; did you mean "
                 "'race'? There are race, out_of_bounds, misaligned, uninitialized, "
                 "barrier_divergence, deadlock, inactive_lane, colliding_writes and trap"),
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
                ((*good, *three, "--kernel", "scall"), "--kernel: no kernel 'scall' in " + file
                 + "; did you mean 'scale'? There are: 'scale(unsigned int*, unsigned int const*, "
                 "int)'"),
                ((*good, "--launch", "x.json"), "--launch has kernels, grids, blocks and arguments "
                 "in its file; give one or the other"),
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
                ("c.ptx", HEAD, "has no kernel"),
                ("d.ptx", HEAD + ".const .b8 c[720897];\n.entry k()\n{\n.reg .b32 %r;\n"
                 "ld.const.u32 %r, [c];\nret;\n}\n", "unsupported: variable c: too large, "),
                ("e.ptx", HEAD + ".entry k()\n{\n.local .b8 x[524289];\n.reg .b32 %r;\n"
                 "ld.local.u32 %r, [x];\nret;\n}\n", "more than 512 KiB of local memory, ")):
            with self.subTest(name):
                result = run("kernel", self.file(name, text), *good)
                self.assertIn(result.returncode, (USAGE, INPUT))
                self.assertIn(message, result.stderr.decode())
                self.assertEqual(result.stderr.count(b"\n"), 1)
        result = run("kernel", missing, *good)
        self.assertEqual(result.returncode, INPUT)
        self.assertIn("missing.ptx: cannot be read", result.stderr.decode())
        bad = self.file("bad.npy", npy(b"\0" * 512, "(128,)", "<f4"))
        result = run("kernel", self.tile(), *CALL[:5], "buffer:u32=" + bad, "i32:1")
        self.assertEqual(result.returncode, INPUT)
        self.assertIn("has dtype '<f4'; expected '<u4'", result.stderr.decode())

    def test_launch_files(self):
        tile = self.tile()
        launch = {"kernel": "scale", "grid": [2], "block": 64, "arguments": []}
        for content, message in (
                ("{", ":1:2: is no JSON from here on"),
                ("[]", "the file is no object"),
                ("{}", "expected \"launches\", a list of at least one launch"),
                ({"launch": []}, "unknown key 'launch'; did you mean 'launches'?"),
                ({"launches": [{**launch, "grid": 0}]},
                 "launch 0: 'grid' is no number of at least 1"),
                ({"launches": [{**launch, "block": [1, 2, 3, 4]}]}, "one to three numbers"),
                ({"launches": [{"kernel": "scale"}]}, "launch 0 has no 'grid'"),
                ({"launches": [{**launch, "arguments": ["buffer:x"]}]},
                 "launch 0: 'buffer:x': there is no buffer 'x'"),
                ({"launches": [{**launch, "arguments": [5]}]}, "launch 0 is no text in quotes"),
                ({"buffers": {"a": "f32:4"}, "launches": [
                    {**launch, "arguments": ["buffer:a+4"]}]}, "is behind the buffer's end"),
                ({"buffers": {"a": "f99:4"}, "launches": [launch]},
                 "buffer 'a': unknown type 'f99'"),
                ({"buffers": {"a+": "f32:4"}, "launches": [launch]}, "names have no + or ="),
                ({"launches": [launch], "save": {"a": "a.npy"}}, "there is no buffer 'a'")):
            with self.subTest(content):
                text = content if isinstance(content, str) else json.dumps(content)
                result = run("kernel", tile, "--launch", self.file("l.json", text))
                self.assertEqual(result.returncode, INPUT, result.stderr)
                self.assertIn(message, result.stderr.decode())
                self.assertEqual(result.stderr.count(b"\n"), 1)
