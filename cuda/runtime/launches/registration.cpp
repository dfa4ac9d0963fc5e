// The calls by which object files of .cu files register their kernels and variables, before main().
//
// clang and nvcc emit the same calls. A wrapper points to the device code (modules.hpp). nvcc 13
// also asks for a handle of each kernel, and launches kernels by their handles.
#include <fmt/format.h>

#include "../runtime.hpp"

using bankproof::cuda::EmbeddedModule;
using bankproof::cuda::EmbeddedName;
using bankproof::cuda::Runtime;

namespace {

EmbeddedModule* module_of(void** handle) { return reinterpret_cast<EmbeddedModule*>(handle); }

}  // namespace

extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): names of compilers.
void** __cudaRegisterFatBinary(void* wrapper) {
  return reinterpret_cast<void**>(
      Runtime::get().add_module(*static_cast<const bankproof::cuda::FatBinaryWrapper*>(wrapper)));
}
// The program calls this before it first accesses a managed variable.
char __cudaInitModule(void** module) {
  Runtime::get().place_managed_variables(module_of(module));
  return 1;
}
void __cudaRegisterFunction(void** module, const char* stub, char*, const char* name, int, void*,
                            void*, void*, void*, int*) {
  Runtime::get().add_kernel(stub, module_of(module), name);
}
void __cudaRegisterVar(void** module, char* shadow, char*, const char* name, int, size_t, int,
                       int) {
  Runtime::get().add_variable(shadow, module_of(module), name);
}
// The shadow of a reference to a texture is the variable that the program binds.
void __cudaRegisterTexture(void** module, const struct textureReference* shadow, const void**,
                           const char* name, int, int, int) {
  Runtime::get().add_variable(shadow, module_of(module), name);
}
// The variable's address for the host is known when its module is read.
void __cudaRegisterManagedVar(void** module, void** pointer, char*, const char* name, int,
                              size_t size, int, int) {
  Runtime::get().add_managed_variable(pointer, module_of(module), name, size);
}
cudaError_t __cudaGetKernel(cudaKernel_t* handle, const void* stub) {
  const EmbeddedName* const kernel = Runtime::get().kernel_of(stub);
  *handle = reinterpret_cast<cudaKernel_t>(const_cast<EmbeddedName*>(kernel));
  return kernel != nullptr ? cudaSuccess
                           : Runtime::fail(cudaErrorInvalidDeviceFunction,
                                           "__cudaGetKernel: the program has no such kernel");
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               size_t shared, cudaStream_t stream) {
  return Runtime::get().launch(*reinterpret_cast<const EmbeddedName*>(kernel), grid, block,
                               arguments, shared, stream);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
}
