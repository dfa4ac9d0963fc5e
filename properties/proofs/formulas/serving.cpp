// The closed form of the access rules counts the same stages as the rules, on all machines, all
// chips and made-up chips.
#include "../../../proofs/formulas/serving.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "../../../testing/canary.hpp"
#include "../../../testing/property.hpp"
#include "../../model/made_up_chips.hpp"
#include "rules.hpp"

namespace bankproof::formulas {
namespace {

/// Counts the stages by the closed form, where `lanes` lanes form a phase. A phase takes as many
/// stages as its fullest bank has rows to serve.
std::uint64_t stages_of_phases(const Serving& serving, const std::vector<Address>& elements,
                               Width lanes) {
  std::map<std::pair<std::uint64_t, std::uint64_t>,
           std::map<std::uint64_t, std::set<std::uint64_t>>>
      phases;
  for (std::size_t lane = 0; lane < elements.size(); ++lane) {
    for (std::uint32_t turn = 0; turn < serving.turns; ++turn) {
      const std::uint64_t word = (elements[lane] * serving.multiply + turn) / serving.divide;
      const std::uint64_t bank = serving.by_rows ? 0 : word % serving.banks;
      phases[{lane / lanes, turn}][bank].insert(word / serving.row);
    }
  }
  std::uint64_t stages = 0;
  for (const auto& [phase, banks] : phases) {
    std::size_t fullest = 0;
    for (const auto& [bank, rows] : banks) fullest = std::max(fullest, rows.size());
    stages += fullest;
  }
  return stages * serving.repeats;
}

bool partners_agree(const std::vector<Address>& elements, std::size_t distance) {
  for (std::size_t lane = 0; lane < elements.size(); ++lane) {
    const std::size_t partner = lane ^ distance;
    if (partner < elements.size() && elements[lane] != elements[partner]) return false;
  }
  return true;
}

/// The law: the closed form counts the stages of the rule. The canaries below break it.
void counts_the_stages(AccessRule rule, const Serving& serving) {
  const auto address = rc::gen::oneOf(
      rc::gen::inRange<Address>(0, 8), rc::gen::inRange<Address>(0, 256),
      rc::gen::map(rc::gen::inRange<Address>(0, 8), [](Address a) { return 32 * a; }));
  const auto lanes = *rc::gen::inRange<std::size_t>(1, width_of(rule) + std::size_t{1});
  auto elements = *rc::gen::container<std::vector<Address>>(lanes, address);
  if (*rc::gen::inRange(0, 3) == 0) {  // partners share an element
    for (std::size_t lane = 0; lane < lanes; ++lane)
      elements[lane] = elements[lane & ~std::size_t{1}];
  }
  const bool merged = partners_agree(elements, 1) || partners_agree(elements, 2);
  RC_ASSERT(stages_of_phases(serving, elements, merged ? serving.merged_lanes : serving.lanes) ==
            stages_of(rule, elements));
}

BANKPROOF_PROPERTY(Serving, counts_the_stages_of_the_rules, (const RuleCase& drawn)) {
  counts_the_stages(drawn.rule(), serving_of(drawn.rule()));
}

using gpu_properties::MadeUpChip;

AccessRule any_rule_of(const Chip& chip) {
  const std::uint32_t bytes = *rc::gen::element<std::uint32_t>(1, 2, 4, 8, 16);
  return *shared_rule(chip, std::min(bytes, chip.shared.widest_element()));
}

BANKPROOF_PROPERTY(Serving, counts_the_stages_of_made_up_chips, (const MadeUpChip& made_up)) {
  const AccessRule rule = any_rule_of(made_up.chip);
  counts_the_stages(rule, serving_of(rule));
}

/// A closed form that differs in one number from the rule of its chip.
template <class Change>
::testing::AssertionResult other_form_is_caught(Change change) {
  return testing::caught([&](const MadeUpChip& made_up) {
    const AccessRule rule = any_rule_of(made_up.chip);
    Serving serving = serving_of(rule);
    change(serving);
    counts_the_stages(rule, serving);
  });
}

TEST(Canary, a_closed_form_that_disagrees_with_its_rule_is_caught) {
  EXPECT_TRUE(other_form_is_caught([](Serving& s) { s.banks *= 2; }));
  EXPECT_TRUE(other_form_is_caught([](Serving& s) { s.row *= 2; }));
  EXPECT_TRUE(other_form_is_caught([](Serving& s) { s.multiply *= 2; }));
  EXPECT_TRUE(other_form_is_caught([](Serving& s) { s.divide *= 2; }));
  EXPECT_TRUE(other_form_is_caught([](Serving& s) { s.lanes = std::max(1U, s.lanes / 2); }));
  EXPECT_TRUE(other_form_is_caught([](Serving& s) { s.merged_lanes = s.lanes; }));
  EXPECT_TRUE(other_form_is_caught([](Serving& s) { s.by_rows = true; }));
}

}  // namespace
}  // namespace bankproof::formulas
