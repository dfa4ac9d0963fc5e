// Random access rules: machines of small widths and all chips, with elements of all sizes.
#pragma once

#include <fmt/format.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "../../../model/gpu/chips.hpp"

namespace bankproof::formulas {

struct RuleCase {
  std::string machine = "dmm";
  bool global = false;  ///< for a chip: whether its global memory, not its shared memory
  Width width = 1;
  std::uint32_t bytes = 4;
  std::optional<Chip> made_up{};  ///< a chip that is not in the table

  AccessRule rule() const {
    if (machine == "dmm") return dmm_rule(width, bytes);
    if (machine == "umm") return umm_rule(width, bytes);
    if (made_up) return *shared_rule(*made_up, bytes);
    return global ? global_rule(machine, bytes) : shared_rule(machine, bytes);
  }
  bool is_plain() const { return bytes == word_bytes && (machine == "dmm" || machine == "umm"); }
};

inline std::ostream& operator<<(std::ostream& out, const RuleCase& drawn) {
  return out << fmt::format("{}{}, width {}, {} bytes", drawn.machine,
                            drawn.global ? " global" : "", drawn.width, drawn.bytes);
}

/// Some of the pure machines, and each memory of a chip that has a rule once.
inline std::vector<RuleCase> machines_to_draw() {
  std::vector<RuleCase> all(5, {.machine = "dmm"});
  all.resize(8, {.machine = "umm"});
  for (const Chip& chip : chips) {
    all.push_back({.machine = std::string(chip.name), .width = Chip::warp_width});
    if (!chip.has_global_rule()) continue;
    all.push_back({.machine = std::string(chip.name), .global = true, .width = Chip::warp_width});
  }
  return all;
}

}  // namespace bankproof::formulas

namespace rc {

template <>
struct Arbitrary<bankproof::formulas::RuleCase> {
  static Gen<bankproof::formulas::RuleCase> arbitrary() {
    return gen::exec([] {
      using bankproof::formulas::RuleCase;
      RuleCase drawn = *gen::elementOf(bankproof::formulas::machines_to_draw());
      const auto chip = bankproof::find_chip(drawn.machine);
      if (!chip) drawn.width = *gen::inRange<bankproof::Width>(1, 9);
      const std::uint32_t widest = chip && !drawn.global ? chip->shared.widest_element() : 16;
      drawn.bytes = std::min(*gen::element<std::uint32_t>(4, 4, 1, 2, 8, 16), widest);
      return drawn;
    });
  }
};

}  // namespace rc
