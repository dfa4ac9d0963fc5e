// CUDA's device runtime, as far as it is PTX: each part is linked to the modules that call it.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../../ptx/exec/library.hpp"
#include "../../../ptx/syntax/link.hpp"
#include "../../../ptx/syntax/parser.hpp"
#include "../modules.hpp"
#include "../runtime.hpp"

namespace bankproof::cuda {

namespace {

constexpr std::string_view head = ".version 7.0\n.target sm_52\n.address_size 64\n";

// The values of conditional nodes. A handle is the address of its value here (conditionals.cpp).
constexpr std::string_view conditionals = R"(
.visible .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value)
{
  .reg .b64 %rd<2>;
  .reg .b32 %r<2>;
  ld.param.u64 %rd1, [handle];
  ld.param.u32 %r1, [value];
  st.global.u32 [%rd1], %r1;
  ret;
}
)";

// A copy or a fill by a kernel is a launch of one of these kernels: so it is work of its stream,
// and its accesses are judged as those of any child. 256 threads of one block take a byte each in
// turn.
constexpr std::string_view work_of_memory = R"(
.extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2(.param .b64 f,
  .param .align 4 .b8 g[12], .param .align 4 .b8 b[12], .param .b32 s);
.extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2NAMED(.param .b64 to, .param .b64 stream);
.visible .entry KERNEL(.param .u64 to, .param .u64 from, .param .u64 bytes)
{
  .reg .b64 %rd<9>;
  .reg .b32 %r<3>;
  .reg .b16 %rs<2>;
  .reg .pred %p<2>;
  ld.param.u64 %rd1, [to];
  ld.param.u64 %rd2, [from];
  ld.param.u64 %rd3, [bytes];
  mov.u32 %r1, %tid.x;
  cvt.u64.u32 %rd4, %r1;
NEXT:
  setp.ge.u64 %p1, %rd4, %rd3;
  @%p1 bra END;
  add.u64 %rd5, %rd1, %rd4;
  SOURCE
  st.u8 [%rd5], %rs1;
  add.u64 %rd4, %rd4, 256;
  bra NEXT;
END:
  ret;
}
.visible .func (.param .b32 result) FUNCTION(ARGUMENTS)
{
  .reg .b64 %rd<9>;
  .reg .b32 %r<3>;
  .reg .pred %p<2>;
  .param .b64 f;
  .param .align 4 .b8 g[12];
  .param .align 4 .b8 b[12];
  .param .b32 s;
  .param .b64 buffer;
  .param .b64 st;
  .param .b32 r;
  ld.param.u64 %rd1, [to];
  LOADS
  ld.param.u64 %rd3, [bytes];
  ld.param.u64 %rd4, [stream];
  mov.u32 %r1, 0;
  setp.eq.u64 %p1, %rd3, 0;
  @%p1 bra END;
  mov.u64 %rd5, KERNEL;
  st.param.b64 [f], %rd5;
  st.param.b32 [g], 1;
  st.param.b32 [g+4], 1;
  st.param.b32 [g+8], 1;
  st.param.b32 [b], 256;
  st.param.b32 [b+4], 1;
  st.param.b32 [b+8], 1;
  st.param.b32 [s], 0;
  call (buffer), __cudaCDP2GetParameterBufferV2, (f, g, b, s);
  ld.param.b64 %rd6, [buffer];
  mov.u32 %r1, 2;
  setp.eq.u64 %p1, %rd6, 0;
  @%p1 bra END;
  st.u64 [%rd6], %rd1;
  st.u64 [%rd6+8], %rd2;
  st.u64 [%rd6+16], %rd3;
  st.param.b64 [buffer], %rd6;
  st.param.b64 [st], %rd4;
  call (r), __cudaCDP2LaunchDeviceV2NAMED, (buffer, st);
  ld.param.b32 %r1, [r];
END:
  st.param.b32 [result], %r1;
  ret;
}
)";

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

/// The function of this ending: of copies, or of fills.
std::string of_memory(bool copies, std::string_view ending) {
  const std::string name = fmt::format("{}Async{}", copies ? "Memcpy" : "Memset", ending);
  std::string text(work_of_memory);
  text = replaced(text, "KERNEL", "cuda" + name);
  text = replaced(text, "FUNCTION", "__cudaCDP2" + name);
  text = replaced(text, "V2NAMED", fmt::format("V2{}", ending));
  text = replaced(text, "ARGUMENTS",
                  copies ? ".param .b64 to, .param .b64 from, .param .b64 bytes, .param .b32 kind, "
                           ".param .b64 stream"
                         : ".param .b64 to, .param .b32 value, .param .b64 bytes, "
                           ".param .b64 stream");
  text = replaced(text, "LOADS",
                  copies ? "ld.param.u64 %rd2, [from];"
                         : "ld.param.u32 %r2, [value];\n  cvt.u64.u32 %rd2, %r2;");
  return replaced(
      text, "SOURCE",
      copies ? "add.u64 %rd6, %rd2, %rd4;\n  ld.u8 %rs1, [%rd6];" : "cvt.u16.u64 %rs1, %rd2;");
}

/// A function that returns the address of a text for an error's number.
std::string of_errors(std::string_view name, bool is_text) {
  std::string texts;
  std::string tests;
  const auto add = [&](unsigned number, std::string_view text) {
    std::string bytes;
    for (const char c : text) bytes += fmt::format("{}, ", static_cast<unsigned char>(c));
    const std::string label = fmt::format("{}_{}", name, number);
    texts += fmt::format(".global .align 1 .b8 {}[{}] = {{{}0}};\n", label, text.size() + 1, bytes);
    tests += fmt::format(
        "  setp.eq.u32 %p1, %r1, {};\n  mov.u64 %rd2, {};\n  selp.b64 %rd1, %rd2, %rd1, %p1;\n",
        number, label);
  };
  add(~0U, "unrecognized error code");
#define error(number, text) add(static_cast<unsigned>(number), is_text ? (text) : #number);
#include "../errors.def"
#undef error
  return fmt::format(
      "{}.visible .func (.param .b64 result) __cudaCDP2{}(.param .b32 number)\n{{\n"
      "  .reg .b64 %rd<3>;\n  .reg .b32 %r<2>;\n  .reg .pred %p<2>;\n"
      "  ld.param.u32 %r1, [number];\n  mov.u64 %rd1, {}_{};\n{}"
      "  cvta.global.u64 %rd1, %rd1;\n  st.param.b64 [result], %rd1;\n  ret;\n}}\n",
      texts, name, name, ~0U, tests);
}

/// The text of a function of the device runtime; empty for any other function.
std::string ptx_of_function(std::string_view function) {
  if (function == "cudaGraphSetConditional") return std::string(conditionals);
  for (const std::string_view ending : {"", "_ptsz"}) {
    for (const bool copies : {true, false}) {
      const std::string_view name = copies ? "Memcpy" : "Memset";
      if (function == fmt::format("__cudaCDP2{}Async{}", name, ending)) {
        return of_memory(copies, ending);
      }
    }
  }
  if (function == "__cudaCDP2GetErrorString") return of_errors("GetErrorString", true);
  if (function == "__cudaCDP2GetErrorName") return of_errors("GetErrorName", false);
  return {};
}

/// What the modules call of the device runtime, and do not have.
std::vector<ptx::Module> device_runtime_for(const std::vector<ptx::Module>& modules) {
  std::vector<std::string> names;
  for (const ptx::Module& module : modules) {
    for (const ptx::Function& function : module.functions) {
      if (!function.defined) names.push_back(function.name);
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::vector<ptx::Module> parts;
  for (const std::string& name : names) {
    const std::string text = ptx_of_function(name);
    if (!text.empty()) parts.push_back(ptx::parse(std::string(head) + text, name));
  }
  return parts;
}

}  // namespace

ptx::Module linked(std::vector<ptx::Module> modules) {
  for (ptx::Module& part : device_runtime_for(modules)) modules.push_back(std::move(part));
  if (modules.size() == 1) return std::move(modules.front());
  return ptx::link(std::move(modules),
                   [](const std::string& name) { return ptx::is_of_library(name); });
}

}  // namespace bankproof::cuda
