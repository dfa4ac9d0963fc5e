// Kernels. The object files of .cu files register their kernels when the program starts; launches
// run the kernels.
//
// clang compiles kernel<<<grid, block, shared, stream>>>(arguments) to a call of
// __cudaPushCallConfiguration() and a call of the kernel's host stub. The stub calls
// __cudaPopCallConfiguration() and then cudaLaunchKernel(), to which it passes its own address as
// the name of the kernel.
#include <fmt/format.h>

#include <cstdio>
#include <cstring>

#include "../../ptx/exec/limits.hpp"
#include "../../ptx/report/function_names.hpp"
#include "runtime.hpp"

namespace bankproof::cuda {

const ptx::Function* Runtime::kernel(const void* stub) {
  const auto found = kernels_.find(stub);
  if (found == kernels_.end()) return nullptr;
  return &ptx::find_kernel(file_of(*found->second.module)->module, found->second.name);
}

cudaError_t Runtime::launch(const void* stub, dim3 grid, dim3 block, void** arguments,
                            std::size_t shared, cudaStream_t stream) {
  const std::lock_guard lock(mutex_);
  std::string name = "a kernel";
  try {
    const ptx::Function* const function = kernel(stub);
    if (function == nullptr) {
      return fail(cudaErrorInvalidDeviceFunction,
                  "cudaLaunchKernel: no such kernel was compiled for the reference machine");
    }
    name = ptx::demangled(function->name);
    // Copies the arguments, since the originals may be gone when a graph with this launch is
    // launched.
    std::vector<ArgumentBytes> bytes;
    for (const Parameter& parameter : parameters_of(*function)) {
      const auto* const first = static_cast<const std::byte*>(arguments[bytes.size()]);
      bytes.push_back({{first, first + parameter.bytes}, parameter.text});
    }
    const ptx::LaunchShape shape{{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared};
    require_shape(shape);
    return perform(stream, [this, stub, name, shape, bytes = std::move(bytes)] {
      const std::lock_guard again(mutex_);
      try {
        const EmbeddedName& kernel = kernels_.at(stub);
        ptx::KernelReport report = session_->launch(kernel.module->file, kernel.name, shape, bytes);
        std::fwrite(report.printed.data(), 1, report.printed.size(), stdout);
        time_ += report.time;
        untold_faults_ += report.faults.size();
        if (keeps_launches_) launches_.push_back(std::move(report));
        return cudaSuccess;
      } catch (const ptx::Error& error) {
        return fail(cudaErrorNotSupported, error.what());
      } catch (const std::exception& error) {
        return fail(cudaErrorInvalidValue, fmt::format("launch of {}: {}", name, error.what()));
      }
    });
  } catch (const ptx::Error& error) {
    return fail(cudaErrorNotSupported, error.what());
  } catch (const ptx::KernelNameError& error) {
    return fail(
        cudaErrorInvalidDeviceFunction,
        fmt::format("cudaLaunchKernel: {}; if nvcc names the kernel differently from clang, which "
                    "compiles the host code, configure with -DBANKPROOF_CUDA_COMPILER=clang",
                    error.what()));
  } catch (const ArgumentError& error) {
    return fail(cudaErrorInvalidConfiguration, fmt::format("launch of {}: {}", name, error.what()));
  } catch (const std::exception& error) {
    return fail(cudaErrorInvalidValue, fmt::format("launch of {}: {}", name, error.what()));
  }
}

namespace {

/// The configuration of a call kernel<<<…>>>(), kept until the stub pops it.
struct Configuration {
  dim3 grid;
  dim3 block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
};
thread_local std::vector<Configuration> configurations;

/// The struct that clang emits for a file's device code; `text` points to the embedded PTX.
struct EmbeddedWrapper {
  int magic;
  int version;
  const char* text;
  void* unused;
};

}  // namespace
}  // namespace bankproof::cuda

using bankproof::cuda::Runtime;

extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the names clang calls.
void** __cudaRegisterFatBinary(void* wrapper) {
  const auto* const embedded = static_cast<bankproof::cuda::EmbeddedWrapper*>(wrapper);
  return reinterpret_cast<void**>(Runtime::get().add_module(embedded->text));
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterFunction(void** module, const char* stub, char*, const char* name, int, void*,
                            void*, void*, void*, int*) {
  Runtime::get().add_kernel(stub, reinterpret_cast<bankproof::cuda::EmbeddedModule*>(module), name);
}
void __cudaRegisterVar(void** module, char* shadow, char*, const char* name, int, size_t, int,
                       int) {
  Runtime::get().add_variable(shadow, reinterpret_cast<bankproof::cuda::EmbeddedModule*>(module),
                              name);
}
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void* stream) {
  bankproof::cuda::configurations.push_back(
      {grid, block, shared, static_cast<cudaStream_t>(stream)});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream) {
  const bankproof::cuda::Configuration last = bankproof::cuda::configurations.back();
  bankproof::cuda::configurations.pop_back();
  *grid = last.grid;
  *block = last.block;
  *shared = last.shared;
  *static_cast<cudaStream_t*>(stream) = last.stream;
  return cudaSuccess;
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                             size_t shared, cudaStream_t stream) {
  return Runtime::get().launch(kernel, grid, block, arguments, shared, stream);
}
// A grid barrier waits for every block. If the grid has more blocks than can be resident, the
// launch deadlocks, and the report says so.
cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        size_t shared, cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* configuration, const void* kernel,
                                void** arguments) {
  return cudaLaunchKernel(kernel, configuration->gridDim, configuration->blockDim, arguments,
                          configuration->dynamicSmemBytes, configuration->stream);
}

// Attributes that the machine does not know, such as counts of registers and sizes of code, are 0.
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attributes, const void* kernel) {
  *attributes = {};
  if (Runtime::get().kernel(kernel) == nullptr) {
    return Runtime::fail(cudaErrorInvalidDeviceFunction,
                         "cudaFuncGetAttributes: there is no such kernel");
  }
  attributes->maxThreadsPerBlock = bankproof::ptx::most_threads_of_block;
  attributes->maxDynamicSharedSizeBytes = static_cast<int>(bankproof::ptx::most_shared_bytes);
  return cudaSuccess;
}
// The next calls change nothing: every kernel may use all shared memory without them.
cudaError_t cudaFuncSetAttribute(const void*, enum cudaFuncAttribute, int) { return cudaSuccess; }
cudaError_t cudaFuncSetCacheConfig(const void*, enum cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaFuncSetSharedMemConfig(const void*, enum cudaSharedMemConfig) {
  return cudaSuccess;
}
// On the machine, only the number of threads limits how many blocks are resident.
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*, int block,
                                                          size_t) {
  constexpr int most = bankproof::ptx::most_threads_of_block;
  if (block <= 0 || block > most) {
    return Runtime::fail(cudaErrorInvalidValue, fmt::format("a block has 1 to {} threads", most));
  }
  *blocks = static_cast<int>(bankproof::ptx::threads_of_multiprocessor) / block;
  return cudaSuccess;
}
}
