// What the tests of kernels on more than 2^32 bytes share: sizes, memory, and how a result is held
// against a formula. Where a GPU of 80 GB allows it they have more than 2^31 elements. On the
// reference machine, which would take hours, the same tests have few: there they show that the
// formulas are right.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../cuda/kernels/support/device.hpp"
#include "large.hpp"
#include "support.hpp"

namespace bankproof::cuda::tests::large {

using Word32 = std::uint32_t;
using Words = DeviceArray<Word32>;

/// A number for a GPU, or the one for the machine.
constexpr std::size_t size(std::size_t on_gpu, std::size_t small) {
  return on_machine ? small : on_gpu;
}
// Odd numbers of rows and columns; and columns of which rows are whole packets. Fewer than 2^32
// elements, so that no two have the same number.
inline constexpr std::size_t rows = size(46357, 75);
inline constexpr std::size_t columns = size(46401, 131);
inline constexpr std::size_t packed_columns = size(46404, 132);
inline constexpr std::size_t elements = rows * columns;
static_assert(on_machine || (elements > std::size_t{1} << 31 && elements < std::size_t{1} << 32));

/// Throws unless that much memory is free: a test that cannot be done has not passed.
inline void need(std::size_t bytes) {
  std::size_t free = 0;
  std::size_t all = 0;
  require(cudaMemGetInfo(&free, &all), "cudaMemGetInfo");
  if (bytes <= free) return;
  const auto gigabytes = [](std::size_t of) { return std::to_string(of >> 30) + " GiB"; };
  throw std::runtime_error("this test needs " + gigabytes(bytes) + " of the GPU's memory, and " +
                           gigabytes(free) + " are free; it is for GPUs of 80 GB");
}

/// Elements that no kernel has written are 0xCBCBCBCB.
inline void poison(Words& words) {
  require(cudaMemset(words.data(), 0xCB, words.size() * sizeof(Word32)), "cudaMemset");
}

template <class Formula>
Words filled_with(std::size_t n, const Formula& formula) {
  Words words(n);
  fill(words.data(), n, formula);
  return words;
}

/// run(b) makes the formula's elements of b, without a fault.
template <class Run, class Formula>
void expect(const char* what, Words& b, Run run, const Formula& formula) {
  poison(b);
  run(b.data());
  take_counts();
  const Differences found = differences(b.data(), b.size(), formula);
  EXPECT_EQ(found.count, 0U) << what << ": " << ::testing::PrintToString(found);
}

/// 1, 2, …
inline std::vector<Word32> weights(std::size_t count) {
  std::vector<Word32> values(count);
  for (std::size_t k = 0; k < count; ++k) values[k] = static_cast<Word32>(k + 1);
  return values;
}

}  // namespace bankproof::cuda::tests::large
