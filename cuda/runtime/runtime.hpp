// CUDA's runtime on the reference machine: whole CUDA programs run without a GPU.
//
// clang compiles the program's .cu files for the host, with their PTX embedded, and the program
// links this library in place of libcudart. cudaMalloc returns memory of the machine, kernel<<<…>>>
// runs on the machine, and the costs and faults of the kernels are reported.
// cmake/machine_sources.cmake builds these programs. The runtime performs every operation when the
// host enqueues it, unless there is a schedule, and knows which operations the program orders
// (ordering.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../headers/cuda_runtime_api.h"
#include "../session/session.hpp"
#include "allocations.hpp"
#include "devices.hpp"
#include "graph.hpp"
#include "host_views.hpp"
#include "modules.hpp"
#include "ordering.hpp"
#include "report/findings.hpp"
#include "report/run_folder.hpp"
#include "report/saved_launches.hpp"
#include "report/selection.hpp"
#include "runtime_mutex.hpp"

struct BankproofOperand;

namespace bankproof::cuda {

class Runtime {
 public:
  /// The program's only instance. $BANKPROOF_MACHINE names the machine; the default is `hmm`.
  static Runtime& get();

  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  // ---- Calls by which the object files of .cu files register their kernels and variables.
  EmbeddedModule* add_module(const FatBinaryWrapper& wrapper);
  /// A module that the program loads while it runs.
  EmbeddedModule* add_module(SharedKernelFile file);
  void add_kernel(const void* stub, EmbeddedModule* module, const std::string& name);
  void add_variable(const void* shadow, EmbeddedModule* module, const std::string& name);
  /// `pointer` is where the program expects the variable's address.
  void add_managed_variable(void** pointer, EmbeddedModule* module, const std::string& name,
                            std::size_t bytes);
  void place_managed_variables(EmbeddedModule* module);

  // ---- Memory. Each call returns cudaSuccess; otherwise it prints an error on standard error and
  // returns it.
  /// `pool` is null for memory of no pool.
  cudaError_t allocate(void** pointer, std::size_t bytes, cudaMemPool_t pool = nullptr);
  /// The size of the heap of kernels. Fails once a kernel has used the heap.
  cudaError_t set_heap_bytes(std::size_t bytes);
  /// How many launches by kernels may be pending at a time.
  void set_pending_launches(std::size_t most);
  /// Keeps the numbers that are left for memory that host and device share, once half are used.
  void keep_numbers();
  /// Memory that the host sees at the same address.
  cudaError_t allocate_for_both(const char* call, void** pointer, std::size_t bytes,
                                MemoryKind kind);
  cudaError_t release(void* pointer);
  /// Fails if the memory is not of the kind that `call` frees.
  cudaError_t require_freed_by(const char* call, void* pointer, bool frees_host);
  cudaError_t copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
  cudaError_t fill(void* to, int value, std::size_t bytes);
  /// Repeats the pattern until all `bytes`, a multiple of its size, are written.
  cudaError_t fill(void* to, std::span<const std::byte> pattern, std::size_t bytes);
  /// Memory of a graph has one address for all launches. It exists from a node that allocates it to
  /// one that frees it, or to cudaFree. These calls are the actions of the two.
  cudaError_t allocate_for_graph(void** pointer, std::size_t bytes, bool is_variable = false);
  cudaError_t begin_graph_memory(void* pointer, bool may_exist);
  cudaError_t end_graph_memory(const char* call, void* pointer);
  bool is_of_graph(const void* pointer) const;
  /// Fails unless these are bytes of an allocation; `what` follows the call's name in the message.
  cudaError_t require_range(const char* call, const char* what, const void* pointer,
                            std::size_t bytes);
  /// The textures and surfaces of kernels; the call that destroys one does not wait.
  ptx::ImageObjects& images() { return session_->images(); }
  void touch_before_destruction(const char* call, std::uint64_t object);
  /// How much of it exists, and how much there has been at most.
  std::pair<std::uint64_t, std::uint64_t> graph_memory() const { return graph_memory_; }
  void set_most_graph_memory() { graph_memory_.second = graph_memory_.first; }
  /// The allocation of this pointer was freed; says where, for messages.
  std::optional<std::string> freed_at(const void* pointer) const;
  /// A fault of the program's call.
  void found(ptx::FaultKind kind, const std::string& message, const HostCall& call);
  /// The buffer and offset of the pointer, if it points to `bytes` bytes of allocated device
  /// memory.
  std::optional<DevicePlace> find(const void* pointer, std::size_t bytes = 1) const;
  bool is_of_device(const void* pointer) const { return find(pointer).has_value(); }

  // ---- Ranges of addresses, and memory that is mapped there (virtual_memory.cpp).
  /// Gives addresses to a range, which has no memory yet.
  cudaError_t reserve(void** range);
  /// The range, which has no mappings, is not reserved any more.
  void release_range(const void* range);
  const Mappings& mappings(const void* range) const;
  /// From now on the range has these mappings.
  void set_mappings(const void* range, const Mappings& mappings);

  /// Whether only the device sees the memory.
  bool is_of_device_alone(const void* pointer) const;
  std::optional<MemoryKind> kind_of(const void* pointer) const;
  std::size_t bytes_in_use() const { return bytes_in_use_; }

  // ---- Variables of .cu files. A variable's shadow, which the host compiler makes, identifies it.
  cudaError_t write_variable(const void* shadow, std::size_t offset,
                             std::span<const std::byte> bytes);
  cudaError_t read_variable(const void* shadow, std::size_t offset, std::span<std::byte> bytes);
  /// The actions of copies to and from variables.
  cudaError_t copy_to_variable(const void* shadow, const void* from, std::size_t size,
                               std::size_t offset, cudaMemcpyKind kind);
  cudaError_t copy_from_variable(void* to, const void* shadow, std::size_t size, std::size_t offset,
                                 cudaMemcpyKind kind);
  /// cudaGetSymbolAddress and cudaGetSymbolSize.
  cudaError_t find_variable(const char* call, const void* shadow, void** pointer,
                            std::size_t* bytes);
  cudaError_t find_variable(const char* call, const EmbeddedName& variable, void** pointer,
                            std::size_t* bytes);

  // ---- Launches.
  cudaError_t launch(const void* stub, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                     cudaStream_t stream);
  cudaError_t launch(const EmbeddedName& kernel, dim3 grid, dim3 block, void** arguments,
                     std::size_t shared, cudaStream_t stream);
  /// The most bytes of dynamic shared memory that the kernel may have.
  std::size_t most_dynamic_shared(const EmbeddedName& kernel) const;
  void set_most_dynamic_shared(const EmbeddedName& kernel, std::size_t bytes);
  /// What a launch does; copies the arguments.
  cudaError_t work_of(const EmbeddedName& kernel, dim3 grid, dim3 block, void** arguments,
                      std::size_t shared, Work& work);
  /// The kernel of a host stub, or of a handle that the runtime has given; null without one.
  const EmbeddedName* kernel_of(const void* stub) const;
  /// The handle of a kernel in a module that the program has loaded, until it is removed; the same
  /// one each time.
  const EmbeddedName* handle_of(EmbeddedModule* module, const std::string& name);
  void remove_handle(const EmbeddedName* kernel);
  /// The same for all kernels of the module.
  void remove_handles(const EmbeddedModule* module);
  const ptx::Function* kernel(const void* stub);

  // ---- Streams (streams.cpp). Operations on a captured stream become nodes of a graph.
  struct Capture {
    Stream origin{};
    cudaGraph_t graph = nullptr;
    unsigned long long id = 0;
    cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
    std::thread::id thread = std::this_thread::get_id();
    bool owns_graph = false;  // until it ends
    bool is_ended = false;
    bool is_invalid = false;                     // a call broke a rule
    std::map<Stream, std::vector<Edge>> last{};  // what a stream's next node follows
    std::set<int> devices{};                     // of its streams,
    std::set<int> blocking{};                    // and of those that are blocking
    std::vector<cudaGraphNode_t> shown{};        // for cudaStreamGetCaptureInfo
    std::vector<cudaGraphEdgeData> shown_data{};

    void add(cudaStream_t stream);
    /// Whether the last nodes of all streams happen before those of the first stream, or are these.
    bool is_joined() const;
  };
  /// The stream of a handle. The default stream is that of the thread in functions for programs
  /// whose default streams are per thread.
  Stream stream_number(cudaStream_t stream);
  /// Enqueues an operation. Returns its error if it is performed at once.
  cudaError_t perform(Work work, cudaStream_t stream);
  /// The same; `what` is the name of the call.
  cudaError_t perform(const std::string& what, cudaStream_t stream, Action action,
                      cudaGraphNodeType type = cudaGraphNodeTypeMemcpy);
  /// Enqueues the nodes of an executable graph, after those of its last launch.
  cudaError_t launch(CUgraphExec_st& executable, cudaStream_t stream);
  /// The host waits for the stream.
  cudaError_t synchronize(cudaStream_t stream);
  /// The host waits for the event.
  cudaError_t synchronize(Event event);
  /// The host waits for the whole device, the current one if none is given.
  cudaError_t synchronize_device();
  cudaError_t synchronize_device(int device);
  /// cudaEventRecord and cudaStreamWaitEvent.
  void record(Event event, cudaStream_t stream);
  void wait(cudaStream_t stream, Event event);
  Ordering& ordering() { return ordering_; }
  /// Calls a function of the program, which must not call CUDA.
  void call_host(const std::function<void()>& function);
  /// Fails in such a function.
  static cudaError_t require_no_host_function(const char* call);
  /// Captures the stream; its first node follows these nodes of the graph.
  cudaError_t begin_capture(cudaStream_t stream, cudaGraph_t graph, const std::vector<Edge>& after,
                            cudaStreamCaptureMode mode);
  /// The stream's capture; null if the stream is not being captured.
  std::shared_ptr<Capture> capture_of(cudaStream_t stream);
  /// The stream waits for these nodes of the capture, and is captured, too, until the capture ends.
  cudaError_t join_capture(cudaStream_t stream, const std::shared_ptr<Capture>& capture,
                           const std::vector<Edge>& nodes);
  /// Ends the capture; `graph` is its graph.
  cudaError_t end_capture(cudaStream_t stream, cudaGraph_t* graph);
  /// The stream will be destroyed.
  void leave_capture(cudaStream_t stream);
  // The rules (graphs/capture_rules.cpp). Each call fails if a capture in progress forbids `call`:
  // a call that may make the host wait, such as cudaMalloc,
  cudaError_t require_no_capture(const char* call);
  /// a call that makes the host wait for the whole device,
  cudaError_t require_no_capture_of(const char* call, int device);
  /// or a use of the legacy default stream.
  cudaError_t require_usable(const char* call, cudaStream_t stream);

  /// The operation that is being performed touches memory: of a device, or of the host.
  void touch_device(const DevicePlace& place, std::size_t bytes, AccessKind kind);
  void touch_host(const void* pointer, std::size_t bytes, AccessKind kind);
  /// The same for a copy from or to (`what`) the host's memory. Memory that the program cannot
  /// access is a finding, and an error of the call.
  cudaError_t touch_host_of_copy(const char* call, const char* what, const void* pointer,
                                 std::size_t bytes, AccessKind kind);
  // ---- Calls of CUDA's libraries (library_calls.hpp).
  /// Enqueues a call as one operation, which is counted by its name.
  cudaError_t perform_library(const char* call, cudaStream_t stream, Action action);
  /// The operation that is being performed reads or writes an operand.
  cudaError_t read_operand(const BankproofOperand& operand, void* into);
  cudaError_t write_operand(const BankproofOperand& operand, const void* from);
  /// The call of a library that is being performed is at fault. Its status is the program's to look
  /// at.
  void found_in_library(ptx::FaultKind kind, const std::string& why);
  /// The call itself reads memory of the host, or writes it if `from` is not null.
  /// Whether no memory of the machine is there, or was.
  bool is_of_host(const void* pointer) const;
  /// An operand in memory of the host goes `into`, or gets what is at `from`.
  cudaError_t copy_of_host(const BankproofOperand& operand, void* into, const void* from);
  cudaError_t copy_scalar(const BankproofOperand& operand, void* into, const void* from);

  /// The host waits after a synchronous copy, unless both sides are on the device.
  cudaError_t wait_after_copy(const void* to, const void* from);
  /// The host waits after an asynchronous copy to memory of the host that is not page-locked.
  cudaError_t wait_after_copy_to(const void* to, cudaStream_t stream);
  /// What a copy from memory of the host that is not page-locked reads, which CUDA reads before the
  /// call returns. Null if the copy reads it then, or reads other memory.
  std::shared_ptr<const std::vector<std::byte>> staged(const void* from, std::size_t bytes,
                                                       cudaMemcpyKind kind, cudaStream_t stream);
  std::size_t bytes_of(const DevicePlace& place) const { return live_.at(place.buffer).bytes; }
  /// The number of the device that was current when the memory was allocated.
  int device_of(const DevicePlace& place) const { return live_.at(place.buffer).device; }
  bool is_pinned(const void* pointer) const;
  /// cudaHostRegister and cudaHostUnregister.
  cudaError_t pin(const void* pointer, std::size_t bytes);
  cudaError_t unpin(const void* pointer);

  // ---- Errors for cudaGetLastError(): each host thread has its own last error.
  static cudaError_t fail(cudaError_t error, const std::string& why);
  /// Says that a call failed, where the failure may be the answer that the program wants.
  static void say(const std::string& why);
  /// Like fail(), for what is also a finding.
  cudaError_t fail_with(ptx::FaultKind kind, cudaError_t error, const std::string& why);
  static cudaError_t take_error();
  static cudaError_t error();
  /// Like error(), but not asked by the program.
  static cudaError_t last();
  static void set_last(cudaError_t error);

  // ---- The PTX of the .cu files, for planting.hpp.
  std::size_t modules() const { return modules_.size(); }
  /// The file of the module; null if none of its kernels was launched.
  SharedKernelFile file(std::size_t module) const { return modules_[module]->file_if_read(); }
  void set_file(std::size_t module, SharedKernelFile file) {
    modules_[module]->set_file(std::move(file));
  }

  // ---- Reports about the kernels.
  std::vector<ptx::KernelReport> take_launches();
  std::vector<ptx::FaultReport> take_findings();
  void set_schedule(std::uint64_t resident_blocks, std::uint64_t schedule);
  Time time() const { return time_; }
  RuntimeMutex& mutex() const { return mutex_; }

 private:
  Runtime();
  /// The program's call that is wrong: the present one, or that of an operation that is performed
  /// later.
  HostCall call_in_progress() const;
  void tell(const std::vector<StreamRace>& races);
  /// If one of the captures in progress is concerned, these are invalid now, and the call fails.
  cudaError_t break_captures(cudaError_t error, const std::string& why,
                             const std::function<bool(const Capture&)>& is_concerned);
  void end(const std::shared_ptr<Capture>& capture);
  /// What the launch that has just run touched; `device` ran it.
  cudaError_t touch_as_launched(const std::string& kernel, int device);
  cudaError_t require_access(const std::string& kernel, std::uint32_t buffer, int device,
                             const std::vector<ptx::Touched>& touched);
  /// Where the operand is; nothing, and a finding, if its bytes are not in one allocation.
  std::optional<DevicePlace> reach(const BankproofOperand& operand, bool writes);
  /// A finding for the first byte of the operand that nobody has written.
  void find_undefined(const BankproofOperand& operand, const DevicePlace& place);
  void touch_operand(const BankproofOperand& operand, const DevicePlace& place, AccessKind kind);
  void touch_variable(const EmbeddedName& variable, std::size_t offset, std::size_t bytes,
                      AccessKind kind);
  /// The program may not access managed memory that an operation uses before it waits.
  void close_view(std::uint32_t buffer);
  void open_views();
  cudaError_t refuse_range(const char* call, const char* what, const void* pointer,
                           std::size_t bytes);
  ptx::KernelReport report() const;
  void find_at_end();
  cudaError_t run(const EmbeddedName& kernel, const std::string& name,
                  const ptx::LaunchShape& shape, const std::vector<ArgumentBytes>& bytes,
                  int device);
  /// A kernel that has failed an assertion or trapped ends the work of its device
  /// (aborted_kernels.cpp).
  void note_abort(const std::string& kernel, const ptx::KernelReport& report, int device);
  /// Fails once that has happened.
  cudaError_t require_running(const char* call, int device);
  /// The error of a call that has waited for a device.
  cudaError_t error_after_wait(const char* call, int device);
  class GraphWalk;
  ~Runtime();

  /// The buffer that gives a constant its address for the host.
  std::uint32_t copy_of_constant(const EmbeddedName& variable);
  /// If the buffer is the copy of a constant, the constant gets the buffer's bytes.
  void update_constant(std::uint32_t buffer);
  cudaError_t with_variable(
      const char* call, const void* shadow, std::size_t offset, std::size_t bytes,
      const std::function<void(const EmbeddedName&, std::vector<std::byte>&)>& use);

  mutable RuntimeMutex mutex_;
  std::unique_ptr<Session> session_;
  std::vector<std::unique_ptr<EmbeddedModule>> modules_;
  std::map<const void*, EmbeddedName> kernels_;  // by their stubs
  // Modules are never removed, so that no handle is given twice.
  std::map<std::pair<const EmbeddedModule*, std::string>, EmbeddedName> loaded_kernels_;
  std::set<const void*> kernel_handles_;  // that are live
  std::map<std::pair<const EmbeddedModule*, std::string>, std::size_t> most_dynamic_shared_;
  std::map<const void*, EmbeddedName> variables_;
  std::map<std::pair<const EmbeddedModule*, std::string>, std::uint32_t> constants_;  // the copies
  std::map<std::uint32_t, EmbeddedName> constant_of_;                                 // by buffer
  struct ManagedVariable {
    void** pointer = nullptr;
    EmbeddedName name;
    std::size_t bytes = 0;
  };
  std::vector<ManagedVariable> managed_;  // that have no place yet
  /// Fails if a kernel has touched bytes of a range that have no memory, or memory that its device
  /// may not access so.
  cudaError_t require_mapped(const std::string& kernel, const Allocation& range, int device,
                             const std::vector<ptx::Touched>& touched);
  std::map<std::uint32_t, Allocation> live_;  // by buffer
  std::map<std::uint32_t, Allocation> freed_;
  HostFindings findings_;
  /// The last failure of each host thread, until the program asks for it.
  struct Failure {
    std::string why;
    HostCall call{};
  };
  std::map<std::thread::id, Failure> unlooked_;
  std::size_t bytes_in_use_ = 0;
  std::pair<std::uint64_t, std::uint64_t> graph_memory_;
  std::size_t allocations_ = 0;  // so far
  std::map<Stream, std::shared_ptr<Capture>> captured_;
  Ordering ordering_;
  HostViews views_;
  std::map<std::uint32_t, Name> used_;    // the last operations on managed memory, by buffer
  cudaError_t late_error_ = cudaSuccess;  // of operations that were performed later
  struct Abort {
    cudaError_t error = cudaSuccess;
    std::string why;
  };
  std::map<int, Abort> aborted_;                  // by device
  std::map<std::uintptr_t, std::size_t> pinned_;  // page-locked memory of the host
  Time time_ = 0;
  bool keeps_launches_ = false;
  std::vector<ptx::KernelReport> launches_;
  std::unique_ptr<SavedLaunches> saved_ = SavedLaunches::of_environment();  // null: not saved
  Selection selection_ = Selection::of_environment();
  std::uint64_t launched_ = 0;  // launches so far
  std::uint64_t untold_faults_ = 0;
  std::map<std::string, std::uint64_t> library_calls_;  // that were performed, by name
  std::filesystem::path folder_;  // the current one when the program began; empty if there was none
  std::unique_ptr<RunFolder> run_;  // null without `bankproof exec`
  // Numbers of buffers for memory that host and device share, the first one last; empty until the
  // device's own memory has used up half of the numbers below.
  std::vector<std::uint32_t> kept_numbers_;
  bool has_kept_numbers_ = false;
};

}  // namespace bankproof::cuda
