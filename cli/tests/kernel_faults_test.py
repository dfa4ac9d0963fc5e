"""`bankproof kernel`: kernels that print, assert, or never end, and variables set from outside."""

import json
import os
import struct

from kernel_support import FINDING, HEAD, KernelFolder, words
from program import CLEAN, INPUT, USAGE, run

# Each thread with an even number prints its block and number.
PRINTS = HEAD + """
.extern .func (.param .b32 result) vprintf(.param .b64 format, .param .b64 arguments);
.global .align 1 .b8 $str[13] = {37, 100, 32, 37, 46, 49, 102, 32, 37, 115, 33, 10, 0};
.global .align 1 .b8 $str1[3] = {111, 107, 0};
.visible .entry k()
{
.local .align 8 .b8 depot[24];
.reg .pred %p<2>;
.reg .b32 %r<9>;
.reg .f64 %fd<2>;
.reg .b64 %rd<9>;
mov.u32 %r1, %ctaid.x;
mov.u32 %r2, %tid.x;
and.b32 %r3, %r2, 1;
setp.ne.u32 %p1, %r3, 0;
@%p1 bra END;
mov.u64 %rd1, depot;
st.local.u32 [%rd1], %r1;
cvt.rn.f64.u32 %fd1, %r2;
st.local.f64 [%rd1+8], %fd1;
mov.u64 %rd2, $str1;
cvta.global.u64 %rd2, %rd2;
st.local.u64 [%rd1+16], %rd2;
cvta.local.u64 %rd3, %rd1;
mov.u64 %rd4, $str;
cvta.global.u64 %rd5, %rd4;
{
.param .b64 param0;
st.param.b64 [param0+0], %rd5;
.param .b64 param1;
st.param.b64 [param1+0], %rd3;
.param .b32 retval0;
call.uni (retval0), vprintf, (param0, param1);
ld.param.b32 %r4, [retval0+0];
}
END:
ret;
}
"""

# assert(x > 0) at line 7 of k.cu.
ASSERTS = HEAD + """
.extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d,
                           .param .b64 e);
.global .align 1 .b8 $text[6] = {120, 32, 62, 32, 48, 0};
.global .align 1 .b8 $file[5] = {107, 46, 99, 117, 0};
.visible .entry k()
{
.reg .b64 %rd<5>;
.loc 1 7 3
mov.u64 %rd1, $text;
cvta.global.u64 %rd1, %rd1;
mov.u64 %rd2, $file;
cvta.global.u64 %rd2, %rd2;
{
.param .b64 param0; st.param.b64 [param0], %rd1;
.param .b64 param1; st.param.b64 [param1], %rd2;
.param .b32 param2; st.param.b32 [param2], 7;
.param .b64 param3; st.param.b64 [param3], %rd2;
.param .b64 param4; st.param.b64 [param4], 1;
call.uni __assertfail, (param0, param1, param2, param3, param4);
}
ret;
}
.file 1 "k.cu"
"""

# Uses and frees memory that it has freed.
FREES_TWICE = HEAD + """
.extern .func (.param .b64 result) malloc(.param .b64 size);
.extern .func free(.param .b64 pointer);
.visible .entry k()
{
.reg .b64 %rd<5>;
.loc 1 9 3
{
.param .b64 param0; st.param.b64 [param0], 8;
.param .b64 retval0;
call.uni (retval0), malloc, (param0);
ld.param.b64 %rd1, [retval0];
}
.loc 1 10 3
{
.param .b64 param0; st.param.b64 [param0], %rd1;
call.uni free, (param0);
}
.loc 1 11 3
st.u32 [%rd1], 7;
.loc 1 12 3
{
.param .b64 param0; st.param.b64 [param0], %rd1;
call.uni free, (param0);
}
ret;
}
.file 1 "k.cu"
"""

# Counts without end, at line 5.
ENDLESS = HEAD + """
.visible .entry k()
{
.reg .b32 %r<5>;
.loc 1 5 3
LOOP:
add.u32 %r1, %r1, 1;
bra LOOP;
}
.file 1 "k.cu"
"""

# out[i] = factor · table[i], then table[i] = i.
SYMBOLS = HEAD + """
.visible .const .align 4 .u32 factor = 3;
.visible .global .align 4 .u32 _ZN2ns5tableE[4] = {1, 2, 3, 4};
.visible .entry k(.param .u64 out)
{
.reg .b32 %r<9>;
.reg .b64 %rd<9>;
ld.param.u64 %rd1, [out];
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd2, %r1, 4;
add.s64 %rd1, %rd1, %rd2;
mov.u64 %rd3, _ZN2ns5tableE;
add.s64 %rd3, %rd3, %rd2;
ld.global.u32 %r2, [%rd3];
ld.const.u32 %r3, [factor];
mul.lo.u32 %r2, %r2, %r3;
st.global.u32 [%rd1], %r2;
st.global.u32 [%rd3], %r1;
ret;
}
"""

# The compare-and-swap loop of the CUDA Programming Guide; %LOAD is its first read.
ADDS = HEAD + """
.visible .entry k(.param .u64 out)
{
.reg .pred %p<2>;
.reg .f64 %fd<3>;
.reg .b64 %rd<9>;
ld.param.u64 %rd1, [out];
%LOAD %rd2, [%rd1];
AGAIN:
mov.u64 %rd3, %rd2;
mov.b64 %fd1, %rd3;
add.f64 %fd2, %fd1, 0d3FF0000000000000;
mov.b64 %rd4, %fd2;
atom.global.cas.b64 %rd2, [%rd1], %rd3, %rd4;
setp.ne.u64 %p1, %rd2, %rd3;
@%p1 bra AGAIN;
ret;
}
"""

ONE = ("--grid", "1", "--block", "32")


class Library(KernelFolder):
    def test_printf_goes_to_standard_error_block_after_block(self):
        file = self.file("k.ptx", PRINTS)
        for threads in "1", "4":
            result = run("kernel", file, "--grid", "3", "--block", "64", "--threads", threads)
            self.assertEqual(result.returncode, CLEAN, result.stderr)
            self.assertEqual(result.stderr.decode(),
                             "".join("%d %d.0 ok!\n" % (block, thread) for block in range(3)
                                     for thread in range(0, 64, 2)))
            self.assertNotIn(b"ok!", result.stdout)

    def test_printf_is_bounded(self):
        result = run("kernel", self.file("k.ptx", PRINTS), "--grid", "4000", "--block", "64")
        self.assertEqual(result.returncode, CLEAN, result.stderr)
        self.assertLess(len(result.stderr), (1 << 20) + 100)
        self.assertRegex(result.stderr.decode(), r"\n\([0-9]+ more bytes were printed\)\n$")

    def test_assertions_are_faults_with_their_text(self):
        report = self.report(self.file("k.ptx", ASSERTS), *ONE, code=FINDING)
        (fault,) = report["faults"]
        self.assertEqual((fault["kind"], fault["file"], fault["line"]), ("trap", "k.cu", 7))
        self.assertEqual(fault["message"],
                         "block 0, thread 0: assertion failed: x > 0 (k.cu:7, k.cu)")

    def test_faults_of_the_heap_name_both_lines(self):
        report = self.report(self.file("k.ptx", FREES_TWICE), "--grid", "1", "--block", "1", code=FINDING)
        faults = [(fault["kind"], fault["line"], fault["message"]) for fault in report["faults"]]
        self.assertEqual(faults, [
            ("out_of_bounds", 11, "block 0, thread 0: store of 4 bytes, 4 bytes behind the end of "
                                  "'heap allocation 0, freed' (0 bytes); it was freed at k.cu:10"),
            ("double_free", 12, "block 0, thread 0: free of 'heap allocation 0, freed'; "
                                "it was freed at k.cu:10")])


class Races(KernelFolder):
    def test_plain_reads_race_with_atomic_operations(self):
        out = os.path.join(self.folder, "sum.npy")
        call = ("--grid", "2,2", "--block", "8,8", "buffer:f64:1=zeros", "--save", "0=" + out)
        report = self.report(self.file("k.ptx", ADDS.replace("%LOAD", "ld.global.u64")), *call,
                             code=FINDING)
        messages = [fault["message"] for fault in report["faults"]]
        self.assertEqual({fault["kind"] for fault in report["faults"]}, {"race"})
        for message in messages:
            # The message names both threads in the same form.
            self.assertRegex(message, r"^block \([01],[01]\), thread \([0-7],[0-7]\): [a-z ]+ at byte "
                             r"[04] of 'argument 0' is not ordered with a (read|write) by block "
                             r"\([01],[01]\), thread \([0-7],[0-7]\), which is (plain|atomic or "
                             r"volatile): plain accesses race even with atomic operations; access it "
                             r"by atomic operations or as volatile everywhere; the other is at ")
        for load in "ld.volatile.global.u64", "ld.relaxed.gpu.global.u64":
            self.report(self.file("k.ptx", ADDS.replace("%LOAD", load)), *call)
            self.assertEqual(struct.unpack("<d", self.read(out)[-8:]), (256.0,))

    def test_cache_operators_order_nothing(self):
        text = ADDS.replace("%LOAD", "ld.global.cg.u64")
        self.report(self.file("k.ptx", text), *ONE, "buffer:f64:1=zeros", code=FINDING)


class Limits(KernelFolder):
    def test_an_endless_loop_ends_at_its_line(self):
        file = self.file("k.ptx", ENDLESS)
        report = self.report(file, *ONE, "--max-instructions", "100000", code=FINDING)
        (fault,) = report["faults"]
        self.assertEqual((fault["kind"], fault["file"], fault["line"]),
                         ("instruction_limit", "k.cu", 5))
        self.report(file, *ONE, "--max-instructions", "100000", "--fail-on", "race")
        launches = self.file("l.json", json.dumps({
            "launches": [{"grid": 1, "block": 32}], "max_instructions": 100000}))
        self.report(file, "--launch", launches, code=FINDING)
        # The option overrides the launch file.
        self.assertIn("still runs after 2000 ", self.report(
            file, "--launch", launches, "--max-instructions", "2000",
            code=FINDING)["faults"][0]["message"])
        self.expect_failure(run("kernel", file, *ONE, "--max-instructions", "0"), USAGE,
                            "--max-instructions '0': expected a number of at least 1")


# Block 0 announces its value twice, the first time without a fence; block 1 waits for
# either announcement.
TWO_STEPS = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 at)
{
  .reg .pred %p<3>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [at];
  mov.u32 %r1, %ctaid.x;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra READ;
  st.global.u32 [%rd1+8], 7;
  st.volatile.global.u32 [%rd1], 1;
  membar.gl;
  st.volatile.global.u32 [%rd1], 2;
  ret;
READ:
  ld.volatile.global.u32 %r2, [%rd1];
  setp.eq.u32 %p2, %r2, 0;
  @%p2 bra READ;
  membar.gl;
  ld.global.u32 %r3, [%rd1+8];
  st.global.u32 [%rd1+12], %r3;
  ret;
}
"""


class Schedules(KernelFolder):
    def test_a_shuffled_one_shows_a_race_that_the_usual_one_does_not_come_to(self):
        file = self.file("k.ptx", TWO_STEPS)
        launch = ["--grid", "2", "--block", "1", "buffer:u32:4=zeros"]
        self.assertEqual(self.report(file, *launch)["faults"], [])

        def kinds(number):
            ran = run("kernel", file, *launch, "--schedule", str(number), "--format", "json")
            return [fault["kind"] for fault in json.loads(ran.stdout)["faults"]]

        found = [kinds(number) for number in range(1, 21)]
        self.assertIn(["race"], found)
        self.assertIn([], found)
        self.assertEqual(found[:5], [kinds(number) for number in range(1, 6)])
        self.expect_failure(run("kernel", file, *launch, "--schedule", "0"), USAGE,
                            "--schedule '0': expected a number of at least 1")


class Symbols(KernelFolder):
    call = ("--grid", "1", "--block", "4", "buffer:u32:4")

    def out(self, *arguments):
        out = os.path.join(self.folder, "out.npy")
        self.report(self.file("k.ptx", SYMBOLS), *self.call, *arguments, "--save", "0=" + out)
        return words(self.read(out), 4)

    def test_are_set_and_saved(self):
        self.assertEqual(self.out(), [3, 6, 9, 12])
        self.assertEqual(self.out("--symbol", "factor=u32:1=iota"), [0] * 4)
        table = os.path.join(self.folder, "table.npy")
        self.assertEqual(self.out("--symbol", "ns::table=u32:2x2=random:1:5:6", "--symbol",
                                  "factor=i32:1", "--save", "ns::table=" + table), [15] * 4)
        self.assertEqual(words(self.read(table), 4), [0, 1, 2, 3])
        self.assertIn(b"(2, 2)", self.read(table))
        self.assertEqual(self.out("--symbol", "table=u32=" + table), [0, 3, 6, 9])

    def test_are_set_in_launch_files(self):
        out = os.path.join(self.folder, "out.npy")
        launch = {"grid": 1, "block": 4, "arguments": ["buffer:a"]}
        launches = self.file("l.json", json.dumps({
            "buffers": {"a": "u32:4"}, "symbols": {"table": "u32:4=zeros", "factor": "u32:1"},
            "launches": [launch, launch], "save": {"a": out}}))
        self.report(self.file("k.ptx", SYMBOLS), "--launch", launches)
        self.assertEqual(words(self.read(out), 4), [0, 3, 6, 9])

    def test_that_are_wrong_are_told(self):
        file = self.file("k.ptx", SYMBOLS)
        for arguments, message in (
                (("--symbol", "factor"), "--symbol 'factor': expected a variable and what it "
                 "holds, as in table=f32:16=iota"),
                (("--symbol", "factor=q32:1"), "--symbol 'factor=q32:1': unknown type 'q32'; did "
                 "you mean 'i32'? There are i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, "
                 "f64"),
                (("--symbol", "factor=u32:2=iota"),
                 "--symbol factor: 2 elements of u32 have 8 bytes, and the variable has 4"),
                (("--symbol", "facto=u32:1"), "--symbol facto: no variable 'facto' in " + file
                 + "; did you mean 'factor'? There are: 'factor', 'ns::table'"),
                (("--symbol", "factor=u32:1", "--symbol", "factor=u32:1"),
                 "--symbol 'factor=u32:1': this variable is given twice"),
                (("--save", "factor=a.npy"), "--save 'factor=a.npy': there is no buffer 'factor'; "
                 "if it is a variable of the file, give its type: --symbol factor=f32:16")):
            with self.subTest(arguments):
                self.expect_failure(run("kernel", file, *self.call, *arguments), USAGE, message)
        launches = self.file("l.json", json.dumps({
            "symbols": {"tabel": "u32:4"}, "launches": [{"grid": 1, "block": 1}]}))
        self.expect_failure(
            run("kernel", file, "--launch", launches), INPUT,
            launches + ": symbol 'tabel': no variable 'tabel' in " + file
            + "; did you mean 'table'? There are: 'factor', 'ns::table'")
