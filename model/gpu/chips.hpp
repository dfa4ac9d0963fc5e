// The cost of one access of a warp, on the pure machines with elements of any size and on the chips
// of chip_table.hpp. An `AccessRule` counts an access's stages (wavefronts, tag stages) and its
// ideal stages.
//
// The rules: word_memory.hpp (dmm, umm), shared_memory.hpp and global_memory.hpp (chips). Each
// offers
//   width()                 threads of a warp
//   stages(elements)         the stages of the access
//   ideal(elements)         the fewest stages of any access by the same lanes to the same number of
//                           distinct elements; never more than stages()
//   places(elements)        for pictures: bank, group and stage of every lane
//
// Example: shared_rule("sm_90", 16) charges 4 stages if the lanes are at elements 0 … 31.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>

#include "chip_table.hpp"
#include "global_memory.hpp"
#include "rule.hpp"
#include "shared_memory.hpp"
#include "word_memory.hpp"

namespace bankproof {

using AccessRule = std::variant<WordMemoryRule, SharedMemoryRule, GlobalMemoryRule>;

/// The pure DMM; requires 1 ≤ width ≤ widest_access.
inline AccessRule dmm_rule(Width width, std::uint32_t element_bytes = word_bytes) {
  return WordMemoryRule(WordMemoryRule::Conflict::banks, width, element_bytes);
}

/// The pure UMM; requires 1 ≤ width ≤ widest_access.
inline AccessRule umm_rule(Width width, std::uint32_t element_bytes = word_bytes) {
  return WordMemoryRule(WordMemoryRule::Conflict::groups, width, element_bytes);
}

/// Nothing if the chip has no rule for elements of this size.
inline std::optional<AccessRule> shared_rule(const Chip& chip, std::uint32_t element_bytes) {
  if (!is_element_size(element_bytes) || chip.shared.lanes_of(element_bytes) == 0) {
    return std::nullopt;
  }
  return SharedMemoryRule(chip, element_bytes);
}

/// Counts 128-byte lines or 32-byte sectors. Nothing if the chip has no rule.
inline std::optional<AccessRule> global_rule(
    const Chip& chip, std::uint32_t element_bytes,
    std::uint32_t piece_bytes = GlobalMemoryRule::line_bytes) {
  if (!chip.has_global_rule() || !is_element_size(element_bytes)) return std::nullopt;
  return GlobalMemoryRule(element_bytes, piece_bytes);
}

namespace detail {
inline AccessRule require_rule(std::string_view name, std::uint32_t element_bytes,
                               const std::optional<AccessRule>& rule, const char* memory) {
  if (rule) return *rule;
  std::string text = "no rule for elements of " + std::to_string(element_bytes) + " bytes in the " +
                     memory + " memory of '" + std::string(name) + "'; known chips:";
  for (const Chip& chip : chips) text += " " + std::string(chip.name);
  throw std::invalid_argument(text);
}
}  // namespace detail

/// The rule of the chip with this name. Throws std::invalid_argument if there is no rule.
inline AccessRule shared_rule(std::string_view chip, std::uint32_t element_bytes) {
  const auto found = find_chip(chip);
  return detail::require_rule(chip, element_bytes,
                              found ? shared_rule(*found, element_bytes) : std::nullopt, "shared");
}
inline AccessRule global_rule(std::string_view chip, std::uint32_t element_bytes,
                              std::uint32_t piece_bytes = GlobalMemoryRule::line_bytes) {
  const auto found = find_chip(chip);
  return detail::require_rule(
      chip, element_bytes, found ? global_rule(*found, element_bytes, piece_bytes) : std::nullopt,
      "global");
}

/// Threads of a warp.
inline Width width_of(const AccessRule& rule) {
  return std::visit([](const auto& r) { return r.width(); }, rule);
}

/// Whether accesses conflict in groups (UMM, global memory) or, otherwise, in banks.
inline bool conflicts_in_groups(const AccessRule& rule) {
  return std::visit([](const auto& r) { return r.conflicts_in_groups(); }, rule);
}

/// See the head of this file.
inline std::uint32_t stages_of(AccessRule& rule, std::span<const Address> elements) {
  return std::visit([&](auto& r) { return r.stages(elements); }, rule);
}

/// See the head of this file.
inline std::uint32_t ideal_of(const AccessRule& rule, std::span<const Address> elements) {
  return std::visit([&](const auto& r) { return r.ideal(elements); }, rule);
}

/// The fewest stages in which the first `lanes` lanes can touch distinct elements.
inline std::uint32_t ideal_of_distinct(const AccessRule& rule, Width lanes) {
  std::vector<Address> elements(lanes);
  for (Width lane = 0; lane < lanes; ++lane) elements[lane] = lane;
  return ideal_of(rule, elements);
}

/// See the head of this file.
inline std::vector<std::optional<LanePlace>> places_of(const AccessRule& rule,
                                                       std::span<const Address> elements) {
  return std::visit([&](const auto& r) { return r.places(elements); }, rule);
}

}  // namespace bankproof
