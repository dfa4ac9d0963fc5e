// Describes by a few numbers how a memory serves a warp, for solvers: a closed form of the access
// rules in model/gpu/chips.hpp. All numbers come from the access rule; the numbers of a chip come
// from its row in model/gpu/chip_table.hpp. Tests compare the stages that follow from these numbers
// with the stages of the rule, and the rule itself counts the stages of every counterexample.
//
// A lane requests `turns` words, one word a turn, starting with the word of its element. The
// requests that the lanes of one phase make in one turn are served together. Each bank serves one
// row a stage. Where banks do not matter, the memory serves one row (an address group, a line) a
// stage.
//
// Example: sm_90 with elements of 8 bytes serves half-warps, two banks to an element. If all lanes
// agree with their partners, both halves are served together.
#pragma once

#include <cstdint>
#include <variant>

#include "../../model/gpu/chips.hpp"

namespace bankproof::formulas {

struct Serving {
  bool by_rows = false;        ///< banks do not matter
  std::uint32_t multiply = 1;  ///< words in an element, or 1
  std::uint32_t divide = 1;    ///< elements in a word, or 1
  std::uint32_t turns = 1;     ///< turns that may differ in their stages
  std::uint32_t repeats = 1;   ///< how often these turns repeat with the same stages
  std::uint64_t banks = 1;     ///< the bank is the word mod this
  std::uint64_t row = 1;       ///< the row is the word divided by this
  Width lanes = 1;             ///< lanes in a phase
  Width merged_lanes = 1;  ///< lanes in a phase if partners agree; `lanes` if phases never merge

  bool merges() const { return merged_lanes != lanes; }
};

namespace detail {

inline Serving serving_of(const WordMemoryRule& rule) {
  Serving serving;
  serving.by_rows = rule.conflicts_in_groups();
  serving.banks = serving.row = serving.lanes = serving.merged_lanes = rule.width();
  if (rule.turns() == 1) {
    serving.divide = word_bytes / rule.element_bytes();
    return serving;
  }
  serving.multiply = rule.turns();
  // Each turn requests the words of the first turn, shifted by the same distance. A shift rotates
  // the banks, and so keeps the stages. Address groups stay the same if no element straddles two
  // groups.
  const bool alike = !serving.by_rows || rule.width() % rule.turns() == 0;
  (alike ? serving.repeats : serving.turns) = rule.turns();
  return serving;
}

inline Serving serving_of(const SharedMemoryRule& rule) {
  // Two elements have either the same banks or no common bank. So one turn is enough, in which each
  // lane requests the first word of its element.
  Serving serving;
  serving.multiply = rule.banks_per_element();
  serving.divide = rule.elements_per_word();
  serving.banks = rule.banks();
  serving.row = rule.words_per_row();
  serving.lanes = rule.lanes_per_group(false);
  serving.merged_lanes = rule.lanes_per_group(true);
  return serving;
}

inline Serving serving_of(const GlobalMemoryRule& rule) {
  Serving serving;
  serving.by_rows = true;
  serving.divide = static_cast<std::uint32_t>(*rule.elements_per_group());
  serving.lanes = serving.merged_lanes = rule.width();
  return serving;
}

}  // namespace detail

inline Serving serving_of(const AccessRule& rule) {
  return std::visit([](const auto& r) { return detail::serving_of(r); }, rule);
}

}  // namespace bankproof::formulas
