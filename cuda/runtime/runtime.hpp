// CUDA's runtime on the reference machine: whole CUDA programs run without a GPU.
//
// clang compiles the program's .cu files for the host, with their PTX embedded, and the program
// links this library in place of libcudart. cudaMalloc returns memory of the machine, kernel<<<…>>>
// runs on the machine, and the costs and faults of the kernels are reported.
// cmake/machine_sources.cmake builds these programs. The runtime executes every operation at once
// and in order, on any stream. The machine has one device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../headers/cuda_runtime_api.h"
#include "../session/session.hpp"

namespace bankproof::cuda {

/// The PTX text that a .cu file embeds. The text is parsed when the file's first kernel is
/// launched.
struct EmbeddedModule {
  const char* text = nullptr;
  SharedKernelFile file;
};

struct EmbeddedName {
  EmbeddedModule* module = nullptr;
  std::string name;  // the name in the PTX
};

/// The place of a byte of device memory: a buffer of the session, and the offset in the buffer.
struct DevicePlace {
  std::uint32_t buffer = 0;
  std::uint64_t offset = 0;
};

class Runtime {
 public:
  /// The program's only instance. $BANKPROOF_MACHINE names the machine; the default is `hmm`.
  static Runtime& get();

  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  // ---- Calls by which the object files of .cu files register their kernels and variables.
  EmbeddedModule* add_module(const char* text);
  void add_kernel(const void* stub, EmbeddedModule* module, const std::string& name);
  void add_variable(const void* shadow, EmbeddedModule* module, const std::string& name);

  // ---- Memory. Each call returns cudaSuccess; otherwise it prints an error on standard error and
  // returns it.
  cudaError_t allocate(void** pointer, std::size_t bytes);
  cudaError_t release(void* pointer);
  cudaError_t copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
  cudaError_t fill(void* to, int value, std::size_t bytes);
  /// The buffer and offset to which the pointer points, if `bytes` bytes are allocated there.
  std::optional<DevicePlace> find(const void* pointer, std::size_t bytes = 1) const;
  bool is_of_device(const void* pointer) const { return find(pointer).has_value(); }
  std::size_t bytes_in_use() const { return bytes_in_use_; }

  // ---- Variables of .cu files. A variable's shadow, which the host compiler makes, identifies it.
  cudaError_t write_variable(const void* shadow, std::size_t offset,
                             std::span<const std::byte> bytes);
  cudaError_t read_variable(const void* shadow, std::size_t offset, std::span<std::byte> bytes);

  // ---- Launches.
  cudaError_t launch(const void* stub, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                     cudaStream_t stream);
  const ptx::Function* kernel(const void* stub);

  // ---- Streams. Operations on a captured stream become part of a graph. An operation on a
  // destroyed stream is an error.
  using Operation = std::function<cudaError_t()>;
  struct Capture {
    cudaStream_t origin = nullptr;
    std::vector<Operation> operations;
  };
  cudaError_t perform(cudaStream_t stream, Operation operation);
  cudaError_t begin_capture(cudaStream_t stream);
  /// The stream's capture; null if the stream is not being captured.
  std::shared_ptr<Capture> capture_of(cudaStream_t stream);
  /// The stream waits for an event of the capture, so it is captured too, until the capture ends.
  void join_capture(cudaStream_t stream, const std::shared_ptr<Capture>& capture);
  /// Ends the capture and moves its operations, in order, to `operations`.
  cudaError_t end_capture(cudaStream_t stream, std::vector<Operation>& operations);

  // ---- Errors for cudaGetLastError(): each host thread has its own last error.
  static cudaError_t fail(cudaError_t error, const std::string& why);
  static cudaError_t take_error();
  static cudaError_t error();

  // ---- The PTX of the .cu files, for planting.hpp.
  std::size_t modules() const { return modules_.size(); }
  /// The file of the module; null if the program has not launched a kernel of it.
  SharedKernelFile file(std::size_t module) const { return modules_[module]->file; }
  void set_file(std::size_t module, SharedKernelFile file) {
    modules_[module]->file = std::move(file);
  }

  // ---- Reports about the kernels.
  std::vector<ptx::KernelReport> take_launches();
  void set_schedule(std::uint64_t resident_blocks, std::uint64_t schedule);
  Time time() const { return time_; }
  std::recursive_mutex& mutex() { return mutex_; }

 private:
  Runtime();
  ~Runtime();

  SharedKernelFile file_of(EmbeddedModule& module);
  cudaError_t with_variable(
      const char* call, const void* shadow, std::size_t offset, std::size_t bytes,
      const std::function<void(const EmbeddedName&, std::vector<std::byte>&)>& use);

  std::recursive_mutex mutex_;
  std::unique_ptr<Session> session_;
  std::vector<std::unique_ptr<EmbeddedModule>> modules_;
  std::map<const void*, EmbeddedName> kernels_;
  std::map<const void*, EmbeddedName> variables_;
  std::map<std::uint32_t, std::size_t> live_;  // bytes of the buffers that have not been freed
  std::size_t bytes_in_use_ = 0;
  std::size_t allocations_ = 0;  // so far
  std::map<cudaStream_t, std::shared_ptr<Capture>> captured_;
  Time time_ = 0;
  bool keeps_launches_ = false;
  std::vector<ptx::KernelReport> launches_;
  std::uint64_t untold_faults_ = 0;
};

}  // namespace bankproof::cuda
