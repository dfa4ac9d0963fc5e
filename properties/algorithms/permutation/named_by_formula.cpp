// The permutations of THS 4.4 (rows R5 and R6): the printed values for n = 16, and the formulas
// that compute p, q, s and d in place for n = 1024.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "../../../algorithms/permutation/affine.hpp"
#include "../../../algorithms/permutation/conflicts.hpp"
#include "../../../algorithms/permutation/named.hpp"
#include "../../../testing/plans.hpp"

namespace bankproof::testing {
namespace {

Permutation named_permutation(const std::string& specification) {
  return parse_named(specification).generate<std::uint32_t>();
}

TEST(PermutationsOfTHS44, are_those_printed_for_16_elements) {
  EXPECT_EQ(named_permutation("identity:16"),
            (Permutation{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}));
  EXPECT_EQ(named_permutation("transpose:4x4"),
            (Permutation{0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15}));
  EXPECT_EQ(named_permutation("shuffle:16"),
            (Permutation{0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15}));
  EXPECT_EQ(named_permutation("bit-reversal:16"),
            (Permutation{0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15}));
}

// The definition printed beside figure 4.10 exchanges the last two bits: i₄i₃i₂i₁ ↦ i₁i₂i₄i₃.
TEST(PermutationsOfTHS44, bit_reversal_is_not_defined_as_in_its_figure) {
  const auto printed = [](std::uint32_t i) {
    return (i & 1) << 3 | (i >> 1 & 1) << 2 | (i >> 3 & 1) << 1 | (i >> 2 & 1);
  };
  EXPECT_EQ(printed(8), 2U);
  EXPECT_EQ(named_permutation("bit-reversal:16")[8], 1U);
}

struct InPlace {
  std::string name;
  std::function<std::uint32_t(std::uint32_t)> p;
  std::function<std::uint32_t(std::uint32_t)> q;
};

std::uint32_t transposed(std::uint32_t i) { return i >> 5 | (i & 0x1f) << 5; }

std::uint32_t reversed(std::uint32_t i) {
  const std::uint32_t u = transposed(i);
  const std::uint32_t v = (u & 0x318) >> 3 | (u & 0x63) << 3;
  return (v & 0x252) >> 1 | (v & 0x129) << 1 | (u & 0x84);
}

std::uint32_t shuffled(std::uint32_t i) { return i >> 9 | (i & 0x1ff) << 1; }
std::uint32_t unshuffled(std::uint32_t i) { return i >> 1 | (i & 1) << 9; }

const std::vector<InPlace> formulas_in_place = {{"transpose:32x32", transposed, transposed},
                                                {"shuffle:1024", shuffled, unshuffled},
                                                {"bit-reversal:1024", reversed, reversed}};

TEST(PermutationsOfTHS44, are_computed_in_place_and_without_conflicts) {
  for (const auto& [name, p, q] : formulas_in_place) {
    const Permutation permutation = named_permutation(name);
    Plan plan{32, {}, {}};
    for (std::uint32_t i = 0; i < 1024; ++i) {
      EXPECT_EQ(p(i), permutation[i]) << name;
      EXPECT_EQ(q(permutation[i]), i) << name;
      plan.s.push_back(i ^ (i & 0x1f) << 5);
      plan.d.push_back(p(plan.s.back()));
    }
    const auto defect = defect_of(permutation, plan);
    EXPECT_FALSE(defect) << name << ": " << describe(*defect);
    EXPECT_TRUE(moves_as(permutation, plan)) << name;
  }
}

TEST(PermutationsOfTHS44, have_closed_forms_no_longer_than_the_printed_ones) {
  for (const auto& [name, p, q] : formulas_in_place) {
    const Permutation permutation = named_permutation(name);
    const AffineForm form = affine_form(std::span<const std::uint32_t>(permutation));
    ASSERT_TRUE(form.map) << name;
    const AffinePlan plan = plan_affine(*form.map, 32);
    for (std::uint32_t j = 0; j < 1024; ++j) {
      // The closed form of the shuffle needs only one of the five bits in the printed formula.
      const std::uint32_t bits = name == "shuffle:1024" ? 0x10U : 0x1fU;
      EXPECT_EQ(plan.s(j), j ^ (j & bits) << 5) << name;
      EXPECT_EQ(plan.d(j), p(static_cast<std::uint32_t>(plan.s(j)))) << name;
    }
  }
}

}  // namespace
}  // namespace bankproof::testing
