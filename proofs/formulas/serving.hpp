// How a memory serves a warp, as numbers that solvers can be given: the access rules of
// model/gpu/chips.hpp a second time, in closed form. The two are compared by tests, and every
// counterexample is priced by the rule itself.
//
// A lane asks for `turns` words in turn, from the word of its element on. What is asked for in one
// turn by the lanes of one phase is served together: of each bank one row a stage, or one row (an
// address group, a line) a stage where banks do not matter.
//
// Example: sm_90 with elements of 8 bytes serves half-warps, two banks to an element; where all
// lanes agree with their partners, the halves together.
#pragma once

#include <cstdint>
#include <variant>

#include "../../model/gpu/chips.hpp"

namespace bankproof::formulas {

struct Serving {
  bool by_rows = false;        ///< banks do not matter
  std::uint32_t multiply = 1;  ///< words of an element, or
  std::uint32_t divide = 1;    ///< elements of a word
  std::uint32_t turns = 1;     ///< that differ in their stages
  std::uint32_t repeats = 1;   ///< of all that, as turns that take the same stages
  std::uint64_t banks = 1;     ///< the bank is the word mod this
  std::uint64_t row = 1;       ///< the row is the word divided by this
  Width lanes = 1;             ///< of a phase
  Width merged_lanes = 1;      ///< of a phase where partners agree; the same where none merge

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
  // The words of a turn are those of the first one, shifted: banks rotate, and groups stay what
  // they are when an element never straddles two.
  const bool alike = !serving.by_rows || rule.width() % rule.turns() == 0;
  (alike ? serving.repeats : serving.turns) = rule.turns();
  return serving;
}

inline Serving serving_of(const SharedMemoryRule& rule) {
  const std::uint32_t bank_bytes = rule.kind() == SharedMemoryKind::kepler_64bit ? 8 : 4;
  const std::uint32_t bytes = rule.element_bytes();
  Serving serving;
  serving.banks = SharedMemoryRule::banks;
  serving.row = rule.kind() == SharedMemoryKind::kepler_32bit ? 64 : 32;
  serving.lanes = serving.merged_lanes = SharedMemoryRule::warp_width;
  if (bytes <= bank_bytes) {
    serving.divide = bank_bytes / bytes;
    return serving;
  }
  serving.multiply = bytes / bank_bytes;
  serving.lanes = bytes == 8 ? 16 : 8;
  serving.merged_lanes = 2 * serving.lanes;
  return serving;
}

inline Serving serving_of(const GlobalMemoryRule& rule) {
  Serving serving;
  serving.by_rows = true;
  serving.divide = static_cast<std::uint32_t>(*rule.elements_per_group());
  serving.lanes = serving.merged_lanes = GlobalMemoryRule::warp_width;
  return serving;
}

}  // namespace detail

inline Serving serving_of(const AccessRule& rule) {
  return std::visit([](const auto& r) { return detail::serving_of(r); }, rule);
}

}  // namespace bankproof::formulas
