// Tests the conflict analysis that `check` reports. The tests compare the fast passes with the
// plain reference, and the reference with the oracle; they check identities that hold for every
// permutation, and a real permutation as a golden case.
#include "../../../algorithms/permutation/conflicts.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <numeric>
#include <ostream>
#include <random>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "../../../oracles/permutation.hpp"
#include "../../../oracles/stages.hpp"
#include "../../../testing/accesses.hpp"
#include "../../../testing/canary.hpp"
#include "../../../testing/permutations.hpp"
#include "../../../testing/property.hpp"

namespace {

using namespace bankproof;
using bankproof::testing::Permutation;
using Case = bankproof::testing::PermutedWarps;
using bankproof::testing::caught;
using Analysis = std::function<ConflictReport(const Permutation&, Designation, const AccessRule&)>;

Permutation random_permutation(std::size_t size, std::uint32_t seed) {
  Permutation permutation(size);
  std::iota(permutation.begin(), permutation.end(), 0u);
  std::shuffle(permutation.begin(), permutation.end(), std::mt19937(seed));
  return permutation;
}

/// i ↦ i·step mod size, like an exchange of rows and columns; raises the step until this is a
/// permutation.
Permutation strided(std::size_t size, std::size_t step) {
  while (std::gcd(size, step) != 1) ++step;
  Permutation permutation(size);
  for (std::size_t i = 0; i < size; ++i) {
    permutation[i] = static_cast<std::uint32_t>(i * step % size);
  }
  return permutation;
}

constexpr std::array both = {Designation::destination, Designation::source};

/// All access rules of this width: those of the DMM and the UMM, and those of the chips if their
/// warps have this width.
std::vector<AccessRule> rules_of(Width width) {
  std::vector<AccessRule> rules;
  for (const std::uint32_t bytes : {1u, 2u, 4u, 8u, 16u}) {
    rules.push_back(dmm_rule(width, bytes));
    rules.push_back(umm_rule(width, bytes));
    if (width != 32) continue;
    for (const Chip& chip : chips) {
      if (const auto rule = shared_rule(chip, bytes)) rules.push_back(*rule);
      if (const auto rule = global_rule(chip, bytes)) rules.push_back(*rule);
      if (const auto rule = global_rule(chip, bytes, GlobalMemoryRule::sector_bytes)) {
        rules.push_back(*rule);
      }
    }
  }
  return rules;
}

ConflictReport fast(const Permutation& permutation, Designation designation,
                    const AccessRule& rule) {
  return analyze(std::span<const std::uint32_t>(permutation), designation, rule);
}

ConflictReport plain(const Permutation& permutation, Designation designation,
                     const AccessRule& rule) {
  return analyze_plainly(std::span<const std::uint32_t>(permutation), designation, rule);
}

/// The stages of each warp on the oracle's machine.
std::vector<std::uint64_t> stages_by_oracle(const Permutation& permutation, Width width,
                                            Designation designation, bool groups) {
  std::vector<std::int64_t> touched(permutation.begin(), permutation.end());
  if (designation == Designation::source) touched = oracle::inverse(touched);
  std::vector<std::uint64_t> stages;
  for (std::size_t first = 0; first < touched.size(); first += width) {
    oracle::Addresses addresses;
    for (std::size_t i = first; i < std::min(first + width, touched.size()); ++i) {
      addresses.emplace_back(static_cast<std::uint64_t>(touched[i]));
    }
    stages.push_back(groups ? oracle::umm_stages(addresses, width).count
                            : oracle::dmm_stages(addresses, width).count);
  }
  return stages;
}

/// The law that the canaries break: the report has the stages that the oracle counts.
void reports_what_the_oracle_counts(const Analysis& analysis, const Case& drawn) {
  for (const Designation designation : both) {
    for (const bool groups : {false, true}) {
      const auto expected = stages_by_oracle(drawn.permutation, drawn.width, designation, groups);
      const ConflictReport report = analysis(
          drawn.permutation, designation, groups ? umm_rule(drawn.width) : dmm_rule(drawn.width));
      RC_ASSERT(report.warps == expected.size());
      RC_ASSERT(report.ideal == expected.size());
      RC_ASSERT(report.stages == std::accumulate(expected.begin(), expected.end(), 0ul));
      if (expected.empty()) continue;
      const auto worst = std::max_element(expected.begin(), expected.end());
      RC_ASSERT(report.max == *worst);
      RC_ASSERT(report.worst_warp == static_cast<std::uint64_t>(worst - expected.begin()));
      for (std::size_t k = 0; k < report.histogram.size(); ++k) {
        RC_ASSERT(static_cast<std::ptrdiff_t>(report.histogram[k]) ==
                  std::count(expected.begin(), expected.end(), k));
      }
    }
  }
}

BANKPROOF_PROPERTY(Conflicts, plain_reference_reports_what_the_oracle_counts, (const Case& drawn)) {
  reports_what_the_oracle_counts(plain, drawn);
}

BANKPROOF_PROPERTY(Conflicts, fast_passes_report_what_the_oracle_counts, (const Case& drawn)) {
  reports_what_the_oracle_counts(fast, drawn);
}

BANKPROOF_PROPERTY(Conflicts, fast_passes_agree_with_the_plain_reference_under_every_rule,
                   (const Case& drawn)) {
  const std::vector<std::uint64_t> wide(drawn.permutation.begin(), drawn.permutation.end());
  for (const AccessRule& rule : rules_of(drawn.width)) {
    for (const Designation designation : both) {
      const ConflictReport expected = plain(drawn.permutation, designation, rule);
      RC_ASSERT(fast(drawn.permutation, designation, rule) == expected);
      RC_ASSERT(analyze(std::span<const std::uint64_t>(wide), designation, rule) == expected);
    }
  }
}

TEST(Conflicts, fast_passes_agree_with_the_plain_reference_on_many_warps) {
  constexpr std::size_t size = 200'003;  // several buckets of the source pass, the last partial
  for (const Permutation& permutation :
       {random_permutation(size, 1), strided(size, 448), strided(size, 1 << 16)}) {
    for (const Width width : {1u, 2u, 3u, 7u, 32u, 33u, 64u, 255u, 256u, 1000u, 1024u}) {
      for (const AccessRule& rule : {dmm_rule(width), umm_rule(width)}) {
        for (const Designation designation : both) {
          EXPECT_EQ(fast(permutation, designation, rule), plain(permutation, designation, rule))
              << "width " << width << (conflicts_in_groups(rule) ? ", umm" : ", dmm");
        }
      }
    }
  }
}

TEST(Conflicts, all_permutations_of_six_agree_with_the_oracle_at_every_small_width) {
  Permutation permutation(6);
  std::iota(permutation.begin(), permutation.end(), 0u);
  do {
    for (Width width = 1; width <= 4; ++width) {
      reports_what_the_oracle_counts(fast, {width, permutation});
    }
  } while (std::next_permutation(permutation.begin(), permutation.end()));
}

BANKPROOF_PROPERTY(Conflicts, distribution_counts_pairs_of_groups_and_is_the_inverses,
                   (const Case& drawn)) {
  std::set<std::pair<std::uint64_t, std::uint64_t>> pairs;
  for (std::size_t i = 0; i < drawn.permutation.size(); ++i) {
    pairs.emplace(i / drawn.width, drawn.permutation[i] / drawn.width);
  }
  const std::span<const std::uint32_t> permutation(drawn.permutation);
  const std::vector<std::uint32_t> inverse = inverse_of(permutation);
  RC_ASSERT(distribution(permutation, drawn.width) == pairs.size());
  RC_ASSERT(distribution(std::span<const std::uint32_t>(inverse), drawn.width) == pairs.size());
  for (const Designation designation : both) {
    RC_ASSERT(fast(drawn.permutation, designation, umm_rule(drawn.width)).stages == pairs.size());
  }
}

BANKPROOF_PROPERTY(Conflicts, source_of_a_permutation_is_destination_of_its_inverse,
                   (const Case& drawn)) {
  const Permutation inverse = inverse_of(std::span<const std::uint32_t>(drawn.permutation));
  for (const AccessRule& rule : rules_of(drawn.width)) {
    RC_ASSERT(fast(drawn.permutation, Designation::source, rule) ==
              fast(inverse, Designation::destination, rule));
  }
}

BANKPROOF_PROPERTY(Conflicts, reports_are_consistent, (const Case& drawn)) {
  for (const AccessRule& rule : rules_of(drawn.width)) {
    for (const Designation designation : both) {
      const ConflictReport report = fast(drawn.permutation, designation, rule);
      RC_ASSERT(report.warps == ceil_div(drawn.permutation.size(), drawn.width));
      RC_ASSERT(report.ideal <= report.stages);
      RC_ASSERT(report.stages <= report.warps * report.max);
      RC_ASSERT(report.warps_over(0) == report.warps);
      RC_ASSERT(report.warps_over(report.max) == 0u);
      RC_ASSERT((report.max == 0 || report.warps_over(report.max - 1) > 0));
    }
  }
}

BANKPROOF_PROPERTY(Conflicts, a_dmm_never_takes_more_stages_than_a_umm, (const Case& drawn)) {
  for (const Designation designation : both) {
    std::vector<std::uint32_t> banks;
    std::vector<std::uint32_t> groups;
    const std::span<const std::uint32_t> permutation(drawn.permutation);
    visit_warps(permutation, designation, dmm_rule(drawn.width),
                [&](std::uint64_t, std::uint32_t stages) { banks.push_back(stages); });
    visit_warps(permutation, designation, umm_rule(drawn.width),
                [&](std::uint64_t, std::uint32_t stages) { groups.push_back(stages); });
    RC_ASSERT(banks.size() == groups.size());
    for (std::size_t warp = 0; warp < banks.size(); ++warp) RC_ASSERT(banks[warp] <= groups[warp]);
  }
}

BANKPROOF_PROPERTY(Conflicts, warps_are_visited_in_order_and_look_as_they_cost,
                   (const Case& drawn)) {
  const std::span<const std::uint32_t> permutation(drawn.permutation);
  const Permutation inverse = inverse_of(permutation);
  for (const AccessRule& rule : rules_of(drawn.width)) {
    if (std::holds_alternative<WordMemoryRule>(rule) &&
        !std::get<WordMemoryRule>(rule).one_word_elements()) {
      continue;  // for wide elements, a lane's report has only its first word's stage
    }
    for (const Designation designation : both) {
      std::uint64_t next = 0;
      visit_warps(permutation, designation, rule, [&](std::uint64_t warp, std::uint32_t stages) {
        RC_ASSERT(warp == next++);
        std::uint32_t last = 0;
        for (const LaneReport& lane : look_at_warp(permutation, designation, rule, warp)) {
          RC_ASSERT(lane.index == warp * drawn.width + lane.lane);
          RC_ASSERT(lane.element == (designation == Designation::destination
                                         ? permutation[lane.index]
                                         : inverse[lane.index]));
          last = std::max(last, lane.place.stage);
        }
        RC_ASSERT(last + 1 == stages);
      });
      RC_ASSERT(next == ceil_div(permutation.size(), drawn.width));
    }
  }
}

TEST(Conflicts, the_identity_is_ideal_under_every_rule_and_width) {
  for (const Width width : {1u, 3u, 32u, 33u, 1024u}) {
    for (const std::size_t size : {1u, 31u, 4096u, 5000u}) {
      const Permutation identity = strided(size, 1);
      for (const AccessRule& rule : rules_of(width)) {
        // If a group ends inside an element, the stages depend on where a warp begins.
        const auto* words = std::get_if<WordMemoryRule>(&rule);
        if (words != nullptr && !words->elements_per_group()) continue;
        for (const Designation designation : both) {
          EXPECT_EQ(fast(identity, designation, rule).excess(), 0u);
        }
      }
    }
  }
}

TEST(Conflicts, an_empty_permutation_has_no_warp) {
  for (const AccessRule& rule : rules_of(32)) {
    for (const Designation designation : both) {
      EXPECT_EQ(fast({}, designation, rule), ConflictReport{});
    }
  }
}

// The ordering that METIS computes for a grid of 128×128 (examples/).
TEST(Conflicts, the_metis_ordering_takes_the_known_stages) {
  std::ifstream file(BANKPROOF_SOURCE "/examples/metis-nd-grid128x128.iperm");
  Permutation permutation;
  for (std::uint32_t value = 0; file >> value;) permutation.push_back(value);
  ASSERT_EQ(permutation.size(), 128u * 128u);
  const auto expect = [&](const AccessRule& rule, Designation designation, std::uint64_t stages,
                          std::uint32_t max) {
    const ConflictReport report = fast(permutation, designation, rule);
    EXPECT_EQ(report.stages, stages);
    EXPECT_EQ(report.ideal, 512u);
    EXPECT_EQ(report.max, max);
  };
  expect(dmm_rule(32), Designation::destination, 1763, 6);
  expect(dmm_rule(32), Designation::source, 2461, 11);
  expect(umm_rule(32), Designation::destination, 7630, 21);
  expect(umm_rule(32), Designation::source, 7630, 32);
}

// ---- canaries -----------------------------------------------------------------------------------

TEST(Canary, an_analysis_that_forgets_the_last_partial_warp_is_caught) {
  const Analysis forgetful = [](Permutation permutation, Designation designation,
                                const AccessRule& rule) {
    if (designation == Designation::source) {
      permutation = inverse_of(std::span<const std::uint32_t>(permutation));
    }
    permutation.resize(permutation.size() - permutation.size() % width_of(rule));
    ConflictTally tally;
    visit_accesses(std::span<const std::uint32_t>(permutation), rule, std::ref(tally));
    ConflictReport report = tally.report();
    report.ideal = report.warps;
    return report;
  };
  EXPECT_TRUE(caught([&](const Case& drawn) { reports_what_the_oracle_counts(forgetful, drawn); }));
}

TEST(Canary, an_analysis_that_counts_addresses_without_banks_is_caught) {
  const Analysis bankless = [](const Permutation& permutation, Designation designation,
                               const AccessRule& rule) {
    // Here every address has its own bank, so nothing conflicts.
    return plain(strided(permutation.size(), 1), designation, rule);
  };
  EXPECT_TRUE(caught([&](const Case& drawn) { reports_what_the_oracle_counts(bankless, drawn); }));
}

TEST(Canary, an_analysis_that_mixes_up_source_and_destination_is_caught) {
  const Analysis swapped = [](const Permutation& permutation, Designation designation,
                              const AccessRule& rule) {
    return plain(
        permutation,
        designation == Designation::source ? Designation::destination : Designation::source, rule);
  };
  EXPECT_TRUE(caught([&](const Case& drawn) { reports_what_the_oracle_counts(swapped, drawn); }));
}

}  // namespace
