// Each lane calls the device runtime for itself, in the order of the lanes; see device_runtime.hpp.
#include "device_runtime.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "../memory/allocations.hpp"
#include "../memory/library_stores.hpp"
#include "../syntax/error.hpp"
#include "block_run.hpp"
#include "call_values.hpp"
#include "device_launch.hpp"
#include "device_work.hpp"

namespace bankproof::ptx {

namespace {

/// Calls `of_lane(lane)`, which returns a DeviceError, for each lane, and returns the errors.
template <class OfLane>
const Op* each_call(WarpState& state, const Op* op, const CallOperands& call,
                    const OfLane& of_lane) {
  Warp& warp = warp_of(state);
  each_lane(guarded_lanes(state, op), [&](std::uint32_t lane) {
    const DeviceError error = of_lane(warp, lane);
    set_value(warp, call.results[0], lane, static_cast<std::uint32_t>(error));
  });
  return op + 1;
}

DeviceQueue& queue_of(Warp& warp) { return *warp.run->device(); }

std::uint64_t word(const Warp& warp, const CallOperands& call, std::size_t argument,
                   std::uint32_t lane) {
  return value_in<std::uint64_t>(warp, call.arguments[argument], lane);
}
std::uint32_t half(const Warp& warp, const CallOperands& call, std::size_t argument,
                   std::uint32_t lane) {
  return value_in<std::uint32_t>(warp, call.arguments[argument], lane);
}

/// The shape from the arguments grid, block and shared memory, of which `first` is the first.
LaunchShape shape_in(const Warp& warp, const CallOperands& call, std::size_t first,
                     std::uint32_t lane) {
  return {value_in<Extent>(warp, call.arguments[first], lane),
          value_in<Extent>(warp, call.arguments[first + 1], lane),
          half(warp, call, first + 2, lane)};
}

// ---- Launches

const Op* get_buffer_for(WarpState& state, const Op* op, const CallOperands& call) {
  Warp& warp = warp_of(state);
  each_lane(guarded_lanes(state, op), [&](std::uint32_t lane) {
    const std::uint64_t kernel = word(warp, call, 0, lane);
    const ChildLaunch launch{op->site, kernel, shape_in(warp, call, 1, lane)};
    set_value(warp, call.results[0], lane, take_buffer(warp, lane, launch));
  });
  return op + 1;
}

const Op* get_buffer(WarpState& state, const Op* op, const CallOperands& call) {
  Warp& warp = warp_of(state);
  each_lane(guarded_lanes(state, op), [&](std::uint32_t lane) {
    const std::uint64_t bytes = word(warp, call, 1, lane);
    const bool has_room = bytes <= parameter_buffer_bytes(warp.run->program());
    set_value(warp, call.results[0], lane,
              has_room ? take_buffer(warp, lane, {op->site, 0, {}}) : 0);
  });
  return op + 1;
}

template <bool per_thread>
const Op* launch_buffer(WarpState& state, const Op* op, const CallOperands& call) {
  const Op* const next = each_call(state, op, call, [&](Warp& warp, std::uint32_t lane) {
    const DeviceThread::Buffer* const buffer = buffer_at(warp, lane, word(warp, call, 0, lane));
    if (buffer == nullptr || buffer->kernel == nullptr) {
      return fail_call(warp, lane, op->site, DeviceError::invalid_value,
                       "cudaLaunchDevice of no parameter buffer");
    }
    const ChildLaunch launch{op->site, buffer->kernel->address, buffer->shape};
    return launch_child(warp, lane, launch, word(warp, call, 0, lane), word(warp, call, 1, lane),
                        per_thread);
  });
  end_launches(warp_of(state), guarded_lanes(state, op));
  return next;
}

template <bool per_thread>
const Op* launch_kernel(WarpState& state, const Op* op, const CallOperands& call) {
  const Op* const next = each_call(state, op, call, [&](Warp& warp, std::uint32_t lane) {
    const ChildLaunch launch{op->site, word(warp, call, 0, lane), shape_in(warp, call, 2, lane)};
    return launch_child(warp, lane, launch, word(warp, call, 1, lane), word(warp, call, 5, lane),
                        per_thread);
  });
  end_launches(warp_of(state), guarded_lanes(state, op));
  return next;
}

// ---- Errors

const Op* get_last_error(WarpState& state, const Op* op, const CallOperands& call) {
  return each_call(state, op, call, [&](Warp& warp, std::uint32_t lane) {
    DeviceThread& thread = thread_of(warp, lane);
    thread.failed_at = no_site;
    return std::exchange(thread.last, DeviceError::success);
  });
}

const Op* peek_at_last_error(WarpState& state, const Op* op, const CallOperands& call) {
  return each_call(state, op, call, [&](Warp& warp, std::uint32_t lane) {
    DeviceThread& thread = thread_of(warp, lane);
    thread.failed_at = no_site;
    return thread.last;
  });
}

// ---- Streams and events

/// Stores a value of each lane at the address in the first argument. Lanes whose address is null
/// get an error.
template <class T, class Make>
const Op* give(WarpState& state, const Op* op, const CallOperands& call, const Make& make) {
  Warp& warp = warp_of(state);
  LibraryStore store{op->site, sizeof(T)};
  each_lane(guarded_lanes(state, op), [&](std::uint32_t lane) {
    T value{};
    const std::uint64_t to = word(warp, call, 0, lane);
    const DeviceError error = to == 0 ? DeviceError::invalid_value : make(warp, lane, value);
    if (error == DeviceError::success) store.add(lane, to, value);
    set_value(warp, call.results[0], lane, static_cast<std::uint32_t>(error));
  });
  perform(warp, store);
  return op + 1;
}

const Op* create_stream(WarpState& state, const Op* op, const CallOperands& call) {
  constexpr std::uint32_t non_blocking = 1;
  return give<std::uint64_t>(state, op, call,
                             [&](Warp& warp, std::uint32_t lane, std::uint64_t& handle) {
                               if (half(warp, call, 1, lane) != non_blocking) {
                                 return DeviceError::invalid_value;
                               }
                               DeviceQueue& queue = queue_of(warp);
                               handle = queue.next_handle++;
                               queue.streams.insert(handle);
                               ++warp.worker->changes;
                               return DeviceError::success;
                             });
}

const Op* create_event(WarpState& state, const Op* op, const CallOperands& call) {
  constexpr std::uint32_t disable_timing = 2;
  return give<std::uint64_t>(state, op, call,
                             [&](Warp& warp, std::uint32_t lane, std::uint64_t& handle) {
                               if (half(warp, call, 1, lane) != disable_timing) {
                                 return DeviceError::invalid_value;
                               }
                               DeviceQueue& queue = queue_of(warp);
                               handle = queue.next_handle++;
                               queue.events.insert(handle);
                               ++warp.worker->changes;
                               return DeviceError::success;
                             });
}

const Op* destroy_stream(WarpState& state, const Op* op, const CallOperands& call) {
  return each_call(state, op, call, [&](Warp& warp, std::uint32_t lane) {
    const bool was = queue_of(warp).streams.erase(word(warp, call, 0, lane)) != 0;
    return was ? DeviceError::success : DeviceError::invalid_resource;
  });
}

const Op* destroy_event(WarpState& state, const Op* op, const CallOperands& call) {
  return each_call(state, op, call, [&](Warp& warp, std::uint32_t lane) {
    const bool was = queue_of(warp).events.erase(word(warp, call, 0, lane)) != 0;
    return was ? DeviceError::success : DeviceError::invalid_resource;
  });
}

/// Enqueues a record of an event, or a wait for it; the arguments have these indices.
DeviceError enqueue(Warp& warp, std::uint32_t lane, DeviceWork::Kind kind, std::uint64_t event,
                    std::uint64_t stream, bool per_thread) {
  DeviceQueue& queue = queue_of(warp);
  const auto its = queue.stream_of(stream, warp.name(lane), per_thread);
  if (!its || queue.events.count(event) == 0) return DeviceError::invalid_resource;
  // What has no order of its own has nothing to record or to wait for.
  if (its->kind == DeviceStream::Kind::tail || its->kind == DeviceStream::Kind::fire_and_forget) {
    return DeviceError::invalid_value;
  }
  DeviceWork work;
  work.kind = kind;
  work.stream = *its;
  work.event = event;
  queue.work.push_back(std::move(work));
  ++warp.worker->changes;
  return DeviceError::success;
}

template <bool per_thread>
const Op* record_event(WarpState& state, const Op* op, const CallOperands& call) {
  return each_call(state, op, call, [&](Warp& warp, std::uint32_t lane) {
    return enqueue(warp, lane, DeviceWork::Kind::record, word(warp, call, 0, lane),
                   word(warp, call, 1, lane), per_thread);
  });
}

template <bool per_thread>
const Op* wait_for_event(WarpState& state, const Op* op, const CallOperands& call) {
  return each_call(state, op, call, [&](Warp& warp, std::uint32_t lane) {
    return enqueue(warp, lane, DeviceWork::Kind::wait, word(warp, call, 1, lane),
                   word(warp, call, 0, lane), per_thread);
  });
}

// ---- Memory and the device

const Op* allocate_on_device(WarpState& state, const Op* op, const CallOperands& call) {
  return give<std::uint64_t>(
      state, op, call, [&](Warp& warp, std::uint32_t lane, std::uint64_t& address) {
        address = allocate(warp, word(warp, call, 1, lane));
        return address == 0 ? DeviceError::memory_allocation : DeviceError::success;
      });
}

const Op* free_on_device(WarpState& state, const Op* op, const CallOperands& call) {
  return each_call(state, op, call, [&](Warp& warp, std::uint32_t lane) {
    return free_allocation(warp, op->site, lane, word(warp, call, 0, lane))
               ? DeviceError::success
               : DeviceError::invalid_value;
  });
}

const Op* get_device(WarpState& state, const Op* op, const CallOperands& call) {
  return give<std::uint32_t>(state, op, call,
                             [&](Warp& warp, std::uint32_t /*lane*/, std::uint32_t& device) {
                               device = warp.launch->device;
                               return DeviceError::success;
                             });
}

// ----

constexpr std::string_view beginning = "__cudaCDP2";

constexpr std::array<DeviceFunction, 21> functions{{
    {"GetParameterBufferV2", "8 12 12 4:8", true, false, handled_by<get_buffer_for>},
    {"LaunchDeviceV2", "8 8:4", true, false, handled_by<launch_buffer<false>>},
    {"LaunchDeviceV2_ptsz", "8 8:4", true, false, handled_by<launch_buffer<true>>},
    {"GetParameterBuffer", "8 8:8", true, false, handled_by<get_buffer>},
    {"LaunchDevice", "8 8 12 12 4 8:4", true, false, handled_by<launch_kernel<false>>},
    {"LaunchDevice_ptsz", "8 8 12 12 4 8:4", true, false, handled_by<launch_kernel<true>>},
    {"GetLastError", ":4", true, false, handled_by<get_last_error>},
    {"PeekAtLastError", ":4", true, false, handled_by<peek_at_last_error>},
    {"StreamCreateWithFlags", "8 4:4", true, false, handled_by<create_stream>},
    {"StreamDestroy", "8:4", true, false, handled_by<destroy_stream>},
    {"StreamWaitEvent", "8 8 4:4", true, false, handled_by<wait_for_event<false>>},
    {"StreamWaitEvent_ptsz", "8 8 4:4", true, false, handled_by<wait_for_event<true>>},
    {"EventCreateWithFlags", "8 4:4", true, false, handled_by<create_event>},
    {"EventRecord", "8 8:4", true, false, handled_by<record_event<false>>},
    {"EventRecord_ptsz", "8 8:4", true, false, handled_by<record_event<true>>},
    {"EventRecordWithFlags", "8 8 4:4", true, false, handled_by<record_event<false>>},
    {"EventRecordWithFlags_ptsz", "8 8 4:4", true, false, handled_by<record_event<true>>},
    {"EventDestroy", "8:4", true, false, handled_by<destroy_event>},
    {"Malloc", "8 8:4", false, true, handled_by<allocate_on_device>},
    {"Free", "8:4", false, true, handled_by<free_on_device>},
    {"GetDevice", "8:4", false, false, handled_by<get_device>},
}};

}  // namespace

const DeviceFunction* device_function(std::string_view name) {
  if (!name.starts_with(beginning)) return nullptr;
  const auto* const found =
      std::find_if(functions.begin(), functions.end(), [&](const DeviceFunction& function) {
        return function.name == name.substr(beginning.size());
      });
  return found == functions.end() ? nullptr : found;
}

std::string why_no_device_function(std::string_view name) {
  if (!name.starts_with(beginning) || device_function(name) != nullptr) return {};
  return "cuda" + std::string(name.substr(beginning.size())) +
         " in a kernel: the machine does not have this function of CUDA's device runtime";
}

bool fits(const DeviceFunction& function, const CallOperands& call) {
  const auto fit = [](std::string_view sizes, const std::vector<ParamArea>& areas) {
    std::size_t next = 0;
    while (!sizes.empty()) {
      std::uint32_t bytes = 0;
      const auto [end, error] = std::from_chars(sizes.data(), sizes.data() + sizes.size(), bytes);
      if (error != std::errc() || next == areas.size() || areas[next].bytes < bytes) return false;
      ++next;
      sizes.remove_prefix(static_cast<std::size_t>(end - sizes.data()));
      sizes.remove_prefix(std::min(sizes.find_first_not_of(' '), sizes.size()));
    }
    return next == areas.size();
  };
  const std::size_t colon = function.sizes.find(':');
  return fit(function.sizes.substr(0, colon), call.arguments) &&
         fit(function.sizes.substr(colon + 1), call.results);
}

}  // namespace bankproof::ptx
