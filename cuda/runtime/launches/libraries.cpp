// Device code that a program loads when it runs: cudaLibraryLoadData and similar functions (CUDA
// Runtime API, "Library Management"). The code is PTX text, or a fat binary with PTX.
//
// A kernel of a library is launched by its handle, in the place of a host function. Unloaded
// modules stay in memory, since operations may not have been performed yet.
#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

#include "../stream_handles.hpp"

// CUDA lets the runtime define this type.
struct CUlib_st {
  bankproof::cuda::EmbeddedModule* module = nullptr;
};

namespace bankproof::cuda {

template <>
inline constexpr const char* kind_of<CUlib_st> = "library";

namespace {

cudaError_t load(const char* call, cudaLibrary_t* library, const void* code) {
  if (library == nullptr || code == nullptr) return no_place(call);
  const std::lock_guard lock(Runtime::get().mutex());
  try {
    EmbeddedModule* const module = Runtime::get().add_module(read_image(code, "the library"));
    return create(library, CUlib_st{module});
  } catch (const NoPtxError& error) {
    return Runtime::fail(cudaErrorNoKernelImageForDevice,
                         fmt::format("{}: {}", call, error.what()));
  } catch (const std::exception& error) {
    return Runtime::fail(cudaErrorInvalidKernelImage, fmt::format("{}: {}", call, error.what()));
  }
}

std::vector<const ptx::Function*> kernels_in(const CUlib_st& library) {
  std::vector<const ptx::Function*> kernels;
  for (const ptx::Function& function : library.module->file()->module.functions) {
    if (function.entry && function.defined) kernels.push_back(&function);
  }
  return kernels;
}

cudaKernel_t kernel_handle(const CUlib_st& library, const ptx::Function& kernel) {
  const EmbeddedName* const handle = Runtime::get().handle_of(library.module, kernel.name);
  return reinterpret_cast<cudaKernel_t>(const_cast<EmbeddedName*>(handle));
}

}  // namespace
}  // namespace bankproof::cuda

using bankproof::cuda::is_live;
using bankproof::cuda::no_place;
using bankproof::cuda::Runtime;

extern "C" {
// Options for the compiler of machine code do not concern PTX that is executed.
cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code, enum cudaJitOption*,
                                void**, unsigned int, enum cudaLibraryOption*, void**,
                                unsigned int) {
  return bankproof::cuda::load("cudaLibraryLoadData", library, code);
}
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* file, enum cudaJitOption*,
                                    void**, unsigned int, enum cudaLibraryOption*, void**,
                                    unsigned int) {
  constexpr const char* call = "cudaLibraryLoadFromFile";
  if (file == nullptr) return no_place(call);
  std::ifstream in(file, std::ios::binary);
  const std::string code{std::istreambuf_iterator<char>(in), {}};
  if (!in.eof() && in.fail()) {
    return Runtime::fail(cudaErrorFileNotFound, fmt::format("{}: {} cannot be read", call, file));
  }
  return bankproof::cuda::load(call, library, code.c_str());
}
cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live("cudaLibraryUnload", library)) return cudaErrorInvalidResourceHandle;
  Runtime::get().remove_handles(library->module);
  return bankproof::cuda::destroy("cudaLibraryUnload", library);
}
cudaError_t cudaLibraryGetKernelCount(unsigned int* count, cudaLibrary_t library) {
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live("cudaLibraryGetKernelCount", library)) return cudaErrorInvalidResourceHandle;
  if (count == nullptr) return no_place("cudaLibraryGetKernelCount");
  *count = static_cast<unsigned>(bankproof::cuda::kernels_in(*library).size());
  return cudaSuccess;
}
cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned int count,
                                        cudaLibrary_t library) {
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live("cudaLibraryEnumerateKernels", library)) return cudaErrorInvalidResourceHandle;
  if (kernels == nullptr) return no_place("cudaLibraryEnumerateKernels");
  const auto all = bankproof::cuda::kernels_in(*library);
  for (unsigned k = 0; k < count; ++k) {
    kernels[k] = k < all.size() ? bankproof::cuda::kernel_handle(*library, *all[k]) : nullptr;
  }
  return cudaSuccess;
}
cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name) {
  constexpr const char* call = "cudaLibraryGetKernel";
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live(call, library)) return cudaErrorInvalidResourceHandle;
  if (kernel == nullptr || name == nullptr) return no_place(call);
  *kernel = nullptr;
  for (const auto* const one : bankproof::cuda::kernels_in(*library)) {
    if (one->name == name) *kernel = bankproof::cuda::kernel_handle(*library, *one);
  }
  if (*kernel != nullptr) return cudaSuccess;
  return Runtime::fail(cudaErrorSymbolNotFound,
                       fmt::format("{}: the library has no kernel {}", call, name));
}
cudaError_t cudaLibraryGetGlobal(void** pointer, size_t* bytes, cudaLibrary_t library,
                                 const char* name) {
  constexpr const char* call = "cudaLibraryGetGlobal";
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live(call, library)) return cudaErrorInvalidResourceHandle;
  if (name == nullptr || (pointer == nullptr && bytes == nullptr)) return no_place(call);
  return Runtime::get().find_variable(call, {library->module, name, nullptr}, pointer, bytes);
}
}
