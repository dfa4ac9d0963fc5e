// A kernel that looks up sums of rectangles in a summed area table.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../../algorithms/summed_area_table/layout.hpp"
#include "straight.cuh"
#include "summed_area_table.hpp"

namespace bankproof::cuda::kernels {

/// One thread per rectangle.
template <class T>
__global__ void rectangle_sums(const T* table, std::size_t columns, const Rectangle* rectangles,
                               T* sums, std::size_t count) {
  const std::size_t k = thread_of_grid();
  if (k >= count) return;
  const Rectangle of = rectangles[k];
  const auto corner = [&](std::size_t i, std::size_t j) {
    return i == 0 || j == 0 ? T{} : table[row_major(i - 1, j - 1, columns)];
  };
  sums[k] = rectangle_from_corners<std::size_t>(corner, of.top, of.left, of.bottom, of.right);
}

}  // namespace bankproof::cuda::kernels
