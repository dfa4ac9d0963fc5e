// Affine permutations on a device: they give the oracle's result, and need no more accesses than a
// copy.
#include "../../../cuda/kernels/permutation/affine_permutation.hpp"

#include "../../../algorithms/permutation/named.hpp"
#include "permutations.hpp"

namespace bankproof::cuda::tests {
namespace {

template <class T>
class DeviceAffinePermutation : public ::testing::Test {};
using Numbers = ::testing::Types<std::int32_t, std::uint32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(DeviceAffinePermutation, Numbers);

template <class T>
class DeviceAffinePermutationOnMachine : public ::testing::Test {};
TYPED_TEST_SUITE(DeviceAffinePermutationOnMachine, Numbers);

Permutation values_of(const bankproof::AffineMap& map) {
  Permutation values(std::size_t{1} << map.bits);
  for (std::uint32_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint32_t>(map(i));
  return values;
}

/// Any one-to-one map, or the map of a named permutation.
bankproof::AffineMap any_map(unsigned least_bits) {
  const auto bits = *rc::gen::inRange<unsigned>(least_bits, 15);
  const std::string n = std::to_string(1U << bits);
  const auto kind = *rc::gen::weightedElement<int>({{3, 0}, {1, 1}, {1, 2}, {1, 3}});
  if (kind > 0 && bits > 1) {
    const std::string half = std::to_string(1U << (bits / 2));
    const std::string rest = std::to_string(1U << (bits - bits / 2));
    const std::string name = kind == 1   ? "bit-reversal:" + n
                             : kind == 2 ? "shuffle:" + n
                                         : "transpose:" + half + "x" + rest;
    const auto permutation = parse_named(name).generate<std::uint32_t>();
    return *affine_form(std::span<const std::uint32_t>(permutation)).map;
  }
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  bankproof::AffineMap map{bits, {}, random() & mask};
  do {
    for (unsigned k = 0; k < bits; ++k) map.columns[k] = random() & mask;
  } while (!is_invertible(map));
  return map;
}

TYPED_TEST(DeviceAffinePermutation, is_the_oracles) {
  check([] {
    using T = TypeParam;
    const bankproof::AffineMap map = any_map(0);
    const auto values = numbers<T>(std::size_t{1} << map.bits);
    GuardedArray<T> a(values);
    GuardedArray<T> b(values.size());
    permute_affine<T>(a.in(), b.data(), map);
    require_equal(b.values(), oracle_permuted(values, values_of(map)));
  });
}

TYPED_TEST(DeviceAffinePermutationOnMachine, makes_the_accesses_of_a_copy_through_shared_memory) {
  if (!on_machine) GTEST_SKIP() << "counts are the reference machine's; ci/gpu has the chip's";
  check([] {
    using T = TypeParam;
    const bankproof::AffineMap map = any_map(5);
    const std::size_t n = std::size_t{1} << map.bits;
    GuardedArray<T> a(std::vector<T>(n, T{1}));
    GuardedArray<T> b(n);
    permute_affine<T>(a.in(), b.data(), map);
    const MachineCounts counts = take_counts();
    RC_ASSERT(counts.launches == 1U);
    RC_ASSERT(counts.wavefronts == 2 * wavefronts_in_order<T>(n));
    RC_ASSERT(counts.lines == 2 * lines_in_order<T>(n));
    RC_ASSERT(counts.sectors == 2 * n * sizeof(T) / 32);
  });
}

TEST(DeviceAffinePermutation, of_a_plans_functions_is_the_plans) {
  check([] {
    const bankproof::AffineMap map = any_map(5);
    const AffinePlan made = plan_affine(map, 32);
    // The plan in the form that a plan.h holds.
    const auto s = [&](std::uint64_t j) { return static_cast<std::int32_t>(made.s(j)); };
    const auto d = [&](std::uint64_t j) { return static_cast<std::int32_t>(made.d(j)); };
    const AffinePlan plan{32, affine_map_of(map.bits, s), affine_map_of(map.bits, d)};
    RC_ASSERT((permutation_of(plan) == map));
  });
}

TEST(DeviceAffinePermutationErrors, name_what_is_wrong) {
  GuardedArray<float> a(std::vector<float>(64, 1));
  GuardedArray<float> b(64);
  bankproof::AffineMap map{6, {1, 2, 4, 8, 16, 31}, 0};
  EXPECT_THROW(permute_affine<float>(a.in(), b.data(), map), std::invalid_argument);
  map.columns[5] = 32;
  EXPECT_THROW(permute_affine<float>(a.in().first(63), b.data(), map), std::invalid_argument);
  map.columns[5] = 96;
  EXPECT_THROW(permute_affine<float>(a.in(), b.data(), map), std::invalid_argument);
}

}  // namespace
}  // namespace bankproof::cuda::tests
