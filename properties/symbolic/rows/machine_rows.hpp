// The machine's integer rows, and what one of them computes of given values.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "../../../ptx/alu/row.hpp"
#include "../../ptx/alu/warp.hpp"

namespace bankproof::symbolic {

inline unsigned width_of(ptx::LaneType type) {
  return type == ptx::LaneType::predicate ? 1 : static_cast<unsigned>(8 * ptx::lane_bytes(type));
}

inline constexpr std::array<std::string_view, 9> floats{"f16",  "f16x2", "bf16",   "bf16x2", "f32",
                                                        "tf32", "f64",   "e4m3x2", "e5m2x2"};

/// The rows whose operands are integers, bits or predicates.
inline const std::vector<const ptx::Row*>& integer_rows() {
  static const std::vector<const ptx::Row*> found = [] {
    std::vector<const ptx::Row*> all;
    for (const ptx::Row& row : ptx::rows(ptx::Level::portable)) {
      std::string_view rest = row.opcode;
      bool is_integer = true;
      while (!rest.empty()) {
        const std::string_view part = rest.substr(0, rest.find('.'));
        rest.remove_prefix(std::min(part.size() + 1, rest.size()));
        is_integer = is_integer && std::find(floats.begin(), floats.end(), part) == floats.end();
      }
      if (is_integer) all.push_back(&row);
    }
    return all;
  }();
  return found;
}

/// The results of a row: for each destination, the value in each lane. A predicate is 0 or 1.
inline std::vector<std::array<std::uint64_t, ptx::warp_lanes>> machine_results(
    const ptx::Row& row, const std::vector<std::array<std::uint64_t, ptx::warp_lanes>>& sources) {
  ptx::Warp warp(row);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    ptx::Lanes lanes{};
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      lanes[lane] = row.sources[i] == ptx::LaneType::predicate
                        ? ptx::predicate_bits(sources[i][lane] != 0)
                        : ptx::Bits{sources[i][lane]};
    }
    warp.set_source(i, lanes);
  }
  warp.run();
  std::vector<std::array<std::uint64_t, ptx::warp_lanes>> results(row.destinations.size());
  for (std::size_t d = 0; d < results.size(); ++d) {
    const ptx::Lanes lanes = warp.destination(d);
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      const auto bits = static_cast<std::uint64_t>(lanes[lane]);
      results[d][lane] = row.destinations[d] == ptx::LaneType::predicate ? bits & 1U : bits;
    }
  }
  return results;
}

}  // namespace bankproof::symbolic
