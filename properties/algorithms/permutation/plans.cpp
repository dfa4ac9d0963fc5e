// Conflict-free plans (rows R3 and R4): every permutation has a plan that the verifier accepts and
// that moves an array on the machine without a conflict. The verifier refuses every plan with one
// changed number.
#include "../../../testing/plans.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../../../algorithms/permutation/conflicts.hpp"
#include "../../../algorithms/permutation/named.hpp"
#include "../../../testing/canary.hpp"
#include "../../../testing/property.hpp"
#include "../../../testing/structured.hpp"

namespace bankproof::testing {
namespace {

BANKPROOF_PROPERTY(Plans, are_right_for_every_permutation_and_width, (const PermutedWarps& drawn)) {
  const Plan plan = plan_of(drawn.permutation, drawn.width);
  RC_ASSERT(plan.s.size() == ceil_div(drawn.permutation.size(), drawn.width) * drawn.width);
  const auto defect = defect_of(drawn.permutation, plan);
  if (defect) RC_FAIL(describe(*defect));
  if (drawn.width <= widest_warp) RC_ASSERT(moves_as(drawn.permutation, plan));
}

BANKPROOF_PROPERTY(Plans, of_structured_permutations_are_right, ()) {
  const Permutation permutation = *structured_permutation();
  const Width width = *rc::gen::oneOf(rc::gen::inRange<Width>(1, 70), rc::gen::just(Width{32}));
  const Plan plan = plan_of(permutation, width);
  RC_ASSERT(!defect_of(permutation, plan));
  if (width <= widest_warp) RC_ASSERT(moves_as(permutation, plan));
}

/// Permutations long enough for several chunks of the peeling planner: random and structured
/// permutations; one near the identity; one that writes each block of elements to a single bank;
/// and one that reads each block of elements from a single bank.
std::vector<std::pair<std::string, Permutation>> long_permutations(std::uint32_t n) {
  std::vector<std::pair<std::string, Permutation>> result;
  for (const std::string name : {"random", "identity"}) {
    result.emplace_back(name,
                        parse_named(name + ":" + std::to_string(n)).generate<std::uint32_t>());
  }
  Permutation by_bank(n);  // first come all elements that P writes to bank 0 of 32
  std::uint32_t next = 0;
  for (std::uint32_t bank = 0; bank < 32; ++bank) {
    for (std::uint32_t target = bank; target < n; target += 32) by_bank[next++] = target;
  }
  result.emplace_back("bank after bank", by_bank);
  result.emplace_back("its inverse", inverse_of(std::span<const std::uint32_t>(by_bank)));
  Permutation near = result[1].second;
  for (std::uint32_t i = 0; i + 100 < n; i += 1000) std::swap(near[i], near[i + 77]);
  result.emplace_back("near the identity", near);
  return result;
}

TEST(Plans, of_long_permutations_are_right) {
  for (const std::uint32_t n : {1U << 18, 200'003U}) {
    for (const auto& [name, permutation] : long_permutations(n)) {
      for (const Width width : {1U, 7U, 32U, 64U, 100U}) {
        const auto defect = defect_of(permutation, plan_of(permutation, width));
        EXPECT_FALSE(defect) << name << " of " << n << ", width " << width << ": "
                             << describe(*defect);
      }
    }
  }
  for (const std::string name :
       {"transpose:512x512", "transpose:1000x300", "bit-reversal:262144"}) {
    const auto permutation = parse_named(name).generate<std::uint32_t>();
    for (const Width width : {32U, 48U})
      EXPECT_FALSE(defect_of(permutation, plan_of(permutation, width)));
  }
}

TEST(Plans, of_several_parts_and_of_wide_and_deep_banks_are_right) {
  for (const auto& [n, width] : {std::pair{2'200'000U, 32U}, {66U * 66000U - 3U, 66U}}) {
    const auto permutation = parse_named("random:" + std::to_string(n)).generate<std::uint32_t>();
    const auto defect = defect_of(permutation, plan_of(permutation, width));
    EXPECT_FALSE(defect) << describe(*defect);
  }
}

TEST(Plans, of_the_METIS_ordering_are_right) {
  std::ifstream file(BANKPROOF_SOURCE "/examples/metis-nd-grid128x128.iperm");
  const Permutation permutation{std::istream_iterator<std::uint32_t>(file), {}};
  ASSERT_EQ(permutation.size(), 16384U);
  for (const Width width : {1U, 16U, 31U, 32U, 1024U}) {
    const Plan plan = plan_of(permutation, width);
    EXPECT_FALSE(defect_of(permutation, plan)) << width;
    if (width <= widest_warp) {
      EXPECT_TRUE(moves_as(permutation, plan)) << width;
    }
  }
}

TEST(Plans, of_named_permutations_are_right) {
  for (const NamedEntry& entry : named_permutations) {
    const auto permutation = parse_named(entry.example).generate<std::uint32_t>();
    for (const Width width : {3U, 32U}) {
      const Plan plan = plan_of(permutation, width);
      EXPECT_FALSE(defect_of(permutation, plan)) << entry.name;
      EXPECT_TRUE(moves_as(permutation, plan)) << entry.name;
    }
  }
}

// The S and D that THS 4.1 prints for n = 16, w = 4. They satisfy P(S(j)) = D(j), as in lemma
// 4.2.2, but not the printed condition S⁻¹(D(j)) = P(j).
TEST(Plans, of_THS_4_1_are_right) {
  const Permutation p = {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15};
  const Plan printed{4,
                     {0, 5, 10, 15, 1, 6, 11, 12, 2, 7, 8, 13, 3, 4, 9, 14},
                     {0, 5, 10, 15, 4, 9, 14, 3, 8, 13, 2, 7, 12, 1, 6, 11}};
  EXPECT_FALSE(defect_of(p, printed));
  EXPECT_TRUE(moves_as(p, printed));
  const auto place = std::find(printed.s.begin(), printed.s.end(), printed.d[1]);
  EXPECT_NE(static_cast<std::uint32_t>(place - printed.s.begin()), p[1]);
}

// Among any three of the four elements, two lie in one bank of a or of b.
TEST(Plans, cannot_always_leave_idle_lanes_to_the_last_warp) {
  const Permutation p = {1, 0, 3, 2};
  for (std::uint32_t left_out = 0; left_out < 4; ++left_out) {
    std::set<std::uint32_t> from;
    std::set<std::uint32_t> to;
    for (std::uint32_t i = 0; i < 4; ++i) {
      if (i == left_out) continue;
      from.insert(i % 3);
      to.insert(p[i] % 3);
    }
    EXPECT_LT(std::min(from.size(), to.size()), 3U);
  }
}

TEST(Plans, need_an_index_type_that_numbers_their_lanes) {
  const std::vector<std::uint8_t> permutation = [] {
    std::vector<std::uint8_t> values(254);
    std::iota(values.begin(), values.end(), std::uint8_t{0});
    return values;
  }();
  EXPECT_EQ(plan_banks(std::span<const std::uint8_t>(permutation), 2).s.size(), 254U);
  EXPECT_THROW(plan_banks(std::span<const std::uint8_t>(permutation), 4), std::length_error);
}

// The verifier.

/// A plan in which one number of S or D has another value.
Plan corrupted(const PermutedWarps& drawn) {
  Plan plan = plan_of(drawn.permutation, drawn.width);
  auto& lanes = *rc::gen::arbitrary<bool>() ? plan.s : plan.d;
  auto& lane = lanes[*rc::gen::inRange<std::size_t>(0, lanes.size())];
  const auto size = static_cast<std::uint32_t>(drawn.permutation.size());
  const auto value = *rc::gen::oneOf(rc::gen::inRange<std::uint32_t>(0, size + 2),
                                     rc::gen::just(idle<std::uint32_t>));
  RC_PRE(value != lane);
  lane = value;
  return plan;
}

BANKPROOF_PROPERTY(Verifier, refuses_every_plan_with_a_number_changed,
                   (const PermutedWarps& drawn)) {
  RC_PRE(!drawn.permutation.empty());
  RC_ASSERT(defect_of(drawn.permutation, corrupted(drawn)));
}

/// Whether the lanes are a plan, tested by the definition.
template <class Lane>
bool is_plan(const std::vector<Lane>& p, const std::vector<Lane>& s, const std::vector<Lane>& d,
             std::size_t width) {
  std::multiset<Lane> moved;
  for (std::size_t warp = 0; warp < s.size(); warp += width) {
    std::set<std::size_t> from;
    std::set<std::size_t> to;
    for (std::size_t j = warp; j < warp + width; ++j) {
      if (s[j] == static_cast<Lane>(-1) && d[j] == static_cast<Lane>(-1)) continue;
      const auto source = static_cast<std::size_t>(s[j]);
      if (source >= p.size() || d[j] != p[source]) return false;
      if (!from.insert(source % width).second) return false;
      if (!to.insert(static_cast<std::size_t>(d[j]) % width).second) return false;
      moved.insert(s[j]);
    }
  }
  return moved.size() == p.size() && std::set<Lane>(moved.begin(), moved.end()).size() == p.size();
}

/// Verifies all S and D with values −1 … n, for all permutations of n elements.
template <class Lane>
void verify_all(std::size_t n, std::size_t width) {
  std::vector<Lane> p(n);
  std::iota(p.begin(), p.end(), Lane{0});
  const std::size_t lanes = (n + width - 1) / width * width;
  std::vector<Lane> both(2 * lanes);
  std::uint64_t right = 0;
  do {
    const auto values = static_cast<std::uint64_t>(n + 2);
    std::uint64_t all = 1;
    for (std::size_t k = 0; k < both.size(); ++k) all *= values;
    for (std::uint64_t number = 0; number < all; ++number) {
      std::uint64_t rest = number;
      for (Lane& lane : both) {
        lane = static_cast<Lane>(static_cast<Lane>(rest % values) - 1);
        rest /= values;
      }
      const std::vector<Lane> s(both.begin(), both.begin() + static_cast<std::ptrdiff_t>(lanes));
      const std::vector<Lane> d(both.begin() + static_cast<std::ptrdiff_t>(lanes), both.end());
      const bool accepted = !verify_plan(std::span<const Lane>(p), std::span<const Lane>(s),
                                         std::span<const Lane>(d), static_cast<Width>(width));
      ASSERT_EQ(accepted, is_plan(p, s, d, width));
      right += accepted ? 1 : 0;
    }
  } while (std::next_permutation(p.begin(), p.end()));
  EXPECT_GT(right, 0U);
}

TEST(Verifier, judges_all_small_plans_by_the_definition) {
  for (const auto& [n, width] :
       {std::pair{std::size_t{3}, std::size_t{2}}, {2, 2}, {2, 3}, {3, 3}, {2, 1}}) {
    verify_all<std::uint32_t>(n, width);
    verify_all<std::int16_t>(n, width);
  }
}

// The last value of a type also means −1, so it counts as idle at every width.
TEST(Verifier, takes_the_value_of_idle_lanes_for_no_element) {
  std::vector<std::uint8_t> p(256);
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = static_cast<std::uint8_t>(i + 1);
  std::vector<std::uint8_t> s(256);
  std::iota(s.begin(), s.end(), std::uint8_t{0});
  for (const Width width : {1U, 2U, 64U, 128U}) {
    EXPECT_TRUE(verify_plan(std::span<const std::uint8_t>(p), std::span<const std::uint8_t>(s),
                            std::span<const std::uint8_t>(p), width))
        << width;
  }
}

BANKPROOF_PROPERTY(Verifier, refuses_the_plan_of_the_inverse, (const PermutedWarps& drawn)) {
  const Permutation inverse = inverse_of(std::span<const std::uint32_t>(drawn.permutation));
  RC_PRE(inverse != drawn.permutation);
  RC_ASSERT(defect_of(drawn.permutation, plan_of(inverse, drawn.width)));
}

TEST(Verifier, names_the_first_warp_lane_and_bank_that_fail) {
  using Lanes = std::vector<std::uint32_t>;
  const Permutation p = {0, 2, 1, 3};
  const auto verdict = [&](const Lanes& s, const Lanes& d) {
    const auto defect = defect_of(p, {2, s, d});
    return defect ? describe(*defect) : "right";
  };
  constexpr auto none = idle<std::uint32_t>;
  EXPECT_EQ(verdict({0, 3, 2, 1}, {0, 3, 1, 2}), "right");
  EXPECT_EQ(verdict({0, 1, 2, 3}, {0, 1, 2, 3}),
            "warp 0, lane 1: D is 1, expected 2, where the permutation takes S");
  EXPECT_EQ(verdict({0, 2, 3, 1}, {0, 1, 3, 2}),
            "warp 0, lane 1: reads from bank 0, as lane 0 does");
  EXPECT_EQ(verdict({0, 1, 2, 3}, {0, 2, 1, 3}),
            "warp 0, lane 1: writes to bank 0, as lane 0 does");
  EXPECT_EQ(verdict({0, 3, 0, 1}, {0, 3, 0, 2}),
            "warp 1, lane 0: element 0 is moved a second time");
  EXPECT_EQ(verdict({0, 3, 4, 1}, {0, 3, 1, 2}),
            "warp 1, lane 0: S is 4, expected an element below 4 or -1");
  EXPECT_EQ(verdict({0, 3, none, 1}, {0, 3, 1, 2}), "warp 1, lane 0: only one of S and D is -1");
  EXPECT_EQ(verdict({0, 3, none, 1}, {0, 3, none, 2}), "element 2 is never moved");
  EXPECT_EQ(verdict({0, 3, 2, 1}, {0, 3, 1}), "has 3 lanes, expected 4");
}

/// A verifier that ignores the banks of b.
std::optional<PlanDefect> forgetful(const Permutation& permutation, const Plan& plan) {
  const auto defect = defect_of(permutation, plan);
  return defect && defect->kind == PlanDefect::Kind::writing_conflict ? std::nullopt : defect;
}

TEST(Canary, a_verifier_that_forgets_the_banks_of_the_target_is_caught) {
  EXPECT_TRUE(caught([](const PermutedWarps& drawn) {
    RC_PRE(drawn.width <= widest_warp && !drawn.permutation.empty());
    Plan plan{drawn.width, {}, drawn.permutation};  // reads a in order
    plan.s.resize(drawn.permutation.size());
    std::iota(plan.s.begin(), plan.s.end(), 0U);
    plan.s.resize(ceil_div(plan.s.size(), plan.width) * plan.width, idle<std::uint32_t>);
    plan.d.resize(plan.s.size(), idle<std::uint32_t>);
    RC_PRE(!forgetful(drawn.permutation, plan));
    try {
      RC_ASSERT(moves_as(drawn.permutation, plan));
    } catch (const Fault& fault) {
      RC_FAIL(fault.what());
    }
  }));
}

}  // namespace
}  // namespace bankproof::testing
