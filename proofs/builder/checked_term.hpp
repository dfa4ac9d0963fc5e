// Machine words as whole numbers that must fit 32 bits: a number type for the address maps of
// algorithms/. Each operation records the condition under which its result does not overflow. A sum
// or a product must be below 2^32, and a difference must not be negative. Quotients and choices
// cannot overflow. A guard is a test of an index by the program. Only the operations after the test
// may rely on it.
//
// Example: with i < n and j < n, i·n + j records i·n < 2^32 and i·n + j < 2^32. Both hold if n·n ≤
// 2^32. With k = 2·j and the guard k < n, 2·j < 2^32 must be proved without the guard.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "query.hpp"

namespace bankproof::proofs {

/// Collects the conditions that the operations on terms record while this object lives. The proof
/// establishes these conditions before it assumes a guard, because an index that has wrapped around
/// might pass the guard.
class WordChecks {
 public:
  /// False twins use `one`: their single goal says that each condition follows from the guards
  /// before it.
  enum class Goals : std::uint8_t { before_each_guard, one };

  WordChecks(Query& query, Goals goals) : query_(query), goals_(goals) { query.record_in(this); }
  ~WordChecks() { query_.record_in(nullptr); }
  WordChecks(const WordChecks&) = delete;
  WordChecks& operator=(const WordChecks&) = delete;

  /// Adds the condition to the checks of its query. If the condition's terms are constants that
  /// belong to no query, it must be true.
  static void record(const Truth& fits) {
    if (fits.query() != nullptr) return fits.query()->word_checks().add(fits);
    if (!fits.is_surely_true()) throw std::logic_error("arithmetic on constants overflows");
  }
  void add(const Truth& fits) {
    const z3::expr condition = fits.expression(query_.context()).simplify();
    if (!seen_.insert(condition.to_string()).second) return;
    fits_.push_back(guards_ ? implies(*guards_, fits) : fits);
  }
  /// The program tests this condition, and the operations after the test rely on it.
  void guard(const Truth& condition) {
    if (goals_ == Goals::one) {
      guards_ = guards_ ? *guards_ && condition : condition;
      return;
    }
    prove();
    query_.assume(condition);
  }
  /// Guards and definitions inside `steps` hold for this part of the program only.
  template <class Steps>
  void part(Steps steps) {
    const auto [guards, seen] = std::pair(guards_, seen_);
    if (goals_ == Goals::one) {
      steps();
    } else {
      prove();
      const Query::Scope scope(query_);
      steps();
      prove();
    }
    guards_ = guards;
    seen_ = seen;
  }
  /// States the goal that no recorded operation overflows.
  void prove() {
    if (fits_.empty()) return;
    Truth all = fits_[0];
    for (const Truth& one : fits_) all = all && one;
    fits_.clear();
    query_.claim("no overflow", all);
  }

 private:
  Query& query_;
  Goals goals_;
  std::vector<Truth> fits_;
  std::set<std::string> seen_;
  std::optional<Truth> guards_;  ///< for Goals::one: all guards so far
};

class CheckedTerm {
 public:
  static constexpr std::uint64_t end = std::uint64_t{1} << 32U;

  /// A constant. It must fit a word.
  CheckedTerm(std::uint64_t value = 0) : value_(value) {  // NOLINT(google-explicit-constructor)
    if (value >= end) throw std::logic_error(std::to_string(value) + " is no word of 32 bits");
  }
  explicit CheckedTerm(IntTerm value) : value_(std::move(value)) {}

  const IntTerm& value() const { return value_; }

  friend CheckedTerm operator+(const CheckedTerm& a, const CheckedTerm& b) {
    return below_end(a.value_ + b.value_);
  }
  friend CheckedTerm operator*(const CheckedTerm& a, const CheckedTerm& b) {
    return below_end(a.value_ * b.value_);
  }
  friend CheckedTerm operator-(const CheckedTerm& a, const CheckedTerm& b) {
    WordChecks::record(b.value_ <= a.value_);
    return CheckedTerm(a.value_ - b.value_);
  }
  friend CheckedTerm operator/(const CheckedTerm& a, const CheckedTerm& b) {
    return CheckedTerm(a.value_ / b.value_);
  }
  friend CheckedTerm operator%(const CheckedTerm& a, const CheckedTerm& b) {
    return CheckedTerm(a.value_ % b.value_);
  }
  /// The result r is between 1 and a, for a, b ≥ 1: r ≥ a + 1 would imply b·r ≥ a + b.
  friend CheckedTerm ceil_div(const CheckedTerm& a, const CheckedTerm& b) {
    const IntTerm ceiling = ceil_div(a.value_, b.value_);
    if (!ceiling.has_query()) return below_end(ceiling);
    Query& query = ceiling.query();
    query.compare_multiples(b.value_, a.value_, ceiling);
    query.compare_multiples(b.value_, 0, ceiling);
    query.compare_multiples(a.value_, 1, b.value_);
    return below_end(ceiling);
  }
  friend CheckedTerm smaller(const CheckedTerm& a, const CheckedTerm& b) {
    return CheckedTerm(smaller(a.value_, b.value_));
  }
  friend CheckedTerm larger(const CheckedTerm& a, const CheckedTerm& b) {
    return CheckedTerm(larger(a.value_, b.value_));
  }
  CheckedTerm& operator+=(const CheckedTerm& other) { return *this = *this + other; }

  friend Truth operator==(const CheckedTerm& a, const CheckedTerm& b) {
    return a.value_ == b.value_;
  }
  friend Truth operator!=(const CheckedTerm& a, const CheckedTerm& b) {
    return a.value_ != b.value_;
  }
  friend Truth operator<(const CheckedTerm& a, const CheckedTerm& b) { return a.value_ < b.value_; }
  friend Truth operator<=(const CheckedTerm& a, const CheckedTerm& b) {
    return a.value_ <= b.value_;
  }
  friend Truth operator>(const CheckedTerm& a, const CheckedTerm& b) { return b < a; }
  friend Truth operator>=(const CheckedTerm& a, const CheckedTerm& b) { return b <= a; }

  friend CheckedTerm select(const Truth& condition, const CheckedTerm& a, const CheckedTerm& b) {
    return CheckedTerm(select(condition, a.value_, b.value_));
  }

 private:
  static CheckedTerm below_end(const IntTerm& value) {
    WordChecks::record(value < IntTerm(end));
    return CheckedTerm(value);
  }

  IntTerm value_;
};

}  // namespace bankproof::proofs
