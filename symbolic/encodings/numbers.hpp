// Arithmetic on the numbers of integers.hpp: exact, up to bounds that are as far as a bound can be.
#pragma once

#include <algorithm>
#include <string>

#include "../terms/term.hpp"

namespace bankproof::symbolic::numbers {

using Number = SignedWide;

inline Number power(unsigned exponent) { return Number{1} << exponent; }

inline std::string text_of(Number value) {
  const bool is_negative = value < 0;
  auto rest = is_negative ? Wide{0} - static_cast<Wide>(value) : static_cast<Wide>(value);
  std::string digits;
  do {
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(rest % 10)));
    rest /= 10;
  } while (rest != 0);
  return is_negative ? "-" + digits : digits;
}

/// A bound so far from 0 is none: numbers there may be as large as they want.
inline constexpr Number far = Number{1} << 100;
inline Number limited(Number value) { return std::clamp(value, -far, far); }
inline Number limited_product(Number a, Number b) {
  if (a == 0 || b == 0) return 0;
  const auto size = [](Number x) { return x < 0 ? -x : x; };
  if (size(a) > far / size(b)) return (a < 0) == (b < 0) ? far : -far;
  return a * b;
}

inline bool is_bounded(Number least, Number most) { return least > -far && most < far; }
/// The bounds of sums. An end that is as far as a bound can be stays so.
inline Number least_of_sum(Number a, Number b) {
  return a <= -far || b <= -far ? -far : limited(a + b);
}
inline Number most_of_sum(Number a, Number b) {
  return a >= far || b >= far ? far : limited(a + b);
}

/// Modulo 2^128. Sums are reduced modulo a lower power of two, or are small, or only lemmas are
/// made of them, which hold for any sum.
inline Number wrapped_product(Number a, Number b) {
  return static_cast<Number>(static_cast<Wide>(a) * static_cast<Wide>(b));
}
inline Number wrapped_sum(Number a, Number b) {
  return static_cast<Number>(static_cast<Wide>(a) + static_cast<Wide>(b));
}

inline Number floor_quotient(Number a, Number b) { return a / b - (a % b < 0 ? 1 : 0); }

}  // namespace bankproof::symbolic::numbers
