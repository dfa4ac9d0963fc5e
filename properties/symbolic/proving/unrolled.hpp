// A loop as nvcc unrolls it: a thread has the elements i, i + stride, … below n. First come the
// iterations that are left over, 0 to 3 of them, then four at once.
#pragma once

namespace bankproof::symbolic {

constexpr const char* unrolled_loop = R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 n)
{
.reg .pred %p<6>;
.reg .b32 %r<20>;
.reg .b64 %rd<12>;
ld.param.u64 %rd1, [out];
ld.param.u32 %r1, [n];
mov.u32 %r2, %nctaid.x;
mov.u32 %r3, %ntid.x;
mul.lo.s32 %r4, %r3, %r2;
mov.u32 %r5, %ctaid.x;
mov.u32 %r6, %tid.x;
mad.lo.s32 %r7, %r5, %r3, %r6;
setp.ge.s32 %p1, %r7, %r1;
@%p1 bra END;
sub.s32 %r8, %r1, %r7;
add.s32 %r9, %r8, -1;
div.u32 %r10, %r9, %r4;
add.s32 %r11, %r10, 1;
and.b32 %r12, %r11, 3;
mul.wide.s32 %rd2, %r4, 4;
setp.eq.s32 %p2, %r12, 0;
@%p2 bra FOUR;
ONE:
mul.wide.s32 %rd3, %r7, 4;
add.s64 %rd4, %rd1, %rd3;
st.global.u32 [%rd4], %r7;
add.s32 %r7, %r7, %r4;
add.s32 %r12, %r12, -1;
setp.ne.s32 %p3, %r12, 0;
@%p3 bra ONE;
FOUR:
setp.lt.u32 %p4, %r10, 3;
@%p4 bra END;
MORE:
mul.wide.s32 %rd5, %r7, 4;
add.s64 %rd6, %rd1, %rd5;
st.global.u32 [%rd6], %r7;
add.s64 %rd7, %rd6, %rd2;
st.global.u32 [%rd7], %r7;
add.s64 %rd8, %rd7, %rd2;
st.global.u32 [%rd8], %r7;
add.s64 %rd9, %rd8, %rd2;
st.global.u32 [%rd9], %r7;
add.s32 %r13, %r7, %r4;
add.s32 %r14, %r13, %r4;
add.s32 %r15, %r14, %r4;
add.s32 %r7, %r15, %r4;
setp.lt.s32 %p5, %r7, %r1;
@%p5 bra MORE;
END:
ret;
}
)";

/// Thread i writes element i of each row of an m × n matrix. First come four rows at once, then
/// those that are left over.
constexpr const char* unrolled_march = R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 n, .param .u32 m)
{
.reg .pred %p<6>;
.reg .b32 %r<12>;
.reg .b64 %rd<9>;
ld.param.u64 %rd1, [out];
ld.param.u32 %r1, [n];
ld.param.u32 %r2, [m];
mov.u32 %r3, %ntid.x;
mov.u32 %r4, %ctaid.x;
mov.u32 %r5, %tid.x;
mad.lo.s32 %r6, %r4, %r3, %r5;
setp.ge.s32 %p1, %r6, %r1;
@%p1 bra END;
setp.lt.s32 %p2, %r2, 1;
@%p2 bra END;
mul.wide.s32 %rd2, %r1, 4;
and.b32 %r7, %r2, 3;
add.s32 %r8, %r2, -1;
setp.lt.u32 %p3, %r8, 3;
@%p3 bra REST;
sub.s32 %r9, %r2, %r7;
FOUR:
mul.wide.s32 %rd3, %r6, 4;
add.s64 %rd4, %rd1, %rd3;
st.global.u32 [%rd4], %r5;
add.s64 %rd5, %rd4, %rd2;
st.global.u32 [%rd5], %r5;
add.s64 %rd6, %rd5, %rd2;
st.global.u32 [%rd6], %r5;
add.s64 %rd7, %rd6, %rd2;
st.global.u32 [%rd7], %r5;
add.s32 %r10, %r6, %r1;
add.s32 %r10, %r10, %r1;
add.s32 %r10, %r10, %r1;
add.s32 %r6, %r10, %r1;
add.s32 %r9, %r9, -4;
setp.ne.s32 %p4, %r9, 0;
@%p4 bra FOUR;
REST:
setp.eq.s32 %p5, %r7, 0;
@%p5 bra END;
mul.wide.s32 %rd3, %r6, 4;
add.s64 %rd8, %rd1, %rd3;
ONE:
st.global.u32 [%rd8], %r5;
add.s64 %rd8, %rd8, %rd2;
add.s32 %r7, %r7, -1;
setp.ne.s32 %p4, %r7, 0;
@%p4 bra ONE;
END:
ret;
}
)";

}  // namespace bankproof::symbolic
