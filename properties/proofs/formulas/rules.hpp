// Random access rules: machines of small widths and all chips, with elements of all sizes.
#pragma once

#include <fmt/format.h>
#include <rapidcheck.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "../../../model/gpu/chips.hpp"

namespace bankproof::formulas {

struct RuleCase {
  std::string machine = "dmm";
  Width width = 1;
  std::uint32_t bytes = 4;

  AccessRule rule() const {
    if (machine == "dmm") return dmm_rule(width, bytes);
    if (machine == "umm") return umm_rule(width, bytes);
    if (machine == "sm_90 global") return global_rule("sm_90", bytes);
    return shared_rule(machine, bytes);
  }
  bool is_plain() const { return bytes == word_bytes && (machine == "dmm" || machine == "umm"); }
};

inline std::ostream& operator<<(std::ostream& out, const RuleCase& drawn) {
  return out << fmt::format("{}, width {}, {} bytes", drawn.machine, drawn.width, drawn.bytes);
}

}  // namespace bankproof::formulas

namespace rc {

template <>
struct Arbitrary<bankproof::formulas::RuleCase> {
  static Gen<bankproof::formulas::RuleCase> arbitrary() {
    return gen::exec([] {
      using bankproof::formulas::RuleCase;
      RuleCase drawn;
      drawn.machine = *gen::weightedElement<std::string>({{5, "dmm"},
                                                          {3, "umm"},
                                                          {1, "sm_90"},
                                                          {1, "sm_90 global"},
                                                          {1, "kepler-64bit"},
                                                          {1, "kepler-32bit"}});
      const bool chip = drawn.machine != "dmm" && drawn.machine != "umm";
      drawn.width = chip ? 32 : *gen::inRange<bankproof::Width>(1, 9);
      const std::uint32_t widest = drawn.machine == "kepler-32bit"   ? 4
                                   : drawn.machine == "kepler-64bit" ? 8
                                                                     : 16;
      const auto bytes = *gen::element<std::uint32_t>(4, 4, 1, 2, 8, 16);
      drawn.bytes = bytes > widest ? widest : bytes;
      return drawn;
    });
  }
};

}  // namespace rc
