// One value for each thread of a warp, and masks of threads (docs/model.md, rule 1: all threads of
// a warp execute one program in SIMD fashion, under a mask).
//
// Arithmetic is lane by lane: with `i` the lanes (0, 1, 2, 3), `2 * i + 1` is (1, 3, 5, 7). Lanes
// that do not take part compute, too. So integer arithmetic has a result for all operands: it wraps
// around, a division by 0 gives 0, and a shift by the number of bits or more shifts all bits out.
//
// Lanes of data convert to no other type, neither to addresses nor to a condition, and only lanes
// of addresses can be compared. There is one exception: Lanes<Address> that a program reads from an
// index array are data, but the program may use them as addresses. So a program without arrays of
// addresses is data-oblivious: it does the same for all values, unless it reads the data of single
// lanes. If the value type deletes its conversions, as abstract values do, a program cannot depend
// on the data of single lanes either.
#pragma once

#include <array>
#include <cassert>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>

#include "fault.hpp"
#include "mask.hpp"
#include "units.hpp"

namespace bankproof {

namespace detail {

[[noreturn, gnu::noinline]] inline void reject_widths(Width a, Width b) {
  throw fault::impossible(FaultKind::launch, "an expression of " + std::to_string(a) + " and " +
                                                 std::to_string(b) + " lanes, which must be equal");
}
inline void require_equal(Width a, Width b) {
  if (a != b) [[unlikely]]
    reject_widths(a, b);
}

/// The type in which integers are computed. It is unsigned and at least as wide as int, so that
/// nothing overflows.
template <std::integral T>
using Modular = std::make_unsigned_t<decltype(T{} + T{})>;

template <class T>
inline constexpr std::size_t bits_of = 8 * sizeof(T);

/// f(x, y); b-bit integers are computed modulo 2ᵇ.
template <class T, class F>
T modular(const T& x, const T& y, F f) {
  if constexpr (std::integral<T>) {
    return static_cast<T>(f(static_cast<Modular<T>>(x), static_cast<Modular<T>>(y)));
  } else {
    return f(x, y);
  }
}

template <class T>
T shifted_left(const T& x, const T& y) {
  if constexpr (std::integral<T>) {
    if (static_cast<Modular<T>>(y) >= bits_of<T>) return T{};  // also for negative y
    return static_cast<T>(static_cast<Modular<T>>(x) << y);
  } else {
    return x << y;
  }
}

template <class T>
T shifted_right(const T& x, const T& y) {
  if constexpr (std::integral<T>) {
    const bool all = static_cast<Modular<T>>(y) >= bits_of<T>;
    return static_cast<T>(x >> (all ? static_cast<T>(bits_of<T> - 1) : y)) >> (all ? 1 : 0);
  } else {
    return x >> y;
  }
}

template <class T>
T quotient(const T& x, const T& y) {
  if constexpr (std::integral<T>) {
    if (y == T{}) return T{};
    if constexpr (std::signed_integral<T>) {
      if (y == T{-1}) return modular(T{}, x, std::minus<>());
    }
  }
  return static_cast<T>(x / y);
}

template <class T>
T remainder(const T& x, const T& y) {
  if constexpr (std::integral<T>) {
    if (y == T{}) return T{};
    if constexpr (std::signed_integral<T>) {
      if (y == T{-1}) return T{};
    }
  }
  return static_cast<T>(x % y);
}

}  // namespace detail

/// The values of the `width` threads of a warp.
template <class T>
class Lanes {
 public:
  /// Default-initializes the values; values of arithmetic types are indeterminate.
  explicit Lanes(Width width) : width_(width) { assert(width <= widest_warp); }
  Lanes() = delete;  // warp.all(value) knows the width

  /// The same value in every lane.
  Lanes(Width width, const T& value) : Lanes(width) {
    for (Width lane = 0; lane < width_; ++lane) values_[lane] = value;
  }

  /// Copies only the first `width` lanes; the others do not exist.
  Lanes(const Lanes& other) : width_(other.width_) { copy(other); }
  Lanes& operator=(const Lanes& other) {
    width_ = other.width_;
    copy(other);
    return *this;
  }
  ~Lanes() = default;

  /// A condition on data would make the program depend on the data.
  explicit operator bool() const = delete;

  Width width() const { return width_; }
  T& operator[](Width lane) { return values_[lane]; }
  const T& operator[](Width lane) const { return values_[lane]; }
  T* begin() { return values_.data(); }
  T* end() { return values_.data() + width_; }
  const T* begin() const { return values_.data(); }
  const T* end() const { return values_.data() + width_; }

  Lanes& operator+=(const Lanes& other) {
    detail::require_equal(width_, other.width_);
    for (Width lane = 0; lane < width_; ++lane) add(lane, other.values_[lane]);
    return *this;
  }
  Lanes& operator+=(const T& other) {
    const T value = other;  // a copy: `other` may be one of these
    for (Width lane = 0; lane < width_; ++lane) add(lane, value);
    return *this;
  }
  Lanes& operator-=(const Lanes& other) { return *this = *this - other; }
  Lanes& operator-=(const T& other) { return *this = *this - other; }
  Lanes& operator*=(const Lanes& other) { return *this = *this * other; }
  Lanes& operator*=(const T& other) { return *this = *this * other; }

 private:
  void add(Width lane, const T& value) {
    values_[lane] = detail::modular(values_[lane], value, std::plus<>());
  }
  void copy(const Lanes& other) {
    for (Width lane = 0; lane < width_; ++lane) values_[lane] = other.values_[lane];
  }

  Width width_;
  alignas(T) alignas(16) std::array<T, widest_warp> values_;  ///< aligned for vector loads
};

/// Lanes of f(lane).
template <class F>
auto make_lanes(Width width, F f) {
  Lanes<std::decay_t<decltype(f(Width{}))>> result(width);
  for (Width lane = 0; lane < width; ++lane) result[lane] = f(lane);
  return result;
}

/// Lanes of f(a[lane]).
template <class T, class F>
auto map(const Lanes<T>& a, F f) {
  return make_lanes(a.width(), [&](Width lane) { return f(a[lane]); });
}

/// Lanes of f(a[lane], b[lane]). Requires equal widths.
template <class T, class U, class F>
auto map(const Lanes<T>& a, const Lanes<U>& b, F f) {
  detail::require_equal(a.width(), b.width());
  return make_lanes(a.width(), [&](Width lane) { return f(a[lane], b[lane]); });
}

// The operators: lanes with lanes, lanes with one value, and one value with lanes. `result` is the
// result of one lane with values x and y.
#define BANKPROOF_LANEWISE(op, result)                                        \
  template <class T>                                                          \
  Lanes<T> operator op(const Lanes<T>& a, const Lanes<T>& b) {                \
    return map(a, b, [](const T& x, const T& y) -> T { return result; });     \
  }                                                                           \
  template <class T>                                                          \
  Lanes<T> operator op(const Lanes<T>& a, const std::type_identity_t<T>& y) { \
    return map(a, [&y](const T& x) -> T { return result; });                  \
  }                                                                           \
  template <class T>                                                          \
  Lanes<T> operator op(const std::type_identity_t<T>& x, const Lanes<T>& b) { \
    return map(b, [&x](const T& y) -> T { return result; });                  \
  }
BANKPROOF_LANEWISE(+, detail::modular(x, y, std::plus<>()))
BANKPROOF_LANEWISE(-, detail::modular(x, y, std::minus<>()))
BANKPROOF_LANEWISE(*, detail::modular(x, y, std::multiplies<>()))
BANKPROOF_LANEWISE(&, detail::modular(x, y, std::bit_and<>()))
BANKPROOF_LANEWISE(|, detail::modular(x, y, std::bit_or<>()))
BANKPROOF_LANEWISE(^, detail::modular(x, y, std::bit_xor<>()))
BANKPROOF_LANEWISE(<<, detail::shifted_left(x, y))
BANKPROOF_LANEWISE(>>, detail::shifted_right(x, y))
BANKPROOF_LANEWISE(/, detail::quotient(x, y))
BANKPROOF_LANEWISE(%, detail::remainder(x, y))
#undef BANKPROOF_LANEWISE

/// The elements of an index array as addresses; abstract values do not become addresses. A negative
/// index becomes an address that no array has; faults report this address as an index below 0.
template <std::integral T>
Lanes<Address> as_addresses(const Lanes<T>& indices) {
  return map(indices, [](T index) { return static_cast<Address>(index); });
}

/// a where the mask has a lane, b elsewhere.
template <class T>
Lanes<T> select(Mask mask, const Lanes<T>& a, const Lanes<T>& b) {
  detail::require_equal(a.width(), b.width());
  return make_lanes(a.width(), [&](Width lane) { return mask.has(lane) ? a[lane] : b[lane]; });
}

// Comparisons of addresses give masks.
#define BANKPROOF_LANEWISE_TEST(op)                                           \
  inline Mask operator op(const Lanes<Address>& a, const Lanes<Address>& b) { \
    detail::require_equal(a.width(), b.width());                              \
    Mask mask;                                                                \
    for (Width lane = 0; lane < a.width(); ++lane)                            \
      if (a[lane] op b[lane]) mask.add(lane);                                 \
    return mask;                                                              \
  }                                                                           \
  inline Mask operator op(const Lanes<Address>& a, Address b) {               \
    Mask mask;                                                                \
    for (Width lane = 0; lane < a.width(); ++lane)                            \
      if (a[lane] op b) mask.add(lane);                                       \
    return mask;                                                              \
  }                                                                           \
  inline Mask operator op(Address a, const Lanes<Address>& b) {               \
    Mask mask;                                                                \
    for (Width lane = 0; lane < b.width(); ++lane)                            \
      if (a op b[lane]) mask.add(lane);                                       \
    return mask;                                                              \
  }
BANKPROOF_LANEWISE_TEST(==)
BANKPROOF_LANEWISE_TEST(!=)
BANKPROOF_LANEWISE_TEST(<)
BANKPROOF_LANEWISE_TEST(<=)
BANKPROOF_LANEWISE_TEST(>)
BANKPROOF_LANEWISE_TEST(>=)
#undef BANKPROOF_LANEWISE_TEST

}  // namespace bankproof
