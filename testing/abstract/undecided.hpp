// A number type for closed forms, whose numbers are unknown: a comparison of them decides nothing.
// With these numbers, a closed form evaluates both sides of every choice, and one term of each sum.
// So the evaluation ends only if no recursion of the closed form depends on numbers.
#pragma once

#include <cstdint>

#include "../../algorithms/algorithm.hpp"

namespace bankproof::testing {

struct UndecidedTruth {
  friend UndecidedTruth operator&&(UndecidedTruth, UndecidedTruth) { return {}; }
  friend UndecidedTruth operator||(UndecidedTruth, UndecidedTruth) { return {}; }
  friend UndecidedTruth operator!(UndecidedTruth) { return {}; }
};

struct Undecided {
  static inline std::uint64_t sums = 0;  ///< the number of sums that were evaluated

  Undecided() = default;
  explicit Undecided(std::uint64_t) {}
  Undecided& operator+=(Undecided) { return *this; }

  friend Undecided operator+(Undecided, Undecided) { return {}; }
  friend Undecided operator-(Undecided, Undecided) { return {}; }
  friend Undecided operator*(Undecided, Undecided) { return {}; }
  friend Undecided operator/(Undecided, Undecided) { return {}; }
  friend Undecided operator%(Undecided, Undecided) { return {}; }
  friend UndecidedTruth operator==(Undecided, Undecided) { return {}; }
  friend UndecidedTruth operator<(Undecided, Undecided) { return {}; }
  friend UndecidedTruth operator<=(Undecided, Undecided) { return {}; }
  friend UndecidedTruth operator>(Undecided, Undecided) { return {}; }
  friend UndecidedTruth operator>=(Undecided, Undecided) { return {}; }
  friend Undecided select(UndecidedTruth, Undecided, Undecided) { return {}; }
  friend Undecided gcd(Undecided, Undecided) { return {}; }

  template <class F>
  friend auto sum_over(Undecided, F f) {
    ++sums;
    return f(Undecided());
  }
  template <class F>
  friend auto sum_over_powers(Undecided, F f) {
    ++sums;
    return f(Undecided());
  }
};

}  // namespace bankproof::testing
