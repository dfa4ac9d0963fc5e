// Follows the pointers of a wrapper.
#include "wrapper.hpp"

#include <cstdint>
#include <cstring>
#include <string>

#include "fat_binary.hpp"

namespace bankproof::cuda {

namespace {

constexpr int wrapper_magic = 0x466243b1;
constexpr int of_one_file = 1;
constexpr int of_linked_files = 2;

}  // namespace

std::vector<std::span<const std::byte>> containers_of(const FatBinaryWrapper& wrapper) {
  if (wrapper.magic != wrapper_magic) {
    throw FatBinaryError("the wrapper does not begin with 0x466243b1", 0);
  }
  if (wrapper.version == of_one_file) return {extent(wrapper.container)};
  if (wrapper.version != of_linked_files) {
    throw FatBinaryError(
        "wrappers of version " + std::to_string(wrapper.version) + " are not known", 0);
  }
  std::vector<std::span<const std::byte>> containers;
  for (const void* const* next = wrapper.list; next != nullptr && *next != nullptr; ++next) {
    containers.push_back(extent(*next));
  }
  return containers;
}

bool is_of_nvcc(const FatBinaryWrapper& wrapper) {
  std::uint32_t first = 0;
  std::memcpy(&first, wrapper.container, sizeof first);
  return wrapper.magic == wrapper_magic && first == container_magic;
}

}  // namespace bankproof::cuda
