// Formulas as they are written: a number type for the closed forms and address maps of algorithms/.
// An operation on such numbers computes nothing and simplifies nothing. Its result is the formula,
// which can be evaluated (evaluate.hpp) and printed as a term of Coq (in_coq.hpp). So what is
// printed is what the template says when it runs, and no solver has a part in it.
//
// Example: ceil_div(n, w) + 1 of Written::name("n") and Written::name("w").
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../../algorithms/number.hpp"
#include "../../algorithms/rounds.hpp"

namespace bankproof::proofs {

enum class Form : std::uint8_t {
  // Numbers
  number,
  name,
  place,  ///< of a sum: the number that says which term it is
  plus,
  minus,
  times,
  quotient,      ///< rounded down
  rest,          ///< of this quotient
  ceiling,       ///< a quotient, rounded up
  choice,        ///< if the first part holds, the second one, else the third one
  logarithm,     ///< to the base 2, rounded up
  power,         ///< of two
  divisor,       ///< the greatest common one
  application,   ///< of the function with this name
  over_numbers,  ///< count, place, term: the sum of the terms at 0, 1, …, count − 1
  over_powers,   ///< end, place, term: the sum of the terms at 1, 2, 4, … below the end
  over_chain,    ///< start, place, next, term: while a number exceeds 1, its term, and the next one
  // Truths
  equal,
  at_most,
  both,
  either,
  negation,
  implication,
  of_words,  ///< a comparison of machine words, which has no text
};

/// Numbers that formulas contain.
__extension__ using WrittenNumber = __int128;

class WrittenTruth;

/// A formula, or a part of one. Formulas share parts.
struct WrittenNode {
  Form form = Form::number;
  WrittenNumber value = 0;  ///< of a number; of a place, which one
  std::string name{};       ///< of a name, or of a function
  std::vector<std::shared_ptr<const WrittenNode>> parts{};
  /// The places outside of this formula that it depends on, in the order in which sums began: those
  /// of sums inside come later.
  std::vector<WrittenNumber> places{};
};
using WrittenPointer = std::shared_ptr<const WrittenNode>;

class Written {
 public:
  template <std::integral Value = int>
  // NOLINTNEXTLINE(google-explicit-constructor)
  Written(Value value = 0) : Written(of_number(static_cast<WrittenNumber>(value))) {}
  explicit Written(WrittenPointer formula) : node_(std::move(formula)) {}

  /// An unknown.
  static Written name(const std::string& name);
  /// The place of a sum that begins here.
  static Written new_place();

  const WrittenPointer& node() const { return node_; }

  friend Written operator+(const Written& a, const Written& b) { return of(Form::plus, {a, b}); }
  friend Written operator-(const Written& a, const Written& b) { return of(Form::minus, {a, b}); }
  friend Written operator*(const Written& a, const Written& b) { return of(Form::times, {a, b}); }
  friend Written operator/(const Written& a, const Written& b) {
    return of(Form::quotient, {a, b});
  }
  friend Written operator%(const Written& a, const Written& b) { return of(Form::rest, {a, b}); }
  Written& operator+=(const Written& other) { return *this = *this + other; }

  friend WrittenTruth operator==(const Written& a, const Written& b);
  friend WrittenTruth operator!=(const Written& a, const Written& b);
  friend WrittenTruth operator<=(const Written& a, const Written& b);
  friend WrittenTruth operator<(const Written& a, const Written& b);
  friend WrittenTruth operator>=(const Written& a, const Written& b);
  friend WrittenTruth operator>(const Written& a, const Written& b);

  friend Written select(const WrittenTruth& condition, const Written& a, const Written& b);
  friend Written ceil_div(const Written& a, const Written& b) { return of(Form::ceiling, {a, b}); }
  friend Written ceil_log2(const Written& n) { return of(Form::logarithm, {n}); }
  friend Written gcd(const Written& a, const Written& b) { return of(Form::divisor, {a, b}); }

  friend Written power_of_two(const Written& k) { return of(Form::power, {k}); }

  /// A formula of parts.
  static Written of(Form form, const std::vector<Written>& parts);
  /// The value of the function with this name.
  static Written application(const std::string& function, const std::vector<Written>& arguments);

 private:
  static WrittenPointer of_number(WrittenNumber value);

  WrittenPointer node_;
};

/// The comparison of numbers.
class WrittenTruth {
 public:
  explicit WrittenTruth(WrittenPointer formula) : node_(std::move(formula)) {}
  operator bool() const = delete;

  const WrittenPointer& node() const { return node_; }

  friend WrittenTruth operator&&(const WrittenTruth& a, const WrittenTruth& b) {
    return of(Form::both, {a, b});
  }
  friend WrittenTruth operator||(const WrittenTruth& a, const WrittenTruth& b) {
    return of(Form::either, {a, b});
  }
  friend WrittenTruth operator!(const WrittenTruth& a) { return of(Form::negation, {a}); }
  friend WrittenTruth implies(const WrittenTruth& a, const WrittenTruth& b) {
    return of(Form::implication, {a, b});
  }
  /// A comparison of machine words.
  static WrittenTruth of_words() { return of(Form::of_words, {}); }

 private:
  static WrittenTruth of(Form form, const std::vector<WrittenTruth>& parts);

  WrittenPointer node_;
};

Written power_of_two(const Written& k);

/// Replaces each number of what a sum adds up by change(number).
template <class Change>
void change_each(Written& number, Change change) {
  number = change(number);
}
template <class Change>
void change_each(Rounds<Written>& rounds, Change change) {
  for (Written* const one : {&rounds.stages, &rounds.rounds, &rounds.requests}) {
    change_each(*one, change);
  }
}
template <class Change>
void change_each(Cost<Written>& cost, Change change) {
  for (Rounds<Written>* const one : {&cost.global, &cost.shared, &cost.constant}) {
    change_each(*one, change);
  }
  change_each(cost.overlap, change);
  change_each(cost.launches, change);
}

/// A sum of the terms f(place), up to the number `limit`.
template <class F>
auto sum_of(Form form, const Written& limit, F f) {
  const Written place = Written::new_place();
  auto sum = f(place);
  change_each(sum, [&](const Written& term) { return Written::of(form, {limit, place, term}); });
  return sum;
}
template <class F>
auto sum_over(const Written& count, F f) {
  return sum_of(Form::over_numbers, count, f);
}
template <class F>
auto sum_over_powers(const Written& end, F f) {
  return sum_of(Form::over_powers, end, f);
}

template <class Next, class F>
auto sum_over_chain(const Written& start, Next next, F f) {
  const Written number = Written::new_place();
  const Written further = next(number);
  auto sum = f(number);
  change_each(sum, [&](const Written& term) {
    return Written::of(Form::over_chain, {start, number, further, term});
  });
  return sum;
}

}  // namespace bankproof::proofs
