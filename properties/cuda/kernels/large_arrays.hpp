// Helpers of the tests of kernels on more than 2^32 bytes: sizes, memory, and the comparison of a
// result with a formula. On a GPU, arrays have more than 2^31 elements where 80 GB allow it. The
// reference machine would take hours, so there the same tests use small arrays and only show that
// the formulas are right.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../../cuda/kernels/support/device.hpp"
#include "large.hpp"
#include "support.hpp"

namespace bankproof::cuda::tests::large {

using Word32 = std::uint32_t;
using Words = DeviceArray<Word32>;

/// Chooses between a size for a GPU and a size for the reference machine.
constexpr std::size_t size(std::size_t on_gpu, std::size_t small) {
  return on_machine ? small : on_gpu;
}
// The numbers of rows and of columns are odd; with packed_columns, rows are whole packets. There
// are fewer than 2^32 elements, so no two elements have the same number.
inline constexpr std::size_t rows = size(46357, 75);
inline constexpr std::size_t columns = size(46401, 131);
inline constexpr std::size_t packed_columns = size(46404, 132);
inline constexpr std::size_t elements = rows * columns;
static_assert(on_machine || (elements > std::size_t{1} << 31 && elements < std::size_t{1} << 32));

/// Throws unless that much memory is free: a test that cannot run must not pass.
inline void need(std::size_t bytes) {
  std::size_t free = 0;
  std::size_t all = 0;
  require(cudaMemGetInfo(&free, &all), "cudaMemGetInfo");
  if (bytes <= free) return;
  const auto gigabytes = [](std::size_t of) { return std::to_string(of >> 30) + " GiB"; };
  throw std::runtime_error("this test needs " + gigabytes(bytes) + " of the GPU's memory, and " +
                           gigabytes(free) + " are free; it is for GPUs of 80 GB");
}

/// Sets all elements to 0xCBCBCBCB, so that elements which no kernel writes are recognized.
inline void poison(Words& words) {
  require(cudaMemset(words.data(), 0xCB, words.size() * sizeof(Word32)), "cudaMemset");
}

template <class Formula>
Words filled_with(std::size_t n, const Formula& formula) {
  Words words(n);
  fill(words.data(), n, formula);
  return words;
}

/// Checks that run(b) leaves the formula's elements in b without a fault.
template <class Run, class Formula>
void expect(const char* what, Words& b, Run run, const Formula& formula) {
  poison(b);
  run(b.data());
  take_counts();
  const Differences found = differences(b.data(), b.size(), formula);
  EXPECT_EQ(found.count, 0U) << what << ": " << ::testing::PrintToString(found);
}

/// The numbers 1, 2, …
inline std::vector<Word32> weights(std::size_t count) {
  std::vector<Word32> values(count);
  for (std::size_t k = 0; k < count; ++k) values[k] = static_cast<Word32>(k + 1);
  return values;
}

}  // namespace bankproof::cuda::tests::large
