// Launches of kernels. A program passes the arguments as pointers, one for each parameter, or as
// one block of bytes, in which each argument lies where the kernel's parameter does (CUDA Driver
// API, cuLaunchKernel).
#include <fmt/format.h>

#include <span>
#include <vector>

#include "../../ptx/syntax/layout.hpp"
#include "../runtime/stream_handles.hpp"
#include "calls.hpp"
#include "contexts.hpp"
#include "modules.hpp"

namespace bankproof::cuda::driver {

namespace {

struct LaunchOrder {
  CUfunction function;
  dim3 grid;
  dim3 block;
  unsigned shared;
  CUstream stream;
  void** arguments;
  void** extra;
};

/// The block of bytes that the list `extra` gives; its keys and values end with
/// CU_LAUNCH_PARAM_END.
std::span<std::byte> block_of(void** extra) {
  std::byte* bytes = nullptr;
  std::size_t count = 0;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER) bytes = static_cast<std::byte*>(extra[1]);
    if (*extra != CU_LAUNCH_PARAM_BUFFER_SIZE || extra[1] == nullptr) continue;
    count = *static_cast<const std::size_t*>(extra[1]);
  }
  return {bytes, bytes == nullptr ? 0 : count};
}

/// Pointers into the block, one for each parameter.
CUresult split_block(const char* call, const EmbeddedName& kernel, std::span<std::byte> block,
                     std::vector<void*>& arguments) {
  const ptx::Function* const function = Runtime::get().kernel(&kernel);
  for (const ptx::KernelParameter& parameter : ptx::kernel_parameters(*function)) {
    if (parameter.offset + parameter.bytes > block.size()) {
      return fail(
          call, CUDA_ERROR_INVALID_VALUE,
          fmt::format("parameter {} of {} ends at byte {}, and the block of arguments has {} "
                      "bytes",
                      arguments.size(), kernel.name, parameter.offset + parameter.bytes,
                      block.size()));
    }
    arguments.push_back(block.data() + parameter.offset);
  }
  return CUDA_SUCCESS;
}

CUresult require_same_context(const char* call, const EmbeddedName* kernel, CUstream stream) {
  const CUcontext current = current_context();
  const CUmodule module = module_of(kernel);
  if (module != nullptr && module->context != nullptr && module->context != current) {
    return fail(call, CUDA_ERROR_INVALID_HANDLE,
                fmt::format("the kernel {} was loaded in another context, of device {}",
                            kernel->name, module->context->device));
  }
  if (is_default(stream) || stream->device == current->device) return CUDA_SUCCESS;
  return fail(call, CUDA_ERROR_INVALID_HANDLE,
              fmt::format("the stream is of device {}, and the current context of device {}",
                          stream->device, current->device));
}

CUresult launch_in_context(const char* call, const LaunchOrder& order) {
  const EmbeddedName* const kernel = kernel_of(order.function);
  if (kernel == nullptr) {
    return fail(call, CUDA_ERROR_INVALID_HANDLE,
                "the kernel does not exist; was its module unloaded?");
  }
  if (!is_live_stream(call, order.stream)) return CUDA_ERROR_INVALID_HANDLE;
  if (const CUresult error = require_same_context(call, kernel, order.stream);
      error != CUDA_SUCCESS) {
    return error;
  }
  void** arguments = order.arguments;
  std::vector<void*> split;
  if (order.extra != nullptr) {
    if (arguments != nullptr) {
      return fail(call, CUDA_ERROR_INVALID_VALUE, "both kernelParams and extra are given");
    }
    const CUresult error = split_block(call, *kernel, block_of(order.extra), split);
    if (error != CUDA_SUCCESS) return error;
    arguments = split.data();
  }
  // Operations of a launch have the kernel's name.
  const CalledAs kernel_name("");
  return as_result(Runtime::get().launch(*kernel, order.grid, order.block, arguments, order.shared,
                                         order.stream));
}

CUresult launch(const char* call, const LaunchOrder& order) {
  return in_context(call, {}, [&] {
    try {
      return launch_in_context(call, order);
    } catch (const std::exception& error) {  // of the kernel's parameters
      return fail(call, CUDA_ERROR_INVALID_VALUE, error.what());
    }
  });
}

}  // namespace
}  // namespace bankproof::cuda::driver

using namespace bankproof::cuda::driver;  // NOLINT(google-build-using-namespace)

extern "C" {
CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                        CUstream stream, void** arguments, void** extra) {
  return launch("cuLaunchKernel", {function,
                                   {grid_x, grid_y, grid_z},
                                   {block_x, block_y, block_z},
                                   shared,
                                   stream,
                                   arguments,
                                   extra});
}
CUresult cuLaunchKernelEx(const CUlaunchConfig* of, CUfunction function, void** arguments,
                          void** extra) {
  if (of == nullptr) return in_context("cuLaunchKernelEx", {of}, [] { return CUDA_SUCCESS; });
  return launch("cuLaunchKernelEx", {function,
                                     {of->gridDimX, of->gridDimY, of->gridDimZ},
                                     {of->blockDimX, of->blockDimY, of->blockDimZ},
                                     of->sharedMemBytes,
                                     of->hStream,
                                     arguments,
                                     extra});
}
// A launch whose blocks cannot all be resident deadlocks at its grid barrier, and the report says
// so.
CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                                   unsigned grid_z, unsigned block_x, unsigned block_y,
                                   unsigned block_z, unsigned shared, CUstream stream,
                                   void** arguments) {
  return launch("cuLaunchCooperativeKernel", {function,
                                              {grid_x, grid_y, grid_z},
                                              {block_x, block_y, block_z},
                                              shared,
                                              stream,
                                              arguments,
                                              nullptr});
}
CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data) {
  return in_context("cuLaunchHostFunc", {reinterpret_cast<const void*>(function)},
                    [&] { return cudaLaunchHostFunc(stream, function, data); });
}
}
