// The shared parts of conversions: 8-bit integers in 16-bit registers, values as doubles, and
// rounding to integers (PTX ISA, "cvt").
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "half.hpp"
#include "table.hpp"

namespace bankproof::ptx::lanes {

/// An integer type of PTX. `Type` is the C++ type with the same values, `Lane` the type in which a
/// register keeps them.
template <class T>
struct Integer {
  using Type = T;
  using Lane =
      std::conditional_t<sizeof(T) == 1, std::conditional_t<std::is_signed_v<T>, S16, U16>, T>;
  std::string_view name;
};

inline constexpr std::tuple all_integers{
    Integer<std::uint8_t>{"u8"}, Integer<U16>{"u16"}, Integer<U32>{"u32"}, Integer<U64>{"u64"},
    Integer<std::int8_t>{"s8"},  Integer<S16>{"s16"}, Integer<S32>{"s32"}, Integer<S64>{"s64"}};

template <class T>
using LaneOf = typename Integer<T>::Lane;

/// The ways to round a number to an integer.
enum class Integral : std::uint8_t { nearest, zero, down, up };

template <Integral how>
struct Rounds : std::integral_constant<Integral, how> {
  std::string_view name;
};
template <Integral how>
constexpr Rounds<how> rounds(std::string_view name) {
  Rounds<how> result;
  result.name = name;
  return result;
}
inline constexpr std::tuple integral_roundings{
    rounds<Integral::nearest>(".rni"), rounds<Integral::zero>(".rzi"),
    rounds<Integral::down>(".rmi"), rounds<Integral::up>(".rpi")};

/// x rounded to an integer; a zero keeps the sign of x. Adding 2^52 rounds to nearest.
template <Integral how>
inline double integral(double x) {
  const double magnitude = std::fabs(x);
  const double large = 0x1p52;
  const double near = magnitude < large ? (magnitude + large) - large : magnitude;
  const double below = near - (near > magnitude ? 1.0 : 0.0);  // towards zero
  const double above = below + (below < magnitude ? 1.0 : 0.0);
  const bool negative = std::signbit(x);
  double result = near;
  if constexpr (how == Integral::zero) result = below;
  if constexpr (how == Integral::down) result = negative ? above : below;
  if constexpr (how == Integral::up) result = negative ? below : above;
  return std::copysign(result, x);
}

inline double value_of(float a) { return static_cast<double>(a); }
inline double value_of(double a) { return a; }
inline double value_of(Half a) { return static_cast<double>(widened(a)); }
inline double value_of(Brain a) { return static_cast<double>(widened(a)); }

/// An integer as a double, rounded to odd.
inline double odd_value(U64 a) {
  if (a >> 53U == 0) return static_cast<double>(a);
  const U64 kept = a >> 11U | static_cast<U64>((a & 2047U) != 0);
  return static_cast<double>(kept) * 2048.0;
}
template <class T>
inline double odd_value(T a) {
  if constexpr (sizeof(T) < 8) {
    return static_cast<double>(a);
  } else {
    return a < 0 ? -odd_value(U64{0} - static_cast<U64>(a)) : odd_value(static_cast<U64>(a));
  }
}

/// All rounding modes of results.
inline constexpr std::tuple float_roundings =
    std::tuple_cat(std::tuple{rounding<FE_TONEAREST>(".rn")}, directed_modes);

}  // namespace bankproof::ptx::lanes
