// Modules and libraries that a program loads while it runs, and the handles of their kernels.
//
// A module belongs to the context in which it was loaded; a library belongs to none. A handle of a
// kernel (CUfunction, CUkernel, and the runtime's cudaFunction_t and cudaKernel_t) is a pointer to
// the runtime's entry of the kernel, until its module or library is unloaded.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "../headers/parts/driver_functions.h"
#include "../runtime/runtime.hpp"

// CUDA lets the driver define these types.
struct CUmod_st {
  bankproof::cuda::EmbeddedModule* module = nullptr;
  CUcontext context = nullptr;  // null for the module of a library
  CUlibrary library = nullptr;  // null for a module
  std::map<std::string, const bankproof::cuda::EmbeddedName*> kernels;  // with handles
  std::deque<void*> managed;  // the addresses of its managed variables
};
struct CUlib_st {
  CUmodule module = nullptr;
};

namespace bankproof::cuda::driver {

/// Device code that a program loads, and its options for the compiler.
struct Image {
  const void* bytes = nullptr;
  std::string name = {};  // of a file, for messages
  unsigned options = 0;
  const CUjit_option* keys = nullptr;
  void** values = nullptr;
};

/// Calls work(), which reads the image. The call fails with what work() throws, and the message
/// also goes to the buffer that the image's options name.
CUresult read(const char* call, const Image& image, const std::function<void()>& work);
CUresult require_options(const char* call, const Image& image);
CUresult read_file(const char* call, const char* path, std::vector<char>& bytes);
/// Fails if the bytes are a part of a fat binary; otherwise adds the zero bytes that a reader
/// needs.
CUresult require_whole(const char* call, std::vector<char>& bytes, const std::string& name);

/// Reads the image into a new module. The options may name buffers for messages.
CUresult load(const char* call, const Image& image, CUmodule* module);
/// Calls load(image) with the bytes of a file.
CUresult load_file(const char* call, const char* path, Image image, CUmodule* module);
/// The handles of its kernels are not live any more.
void unload(CUmodule module);

CUresult require_module(const char* call, CUmodule module);

/// The handle of a kernel, by the name in the PTX.
CUresult find_kernel(const char* call, CUmodule module, const char* name,
                     const EmbeddedName** kernel);
/// The address and the size of a variable, by the name in the PTX; both may be null.
CUresult find_global(const char* call, CUmodule module, const char* name, CUdeviceptr* pointer,
                     size_t* bytes);
/// The names of the module's kernels, in the order of the text.
std::vector<std::string> kernel_names(CUmodule module);

/// Writes the handles of the first `count` kernels.
template <class Handle>
CUresult list_kernels(const char* call, CUmodule module, Handle* handles, unsigned count) {
  const std::vector<std::string> names = kernel_names(module);
  for (std::size_t k = 0; k < std::min<std::size_t>(count, names.size()); ++k) {
    const EmbeddedName* kernel = nullptr;
    if (const CUresult error = find_kernel(call, module, names[k].c_str(), &kernel);
        error != CUDA_SUCCESS) {
      return error;
    }
    handles[k] = reinterpret_cast<Handle>(const_cast<EmbeddedName*>(kernel));
  }
  return CUDA_SUCCESS;
}

template <class Handle>
CUresult get_kernel(const char* call, CUmodule module, const char* name, Handle* handle) {
  const EmbeddedName* kernel = nullptr;
  const CUresult error = find_kernel(call, module, name, &kernel);
  *handle = reinterpret_cast<Handle>(const_cast<EmbeddedName*>(kernel));
  return error;
}

/// The entry of a live handle, else null.
const EmbeddedName* kernel_of(const void* handle);
/// The module that the program has loaded with the kernel; null for a kernel of the program's own.
CUmodule module_of(const EmbeddedName* kernel);

}  // namespace bankproof::cuda::driver
