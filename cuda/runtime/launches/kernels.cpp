// Questions about kernels: attributes, occupancy, names and parameters.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "../../../ptx/exec/limits.hpp"
#include "../../../ptx/report/function_names.hpp"
#include "../../../ptx/syntax/layout.hpp"
#include "../majors.hpp"
#include "../stream_handles.hpp"

using bankproof::cuda::EmbeddedName;
using bankproof::cuda::Runtime;

namespace {

// A handle of a kernel is its entry in the runtime's table.
template <class Handle>
const EmbeddedName* entry_of(Handle handle) {
  return reinterpret_cast<const EmbeddedName*>(handle);
}
template <class Handle>
cudaError_t handle_of(const char* call, Handle* handle, const void* stub) {
  const EmbeddedName* const kernel = Runtime::get().kernel_of(stub);
  *handle = reinterpret_cast<Handle>(const_cast<EmbeddedName*>(kernel));
  if (kernel != nullptr) return cudaSuccess;
  return Runtime::fail(cudaErrorInvalidDeviceFunction,
                       fmt::format("{}: the program has no such kernel", call));
}

const bankproof::ptx::Function* function_of(const char* call, const void* stub) {
  try {
    if (const auto* const function = Runtime::get().kernel(stub)) return function;
    Runtime::fail(cudaErrorInvalidDeviceFunction,
                  fmt::format("{}: the program has no such kernel", call));
  } catch (const std::exception& error) {
    Runtime::fail(cudaErrorInvalidDeviceFunction, fmt::format("{}: {}", call, error.what()));
  }
  return nullptr;
}

}  // namespace

// The headers for clang have an overload.
#pragma weak cudaFuncGetAttributes
extern "C" cudaError_t bankproof_of_13_cudaFuncGetAttributes(cudaFuncAttributes* attributes,
                                                             const void* kernel)
    __attribute__((alias("cudaFuncGetAttributes")));

extern "C" {
// The machine knows neither register counts nor code sizes; unknown attributes are 0.
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attributes, const void* kernel) {
  if (attributes == nullptr) return bankproof::cuda::no_place("cudaFuncGetAttributes");
  *attributes = {};
  if (function_of("cudaFuncGetAttributes", kernel) == nullptr) return Runtime::last();
  attributes->maxThreadsPerBlock = bankproof::ptx::most_threads_of_block;
  attributes->maxDynamicSharedSizeBytes =
      static_cast<int>(Runtime::get().most_dynamic_shared(*Runtime::get().kernel_of(kernel)));
  attributes->numRegs = 32;
  attributes->ptxVersion = attributes->binaryVersion = 80;
  return cudaSuccess;
}
// Other attributes change no result.
cudaError_t cudaFuncSetAttribute(const void* kernel, enum cudaFuncAttribute attribute, int value) {
  constexpr const char* call = "cudaFuncSetAttribute";
  const EmbeddedName* const entry = Runtime::get().kernel_of(kernel);
  if (entry == nullptr) {
    return Runtime::fail(cudaErrorInvalidDeviceFunction,
                         fmt::format("{}: the program has no such kernel", call));
  }
  if (attribute < cudaFuncAttributeMaxDynamicSharedMemorySize ||
      attribute >= cudaFuncAttributeMax) {
    return Runtime::fail(cudaErrorInvalidValue, fmt::format("{}: there is no attribute {}", call,
                                                            static_cast<int>(attribute)));
  }
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
  constexpr int most = bankproof::ptx::most_shared_bytes;
  if (value < 0 || value > most) {
    return Runtime::fail(
        cudaErrorInvalidValue,
        fmt::format("{}: {} bytes of dynamic shared memory; a block has at most {}", call, value,
                    most));
  }
  Runtime::get().set_most_dynamic_shared(*entry, static_cast<std::size_t>(value));
  return cudaSuccess;
}
cudaError_t cudaFuncGetName(const char** name, const void* kernel) {
  if (name == nullptr) return bankproof::cuda::no_place("cudaFuncGetName");
  const EmbeddedName* const entry = Runtime::get().kernel_of(kernel);
  *name = entry == nullptr ? nullptr : entry->name.c_str();
  return entry != nullptr ? cudaSuccess
                          : Runtime::fail(cudaErrorInvalidDeviceFunction,
                                          "cudaFuncGetName: the program has no such kernel");
}
cudaError_t cudaFuncGetParamInfo(const void* kernel, size_t index, size_t* offset, size_t* size) {
  if (offset == nullptr) return bankproof::cuda::no_place("cudaFuncGetParamInfo");
  const auto* const function = function_of("cudaFuncGetParamInfo", kernel);
  if (function == nullptr) return Runtime::last();
  const auto parameters = bankproof::ptx::kernel_parameters(*function);
  if (index >= parameters.size()) {
    return Runtime::fail(
        cudaErrorInvalidValue,
        fmt::format("cudaFuncGetParamInfo: parameter {} of {}", index, parameters.size()));
  }
  *offset = parameters[index].offset;
  if (size != nullptr) *size = parameters[index].bytes;
  return cudaSuccess;
}
cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, const void* kernel) {
  if (function == nullptr) return bankproof::cuda::no_place("cudaGetFuncBySymbol");
  return handle_of("cudaGetFuncBySymbol", function, kernel);
}
cudaError_t cudaGetKernel(cudaKernel_t* handle, const void* kernel) {
  if (handle == nullptr) return bankproof::cuda::no_place("cudaGetKernel");
  return handle_of("cudaGetKernel", handle, kernel);
}

// Only the number of threads and of bytes of shared memory limits occupancy.
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*, int block,
                                                          size_t shared) {
  if (blocks == nullptr)
    return bankproof::cuda::no_place("cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  constexpr int most = bankproof::ptx::most_threads_of_block;
  if (block <= 0 || block > most) {
    return Runtime::fail(cudaErrorInvalidValue, fmt::format("a block has 1 to {} threads", most));
  }
  const auto by_threads = static_cast<std::size_t>(bankproof::ptx::threads_of_multiprocessor) /
                          static_cast<std::size_t>(block);
  const std::size_t by_memory =
      shared == 0 ? by_threads : bankproof::ptx::most_shared_bytes / shared;
  *blocks = static_cast<int>(std::min(by_threads, by_memory));
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* kernel,
                                                                   int block, size_t shared,
                                                                   unsigned int) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, block, shared);
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void*, int blocks, int) {
  if (bytes == nullptr)
    return bankproof::cuda::no_place("cudaOccupancyAvailableDynamicSMemPerBlock");
  *bytes = bankproof::ptx::most_shared_bytes / static_cast<std::size_t>(std::max(1, blocks));
  return cudaSuccess;
}
}
