// Exact whole numbers that a program cannot branch on, as a number type for closed forms. If a
// closed form has the same value with Integers as with std::uint64_t, its machine arithmetic does
// not wrap around for the numbers tried. A comparison is a Truth, which only select() and its own
// operators take. A difference below 0, or a division by 0, is an error.
//
// Example: smaller(Integer(3), Integer(5)) is 3; Integer(3) - Integer(5) throws; if (Integer(3) <
// Integer(5)) does not compile.
#pragma once

#include <concepts>
#include <cstdint>
#include <numeric>
#include <stdexcept>

#include "../../algorithms/algorithm.hpp"

namespace bankproof::testing {

/// The result of comparing Integers.
class Truth {
 public:
  constexpr explicit Truth(std::same_as<bool> auto holds) : holds_(holds) {}
  friend constexpr Truth operator&&(Truth a, Truth b) { return Truth(a.holds_ && b.holds_); }
  friend constexpr Truth operator||(Truth a, Truth b) { return Truth(a.holds_ || b.holds_); }
  friend constexpr Truth operator!(Truth a) { return Truth(!a.holds_); }
  /// For code that judges results.
  constexpr bool holds() const { return holds_; }

 private:
  bool holds_;
};

class Integer {
 public:
  constexpr Integer() = default;
  constexpr explicit Integer(std::uint64_t value) : value_(value) {}

  friend constexpr Integer operator+(Integer a, Integer b) { return exact(a.value_ + b.value_); }
  friend constexpr Integer operator*(Integer a, Integer b) {
    if (b.value_ != 0 && a.value_ > most / b.value_)
      throw std::overflow_error("a product past 2^96");
    return {a.value_ * b.value_, Whole()};
  }
  friend constexpr Integer operator-(Integer a, Integer b) {
    if (a.value_ < b.value_) throw std::underflow_error("a difference below 0");
    return {a.value_ - b.value_, Whole()};
  }
  friend constexpr Integer operator/(Integer a, Integer b) {
    return {a.value_ / divisor(b), Whole()};
  }
  friend constexpr Integer operator%(Integer a, Integer b) {
    return {a.value_ % divisor(b), Whole()};
  }
  constexpr Integer& operator+=(Integer other) { return *this = *this + other; }

  friend constexpr Truth operator==(Integer a, Integer b) { return Truth(a.value_ == b.value_); }
  friend constexpr Truth operator!=(Integer a, Integer b) { return Truth(a.value_ != b.value_); }
  friend constexpr Truth operator<(Integer a, Integer b) { return Truth(a.value_ < b.value_); }
  friend constexpr Truth operator<=(Integer a, Integer b) { return Truth(a.value_ <= b.value_); }
  friend constexpr Truth operator>(Integer a, Integer b) { return Truth(a.value_ > b.value_); }
  friend constexpr Truth operator>=(Integer a, Integer b) { return Truth(a.value_ >= b.value_); }

  friend constexpr Integer select(Truth condition, Integer a, Integer b) {
    return condition.holds() ? a : b;
  }
  friend constexpr Integer gcd(Integer a, Integer b) {
    return Integer(std::gcd(a.to_word(), b.to_word()));
  }
  friend constexpr Integer ceil_log2(Integer n) {
    return Integer(bankproof::ceil_log2(n.to_word()));
  }
  template <class F>
  friend constexpr auto sum_over(Integer count, F f) {
    return bankproof::sum_over(count.to_word(), [&](std::uint64_t k) { return f(Integer(k)); });
  }
  template <class F>
  friend constexpr auto sum_over_powers(Integer end, F f) {
    return bankproof::sum_over_powers(end.to_word(),
                                      [&](std::uint64_t k) { return f(Integer(k)); });
  }
  template <class Next, class F>
  friend constexpr auto sum_over_chain(Integer start, Next next, F f) {
    return bankproof::sum_over_chain(
        start.to_word(), [&](std::uint64_t k) { return next(Integer(k)).to_word(); },
        [&](std::uint64_t k) { return f(Integer(k)); });
  }

  /// For code that judges results.
  constexpr std::uint64_t to_word() const {
    if (value_ > UINT64_MAX) throw std::overflow_error("a number past 64 bits");
    return static_cast<std::uint64_t>(value_);
  }
  explicit operator double() const { return static_cast<double>(value_); }

 private:
  __extension__ using Wide = unsigned __int128;
  struct Whole {};
  static constexpr Wide most = Wide{1} << 96U;

  constexpr Integer(Wide value, Whole) : value_(value) {}
  static constexpr Integer exact(Wide value) {
    if (value > most) throw std::overflow_error("a number past 2^96");
    return {value, Whole()};
  }
  static constexpr Wide divisor(Integer b) {
    if (b.value_ == 0) throw std::domain_error("a division by 0");
    return b.value_;
  }

  Wide value_ = 0;
};

/// The same task in exact numbers.
inline TaskOf<Integer> exactly(const Task& task) {
  const MachineParameters& m = task.machine;
  TaskOf<Integer> exact{task.variant,
                        {},
                        {m.machine, Integer(m.w), Integer(m.l), Integer(m.L), Integer(m.d),
                         Integer(m.p), Integer(m.capacity)},
                        task.permutation};
  for (const auto& [name, value] : task.sizes) exact.sizes.add(name, Integer(value));
  return exact;
}

inline Rounds<std::uint64_t> to_words(const Rounds<Integer>& rounds) {
  return {rounds.stages.to_word(), rounds.rounds.to_word(), rounds.requests.to_word()};
}
inline Cost<std::uint64_t> to_words(const Cost<Integer>& cost) {
  return {to_words(cost.global), to_words(cost.shared), to_words(cost.constant),
          cost.overlap.to_word(), cost.launches.to_word()};
}

}  // namespace bankproof::testing
