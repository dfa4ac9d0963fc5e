// The steps of memory instructions: from registers to addresses, to memories, and back.
#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>

#include "request.hpp"

namespace bankproof::ptx {
namespace {

constexpr std::uint64_t buffer_bytes = std::uint64_t{1} << buffer_shift;

/// Lanes that take no part get the address of one that does.
void gather_addresses(const MemoryWarp& warp, const Op* op, const MemoryDetail& detail,
                      LaneMask lanes, LaneAddresses& addresses) {
  const auto offset = static_cast<std::uint64_t>(op->immediate);
  if (detail.address == no_slot) {
    addresses.fill(offset);
    return;
  }
  if (detail.wide_address) {
    const auto* from = warp.lanes<const std::uint64_t>(detail.address);
    for (std::size_t lane = 0; lane < warp_lanes; ++lane) addresses[lane] = from[lane] + offset;
  } else {
    const auto* from = warp.lanes<const std::uint32_t>(detail.address);
    for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
      addresses[lane] = from[lane] + static_cast<std::uint32_t>(offset);
    }
  }
  if (lanes == all_lanes) return;
  const std::uint64_t first = addresses[first_of(lanes)];
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    if ((lanes >> lane & 1U) == 0) addresses[lane] = first;
  }
}

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

/// The buffer to which an address belongs, or which it is nearest to; none where there is none
/// near: at null, and behind the last.
std::optional<std::uint32_t> buffer_of(const GlobalMemory& global, std::uint64_t address) {
  const std::uint64_t number = address >> buffer_shift;  // the buffer behind, from 0
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

/// Lanes whose addresses belong to nothing.
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

/// Stores to what no kernel can store to.
void tell_constant(const Request& request, const Memory& memory, LaneMask lanes) {
  each_lane(lanes, [&](std::uint32_t lane) {
    request.warp.worker->faults.add(
        FaultKind::out_of_bounds, request.site, no_site, request.warp.name(lane), [&] {
          return std::string(request.verb()) + " at " + shown(memory, request.at[lane]) +
                 ", which kernels only read";
        });
  });
}

void serve(Request& request, const Memory& memory, LaneMask lanes, std::uint64_t begin) {
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

/// Generic addresses: one memory after the other.
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
    serve(request, memory, here, memory.begin);
  }
}

/// `request.at` are addresses.
void serve_all(Request& request, Space space, bool generic, LaneMask lanes) {
  if (space != Space::global && !generic) {
    serve(request, memory_of(request.warp, space), lanes, 0);
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

template <class Element, class Lane>
void load_lanes(const std::byte* from, std::size_t stride, Lane* to, LaneMask lanes) {
  each_lane(lanes, [&](std::uint32_t lane) {
    Element value;
    std::memcpy(&value, from + lane * stride, sizeof value);
    // By way of 64 bits, in which the sign is extended.
    using Wide = std::conditional_t<std::is_signed_v<Element>, std::int64_t, std::uint64_t>;
    to[lane] = static_cast<Lane>(Wide{value});
  });
}

template <class Lane>
void load_widened(const Access& access, const std::byte* from, std::size_t stride, Lane* to,
                  LaneMask lanes) {
  const bool sign = access.sign_extended;
  switch (access.element_bytes) {
    case 1:
      return sign ? load_lanes<std::int8_t>(from, stride, to, lanes)
                  : load_lanes<std::uint8_t>(from, stride, to, lanes);
    case 2:
      return sign ? load_lanes<std::int16_t>(from, stride, to, lanes)
                  : load_lanes<std::uint16_t>(from, stride, to, lanes);
    case 4:
      return sign ? load_lanes<std::int32_t>(from, stride, to, lanes)
                  : load_lanes<std::uint32_t>(from, stride, to, lanes);
    default:
      return load_lanes<std::uint64_t>(from, stride, to, lanes);
  }
}

/// Registers of b8 are kept in lanes of 16 bits, zero-extended.
void copy_in(const Access& access, LaneType type, const std::byte* from, std::size_t stride,
             std::byte* to, LaneMask lanes) {
  switch (type) {
    case LaneType::b16:
      return load_widened(access, from, stride, reinterpret_cast<std::uint16_t*>(to), lanes);
    case LaneType::predicate:
    case LaneType::b32:
      return load_widened(access, from, stride, reinterpret_cast<std::uint32_t*>(to), lanes);
    case LaneType::b64:
      return load_widened(access, from, stride, reinterpret_cast<std::uint64_t*>(to), lanes);
    case LaneType::b128:
      break;
  }
  each_lane(lanes, [&](std::uint32_t lane) {
    std::memcpy(to + lane * lane_bytes(LaneType::b128), from + lane * stride, access.element_bytes);
  });
}

/// `count` values to their registers.
void write_registers(const Request& request, std::size_t count, LaneMask lanes) {
  const MemoryDetail& detail = request.detail;
  const Access& access = detail.access;
  for (std::size_t k = 0; k < count; ++k) {
    if (detail.values[k] == no_slot) continue;
    std::byte* to = request.warp.frame + detail.values[k];
    const std::byte* from = request.values.bytes.data() + k * access.element_bytes;
    if (lanes == all_lanes && count == 1 && lane_bytes(detail.type) == access.element_bytes) {
      std::memcpy(to, from, std::size_t{warp_lanes} * access.element_bytes);
    } else {
      copy_in(access, detail.type, from, request.bytes, to, lanes);
    }
  }
}

template <std::uint32_t bytes>
void cut_lanes(const std::byte* from, std::size_t lane, std::byte* to, std::size_t stride) {
  for (std::size_t k = 0; k < warp_lanes; ++k) {
    std::memcpy(to + k * stride, from + k * lane, bytes);
  }
}

/// Values of a store from their registers, of all lanes.
void read_registers(Request& request) {
  const MemoryDetail& detail = request.detail;
  const std::uint32_t bytes = detail.access.element_bytes;
  const std::size_t lane = lane_bytes(detail.type);
  for (std::size_t k = 0; k < detail.access.vector; ++k) {
    const std::byte* from = request.warp.frame + detail.values[k];
    std::byte* to = request.values.bytes.data() + k * bytes;
    if (lane == bytes && request.bytes == bytes) {
      std::memcpy(to, from, warp_lanes * lane);
      continue;
    }
    switch (bytes) {
      case 1:
        cut_lanes<1>(from, lane, to, request.bytes);
        break;
      case 2:
        cut_lanes<2>(from, lane, to, request.bytes);
        break;
      case 4:
        cut_lanes<4>(from, lane, to, request.bytes);
        break;
      case 8:
        cut_lanes<8>(from, lane, to, request.bytes);
        break;
      default:
        cut_lanes<16>(from, lane, to, request.bytes);
        break;
    }
  }
}

const MemoryDetail& detail_of(const Op* op) {
  return *static_cast<const MemoryDetail*>(op->detail);
}

template <Operation operation>
const Op* access_step(WarpState& state, const Op* op) {
  auto& warp = static_cast<MemoryWarp&>(state);
  const LaneMask lanes = guarded_lanes(warp, op);
  if (lanes == 0) return op + 1;
  const MemoryDetail& detail = detail_of(op);
  const Access& access = detail.access;
  LaneBytes values;
  Request request{warp, detail, op->site, operation, access.bytes(), values, {}};
  gather_addresses(warp, op, detail, lanes, request.at);
  if constexpr (operation == Operation::store) read_registers(request);
  serve_all(request, access.space, access.generic, lanes);
  if (operation == Operation::load || access.operation == Operation::atomic) {
    write_registers(request, access.vector, lanes);
  }
  return op + 1;
}

const Op* nothing_step(WarpState& /*state*/, const Op* op) { return op + 1; }

/// cp.async, at once: what is read is written when the instruction is executed, by the thread.
const Op* copy_step(WarpState& state, const Op* op) {
  auto& warp = static_cast<MemoryWarp&>(state);
  const LaneMask lanes = guarded_lanes(warp, op);
  if (lanes == 0) return op + 1;
  const MemoryDetail& detail = detail_of(op);
  const std::uint32_t bytes = detail.access.bytes();
  LaneBytes values;
  values.bytes.fill(std::byte{0});
  // Of a source that is shorter than the copy, the rest is zeros. Its parts of 16, 8, 4, 2 and 1
  // bytes are aligned, since the whole is.
  const auto* from = warp.lanes<const std::uint64_t>(detail.source);
  const auto* lengths = detail.source_bytes == no_slot
                            ? nullptr
                            : warp.lanes<const std::uint32_t>(detail.source_bytes);
  for (std::uint32_t part = bytes; part != 0; part /= 2) {
    LaneMask reading = 0;
    LaneBytes piece;
    Request load{warp, detail, op->site, Operation::load, part, piece, {}};
    std::array<std::uint32_t, warp_lanes> before{};
    each_lane(lanes, [&](std::uint32_t lane) {
      const std::uint32_t length = lengths == nullptr ? bytes : std::min(lengths[lane], bytes);
      if ((length & part) == 0) return;
      reading |= LaneMask{1} << lane;
      before[lane] = length & ~(2 * part - 1);
      load.at[lane] = from[lane] + static_cast<std::uint64_t>(detail.source_offset) + before[lane];
    });
    if (reading == 0) continue;
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
      if ((reading >> lane & 1U) == 0) load.at[lane] = load.at[first_of(reading)];
    }
    serve_all(load, Space::global, false, reading);
    each_lane(reading, [&](std::uint32_t lane) {
      std::memcpy(values.bytes.data() + std::size_t{lane} * bytes + before[lane],
                  piece.bytes.data() + std::size_t{lane} * part, part);
    });
  }
  Request store{warp, detail, op->site, Operation::store, bytes, values, {}};
  gather_addresses(warp, op, detail, lanes, store.at);
  serve_all(store, Space::shared, false, lanes);
  return op + 1;
}

}  // namespace

Step step_of(const Access& access) {
  switch (access.operation) {
    case Operation::load:
      return access_step<Operation::load>;
    case Operation::store:
      return access_step<Operation::store>;
    case Operation::atomic:
    case Operation::reduction:
      return access_step<Operation::atomic>;
    case Operation::copy:
      return copy_step;
    case Operation::prefetch:
      break;
  }
  return nothing_step;
}

}  // namespace bankproof::ptx
