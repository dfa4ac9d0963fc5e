"""Kernels for the tests of `bankproof kernel`, in PTX, so that no test needs a compiler."""

import json
import os
import struct

from program import CLEAN, Folder, run

FINDING = 1

HEAD = ".version 7.8\n.target sm_80\n.address_size 64\n"

# out[i] = 3 * in[i] + n with 64 threads per block, through a shared tile that is read with a stride
# of %STRIDE words; line 12 of tile.cu writes the tile, line 14 reads it.
TILE = HEAD + """
.visible .entry _Z5scalePjPKji(.param .u64 out, .param .u64 in, .param .u32 n)
{
.reg .b32 %r<20>;
.reg .b64 %rd<9>;
.shared .align 4 .b8 tile[8192];
.loc 1 10 3
ld.param.u64 %rd1, [out];
ld.param.u64 %rd2, [in];
ld.param.u32 %r1, [n];
cvta.to.global.u64 %rd3, %rd1;
cvta.to.global.u64 %rd4, %rd2;
mov.u32 %r2, %tid.x;
mov.u32 %r3, %ctaid.x;
mov.u32 %r4, %ntid.x;
mad.lo.s32 %r5, %r3, %r4, %r2;
mul.wide.u32 %rd5, %r5, 4;
add.s64 %rd6, %rd4, %rd5;
mov.u32 %r6, tile;
and.b32 %r7, %r2, 31;
mad.lo.s32 %r8, %r7, %STRIDE, %r6;
shr.u32 %r9, %r2, 5;
mad.lo.s32 %r8, %r9, 4096, %r8;
.loc 1 11 7
ld.global.u32 %r10, [%rd6];
.loc 1 12 9
st.shared.u32 [%r8], %r10;
.loc 1 13 3
%BARRIER
.loc 1 14 9
ld.shared.u32 %r11, [%r8];
.loc 1 15 5
mad.lo.s32 %r12, %r11, 3, %r1;
add.s64 %rd7, %rd3, %rd5;
st.global.u32 [%rd7], %r12;
.loc 1 16 1
ret;
}
.file 1 "%FILE"
"""

# Every thread writes to one word, and each warp reads the word of the next warp.
RACE = HEAD + """
.visible .entry race(.param .u64 out)
{
.reg .b32 %r<5>;
.reg .b64 %rd<4>;
.loc 1 3 1
ld.param.u64 %rd1, [out];
mov.u32 %r1, %tid.x;
.loc 1 4 5
st.global.u32 [%rd1], %r1;
.loc 1 5 1
ret;
}
.file 1 "race.cu"
"""

CALL = ("--grid", "2", "--block", "64", "buffer:u32:128=zeros", "buffer:u32:128=iota", "i32:5")


def npy(data, shape, kind):
    """Returns the bytes of an .npy file."""
    header = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (kind, shape)
    header += " " * (64 - (10 + len(header) + 1) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data


def words(file, count):
    """Returns the last `count` 32-bit words of a file."""
    return list(struct.unpack("<%dI" % count, file[-4 * count:]))


def can_compile():
    """Returns whether there is a compiler for CUDA."""
    found = run("kernel", os.path.join(os.environ["BANKPROOF_SOURCE"], "examples", "kernels",
                                       "transpose.cu"),
                "--kernel", "none", "--grid", "1", "--block", "1")
    return b"no kernel 'none'" in found.stderr


class KernelFolder(Folder):
    def tile(self, stride=4, barrier="bar.sync 0;", source="tile.cu"):
        text = TILE.replace("%STRIDE", str(stride)).replace("%BARRIER", barrier)
        return self.file("tile.ptx", text.replace("%FILE", source))

    def report(self, *arguments, code=CLEAN):
        result = run("kernel", *arguments, "--format", "json")
        self.assertEqual(result.returncode, code, result.stderr)
        return json.loads(result.stdout)

    def lines(self, report):
        return {line["line"]: line for line in report["lines"]}
