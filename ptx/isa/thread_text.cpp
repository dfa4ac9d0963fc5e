// Coordinates of linear numbers, x fastest.
#include "thread_text.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace bankproof::ptx {

namespace {

std::string coordinates(std::uint64_t linear, const Extent& extent) {
  if (extent[1] <= 1 && extent[2] <= 1) return std::to_string(linear);
  const std::uint64_t x = linear % extent[0];
  const std::uint64_t y = linear / extent[0] % extent[1];
  const std::uint64_t z = linear / extent[0] / extent[1];
  if (extent[2] > 1) return fmt::format("({},{},{})", x, y, z);
  return fmt::format("({},{})", x, y);
}

}  // namespace

std::string thread_text(const ThreadName& thread, const Extent& grid, const Extent& block) {
  return fmt::format("block {}, thread {}", coordinates(thread.block, grid),
                     coordinates(thread.thread, block));
}

}  // namespace bankproof::ptx
