// cvt to and from the formats of 8 bits (PTX ISA, "cvt"): all numbers of a format are listed, and
// the nearest one is looked for.
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "oracle.hpp"

namespace bankproof::ptx {
namespace {

struct Fp8 {
  int exponent;
  int fraction;
  unsigned largest;   // the code of the largest number
  unsigned infinity;  // its code; 0: there is none
};

constexpr Fp8 e4m3{4, 3, 0x7e, 0};
constexpr Fp8 e5m2{5, 2, 0x7b, 0x7c};
constexpr unsigned nan_code = 0x7f;

/// The value of a code without sign, at most `largest`.
double value_of_code(const Fp8& format, unsigned code) {
  const unsigned field = code >> static_cast<unsigned>(format.fraction);
  const double digits = code & ((1U << static_cast<unsigned>(format.fraction)) - 1);
  const int bias = (1 << (format.exponent - 1)) - 1;
  const double scale = std::ldexp(1.0, -format.fraction);
  if (field == 0) return std::ldexp(digits * scale, 1 - bias);
  return std::ldexp(1 + digits * scale, static_cast<int>(field) - bias);
}

unsigned nearest_code(const Fp8& format, double x) {
  if (std::isnan(x)) return nan_code;
  unsigned best = 0;
  double least = std::fabs(x);
  for (unsigned code = 1; code <= format.largest; ++code) {
    const double distance = std::fabs(value_of_code(format, code) - std::fabs(x));
    if (distance < least || (distance == least && code % 2 == 0)) best = code;
    if (best == code) least = distance;
  }
  // Distances from far away are equal after rounding.
  if (std::fabs(x) >= value_of_code(format, format.largest)) best = format.largest;
  return best | (std::signbit(x) ? 0x80U : 0U);
}

double value_of_bits(Bits bits, std::string_view type) {
  const Number x = decoded(static_cast<std::uint64_t>(bits), format_of(type));
  if (x.is_nan()) return std::numeric_limits<double>::quiet_NaN();
  if (x.is_infinite()) return x.negative ? -HUGE_VAL : HUGE_VAL;
  const double magnitude = std::ldexp(static_cast<double>(x.magnitude.low_word()), x.exponent);
  return x.negative ? -magnitude : magnitude;
}

Bits searched_half(const Fp8& format, unsigned code) {
  const unsigned magnitude = code & 0x7fU;
  const Bits sign = Bits{code & 0x80U} << 8;
  if (format.infinity != 0 && magnitude == format.infinity) return sign | 0x7c00;
  if (magnitude > format.largest) return 0x7fff;
  for (Bits half = 0; half < 0x7c00; ++half) {
    if (value_of_bits(half, "f16") == value_of_code(format, magnitude)) return sign | half;
  }
  return 0xdead;
}

Bits half_of_code(const Fp8& format, unsigned code) {
  static std::map<std::pair<int, unsigned>, Bits> all;
  const auto [found, is_new] = all.try_emplace({format.fraction, code});
  if (is_new) found->second = searched_half(format, code);
  return found->second;
}

}  // namespace

std::optional<Results> fp8_result(Case& a, std::string_view from) {
  const auto format_of_8 = [](std::string_view type) -> const Fp8* {
    return type == "e4m3x2" ? &e4m3 : type == "e5m2x2" ? &e5m2 : nullptr;
  };
  Spelling op = a.op;
  const std::string_view to = op.take_last();
  const bool narrows = format_of_8(to) != nullptr && (from == "f32" || from == "f16x2");
  const bool widens = format_of_8(from) != nullptr && to == "f16x2";
  if ((!narrows && !widens) || !op.take("rn") || op.take("satfinite") != narrows) return {};
  const bool relu = op.take("relu");
  a.op = op;
  if (widens) {
    const auto half = [&](Bits code) {
      const Bits bits = half_of_code(*format_of_8(from), static_cast<unsigned>(code & 0xff));
      return relu && bits != 0x7fff && (bits & 0x8000) != 0 ? Bits{0} : bits;
    };
    return Results{half(a.s[0] >> 8) << 16 | half(a.s[0])};
  }
  const auto code = [&](double x) -> Bits {
    const unsigned nearest = nearest_code(*format_of_8(to), x);
    return relu && (nearest & 0x80U) != 0 ? 0 : nearest;
  };
  if (from == "f32") {
    return Results{code(value_of_bits(a.s[0], "f32")) << 8 | code(value_of_bits(a.s[1], "f32"))};
  }
  return Results{code(value_of_bits(a.s[0] >> 16, "f16")) << 8 |
                 code(value_of_bits(a.s[0] & 0xffff, "f16"))};
}

}  // namespace bankproof::ptx
