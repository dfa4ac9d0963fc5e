// An affine map as shifts, ands and xors: the bits of the argument that move by the same distance
// are one term. c_expression() writes the map as C for plan.h.
//
// Example: i ↦ i ⊕ (i mod 32)·32 has the terms (i & ~0) << 0 and (i & 31) << 5, in C
// `i ^ ((i & 0x1fu) << 5)`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "affine.hpp"

namespace bankproof {

/// (i & mask) << shift, or >> −shift.
struct ShiftTerm {
  std::uint64_t mask;
  int shift;
  bool operator==(const ShiftTerm&) const = default;
};

/// The terms whose xor is the map without its offset: first the bits that stay, then terms by
/// distance, left shifts before right shifts.
inline std::vector<ShiftTerm> terms_of(const AffineMap& map) {
  std::vector<ShiftTerm> terms;
  const int bits = static_cast<int>(map.bits);
  const auto add = [&](int shift) {
    std::uint64_t mask = 0;
    for (int k = 0; k < bits; ++k) {
      const int to = k + shift;
      const bool inside = to >= 0 && to < bits;
      if (inside && (map.columns[static_cast<std::size_t>(k)] >> to & 1U) != 0) {
        mask |= std::uint64_t{1} << k;
      }
    }
    if (mask != 0) terms.push_back({mask, shift});
  };
  add(0);
  for (int distance = 1; distance < bits; ++distance) {
    add(distance);
    add(-distance);
  }
  return terms;
}

namespace detail {

inline std::string hexadecimal(std::uint64_t value, bool wide) {
  std::string digits;
  do {
    digits.insert(digits.begin(), "0123456789abcdef"[value % 16]);
    value /= 16;
  } while (value != 0);
  return "0x" + digits + (wide ? "ull" : "u");
}

/// Whether the term needs no mask: it takes every bit of the argument that the right shift keeps.
inline bool takes_all(const ShiftTerm& term, unsigned bits) {
  const std::uint64_t all = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  // A left shift always needs a mask: without it, the highest bits would move out of the range.
  return term.shift <= 0 && term.mask == (all >> -term.shift << -term.shift);
}

}  // namespace detail

/// The map of a variable as a C expression in unsigned 32-bit integers, or 64-bit integers if
/// `wide`.
inline std::string c_expression(const AffineMap& map, const std::string& variable, bool wide) {
  std::string text;
  const auto append = [&](const std::string& summand) {
    text += (text.empty() ? "" : " ^ ") + summand;
  };
  for (const ShiftTerm& term : terms_of(map)) {
    const bool all = detail::takes_all(term, map.bits);
    const std::string taken =
        all ? variable : "(" + variable + " & " + detail::hexadecimal(term.mask, wide) + ")";
    if (term.shift == 0) {
      append(taken);
    } else {
      append("(" + taken + (term.shift > 0 ? " << " : " >> ") +
             std::to_string(term.shift > 0 ? term.shift : -term.shift) + ")");
    }
  }
  if (map.offset != 0 || text.empty()) append(detail::hexadecimal(map.offset, wide));
  return text;
}

}  // namespace bankproof
