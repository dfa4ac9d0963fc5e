// Terms beside the values that plain arithmetic gives.
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <vector>

#include "../../../symbolic/terms/evaluate.hpp"
#include "../../../symbolic/terms/pool.hpp"

namespace bankproof::symbolic {

constexpr unsigned word_bits = 32;

/// A term of unknowns, and the value that plain arithmetic gives.
struct Valued {
  Term term{};
  std::uint32_t value = 0;
};

class ValuedTerms {
 public:
  Valued unknown() {
    const Term term = pool.unknown("x", word_bits);
    values_.push_back(
        *rc::gen::oneOf(rc::gen::arbitrary<std::uint32_t>(), rc::gen::inRange(0U, 20U)));
    terms_.push_back(term);
    return {term, values_.back()};
  }
  std::uint32_t value(Term term) {
    Values values(pool, [&](Term unknown) -> std::uint64_t {
      for (std::size_t k = 0; k < terms_.size(); ++k) {
        if (terms_[k] == unknown) return values_[k];
      }
      return 0;
    });
    return static_cast<std::uint32_t>(values(term));
  }
  bool agree(const Valued& both) { return value(both.term) == both.value; }

  Valued scaled(const Valued& a, std::uint32_t factor) {
    return {pool.scale(a.term, factor), a.value * factor};
  }
  Valued sum(const Valued& a, const Valued& b) {
    return {pool.add(a.term, b.term), a.value + b.value};
  }
  Valued product(const Valued& a, const Valued& b) {
    return {pool.multiply(a.term, b.term), a.value * b.value};
  }
  /// The lowest bits alone, as of a number of fewer bits.
  Valued cut(const Valued& a, unsigned width) {
    const std::uint32_t mask = width == word_bits ? ~0U : (1U << width) - 1;
    return {pool.zero_extended(pool.part(a.term, 0, width), word_bits), a.value & mask};
  }
  Valued high(const Valued& a, unsigned by) {
    return {pool.shift_right(a.term, pool.constant(by, word_bits), false), a.value >> by};
  }
  Valued constant(std::uint32_t value) { return {pool.constant(value, word_bits), value}; }
  Valued chosen(const Valued& a, const Valued& b, bool is_equal, const Valued& yes,
                const Valued& no) {
    const Term condition =
        is_equal ? pool.equal(a.term, b.term) : pool.below(a.term, b.term, false);
    const bool holds = is_equal ? a.value == b.value : a.value < b.value;
    return {pool.choice(condition, yes.term, no.term), holds ? yes.value : no.value};
  }

  Pool pool;

 private:
  std::vector<Term> terms_;
  std::vector<std::uint32_t> values_;
};

}  // namespace bankproof::symbolic
