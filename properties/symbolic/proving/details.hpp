// Kernels that differ in one detail, and what is proved of them.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "kernels.hpp"

namespace bankproof::symbolic {

inline constexpr const char* head = R"(
.version 8.0
.target sm_90
.address_size 64
)";

/// A kernel of blocks of 32 threads, with an array of 32 words.
inline constexpr const char* entry = R"(
.visible .entry k(.param .u64 out, .param .u32 n, .param .u64 a, .param .u64 b)
{
.reg .pred %p<9>;
.reg .b32 %r<20>;
.reg .b64 %rd<20>;
.shared .align 16 .b8 s[512];
.local .align 4 .b8 c[4];
ld.param.u64 %rd1, [out];
ld.param.u32 %r1, [n];
ld.param.u64 %rd2, [a];
ld.param.u64 %rd3, [b];
mov.u32 %r2, %tid.x;
mov.u32 %r3, s;
)";
/// out[%r6] <- %r2
inline constexpr const char* store_at = R"(
cvt.u64.u32 %rd10, %r6;
shl.b64 %rd10, %rd10, 2;
add.u64 %rd11, %rd1, %rd10;
st.global.u32 [%rd11], %r2;
ret;
}
)";

inline Verdict verdict_in_detail(const std::string& text, Claim claim) {
  Request request = request_for(text);
  request.kernel = &request.file->module.functions.back();
  request.shape.block = {32, 1, 1};
  request.shape.grid = {1, 1, 1};
  request.buffers = {{"arg0", "u32:32"}};
  request.claims = {claim};
  return prove(request).decisions.front().verdict;
}

struct Detail {
  const char* name;
  Claim claim;
  std::string right;
  std::string wrong;
  Verdict then = Verdict::refuted;  // of the wrong one; unknown if no launch is found that shows it
};

inline void test(const Detail& detail) {
  EXPECT_EQ(verdict_in_detail(detail.right, detail.claim), Verdict::proved) << detail.name;
  const Verdict wrong = verdict_in_detail(detail.wrong, detail.claim);
  if (detail.then == Verdict::unknown) {
    EXPECT_NE(wrong, Verdict::proved) << detail.name;
  } else {
    EXPECT_EQ(wrong, detail.then) << detail.name;
  }
}

inline std::string detailed(const std::string& body) { return head + std::string(entry) + body; }
inline std::string storing(const std::string& body) { return detailed(body + store_at); }

}  // namespace bankproof::symbolic
