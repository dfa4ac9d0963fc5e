// Modules that a program links before it loads them: functions of one call those of another, as
// with nvcc's -rdc=true (ptx/syntax/link.hpp). The result is PTX again, which cuModuleLoadData
// reads.
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "../../ptx/syntax/printer.hpp"
#include "../runtime/handles.hpp"
#include "calls.hpp"
#include "modules.hpp"

// CUDA lets the driver define this type.
struct CUlinkState_st {
  bankproof::cuda::driver::Image options;  // of cuLinkCreate; they live as long as this
  std::vector<bankproof::ptx::Module> modules;
  std::string text;  // of all modules, linked
};

namespace bankproof::cuda::driver {

namespace {

Handles<CUlinkState_st>& links() {
  static auto* const all = new Handles<CUlinkState_st>;
  return *all;
}

template <class Work>
CUresult with_link(const char* call, CUlinkState state, Pointers pointers, Work work) {
  return in_context(call, pointers, [&] {
    if (links().is_live(state)) return work();
    return fail(call, CUDA_ERROR_INVALID_HANDLE, "the link does not exist; was it destroyed?");
  });
}

CUresult require_ptx(const char* call, CUjitInputType type) {
  switch (type) {
    case CU_JIT_INPUT_PTX:
    case CU_JIT_INPUT_FATBINARY:
      return CUDA_SUCCESS;
    case CU_JIT_INPUT_CUBIN:
      return fail(call, CUDA_ERROR_NO_BINARY_FOR_GPU,
                  "the input is machine code, and the machine links PTX");
    case CU_JIT_INPUT_OBJECT:
    case CU_JIT_INPUT_LIBRARY:
    case CU_JIT_INPUT_NVVM:
      return fail(call, CUDA_ERROR_NOT_SUPPORTED,
                  "inputs are PTX or fat binaries here, not objects, libraries or NVVM's code");
    case CU_JIT_NUM_INPUT_TYPES:
      break;
  }
  return fail(call, CUDA_ERROR_INVALID_VALUE, "there is no such type of input");
}

/// Adds an input, whose bytes may end without a zero byte.
CUresult add(const char* call, CUlinkState state, CUjitInputType type, std::vector<char> bytes,
             const char* name) {
  if (const CUresult error = require_ptx(call, type); error != CUDA_SUCCESS) return error;
  const std::string named =
      name == nullptr ? fmt::format("input {}", state->modules.size() + 1) : name;
  if (const CUresult error = require_whole(call, bytes, named); error != CUDA_SUCCESS) return error;
  return read(call, state->options,
              [&] { state->modules.push_back(read_image(bytes.data(), named)->module); });
}

}  // namespace
}  // namespace bankproof::cuda::driver

using namespace bankproof::cuda::driver;  // NOLINT(google-build-using-namespace)
using bankproof::cuda::linked;

extern "C" {
CUresult cuLinkCreate_v2(unsigned count, CUjit_option* options, void** values, CUlinkState* state) {
  return in_context("cuLinkCreate", {state}, [&] {
    const Image image{nullptr, "", count, options, values};
    const CUresult error = require_options("cuLinkCreate", image);
    if (error != CUDA_SUCCESS) return error;
    *state = links().make(CUlinkState_st{.options = image, .modules = {}, .text = {}});
    return CUDA_SUCCESS;
  });
}
CUresult cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void* data, size_t bytes,
                          const char* name, unsigned, CUjit_option*, void**) {
  return with_link("cuLinkAddData", state, {data}, [&] {
    const char* const first = static_cast<const char*>(data);
    return add("cuLinkAddData", state, type, {first, first + bytes}, name);
  });
}
CUresult cuLinkAddFile_v2(CUlinkState state, CUjitInputType type, const char* path, unsigned,
                          CUjit_option*, void**) {
  return with_link("cuLinkAddFile", state, {path}, [&] {
    std::vector<char> bytes;
    const CUresult error = read_file("cuLinkAddFile", path, bytes);
    if (error != CUDA_SUCCESS) return error;
    return add("cuLinkAddFile", state, type, std::move(bytes), path);
  });
}
CUresult cuLinkComplete(CUlinkState state, void** image, size_t* bytes) {
  return with_link("cuLinkComplete", state, {image}, [&] {
    if (state->modules.empty()) {
      return fail("cuLinkComplete", CUDA_ERROR_INVALID_VALUE, "nothing was added");
    }
    const CUresult error = read("cuLinkComplete", state->options, [&] {
      state->text = bankproof::ptx::print(linked(state->modules));
    });
    if (error != CUDA_SUCCESS) return error;
    *image = state->text.data();
    if (bytes != nullptr) *bytes = state->text.size() + 1;
    return CUDA_SUCCESS;
  });
}
CUresult cuLinkDestroy(CUlinkState state) {
  return with_link("cuLinkDestroy", state, {}, [&] {
    links().destroy(state);
    return CUDA_SUCCESS;
  });
}
}
