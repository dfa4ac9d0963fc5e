// The sequential times of HMM table I (row D7): the plain sequential sum and the plain direct
// convolution count their operations one by one. An addition or a multiplication takes a time unit.
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "../../algorithms/sum.hpp"
#include "../../oracles/convolution.hpp"
#include "../../oracles/operations.hpp"
#include "../../oracles/sums.hpp"
#include "../../testing/algorithms.hpp"
#include "../../testing/canary.hpp"

namespace bankproof {
namespace {

using oracle::Counted;
using oracle::Operations;
using Words = std::vector<std::uint64_t>;
using CountedNumbers = std::vector<Counted>;

Words any_words(std::uint64_t count) {
  return *rc::gen::container<Words>(count, rc::gen::arbitrary<std::uint64_t>());
}

using SequentialSum = Counted (*)(const CountedNumbers&);

/// Adding n numbers takes n additions: O(n) with the constant 1 and no smaller one.
void takes_an_addition_a_number(SequentialSum sum) {
  const Words words = any_words(testing::any(0, 200));
  Operations counts;
  const Counted result = sum(oracle::counted(words, counts));
  RC_ASSERT(result.value == oracle::sum(words));
  RC_ASSERT(counts.additions == words.size());
  RC_ASSERT(counts.multiplications == 0U);
}

BANKPROOF_PROPERTY(Sequential, sum_takes_an_addition_a_number, ()) {
  takes_an_addition_a_number(oracle::sum<Counted>);
}

BANKPROOF_PROPERTY(Sequential, direct_convolution_takes_2mn_operations, ()) {
  const std::uint64_t m = testing::any(1, 20);
  const std::uint64_t n = testing::any(1, 60);
  const Words x = any_words(m);
  const Words y = any_words(n + m - 1);
  Operations counts;
  const CountedNumbers z =
      oracle::direct_convolution(oracle::counted(x, counts), oracle::counted(y, counts));
  const Words expected = oracle::direct_convolution(x, y);
  RC_ASSERT(z.size() == n);
  for (std::uint64_t i = 0; i < n; ++i) RC_ASSERT(z[i].value == expected[i]);
  // O(mn) with the constant 2, and with no smaller one for any m and n.
  RC_ASSERT(counts.multiplications == m * n);
  RC_ASSERT(counts.additions == m * n);
}

BANKPROOF_PROPERTY(Sequential, times_of_one_processor_of_the_PRAM_are_of_the_same_order, ()) {
  // The next column of table I, O(n/p + log n), with p = 1.
  const std::uint64_t n = testing::any(1, 5000);
  const Task task = testing::task_of<Sum>("columns", MachineParameters::pram(1), {{"n", n}});
  const Time time = lockstep_time(Sum::cost(task), task.machine);
  RC_ASSERT(time >= n);
  RC_ASSERT(time <= n + 2);
}

/// Computes each prefix sum from the first number again.
Counted sum_of_prefixes(const CountedNumbers& numbers) {
  Counted total;
  for (std::size_t end = 1; end <= numbers.size(); ++end) {
    total = oracle::sum(CountedNumbers(numbers.begin(), numbers.begin() + static_cast<long>(end)));
  }
  return total;
}

TEST(Canary, a_sequential_sum_of_quadratic_time_is_caught) {
  EXPECT_TRUE(testing::caught([] { takes_an_addition_a_number(sum_of_prefixes); }));
}

}  // namespace
}  // namespace bankproof
