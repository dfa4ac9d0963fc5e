// Permutations that are affine over GF(2) (row R6, generalized): the code recognizes them, and
// their conflict-free plans need no table.
#include "../../../algorithms/permutation/affine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../../../algorithms/permutation/affine_terms.hpp"
#include "../../../algorithms/permutation/named.hpp"
#include "../../../testing/canary.hpp"
#include "../../../testing/plans.hpp"
#include "../../../testing/property.hpp"

namespace bankproof::testing {
namespace {

Permutation named(const std::string& specification) {
  return parse_named(specification).generate<std::uint32_t>();
}

AffineForm form_of(const Permutation& permutation) {
  return affine_form(std::span<const std::uint32_t>(permutation));
}

Permutation values_of(const AffineMap& map) {
  Permutation values(std::size_t{1} << map.bits);
  for (std::uint32_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint32_t>(map(i));
  return values;
}

Plan as_plan(const AffinePlan& plan) { return {plan.width, values_of(plan.s), values_of(plan.d)}; }

/// An affine map with an invertible matrix: starts at the identity and takes elementary steps.
rc::Gen<AffineMap> any_affine_map(unsigned most_bits) {
  return rc::gen::exec([most_bits] {
    AffineMap map{*rc::gen::inRange(1U, most_bits + 1), {}, 0};
    for (unsigned k = 0; k < map.bits; ++k) map.columns[k] = std::uint64_t{1} << k;
    const auto any_bit = rc::gen::inRange<std::size_t>(0, map.bits);
    const auto steps = *rc::gen::inRange(0U, 3 * map.bits);
    for (unsigned step = 0; step < steps; ++step) {
      const auto [from, to] = *rc::gen::pair(any_bit, any_bit);
      if (from == to) continue;
      if (*rc::gen::arbitrary<bool>()) {
        map.columns[to] ^= map.columns[from];
      } else {
        std::swap(map.columns[to], map.columns[from]);
      }
    }
    map.offset = *rc::gen::inRange<std::uint64_t>(0, std::uint64_t{1} << map.bits);
    return map;
  });
}

BANKPROOF_PROPERTY(AffinePlans, are_conflict_free_for_every_map_and_width, ()) {
  const AffineMap map = *any_affine_map(10);
  const Width width = Width{1} << *rc::gen::inRange(0U, map.bits + 1);
  const Permutation permutation = values_of(map);
  RC_ASSERT(form_of(permutation).map == map);
  const Plan plan = as_plan(plan_affine(map, width));
  const auto defect = defect_of(permutation, plan);
  RC_ASSERT(!defect);
  if (width <= widest_warp) RC_ASSERT(moves_as(permutation, plan));
}

TEST(AffinePlans, are_conflict_free_up_to_20_bits) {
  for (const std::string name : {"transpose:1024x1024", "bit-reversal:1048576", "shuffle:1048576",
                                 "unshuffle:1048576", "morton:1024x1024", "butterfly:1048576,19"}) {
    const Permutation permutation = named(name);
    const AffineForm form = form_of(permutation);
    ASSERT_TRUE(form.map) << name;
    for (const Width width : {2U, 32U, 1024U}) {
      EXPECT_FALSE(defect_of(permutation, as_plan(plan_affine(*form.map, width)))) << name;
    }
  }
}

BANKPROOF_PROPERTY(AffinePlans, with_a_certificate_are_right_whatever_made_them, ()) {
  const AffineMap map = *any_affine_map(6);
  AffinePlan plan = plan_affine(map, Width{1} << *rc::gen::inRange(0U, map.bits + 1));
  const auto any_bit = rc::gen::inRange(0U, map.bits);
  for (AffineMap* changed : {&plan.s, &plan.d}) {
    if (*rc::gen::arbitrary<bool>()) changed->columns[*any_bit] ^= std::uint64_t{1} << *any_bit;
  }
  if (*rc::gen::arbitrary<bool>()) plan.d = composition(map, plan.s);
  const bool is_certified = !uncertified_bit(map, plan);
  const bool is_right = !defect_of(values_of(map), as_plan(plan));
  RC_CLASSIFY(is_certified, "certified");
  RC_ASSERT(is_right || !is_certified);
}

TEST(AffinePlans, without_a_certificate_are_refused) {
  // The first map has two equal columns; the second map has a column out of range.
  EXPECT_THROW(plan_affine({2, {1, 1}, 0}, 2), std::logic_error);
  EXPECT_THROW(plan_affine({2, {1, 4}, 0}, 2), std::logic_error);
  const AffineMap transpose = *form_of(named("transpose:32x32")).map;
  AffinePlan plan = plan_affine(transpose, 32);
  EXPECT_EQ(uncertified_bit(transpose, plan), std::nullopt);
  plan.d.offset = 1;
  EXPECT_EQ(uncertified_bit(transpose, plan), 0U);
  plan.d = transpose;  // D is P itself, not P after S
  EXPECT_EQ(uncertified_bit(transpose, plan), 0U);
  plan.s = affine_map_of(10, [](std::uint64_t j) { return j; });  // all lanes write to bank 0
  EXPECT_EQ(uncertified_bit(transpose, plan), 0U);
  plan = plan_affine(transpose, 32);
  plan.s.columns[3] = 8;
  plan.d = composition(transpose, plan.s);  // lane 8 writes where lane 0 does
  EXPECT_EQ(uncertified_bit(transpose, plan), 0U);
}

TEST(AffineForms, are_found_for_named_permutations_of_powers_of_two) {
  for (const std::string name :
       {"identity:1024", "transpose:32x32", "transpose:8x128", "shuffle:1024", "unshuffle:1024",
        "bit-reversal:1024", "morton:32x32", "blocked-to-striped:128x8", "nchw-to-nhwc:2x4x8x16",
        "butterfly:1024,3", "identity:1"}) {
    EXPECT_TRUE(form_of(named(name)).map) << name;
  }
}

TEST(AffineForms, say_where_there_is_none) {
  EXPECT_EQ(form_of(named("identity:12")).index, std::nullopt);  // no power of two
  EXPECT_EQ(form_of({0, 1, 2, 4, 3, 5, 6, 7}).index, 3U);
  Permutation exchanged = named("transpose:32x32");
  std::swap(exchanged[700], exchanged[701]);
  EXPECT_EQ(form_of(exchanged).index, 700U);
  EXPECT_TRUE(form_of(named("random:1024")).index.has_value());
}

TEST(AffinePlans, of_the_permutations_of_THS_4_4_take_few_operations) {
  struct Expected {
    std::string name;
    std::string s;
    std::string d;  // as a function of s
  };
  for (const auto& [name, s, d] : std::vector<Expected>{
           {"transpose:32x32", "j ^ ((j & 0x1fu) << 5)", "((s & 0x1fu) << 5) ^ (s >> 5)"},
           {"shuffle:1024", "j ^ ((j & 0x10u) << 5)", "((s & 0x1ffu) << 1) ^ (s >> 9)"},
           {"identity:1024", "j", "s"},
           {"butterfly:1024,3", "j", "s ^ 0x8u"}}) {
    const AffineMap map = *form_of(named(name)).map;
    EXPECT_EQ(c_expression(plan_affine(map, 32).s, "j", false), s) << name;
    EXPECT_EQ(c_expression(map, "s", false), d) << name;
  }
  const AffineMap reversal = *form_of(named("bit-reversal:1024")).map;
  EXPECT_EQ(c_expression(plan_affine(reversal, 32).s, "j", false), "j ^ ((j & 0x1fu) << 5)");
  EXPECT_EQ(c_expression(AffineMap{3, {}, 0}, "j", true), "0x0ull");
}

/// The value of the C expression, computed term by term.
std::uint64_t value_of(const std::vector<ShiftTerm>& terms, std::uint64_t i) {
  std::uint64_t result = 0;
  for (const auto& [mask, shift] : terms) {
    result ^= shift > 0 ? (i & mask) << shift : (i & mask) >> -shift;
  }
  return result;
}

BANKPROOF_PROPERTY(AffineForms, are_the_xor_of_their_terms, ()) {
  const AffineMap map = *any_affine_map(40);
  const auto i = *rc::gen::inRange<std::uint64_t>(0, std::uint64_t{1} << map.bits);
  RC_ASSERT((value_of(terms_of(map), i) ^ map.offset) == map(i));
}

TEST(Canary, affine_plans_without_the_high_bits_are_caught) {
  EXPECT_TRUE(caught([] {
    const AffineMap map = *any_affine_map(10);
    const Width width = Width{1} << *rc::gen::inRange(0U, map.bits + 1);
    AffinePlan plan = plan_affine(map, width);
    for (unsigned k = 0; k < map.bits; ++k) plan.s.columns[k] = std::uint64_t{1} << k;
    plan.d = map;
    RC_ASSERT(!defect_of(values_of(map), as_plan(plan)));
  }));
}

}  // namespace
}  // namespace bankproof::testing
