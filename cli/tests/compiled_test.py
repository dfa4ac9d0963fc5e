"""`bankproof kernel --compiled`: the same reports, whether a kernel is compiled or interpreted, and
`--verbose`, which tells which of the two it was.
"""

import json
import os

from kernel_support import HEAD, KernelFolder
from program import CLEAN, USAGE, run

LOOP = HEAD + """
.visible .entry k(.param .u64 out)
{
.reg .pred %p<2>;
.reg .b32 %r<9>;
.reg .f32 %f<3>;
.reg .b64 %rd<4>;
ld.param.u64 %rd1, [out];
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd2, %r1, 4;
add.s64 %rd3, %rd1, %rd2;
cvt.rn.f32.u32 %f1, %r1;
add.u32 %r5, %r1, 3;
LOOP: fma.rn.f32 %f1, %f1, 0f3F812345, 0f3F823456;
sub.u32 %r5, %r5, 1;
setp.ne.u32 %p1, %r5, 0;
@%p1 bra LOOP;
st.global.f32 [%rd3], %f1;
ret;
}
"""


class Compiled(KernelFolder):
    def launch(self, when, **variables):
        """The report without the machine's own times, the bytes of the buffer, and what --verbose tells."""
        file = self.file("k.ptx", LOOP)
        out = os.path.join(self.folder, "out.npy")
        ran = run("kernel", file, "--kernel", "k", "--grid", "2", "--block", "64", "buffer:f32:64=zeros",
                  "--save", f"0={out}", "--format", "json", "--fail-on", "none", "--verbose", *when,
                  env={**os.environ, "BANKPROOF_CACHE": os.path.join(self.folder, "cache"), **variables})
        self.assertEqual(ran.returncode, CLEAN, ran.stderr)
        with open(out, "rb") as saved:
            return json.loads(ran.stdout), saved.read(), ran.stderr.decode()

    def test_is_the_same_as_interpreted(self):
        plain = self.launch(["--compiled", "never"])
        self.assertIn("bankproof: k: interpreted, as it was asked for", plain[2])
        for _ in range(2):  # the second time, the cache has it
            other = self.launch(["--compiled", "always"])
            self.assertEqual(other[:2], plain[:2])
            if "bankproof was built without LLVM" in other[2]:
                self.without_llvm()
            self.assertRegex(other[2], "bankproof: k: compiled by LLVM 1[5-9]")
        self.assertEqual(len(os.listdir(os.path.join(self.folder, "cache"))), 1)

    def without_llvm(self):
        if os.environ.get("BANKPROOF_PACKAGES") == "installed":
            self.fail("LLVM is not here, though ci/packages.txt has it")
        self.skipTest("LLVM is not here")

    def test_is_for_kernels_that_run_long(self):
        self.assertIn("have not executed", self.launch([], BANKPROOF_COMPILED="")[2])
        self.assertIn("as it was asked for", self.launch([], BANKPROOF_COMPILED="never")[2])

    def test_takes_three_words(self):
        self.expect_failure(run("kernel", "k.ptx", "--compiled", "often"), USAGE,
                            "--compiled: often not in {auto,never,always}")
