// Floating-point numbers as exact numbers, and exact numbers rounded to formats: IEEE 754, sections
// 3 and 4, written down plainly. Uses nothing of ptx/alu.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "natural.hpp"

namespace bankproof::ptx {

/// A format of 1 + exponent + fraction bits.
struct Format {
  int exponent = 0;
  int fraction = 0;
  int bits() const { return 1 + exponent + fraction; }
  int bias() const { return (1 << (exponent - 1)) - 1; }
  /// The exponent of the last digit of the smallest numbers.
  int lowest() const { return 1 - bias() - fraction; }
  std::uint64_t infinity() const {
    return ((std::uint64_t{1} << exponent) - 1) << static_cast<unsigned>(fraction);
  }
  std::uint64_t sign() const { return std::uint64_t{1} << static_cast<unsigned>(bits() - 1); }
  /// The NaN that operations return: all ones except the sign.
  std::uint64_t nan() const { return sign() - 1; }
};

inline Format format_of(std::string_view type) {
  if (type == "f16") return {5, 10};
  if (type == "bf16") return {8, 7};
  if (type == "f32") return {8, 23};
  if (type == "f64") return {11, 52};
  throw std::invalid_argument("not a floating-point type: " + std::string(type));
}

/// ± magnitude · 2^exponent, infinite, or not a number. If the number is not exact, its true
/// magnitude lies strictly between `magnitude` and `magnitude` + 1.
struct Number {
  enum class Kind : std::uint8_t { finite, infinite, nan };
  Kind kind = Kind::finite;
  bool negative = false;
  Natural magnitude;
  int exponent = 0;
  bool exact = true;

  bool is_nan() const { return kind == Kind::nan; }
  bool is_infinite() const { return kind == Kind::infinite; }
  bool is_zero() const { return kind == Kind::finite && magnitude.is_zero() && exact; }
};

inline Number not_a_number() { return {Number::Kind::nan, false, {}, 0, true}; }
inline Number infinite(bool negative) { return {Number::Kind::infinite, negative, {}, 0, true}; }
inline Number zero(bool negative) { return {Number::Kind::finite, negative, {}, 0, true}; }

inline Number decoded(std::uint64_t bits, Format format) {
  const bool negative = (bits & format.sign()) != 0;
  const std::uint64_t field = (bits & format.infinity()) >> static_cast<unsigned>(format.fraction);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << format.fraction) - 1);
  if ((bits & format.infinity()) == format.infinity()) {
    return fraction != 0 ? not_a_number() : infinite(negative);
  }
  const std::uint64_t implicit = field != 0 ? std::uint64_t{1} << format.fraction : 0;
  return {Number::Kind::finite, negative, Natural(implicit | fraction),
          format.lowest() + static_cast<int>(field == 0 ? 0 : field - 1), true};
}

enum class Mode : std::uint8_t { nearest, zero, down, up };

/// The bits of x rounded to a format.
inline std::uint64_t encoded(const Number& x, Format format, Mode mode) {
  const std::uint64_t sign = x.negative ? format.sign() : 0;
  if (x.is_nan()) return format.nan();
  if (x.is_infinite()) return sign | format.infinity();
  if (x.is_zero()) return sign;
  // `unit` is the exponent of the last digit that the result can have.
  const int top = x.magnitude.width() - 1 + x.exponent;
  const int unit = std::max(top - format.fraction, format.lowest());
  const int places = unit - x.exponent;
  const Natural whole = places > 0 ? x.magnitude >> places : x.magnitude << -places;
  // Compares the part that rounding loses with half a unit.
  const Natural back = places > 0 ? whole << places : x.magnitude;
  const Natural rest = places > 0 ? x.magnitude - back : Natural();
  const bool is_exact = rest.is_zero() && x.exact;
  auto against_half = std::strong_ordering::less;
  if (places > 0) {
    against_half = (rest << 1) <=> (Natural(1) << places);
    if (against_half == std::strong_ordering::equal && !x.exact) {
      against_half = std::strong_ordering::greater;
    }
  } else if (!x.exact) {
    throw std::logic_error("too few digits to round");
  }
  bool away = false;
  switch (mode) {
    case Mode::nearest:
      away = std::is_gt(against_half) || (std::is_eq(against_half) && whole.is_odd());
      break;
    case Mode::zero:
      break;
    case Mode::down:
      away = !is_exact && x.negative;
      break;
    case Mode::up:
      away = !is_exact && !x.negative;
      break;
  }
  const Natural rounded = away ? whole + Natural(1) : whole;
  const int exponent = rounded.width() - 1 + unit;  // of the highest digit
  if (exponent > format.bias()) {
    const bool to_infinity = mode == Mode::nearest || (mode == Mode::down && x.negative) ||
                             (mode == Mode::up && !x.negative);
    return sign | (to_infinity ? format.infinity() : format.infinity() - 1);
  }
  const std::uint64_t digits = rounded.low_word();
  const std::uint64_t implicit = std::uint64_t{1} << format.fraction;
  if (digits < implicit) return sign | digits;
  if (digits == 2 * implicit) {
    return sign | static_cast<std::uint64_t>(unit + 1 - format.lowest() + 1) << format.fraction;
  }
  return sign | static_cast<std::uint64_t>(unit - format.lowest() + 1) << format.fraction |
         (digits - implicit);
}

// ---- Arithmetic

inline Number negated(Number a) {
  a.negative = !a.negative;
  return a;
}

inline Number product(const Number& a, const Number& b) {
  const bool negative = a.negative != b.negative;
  if (a.is_nan() || b.is_nan()) return not_a_number();
  if (a.is_infinite() || b.is_infinite()) {
    return a.is_zero() || b.is_zero() ? not_a_number() : infinite(negative);
  }
  return {Number::Kind::finite, negative, a.magnitude * b.magnitude, a.exponent + b.exponent, true};
}

/// The rounding mode matters only if numbers with different signs add up to zero: it decides the
/// sign of this zero.
inline Number sum(const Number& a, const Number& b, Mode mode) {
  if (a.is_nan() || b.is_nan()) return not_a_number();
  if (a.is_infinite() && b.is_infinite()) return a.negative == b.negative ? a : not_a_number();
  if (a.is_infinite()) return a;
  if (b.is_infinite()) return b;
  const int exponent =
      std::min(a.is_zero() ? b.exponent : a.exponent, b.is_zero() ? a.exponent : b.exponent);
  const Natural x = a.is_zero() ? Natural() : a.magnitude << (a.exponent - exponent);
  const Natural y = b.is_zero() ? Natural() : b.magnitude << (b.exponent - exponent);
  if (a.negative == b.negative) return {Number::Kind::finite, a.negative, x + y, exponent, true};
  if (x == y) return zero(mode == Mode::down);
  const bool is_first = y < x;
  return {Number::Kind::finite, is_first ? a.negative : b.negative, is_first ? x - y : y - x,
          exponent, true};
}

inline Number quotient(const Number& a, const Number& b) {
  const bool negative = a.negative != b.negative;
  if (a.is_nan() || b.is_nan()) return not_a_number();
  if (a.is_infinite()) return b.is_infinite() ? not_a_number() : infinite(negative);
  if (b.is_infinite()) return zero(negative);
  if (b.is_zero()) return a.is_zero() ? not_a_number() : infinite(negative);
  if (a.is_zero()) return zero(negative);
  // The quotient has at least 70 digits.
  const int more = std::max(0, 70 + b.magnitude.width() - a.magnitude.width());
  const Quotient digits = divide(a.magnitude << more, b.magnitude);
  return {Number::Kind::finite, negative, digits.whole, a.exponent - b.exponent - more,
          digits.exact};
}

inline Number square_root(const Number& a) {
  if (a.is_nan() || a.is_zero()) return a;
  if (a.negative) return not_a_number();
  if (a.is_infinite()) return a;
  int more = 160;
  if ((a.exponent - more) % 2 != 0) ++more;
  const Quotient digits = square_root(a.magnitude << more);
  return {Number::Kind::finite, false, digits.whole, (a.exponent - more) / 2, digits.exact};
}

/// Less, equal, greater, or unordered (if one is NaN).
inline std::partial_ordering compare(const Number& a, const Number& b) {
  if (a.is_nan() || b.is_nan()) return std::partial_ordering::unordered;
  const auto sign = [](const Number& x) { return x.is_zero() ? 0 : x.negative ? -1 : 1; };
  if (sign(a) != sign(b) || sign(a) == 0) return sign(a) <=> sign(b);
  auto magnitudes = std::strong_ordering::equal;
  if (a.is_infinite() || b.is_infinite()) {
    magnitudes = a.is_infinite() <=> b.is_infinite();
  } else {
    const int exponent = std::min(a.exponent, b.exponent);
    magnitudes = a.magnitude << (a.exponent - exponent) <=> b.magnitude << (b.exponent - exponent);
  }
  if (!a.negative || std::is_eq(magnitudes)) return magnitudes;
  return std::is_lt(magnitudes) ? std::partial_ordering::greater : std::partial_ordering::less;
}

}  // namespace bankproof::ptx
