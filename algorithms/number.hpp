// Arithmetic for closed forms and address maps, which are templates over the number type: they are
// evaluated with std::uint64_t, and a type of one's own stands for all numbers at once. So they do
// not branch; a choice is a select().
#pragma once

#include <bit>
#include <cstdint>

#include "../model/units.hpp"

namespace bankproof {

/// a where the condition holds, b elsewhere.
constexpr std::uint64_t select(bool condition, std::uint64_t a, std::uint64_t b) {
  return condition ? a : b;
}

template <class N>
constexpr N smaller(const N& a, const N& b) {
  return select(a < b, a, b);
}
template <class N>
constexpr N larger(const N& a, const N& b) {
  return select(a < b, b, a);
}

/// a − b, and 0 where that is negative.
template <class N>
constexpr N minus_or_zero(const N& a, const N& b) {
  return select(a < b, N(0), a - b);
}

/// The least multiple of b from a on.
template <class N>
constexpr N rounded_up(const N& a, const N& b) {
  return ceil_div(a, b) * b;
}

/// ⌈log₂ n⌉. Requires n > 0.
constexpr std::uint64_t ceil_log2(std::uint64_t n) {
  return static_cast<std::uint64_t>(std::bit_width(n - 1));
}

/// f(0) + f(1) + … + f(count − 1).
template <class F>
constexpr auto sum_over(std::uint64_t count, F f) {
  decltype(f(std::uint64_t{0})) sum{};
  for (std::uint64_t k = 0; k < count; ++k) sum += f(k);
  return sum;
}

}  // namespace bankproof
