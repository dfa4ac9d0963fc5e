// Sums, differences, quotients, extremes and distances of integers (PTX ISA, "Integer Arithmetic
// Instructions").
#include <algorithm>

#include "table.hpp"
#include "wide.hpp"

namespace bankproof::ptx::lanes {

namespace {

/// PTX leaves division by zero open: here the quotient is all ones, and the remainder the dividend.
/// INT_MIN / -1 wraps.
template <class T>
T integer_quotient(T a, T b) {
  if (b == 0) return static_cast<T>(~T{0});
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return static_cast<T>(Wrapping<T>{0} - static_cast<Wrapping<T>>(a));
  }
  return static_cast<T>(a / b);
}

template <class T>
T remainder(T a, T b) {
  if (b == 0) return a;
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return 0;
  }
  return static_cast<T>(a % b);
}

template <class T>
void add_integer_sums(Table& table, std::string_view type) {
  table.fast(joined("add.", type), [](T a, T b) { return sum(a, b); });
  table.fast(joined("sub.", type), [](T a, T b) {
    return static_cast<T>(static_cast<Wrapping<T>>(a) - static_cast<Wrapping<T>>(b));
  });
  table.add(joined("div.", type), [](T a, T b) { return integer_quotient(a, b); });
  table.add(joined("rem.", type), [](T a, T b) { return remainder(a, b); });
  table.fast(joined("min.", type), [](T a, T b) { return a < b ? a : b; });
  table.fast(joined("max.", type), [](T a, T b) { return a > b ? a : b; });
  table.add(joined("sad.", type), [](T a, T b, T c) {
    const auto distance = a < b ? static_cast<Wrapping<T>>(b) - static_cast<Wrapping<T>>(a)
                                : static_cast<Wrapping<T>>(a) - static_cast<Wrapping<T>>(b);
    return static_cast<T>(static_cast<Wrapping<T>>(c) + distance);
  });
}

/// The smallest number has no counterpart and stays as it is.
template <class T>
T negated(T a) {
  return static_cast<T>(Wrapping<T>{0} - static_cast<Wrapping<T>>(a));
}

/// f on both halves of words.
template <class T, class F>
U32 by_halves(U32 a, U32 b, F f) {
  const auto low = f(static_cast<T>(a), static_cast<T>(b));
  const auto high = f(static_cast<T>(a >> 16U), static_cast<T>(b >> 16U));
  return U32{static_cast<U16>(low)} | U32{static_cast<U16>(high)} << 16U;
}

template <class T>
void add_pairs(Table& table, std::string_view type) {
  table.add(joined("add.", type),
            [](U32 a, U32 b) { return by_halves<T>(a, b, [](T x, T y) { return x + y; }); });
  table.add(joined("min.", type), [](U32 a, U32 b) {
    return by_halves<T>(a, b, [](T x, T y) { return x < y ? x : y; });
  });
  table.add(joined("max.", type), [](U32 a, U32 b) {
    return by_halves<T>(a, b, [](T x, T y) { return x > y ? x : y; });
  });
}

}  // namespace

void add_integers(Table& table) {
  each(integer_types,
       [&table](auto type) { add_integer_sums<typename decltype(type)::Type>(table, type.name); });
  each(signed_types, [&table](auto type) {
    using T = typename decltype(type)::Type;
    table.fast(joined("abs.", type.name), [](T a) { return a < 0 ? negated(a) : a; });
    table.fast(joined("neg.", type.name), [](T a) { return negated(a); });
  });
  table.add("add.sat.s32", [](S32 a, S32 b) { return clamped_to_s32(S64{a} + S64{b}); });
  table.add("sub.sat.s32", [](S32 a, S32 b) { return clamped_to_s32(S64{a} - S64{b}); });
  table.add("min.relu.s32", [](S32 a, S32 b) { return std::max(std::min(a, b), 0); });
  table.add("max.relu.s32", [](S32 a, S32 b) { return std::max(std::max(a, b), 0); });
  add_pairs<U16>(table, "u16x2");
  add_pairs<S16>(table, "s16x2");
  table.add("min.relu.s16x2", [](U32 a, U32 b) {
    return by_halves<S16>(a, b, [](S16 x, S16 y) { return std::max(std::min(x, y), S16{0}); });
  });
  table.add("max.relu.s16x2", [](U32 a, U32 b) {
    return by_halves<S16>(a, b, [](S16 x, S16 y) { return std::max(std::max(x, y), S16{0}); });
  });
}

}  // namespace bankproof::ptx::lanes
