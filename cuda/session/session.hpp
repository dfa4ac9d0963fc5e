// Launches of kernels one after another on one machine: buffers live from launch to launch, and
// all launches count into one report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../../model/machine.hpp"
#include "../../ptx/report/build.hpp"
#include "../compile/compile.hpp"
#include "parameters.hpp"

namespace bankproof::cuda {

/// A file of kernels, compiled if need be.
struct KernelFile {
  ptx::Module module;
  std::string source;  // the .cu file, as the user names it; empty for PTX
};

/// Reads FILE.ptx, or compiles any other file. Throws ptx::Error and
/// CompileError.
KernelFile load_kernels(const std::string& path, const CompileOptions& options = {});

/// Kernels belong to a file; sessions keep the files whose kernels they have launched.
using SharedKernelFile = std::shared_ptr<const KernelFile>;

struct SessionOptions {
  std::string machine = "hmm";  // or a chip's name: the rules of its memories
  std::string shown_machine{};  // in reports; else the same
  // Latencies, DMMs and their resident threads, for times; a chip's rules are priced on it too.
  HierarchicalMachine timed = {.dmms = 16, .global_latency = 400, .resident_threads = 1024};
  unsigned threads = 0;               // of this program that run blocks; 0: one for each core
  Observer* observer = nullptr;       // watches the accesses of each launch on the timed machine
  std::uint64_t resident_blocks = 0;  // at a time; 0: the machine's usual number
  // Of all threads of a launch together; a launch that executes more ends with a fault. 0: no
  // limit.
  std::uint64_t max_instructions = 0;
  // ptx::RunOptions::schedule
  std::uint64_t schedule = 0;
};

/// As ptx::check_shape(). Throws ArgumentError.
void require_shape(const ptx::LaunchShape& shape);

class Session {
 public:
  explicit Session(const SessionOptions& options = {});
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Global memory of so many bytes. Without contents it is undefined, and reading it is a fault.
  /// Returns its number. Throws ArgumentError.
  std::uint32_t add_buffer(const std::string& name, std::uint64_t bytes);
  std::uint32_t add_buffer(const std::string& name, std::span<const std::byte> contents);

  /// The bytes of a buffer, for the host, between launches.
  std::span<std::byte> data(std::uint32_t buffer);
  std::span<const std::byte> data(std::uint32_t buffer) const;
  /// The host has written all of it.
  void define(std::uint32_t buffer);
  /// Writes some bytes of it, as cudaMemcpy does; they have to lie in it.
  void write(std::uint32_t buffer, std::uint64_t offset, std::span<const std::byte> bytes);
  /// Copies bytes from buffer to buffer, those that nobody has written as such.
  void copy(std::uint32_t to, std::uint64_t to_offset, std::uint32_t from,
            std::uint64_t from_offset, std::uint64_t bytes);
  /// Gives its memory back; its number is used no more, and accesses to it are out of bounds.
  void release(std::uint32_t buffer);

  /// What a kernel is given for a pointer to that byte of it.
  static std::uint64_t address(std::uint32_t buffer, std::uint64_t offset = 0);
  /// And back: the number and the offset, unless no buffer can be at the address.
  static std::optional<std::pair<std::uint32_t, std::uint64_t>> place(std::uint64_t address);

  /// Variables of the file in __device__ or __constant__ memory, named as ptx::find_variable()
  /// takes it: how many bytes one has, what it holds, and writing all of it, between launches. The
  /// same file launched again finds them as they are left. Throw ptx::KernelNameError, and
  /// ArgumentError for another number of bytes.
  std::uint64_t symbol_bytes(const SharedKernelFile& file, const std::string& name) const;
  std::vector<std::byte> symbol(const SharedKernelFile& file, const std::string& name);
  void set_symbol(const SharedKernelFile& file, const std::string& name,
                  std::span<const std::byte> bytes);

  /// Runs a kernel, named as ptx::find_kernel() takes it. Throws ArgumentError,
  /// ptx::KernelNameError, and ptx::Error for what the machine does not know. Returns the report of
  /// this launch alone.
  ptx::KernelReport launch(const SharedKernelFile& file, const std::string& kernel,
                           const ptx::LaunchShape& shape, std::span<const ArgumentBytes> arguments);

  /// Those options, for the launches from now on.
  void set_schedule(std::uint64_t resident_blocks, std::uint64_t schedule);

  /// Of all launches so far.
  ptx::KernelReport report() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bankproof::cuda
