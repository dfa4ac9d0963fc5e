// Rows of chips: the table refuses rows that no rule can follow, a rule follows every other row,
// and the documents repeat the rows exactly.
#include "made_up_chips.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "../../testing/canary.hpp"
#include "../../testing/property.hpp"
#include "gpu_laws.hpp"

namespace {

using namespace bankproof;
using namespace bankproof::gpu_properties;
using bankproof::testing::caught;

BANKPROOF_PROPERTY(MadeUpChips, are_consistent, (const MadeUpChip& made_up)) {
  RC_ASSERT(is_consistent(made_up.chip));
}

BANKPROOF_PROPERTY(MadeUpChips, have_rules_that_count_what_their_rows_say,
                   (const MadeUpChip& made_up, const ChipAccess& access)) {
  for_each_rule_of(made_up.chip, [&](const AccessRule& rule, const Formulation& literally) {
    counts_alike(rule, literally, access.elements);
    never_beats_its_ideal(rule, access.elements);
    serves_no_conflict_together(rule, access.elements);
  });
}

BANKPROOF_PROPERTY(MadeUpChips, take_the_ideal_for_neighbouring_elements,
                   (const MadeUpChip& made_up)) {
  const auto lanes = *rc::gen::inRange<std::uint32_t>(0, warp + 1);
  for_each_rule_of(made_up.chip, [&](AccessRule rule, const Formulation&) {
    RC_ASSERT(stages_of(rule, strided(1, 0, lanes)) == ideal_of_distinct(rule, lanes));
  });
}

/// A law of one_word_elements(): if it holds for a rule, the rule counts the stages of the DMM of
/// the warp's width.
BANKPROOF_PROPERTY(MadeUpChips, are_the_dmm_exactly_where_they_say_so,
                   (const MadeUpChip& made_up, const ChipAccess& access)) {
  Chip chip = made_up.chip;
  SharedMemory& shared = chip.shared;
  shared.banks = shared.words_per_row = Chip::warp_width;
  shared.merging = Merging::none;
  for (std::size_t k = 0; k < shared.lanes_per_group.size(); ++k) {
    shared.lanes_per_group[k] = (1U << k) <= shared.bank_bytes ? Chip::warp_width : 0;
  }
  chip.wide_sources = {};
  RC_ASSERT(is_consistent(chip));
  RC_ASSERT(SharedMemoryRule(chip, shared.bank_bytes).one_word_elements());
  AccessRule dmm = dmm_rule(Chip::warp_width);
  RC_ASSERT(stages_of(dmm, access.elements) ==
            shared_literally(shared, shared.bank_bytes, access.elements));
}

TEST(ChipTable, has_no_name_twice) {
  std::set<std::string_view> names;
  for (const Chip& chip : chips) EXPECT_TRUE(names.insert(chip.name).second) << chip.name;
}

TEST(ChipTable, refuses_rows_that_no_rule_can_follow) {
  constexpr Chip chip = *find_chip("sm_90");
  static_assert(is_consistent(chip));
  const auto refused = [&](const auto& change) {
    Chip changed = chip;
    change(changed);
    return !is_consistent(changed);
  };
  EXPECT_TRUE(refused([](Chip& c) { c.name = ""; }));
  EXPECT_TRUE(refused([](Chip& c) { c.shared.banks = 24; }));
  EXPECT_TRUE(refused([](Chip& c) { c.shared.banks = 64; })) << "more than pictures have columns";
  EXPECT_TRUE(refused([](Chip& c) { c.shared.bank_bytes = 0; }));
  EXPECT_TRUE(refused([](Chip& c) { c.shared.words_per_row = 16; })) << "banks without a word";
  EXPECT_TRUE(refused([](Chip& c) { c.shared.lanes_per_group[0] = 0; }));
  EXPECT_TRUE(refused([](Chip& c) { c.shared.lanes_per_group[3] = 0; })) << "only 16 bytes";
  EXPECT_TRUE(refused([](Chip& c) { c.shared.lanes_per_group[3] = 12; }));
  EXPECT_TRUE(refused([](Chip& c) { c.shared.lanes_per_group[2] = 64; }));
  EXPECT_TRUE(refused([](Chip& c) { c.shared.lanes_per_group[4] = 16; })) << "needs two stages";
  EXPECT_TRUE(refused([](Chip& c) { c.shared.lanes_per_group[4] = 1; })) << "merges half a pair";
  EXPECT_TRUE(refused([](Chip& c) { c.shared.banks = 2; })) << "16 bytes are four words";
  EXPECT_TRUE(refused([](Chip& c) { c.usual_element_bytes = 3; }));
  EXPECT_TRUE(refused([](Chip& c) { c.narrow_sources = {}; }));
  EXPECT_TRUE(refused([](Chip& c) { c.wide_sources = {}; }));
  EXPECT_TRUE(refused([](Chip& c) {
    c.shared.lanes_per_group = {32, 32, 32, 0, 0};
  })) << "sources for a rule that the chip does not have";
}

TEST(ChipTable, says_which_chip_was_not_measured) {
  Chip chip = *find_chip("sm_90");
  chip.name = "made-up";
  EXPECT_EQ(remarks_on_shared(chip, 16).at(0).text,
            "how a warp is split for elements of 8 and 16 bytes was measured on an A100, not yet "
            "on made-up");
  EXPECT_EQ(remarks_on_global(chip).at(0).text,
            "requested sectors and 128-byte lines were measured on other chips, not yet on "
            "made-up");
}

/// The chip's row of the table in docs/fidelity.md.
std::string row_of(const Chip& chip) {
  const SharedMemory& shared = chip.shared;
  std::string lanes;
  for (const Width group : shared.lanes_per_group) {
    lanes += (lanes.empty() ? "" : ", ") + (group == 0 ? "no rule" : std::to_string(group));
  }
  return fmt::format("\n| `{}` | {} | {} | {} | {} | {} | {} |\n", chip.name, shared.banks,
                     shared.bank_bytes, shared.words_per_row, lanes,
                     shared.merging == Merging::none ? "never" : "if partners agree",
                     chip.has_global_rule() ? "lines and sectors" : "no rule");
}

/// Whether the document has the rows of these chips.
::testing::AssertionResult has_rows(const std::string& document, std::span<const Chip> all) {
  for (const Chip& chip : all) {
    if (document.find(row_of(chip)) == std::string::npos) {
      return ::testing::AssertionFailure() << "docs/fidelity.md lacks the row" << row_of(chip);
    }
  }
  return ::testing::AssertionSuccess();
}

std::string fidelity() {
  std::ifstream file(BANKPROOF_SOURCE "/docs/fidelity.md");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(ChipTable, is_in_the_documents) { EXPECT_TRUE(has_rows(fidelity(), chips)); }

// ---- canaries -----------------------------------------------------------------------------------

TEST(Canary, a_row_that_the_documents_lack_is_caught) {
  Chip chip = *find_chip("sm_90");
  chip.shared.banks = 16;
  EXPECT_FALSE(has_rows(fidelity(), std::span(&chip, 1)));
}

/// Tries the rule of a row in which one number is changed.
template <class Change>
::testing::AssertionResult other_row_is_caught(Change change) {
  return caught([&](const MadeUpChip& made_up, const ChipAccess& access) {
    Chip other = made_up.chip;
    change(other.shared);
    RC_PRE(is_consistent(other.shared));
    for (const std::uint32_t bytes : {1u, 2u, 4u, 8u, 16u}) {
      const auto rule = shared_rule(made_up.chip, bytes);
      if (!rule || other.shared.lanes_of(bytes) == 0) continue;
      const auto literally = [&](const Elements& elements) {
        return shared_literally(other.shared, bytes, elements);
      };
      counts_alike(*rule, literally, access.elements);
    }
  });
}

TEST(Canary, a_rule_that_does_not_follow_its_row_is_caught) {
  EXPECT_TRUE(other_row_is_caught([](SharedMemory& m) { m.banks = std::max(1U, m.banks / 2); }));
  EXPECT_TRUE(other_row_is_caught([](SharedMemory& m) { m.bank_bytes *= 2; }));
  EXPECT_TRUE(other_row_is_caught([](SharedMemory& m) { m.words_per_row *= 2; }));
  EXPECT_TRUE(other_row_is_caught([](SharedMemory& m) { m.merging = Merging::none; }));
  EXPECT_TRUE(other_row_is_caught([](SharedMemory& m) {
    for (Width& lanes : m.lanes_per_group) lanes = (lanes + 1) / 2;
  }));
}

}  // namespace
