// Arithmetic for closed forms and address maps, which are templates over the number type.
// std::uint64_t evaluates them; other number types use them to state facts about many numbers at
// once. So the forms do not branch on numbers, and no difference in them is negative. A choice is a
// select(), and a loop that adds up is a sum_over(). A number type has the operators of unsigned
// numbers, comparisons whose result select() takes, and its own select(), gcd(), ceil_log2() and
// sums, which argument-dependent lookup finds.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <utility>

#include "../model/host_device.hpp"
#include "../model/units.hpp"

namespace bankproof {

/// The type of a comparison of numbers.
template <class N>
using TruthOf = decltype(std::declval<N>() < std::declval<N>());

/// a where the condition holds, b elsewhere. Both are evaluated.
BANKPROOF_HOST_DEVICE constexpr std::uint64_t select(bool condition, std::uint64_t a,
                                                     std::uint64_t b) {
  return condition ? a : b;
}

template <class N>
BANKPROOF_HOST_DEVICE constexpr N smaller(const N& a, const N& b) {
  return select(a < b, a, b);
}
template <class N>
BANKPROOF_HOST_DEVICE constexpr N larger(const N& a, const N& b) {
  return select(a < b, b, a);
}

/// a − b, or 0 if a < b.
template <class N>
BANKPROOF_HOST_DEVICE constexpr N minus_or_zero(const N& a, const N& b) {
  return larger(a, b) - b;
}

/// ⌈a/b⌉ for other number types; model/units.hpp has it for machine words.
template <class N>
  requires(!std::integral<N>)
BANKPROOF_HOST_DEVICE constexpr N ceil_div(const N& a, const N& b) {
  return a / b + select(a % b == N(0), N(0), N(1));
}

/// The least multiple of b that is at least a.
template <class N>
BANKPROOF_HOST_DEVICE constexpr N rounded_up(const N& a, const N& b) {
  return ceil_div(a, b) * b;
}

/// Whether a divides b.
template <class N>
BANKPROOF_HOST_DEVICE constexpr TruthOf<N> divides(const N& a, const N& b) {
  return b % a == N(0);
}

constexpr std::uint64_t gcd(std::uint64_t a, std::uint64_t b) { return std::gcd(a, b); }

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

/// f(0) + f(1) + … + f(count − 1), where f(k) depends on k·step modulo m only. For std::uint64_t,
/// the function evaluates one period; for other number types it calls sum_over().
template <class N, class F>
constexpr auto sum_over_residues(const N& count, const N& step, const N& m, F f) {
  if constexpr (std::is_same_v<N, std::uint64_t>) {
    const std::uint64_t period = count < 4 ? count : m / gcd(step, m);
    if (period < count) {
      auto sum = count / period * sum_over(period, f);
      return sum += sum_over(count % period, f);
    }
  }
  return sum_over(count, f);
}

/// f(1) + f(2) + f(4) + …, for the powers of two below `end`.
template <class F>
constexpr auto sum_over_powers(std::uint64_t end, F f) {
  return sum_over(end <= 1 ? 0 : ceil_log2(end),
                  [&](std::uint64_t k) { return f(std::uint64_t{1} << k); });
}

/// f(start) + f(next(start)) + f(next(next(start))) + …, while the numbers are above 1.
template <class Next, class F>
constexpr auto sum_over_chain(std::uint64_t start, Next next, F f) {
  decltype(f(start)) sum{};
  for (std::uint64_t k = start; k > 1; k = next(k)) sum += f(k);
  return sum;
}

}  // namespace bankproof
