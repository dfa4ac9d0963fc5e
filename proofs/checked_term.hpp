// Machine words as whole numbers that have to stay words: a number type for the address maps of
// algorithms/, which records of each operation what it takes not to overflow. A sum or a product
// has to be below 2^32, and a difference not negative. Quotients and choices cannot overflow.
//
// Example: with i < n and j < n, i·n + j records i·n < 2^32 and i·n + j < 2^32, which hold where
// n·n ≤ 2^32.
#pragma once

#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "query.hpp"

namespace bankproof::proofs {

/// What the operations on terms have recorded while it lives.
class WordChecks {
 public:
  WordChecks() : previous_(innermost) { innermost = this; }
  ~WordChecks() { innermost = previous_; }
  WordChecks(const WordChecks&) = delete;
  WordChecks& operator=(const WordChecks&) = delete;

  static WordChecks& current() {
    if (innermost == nullptr) throw std::logic_error("nobody records what may overflow");
    return *innermost;
  }
  void add(const Truth& fits) {
    if (seen_.insert(fits.expression().simplify().to_string()).second) fits_.push_back(fits);
  }
  /// That nothing overflows. Requires an operation.
  Truth all() const {
    Truth all = fits_.at(0);
    for (const Truth& one : fits_) all = all && one;
    return all;
  }

 private:
  static inline thread_local WordChecks* innermost = nullptr;
  WordChecks* previous_;
  std::vector<Truth> fits_;
  std::set<std::string> seen_;
};

class CheckedTerm {
 public:
  static constexpr std::uint64_t end = std::uint64_t{1} << 32U;

  CheckedTerm(std::uint64_t value = 0) : value_(value) {}  // NOLINT(google-explicit-constructor)
  explicit CheckedTerm(IntTerm value) : value_(std::move(value)) {}

  const IntTerm& value() const { return value_; }

  friend CheckedTerm operator+(const CheckedTerm& a, const CheckedTerm& b) {
    return below_end(a.value_ + b.value_);
  }
  friend CheckedTerm operator*(const CheckedTerm& a, const CheckedTerm& b) {
    return below_end(a.value_ * b.value_);
  }
  friend CheckedTerm operator-(const CheckedTerm& a, const CheckedTerm& b) {
    WordChecks::current().add(b.value_ <= a.value_);
    return CheckedTerm(a.value_ - b.value_);
  }
  friend CheckedTerm operator/(const CheckedTerm& a, const CheckedTerm& b) {
    return CheckedTerm(a.value_ / b.value_);
  }
  friend CheckedTerm operator%(const CheckedTerm& a, const CheckedTerm& b) {
    return CheckedTerm(a.value_ % b.value_);
  }
  /// 1 to a, for a and b from 1 on: were it a + 1 or more, b of it would be a + b or more.
  friend CheckedTerm ceil_div(const CheckedTerm& a, const CheckedTerm& b) {
    Query& query = a.value_.query();
    const IntTerm ceiling = query.ceiling(a.value_, b.value_);
    query.compare_multiples(b.value_, a.value_, ceiling);
    query.compare_multiples(b.value_, IntTerm(0), ceiling);
    query.compare_multiples(a.value_, IntTerm(1), b.value_);
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
    WordChecks::current().add(value < IntTerm(end));
    return CheckedTerm(value);
  }

  IntTerm value_;
};

}  // namespace bankproof::proofs
