// Arguments that the called function does not read need not have been written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "small_kernel.hpp"

namespace bankproof::ptx {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;

/// A function of two parameters that does this with the second one.
std::string function(const std::string& body) {
  return ".visible .func f(.param .u64 f_0, .param .align 4 .b8 f_1[4])\n{\n.reg .b32 %r<4>;\n"
         ".reg .b64 %rd<4>;\nld.param.u64 %rd1, [f_0];\n" +
         body + "st.global.u32 [%rd1], 3;\nret;\n}\n";
}

/// Passes 4 bytes of local memory that nobody has written.
std::string caller(const std::string& behind, const std::string& called = "f") {
  return ".local .align 4 .b8 empty[4];\nld.local.u32 %r5, [empty];\n{\n"
         ".param .b64 p0;\n.param .align 4 .b8 p1[4];\n"
         "st.param.b64 [p0], %rd2;\nst.param.b32 [p1], %r5;\n"
         "call.uni " +
         called + ", (p0, p1);\n" + behind + "}\nret;";
}

const std::string reads = "ld.param.u32 %r1, [f_1];\nst.global.u32 [%rd1+4], %r1;\n";

std::vector<FaultKind> faults(const std::string& body, const std::string& items) {
  return run(kernel(body, items), 1, 1, 8).faults;
}

TEST(UnreadArguments, need_not_be_written) {
  const Ran ran = run(kernel(caller(""), function("")), 1, 1, 8);
  EXPECT_THAT(ran.faults, IsEmpty());
  EXPECT_EQ(ran.out[0], 3U);
}

TEST(UnreadArguments, are_those_that_no_called_function_mentions) {
  const auto uninitialized = Contains(FaultKind::uninitialized);
  EXPECT_THAT(faults(caller(""), function(reads)), uninitialized);
  // Its address may be read from.
  EXPECT_THAT(faults(caller(""), function("mov.b64 %rd2, f_1;\nld.local.u32 %r1, [%rd2];\n")),
              uninitialized);
  // Another function reads it, or the caller does.
  const std::string both = function("") +
                           ".visible .func g(.param .u64 f_0, .param .align 4 .b8 f_1[4])\n{\n"
                           ".reg .b32 %r<4>;\n.reg .b64 %rd<4>;\nld.param.u64 %rd1, [f_0];\n" +
                           reads + "ret;\n}\n";
  EXPECT_THAT(faults(caller("call.uni g, (p0, p1);\n"), both), uninitialized);
  EXPECT_THAT(
      faults(caller("ld.param.b32 %r6, [p1];\nst.global.u32 [%rd2+4], %r6;\n"), function("")),
      uninitialized);
  // The value is used elsewhere.
  EXPECT_THAT(faults(caller("st.global.u32 [%rd2+4], %r5;\n"), function("")), uninitialized);
}

}  // namespace
}  // namespace bankproof::ptx
