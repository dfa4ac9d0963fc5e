// Launches kernels one after another on one machine. Buffers live from launch to launch, and one
// report counts all launches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../../model/machine.hpp"
#include "../../ptx/compiled/options.hpp"
#include "../../ptx/memory/touched.hpp"
#include "../../ptx/report/build.hpp"
#include "../compile/compile.hpp"
#include "parameters.hpp"

namespace bankproof::ptx {
struct RunOptions;
}

namespace bankproof::cuda {

struct LaunchState;
struct KeptLaunch;

/// A file of kernels; CUDA source is compiled to PTX.
struct KernelFile {
  ptx::Module module;
  std::string source;  // the .cu file, as the user names it; empty for PTX
};

/// Reads FILE.ptx, or compiles any other file. Throws ptx::Error and CompileError.
KernelFile load_kernels(const std::string& path, const CompileOptions& options = {});

/// Likewise, with the PTX.
struct KernelText {
  KernelFile file;
  std::string ptx;
};
KernelText load_kernel_text(const std::string& path, const CompileOptions& options = {});

/// The file of a kernel. A session keeps each file of which it has launched a kernel.
using SharedKernelFile = std::shared_ptr<const KernelFile>;

struct SessionOptions {
  std::string machine = "hmm";  // or the name of a chip, whose rules price accesses
  std::string shown_machine{};  // the name in reports; if empty, `machine`
  // The machine that times launches: its latencies, its DMMs and their resident threads. If a
  // chip's rules price the accesses, this machine still gives the times.
  HierarchicalMachine timed = {.dmms = 16, .global_latency = 400, .resident_threads = 1024};
  unsigned threads = 0;               // host threads that run blocks; 0: one for each core
  Observer* observer = nullptr;       // watches the accesses of each launch on the timed machine
  std::uint64_t resident_blocks = 0;  // resident at a time; 0: the machine's usual number
  // The most instructions that all threads of a launch may execute together; a launch that executes
  // more ends with a fault. 0: no limit.
  std::uint64_t max_instructions = 0;
  // ptx::RunOptions::schedule
  std::uint64_t schedule = 0;
  // Whether to execute and judge launches that repeat earlier ones, too (repeats.hpp).
  bool every_launch = false;
  // When kernels are compiled for this computer's processor; $BANKPROOF_COMPILED by default.
  ptx::CompileOptions compile = ptx::compile_options_of_environment();
  bool verbose =
      false;  // tells on standard error how kernels run: compiled or interpreted, and why
};

/// Like ptx::check_shape(), but throws ArgumentError.
void require_shape(const ptx::LaunchShape& shape);

/// What a launch gave besides its counts.
struct LaunchOutcome {
  std::string printed;
  Time time = 0;
  bool is_clean = true;      // it has no faults
  bool is_repeated = false;  // it was not executed: it would have repeated an earlier launch
  bool is_known = false;     // it made the accesses of an earlier launch, and was not judged again
};

class Session {
 public:
  explicit Session(const SessionOptions& options = {});
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Adds a buffer of global memory and returns its number. A buffer without contents is undefined,
  /// and reading it is a fault. Throws ArgumentError.
  std::uint32_t add_buffer(const std::string& name, std::uint64_t bytes);
  std::uint32_t add_buffer(const std::string& name, std::span<const std::byte> contents);
  /// Likewise without contents as buffer `kept`, whose number keep_number() has returned.
  void add_buffer(std::uint32_t kept, const std::string& name, std::uint64_t bytes);
  /// The number that the next buffer gets.
  std::uint32_t next_buffer() const;
  /// Adds a buffer of bytes that mmap() has returned, and takes them over; they count as written.
  std::uint32_t add_mapped_buffer(const std::string& name, std::span<std::byte> mapped);
  /// Likewise as buffer `kept`, whose number keep_number() has returned.
  void add_mapped_buffer(std::uint32_t kept, const std::string& name, std::span<std::byte> mapped);
  /// Keeps the number of a buffer that is to come; the next buffer gets another.
  std::uint32_t keep_number();

  /// The bytes of a buffer, for the host to use between launches.
  std::span<std::byte> data(std::uint32_t buffer);
  std::span<const std::byte> data(std::uint32_t buffer) const;
  /// Marks the whole buffer as written by the host.
  void define(std::uint32_t buffer);
  /// Writes bytes into the buffer, as cudaMemcpy does. The bytes have to fit.
  void write(std::uint32_t buffer, std::uint64_t offset, std::span<const std::byte> bytes);
  /// Writes `bytes` bytes that repeat the pattern, as cudaMemset does. They have to fit.
  void fill(std::uint32_t buffer, std::uint64_t offset, std::uint64_t bytes,
            std::span<const std::byte> pattern);
  /// Copies bytes from one buffer to another, or within one buffer. Undefined bytes stay undefined.
  void copy(std::uint32_t to, std::uint64_t to_offset, std::uint32_t from,
            std::uint64_t from_offset, std::uint64_t bytes);
  /// Frees the buffer. Its number is not used again, and accesses to it are out of bounds.
  void release(std::uint32_t buffer);

  /// The bytes that the heap of kernels has. Returns false once a kernel has used the heap.
  bool set_heap_bytes(std::uint64_t bytes);
  /// Adds an allocation to the heap, as malloc() of a kernel does, and returns its number. Throws
  /// ArgumentError if the heap has too little left.
  std::uint32_t allocate_in_heap(std::uint64_t bytes);
  /// Frees it, as free() of a kernel does.
  void free_in_heap(std::uint32_t buffer);

  /// The pointer to a byte of the buffer, as kernels get it.
  static std::uint64_t address(std::uint32_t buffer, std::uint64_t offset = 0);
  /// The inverse of address(): buffer and offset, or nullopt if no buffer can be at the address.
  static std::optional<std::pair<std::uint32_t, std::uint64_t>> place(std::uint64_t address);

  /// Three calls for a __device__ or __constant__ variable of the file, to use between launches:
  /// the first returns its size in bytes, the second its contents, and the third writes the whole
  /// variable. `name` is as for ptx::find_variable(). A variable keeps its value across launches of
  /// kernels of the same file. Throw ptx::KernelNameError, and ArgumentError if the number of bytes
  /// differs.
  std::uint64_t symbol_bytes(const SharedKernelFile& file, const std::string& name) const;
  std::vector<std::byte> symbol(const SharedKernelFile& file, const std::string& name);
  void set_symbol(const SharedKernelFile& file, const std::string& name,
                  std::span<const std::byte> bytes);

  /// Runs a kernel and returns the report of this launch alone. `kernel` is a name as for
  /// ptx::find_kernel(). Throws ArgumentError, ptx::KernelNameError, and ptx::Error for a kernel
  /// that the machine does not support. Unless `is_reported`, report() leaves the launch out.
  ptx::KernelReport launch(const SharedKernelFile& file, const std::string& kernel,
                           const ptx::LaunchShape& shape, std::span<const ArgumentBytes> arguments,
                           bool is_reported = true);

  /// The same without the report, which costs more than a short launch.
  const LaunchOutcome& run(const SharedKernelFile& file, const std::string& kernel,
                           const ptx::LaunchShape& shape, std::span<const ArgumentBytes> arguments,
                           bool is_reported = true);
  /// The report that launch() would have returned instead of the latest run().
  ptx::KernelReport report_of_last_launch() const;
  /// The same with nothing but the faults, for programs of many launches that have some.
  ptx::KernelReport faults_of_last_launch() const;

  /// From now on the variable, of global memory, is this buffer, which has to have its size.
  void place_symbol(const SharedKernelFile& file, const std::string& name, std::uint32_t buffer);
  /// The buffer of a variable of global memory. Throws ArgumentError for another variable.
  std::uint32_t buffer_of_symbol(const SharedKernelFile& file, const std::string& name);

  /// Copies everything that a launch of the kernel would begin with. Throws like launch().
  LaunchState state_before_launch(const SharedKernelFile& file, const std::string& kernel);

  /// The first of these bytes of the buffer that was not written.
  std::optional<std::uint64_t> first_undefined(std::uint32_t buffer, std::uint64_t offset,
                                               std::uint64_t bytes) const;
  /// These bytes of the buffer count as not written from now on.
  void undefine(std::uint32_t buffer, std::uint64_t offset, std::uint64_t bytes);

  /// What the latest launch did to each buffer that it touched, by the buffer's number. Unless
  /// keep_touched(true) was called before the launch, the answer may include later launches.
  const std::map<std::uint32_t, std::vector<ptx::Touched>>& touched_by_last_launch();
  /// Whether touched_by_last_launch() will be called after each launch.
  void keep_touched(bool keeps);

  /// The texture and surface objects that kernels may use. An object must not be added or removed
  /// during a launch.
  ptx::ImageObjects& images();
  /// The handles of those that the latest launch used.
  const std::vector<std::uint64_t>& objects_of_last_launch() const;

  /// Sets the options resident_blocks and schedule for all later launches.
  void set_schedule(std::uint64_t resident_blocks, std::uint64_t schedule);

  /// How many launches by kernels may be pending at a time, for all later launches.
  void set_pending_launches(std::uint64_t most);
  /// The device that kernels of later launches find themselves on.
  void set_device(std::uint32_t device);

  /// The report of all launches so far.
  ptx::KernelReport report() const;

 private:
  struct Ready;
  struct State;
  std::shared_ptr<const KeptLaunch> execute(const Ready& kernel, const ptx::LaunchShape& shape,
                                            std::span<const std::byte> parameters,
                                            const ptx::RunOptions& run, bool may_repeat);
  /// Without records, if the launch is known (repeats.hpp); else null, and memory is as before.
  std::shared_ptr<const KeptLaunch> execute_known(const Ready& kernel,
                                                  const ptx::LaunchShape& shape,
                                                  std::span<const std::byte> parameters,
                                                  ptx::RunOptions run);
  std::unique_ptr<State> state_;
};

}  // namespace bankproof::cuda
