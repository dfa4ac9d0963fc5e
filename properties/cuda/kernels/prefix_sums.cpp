// Prefix sums on a device: they give the oracle's result with the accesses of the model's
// algorithms.
#include "../../../cuda/kernels/prefix_sums/prefix_sums.hpp"

#include "../../../algorithms/prefix_sums.hpp"
#include "../../../oracles/sums.hpp"
#include "scenarios.hpp"
#include "support.hpp"

namespace bankproof::cuda::tests {
namespace {

template <class T>
std::vector<T> oracle_sums(const std::vector<T>& values) {
  return converted<T>(oracle::prefix_sums(converted<Word<T>>(values)));
}

template <class T>
class DevicePrefixSums : public ::testing::Test {};
using ScannedElements =
    ::testing::Types<std::int32_t, std::uint32_t, std::int64_t, float, double, AffineMap>;
TYPED_TEST_SUITE(DevicePrefixSums, ScannedElements);

std::uint32_t any_threads_to_scan() {
  return *rc::gen::elementOf(std::vector<std::uint32_t>{1, 31, 32, 100, 256, 1024});
}

TYPED_TEST(DevicePrefixSums, simple_in_shared_memory_are_the_oracles) {
  check([] {
    const auto values = numbers<TypeParam>(any_size(3000));
    const auto threads = any_threads_to_scan();
    GuardedArray<TypeParam> in(values);
    GuardedArray<TypeParam> out(values.size());
    prefix_sums_simple_in_shared_memory<TypeParam>(in.in(), out.data(), threads);
    require_equal(out.values(), oracle_sums(values), one_block_of(threads));
  });
}

TYPED_TEST(DevicePrefixSums, optimal_in_shared_memory_are_the_oracles) {
  check([] {
    const auto values = numbers<TypeParam>(any_size(3000));
    const auto threads = any_threads_to_scan();
    GuardedArray<TypeParam> in(values);
    GuardedArray<TypeParam> out(values.size());
    prefix_sums_optimal_in_shared_memory<TypeParam>(in.in(), out.data(), threads);
    require_equal(out.values(), oracle_sums(values), one_block_of(threads));
  });
}

TYPED_TEST(DevicePrefixSums, simple_are_the_oracles) {
  check([] {
    const auto values = numbers<TypeParam>(any_size(2000));
    GuardedArray<TypeParam> in(values);
    GuardedArray<TypeParam> out(values.size());
    GuardedArray<std::byte> scratch(prefix_sums_simple_scratch_bytes<TypeParam>(values.size()));
    prefix_sums_simple<TypeParam>(in.in(), out.data(), scratch.span());
    require_equal(out.values(), oracle_sums(values), a_thread_each(256));
  });
}

TYPED_TEST(DevicePrefixSums, optimal_are_the_oracles) {
  check([] {
    const auto values = numbers<TypeParam>(any_size(2000));
    GuardedArray<TypeParam> in(values);
    GuardedArray<TypeParam> out(values.size());
    GuardedArray<std::byte> scratch(prefix_sums_optimal_scratch_bytes<TypeParam>(values.size()));
    prefix_sums_optimal<TypeParam>(in.in(), out.data(), scratch.span());
    require_equal(out.values(), oracle_sums(values), a_thread_a_pair(256));
  });
}

TYPED_TEST(DevicePrefixSums, in_one_pass_are_the_oracles_in_place_too) {
  check([] {
    const auto values = numbers<TypeParam>(any_size(30000));
    GuardedArray<TypeParam> in(values);
    GuardedArray<TypeParam> out(values.size());
    GuardedArray<std::byte> scratch(prefix_sums_scratch_bytes<TypeParam>(values.size()));
    const bool in_place = *rc::gen::arbitrary<bool>();
    // Random turns: without them each block would find its predecessor finished.
    const DrawnTurns turns(*rc::gen::inRange<std::uint64_t>(0, 6),
                           *rc::gen::arbitrary<std::uint64_t>());
    prefix_sums<TypeParam>(in.in(), in_place ? in.data() : out.data(), scratch.span());
    require_equal(in_place ? in.values() : out.values(), oracle_sums(values));
  });
}

/// The stages of the model's algorithm in a DMM of width 32.
std::uint64_t stages_of_model(const char* variant, std::uint64_t n, std::uint32_t threads) {
  using bankproof::testing::task_of;
  const Task task = task_of<PrefixSums>(
      variant, {.machine = MachineKind::dmm, .w = 32, .l = 1, .p = threads}, {{"n", n}});
  return counts_of_model<PrefixSums>(task).wavefronts;
}

// Besides these accesses, the kernels load n words and write them back, by two contiguous accesses.
TEST(DevicePrefixSumsOnMachine, make_the_accesses_of_the_model) {
  if (!on_machine) GTEST_SKIP() << "counts are the reference machine's; ci/gpu has the chip's";
  check([] {
    const auto n = any_size(3000) + 1;
    const auto threads = 32 * *rc::gen::inRange<std::uint32_t>(1, 33);
    const std::uint64_t copies = 2 * ceil_div(n, 32);
    GuardedArray<std::int32_t> in(std::vector<std::int32_t>(n, 1));
    GuardedArray<std::int32_t> out(n);
    prefix_sums_simple_in_shared_memory<std::int32_t>(in.in(), out.data(), threads);
    RC_ASSERT(take_counts().wavefronts == stages_of_model("simple", n, threads) + copies);
    prefix_sums_optimal_in_shared_memory<std::int32_t>(in.in(), out.data(), threads);
    RC_ASSERT(take_counts().wavefronts == stages_of_model("optimal", n, threads) + copies);
  });
}

TEST(DevicePrefixSumsErrors, name_what_is_wrong) {
  GuardedArray<float> in(std::vector<float>(10000, 1));
  GuardedArray<float> out(10000);
  GuardedArray<std::byte> scratch(4);
  const auto bytes = scratch.span();
  EXPECT_THROW(prefix_sums<float>(in.in(), out.data(), bytes), std::invalid_argument);
  EXPECT_THROW(prefix_sums_simple<float>(in.in(), out.data(), bytes), std::invalid_argument);
  EXPECT_THROW(prefix_sums_optimal<float>(in.in(), out.data(), bytes), std::invalid_argument);
  EXPECT_THROW(prefix_sums_optimal_in_shared_memory<float>(in.in(), out.data(), 32),
               std::invalid_argument);
}

template <class T>
bool prefix_sums_are_right(
    std::size_t n, const std::function<void(std::span<const T>, T*, std::span<std::byte>)>& scan) {
  const auto values = fixed_numbers<T>(n);
  GuardedArray<T> in(values);
  GuardedArray<T> out(n);
  GuardedArray<std::byte> scratch(
      std::max({prefix_sums_simple_scratch_bytes<T>(n), prefix_sums_optimal_scratch_bytes<T>(n),
                prefix_sums_scratch_bytes<T>(n)}));
  scan(in.in(), out.data(), scratch.span());
  return out.values() == oracle_sums(values);
}

template <class T>
void add_scenarios_of_prefix_sums(const std::string& type, std::vector<Scenario>& scenarios) {
  scenarios.push_back({"prefix_sums_simple." + type, [] {
                         return prefix_sums_are_right<T>(777, [](auto in, T* out, auto) {
                           prefix_sums_simple_in_shared_memory<T>(in, out, 96);
                         });
                       }});
  scenarios.push_back({"prefix_sums_optimal." + type, [] {
                         return prefix_sums_are_right<T>(777, [](auto in, T* out, auto) {
                           prefix_sums_optimal_in_shared_memory<T>(in, out, 96);
                         });
                       }});
  scenarios.push_back({"prefix_sums_simple_global." + type, [] {
                         return prefix_sums_are_right<T>(1500, [](auto in, T* out, auto scratch) {
                           prefix_sums_simple<T>(in, out, scratch);
                         });
                       }});
  scenarios.push_back({"prefix_sums_optimal_global." + type, [] {
                         return prefix_sums_are_right<T>(1501, [](auto in, T* out, auto scratch) {
                           prefix_sums_optimal<T>(in, out, scratch);
                         });
                       }});
  scenarios.push_back({"prefix_sums_one_pass." + type,
                       [] {
                         return prefix_sums_are_right<T>(9333, [](auto in, T* out, auto scratch) {
                           prefix_sums<T>(in, out, scratch);
                         });
                       },
                       true});
}

}  // namespace

std::vector<Scenario> scenarios_of_prefix_sums() {
  std::vector<Scenario> scenarios;
  add_scenarios_of_prefix_sums<std::int32_t>("int32", scenarios);
  add_scenarios_of_prefix_sums<AffineMap>("affine", scenarios);
  return scenarios;
}

}  // namespace bankproof::cuda::tests
