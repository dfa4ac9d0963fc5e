// Libraries: what a program loads for all contexts.
#include "../runtime/handles.hpp"
#include "calls.hpp"
#include "modules.hpp"

namespace bankproof::cuda::driver {

namespace {

Handles<CUlib_st>& libraries() {
  static auto* const all = new Handles<CUlib_st>;
  return *all;
}
CUresult require_library(const char* call, CUlibrary library) {
  if (libraries().is_live(library)) return CUDA_SUCCESS;
  return fail(call, CUDA_ERROR_INVALID_HANDLE, "the library does not exist; was it unloaded?");
}

/// Makes a library of what load_it(&module) loads.
template <class Load>
CUresult make_library(CUlibrary* library, Load load_it) {
  CUmodule module = nullptr;
  if (const CUresult error = load_it(&module); error != CUDA_SUCCESS) return error;
  *library = libraries().make(CUlib_st{module});
  module->context = nullptr;
  module->library = *library;
  return CUDA_SUCCESS;
}

template <class Work>
CUresult with_library(const char* call, CUlibrary library, Pointers pointers, Work work) {
  return when_initialized(call, pointers, [&] {
    const CUresult error = require_library(call, library);
    return error == CUDA_SUCCESS ? work() : error;
  });
}

}  // namespace
}  // namespace bankproof::cuda::driver

using namespace bankproof::cuda::driver;  // NOLINT(google-build-using-namespace)

extern "C" {
CUresult cuLibraryLoadData(CUlibrary* library, const void* image, CUjit_option* jit_options,
                           void** jit_values, unsigned jit_count, CUlibraryOption*, void**,
                           unsigned) {
  return when_initialized("cuLibraryLoadData", {library, image}, [&] {
    return make_library(library, [&](CUmodule* module) {
      return load("cuLibraryLoadData", {image, "", jit_count, jit_options, jit_values}, module);
    });
  });
}
CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* path, CUjit_option* jit_options,
                               void** jit_values, unsigned jit_count, CUlibraryOption*, void**,
                               unsigned) {
  return when_initialized("cuLibraryLoadFromFile", {library, path}, [&] {
    return make_library(library, [&](CUmodule* module) {
      return load_file("cuLibraryLoadFromFile", path,
                       {nullptr, "", jit_count, jit_options, jit_values}, module);
    });
  });
}
CUresult cuLibraryUnload(CUlibrary library) {
  return with_library("cuLibraryUnload", library, {}, [&] {
    unload(library->module);
    libraries().destroy(library);
    return CUDA_SUCCESS;
  });
}
CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name) {
  return with_library("cuLibraryGetKernel", library, {kernel, name}, [&] {
    return get_kernel("cuLibraryGetKernel", library->module, name, kernel);
  });
}
CUresult cuLibraryGetKernelCount(unsigned* count, CUlibrary library) {
  return with_library("cuLibraryGetKernelCount", library, {count}, [&] {
    *count = static_cast<unsigned>(kernel_names(library->module).size());
    return CUDA_SUCCESS;
  });
}
CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned count, CUlibrary library) {
  return with_library("cuLibraryEnumerateKernels", library, {kernels}, [&] {
    return list_kernels("cuLibraryEnumerateKernels", library->module, kernels, count);
  });
}
CUresult cuLibraryGetModule(CUmodule* module, CUlibrary library) {
  return with_library("cuLibraryGetModule", library, {module}, [&] {
    *module = library->module;
    return CUDA_SUCCESS;
  });
}
CUresult cuLibraryGetGlobal(CUdeviceptr* pointer, size_t* bytes, CUlibrary library,
                            const char* name) {
  return with_library("cuLibraryGetGlobal", library, {name}, [&] {
    return find_global("cuLibraryGetGlobal", library->module, name, pointer, bytes);
  });
}
CUresult cuLibraryGetManaged(CUdeviceptr* pointer, size_t* bytes, CUlibrary library,
                             const char* name) {
  return with_library("cuLibraryGetManaged", library, {name}, [&] {
    return find_global("cuLibraryGetManaged", library->module, name, pointer, bytes);
  });
}
}
