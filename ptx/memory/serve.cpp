// Finds the memory that each lane's address is in: a buffer, or memory of the block, the warp or
// the launch.
#include <cstring>
#include <optional>
#include <string>

#include "steps.hpp"

namespace bankproof::ptx {
namespace {

constexpr std::uint64_t buffer_bytes = std::uint64_t{1} << buffer_shift;

Memory shared_memory(BlockMemory& block) {
  return {Space::shared,
          window_of(Space::shared),
          block.shared_bytes,
          block.shared.data(),
          {block.writes.data(), block.reads.data()},
          &block.written,
          nullptr,
          0};
}

Memory buffer_memory(GlobalMemory& global, std::uint32_t index) {
  Buffer& buffer = global[index];
  return {Space::global,
          buffer_address(index),
          buffer.bytes,
          buffer.data.data(),
          {buffer.writes.data(), buffer.reads.data()},
          buffer.defined ? nullptr : &buffer.written,
          &buffer,
          index};
}

Memory memory_of(MemoryWarp& warp, Space space) {
  LaunchMemory& launch = *warp.launch;
  const auto of_launch = [&](std::vector<std::byte>& bytes) {
    return Memory{space, window_of(space), bytes.size(), bytes.data(), {}, nullptr, nullptr, 0};
  };
  switch (space) {
    case Space::local: {
      LocalMemory& local = warp.local;
      return {space, window_of(space), local.bytes, local.data.data(),
              {},    &local.written,   nullptr,     0};
    }
    case Space::constant:
      return of_launch(launch.constants);
    case Space::param:
      return of_launch(launch.parameters);
    default:
      return shared_memory(*warp.block);
  }
}

/// The buffer that contains an address or is nearest to it. Empty if no buffer is near: at null,
/// and after the last buffer.
std::optional<std::uint32_t> buffer_of(const GlobalMemory& global, std::uint64_t address) {
  const std::uint64_t number = address >> buffer_shift;  // the buffer after the address, from 0
  const std::uint64_t at = address % buffer_bytes;
  const bool next = number < global.size();
  if (number == 0 || number > global.size()) {
    return number == 0 && next && at >= buffer_bytes / 2 ? std::optional<std::uint32_t>(0)
                                                         : std::nullopt;
  }
  const std::uint64_t bytes = global[number - 1].bytes;
  const bool nearer = next && at > bytes && buffer_bytes - at < at - bytes;
  return static_cast<std::uint32_t>(nearer ? number : number - 1);
}

/// Reports lanes whose addresses belong to no memory.
void tell_nowhere(const Request& request, LaneMask lanes, const LaneAddresses& addresses) {
  each_lane(lanes, [&](std::uint32_t lane) {
    request.warp.worker->faults.add(
        FaultKind::out_of_bounds, request.site, no_site, request.warp.name(lane), [&] {
          return std::string(request.verb()) + " of " + std::to_string(request.bytes) +
                 " bytes at address " + std::to_string(addresses[lane]) +
                 ", which belongs to no buffer";
        });
    std::memset(request.values.bytes.data() + std::size_t{lane} * request.bytes, 0, request.bytes);
  });
}

/// Reports stores to memory that kernels only read.
void tell_constant(const Request& request, const Memory& memory, LaneMask lanes) {
  each_lane(lanes, [&](std::uint32_t lane) {
    request.warp.worker->faults.add(
        FaultKind::out_of_bounds, request.site, no_site, request.warp.name(lane), [&] {
          return std::string(request.verb()) + " at " + shown(memory, request.at[lane]) +
                 ", which kernels only read";
        });
  });
}

void serve_memory(Request& request, const Memory& memory, LaneMask lanes, std::uint64_t begin) {
  const std::uint64_t first = request.at[first_of(lanes)];
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    const bool active = (lanes >> lane & 1U) != 0;
    request.at[lane] = (active ? request.at[lane] : first) - begin;
  }
  const bool constant = memory.space == Space::constant || memory.space == Space::param;
  if (constant && request.writes()) {
    tell_constant(request, memory, lanes);
  } else {
    perform(request, memory, lanes);
  }
}

/// Serves generic addresses, one memory after the other.
void serve_generic(Request& request, LaneMask lanes) {
  const LaneAddresses addresses = request.at;
  GlobalMemory& global = *request.warp.launch->global;
  while (lanes != 0) {
    const std::uint64_t first = addresses[first_of(lanes)];
    const Space space = space_of(first);
    const auto buffer = space == Space::global ? buffer_of(global, first) : std::nullopt;
    LaneMask here = 0;
    each_lane(lanes, [&](std::uint32_t lane) {
      const std::uint64_t address = addresses[lane];
      const bool same = space_of(address) == space &&
                        (space != Space::global || buffer_of(global, address) == buffer);
      here |= LaneMask{same} << lane;
    });
    lanes &= ~here;
    if (space == Space::global && !buffer) {
      tell_nowhere(request, here, addresses);
      continue;
    }
    request.at = addresses;
    const Memory memory = buffer ? buffer_memory(global, *buffer) : memory_of(request.warp, space);
    serve_memory(request, memory, here, memory.begin);
  }
}

}  // namespace

void serve(Request& request, Space space, bool generic, LaneMask lanes) {
  if (space != Space::global && !generic) {
    serve_memory(request, memory_of(request.warp, space), lanes, 0);
    return;
  }
  // Nearly always all lanes are in one buffer.
  GlobalMemory& global = *request.warp.launch->global;
  const std::uint64_t index = (request.at[first_of(lanes)] >> buffer_shift) - 1;
  if (index < global.size()) {
    const Memory memory = buffer_memory(global, static_cast<std::uint32_t>(index));
    std::uint64_t outside = memory.bytes < request.bytes;
    for (const std::uint64_t address : request.at) {
      const std::uint64_t at = address - memory.begin;
      outside |= (at | (memory.bytes - request.bytes - at)) >> 63;
    }
    if (outside == 0) {
      for (std::uint64_t& at : request.at) at -= memory.begin;
      perform(request, memory, lanes);
      return;
    }
  }
  serve_generic(request, lanes);
}

}  // namespace bankproof::ptx
