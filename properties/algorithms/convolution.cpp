// Direct convolution (rows D1–D6).
#include "../../algorithms/convolution.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "../../testing/algorithms.hpp"
#include "../../testing/one_run.hpp"

namespace bankproof {
namespace {

BANKPROOF_HMM_ALGORITHM(Convolution)

/// One thread keeps x and the last numbers of y in registers; computing in registers takes no time.
Program convolve_in_registers(Warp& warp, Array<std::uint64_t>& x, Array<std::uint64_t>& y,
                              Array<std::uint64_t>& z) {
  std::vector<std::uint64_t> factors;
  for (Address j = 0; j < x.size(); ++j) {
    const auto factor = co_await x.read(warp.same(j));
    factors.push_back(factor[0]);
  }
  std::vector<std::uint64_t> sums(z.size());
  for (Address i = 0; i < y.size(); ++i) {
    const auto number = co_await y.read(warp.same(i));
    for (Address j = 0; j < factors.size(); ++j) {
      if (i >= j && i - j < sums.size()) sums[i - j] += factors[j] * number[0];
    }
  }
  for (Address i = 0; i < sums.size(); ++i) {
    const auto sum = warp.all(sums[i]);
    co_await z.write(warp.same(i), sum);
  }
}

TEST(Convolution, with_free_computation_and_registers_refutes_the_speed_up_bound) {
  // The bound of HMM IX, mn/(dw) time units, is 64 for w = p = d = l = L = 1 and m = n = 8.
  Hmm machine({.dmms = 1, .width = 1});
  const std::vector<std::uint64_t> factors = {1, 2, 3, 4, 5, 6, 7, 8};
  const std::vector<std::uint64_t> numbers = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9};
  Array<std::uint64_t> x(machine.global(), factors, "x");
  Array<std::uint64_t> y(machine.global(), numbers, "y");
  Array<std::uint64_t> z(machine.global(), 8, "z");
  EXPECT_EQ(machine.launch({.threads = 1}, convolve_in_registers, x, y, z), 31U);
  EXPECT_TRUE(std::ranges::equal(z.values(), oracle::direct_convolution(factors, numbers)));
}

TEST(Convolution, of_all_values_is_decided_by_one_run_for_each_size_to_12) {
  for (const Variant& variant : Convolution::variants) {
    for (const std::uint64_t p : {3U, 8U, 20U}) {
      for (std::uint64_t m = 1; m <= 12; ++m) {
        for (std::uint64_t n = 1; n <= 12; ++n) {
          const Task task = testing::task_of<Convolution>(
              variant.name,
              {.machine = variant.machines.front(), .w = 4, .l = 2, .L = 3, .d = 3, .p = p},
              {{"m", m}, {"n", n}});
          if (!Convolution::refusal(task).empty()) continue;
          ASSERT_TRUE(testing::decided_on_indeterminates<Convolution>(task));
        }
      }
    }
  }
}

}  // namespace
}  // namespace bankproof
