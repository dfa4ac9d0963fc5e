// Small kernels in PTX for the tests of proofs, with places where a test plants a bug.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include "../../../ptx/syntax/parser.hpp"
#include "../../../symbolic/proving/prove.hpp"

namespace bankproof::symbolic {

/// Copies n words in strides of the grid.
inline constexpr const char* strided_copy = R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry copy(.param .u64 in, .param .u64 out, .param .u32 n)
{
.reg .pred %p<3>;
.reg .b32 %r<9>;
.reg .b64 %rd<9>;
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
ld.param.u32 %r1, [n];
mov.u32 %r2, %tid.x;
mov.u32 %r3, %ctaid.x;
mov.u32 %r4, %ntid.x;
mov.u32 %r5, %nctaid.x;
mad.lo.s32 %r6, %r3, %r4, %r2;
mul.lo.s32 %r7, %r5, %r4;
setp.ge.s32 %p1, %r6, %r1;
@%p1 bra END;
LOOP:
mul.wide.s32 %rd3, %r6, 4;
add.s64 %rd4, %rd1, %rd3;
add.s64 %rd5, %rd2, %rd3;
ld.global.u32 %r8, [%rd4];
st.global.u32 [%rd5], %r8;
add.s32 %r6, %r6, %r7;
setp.lt.s32 %p2, %r6, %r1;
@%p2 bra LOOP;
END:
ret;
}
)";

/// Each thread of a block of up to 256 writes a word of a tile, and reads the word of the thread
/// that is opposite.
inline constexpr const char* reversal = R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry reversal(.param .u64 out)
{
.reg .b32 %r<9>;
.reg .b64 %rd<5>;
.shared .align 4 .b8 tile[1024];
ld.param.u64 %rd1, [out];
mov.u32 %r1, %tid.x;
mov.u32 %r2, %ntid.x;
mov.u32 %r3, tile;
mad.lo.s32 %r4, %r1, 4, %r3;
st.shared.u32 [%r4], %r1;
bar.sync 0;
sub.s32 %r5, %r2, %r1;
mad.lo.s32 %r6, %r5, 4, %r3;
ld.shared.u32 %r7, [%r6+-4];
mad.lo.s32 %r8, %r2, 0, %r1;
mul.wide.u32 %rd2, %r8, 4;
add.s64 %rd3, %rd1, %rd2;
st.global.u32 [%rd3], %r7;
ret;
}
)";

/// The text with a planted bug; throws if the place is not there.
inline std::string planted(std::string text, const std::string& old, const std::string& bug) {
  text.replace(text.find(old), old.size(), bug);
  return text;
}

/// The line of this text in which an instruction is.
inline std::uint32_t line_with(const std::string& text, const std::string& instruction) {
  const auto begin = text.begin();
  return 1 + static_cast<std::uint32_t>(std::count(
                 begin, begin + static_cast<std::ptrdiff_t>(text.find(instruction)), '\n'));
}

inline Request request_for(const std::string& ptx) {
  Request request;
  request.file = std::make_shared<const cuda::KernelFile>(
      cuda::KernelFile{.module = ptx::parse(ptx, "k.ptx"), .source = ""});
  request.kernel = &request.file->module.functions.front();
  return request;
}

}  // namespace bankproof::symbolic
