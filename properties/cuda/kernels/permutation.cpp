// Permutations on a device, in shared memory and by indices in global memory: they give the
// oracle's result with the accesses of the model's algorithm.
#include "../../../cuda/kernels/permutation/permutation.hpp"

#include "../../../algorithms/permutation/formulas.hpp"
#include "../../../algorithms/permutation/in_place.hpp"
#include "../../../algorithms/permutation/offline.hpp"
#include "../../../model/gpu/chips.hpp"
#include "permutations.hpp"

namespace bankproof::cuda::tests {
namespace {

template <class T>
class DevicePermutation : public ::testing::Test {};
using Numbers = ::testing::Types<std::int32_t, std::uint32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(DevicePermutation, Numbers);

template <class T>
class DevicePermutationInPlaceOnMachine : public ::testing::Test {};
TYPED_TEST_SUITE(DevicePermutationInPlaceOnMachine, Numbers);

std::uint32_t any_threads_to_permute() {
  return *rc::gen::elementOf(std::vector<std::uint32_t>{1, 31, 32, 100, 256, 1024});
}
std::uint32_t any_whole_warps() { return 32 * *rc::gen::inRange<std::uint32_t>(1, 33); }

TYPED_TEST(DevicePermutation, designated_in_shared_memory_are_the_oracles) {
  check([] {
    using T = TypeParam;
    const auto values = numbers<T>(any_size(3000));
    const Permutation permutation = any_permutation(values.size());
    const auto threads = any_threads_to_permute();
    GuardedArray<T> a(values);
    GuardedArray<T> b(values.size());
    GuardedArray<std::uint32_t> p(permutation);
    permute_destination_designated_in_shared_memory<T>(a.in(), b.data(), p.in(), {threads});
    require_equal(b.values(), oracle_permuted(values, permutation), one_block_of(threads));

    GuardedArray<std::int16_t> q(
        indices_as<std::int16_t>(inverse_of(std::span<const std::uint32_t>(permutation))));
    GuardedArray<T> c(values.size());
    permute_source_designated_in_shared_memory<T>(a.in(), c.data(), q.in(), {threads});
    require_equal(c.values(), oracle_permuted(values, permutation), one_block_of(threads));
    GuardedArray<T> d(values.size());
    copy_in_shared_memory<T>(a.in(), d.data(), {threads});
    require_equal(d.values(), values, one_block_of(threads));
  });
}

TYPED_TEST(DevicePermutation, conflict_free_in_shared_memory_are_the_oracles) {
  check([] {
    using T = TypeParam;
    const auto values = numbers<T>(any_size(3000));
    const Permutation permutation = any_permutation(values.size());
    const auto threads = any_whole_warps();
    const auto width = *rc::gen::elementOf(std::vector<Width>{plan_width<T>, 32});
    const auto plan = plan_banks(std::span<const std::uint32_t>(permutation), width);
    GuardedArray<T> a(values);
    GuardedArray<T> b(values.size());
    const auto permute = [&](auto index) {
      DevicePlan<decltype(index)> tables(plan);
      permute_conflict_free_in_shared_memory<T>(a.in(), b.data(), tables.tables(), {threads});
    };
    *rc::gen::arbitrary<bool>() ? permute(std::int16_t{}) : permute(std::uint32_t{});
    require_equal(b.values(), oracle_permuted(values, permutation), one_block_of(threads));
  });
}

TYPED_TEST(DevicePermutation, designated_in_global_memory_are_the_oracles) {
  check([] {
    using T = TypeParam;
    const auto values = numbers<T>(any_size(5000));
    const Permutation permutation = any_permutation(values.size());
    GuardedArray<T> a(values);
    GuardedArray<T> b(values.size());
    GuardedArray<std::uint32_t> p(permutation);
    permute_destination_designated<T>(a.in(), b.data(), p.in());
    const Permutation inverse = inverse_of(std::span<const std::uint32_t>(permutation));
    require_equal(b.values(), oracle_permuted(values, permutation),
                  [&](std::size_t e) { return a_thread_each(256)(inverse[e]); });
    GuardedArray<std::int64_t> q(indices_as<std::int64_t>(inverse));
    GuardedArray<T> c(values.size());
    permute_source_designated<T>(a.in(), c.data(), q.in());
    require_equal(c.values(), oracle_permuted(values, permutation), a_thread_each(256));
  });
}

/// The permutation by its formula.
Permutation named(InPlacePermutation permutation) {
  Permutation values(1024);
  for (std::uint64_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<std::uint32_t>(
        permutation == InPlacePermutation::transpose ? formulas::Transpose{32, 32}(i)
        : permutation == InPlacePermutation::shuffle ? formulas::Shuffle{1024}(i)
                                                     : formulas::BitReversal{1024}(i));
  }
  return values;
}
const std::vector<InPlacePermutation> all_named = {
    InPlacePermutation::transpose, InPlacePermutation::shuffle, InPlacePermutation::bit_reversal};

TYPED_TEST(DevicePermutation, in_place_are_the_oracles) {
  check([] {
    using T = TypeParam;
    const auto values = numbers<T>(1024);
    const auto permutation = *rc::gen::elementOf(all_named);
    const auto variant = *rc::gen::elementOf(std::vector<InPlaceVariant>{
        InPlaceVariant::destination_designated, InPlaceVariant::source_designated,
        InPlaceVariant::conflict_free});
    const auto threads = any_threads_to_permute();
    GuardedArray<T> a(values);
    GuardedArray<T> b(1024);
    permute_in_place_in_shared_memory<T>(a.in(), b.data(), permutation, variant, {threads});
    require_equal(b.values(), oracle_permuted(values, named(permutation)), one_block_of(threads));
  });
}

MachineCounts model_counts(const char* variant, MachineKind machine, std::uint32_t threads,
                           const Permutation& permutation) {
  Task task = bankproof::testing::task_of<OfflinePermutation>(
      variant, {.machine = machine, .w = 32, .l = 1, .L = 1, .d = 1, .p = threads},
      {{"n", permutation.size()}});
  task.permutation = permutation;
  return counts_of_model<OfflinePermutation>(task);
}

// Besides these accesses, the kernels load the array and the indices and write the array back. Each
// of these accesses takes a stage per warp.
TEST(DevicePermutationOnMachine, makes_the_accesses_of_the_model_in_shared_memory) {
  if (!on_machine) GTEST_SKIP() << "counts are the reference machine's; ci/gpu has the chip's";
  check([] {
    const Permutation permutation = any_permutation(any_size(3000) + 1);
    const std::size_t n = permutation.size();
    const std::uint64_t warps = ceil_div(n, 32);
    const auto threads = any_whole_warps();
    GuardedArray<float> a(std::vector<float>(n, 1));
    GuardedArray<float> b(n);
    GuardedArray<std::int16_t> p(indices_as<std::int16_t>(permutation));
    GuardedArray<std::uint32_t> q(inverse_of(std::span<const std::uint32_t>(permutation)));
    DevicePlan<std::int16_t> plan(plan_banks(std::span<const std::uint32_t>(permutation), 32));
    const auto stages = [&](const char* variant) {
      return model_counts(variant, MachineKind::dmm, threads, permutation).wavefronts;
    };
    copy_in_shared_memory<float>(a.in(), b.data(), {threads});
    RC_ASSERT(take_counts().wavefronts == 4 * warps);
    permute_destination_designated_in_shared_memory<float>(a.in(), b.data(), p.in(), {threads});
    RC_ASSERT(take_counts().wavefronts == stages("D-designated") + 3 * warps);
    permute_source_designated_in_shared_memory<float>(a.in(), b.data(), q.in(), {threads});
    RC_ASSERT(take_counts().wavefronts == stages("S-designated") + 3 * warps);
    permute_conflict_free_in_shared_memory<float>(a.in(), b.data(), plan.tables(), {threads});
    RC_ASSERT(take_counts().wavefronts == stages("conflict-free") + 4 * warps);
  });
}

TEST(DevicePermutationOnMachine, repeated_takes_the_same_wavefronts_each_time) {
  if (!on_machine) GTEST_SKIP() << "counts are the reference machine's; ci/gpu has the chip's";
  check([] {
    const Permutation permutation = any_permutation(any_size(2000) + 1);
    const auto warps = static_cast<std::uint64_t>(ceil_div(permutation.size(), 32));
    const auto times = *rc::gen::inRange<std::uint32_t>(1, 6);
    const auto values = numbers<float>(permutation.size());
    GuardedArray<float> a(values);
    GuardedArray<float> b(values.size());
    GuardedArray<std::uint32_t> p(permutation);
    permute_destination_designated_in_shared_memory<float>(a.in(), b.data(), p.in(), {256, times});
    const std::uint64_t stages =
        model_counts("D-designated", MachineKind::dmm, 256, permutation).wavefronts;
    RC_ASSERT(take_counts().wavefronts == times * stages + 3 * warps);
    require_equal(b.values(), oracle_permuted(values, permutation));
  });
}

TYPED_TEST(DevicePermutationInPlaceOnMachine, takes_the_wavefronts_of_its_formulas) {
  if (!on_machine) GTEST_SKIP() << "counts are the reference machine's; ci/gpu has the chip's";
  using T = TypeParam;
  const AccessRule rule = rule_of_shared_memory(sizeof(T));
  const std::uint64_t in_order = wavefronts_in_order<T>(1024);
  check([&] {
    GuardedArray<T> a(std::vector<T>(1024, T{1}));
    GuardedArray<T> b(1024);
    for (const InPlacePermutation permutation : all_named) {
      const Permutation p = named(permutation);
      Permutation target(1024);
      for (std::uint32_t j = 0; j < 1024; ++j) target[j] = p[InPlace{5}.source(j)];
      permute_in_place_in_shared_memory<T>(a.in(), b.data(), permutation,
                                           InPlaceVariant::conflict_free, {256});
      RC_ASSERT(take_counts().wavefronts == 3 * in_order + stages_of_warps(target, rule));
      if (sizeof(T) == 4) RC_ASSERT(stages_of_warps(target, rule) == in_order);
      permute_in_place_in_shared_memory<T>(a.in(), b.data(), permutation,
                                           InPlaceVariant::destination_designated, {256});
      RC_ASSERT(take_counts().wavefronts == 3 * in_order + stages_of_warps(p, rule));
    }
  });
}

// In a plan of width 16 no two elements of a half-warp lie in the same pair of banks.
TEST(DevicePermutationOnMachine, of_8_bytes_takes_the_wavefronts_of_the_rule) {
  if (!on_machine) GTEST_SKIP() << "counts are the reference machine's; ci/gpu has the chip's";
  check([] {
    const Permutation permutation = any_permutation(16 * *rc::gen::inRange<std::size_t>(1, 150));
    const std::size_t n = permutation.size();
    const std::uint64_t in_order = wavefronts_in_order<double>(n);
    const std::uint64_t of_indices = wavefronts_in_order<std::uint32_t>(n);
    GuardedArray<double> a(std::vector<double>(n, 1));
    GuardedArray<double> b(n);
    GuardedArray<std::uint32_t> p(permutation);
    DevicePlan<std::int16_t> plan(plan_banks(std::span<const std::uint32_t>(permutation), 16));
    permute_destination_designated_in_shared_memory<double>(a.in(), b.data(), p.in(), {256});
    RC_ASSERT(take_counts().wavefronts ==
              3 * in_order + 2 * of_indices +
                  stages_of_warps(permutation, rule_of_shared_memory(8)));
    permute_conflict_free_in_shared_memory<double>(a.in(), b.data(), plan.tables(), {256});
    RC_ASSERT(take_counts().wavefronts == 4 * in_order + 4 * of_indices);
  });
}

TEST(DevicePermutationOnMachine, makes_the_accesses_of_the_model_in_global_memory) {
  if (!on_machine) GTEST_SKIP() << "counts are the reference machine's; ci/gpu has the chip's";
  check([] {
    const Permutation permutation = any_permutation(any_size(5000) + 1);
    const std::size_t n = permutation.size();
    const Permutation inverse = inverse_of(std::span<const std::uint32_t>(permutation));
    GuardedArray<float> a(std::vector<float>(n, 1));
    GuardedArray<float> b(n);
    GuardedArray<std::uint32_t> p(permutation);
    GuardedArray<std::uint32_t> q(inverse);
    const AccessRule sectors = *global_rule(*find_chip("sm_90"), 4, 32);
    permute_destination_designated<float>(a.in(), b.data(), p.in());
    const MachineCounts by_target = take_counts();
    RC_ASSERT(by_target.lines ==
              model_counts("D-designated", MachineKind::hmm, 256, permutation).lines);
    RC_ASSERT(by_target.sectors == 2 * ceil_div(n, 8) + stages_of_warps(permutation, sectors));
    permute_source_designated<float>(a.in(), b.data(), q.in());
    const MachineCounts by_source = take_counts();
    RC_ASSERT(by_source.lines ==
              model_counts("S-designated", MachineKind::hmm, 256, permutation).lines);
    RC_ASSERT(by_source.sectors == 2 * ceil_div(n, 8) + stages_of_warps(inverse, sectors));
  });
}

TEST(DevicePermutationErrors, name_what_is_wrong) {
  GuardedArray<float> a(std::vector<float>(100, 1));
  GuardedArray<float> b(100);
  GuardedArray<std::uint32_t> p(shuffled_permutation(100, 1));
  GuardedArray<std::uint64_t> wide(100);
  const IndexSpan few = p.in().first(99);
  const auto in = a.in();
  EXPECT_THROW(permute_destination_designated<float>(in, b.data(), few), std::invalid_argument);
  EXPECT_THROW(permute_source_designated<float>(in, b.data(), few), std::invalid_argument);
  EXPECT_THROW(permute_source_designated_in_shared_memory<float>(in, b.data(), wide.in(), {32}),
               std::invalid_argument);
  EXPECT_THROW(permute_conflict_free_in_shared_memory<float>(in, b.data(), {p.in(), few}, {32}),
               std::invalid_argument);
  EXPECT_THROW(permute_conflict_free_in_shared_memory<float>(in, b.data(), {few, few}, {32}),
               std::invalid_argument);
  EXPECT_THROW(permute_conflict_free_in_shared_memory<float>(in, b.data(), {p.in(), p.in()}, {33}),
               std::invalid_argument);
  EXPECT_THROW(permute_in_place_in_shared_memory<float>(in, b.data(), InPlacePermutation::shuffle,
                                                        InPlaceVariant::conflict_free, {32}),
               std::invalid_argument);
  EXPECT_THROW(copy_in_shared_memory<float>(in, b.data(), {2000}), std::invalid_argument);
  GuardedArray<double> many(20000);
  EXPECT_THROW(copy_in_shared_memory<double>(many.in(), many.data(), {32}), std::invalid_argument);
}

}  // namespace
}  // namespace bankproof::cuda::tests
