// Sums and products of integers in twice their width, without overflow.
#pragma once

#include <limits>
#include <type_traits>

#include "lanes.hpp"

namespace bankproof::ptx::lanes {

__extension__ using U128 = unsigned __int128;
__extension__ using S128 = __int128;

/// The integer type of the same sign with twice the bits.
template <class T>
using Double = std::conditional_t<
    std::is_signed_v<T>,
    std::conditional_t<sizeof(T) == 2, S32, std::conditional_t<sizeof(T) == 4, S64, S128>>,
    std::conditional_t<sizeof(T) == 2, U32, std::conditional_t<sizeof(T) == 4, U64, U128>>>;

/// The unsigned type for sums and products of T that wrap. It is at least as wide as int, so that
/// the compiler does not promote it to int.
template <class T>
using Wrapping =
    std::conditional_t<sizeof(T) <= 4, U32, std::conditional_t<sizeof(T) == 8, U64, U128>>;

template <class T>
T sum(T a, T b) {
  return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
}

template <class T>
Double<T> wide_product(T a, T b) {
  return static_cast<Double<T>>(static_cast<Double<T>>(a) * static_cast<Double<T>>(b));
}

template <class T>
T low_product(T a, T b) {
  return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
}

template <class T>
T high_product(T a, T b) {
  return static_cast<T>(wide_product(a, b) >> (8 * sizeof(T)));
}

/// Clamps as .sat does.
inline S32 clamped_to_s32(S64 x) {
  constexpr S64 low = std::numeric_limits<S32>::min();
  constexpr S64 high = std::numeric_limits<S32>::max();
  return static_cast<S32>(x < low ? low : x > high ? high : x);
}

}  // namespace bankproof::ptx::lanes
