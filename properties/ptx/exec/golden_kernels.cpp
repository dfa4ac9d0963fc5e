// Kernels written by compilers give the results of their sources.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <numeric>

#include "../kernel_run.hpp"
#include "../support.hpp"

namespace bankproof::ptx {
namespace {

using ::testing::IsEmpty;

TEST(GoldenKernels, transpose) {
  constexpr std::uint32_t n = 96;
  std::vector<float> in(n * n);
  std::iota(in.begin(), in.end(), 1.0F);
  KernelRun run(golden("transpose.ptx"), "_Z9transposePKfPfi");
  run.buffer(in);
  const std::uint32_t out = run.buffer(std::vector<float>(n * n));
  run.value(n);
  const LaunchResult& result = run.launch({n / 32, n / 32, 1}, {32, 32, 1});
  EXPECT_THAT(run.faults(), IsEmpty());
  const std::vector<float> got = run.data<float>(out);
  for (std::uint32_t y = 0; y < n; ++y) {
    for (std::uint32_t x = 0; x < n; ++x) ASSERT_EQ(got[x * n + y], in[y * n + x]);
  }
  EXPECT_EQ(result.visits.front(), n * n / 32);
  EXPECT_EQ(result.lanes.front(), n * n);
  EXPECT_EQ(result.thread_instructions % (n * n), 0U);
}

TEST(GoldenKernels, reduction) {
  constexpr std::uint32_t n = 1000;
  std::vector<float> in(n);
  for (std::uint32_t i = 0; i < n; ++i) in[i] = static_cast<float>(i % 17);
  KernelRun run(golden("reduction.ptx"), "_Z9reductionPKfPfi");
  run.buffer(in);
  const std::uint32_t out = run.buffer(std::vector<float>(4));
  run.value(n);
  run.launch({4, 1, 1}, {256, 1, 1});
  EXPECT_THAT(run.faults(), IsEmpty());
  const std::vector<float> sums = run.data<float>(out);
  for (std::uint32_t b = 0; b < 4; ++b) {
    EXPECT_EQ(sums[b],
              std::accumulate(in.begin() + 256 * b, in.begin() + std::min(n, 256 * (b + 1)), 0.0F));
  }
  // The module's variable has counted the warps.
  ASSERT_EQ(run.memory()[2].name, "__device__ warps_done");
  EXPECT_EQ(run.data<int>(2), std::vector<int>{32});
}

template <class Key>
void check_histogram(const std::string& entry, std::uint32_t digit) {
  constexpr std::uint32_t n = 3000;
  std::vector<Key> keys(n);
  for (std::uint32_t i = 0; i < n; ++i) keys[i] = static_cast<Key>(std::uint64_t{i} * 2654435761U);
  KernelRun run(golden("histogram.ptx"), entry);
  run.buffer(keys);
  const std::uint32_t out = run.buffer(std::vector<int>(256));
  run.value(n);
  run.value(digit);
  run.launch({1, 1, 1}, {128, 1, 1}, {}, 1024);
  EXPECT_THAT(run.faults(), IsEmpty());
  std::vector<int> expected(256);
  for (const Key key : keys) ++expected[static_cast<std::size_t>(key >> (8 * digit) & 255U)];
  EXPECT_EQ(run.data<int>(out), expected);
}

TEST(GoldenKernels, histogram) {
  check_histogram<std::uint32_t>("_Z9histogramIjEvPKT_Piii", 1);
  check_histogram<std::uint64_t>("_Z9histogramIyEvPKT_Piii", 2);
}

struct Step {
  alignas(16) float velocity[4];
  double seconds;
  int count;
  signed char sign;
};

void move_particles(Level level) {
  const Step step{{1.0F, -2.5F, 3.25F, 0.0F}, 0.3, 70, -1};
  std::vector<float> positions(4 * 96);
  std::iota(positions.begin(), positions.end(), 0.5F);
  KernelRun run(golden("particles.ptx"), "_Z9particlesP6float44Step", level);
  const std::uint32_t moved = run.buffer(positions);
  run.value(step);
  run.launch({3, 1, 1}, {32, 1, 1});
  EXPECT_THAT(run.faults(), IsEmpty());
  const double seconds = step.sign * step.seconds * 0.5;
  for (std::size_t i = 0; i < 70; ++i) {
    for (std::size_t c = 0; c < 3; ++c) {
      positions[4 * i + c] += static_cast<float>(step.velocity[c] * seconds);
    }
  }
  EXPECT_EQ(run.data<float>(moved), positions);
}

TEST(GoldenKernels, particles) {
  move_particles(Level::portable);
  move_particles(best_level());
}

TEST(GoldenKernels, divergence) {
  constexpr std::uint32_t n = 256;
  constexpr int limit = 40;
  std::vector<std::uint32_t> in(n);
  for (std::uint32_t i = 0; i < n; ++i) in[i] = i * 37 % 101;
  KernelRun run(golden("divergence.ptx"), "_Z10divergencePKjPji");
  run.buffer(in);
  const std::uint32_t out = run.buffer(std::vector<std::uint32_t>(n + 2, 99));
  run.value(limit);
  run.launch({2, 1, 1}, {n / 2, 1, 1});
  std::vector<std::uint32_t> expected(n + 2, 99);
  // Two threads may write to one word, which is a race; then either value is right.
  std::vector<bool> contested(n + 2);
  for (std::uint32_t i = 0; i < n; ++i) {
    std::uint32_t value = in[i];
    if (value == 0) continue;
    std::uint32_t steps = 0;
    while (value != 1) {
      value = value % 2 == 0 ? value / 2 : 3 * value + 1;
      if (++steps == limit) break;
    }
    switch (i % 8) {
      case 0:
        steps += 7;
        break;
      case 1:
        steps *= 5;
        break;
      case 2:
        steps ^= value;
        break;
      case 3:
        contested[i + 1] = true;
        steps -= 3;
        break;
      case 4:
        steps -= 3;
        break;
      case 5:
        contested[i + 2] = true;
        break;
      case 6:
        steps = ~steps;
        break;
      default:
        continue;
    }
    expected[i] = steps;
  }
  const std::vector<std::uint32_t> got = run.data<std::uint32_t>(out);
  for (std::uint32_t i = 0; i < n; ++i) {
    if (!contested[i]) {
      EXPECT_EQ(got[i], expected[i]) << i;
    }
  }
}

int descend(int n) { return n < 2 ? n : descend(n / 2) + descend(n / 3); }

TEST(GoldenKernels, calls) {
  for (const int n : {90, 91, 7}) {
    KernelRun run(golden("calls.ptx"), "_Z5callsPii");
    const std::uint32_t out = run.buffer(std::vector<int>(64));
    run.value(n);
    run.launch({1, 1, 1}, {64, 1, 1});
    EXPECT_THAT(run.faults(), IsEmpty());
    const std::vector<int> got = run.data<int>(out);
    for (int i = 0; i < 64; ++i) {
      const int last = std::min(n % 3 == 0 ? 2 * n : n / 2, 100);
      EXPECT_EQ(got[static_cast<std::size_t>(i)], descend(last - i)) << n << ' ' << i;
    }
  }
}

TEST(GoldenKernels, refuse_what_they_cannot_have) {
  KernelRun run(golden("transpose.ptx"), "_Z9transposePKfPfi");
  EXPECT_THROW(run.launch({1, 1, 1}, {32, 32, 1}), std::invalid_argument);
  run.buffer(std::vector<float>(1));
  run.buffer(std::vector<float>(1));
  run.value(1);
  EXPECT_THROW(run.launch({1, 1, 1}, {32, 33, 1}), std::invalid_argument);
  EXPECT_THROW(run.launch({0, 1, 1}, {32, 1, 1}), std::invalid_argument);
}

TEST(GoldenKernels, matrices) {
  // Small integers as f16, two per word.
  const auto bits = [](int value) {
    if (value == 0) return 0U;
    const auto magnitude = static_cast<std::uint32_t>(std::abs(value));
    const auto exponent = static_cast<std::uint32_t>(std::bit_width(magnitude)) - 1;
    return (value < 0 ? 0x8000U : 0U) | (exponent + 15) << 10U |
           (magnitude << (10 - exponent) & 0x3FFU);
  };
  const auto a = [](std::uint32_t row, std::uint32_t column) {
    return static_cast<int>(row * 3 + column * 5) % 11 - 5;
  };
  const auto b = [](std::uint32_t row, std::uint32_t column) {
    return static_cast<int>(row * 7 + column) % 9 - 4;
  };
  std::vector<std::uint32_t> words_a(16 * 8);
  std::vector<std::uint32_t> words_b(16 * 4);
  for (std::uint32_t row = 0; row < 16; ++row) {
    for (std::uint32_t j = 0; j < 8; ++j) {
      words_a[row * 8 + j] = bits(a(row, 2 * j)) | bits(a(row, 2 * j + 1)) << 16U;
    }
    for (std::uint32_t j = 0; j < 4; ++j) {
      words_b[row * 4 + j] = bits(b(row, 2 * j)) | bits(b(row, 2 * j + 1)) << 16U;
    }
  }
  KernelRun run(golden("matrices.ptx"), "_Z8matricesPKjS0_PfPj");
  run.buffer(words_a);
  run.buffer(words_b);
  const std::uint32_t d = run.buffer(std::vector<float>(16 * 8));
  const std::uint32_t transposed = run.buffer(std::vector<std::uint32_t>(8 * 4));
  run.launch({1, 1, 1}, {32, 1, 1});
  EXPECT_THAT(run.faults(), IsEmpty());
  const auto sums = run.data<float>(d);
  for (std::uint32_t row = 0; row < 16; ++row) {
    for (std::uint32_t column = 0; column < 8; ++column) {
      // The old values: 1, 2 in the upper half, 3, 4 in the lower half.
      int sum = static_cast<int>(1 + column % 2 + row / 8 * 2);
      for (std::uint32_t k = 0; k < 16; ++k) sum += a(row, k) * b(k, column);
      EXPECT_EQ(sums[row * 8 + column], static_cast<float>(sum)) << row << ' ' << column;
    }
  }
  const auto words = run.data<std::uint32_t>(transposed);
  for (std::uint32_t row = 0; row < 8; ++row) {
    for (std::uint32_t j = 0; j < 4; ++j) {
      EXPECT_EQ(words[row * 4 + j], bits(a(2 * j, row)) | bits(a(2 * j + 1, row)) << 16U);
    }
  }
}

}  // namespace
}  // namespace bankproof::ptx
