// See modules.hpp.
#include "modules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <fstream>
#include <iterator>

#include "../../ptx/syntax/error.hpp"
#include "../../ptx/syntax/layout.hpp"
#include "../fatbin/fat_binary.hpp"
#include "../runtime/handles.hpp"
#include "calls.hpp"
#include "contexts.hpp"

namespace bankproof::cuda::driver {

namespace {

Handles<CUmod_st>& modules() {
  static auto* const all = new Handles<CUmod_st>;
  return *all;
}
std::map<const EmbeddedName*, CUmodule>& owners() {
  static auto* const all = new std::map<const EmbeddedName*, CUmodule>;
  return *all;
}

/// The place of an option's value; null without the option.
void** value_of(const Image& image, CUjit_option key) {
  for (unsigned k = 0; k < image.options; ++k) {
    if (image.keys[k] == key) return &image.values[k];
  }
  return nullptr;
}

/// Writes a message into the buffer that the options name, and its length into the size.
void write_log(const Image& image, CUjit_option buffer, CUjit_option size, std::string_view text) {
  void** const place = value_of(image, buffer);
  void** const bytes = value_of(image, size);
  if (place == nullptr || bytes == nullptr || *place == nullptr) return;
  const std::size_t most = reinterpret_cast<std::uintptr_t>(*bytes) & 0xffffffffU;
  if (most == 0) return;
  const std::size_t count = std::min(text.size(), most - 1);
  std::memcpy(*place, text.data(), count);
  static_cast<char*>(*place)[count] = '\0';
  // NOLINTNEXTLINE(performance-no-int-to-ptr): CUDA keeps the size where values of options are.
  *bytes = reinterpret_cast<void*>(count);
}

CUresult fail_to_load(const char* call, const Image& image, CUresult error, const char* what) {
  write_log(image, CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, what);
  return fail(call, error, what);
}

const ptx::Module& text_of(CUmodule module) { return module->module->file()->module; }

void place_managed_variables(CUmodule module) {
  for (const ptx::Variable& variable : text_of(module).variables) {
    if (!variable.managed) continue;
    Runtime::get().add_managed_variable(&module->managed.emplace_back(), module->module,
                                        variable.name, ptx::bytes_of(variable));
  }
  if (!module->managed.empty()) Runtime::get().place_managed_variables(module->module);
}

}  // namespace

CUresult read(const char* call, const Image& image, const std::function<void()>& work) {
  try {
    work();
    return CUDA_SUCCESS;
  } catch (const NoPtxError& error) {
    return fail_to_load(call, image, CUDA_ERROR_NO_BINARY_FOR_GPU, error.what());
  } catch (const FatBinaryError& error) {
    return fail_to_load(call, image, CUDA_ERROR_INVALID_IMAGE, error.what());
  } catch (const std::exception& error) {  // ptx::Error
    return fail_to_load(call, image, CUDA_ERROR_INVALID_PTX, error.what());
  }
}

CUresult require_options(const char* call, const Image& image) {
  if (image.options == 0 || (image.keys != nullptr && image.values != nullptr)) return CUDA_SUCCESS;
  return fail(call, CUDA_ERROR_INVALID_VALUE, "the options are missing: a null pointer");
}

CUresult load(const char* call, const Image& image, CUmodule* module) {
  *module = nullptr;
  if (const CUresult error = require_options(call, image); error != CUDA_SUCCESS) return error;
  write_log(image, CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, "");
  static std::atomic<unsigned> images = 0;
  const std::string name = image.name.empty() ? fmt::format("image {}", ++images) : image.name;
  return read(call, image, [&] {
    EmbeddedModule* const added = Runtime::get().add_module(read_image(image.bytes, name));
    *module = modules().make(CUmod_st{.module = added,
                                      .context = current_context(),
                                      .library = nullptr,
                                      .kernels = {},
                                      .managed = {}});
    place_managed_variables(*module);
    write_log(image, CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, "");
  });
}

CUresult read_file(const char* call, const char* path, std::vector<char>& bytes) {
  std::ifstream file(path, std::ios::binary);
  bytes = std::vector<char>{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad() || bytes.empty()) {
    return fail(call, CUDA_ERROR_FILE_NOT_FOUND, fmt::format("{} cannot be read", path));
  }
  return CUDA_SUCCESS;
}

CUresult require_whole(const char* call, std::vector<char>& bytes, const std::string& name) {
  // A text ends with a zero byte, and a header is read as a whole.
  constexpr std::size_t longest_header = 64;
  const std::size_t size = bytes.size();
  bytes.resize(size + longest_header);
  std::uint32_t first = 0;
  std::memcpy(&first, bytes.data(), sizeof first);
  try {
    if (first == container_magic && extent(bytes.data()).size() > size) {
      return fail(call, CUDA_ERROR_INVALID_IMAGE, fmt::format("{} is not whole", name));
    }
  } catch (const FatBinaryError& error) {
    return fail(call, CUDA_ERROR_INVALID_IMAGE, fmt::format("{}: {}", name, error.what()));
  }
  return CUDA_SUCCESS;
}

CUresult load_file(const char* call, const char* path, Image image, CUmodule* module) {
  std::vector<char> bytes;
  CUresult error = read_file(call, path, bytes);
  if (error == CUDA_SUCCESS) error = require_whole(call, bytes, path);
  if (error != CUDA_SUCCESS) return error;
  image.bytes = bytes.data();
  image.name = path;
  return load(call, image, module);
}

void unload(CUmodule module) {
  for (const auto& [name, kernel] : module->kernels) {
    Runtime::get().remove_handle(kernel);
    owners().erase(kernel);
  }
  modules().destroy(module);
}

CUresult require_module(const char* call, CUmodule module) {
  if (!modules().is_live(module)) {
    return fail(call, CUDA_ERROR_INVALID_HANDLE, "the module does not exist; was it unloaded?");
  }
  if (module->context == nullptr || is_alive(module->context)) return CUDA_SUCCESS;
  return fail(call, CUDA_ERROR_INVALID_HANDLE, "the context of the module is destroyed");
}

std::vector<std::string> kernel_names(CUmodule module) {
  std::vector<std::string> names;
  for (const ptx::Function& function : text_of(module).functions) {
    if (function.entry && function.defined) names.push_back(function.name);
  }
  return names;
}

CUresult find_kernel(const char* call, CUmodule module, const char* name,
                     const EmbeddedName** kernel) {
  const std::lock_guard lock(Runtime::get().mutex());
  const std::vector<std::string> names = kernel_names(module);
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    return fail(
        call, CUDA_ERROR_NOT_FOUND,
        fmt::format("no kernel is named {}; there {} {}", name, names.size() == 1 ? "is" : "are",
                    names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
  }
  const EmbeddedName*& known = module->kernels[name];
  if (known == nullptr) {
    known = Runtime::get().handle_of(module->module, name);
    owners()[known] = module;
  }
  *kernel = known;
  return CUDA_SUCCESS;
}

CUresult find_global(const char* call, CUmodule module, const char* name, CUdeviceptr* pointer,
                     size_t* bytes) {
  const auto& variables = text_of(module).variables;
  if (std::none_of(variables.begin(), variables.end(),
                   [&](const ptx::Variable& one) { return one.name == name; })) {
    return fail(call, CUDA_ERROR_NOT_FOUND, fmt::format("no variable is named {}", name));
  }
  void* place = nullptr;
  const cudaError_t error = Runtime::get().find_variable(
      call, {module->module, name}, pointer == nullptr ? nullptr : &place, bytes);
  if (pointer != nullptr) *pointer = reinterpret_cast<CUdeviceptr>(place);
  return as_result(error);
}

const EmbeddedName* kernel_of(const void* handle) { return Runtime::get().kernel_of(handle); }

CUmodule module_of(const EmbeddedName* kernel) {
  const std::lock_guard lock(Runtime::get().mutex());
  const auto found = owners().find(kernel);
  return found == owners().end() ? nullptr : found->second;
}

}  // namespace bankproof::cuda::driver
