// Compares the access rules of model/gpu with literal second formulations and with the oracle's
// machines, and checks laws of every rule: some access takes the ideal, no access takes less, and
// lanes that are served together do not conflict. The canaries at the end are formulations that
// omit something; the tests must notice that they differ from the rules.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "../../testing/canary.hpp"
#include "../../testing/property.hpp"
#include "gpu_laws.hpp"
#include "gpu_literal.hpp"

namespace {

using namespace bankproof;
using namespace bankproof::gpu_properties;
using bankproof::testing::caught;
using bankproof::testing::WarpAccess;

/// Calls check(rule, literal formulation) for every rule of every chip.
void for_each_chip_rule(const auto& check) {
  for (const Chip& chip : chips) for_each_rule_of(chip, check);
}

BANKPROOF_PROPERTY(ChipRules, count_what_their_literal_formulations_count,
                   (const ChipAccess& access)) {
  for_each_chip_rule([&](const AccessRule& rule, const Formulation& literally) {
    counts_alike(rule, literally, access.elements);
  });
}

BANKPROOF_PROPERTY(ChipRules, have_the_numbers_of_their_chips, (const ChipAccess& access)) {
  for (const std::uint32_t bytes : {1u, 2u, 4u, 8u, 16u}) {
    const auto compare = [&](const Chip& chip, const auto& literally) {
      const auto rule = shared_rule(chip, bytes);
      if (!rule) return;
      counts_alike(
          *rule, [&](const Elements& elements) { return literally(bytes, elements); },
          access.elements);
    };
    compare(sm_90, sm_90_literally);
    compare(kepler_64bit, kepler_64bit_literally);
    compare(kepler_32bit, kepler_32bit_literally);
  }
}

BANKPROOF_PROPERTY(ChipRules, never_beat_their_ideal, (const ChipAccess& access)) {
  for_each_chip_rule([&](const AccessRule& rule, const Formulation&) {
    never_beats_its_ideal(rule, access.elements);
  });
}

TEST(ChipRules, reach_their_ideal_on_neighbouring_elements_in_every_partial_warp) {
  for_each_chip_rule([&](AccessRule rule, const Formulation&) {
    for (std::uint32_t lanes = 0; lanes <= warp; ++lanes) {
      EXPECT_EQ(stages_of(rule, strided(1, 0, lanes)), ideal_of_distinct(rule, lanes));
    }
  });
}

BANKPROOF_PROPERTY(ChipRules, serve_no_two_lanes_together_that_conflict,
                   (const ChipAccess& access)) {
  for_each_chip_rule([&](const AccessRule& rule, const Formulation&) {
    serves_no_conflict_together(rule, access.elements);
  });
}

BANKPROOF_PROPERTY(ChipRules, ignore_the_order_of_distinct_elements_inside_a_group_of_lanes,
                   (std::uint32_t seed)) {
  std::mt19937 random(seed);
  Elements elements = strided(Address{1} << random() % 6);
  std::shuffle(elements.begin(), elements.end(), random);
  Elements shuffled = elements;  // within quarter-warps, the smallest groups
  for (auto first = shuffled.begin(); first != shuffled.end(); first += 8) {
    std::shuffle(first, first + 8, random);
  }
  for_each_chip_rule([&](AccessRule rule, const Formulation&) {
    RC_ASSERT(stages_of(rule, shuffled) == stages_of(rule, elements));
  });
}

BANKPROOF_PROPERTY(ChipRules, are_the_pure_machines_where_they_should_be,
                   (const ChipAccess& access)) {
  oracle::Addresses words;
  for (const Address element : access.elements) {
    words.push_back(element == no_request ? std::nullopt : std::optional(element));
  }
  const auto as = [&](AccessRule rule) { return stages_of(rule, access.elements); };
  RC_ASSERT(as(*shared_rule(sm_90, 4)) == oracle::dmm_stages(words, 32).count);
  RC_ASSERT(as(*shared_rule(kepler_64bit, 8)) == oracle::dmm_stages(words, 32).count);
  RC_ASSERT(as(*global_rule(sm_90, 4)) == oracle::umm_stages(words, 32).count);
  RC_ASSERT(as(*global_rule(sm_90, 4, GlobalMemoryRule::sector_bytes)) ==
            oracle::umm_stages(words, 8).count);
}

BANKPROOF_PROPERTY(PureMachines, agree_with_the_oracle_for_elements_of_every_size,
                   (const WarpAccess& access)) {
  const Elements elements = elements_of(access);
  for (const std::uint32_t bytes : {1u, 2u, 4u, 8u, 16u}) {
    AccessRule dmm = dmm_rule(access.width, bytes);
    AccessRule umm = umm_rule(access.width, bytes);
    RC_ASSERT(stages_of(dmm, elements) ==
              in_turn_literally(oracle::dmm_stages, access.width, bytes, elements));
    RC_ASSERT(stages_of(umm, elements) ==
              in_turn_literally(oracle::umm_stages, access.width, bytes, elements));
    RC_ASSERT(ideal_of(dmm, elements) <= stages_of(dmm, elements));
    RC_ASSERT(ideal_of(umm, elements) <= stages_of(umm, elements));
  }
}

BANKPROOF_PROPERTY(PureMachines, serve_lanes_in_the_oracles_stages, (const WarpAccess& access)) {
  const Elements elements = elements_of(access);
  const auto compare = [&](const AccessRule& rule, const oracle::Stages& expected) {
    const auto places = places_of(rule, elements);
    for (std::size_t lane = 0; lane < elements.size(); ++lane) {
      RC_ASSERT(places[lane].has_value() == expected.of_lane[lane].has_value());
      if (!places[lane]) continue;
      RC_ASSERT(places[lane]->stage == *expected.of_lane[lane]);
      RC_ASSERT(places[lane]->bank == elements[lane] % access.width);
      RC_ASSERT(places[lane]->group == elements[lane] / access.width);
    }
  };
  compare(dmm_rule(access.width), oracle::dmm_stages(access.lanes, access.width));
  compare(umm_rule(access.width), oracle::umm_stages(access.lanes, access.width));
}

/// For each count, the fewest stages of any set of `count` elements below 12.
std::map<int, std::uint32_t> least_of_all_sets(AccessRule rule) {
  std::map<int, std::uint32_t> least;
  for (std::uint32_t chosen = 1; chosen < 1u << 12; ++chosen) {
    const int count = std::popcount(chosen);
    if (count > static_cast<int>(width_of(rule))) continue;
    Elements elements;
    for (Address element = 0; element < 12; ++element) {
      if ((chosen >> element & 1) != 0) elements.push_back(element);
    }
    const std::uint32_t stages = stages_of(rule, elements);
    const auto entry = least.try_emplace(count, stages).first;
    entry->second = std::min(entry->second, stages);
  }
  return least;
}

TEST(PureMachines, have_an_ideal_that_is_reached_and_never_beaten_by_any_small_set) {
  for (Width width = 1; width <= 5; ++width) {
    for (const std::uint32_t bytes : {1u, 2u, 4u, 8u, 16u}) {
      for (const AccessRule& rule : {dmm_rule(width, bytes), umm_rule(width, bytes)}) {
        for (const auto& [count, stages] : least_of_all_sets(rule)) {
          EXPECT_EQ(ideal_of_distinct(rule, static_cast<Width>(count)), stages)
              << "width " << width << ", " << bytes << " bytes, " << count << " elements, "
              << (conflicts_in_groups(rule) ? "umm" : "dmm");
        }
      }
    }
  }
}

// ---- canaries -----------------------------------------------------------------------------------

TEST(Canary, a_rule_without_condition_p_is_caught) {
  const Formulation quarters = [](const Elements& elements) {
    std::uint64_t total = 0;
    for (std::size_t first = 0; first < elements.size(); first += 8) {
      const std::size_t end = std::min(first + 8, elements.size());
      const auto at = [&](std::size_t lane) {
        return elements.begin() + static_cast<std::ptrdiff_t>(lane);
      };
      total += fullest_bank(Elements(at(first), at(end)), 16, 4, 32);
    }
    return total;
  };
  EXPECT_TRUE(caught([&](const ChipAccess& access) {
    counts_alike(*shared_rule(sm_90, 16), quarters, access.elements);
  }));
}

TEST(Canary, a_rule_that_forgets_merging_is_caught) {
  const Formulation forgetful = [](const Elements& elements) {
    std::map<Address, std::uint64_t> requests;
    std::uint64_t most = 0;
    for (const Address element : elements) {
      if (element != no_request) most = std::max(most, ++requests[element % 32]);
    }
    return most;
  };
  EXPECT_TRUE(caught([&](const ChipAccess& access) {
    counts_alike(*shared_rule(sm_90, 4), forgetful, access.elements);
  }));
}

TEST(Canary, a_kepler_without_row_pairs_is_caught) {
  const Formulation plain = [](const Elements& elements) {
    return fullest_bank(elements, 4, 4, 32);
  };
  EXPECT_TRUE(caught([&](const ChipAccess& access) {
    counts_alike(*shared_rule(kepler_32bit, 4), plain, access.elements);
  }));
}

TEST(Canary, sectors_taken_for_quarters_of_lines_are_caught) {
  const Formulation quarters = [](const Elements& elements) {
    return 4 * pieces_literally(4, GlobalMemoryRule::line_bytes, elements);
  };
  EXPECT_TRUE(caught([&](const ChipAccess& access) {
    counts_alike(*global_rule(sm_90, 4, GlobalMemoryRule::sector_bytes), quarters, access.elements);
  }));
}

}  // namespace
