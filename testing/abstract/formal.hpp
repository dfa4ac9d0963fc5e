// Formal sums Σ cᵏ·k of generators k with integer coefficients c: the results of an algorithm that
// runs on indeterminates. One such run decides for all values (docs/trust.md, T23):
//
// - The algorithms are data-oblivious: an algorithm applies the same additions and subtractions (in
//   rings also the same multiplications) to all values. So a run commutes with every homomorphism.
//   For any given values, some homomorphism takes the distinct generators to them. So if two formal
//   sums are equal, they have equal values in every abelian group and, if generators have a
//   product, in every ring.
// - Formal sums are themselves the elements of an abelian group, so if two formal sums differ, they
//   are a counterexample.
//
// Generators are ordered. If generators have a product, formal sums have one too. It is a
// homomorphism in each factor, and does not commute.
//
// Example: (x + y) − x is y; (x + y)·(x − y) is xx − xy + yx − yy.
#pragma once

#include <cstdint>
#include <map>
#include <ostream>
#include <stdexcept>
#include <utility>
#include <vector>

namespace bankproof::testing {

/// Throws std::overflow_error if a coefficient leaves 64 bits.
template <class Generator>
class Formal {
 public:
  using Term = std::pair<Generator, std::int64_t>;

  Formal() = default;  ///< zero
  explicit Formal(const Generator& generator) : terms_{{generator, 1}} {}

  /// A condition on values would make a program depend on them.
  explicit operator bool() const = delete;
  bool operator==(const Formal&) const = delete;

  /// Terms in the order of their generators, with coefficients other than 0.
  const std::vector<Term>& terms() const { return terms_; }

  Formal& operator+=(const Formal& other) { return *this = combined(*this, other, 1); }
  Formal& operator-=(const Formal& other) { return *this = combined(*this, other, -1); }
  friend Formal operator+(const Formal& a, const Formal& b) { return combined(a, b, 1); }
  friend Formal operator-(const Formal& a, const Formal& b) { return combined(a, b, -1); }
  friend Formal operator*(const Formal& a, const Formal& b)
    requires requires(const Generator& generator) { generator* generator; }
  {
    std::map<Generator, std::int64_t> products;
    for (const auto& [left, times] : a.terms_) {
      for (const auto& [right, by] : b.terms_) {
        std::int64_t& coefficient = products[left * right];
        coefficient = sum(coefficient, product(times, by));
      }
    }
    Formal result;
    for (const auto& [generator, coefficient] : products) result.append(generator, coefficient);
    return result;
  }
  friend bool is_same(const Formal& a, const Formal& b) { return a.terms_ == b.terms_; }

 private:
  static std::int64_t sum(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    if (__builtin_add_overflow(a, b, &result)) throw std::overflow_error("a coefficient");
    return result;
  }
  static std::int64_t product(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    if (__builtin_mul_overflow(a, b, &result)) throw std::overflow_error("a coefficient");
    return result;
  }

  void append(const Generator& generator, std::int64_t coefficient) {
    if (coefficient != 0) terms_.emplace_back(generator, coefficient);
  }

  /// a + factor·b.
  static Formal combined(const Formal& a, const Formal& b, std::int64_t factor) {
    Formal result;
    result.terms_.reserve(a.terms_.size() + b.terms_.size());
    auto left = a.terms_.begin();
    auto right = b.terms_.begin();
    while (left != a.terms_.end() || right != b.terms_.end()) {
      const bool from_left =
          right == b.terms_.end() || (left != a.terms_.end() && !(right->first < left->first));
      const bool from_right =
          left == a.terms_.end() || (right != b.terms_.end() && !(left->first < right->first));
      const Generator& generator = from_left ? left->first : right->first;
      std::int64_t coefficient = from_left ? (left++)->second : 0;
      if (from_right) coefficient = sum(coefficient, product(factor, (right++)->second));
      result.append(generator, coefficient);
    }
    return result;
  }

  std::vector<Term> terms_;
};

template <class Generator>
std::ostream& operator<<(std::ostream& out, const Formal<Generator>& formal) {
  if (formal.terms().empty()) return out << "0";
  for (const auto& [generator, coefficient] : formal.terms()) {
    out << (coefficient < 0 ? "-" : "+");
    if (coefficient != 1 && coefficient != -1)
      out << (coefficient < 0 ? -coefficient : coefficient);
    out << generator;
  }
  return out;
}

/// The value of the formal sum if each generator has the value value(generator): Σ cᵏ·value(k), by
/// additions and subtractions only.
template <class T, class Generator, class Value>
T evaluated(const Formal<Generator>& formal, Value value) {
  T result{};
  for (const auto& [generator, coefficient] : formal.terms()) {
    const T one = value(generator);
    for (std::int64_t k = 0; k < coefficient; ++k) result = static_cast<T>(result + one);
    for (std::int64_t k = 0; k > coefficient; --k) result = static_cast<T>(result - one);
  }
  return result;
}

}  // namespace bankproof::testing
