// Tests the access rules of model/gpu on accesses whose cost on a chip is known. gpu_agreement.cpp
// compares the same rules with second formulations.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "../../model/gpu/chips.hpp"
#include "gpu_literal.hpp"

namespace {

using namespace bankproof;
using namespace bankproof::gpu_properties;

std::uint32_t shared(const Chip& chip, std::uint32_t bytes, const Elements& elements) {
  AccessRule rule = *shared_rule(chip, bytes);
  return stages_of(rule, elements);
}

std::uint32_t pieces(std::uint32_t bytes, std::uint32_t piece_bytes, const Elements& elements) {
  AccessRule rule = *global_rule(sm_90, bytes, piece_bytes);
  return stages_of(rule, elements);
}

TEST(SharedMemoryOfSm90, takes_the_known_numbers_of_wavefronts) {
  EXPECT_EQ(shared(sm_90, 16, strided(0)), 2u) << "uniform 16-byte load";
  EXPECT_EQ(shared(sm_90, 16, strided(1)), 4u) << "conflict-free 16-byte load or store";
  EXPECT_EQ(shared(sm_90, 16, strided(8)), 32u) << "fully conflicting 16-byte load";
  EXPECT_EQ(shared(sm_90, 8, strided(0)), 1u) << "uniform 8-byte load: the halves merge";
  EXPECT_EQ(shared(sm_90, 8, strided(1)), 2u);
  EXPECT_EQ(shared(sm_90, 8, strided(16)), 32u);
  EXPECT_EQ(shared(sm_90, 4, strided(1)), 1u);
  EXPECT_EQ(shared(sm_90, 4, strided(0)), 1u) << "the same word broadcasts";
  EXPECT_EQ(shared(sm_90, 4, strided(2)), 2u);
  EXPECT_EQ(shared(sm_90, 4, strided(33)), 1u);
  EXPECT_EQ(shared(sm_90, 4, strided(32)), 32u);
  EXPECT_EQ(shared(sm_90, 1, strided(1)), 1u) << "four bytes share a word";
  EXPECT_EQ(shared(sm_90, 1, strided(128)), 32u);
  EXPECT_EQ(shared(sm_90, 2, strided(64)), 32u);
}

TEST(SharedMemoryOfSm90, merges_groups_only_under_condition_p) {
  // Partners at distance 1 share an element, or partners at distance 2 do: either is enough.
  Elements pairs(warp), fours(warp), mixed(warp);
  for (std::uint32_t lane = 0; lane < warp; ++lane) {
    pairs[lane] = lane / 2;
    fours[lane] = lane / 4 * 2 + lane % 2;
    mixed[lane] = lane < 16 ? pairs[lane] : fours[lane];
  }
  EXPECT_EQ(shared(sm_90, 8, pairs), 1u);
  EXPECT_EQ(shared(sm_90, 8, fours), 1u);
  EXPECT_EQ(shared(sm_90, 16, pairs), 2u);
  EXPECT_EQ(shared(sm_90, 16, fours), 2u);
  // The condition is about the whole warp: if one half shares at distance 1 and the other at
  // distance 2, groups do not merge.
  EXPECT_EQ(shared(sm_90, 8, mixed), 2u);
  EXPECT_EQ(shared(sm_90, 16, mixed), 4u);
  // A single lane with another element breaks the condition.
  pairs[31] = 0;
  EXPECT_EQ(shared(sm_90, 8, pairs), 2u);
  Elements few(warp);
  for (std::uint32_t lane = 0; lane < warp; ++lane) few[lane] = lane / 4;
  EXPECT_EQ(shared(sm_90, 8, few), 1u);
  for (const std::uint32_t lane : {0u, 3u, 13u, 31u}) {
    Elements changed = few;
    changed[lane] = 15;
    EXPECT_EQ(shared(sm_90, 8, changed), 2u) << lane;
  }
}

TEST(SharedMemoryOfSm90, lanes_without_partners_can_be_served_with_the_other_half) {
  const AccessRule of_8_bytes = *shared_rule(sm_90, 8);
  EXPECT_EQ(ideal_of(of_8_bytes, masked(strided(1), 0x00030003)), 1u) << "by pairs i and i^2";
  EXPECT_EQ(ideal_of(of_8_bytes, masked(strided(1), 0x000c000c)), 1u) << "likewise";
  EXPECT_EQ(ideal_of(of_8_bytes, masked(strided(1), 0x00050005)), 1u) << "by pairs i and i^1";
  EXPECT_EQ(ideal_of(of_8_bytes, masked(strided(1), 0x000f000f)), 2u) << "8 elements, 4 pairs";
}

TEST(SharedMemoryOfSm90, masks_merge_groups_and_empty_groups_are_free) {
  const Elements distinct = strided(1);
  Elements every_second(warp), two_of_four(warp);
  for (std::uint32_t lane = 0; lane < warp; ++lane) {
    every_second[lane] = lane / 2;
    two_of_four[lane] = lane / 4 * 2 + lane % 2;
  }
  EXPECT_EQ(shared(sm_90, 8, masked(every_second, 0x55555555)), 1u) << "no lane i^1 is active";
  EXPECT_EQ(shared(sm_90, 8, masked(two_of_four, 0x33333333)), 1u) << "no lane i^2 is active";
  EXPECT_EQ(shared(sm_90, 8, masked(distinct, 0x55555555)), 2u) << "merged halves can conflict";
  EXPECT_EQ(shared(sm_90, 8, masked(distinct, 0x0000ffff)), 1u) << "one half";
  EXPECT_EQ(shared(sm_90, 8, masked(distinct, 0x00010007)), 2u);
  EXPECT_EQ(shared(sm_90, 16, masked(distinct, 0x000000ff)), 1u) << "one quarter";
  EXPECT_EQ(shared(sm_90, 16, masked(distinct, 0xff0000ff)), 2u);
  EXPECT_EQ(shared(sm_90, 16, masked(distinct, 0x80000001)), 2u) << "halves never merge";
  for (const std::uint32_t bytes : {1u, 2u, 4u, 8u, 16u}) {
    EXPECT_EQ(shared(sm_90, bytes, masked(distinct, 0)), 0u);
    EXPECT_EQ(shared(sm_90, bytes, {}), 0u);
    EXPECT_EQ(shared(sm_90, bytes, {7}), 1u);
  }
}

TEST(SharedMemoryOfKepler, serves_row_pairs_together_in_32_bit_mode) {
  EXPECT_EQ(shared(kepler_32bit, 4, strided(2)), 1u) << "words 0, 2, …, 62 (THS 4.5)";
  EXPECT_EQ(shared(kepler_32bit, 4, strided(2, 32)), 2u) << "… but 32 … 94 spans two segments";
  EXPECT_EQ(shared(kepler_32bit, 4, strided(32)), 16u);
  EXPECT_EQ(shared(kepler_32bit, 4, strided(64)), 32u);
  EXPECT_EQ(shared(kepler_64bit, 8, strided(2)), 2u);
  EXPECT_EQ(shared(kepler_64bit, 8, strided(32)), 32u);
  EXPECT_EQ(shared(kepler_64bit, 4, strided(2)), 1u) << "two words of 4 bytes share a bank's word";
}

TEST(GlobalMemoryOfSm90, touches_the_known_numbers_of_sectors_and_lines) {
  for (const std::uint32_t bytes : {4u, 8u, 16u}) {
    EXPECT_EQ(pieces(bytes, 32, strided(1)), bytes) << "coalesced, aligned: 4, 8, 16 sectors";
    EXPECT_EQ(pieces(bytes, 128, strided(1)), bytes / 4);
  }
  EXPECT_EQ(pieces(4, 32, strided(1, 1)), 5u) << "off by 4 bytes";
  EXPECT_EQ(pieces(4, 128, strided(1, 1)), 2u);
  EXPECT_EQ(pieces(4, 32, strided(32)), 32u) << "32 distinct lines";
  EXPECT_EQ(pieces(4, 128, strided(32)), 32u);
  EXPECT_EQ(pieces(1, 32, strided(1)), 1u);
  EXPECT_EQ(pieces(4, 32, strided(0)), 1u);
}

TEST(PureMachines, access_wide_elements_a_word_at_a_time) {
  AccessRule narrow = dmm_rule(4, 8);
  EXPECT_EQ(stages_of(narrow, strided(1, 0, 4)), 4u) << "banks 0, 2, 0, 2, then 1, 3, 1, 3";
  AccessRule odd = dmm_rule(3, 8);
  EXPECT_EQ(stages_of(odd, strided(1, 0, 3)), 2u) << "banks 0, 2, 1, then 1, 0, 2";
  AccessRule groups = umm_rule(4, 8);
  EXPECT_EQ(stages_of(groups, strided(1, 0, 4)), 4u) << "two groups, twice";
  AccessRule bytes = umm_rule(4, 1);
  EXPECT_EQ(stages_of(bytes, strided(4, 0, 4)), 1u) << "words 0 … 3";
}

TEST(PureMachines, take_no_stage_for_a_warp_of_masked_lanes) {
  const Elements nobody(4, no_request);
  for (const std::uint32_t bytes : {4u, 8u}) {
    EXPECT_EQ(ideal_of(dmm_rule(4, bytes), nobody), 0u);
    EXPECT_EQ(ideal_of(umm_rule(4, bytes), nobody), 0u);
  }
}

TEST(PureMachines, place_a_wide_element_where_its_first_word_is) {
  using Places = std::vector<std::optional<LanePlace>>;
  const Elements elements = {1, no_request, 3, 1};
  EXPECT_EQ(places_of(dmm_rule(4, 8), elements),
            (Places{LanePlace{2, 0, 0}, std::nullopt, LanePlace{2, 1, 1}, LanePlace{2, 0, 0}}));
  EXPECT_EQ(places_of(umm_rule(4, 8), elements),
            (Places{LanePlace{2, 0, 0}, std::nullopt, LanePlace{2, 1, 1}, LanePlace{2, 0, 0}}));
}

TEST(ChipRules, serve_a_whole_warp_together_while_elements_are_no_wider_than_banks) {
  for (const std::uint32_t bytes : {1u, 2u, 4u}) {
    EXPECT_EQ(ideal_of(*shared_rule(sm_90, bytes), strided(1)), 1u);
    EXPECT_EQ(SharedMemoryRule(sm_90, bytes).lanes_per_group(false), 32u);
  }
  EXPECT_EQ(SharedMemoryRule(kepler_64bit, 8).lanes_per_group(false), 32u);
  EXPECT_EQ(SharedMemoryRule(sm_90, 8).lanes_per_group(false), 16u);
  EXPECT_EQ(SharedMemoryRule(sm_90, 8).lanes_per_group(true), 32u);
  EXPECT_EQ(SharedMemoryRule(sm_90, 16).lanes_per_group(false), 8u);
}

TEST(ChipRules, say_where_elements_conflict_as_the_words_of_banks_do) {
  const auto one_word_elements = [](const AccessRule& rule) {
    return std::visit([](const auto& r) { return r.one_word_elements(); }, rule);
  };
  EXPECT_TRUE(one_word_elements(*shared_rule(sm_90, 4)));
  EXPECT_FALSE(one_word_elements(*shared_rule(sm_90, 8)));
  EXPECT_FALSE(one_word_elements(*shared_rule(kepler_32bit, 4)));
  EXPECT_TRUE(one_word_elements(*shared_rule(kepler_64bit, 8)));
  EXPECT_FALSE(one_word_elements(*global_rule(sm_90, 4)));
  EXPECT_TRUE(one_word_elements(dmm_rule(4, 4)));
  EXPECT_FALSE(one_word_elements(dmm_rule(4, 8)));
}

TEST(ChipRules, are_missing_where_nothing_is_known) {
  EXPECT_FALSE(shared_rule(kepler_32bit, 8)) << "wider than a bank of the mode";
  EXPECT_FALSE(shared_rule(kepler_64bit, 16));
  EXPECT_FALSE(global_rule(kepler_32bit, 4));
  EXPECT_FALSE(find_chip("sm_91"));
}

TEST(ChipRules, say_how_well_they_are_known) {
  const auto worst = [](const std::vector<Remark>& remarks) {
    EXPECT_FALSE(remarks.empty());
    Evidence evidence = Evidence::documented;
    for (const Remark& remark : remarks) {
      EXPECT_FALSE(remark.text.empty());
      evidence = std::max(evidence, remark.evidence);
    }
    return evidence;
  };
  EXPECT_EQ(worst(remarks_on_shared(sm_90, 4)), Evidence::documented);
  EXPECT_EQ(worst(remarks_on_shared(sm_90, 8)), Evidence::unverified);
  EXPECT_EQ(worst(remarks_on_shared(kepler_64bit, 8)), Evidence::documented);
  EXPECT_EQ(worst(remarks_on_global(sm_90)), Evidence::measured_elsewhere);
}

}  // namespace
