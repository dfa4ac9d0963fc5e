// CUDA's device runtime, as far as it is PTX: it is linked to the modules that call it.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../ptx/exec/library.hpp"
#include "../../ptx/syntax/link.hpp"
#include "../../ptx/syntax/parser.hpp"
#include "modules.hpp"

namespace bankproof::cuda {

namespace {

// CUDA's device runtime has this function for the values of conditional nodes. A handle is the
// address of its value here (conditionals.cpp).
constexpr std::string_view device_runtime = R"(.version 7.0
.target sm_52
.address_size 64
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

}  // namespace

ptx::Module linked(std::vector<ptx::Module> modules) {
  const auto calls = [](const ptx::Module& module) {
    return std::any_of(module.functions.begin(), module.functions.end(),
                       [](const ptx::Function& function) {
                         return !function.defined && function.name == "cudaGraphSetConditional";
                       });
  };
  if (std::any_of(modules.begin(), modules.end(), calls)) {
    modules.push_back(ptx::parse(device_runtime, "CUDA's device runtime"));
  }
  if (modules.size() == 1) return std::move(modules.front());
  return ptx::link(std::move(modules),
                   [](const std::string& name) { return ptx::is_of_library(name); });
}

}  // namespace bankproof::cuda
