// One value for each thread of a warp, and masks of threads (DESIGN 1: all threads of a warp
// execute one program in SIMD fashion, under a mask).
//
// Arithmetic is lane by lane: with `i` the lanes (0, 1, 2, 3), `2 * i + 1` is (1, 3, 5, 7).
// Arithmetic is total, as lanes that do not take part compute too: division by 0 gives 0.
//
// Lanes of data convert to nothing else, neither to addresses nor to a condition, and only lanes of
// addresses can be compared. So a program is data-oblivious, and what it does to one abstract value
// it does to all, unless it takes data apart lane by lane; a value type that deletes its own
// conversions, as abstract values do, forbids that too.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "units.hpp"

namespace bankproof {

/// One bit for each thread of a warp, lane 0 lowest.
using Mask = std::uint64_t;

/// The mask of the lanes below `count`, 0 ≤ count ≤ 64.
constexpr Mask first_lanes(std::uint64_t count) {
  return count >= 64 ? ~Mask{0} : (Mask{1} << count) - 1;
}

/// Calls f(lane) for each lane of the mask, lowest first.
template <class F>
constexpr void for_each_lane(Mask mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<Width>(std::countr_zero(mask)));
}

/// The values of the `width` threads of a warp.
template <class T>
class Lanes {
 public:
  Lanes() : width_(0) {}

  /// Values are those of T's default initialization: none for arithmetic types.
  explicit Lanes(Width width) : width_(width) { assert(width <= widest_warp); }

  /// The same value in every lane.
  Lanes(Width width, const T& value) : Lanes(width) {
    for (Width lane = 0; lane < width_; ++lane) values_[lane] = value;
  }

  /// Copies only the lanes there are.
  Lanes(const Lanes& other) : width_(other.width_) { copy(other); }
  Lanes& operator=(const Lanes& other) {
    width_ = other.width_;
    copy(other);
    return *this;
  }
  ~Lanes() = default;

  /// A condition on data would make the program depend on it.
  explicit operator bool() const = delete;

  Width width() const { return width_; }
  T& operator[](Width lane) { return values_[lane]; }
  const T& operator[](Width lane) const { return values_[lane]; }
  T* begin() { return values_.data(); }
  T* end() { return values_.data() + width_; }
  const T* begin() const { return values_.data(); }
  const T* end() const { return values_.data() + width_; }

  Lanes& operator+=(const Lanes& other) {
    assert(width_ == other.width_);
    for (Width lane = 0; lane < width_; ++lane) values_[lane] = values_[lane] + other.values_[lane];
    return *this;
  }
  Lanes& operator+=(const T& other) {
    for (Width lane = 0; lane < width_; ++lane) values_[lane] = values_[lane] + other;
    return *this;
  }

 private:
  void copy(const Lanes& other) {
    for (Width lane = 0; lane < width_; ++lane) values_[lane] = other.values_[lane];
  }

  Width width_;
  alignas(T) alignas(16) std::array<T, widest_warp> values_;  ///< where vector loads like it
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
  assert(a.width() == b.width());
  return make_lanes(a.width(), [&](Width lane) { return f(a[lane], b[lane]); });
}

// The operators, each for lanes with lanes, lanes with one value, and one value with lanes.
#define BANKPROOF_LANEWISE(op)                                                \
  template <class T>                                                          \
  Lanes<T> operator op(const Lanes<T>& a, const Lanes<T>& b) {                \
    return map(a, b, [](const T& x, const T& y) -> T { return x op y; });     \
  }                                                                           \
  template <class T>                                                          \
  Lanes<T> operator op(const Lanes<T>& a, const std::type_identity_t<T>& y) { \
    return map(a, [&y](const T& x) -> T { return x op y; });                  \
  }                                                                           \
  template <class T>                                                          \
  Lanes<T> operator op(const std::type_identity_t<T>& x, const Lanes<T>& b) { \
    return map(b, [&x](const T& y) -> T { return x op y; });                  \
  }
BANKPROOF_LANEWISE(+)
BANKPROOF_LANEWISE(-)
BANKPROOF_LANEWISE(*)
BANKPROOF_LANEWISE(&)
BANKPROOF_LANEWISE(|)
BANKPROOF_LANEWISE(^)
BANKPROOF_LANEWISE(<<)
BANKPROOF_LANEWISE(>>)
#undef BANKPROOF_LANEWISE

namespace detail {
/// x / y and x % y, or 0 where integers have no result.
template <class T>
T quotient(const T& x, const T& y) {
  if constexpr (std::is_integral_v<T>) {
    if (y == T{}) return T{};
  }
  return x / y;
}
template <class T>
T remainder(const T& x, const T& y) {
  if constexpr (std::is_integral_v<T>) {
    if (y == T{}) return T{};
  }
  return x % y;
}
}  // namespace detail

template <class T>
Lanes<T> operator/(const Lanes<T>& a, const Lanes<T>& b) {
  return map(a, b, detail::quotient<T>);
}
template <class T>
Lanes<T> operator/(const Lanes<T>& a, const std::type_identity_t<T>& y) {
  return map(a, [&y](const T& x) { return detail::quotient<T>(x, y); });
}
template <class T>
Lanes<T> operator/(const std::type_identity_t<T>& x, const Lanes<T>& b) {
  return map(b, [&x](const T& y) { return detail::quotient<T>(x, y); });
}
template <class T>
Lanes<T> operator%(const Lanes<T>& a, const Lanes<T>& b) {
  return map(a, b, detail::remainder<T>);
}
template <class T>
Lanes<T> operator%(const Lanes<T>& a, const std::type_identity_t<T>& y) {
  return map(a, [&y](const T& x) { return detail::remainder<T>(x, y); });
}
template <class T>
Lanes<T> operator%(const std::type_identity_t<T>& x, const Lanes<T>& b) {
  return map(b, [&x](const T& y) { return detail::remainder<T>(x, y); });
}

/// Lanes of an index array's elements, as addresses. Only of integers that have no sign: abstract
/// values do not become addresses, and a negative index has none.
template <std::unsigned_integral T>
Lanes<Address> as_addresses(const Lanes<T>& indices) {
  return map(indices, [](T index) { return Address{index}; });
}

/// a where the mask has a lane, b elsewhere.
template <class T>
Lanes<T> select(Mask mask, const Lanes<T>& a, const Lanes<T>& b) {
  return make_lanes(a.width(),
                    [&](Width lane) { return (mask >> lane & 1) != 0 ? a[lane] : b[lane]; });
}

// Comparisons of addresses give masks.
#define BANKPROOF_LANEWISE_TEST(op)                                                          \
  inline Mask operator op(const Lanes<Address>& a, const Lanes<Address>& b) {                \
    Mask mask = 0;                                                                           \
    for (Width lane = 0; lane < a.width(); ++lane) mask |= Mask{a[lane] op b[lane]} << lane; \
    return mask;                                                                             \
  }                                                                                          \
  inline Mask operator op(const Lanes<Address>& a, Address b) {                              \
    Mask mask = 0;                                                                           \
    for (Width lane = 0; lane < a.width(); ++lane) mask |= Mask{a[lane] op b} << lane;       \
    return mask;                                                                             \
  }                                                                                          \
  inline Mask operator op(Address a, const Lanes<Address>& b) {                              \
    Mask mask = 0;                                                                           \
    for (Width lane = 0; lane < b.width(); ++lane) mask |= Mask{a op b[lane]} << lane;       \
    return mask;                                                                             \
  }
BANKPROOF_LANEWISE_TEST(==)
BANKPROOF_LANEWISE_TEST(!=)
BANKPROOF_LANEWISE_TEST(<)
BANKPROOF_LANEWISE_TEST(<=)
BANKPROOF_LANEWISE_TEST(>)
BANKPROOF_LANEWISE_TEST(>=)
#undef BANKPROOF_LANEWISE_TEST

}  // namespace bankproof
