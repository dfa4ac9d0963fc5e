// validate_permutation against a naive check that remembers first occurrences in a map.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "../../algorithms/permutation/validate.hpp"

namespace bankproof {
namespace {

template <class Index>
std::optional<Defect> naive(const std::vector<Index>& values) {
  const std::uint64_t n = values.size();
  std::optional<Defect> defect;
  std::map<std::uint64_t, std::uint64_t> first;
  for (std::uint64_t i = 0; i < n && !defect; ++i) {
    const bool negative = values[i] < 0;
    const auto size = negative ? 0 - static_cast<std::uint64_t>(values[i])
                               : static_cast<std::uint64_t>(values[i]);
    if (negative) {
      defect = Defect{Defect::Kind::negative, i, size, n, 0, {}, false};
    } else if (size >= n) {
      defect = Defect{Defect::Kind::too_large, i, size, n, 0, {}, false};
    } else if (!first.emplace(size, i).second) {
      defect = Defect{Defect::Kind::repeated, i, size, n, first[size], {}, false};
    }
  }
  if (!defect) return std::nullopt;
  std::uint64_t missing = 0;
  const auto occurs = [&](std::uint64_t wanted) {
    return std::find(values.begin(), values.end(), static_cast<Index>(wanted)) != values.end();
  };
  while (occurs(missing)) ++missing;
  defect->missing = missing;
  std::vector<Index> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  defect->one_based = true;
  for (std::uint64_t i = 0; i < n; ++i) {
    defect->one_based = defect->one_based && sorted[i] == static_cast<Index>(i + 1);
  }
  return defect;
}

template <class Index>
std::optional<Defect> validate(const std::vector<Index>& values) {
  return validate_permutation(std::span<const Index>(values));
}

TEST(ValidatePermutation, agrees_with_a_naive_check_on_all_short_vectors) {
  // All lengths up to 4, all values from -1 to 5.
  std::size_t permutations = 0;
  for (std::size_t n = 0; n <= 4; ++n) {
    std::vector<std::int32_t> values(n, -1);
    for (;;) {
      ASSERT_EQ(validate(values), naive(values)) << ::testing::PrintToString(values);
      permutations += !validate(values);
      std::size_t digit = 0;
      while (digit < n && values[digit] == 5) values[digit++] = -1;
      if (digit == n) break;
      ++values[digit];
    }
  }
  EXPECT_EQ(permutations, 1u + 1 + 2 + 6 + 24);
}

TEST(ValidatePermutation, says_what_is_wrong_first_and_what_is_missing) {
  using enum Defect::Kind;
  EXPECT_EQ(validate<std::uint32_t>({2, 0, 0}), (Defect{repeated, 2, 0, 3, 1, 1, false}));
  EXPECT_EQ(validate<std::uint32_t>({0, 3, 0}), (Defect{too_large, 1, 3, 3, 0, 1, false}));
  EXPECT_EQ(validate<std::int64_t>({1, -7, 5}), (Defect{negative, 1, 7, 3, 0, 0, false}));
  EXPECT_EQ(validate<std::uint64_t>({3, 1, 2}), (Defect{too_large, 0, 3, 3, 0, 0, true}));
  EXPECT_EQ(validate<std::int64_t>({std::numeric_limits<std::int64_t>::min()}),
            (Defect{negative, 0, std::uint64_t{1} << 63, 1, 0, 0, false}));
}

TEST(ValidatePermutation, takes_narrow_indices_that_cannot_number_the_elements) {
  const std::vector<std::uint8_t> zeros(300, 0);
  EXPECT_EQ(validate(zeros), (Defect{Defect::Kind::repeated, 1, 0, 300, 0, 1, false}));
}

template <class Index>
void one_value_is_replaced(const std::vector<Index>& permutation) {
  if (permutation.empty()) return;
  std::vector<Index> values = permutation;
  const auto at = *rc::gen::inRange<std::size_t>(0, values.size());
  values[at] = *rc::gen::inRange<Index>(0, static_cast<Index>(values.size() + 3));
  RC_ASSERT(validate(values) == naive(values));
}

RC_GTEST_PROP(ValidatePermutation, agrees_with_a_naive_check, ()) {
  const auto n = *rc::gen::inRange<std::uint32_t>(0, 300);
  std::vector<std::uint32_t> values(n);
  std::iota(values.begin(), values.end(), 0u);
  std::mt19937 generator(*rc::gen::arbitrary<std::uint32_t>());
  std::shuffle(values.begin(), values.end(), generator);
  RC_ASSERT(!validate(values));
  one_value_is_replaced(values);
  one_value_is_replaced(std::vector<std::int64_t>(values.begin(), values.end()));
}

// The validator looks at values in blocks of 4096.
TEST(ValidatePermutation, looks_at_the_last_value_of_each_block) {
  for (const std::uint32_t n : {4096U, 8192U, 12288U, 12289U, 20000U}) {
    std::vector<std::uint32_t> values(n);
    std::iota(values.begin(), values.end(), 0u);
    for (std::uint32_t last = 4095; last < n + 4095; last += 4096) {
      const std::uint32_t at = std::min(last, n - 1);
      const std::uint32_t was = values[at];
      for (const std::uint32_t wrong : {n, n + 63, 0U}) {
        values[at] = wrong;
        const auto defect = validate(values);
        ASSERT_TRUE(defect) << n << ": " << wrong << " at " << at;
        EXPECT_EQ(defect->index, at);
        EXPECT_EQ(defect->missing, was);
      }
      values[at] = was;
    }
    EXPECT_FALSE(validate(values));
  }
}

TEST(ValidatePermutation, takes_the_prefetching_path_for_many_elements) {
  const auto n = static_cast<std::uint32_t>(detail::prefetch_from + 4099);
  std::vector<std::uint32_t> values(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    values[i] = static_cast<std::uint32_t>(std::uint64_t{i} * 1000003 % n);
  }
  ASSERT_EQ(std::gcd(n, 1000003u), 1u);
  EXPECT_EQ(validate(values), std::nullopt);
  const std::uint32_t lost = values.back();
  values.back() = values[5];
  EXPECT_EQ(validate(values),
            (Defect{Defect::Kind::repeated, n - 1, values[5], n, 5, lost, false}));
  values.back() = n;
  EXPECT_EQ(validate(values), (Defect{Defect::Kind::too_large, n - 1, n, n, 0, lost, false}));
}

}  // namespace
}  // namespace bankproof
