// Sums on a device: they give the oracle's result with the accesses of the model's algorithm.
#include "../../../cuda/kernels/sum/sum.hpp"

#include "../../../algorithms/sum.hpp"
#include "../../../oracles/sums.hpp"
#include "scenarios.hpp"
#include "support.hpp"

namespace bankproof::cuda::tests {
namespace {

template <class T>
class DeviceSum : public ::testing::Test {};
using Numbers = ::testing::Types<std::int32_t, std::uint32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(DeviceSum, Numbers);

template <class T>
T oracle_sum(const std::vector<T>& values) {
  return static_cast<T>(oracle::sum(converted<Word<T>>(values)));
}

SumShape any_sum_shape() {
  return {.blocks = *rc::gen::elementOf(std::vector<std::uint32_t>{0, 1, 2, 7, 40}),
          .threads = *rc::gen::elementOf(std::vector<std::uint32_t>{0, 1, 31, 32, 96, 256, 1024})};
}

TYPED_TEST(DeviceSum, in_shared_memory_is_the_oracles) {
  check([] {
    using T = TypeParam;
    const auto values = numbers<T>(any_size(3000));
    const auto threads = *rc::gen::elementOf(std::vector<std::uint32_t>{1, 32, 33, 100, 1024});
    GuardedArray<T> in(values);
    GuardedArray<T> result(1);
    sum_in_shared_memory<T>(in.in(), result.data(), threads);
    require_equal(result.values(), {oracle_sum(values)}, one_block_of(1));
  });
}

TYPED_TEST(DeviceSum, by_columns_is_the_oracles) {
  check([] {
    using T = TypeParam;
    const auto values = numbers<T>(any_size(5000));
    const SumShape shape = any_sum_shape();
    GuardedArray<T> in(values);
    GuardedArray<T> result(1);
    GuardedArray<std::byte> scratch(sum_scratch_bytes<T>(values.size(), shape));
    sum_by_columns<T>(in.in(), result.data(), scratch.span(), shape);
    require_equal(result.values(), {oracle_sum(values)}, one_block_of(1));
  });
}

TYPED_TEST(DeviceSum, by_packets_is_the_oracles) {
  check([] {
    using T = TypeParam;
    // The values begin anywhere in a packet.
    const auto all = numbers<T>(any_size(20000));
    const auto skipped = std::min(all.size(), *rc::gen::inRange<std::size_t>(0, 4));
    const std::vector<T> values(all.begin() + static_cast<std::ptrdiff_t>(skipped), all.end());
    GuardedArray<T> in(all);
    GuardedArray<T> result(1);
    GuardedArray<std::byte> scratch(sum_scratch_bytes<T>(values.size()));
    sum<T>(in.in().subspan(skipped), result.data(), scratch.span());
    require_equal(result.values(), {oracle_sum(values)}, one_block_of(1));
  });
}

// The kernel's phases are those of `sum all-dmms`, access for access; each block is a DMM.
TEST(DeviceSumOnMachine, by_columns_makes_the_accesses_of_the_model) {
  if (!on_machine) GTEST_SKIP() << "counts are the reference machine's; ci/gpu has the chip's";
  check([] {
    const std::vector<std::int32_t> values(any_size(5000) + 1, 1);
    const auto blocks = *rc::gen::inRange<std::uint32_t>(1, 20);
    const auto threads = 32 * *rc::gen::inRange<std::uint32_t>(1, 9);
    GuardedArray<std::int32_t> in(values);
    GuardedArray<std::int32_t> result(1);
    GuardedArray<std::byte> scratch(sum_scratch_bytes<std::int32_t>(values.size(), {blocks, 0}));
    sum_by_columns<std::int32_t>(in.in(), result.data(), scratch.span(), {blocks, threads});
    const MachineCounts counts = take_counts();

    using bankproof::testing::task_of;
    const Task task = task_of<Sum>(
        "all-dmms",
        {.machine = MachineKind::hmm, .w = 32, .l = 1, .L = 1, .d = blocks, .p = threads},
        {{"n", values.size()}});
    const MachineCounts model = counts_of_model<Sum>(task);
    RC_ASSERT(counts.launches == (blocks == 1 ? 1U : 2U));
    RC_ASSERT(counts.wavefronts == model.wavefronts);
    RC_ASSERT(counts.lines == model.lines);
  });
}

TEST(DeviceSumErrors, name_what_is_wrong) {
  GuardedArray<float> in(std::vector<float>(20000, 1));
  GuardedArray<float> result(1);
  GuardedArray<std::byte> scratch(4);
  EXPECT_THROW(sum_in_shared_memory<float>(in.in(), result.data(), 32), std::invalid_argument);
  EXPECT_THROW(sum<float>(in.in(), result.data(), scratch.span()), std::invalid_argument);
  EXPECT_THROW(sum_by_columns<float>(in.in(), result.data(), scratch.span(), {1, 2000}),
               std::invalid_argument);
  EXPECT_THROW(sum_in_shared_memory<float>(in.in().first(10), result.data(), 2000),
               std::invalid_argument);
}

template <class T>
bool sum_is_right(std::size_t n,
                  const std::function<void(std::span<const T>, T*, std::span<std::byte>)>& sum_of) {
  const auto values = fixed_numbers<T>(n);
  GuardedArray<T> in(values);
  GuardedArray<T> result(1);
  GuardedArray<std::byte> scratch(sum_scratch_bytes<T>(n, {1024, 0}));
  sum_of(in.in(), result.data(), scratch.span());
  return result.values() == std::vector<T>{oracle_sum(values)};
}

template <class T>
void add_scenarios_of_sums(const std::string& type, std::vector<Scenario>& scenarios) {
  scenarios.push_back({"sum_pairwise." + type, [] {
                         return sum_is_right<T>(777, [](auto in, T* result, auto) {
                           sum_in_shared_memory<T>(in, result, 96);
                         });
                       }});
  scenarios.push_back({"sum_columns." + type, [] {
                         return sum_is_right<T>(5001, [](auto in, T* result, auto scratch) {
                           sum_by_columns<T>(in, result, scratch, {3, 160});
                         });
                       }});
  scenarios.push_back({"sum_packets." + type, [] {
                         return sum_is_right<T>(20003, [](auto in, T* result, auto scratch) {
                           sum<T>(in, result, scratch);
                         });
                       }});
}

}  // namespace

std::vector<Scenario> scenarios_of_sums() {
  std::vector<Scenario> scenarios;
  add_scenarios_of_sums<std::int32_t>("int32", scenarios);
  add_scenarios_of_sums<double>("double", scenarios);
  return scenarios;
}

}  // namespace bankproof::cuda::tests
