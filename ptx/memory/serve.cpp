// Finds the memory that each lane's address is in: a buffer, or memory of the block, the warp or
// the launch.
#include <optional>

#include "access_faults.hpp"
#include "steps.hpp"

namespace bankproof::ptx {
namespace {

constexpr std::uint64_t buffer_bytes = std::uint64_t{1} << buffer_shift;

Memory memory_of(MemoryWarp& warp, Space space) {
  LaunchMemory& launch = *warp.launch;
  const auto of_launch = [&](std::vector<std::byte>& bytes) {
    return Memory{.space = space,
                  .begin = window_of(space),
                  .storage = {bytes.data(), bytes.size()},
                  .shadow = {}};
  };
  switch (space) {
    case Space::local: {
      LocalMemory& local = warp.local;
      return {.space = space,
              .begin = window_of(space),
              .storage = {local.data.data(), local.bytes},
              .shadow = {.records = {}, .written = &local.written}};
    }
    case Space::constant:
      return of_launch(launch.constants);
    case Space::param:
      return of_launch(launch.parameters);
    default:
      return shared_memory(*warp.block);
  }
}

/// The buffer that contains the address or is nearest to it. Empty if the address is near no
/// buffer, such as null or an address far behind the last buffer.
std::optional<std::uint32_t> buffer_of(const GlobalMemory& global, std::uint64_t address) {
  const std::uint64_t number = address >> buffer_shift;  // of the next buffer after the address
  const std::uint64_t at = address % buffer_bytes;
  const bool next = global.has(number);
  if (number == 0 || !global.has(number - 1)) {
    return next && at >= buffer_bytes / 2 ? std::optional(static_cast<std::uint32_t>(number))
                                          : std::nullopt;
  }
  const std::uint64_t bytes = global[number - 1].bytes;
  const bool nearer = next && at > bytes && buffer_bytes - at < at - bytes;
  return static_cast<std::uint32_t>(nearer ? number : number - 1);
}

void serve_memory(Request& request, const Memory& memory, std::uint64_t begin) {
  fill_inactive(request.at, request.lanes);
  for (std::uint64_t& at : request.at) at -= begin;
  const bool constant = memory.space == Space::constant || memory.space == Space::param;
  if (constant && request.writes) {
    each_lane(request.lanes, [&](std::uint32_t lane) { report_constant(request, memory, lane); });
  } else {
    perform(request, memory);
  }
}

/// Serves generic addresses, one memory after the other.
void serve_generic(Request& request) {
  const LaneAddresses addresses = request.at;
  LaunchMemory& launch = *request.warp.launch;
  const GlobalMemory& global = *launch.global;
  for (LaneMask rest = request.lanes; rest != 0;) {
    const std::uint64_t first = addresses[first_of(rest)];
    const Space space = space_of(first);
    const auto buffer = space == Space::global ? buffer_of(global, first) : std::nullopt;
    LaneMask here = 0;
    each_lane(rest, [&](std::uint32_t lane) {
      const std::uint64_t address = addresses[lane];
      const bool same = space_of(address) == space &&
                        (space != Space::global || buffer_of(global, address) == buffer);
      here |= LaneMask{same} << lane;
    });
    rest &= ~here;
    if (space == Space::global && !buffer) {
      each_lane(here, [&](std::uint32_t lane) { report_nowhere(request, lane, addresses[lane]); });
      clear_values(request.values, here, request.bytes);
      continue;
    }
    request.at = addresses;
    request.lanes = here;
    const Memory memory =
        buffer ? buffer_memory(request.warp, *buffer) : memory_of(request.warp, space);
    serve_memory(request, memory, memory.begin);
  }
}

}  // namespace

void serve(Request& request, Space space, bool generic, LaneMask lanes) {
  request.lanes = lanes;
  if (space != Space::global && !generic) {
    // A register wider than the space's addresses counts by its low bits (PTX ISA, "Addresses as
    // Operands"). clang computes such addresses, as in `end[~i]`. Short ways leave them to this
    // one.
    for (std::uint64_t& at : request.at) at %= window_bytes;
    serve_memory(request, memory_of(request.warp, space), 0);
    return;
  }
  // Nearly always all lanes are in one buffer.
  LaunchMemory& launch = *request.warp.launch;
  const std::uint64_t index = (request.at[first_of(lanes)] >> buffer_shift) - 1;
  if (launch.global->has(index)) {
    const Memory memory = buffer_memory(request.warp, static_cast<std::uint32_t>(index));
    const std::uint64_t size = memory.storage.bytes;
    std::uint64_t outside = size < request.bytes;
    for (const std::uint64_t address : request.at) {
      const std::uint64_t at = address - memory.begin;
      outside |= (at | (size - request.bytes - at)) >> 63;
    }
    if (outside == 0) {
      for (std::uint64_t& at : request.at) at -= memory.begin;
      perform(request, memory);
      return;
    }
  }
  serve_generic(request);
}

}  // namespace bankproof::ptx
