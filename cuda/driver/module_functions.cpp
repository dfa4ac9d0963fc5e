// Modules: what a program loads into a context.
#include "calls.hpp"
#include "modules.hpp"

namespace bankproof::cuda::driver {

namespace {

CUresult load_module(const char* call, const Image& image, CUmodule* module) {
  return in_context(call, {module, image.bytes}, [&] { return load(call, image, module); });
}

/// Calls work(), if the module exists.
template <class Work>
CUresult with_module(const char* call, CUmodule module, Pointers pointers, Work work) {
  return in_context(call, pointers, [&] {
    const CUresult error = require_module(call, module);
    return error == CUDA_SUCCESS ? work() : error;
  });
}
}  // namespace
}  // namespace bankproof::cuda::driver

using namespace bankproof::cuda::driver;  // NOLINT(google-build-using-namespace)

extern "C" {
CUresult cuModuleLoad(CUmodule* module, const char* path) {
  return in_context("cuModuleLoad", {module, path},
                    [&] { return load_file("cuModuleLoad", path, {}, module); });
}
CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return load_module("cuModuleLoadData", {.bytes = image}, module);
}
CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned count,
                            CUjit_option* options, void** values) {
  return load_module("cuModuleLoadDataEx", {image, "", count, options, values}, module);
}
CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image) {
  return load_module("cuModuleLoadFatBinary", {.bytes = image}, module);
}
CUresult cuModuleUnload(CUmodule module) {
  return with_module("cuModuleUnload", module, {}, [&] {
    if (module->library != nullptr) {
      return fail("cuModuleUnload", CUDA_ERROR_INVALID_HANDLE, "the module is of a library");
    }
    unload(module);
    return CUDA_SUCCESS;
  });
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  return with_module("cuModuleGetFunction", module, {function, name},
                     [&] { return get_kernel("cuModuleGetFunction", module, name, function); });
}
CUresult cuModuleGetFunctionCount(unsigned* count, CUmodule module) {
  return with_module("cuModuleGetFunctionCount", module, {count}, [&] {
    *count = static_cast<unsigned>(kernel_names(module).size());
    return CUDA_SUCCESS;
  });
}
CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned count, CUmodule module) {
  return with_module("cuModuleEnumerateFunctions", module, {functions}, [&] {
    return list_kernels("cuModuleEnumerateFunctions", module, functions, count);
  });
}
CUresult cuModuleGetGlobal_v2(CUdeviceptr* pointer, size_t* bytes, CUmodule module,
                              const char* name) {
  return with_module("cuModuleGetGlobal", module, {name}, [&] {
    return find_global("cuModuleGetGlobal", module, name, pointer, bytes);
  });
}
CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  return at_any_time("cuModuleGetLoadingMode", {mode}, [&] {
    *mode = CU_MODULE_LAZY_LOADING;
    return CUDA_SUCCESS;
  });
}
}
