// __device__ and __constant__ variables of .cu files: cudaMemcpyToSymbol and similar functions.
#include <fmt/format.h>

#include <algorithm>

#include "../../ptx/report/function_names.hpp"
#include "runtime.hpp"

namespace bankproof::cuda {

/// Calls use(variable, all bytes of the variable). If this is not possible, reports why and returns
/// an error.
cudaError_t Runtime::with_variable(
    const char* call, const void* shadow, std::size_t offset, std::size_t bytes,
    const std::function<void(const EmbeddedName&, std::vector<std::byte>&)>& use) {
  const std::lock_guard lock(mutex_);
  const auto found = variables_.find(shadow);
  if (found == variables_.end()) {
    return fail(cudaErrorInvalidSymbol,
                fmt::format("{}: no such variable was compiled for the reference machine", call));
  }
  const EmbeddedName& variable = found->second;
  try {
    std::vector<std::byte> all = session_->symbol(variable.module->file(), variable.name);
    if (offset > all.size() || bytes > all.size() - offset) {
      return fail(cudaErrorInvalidValue,
                  fmt::format("{}: {} bytes from byte {} of {}, which has {}", call, bytes, offset,
                              variable.name, all.size()));
    }
    use(variable, all);
    return cudaSuccess;
  } catch (const ptx::KernelNameError& error) {
    return fail(cudaErrorInvalidSymbol,
                fmt::format("{}: {}; clang 14 to 16 drop __device__ variables in unnamed "
                            "namespaces; make the variable static instead",
                            call, error.what()));
  } catch (const std::exception& error) {
    return fail(cudaErrorInvalidSymbol, fmt::format("{}: {}", call, error.what()));
  }
}

cudaError_t Runtime::write_variable(const void* shadow, std::size_t offset,
                                    std::span<const std::byte> bytes) {
  return with_variable("cudaMemcpyToSymbol", shadow, offset, bytes.size(),
                       [&](const EmbeddedName& variable, std::vector<std::byte>& all) {
                         std::copy(bytes.begin(), bytes.end(),
                                   all.begin() + static_cast<std::ptrdiff_t>(offset));
                         session_->set_symbol(variable.module->file(), variable.name, all);
                       });
}

cudaError_t Runtime::read_variable(const void* shadow, std::size_t offset,
                                   std::span<std::byte> bytes) {
  return with_variable("cudaMemcpyFromSymbol", shadow, offset, bytes.size(),
                       [&](const EmbeddedName&, std::vector<std::byte>& all) {
                         std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(offset),
                                     bytes.size(), bytes.begin());
                       });
}

}  // namespace bankproof::cuda

using bankproof::cuda::Runtime;

extern "C" {
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t size,
                                    size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream) {
  Runtime& runtime = Runtime::get();
  const bool of_device =
      kind == cudaMemcpyDeviceToDevice || (kind == cudaMemcpyDefault && runtime.is_of_device(from));
  if (!of_device && kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDefault) {
    return Runtime::fail(cudaErrorInvalidValue,
                         "cudaMemcpyToSymbol: a variable of the device is not memory of the host");
  }
  return runtime.perform("cudaMemcpyToSymbol", stream, [=, &runtime] {
    std::span<const std::byte> bytes(static_cast<const std::byte*>(from), size);
    std::vector<std::byte> copied;
    if (of_device) {
      copied.resize(size);
      const cudaError_t error = runtime.copy(copied.data(), from, size, cudaMemcpyDeviceToHost);
      if (error != cudaSuccess) return error;
      bytes = copied;
    }
    return runtime.write_variable(symbol, offset, bytes);
  });
}
cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t size, size_t offset,
                               enum cudaMemcpyKind kind) {
  const cudaError_t error = cudaMemcpyToSymbolAsync(symbol, from, size, offset, kind, nullptr);
  return error == cudaSuccess ? Runtime::get().synchronize(nullptr) : error;
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t size, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream) {
  if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDefault) {
    return Runtime::fail(cudaErrorNotSupported, "cudaMemcpyFromSymbol: only to the host's memory");
  }
  Runtime& runtime = Runtime::get();
  const cudaError_t error = runtime.perform("cudaMemcpyFromSymbol", stream, [=, &runtime] {
    return runtime.read_variable(symbol, offset, {static_cast<std::byte*>(to), size});
  });
  return error == cudaSuccess ? runtime.synchronize(stream) : error;
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t size, size_t offset,
                                 enum cudaMemcpyKind kind) {
  return cudaMemcpyFromSymbolAsync(to, symbol, size, offset, kind, nullptr);
}
cudaError_t cudaGetSymbolAddress(void** pointer, const void*) {
  *pointer = nullptr;
  return Runtime::fail(cudaErrorNotSupported,
                       "cudaGetSymbolAddress: use cudaMemcpyToSymbol and "
                       "cudaMemcpyFromSymbol on the reference machine");
}
}
