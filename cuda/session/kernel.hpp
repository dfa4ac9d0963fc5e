// Runs CUDA kernels on the reference machine, from the C++ tests of a project:
//
//     bankproof::Device device;                              // or Device("sm_90")
//     auto in = device.buffer<float>(values);                // std::vector<float>
//     auto out = device.buffer<float>(values.size());        // undefined, as after cudaMalloc
//     bankproof::Kernel transpose("transpose.cu", "transpose<32>");
//     auto report = transpose.launch(device, {.grid = {32, 32}, .block = {32, 8}}, out, in, 1024);
//     EXPECT_THAT(report, ConflictFree());  // testing/matchers/kernel_matchers.hpp
//     EXPECT_EQ(out.values(), expected);
//
// `transpose.symbol<float>(device, "table").set(values)` writes a variable of the file. The
// report's `printed` holds the output of printf.
//
// Errors of the caller are exceptions: cuda::ArgumentError, ptx::KernelNameError,
// cuda::CompileError, and ptx::Error for a kernel that the machine cannot run. Faults of a kernel
// are in its report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../ptx/report/function_names.hpp"
#include "../../ptx/report/text.hpp"
#include "session.hpp"

namespace bankproof {

using KernelReport = ptx::KernelReport;
using ptx::LaunchShape;

/// An array in the global memory of a device. The device has to outlive the buffer.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>, "a device's memory holds plain bytes");

 public:
  std::size_t size() const { return size_; }

  /// The current contents.
  std::vector<T> values() const {
    std::vector<T> copy(size_);
    const auto bytes = std::as_const(*session_).data(number_);
    std::memcpy(copy.data(), bytes.data(), bytes.size());
    return copy;
  }

  /// Writes the whole buffer, as cudaMemcpy does. Throws std::invalid_argument if the size differs.
  void set(const std::vector<T>& values) {
    if (values.size() != size_) throw std::invalid_argument("a buffer keeps its size");
    session_->write(number_, 0, std::as_bytes(std::span(values)));
  }

  /// The pointer that a kernel gets for `buffer + element`.
  std::uint64_t address(std::size_t element = 0) const {
    return cuda::Session::address(number_, element * sizeof(T));
  }

 private:
  friend class Device;
  Buffer(cuda::Session& session, std::uint32_t number, std::size_t size)
      : session_(&session), number_(number), size_(size) {}

  cuda::Session* session_;
  std::uint32_t number_;
  std::size_t size_;
};

/// A machine and its global memory. Buffers and symbols refer to the device's session.
class Device {
 public:
  /// "hmm", or a chip whose rules price accesses, such as "sm_90".
  explicit Device(const std::string& machine = "hmm") : Device(options_of(machine)) {}
  explicit Device(const cuda::SessionOptions& options)
      : session_(std::make_unique<cuda::Session>(options)) {}

  /// A buffer of `size` undefined elements; reading them before they are written is a fault.
  template <class T>
  Buffer<T> buffer(std::size_t size, const std::string& name = "") {
    const std::uint32_t number = session_->add_buffer(named(name), size * sizeof(T));
    return {*session_, number, size};
  }
  /// A buffer with a copy of the values.
  template <class T>
  Buffer<T> buffer(const std::vector<T>& values, const std::string& name = "") {
    const std::uint32_t number =
        session_->add_buffer(named(name), std::as_bytes(std::span(values)));
    return {*session_, number, values.size()};
  }

  /// The report of all launches so far.
  KernelReport report() const { return session_->report(); }

  cuda::Session& session() { return *session_; }

 private:
  static cuda::SessionOptions options_of(const std::string& machine) {
    cuda::SessionOptions options;
    options.machine = machine;
    return options;
  }
  std::string named(const std::string& name) {
    const std::size_t number = buffers_++;
    return name.empty() ? "buffer " + std::to_string(number) : name;
  }

  std::unique_ptr<cuda::Session> session_;
  std::size_t buffers_ = 0;
};

/// A __device__ or __constant__ variable of a kernel's file, in the memory of a device. The device
/// has to outlive the Symbol.
template <class T>
class Symbol {
  static_assert(std::is_trivially_copyable_v<T>, "a device's memory holds plain bytes");

 public:
  /// The number of elements; 1 unless the variable is an array.
  std::size_t size() const { return size_; }

  /// The current contents, as cudaMemcpyFromSymbol copies them.
  std::vector<T> values() const {
    std::vector<T> copy(size_);
    const std::vector<std::byte> bytes = session_->symbol(file_, name_);
    std::memcpy(copy.data(), bytes.data(), bytes.size());
    return copy;
  }

  /// Writes the whole variable, as cudaMemcpyToSymbol does. Throws cuda::ArgumentError if the size
  /// differs.
  void set(const std::vector<T>& values) {
    session_->set_symbol(file_, name_, std::as_bytes(std::span(values)));
  }

 private:
  friend class Kernel;
  Symbol(cuda::Session& session, cuda::SharedKernelFile file, std::string name)
      : session_(&session), file_(std::move(file)), name_(std::move(name)) {
    const std::uint64_t bytes = session.symbol_bytes(file_, name_);
    if (bytes % sizeof(T) != 0) {
      throw cuda::ArgumentError("variable " + name_ + " has " + std::to_string(bytes) +
                                " bytes, no multiple of " + std::to_string(sizeof(T)));
    }
    size_ = bytes / sizeof(T);
  }

  cuda::Session* session_;
  cuda::SharedKernelFile file_;
  std::string name_;
  std::size_t size_ = 0;
};

/// A kernel of a file, which is FILE.ptx or CUDA source.
class Kernel {
 public:
  /// `name` may be the C++ name, with template arguments if the template has several instances. If
  /// `name` is empty, the file must have exactly one kernel.
  explicit Kernel(const std::string& file, std::string name = "",
                  const cuda::CompileOptions& options = {})
      : Kernel(std::make_shared<const cuda::KernelFile>(
                   cuda::load_kernels(file, with_headers(options))),
               std::move(name)) {}

  /// Another kernel of the same file. Both kernels use the same variables in device memory.
  Kernel other(std::string name) const { return {file_, std::move(name)}; }

  /// A variable of the same file, by its C++ name. Throws ptx::KernelNameError, which lists the
  /// file's variables.
  template <class T>
  Symbol<T> symbol(Device& device, const std::string& name) const {
    return {device.session(), file_, name};
  }

  /// Runs the kernel to its end. The arguments are buffers and plain values; each has the size of
  /// its parameter.
  template <class... Arguments>
  KernelReport launch(Device& device, const LaunchShape& shape,
                      const Arguments&... arguments) const {
    const std::vector<cuda::ArgumentBytes> bytes = {bytes_of(arguments)...};
    return device.session().launch(file_, name_, shape, bytes);
  }

 private:
  Kernel(cuda::SharedKernelFile file, std::string name)
      : file_(std::move(file)), name_(std::move(name)) {}

  // A user's program is not installed beside bankproof's headers for clang, so the headers' folder
  // is compiled into the program.
  static cuda::CompileOptions with_headers(cuda::CompileOptions options) {
#ifdef BANKPROOF_PACKAGE_HEADERS
    if (options.headers.empty() && std::getenv("BANKPROOF_CUDA_HEADERS") == nullptr) {
      options.headers = BANKPROOF_PACKAGE_HEADERS;
    }
#endif
    return options;
  }

  template <class T>
  static cuda::ArgumentBytes bytes_of(const Buffer<T>& buffer) {
    return bytes_of(buffer.address());
  }
  template <class T>
  static cuda::ArgumentBytes bytes_of(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>, "a kernel's argument is plain bytes");
    static_assert(!std::is_pointer_v<T>, "pass a Buffer: the device has a memory of its own");
    const auto bytes = std::as_bytes(std::span(&value, 1));
    return {{bytes.begin(), bytes.end()}, "a value of " + std::to_string(sizeof(T)) + " bytes"};
  }

  cuda::SharedKernelFile file_;
  std::string name_;
};

}  // namespace bankproof
