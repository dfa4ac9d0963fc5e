// The types of one lane, which the lambdas of rows take and give.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "../isa/registers.hpp"

namespace bankproof::ptx::lanes {

using U16 = std::uint16_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;
using S16 = std::int16_t;
using S32 = std::int32_t;
using S64 = std::int64_t;

/// A predicate: all ones or all zeros.
struct Predicate {
  U32 mask = 0;
};
constexpr Predicate predicate(bool holds) { return {0U - static_cast<U32>(holds)}; }

/// binary16 and bfloat16; a Pair holds two of them in a word, the first in the low half.
struct Half {
  U16 bits = 0;
};
struct Brain {
  U16 bits = 0;
};
template <class T>
struct Pair {
  U32 bits = 0;
};

/// 128 bits, the low half first.
struct Wide {
  U64 low = 0;
  U64 high = 0;
};

/// False for NaN only.
template <class T>
constexpr bool is_number(T x) {
  if constexpr (std::is_floating_point_v<T>) return !std::isnan(x);
  return true;
}

/// The word in which a lane of T is kept. All code reads and writes registers as these words.
template <std::size_t bytes>
struct WordOf;
template <>
struct WordOf<2> {
  using Type = U16;
};
template <>
struct WordOf<4> {
  using Type = U32;
};
template <>
struct WordOf<8> {
  using Type = U64;
};
template <>
struct WordOf<16> {
  using Type = Wide;
};
template <class T>
using Word = typename WordOf<sizeof(T)>::Type;

template <class T>
constexpr LaneType lane_type() {
  if constexpr (std::is_same_v<T, Predicate>) {
    return LaneType::predicate;
  } else {
    switch (sizeof(T)) {
      case 2:
        return LaneType::b16;
      case 4:
        return LaneType::b32;
      case 8:
        return LaneType::b64;
      default:
        return LaneType::b128;
    }
  }
}

}  // namespace bankproof::ptx::lanes
