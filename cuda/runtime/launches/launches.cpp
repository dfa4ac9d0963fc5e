// Launches of kernels; registration.cpp has the kernels of the program.
//
// clang compiles kernel<<<grid, block, shared, stream>>>(arguments) to a call of
// __cudaPushCallConfiguration() and a call of the kernel's host stub. The stub calls
// __cudaPopCallConfiguration() and then cudaLaunchKernel(), to which it passes its own address as
// the name of the kernel.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "../../../ptx/exec/limits.hpp"
#include "../../../ptx/report/function_names.hpp"
#include "../devices.hpp"
#include "../stream_handles.hpp"

namespace bankproof::cuda {

namespace {

constexpr std::size_t shared_of_any_kernel = std::size_t{48} * 1024;

}  // namespace

const EmbeddedName* Runtime::kernel_of(const void* stub) const {
  const std::lock_guard lock(mutex_);
  const auto found = kernels_.find(stub);
  if (found != kernels_.end()) return &found->second;
  return kernel_handles_.count(stub) != 0 ? static_cast<const EmbeddedName*>(stub) : nullptr;
}

const ptx::Function* Runtime::kernel(const void* stub) {
  const EmbeddedName* const kernel = kernel_of(stub);
  return kernel == nullptr ? nullptr
                           : &ptx::find_kernel(kernel->module->file()->module, kernel->name);
}

// A kernel needs the program's leave for more (CUDA Programming Guide, "Shared Memory" of compute
// capability 7.x).
std::size_t Runtime::most_dynamic_shared(const EmbeddedName& kernel) const {
  const std::lock_guard lock(mutex_);
  const auto found = most_dynamic_shared_.find({kernel.module, kernel.name});
  return found == most_dynamic_shared_.end() ? shared_of_any_kernel : found->second;
}
void Runtime::set_most_dynamic_shared(const EmbeddedName& kernel, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  most_dynamic_shared_[{kernel.module, kernel.name}] = std::max(bytes, shared_of_any_kernel);
}

cudaError_t Runtime::launch(const void* stub, dim3 grid, dim3 block, void** arguments,
                            std::size_t shared, cudaStream_t stream) {
  const EmbeddedName* const kernel = kernel_of(stub);
  if (kernel == nullptr) {
    return fail(cudaErrorInvalidDeviceFunction,
                "cudaLaunchKernel: no such kernel was compiled for the reference machine");
  }
  return launch(*kernel, grid, block, arguments, shared, stream);
}

cudaError_t Runtime::launch(const EmbeddedName& kernel, dim3 grid, dim3 block, void** arguments,
                            std::size_t shared, cudaStream_t stream) {
  const std::lock_guard lock(mutex_);
  Work work;
  const cudaError_t error = work_of(kernel, grid, block, arguments, shared, work);
  return error == cudaSuccess ? perform(std::move(work), stream) : error;
}

// Copies the arguments, since the originals may be gone when the work is performed.
cudaError_t Runtime::work_of(const EmbeddedName& kernel, dim3 grid, dim3 block, void** arguments,
                             std::size_t shared, Work& work) {
  const std::lock_guard lock(mutex_);
  std::string name = "a kernel";
  try {
    place_managed_variables(kernel.module);
    const ptx::Function& function = ptx::find_kernel(kernel.module->file()->module, kernel.name);
    name = ptx::demangled(function.name);
    KernelNode node{&kernel, grid, block, static_cast<unsigned>(shared)};
    std::vector<ArgumentBytes> bytes;
    for (const Parameter& parameter : parameters_of(function)) {
      const std::size_t number = bytes.size();
      if (arguments == nullptr || arguments[number] == nullptr) {
        throw ArgumentError(
            fmt::format("argument {}, {}, is missing: a null pointer", number, parameter.text));
      }
      const auto* const first = static_cast<const std::byte*>(arguments[number]);
      bytes.push_back({{first, first + parameter.bytes}, parameter.text});
      node.values.push_back(bytes.back().bytes);
    }
    const ptx::LaunchShape shape{{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared};
    require_shape(shape);
    if (const std::size_t most = most_dynamic_shared(kernel); shared > most) {
      throw std::invalid_argument(
          fmt::format("{} bytes of dynamic shared memory; the kernel may have {}, unless "
                      "cudaFuncSetAttribute allows it more",
                      shared, most));
    }
    work = {name, cudaGraphNodeTypeKernel, std::move(node),
            [this, &kernel, name, shape, bytes = std::move(bytes), device = current_device()] {
              return run(kernel, name, shape, bytes, device);
            }};
    return cudaSuccess;
  } catch (const NoPtxError& error) {
    if (run_ != nullptr) run_->cannot_start();
    return fail(cudaErrorNoKernelImageForDevice, error.what());
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

cudaError_t Runtime::touch_as_launched(const std::string& kernel, int device) {
  if (!ordering_.has_streams()) return cudaSuccess;
  cudaError_t error = cudaSuccess;
  constexpr AccessKind kinds[] = {AccessKind::read, AccessKind::write, AccessKind::atomic};
  for (const auto& [buffer, all] : session_->touched_by_last_launch()) {
    if (all.empty()) continue;
    const cudaError_t refused = require_access(kernel, buffer, device, all);
    if (refused != cudaSuccess) error = refused;
    for (const ptx::Touched& touched : all) {
      touch_device({buffer, touched.begin}, touched.end - touched.begin,
                   kinds[static_cast<std::size_t>(touched.use)]);
    }
    close_view(buffer);
  }
  for (const std::uint64_t object : session_->objects_of_last_launch()) {
    const std::uint64_t at = object_address(object);
    tell(ordering_.touch(at, at + 1, AccessKind::read));
  }
  return error;
}

cudaError_t Runtime::run(const EmbeddedName& kernel, const std::string& name,
                         const ptx::LaunchShape& shape, const std::vector<ArgumentBytes>& bytes,
                         int device) {
  const std::lock_guard lock(mutex_);
  const auto refuse = [&](cudaError_t error, const std::string& why) {
    if (run_ != nullptr) run_->refuse_launch();
    return fail(error, why);
  };
  try {
    if (run_ != nullptr) run_->begin_launch(name);
    const std::uint64_t number = launched_++;
    const bool is_checked = selection_.has(name, number);
    const SharedKernelFile& file = kernel.module->file();
    LaunchState before;
    if (saved_ != nullptr && is_checked) before = session_->state_before_launch(file, kernel.name);
    session_->keep_touched(ordering_.has_streams());
    session_->set_device(static_cast<std::uint32_t>(device));
    const LaunchOutcome& outcome = session_->run(file, kernel.name, shape, bytes, is_checked);
    ptx::KernelReport report;
    if (keeps_launches_) {
      report = session_->report_of_last_launch();
    } else if (!outcome.is_clean) {
      report = session_->faults_of_last_launch();
    }
    note_abort(name, report, device);
    if (!is_checked) report.faults.clear();
    if (saved_ != nullptr && !report.faults.empty()) {
      saved_->save(report, number, before, *file, kernel.name, shape, bytes);
    }
    std::fwrite(outcome.printed.data(), 1, outcome.printed.size(), stdout);
    time_ += outcome.time;
    const cudaError_t error = touch_as_launched(name, device);
    if (run_ != nullptr) run_->end_launch(report, is_checked);
    untold_faults_ += report.faults.size();
    if (keeps_launches_) launches_.push_back(std::move(report));
    return error;
  } catch (const ptx::Error& error) {
    return refuse(cudaErrorNotSupported, error.what());
  } catch (const std::exception& error) {
    return refuse(cudaErrorInvalidValue, fmt::format("launch of {}: {}", name, error.what()));
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

}  // namespace
}  // namespace bankproof::cuda

using bankproof::cuda::Runtime;

extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the names clang calls.
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
  if (configuration == nullptr) return bankproof::cuda::no_place("cudaLaunchKernelExC");
  return cudaLaunchKernel(kernel, configuration->gridDim, configuration->blockDim, arguments,
                          configuration->dynamicSmemBytes, configuration->stream);
}
}
