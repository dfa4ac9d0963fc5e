// The distribution D_w(P) of a permutation (claim H1; THS 5.2 and 5.6): the number of groups that
// each warp touches in the destination-designated write, added up over all warps. `check --machine
// umm` reports it.
//
// For n ≥ w², both powers of two, D_w is n/w for the identity, 2n/w for the shuffle, and n for
// transpose and bit-reversal. For a random permutation it is nearly n: the mean of n − D_w tends to
// (w−1)²/2.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "../../../algorithms/permutation/conflicts.hpp"
#include "../../../algorithms/permutation/expected.hpp"
#include "../../../algorithms/permutation/named.hpp"

namespace {

using namespace bankproof;
using Permutation = std::vector<std::uint32_t>;

std::uint64_t distribution_of(const Permutation& permutation, Width width) {
  return distribution(std::span<const std::uint32_t>(permutation), width);
}

/// D_w of a named permutation; the inverse permutation must have the same D_w.
std::uint64_t distribution_of(const std::string& specification, Width width) {
  const auto permutation = parse_named(specification).generate<std::uint32_t>();
  const Permutation inverse = inverse_of(std::span<const std::uint32_t>(permutation));
  const std::uint64_t result = distribution_of(permutation, width);
  EXPECT_EQ(distribution_of(inverse, width), result) << specification;
  return result;
}

TEST(Distribution, has_the_closed_forms_from_the_square_of_the_width_on) {
  for (const Width width : {2u, 4u, 8u, 16u, 32u}) {
    for (std::uint64_t side = width; side <= std::uint64_t{8} * width; side *= 2) {
      const std::uint64_t n = side * side;
      const std::string size = std::to_string(n);
      const std::string sides = std::to_string(side) + "x" + std::to_string(side);
      EXPECT_EQ(distribution_of("identity:" + size, width), n / width);
      EXPECT_EQ(distribution_of("shuffle:" + size, width), 2 * n / width);
      EXPECT_EQ(distribution_of("unshuffle:" + size, width), 2 * n / width);
      EXPECT_EQ(distribution_of("transpose:" + sides, width), n);
      EXPECT_EQ(distribution_of("bit-reversal:" + size, width), n);
    }
  }
}

TEST(Distribution, of_transpose_and_bit_reversal_falls_short_below_the_square_of_the_width) {
  EXPECT_LT(distribution_of("transpose:16x16", 32), 256u);
  EXPECT_LT(distribution_of("bit-reversal:512", 32), 512u);
}

TEST(Distribution, of_random_permutations_falls_short_by_half_the_square_of_the_width_less_one) {
  for (const double width : {2.0, 4.0, 32.0}) {
    EXPECT_NEAR(expected_shortfall(1 << 22, width), (width - 1) * (width - 1) / 2, 0.05);
  }
}

TEST(Distribution, is_expected_without_cancellation_where_n_is_large) {
  for (const double n : {0x1p30, 0x1p36}) EXPECT_NEAR(expected_shortfall(n, 32), 480.5, 0.01);
}

// The shortfall counts rare and nearly independent coincidences, so its variance is about the same
// as its mean. The test requires that the average of the samples lies within five deviations of the
// mean.
void expect_average(std::uint32_t n, Width width, int samples) {
  std::mt19937 random(n + width);
  Permutation permutation(n);
  std::iota(permutation.begin(), permutation.end(), 0u);
  const double expected = expected_shortfall(n, width);
  double sum = 0;
  for (int sample = 0; sample < samples; ++sample) {
    std::shuffle(permutation.begin(), permutation.end(), random);
    sum += n - static_cast<double>(distribution_of(permutation, width));
  }
  EXPECT_NEAR(sum / samples, expected, 5 * std::sqrt(expected / samples))
      << "n " << n << ", width " << width;
}

TEST(Distribution, of_random_permutations_averages_what_is_expected) {
  expect_average(1 << 12, 32, 200);
  expect_average(1 << 16, 32, 20);
  expect_average(1 << 12, 4, 200);
  expect_average(3 * 1000, 3, 200);
}

// Table 5.3 of THS gives D_w/n for 1000 random permutations of 4M elements: at least 0.99987, on
// average 0.99989, at most 0.99990. The average is the expectation. The deviation is about 22
// groups, so the extremes among 1000 samples lie some 3.2 deviations away.
TEST(Distribution, of_four_million_reproduces_table_5_3) {
  constexpr double n = 1 << 22;
  const double shortfall = expected_shortfall(n, 32);
  const double deviation = std::sqrt(shortfall);
  const auto five_decimals = [](double value) { return std::round(value * 1e5) / 1e5; };
  EXPECT_EQ(five_decimals(1 - shortfall / n), 0.99989);
  EXPECT_EQ(five_decimals(1 - (shortfall + 3.2 * deviation) / n), 0.99987);
  EXPECT_EQ(five_decimals(1 - (shortfall - 3.2 * deviation) / n), 0.99990);
  expect_average(1 << 22, 32, 3);
}

}  // namespace
