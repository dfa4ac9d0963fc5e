// The tables of the PTX ISA for fragments of mma, copied shape by shape, and numbers of small
// formats by their definition. For tests; shares nothing with ptx/matrix.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace bankproof::ptx::fragment_oracle {

using Number = std::uint32_t;

struct Place {
  Number row;
  Number column;
};

/// The row and column of element a_i of the lane, for elements of `bits` bits ("Matrix Fragments
/// for mma.m16n8k16 with floating point type", and similar sections).
inline Place place_of_a(Number bits, Number m, Number k, Number lane, Number i) {
  const Number group = lane >> 2U;
  const Number in_group = lane % 4;
  const auto down = [&](bool above) { return above ? group : group + 8; };
  if (bits == 64 || bits == 32) {
    // f64 and tf32.
    const Number row = m == 8 ? group : down(i % 2 == 0);
    if (k == 4) return {row, in_group};
    if (k == 8) return {row, i < 2 ? in_group : in_group + 4};
    return {row, i % 2 == 0 ? i * 2 + in_group : i * 2 - 2 + in_group};
  }
  if (bits == 16) {
    if (k == 8) return {down(i < 2), in_group * 2 + (i & 1U)};
    return {down(i < 2 || (4 <= i && i < 6)), in_group * 2 + (i & 1U) + (i < 4 ? 0 : 8)};
  }
  if (bits == 8) {
    if (m == 8) return {group, in_group * 4 + i};
    if (k == 16) return {down(i < 4), in_group * 4 + (i & 3U)};
    return {down(i < 4 || (8 <= i && i < 12)), in_group * 4 + (i & 3U) + (i < 8 ? 0 : 16)};
  }
  if (m == 8) return {group, in_group * 8 + i};
  if (k == 32) return {down(i < 8), in_group * 8 + (i & 7U)};
  return {down(i < 8 || (16 <= i && i < 24)), in_group * 8 + (i & 7U) + (i < 16 ? 0 : 32)};
}

inline Place place_of_b(Number bits, Number k, Number lane, Number i) {
  const Number group = lane >> 2U;
  const Number in_group = lane % 4;
  if (bits == 64 || bits == 32) return {in_group + 4 * i, group};
  if (bits == 16) {
    if (k == 8) return {in_group * 2 + i, group};
    return {in_group * 2 + (i & 1U) + (i < 2 ? 0 : 8), group};
  }
  if (bits == 8) {
    if (k == 16) return {in_group * 4 + i, group};
    return {in_group * 4 + (i & 3U) + (i < 4 ? 0 : 16), group};
  }
  if (k == 32) return {in_group * 8 + i, group};
  return {in_group * 8 + (i & 7U) + (i < 8 ? 0 : 32), group};
}

/// The row and column of element c_i or d_i of the lane.
inline Place place_of_c(Number lane, Number i) {
  return {i < 2 ? lane >> 2U : (lane >> 2U) + 8, (lane % 4) * 2 + (i & 1U)};
}

/// The widths of exponent and fraction, in bits.
struct Format {
  int exponent;
  int fraction;
};
inline constexpr Format f16{5, 10};
inline constexpr Format bf16{8, 7};
inline constexpr Format f32{8, 23};

/// The number that these bits mean; they must be finite.
inline double value_of(std::uint64_t bits, const Format& format) {
  const int bias = (1 << (format.exponent - 1)) - 1;
  const std::uint64_t fraction = bits & ((1ULL << format.fraction) - 1);
  const auto exponent = static_cast<int>(bits >> format.fraction & ((1ULL << format.exponent) - 1));
  const bool negative = (bits >> (format.exponent + format.fraction) & 1U) != 0;
  const bool normal = exponent != 0;
  const auto significand =
      static_cast<double>(fraction | (normal ? 1ULL << format.fraction : std::uint64_t{0}));
  const double magnitude =
      std::ldexp(significand, (normal ? exponent : 1) - bias - format.fraction);
  return negative ? -magnitude : magnitude;
}

/// The bits of a number that is 0, or exact and normal in the format.
inline std::uint64_t bits_of(double value, const Format& format) {
  if (value == 0) return 0;
  const int bias = (1 << (format.exponent - 1)) - 1;
  const int exponent = std::ilogb(value);
  const double significand = std::ldexp(std::fabs(value), format.fraction - exponent);
  const auto fraction = static_cast<std::uint64_t>(significand) - (1ULL << format.fraction);
  const std::uint64_t magnitude = static_cast<std::uint64_t>(exponent + bias) << format.fraction;
  const std::uint64_t sign =
      value < 0 ? 1ULL << (format.exponent + format.fraction) : std::uint64_t{0};
  return sign | magnitude | fraction;
}

/// The value of an element, by the name of its type: "f16", …, "s32".
inline double element_value(const std::string& type, std::uint64_t bits) {
  if (type == "f16") return value_of(bits & 0xFFFFU, f16);
  if (type == "bf16") return value_of(bits & 0xFFFFU, bf16);
  if (type == "f32") return value_of(bits & 0xFFFFFFFFU, f32);
  if (type == "tf32") return value_of(bits & 0xFFFFE000U, f32);
  if (type == "f64") return std::bit_cast<double>(bits);
  if (type == "s32") return static_cast<std::int32_t>(static_cast<std::uint32_t>(bits));
  const int width = type[1] == '4' ? 4 : 8;
  const auto number = static_cast<int>(bits & ((1U << width) - 1));
  const bool negative = type[0] == 's' && (number >> (width - 1)) != 0;
  return negative ? number - (1 << width) : number;
}

inline std::uint64_t element_bits(const std::string& type, double value) {
  if (type == "f16") return bits_of(value, f16);
  if (type == "bf16") return bits_of(value, bf16);
  if (type == "f32" || type == "tf32") return bits_of(value, f32);
  if (type == "f64") return std::bit_cast<std::uint64_t>(value);
  const int width = type == "s32" ? 32 : type[1] == '4' ? 4 : 8;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) & ((1ULL << width) - 1);
}

inline Number element_width(const std::string& type) {
  if (type == "f64") return 64;
  if (type == "f32" || type == "tf32" || type == "s32") return 32;
  if (type == "f16" || type == "bf16") return 16;
  return type[1] == '4' ? 4 : 8;
}

}  // namespace bankproof::ptx::fragment_oracle
