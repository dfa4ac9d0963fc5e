// Runs a row on drawn operands and compares every lane with the oracle.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "operands.hpp"
#include "oracle.hpp"
#include "warp.hpp"

namespace bankproof::ptx {

inline std::string hex(Bits bits) {
  const auto high = static_cast<std::uint64_t>(bits >> 64);
  const auto low = static_cast<std::uint64_t>(bits);
  return high != 0 ? fmt::format("0x{:x}{:016x}", high, low) : fmt::format("0x{:x}", low);
}

inline Bits fitted(Bits raw, LaneType type) {
  if (type == LaneType::predicate) return predicate_bits((raw & 1) != 0);
  return low_bits(raw, static_cast<int>(8 * lane_bytes(type)));
}

inline Lanes fitted(const Lanes& raw, LaneType type) {
  Lanes lanes{};
  for (std::size_t i = 0; i < warp_lanes; ++i) lanes[i] = fitted(raw[i], type);
  return lanes;
}

/// The operands of one lane, in the order of the row's sources.
inline std::vector<Bits> sources_of(const Row& row, const Draw& draw, std::size_t lane) {
  std::vector<Bits> sources;
  for (std::size_t i = 0; i < row.sources.size(); ++i) {
    sources.push_back(fitted(draw.sources.at(i)[lane], row.sources[i]));
  }
  return sources;
}

inline std::string described(const Row& row, const Draw& draw, std::size_t lane) {
  std::string text = row.opcode;
  for (const Bits source : sources_of(row, draw, lane)) text += " " + hex(source);
  return text;
}

/// Describes the error in the row's results; empty if they are right. If `aliased`, the first
/// destination uses the slot of the first source of its type.
inline std::string mistake(const Row& row, const Draw& draw, bool aliased) {
  Warp warp(row);
  std::vector<Lanes> before;
  for (std::size_t i = 0; i < row.sources.size(); ++i) {
    warp.set_source(i, fitted(draw.sources.at(i), row.sources[i]));
  }
  for (std::size_t i = 0; i < row.destinations.size(); ++i) {
    before.push_back(fitted(draw.sources.at(3 - i), row.destinations[i]));
    warp.set_destination(i, before[i]);
  }
  for (std::size_t i = 0; aliased && i < row.sources.size(); ++i) {
    if (row.sources[i] != row.destinations.at(0)) continue;
    warp.alias(0, i);
    before[0] = fitted(draw.sources.at(i), row.sources[i]);
    break;
  }
  warp.activate(draw.active);
  if (draw.has_guard) warp.set_guard(draw.guard, draw.negated);
  const LaneMask lanes = warp.lanes();
  if (!warp.run()) return row.opcode + " does not go on with the next operation";
  std::vector<Lanes> after;
  for (std::size_t i = 0; i < row.destinations.size(); ++i) after.push_back(warp.destination(i));

  const Spelling op(row.opcode);
  for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
    const bool counts = (lanes >> lane & 1U) != 0;
    Case a{op, sources_of(row, draw, lane), row.destinations.size()};
    const auto wanted = counts ? expected(a) : std::nullopt;
    if (wanted && wanted->size() != row.destinations.size()) {
      return fmt::format("{} has {} destinations, expected {}", row.opcode, row.destinations.size(),
                         wanted->size());
    }
    for (std::size_t i = 0; i < after.size(); ++i) {
      if (!counts) {
        if (after[i][lane] != before[i][lane]) {
          return fmt::format("{}: lane {} is not active and was written", row.opcode, lane);
        }
      } else if (!wanted) {
        if (is_within_bound(a, after[i][lane])) continue;
        return described(row, draw, lane) + " gives " + hex(after[i][lane]) +
               ", which is not within the bound";
      } else if (after[i][lane] != (*wanted)[i]) {
        return described(row, draw, lane) + " gives " + hex(after[i][lane]) + ", expected " +
               hex((*wanted)[i]);
      }
    }
  }
  return {};
}

}  // namespace bankproof::ptx
