// Checks the shape of a launch; see limits.hpp.
#include "limits.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace bankproof::ptx {

namespace {

bool is_empty(const Extent& extent) { return extent[0] == 0 || extent[1] == 0 || extent[2] == 0; }

bool is_within(const Extent& extent, const Extent& most) {
  return extent[0] <= most[0] && extent[1] <= most[1] && extent[2] <= most[2];
}

}  // namespace

void check_shape(const LaunchShape& shape) {
  const auto& [grid, block, shared] = shape;
  if (is_empty(grid) || is_empty(block)) {
    throw std::invalid_argument(
        fmt::format("{}x{}x{} blocks of {}x{}x{} threads are an empty launch", grid[0], grid[1],
                    grid[2], block[0], block[1], block[2]));
  }
  if (!is_within(block, most_block) || volume(block) > most_threads_of_block) {
    throw std::invalid_argument(
        fmt::format("a block of {}x{}x{} threads; CUDA has at most {}, and "
                    "{} in z",
                    block[0], block[1], block[2], most_threads_of_block, most_block[2]));
  }
  if (!is_within(grid, most_grid)) {
    throw std::invalid_argument(
        fmt::format("a grid of {}x{}x{} blocks; CUDA has at most {} in x and {} in y and z",
                    grid[0], grid[1], grid[2], most_grid[0], most_grid[1]));
  }
  if (shared > most_shared_bytes) {
    throw std::invalid_argument(
        fmt::format("{} bytes of shared memory; no chip has more than {} a "
                    "block",
                    shared, most_shared_bytes));
  }
}

}  // namespace bankproof::ptx
