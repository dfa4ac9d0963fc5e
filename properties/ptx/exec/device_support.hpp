// Kernels that launch kernels, for tests, as nvcc writes such launches.
#pragma once

#include <cstdint>
#include <string>

#include "small_kernel.hpp"

namespace bankproof::ptx {

/// Where a launch goes: a number, or a register.
struct Where {
  std::string grid = "1";
  std::string block = "1";
  std::string stream = "0";
  std::string shared = "0";
};

/// Launches `child` with the pointer %rd1 and `number`, and stores the error in %r30.
inline std::string launches(const std::string& child, const std::string& number,
                            const Where& where = {}, const std::string& pointer = "%rd1") {
  static int labels = 0;
  const std::string end = "LAUNCHED" + std::to_string(++labels);
  return "{\n.param .b64 f; .param .align 4 .b8 g[12]; .param .align 4 .b8 b[12];\n"
         ".param .b32 s; .param .b64 to; .param .b64 st; .param .b32 e; .param .b64 r;\n"
         "mov.u64 %rd8, " +
         child + ";\nst.param.b64 [f], %rd8;\nst.param.b32 [g], " + where.grid +
         ";\nst.param.b32 [g+4], 1;\nst.param.b32 [g+8], 1;\nst.param.b32 [b], " + where.block +
         ";\nst.param.b32 [b+4], 1;\nst.param.b32 [b+8], 1;\nst.param.b32 [s], " + where.shared +
         ";\ncall.uni (r), __cudaCDP2GetParameterBufferV2, (f, g, b, s);\n"
         "ld.param.b64 %rd8, [r];\nmov.u32 %r30, 7;\nsetp.eq.s64 %p8, %rd8, 0;\n@%p8 bra " +
         end + ";\nst.u64 [%rd8], " + pointer + ";\nst.u32 [%rd8+8], " + number +
         ";\nst.param.b64 [to], %rd8;\nst.param.b64 [st], " + where.stream +
         ";\ncall.uni (e), __cudaCDP2LaunchDeviceV2, (to, st);\nld.param.b32 %r30, [e];\n" + end +
         ":\n}\n";
}

/// The declarations of the device runtime.
inline const std::string device_declarations =
    ".extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2(.param .b64 f, .param .align 4 "
    ".b8 g[12], .param .align 4 .b8 b[12], .param .b32 s);\n"
    ".extern .func (.param .b32 e) __cudaCDP2LaunchDeviceV2(.param .b64 to, .param .b64 st);\n"
    ".extern .func (.param .b32 e) __cudaCDP2GetLastError();\n"
    ".extern .func (.param .b32 e) __cudaCDP2StreamCreateWithFlags(.param .b64 to, .param .b32 "
    "flags);\n"
    ".extern .func (.param .b32 e) __cudaCDP2EventCreateWithFlags(.param .b64 to, .param .b32 "
    "flags);\n"
    ".extern .func (.param .b32 e) __cudaCDP2EventRecord(.param .b64 event, .param .b64 stream);\n"
    ".extern .func (.param .b32 e) __cudaCDP2StreamWaitEvent(.param .b64 stream, .param .b64 "
    "event, .param .b32 flags);\n"
    ".extern .func (.param .b32 e) __cudaCDP2StreamDestroy(.param .b64 stream);\n";

/// A kernel `name` with the parameters of launches(): %rd1 is the pointer, %r5 the number, %r1 the
/// thread, %r2 the thread in the grid, %r3 the block, and %rd2 the address of word %r2.
inline std::string child(const std::string& name, const std::string& body) {
  return ".visible .entry " + name +
         "(.param .u64 out, .param .u32 number)\n{\n"
         ".reg .pred %p<9>;\n.reg .b32 %r<40>;\n.reg .b64 %rd<9>;\n.local .align 8 .b8 own[16];\n"
         "ld.param.u64 %rd1, [out];\nld.param.u32 %r5, [number];\n"
         "mov.u32 %r1, %tid.x;\nmov.u32 %r3, %ctaid.x;\nmov.u32 %r4, %ntid.x;\n"
         "mad.lo.s32 %r2, %r3, %r4, %r1;\nmul.wide.u32 %rd2, %r2, 4;\n"
         "add.s64 %rd2, %rd1, %rd2;\n" +
         body + "ret;\n}\n";
}

/// A child that adds its number to word 0, in a plain way.
inline std::string adding_child() {
  return child("adds",
               "ld.global.u32 %r6, [%rd1];\nadd.u32 %r6, %r6, %r5;\n"
               "st.global.u32 [%rd1], %r6;\n");
}
/// A child that multiplies word 0 by 10 and adds its number: the order of its runs shows.
inline std::string noting_child() {
  return child("notes",
               "ld.global.u32 %r6, [%rd1];\nmad.lo.u32 %r6, %r6, 10, %r5;\n"
               "st.global.u32 [%rd1], %r6;\n");
}

/// The kernel k, whose body is the parent's, with the children.
inline std::string parent(const std::string& body, const std::string& children) {
  return kernel(body + "END:\nret;", device_declarations + ".shared .align 8 .b8 common[16];\n" +
                                         ".global .align 8 .b8 handles[64];\n" + children);
}

/// Only thread 0 of each block goes on.
inline const std::string one_thread = "setp.ne.u32 %p1, %r1, 0;\n@%p1 bra END;\n";

}  // namespace bankproof::ptx
