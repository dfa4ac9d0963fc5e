// The chips of model/gpu/chip_table.hpp as commands name them: accepted names, and the words of
// help and messages.
//
// Example: joined(and_chips({"dmm"}), " or ") is "dmm, kepler-64bit, kepler-32bit or sm_90".
#pragma once

#include <fmt/format.h>

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../../model/gpu/chip_table.hpp"
#include "words.hpp"

namespace bankproof::cli {

/// These machines, and after them all chips.
inline std::vector<std::string_view> and_chips(std::initializer_list<std::string_view> machines,
                                               std::span<const Chip> all = chips) {
  std::vector<std::string_view> names = machines;
  for (const Chip& chip : all) names.push_back(chip.name);
  return names;
}

/// The chips whose global memory has a rule; without `has_rule`, the chips whose global memory has
/// no rule.
inline std::vector<std::string_view> chips_by_global_rule(bool has_rule,
                                                          std::span<const Chip> all = chips) {
  std::vector<std::string_view> names;
  for (const Chip& chip : all) {
    if (chip.has_global_rule() == has_rule) names.push_back(chip.name);
  }
  return names;
}

/// First the chips that have a rule for global memory, then the chips that have only a rule for
/// shared memory: "sm_90, kepler-64bit".
inline std::string chips_for_kernels(std::span<const Chip> all = chips) {
  std::vector<std::string_view> names = chips_by_global_rule(true, all);
  for (const std::string_view name : chips_by_global_rule(false, all)) names.push_back(name);
  return joined(names, ", ");
}

/// The help on the size of an element: "Bytes of an element: 1, 2, 4, 8 or 16 [4; kepler-64bit:
/// 8]".
inline std::string help_on_element_bytes(std::span<const Chip> all = chips) {
  std::string text = fmt::format("Bytes of an element: 1, 2, 4, 8 or 16 [{}", word_bytes);
  for (const Chip& chip : all) {
    if (chip.usual_element_bytes == word_bytes) continue;
    text += fmt::format("; {}: {}", chip.name, chip.usual_element_bytes);
  }
  return text + "]";
}

}  // namespace bankproof::cli
