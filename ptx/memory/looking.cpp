// Reads memory for library functions, such as the text of a printf; the reads count as no accesses.
#include "warp_memory.hpp"

namespace bankproof::ptx {
namespace {

std::span<const std::byte> behind(std::span<const std::byte> bytes, std::uint64_t offset) {
  return offset < bytes.size() ? bytes.subspan(offset) : std::span<const std::byte>();
}

std::span<const std::byte> buffer_at(const GlobalMemory& global, std::uint64_t address) {
  const std::uint64_t number = address >> buffer_shift;  // from 1
  if (number == 0 || !global.has(number - 1)) return {};
  const auto index = static_cast<std::uint32_t>(number - 1);
  return behind(global.data(index), address - buffer_address(index));
}

}  // namespace

std::span<const std::byte> bytes_from(const MemoryWarp& warp, std::uint32_t lane,
                                      std::uint64_t address) {
  const LaunchMemory& launch = *warp.launch;
  const Space space = space_of(address);
  const std::uint64_t offset = address_in(space, address);
  switch (space) {
    case Space::shared:
      return behind({warp.block->shared.data(), warp.block->shared_bytes}, offset);
    case Space::local: {
      const std::span<const std::byte> all(warp.local.data);
      if (offset >= warp.local.bytes) return {};
      return all.subspan(lane * LocalMemory::stride(warp.local.bytes), warp.local.bytes)
          .subspan(offset);
    }
    case Space::constant:
      return behind(launch.constants, offset);
    case Space::param:
      return behind(launch.parameters, offset);
    case Space::global:
      break;
  }
  return buffer_at(*launch.global, address);
}

}  // namespace bankproof::ptx
