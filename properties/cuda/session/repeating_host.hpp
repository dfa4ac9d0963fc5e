// A host that launches small kernels on a session, for tests of launches that repeat.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "../../../cuda/session/session.hpp"
#include "../../../ptx/syntax/parser.hpp"

namespace bankproof::cuda {

// Each kernel has two buffers of 64 words, and 64 threads: %rd3 and %rd4 are the thread's words,
// %r1 is the thread.
inline std::string kernel(const std::string& name, const std::string& body) {
  return ".visible .entry " + name +
         "(.param .u64 in, .param .u64 out)\n{\n.reg .pred %p<4>;\n.reg .b32 %r<12>;\n"
         ".reg .b64 %rd<12>;\n.local .align 8 .b8 box[16];\n"
         "ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\n"
         "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd5, %r1, 4;\nadd.s64 %rd3, %rd1, %rd5;\n"
         "add.s64 %rd4, %rd2, %rd5;\n" +
         body + "ret;\n}\n";
}

inline std::string module_text() {
  return ".version 7.8\n.target sm_80\n.address_size 64\n"
         ".const .align 4 .u32 factor = 3;\n.global .align 4 .u32 offset = 5;\n"
         ".global .align 1 .b8 format[4] = {37, 117, 10, 0};\n"
         ".extern .func (.param .b32 result) vprintf (.param .b64 f, .param .b64 a);\n" +
         kernel("add_one",
                "ld.global.u32 %r2, [%rd3];\nadd.u32 %r2, %r2, 1;\nst.global.u32 [%rd4], %r2;\n") +
         kernel("read_half",
                "setp.ge.u32 %p1, %r1, 32;\n@%p1 ret;\n"
                "ld.global.u32 %r2, [%rd3];\nst.global.u32 [%rd4], %r2;\n") +
         kernel("gather",
                "ld.global.u32 %r2, [%rd3];\nand.b32 %r2, %r2, 63;\nmul.wide.u32 %rd6, %r2, 4;\n"
                "add.s64 %rd6, %rd1, %rd6;\nld.global.u32 %r3, [%rd6];\n"
                "st.global.u32 [%rd4], %r3;\n") +
         kernel("in_place",
                "ld.global.u32 %r2, [%rd4];\nadd.u32 %r2, %r2, 1;\nst.global.u32 [%rd4], %r2;\n") +
         kernel("variables",
                "ld.const.u32 %r2, [factor];\nld.global.u32 %r3, [offset];\n"
                "mad.lo.u32 %r2, %r2, %r1, %r3;\nst.global.u32 [%rd4], %r2;\n") +
         // Races if two warps load the same number.
         kernel("scatter",
                "ld.global.u32 %r2, [%rd3];\nand.b32 %r2, %r2, 63;\nmul.wide.u32 %rd6, %r2, 4;\n"
                "add.s64 %rd6, %rd2, %rd6;\nst.global.u32 [%rd6], %r1;\n") +
         // Two threads write one word.
         kernel("collide",
                "shr.u32 %r3, %r1, 1;\nmul.wide.u32 %rd6, %r3, 4;\nadd.s64 %rd6, %rd2, %rd6;\n"
                "ld.global.u32 %r2, [%rd3];\nst.global.u32 [%rd6], %r2;\n") +
         // The same, but each thread counts its launches first.
         kernel("collide_in_place",
                "ld.global.u32 %r2, [%rd4];\nadd.u32 %r4, %r2, 1;\nst.global.u32 [%rd4], %r4;\n"
                "shr.u32 %r3, %r1, 1;\nmul.wide.u32 %rd6, %r3, 4;\nadd.s64 %rd6, %rd1, %rd6;\n"
                "st.global.u32 [%rd6], %r4;\n") +
         // Only the highest byte of each word changes, from launch to launch.
         kernel(
             "flip",
             "ld.global.u8 %r2, [%rd4+3];\nxor.b32 %r2, %r2, 1;\nst.global.u8 [%rd4+3], %r2;\n") +
         // Stores the highest byte of the last argument to the first buffer.
         kernel("highest",
                "shr.u64 %rd6, %rd2, 56;\ncvt.u32.u64 %r2, %rd6;\nst.global.u32 [%rd3], %r2;\n") +
         kernel("count", "atom.global.add.u32 %r2, [%rd2], 1;\n") +
         kernel("clock", "mov.u32 %r2, %clock;\nst.global.u32 [%rd4], %r2;\n") +
         kernel("print",
                "setp.ne.u32 %p1, %r1, 0;\n@%p1 ret;\nld.global.u32 %r2, [%rd3];\n"
                "st.local.u32 [box], %r2;\nmov.u64 %rd6, box;\ncvta.local.u64 %rd6, %rd6;\n"
                "mov.u64 %rd7, format;\ncvta.global.u64 %rd7, %rd7;\n{\n"
                ".param .b64 p0;\nst.param.b64 [p0], %rd7;\n.param .b64 p1;\n"
                "st.param.b64 [p1], %rd6;\n.param .b32 r0;\n"
                "call.uni (r0), vprintf, (p0, p1);\n}\n");
}

inline constexpr std::array kernel_names = {"add_one",   "read_half", "gather",  "in_place",
                                            "variables", "collide",   "scatter", "collide_in_place",
                                            "flip",      "count",     "clock",   "print"};
inline constexpr std::uint64_t bytes_of_buffer = 256;

inline std::vector<std::byte> words(std::uint32_t first) {
  std::vector<std::uint32_t> values(bytes_of_buffer / 4);
  for (std::uint32_t& value : values) value = first++;
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

struct Host {
  explicit Host(bool every_launch = false)
      : Host(SessionOptions{.threads = 1, .every_launch = every_launch}) {}
  explicit Host(const SessionOptions& options)
      : session(options),
        file(std::make_shared<const KernelFile>(
            KernelFile{ptx::parse(module_text(), "repeats.ptx"), ""})) {}

  static constexpr ptx::LaunchShape usual{{1, 1, 1}, {64, 1, 1}, 0};
  LaunchOutcome launch(const std::string& kernel, std::uint32_t in, std::uint32_t out,
                       const ptx::LaunchShape& shape = usual, bool is_reported = true) {
    return launch_at(kernel, Session::address(in), Session::address(out), shape, is_reported);
  }
  LaunchOutcome launch_at(const std::string& kernel, std::uint64_t in, std::uint64_t out,
                          const ptx::LaunchShape& shape = usual, bool is_reported = true) {
    std::vector<ArgumentBytes> arguments;
    for (const std::uint64_t address : {in, out}) {
      const auto bytes = std::as_bytes(std::span(&address, 1));
      arguments.push_back({{bytes.begin(), bytes.end()}, "a buffer"});
    }
    return session.run(file, kernel, shape, arguments, is_reported);
  }
  std::vector<std::byte> bytes(std::uint32_t buffer) const {
    const auto all = session.data(buffer);
    return {all.begin(), all.end()};
  }

  Session session;
  SharedKernelFile file;
};

/// A host with buffers `in` and `out` after launches of which the third would repeat the second.
struct Warm : Host {
  explicit Warm(const std::string& kernel = "add_one",
                const SessionOptions& options = {.threads = 1})
      : Host(options) {
    in = session.add_buffer("in", words(0));
    out = session.add_buffer("out", bytes_of_buffer);
    launch(kernel, in, out);
    launch(kernel, in, out);
  }
  std::uint32_t in = 0;
  std::uint32_t out = 0;
};

}  // namespace bankproof::cuda
