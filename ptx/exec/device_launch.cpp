// Checks what a thread launches, and enqueues it; see device_launch.hpp.
#include "device_launch.hpp"

#include <array>
#include <cstring>
#include <span>
#include <stdexcept>
#include <utility>

#include "../memory/synchronization.hpp"
#include "../syntax/cpp_names.hpp"
#include "../syntax/error.hpp"
#include "block_run.hpp"
#include "launch_checks.hpp"

namespace bankproof::ptx {

namespace {

std::uint64_t first_buffer(const Program& program) {
  return window_of(Space::local) + program.local_bytes - program.parameter_buffers;
}

/// The lane's buffer at this address; null if it has none there.
DeviceThread::Buffer* taken_buffer(Warp& warp, std::uint32_t lane, std::uint64_t address) {
  const Program& program = warp.run->program();
  const std::uint64_t offset = address - first_buffer(program);
  const std::uint64_t bytes = parameter_buffer_bytes(program);
  if (offset >= program.parameter_buffers || offset % bytes != 0) return nullptr;
  DeviceThread::Buffer& buffer = thread_of(warp, lane).buffers.at(offset / bytes);
  return buffer.is_taken ? &buffer : nullptr;
}

/// The kernel that the machine runs for this address; null if no kernel has it.
const Family::Kernel* kernel_at(Warp& warp, std::uint32_t site, std::uint64_t address) {
  const Family& family = *warp.run->device()->family;
  const Family::Kernel* const kernel = family.at(address);
  if (kernel != nullptr && kernel->program == nullptr) {
    throw Error("a kernel launches " + demangled(kernel->name) + ": " + kernel->why_not,
                warp.run->program().file, family.sites[site].place);
  }
  return kernel;
}

const char* memory_name(Space space) {
  return space == Space::shared  ? "shared memory"
         : space == Space::local ? "local memory"
                                 : "parameters";
}

/// Reports a pointer to memory of the lane or of its block. Returns whether there is any.
bool tell_pointers(Warp& warp, std::uint32_t lane, std::uint32_t site, const Family::Kernel& kernel,
                   std::span<const std::byte> parameters) {
  bool any = false;
  for (std::size_t k = 0; k < kernel.pointers.size(); ++k) {
    if (!kernel.pointers[k]) continue;
    std::uint64_t pointer = 0;
    std::memcpy(&pointer, parameters.data() + kernel.program->parameters[k].offset, sizeof pointer);
    const Space space = space_of(pointer);
    if (space == Space::global || space == Space::constant) continue;
    if (bytes_from(warp, lane, pointer).empty()) continue;
    any = true;
    warp.worker->faults.add(FaultKind::out_of_bounds, site, no_site, warp.name(lane), [&] {
      return "passes the address of byte " + std::to_string(address_in(space, pointer)) +
             " of its " + memory_name(space) + " as argument " + std::to_string(k) + " of " +
             demangled(kernel.name) + ", and no child can access its parent's " +
             memory_name(space);
    });
  }
  return any;
}

}  // namespace

std::optional<DeviceStream> DeviceQueue::stream_of(std::uint64_t handle, const ThreadName& thread,
                                                   bool per_thread) const {
  using Kind = DeviceStream::Kind;
  constexpr std::uint64_t legacy = 1;
  constexpr std::uint64_t of_thread = 2;
  constexpr std::uint64_t tail_launch = 3;
  constexpr std::uint64_t fire_and_forget = 4;
  if (handle == of_thread || (handle == 0 && per_thread)) {
    return DeviceStream{Kind::of_thread, thread.block << 10U | thread.thread};
  }
  if (handle == 0 || handle == legacy) return DeviceStream{Kind::of_block, thread.block};
  if (handle == tail_launch) return DeviceStream{Kind::tail, 0};
  if (handle == fire_and_forget) return DeviceStream{Kind::fire_and_forget, 0};
  if (streams.count(handle) == 0) return std::nullopt;
  return DeviceStream{Kind::of_grid, handle};
}

DeviceThread& thread_of(Warp& warp, std::uint32_t lane) {
  auto& threads = warp.run->device()->threads;
  const auto [found, is_new] = threads.try_emplace(std::uint64_t{warp.number} * warp_lanes + lane);
  if (is_new) found->second.name = warp.name(lane);
  return found->second;
}

DeviceError fail_call(Warp& warp, std::uint32_t lane, std::uint32_t site, DeviceError error,
                      const std::string& why) {
  DeviceThread& thread = thread_of(warp, lane);
  thread.last = error;
  if (thread.failed_at == no_site) {
    thread.failed_at = site;
    thread.why = why;
  }
  return error;
}

std::uint64_t take_buffer(Warp& warp, std::uint32_t lane, const ChildLaunch& launch) {
  const Program& program = warp.run->program();
  const Family::Kernel* kernel = nullptr;
  if (launch.kernel != 0) {
    kernel = kernel_at(warp, launch.site, launch.kernel);
    if (kernel == nullptr) {
      fail_call(warp, lane, launch.site, DeviceError::invalid_device_function,
                "address " + std::to_string(launch.kernel) + " is that of no kernel");
      return 0;
    }
  }
  auto& buffers = thread_of(warp, lane).buffers;
  for (std::size_t k = 0; k < buffers.size(); ++k) {
    if (buffers.at(k).is_taken) continue;
    buffers.at(k) = {true, kernel, launch.shape};
    return first_buffer(program) + k * parameter_buffer_bytes(program);
  }
  fail_call(warp, lane, launch.site, DeviceError::memory_allocation,
            "the thread has " + std::to_string(buffers.size()) +
                " parameter buffers already, and has not launched with them");
  return 0;
}

const DeviceThread::Buffer* buffer_at(Warp& warp, std::uint32_t lane, std::uint64_t address) {
  return taken_buffer(warp, lane, address);
}

DeviceError launch_child(Warp& warp, std::uint32_t lane, const ChildLaunch& launch,
                         std::uint64_t buffer, std::uint64_t stream, bool per_thread) {
  DeviceQueue& queue = *warp.run->device();
  const auto fail = [&](DeviceError error, const std::string& why) {
    return fail_call(warp, lane, launch.site, error, why);
  };
  DeviceThread::Buffer* const taken = taken_buffer(warp, lane, buffer);
  if (taken != nullptr) taken->is_taken = false;
  const Family::Kernel* const kernel = kernel_at(warp, launch.site, launch.kernel);
  if (kernel == nullptr) {
    return fail(DeviceError::invalid_device_function,
                "address " + std::to_string(launch.kernel) + " is that of no kernel");
  }
  const std::string of_kernel = "the launch of " + demangled(kernel->name);
  const std::size_t bytes = kernel->program->parameter_bytes;
  if (taken == nullptr && (bytes != 0 || buffer != 0)) {
    return fail(DeviceError::invalid_value, of_kernel + " has no parameter buffer");
  }
  const auto its = queue.stream_of(stream, warp.name(lane), per_thread);
  if (!its) {
    return fail(DeviceError::invalid_resource, of_kernel + " names stream " +
                                                   std::to_string(stream) +
                                                   ", and its grid has no such stream");
  }
  try {
    check_launch(*kernel->program, launch.shape, bytes);
  } catch (const std::invalid_argument& error) {
    return fail(DeviceError::invalid_configuration, of_kernel + ": " + error.what());
  }
  if (queue.depth >= DeviceQueue::most_depth) {
    return fail(DeviceError::launch_too_deep,
                of_kernel + " nests deeper than " + std::to_string(DeviceQueue::most_depth));
  }
  if (*queue.pending >= queue.most_pending) {
    return fail(DeviceError::too_many_pending,
                of_kernel + ": " + std::to_string(*queue.pending) +
                    " launches are pending, as many as cudaLimitDevRuntimePendingLaunchCount");
  }
  DeviceWork work;
  if (bytes != 0) {
    const std::span<const std::byte> from = bytes_from(warp, lane, buffer).first(bytes);
    work.parameters.assign(from.begin(), from.end());
  }
  if (tell_pointers(warp, lane, launch.site, *kernel, work.parameters)) {
    return DeviceError::invalid_value;
  }
  work.stream = *its;
  work.kernel = kernel;
  work.shape = launch.shape;
  work.known = known_to(warp, lane);
  work.by = warp.name(lane);
  work.site = launch.site;
  (its->kind == DeviceStream::Kind::tail ? queue.tail : queue.work).push_back(std::move(work));
  ++*queue.pending;
  return DeviceError::success;
}

void end_launches(Warp& warp, LaneMask lanes) {
  if (lanes == 0) return;
  ++warp.worker->changes;
  begin_epoch(warp);
}

}  // namespace bankproof::ptx
