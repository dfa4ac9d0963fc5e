// Makes terms. Each function simplifies what it makes by rules that hold for all values, so that
// terms which compilers write differently become the same node:
//
//   (x + 1) · 4 - 4           4·x
//   x & 31, x % 32            the lowest five bits of x, extended
//   (y << 5) | (x & 31)       32·y + …, since no bit is in both
//
// Operands have to have the width that the operator asks for: arithmetic and comparisons take two
// of one width.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "polynomial.hpp"
#include "term.hpp"

namespace bankproof::symbolic {

class Pool {
 public:
  Pool() = default;
  // No copies: nodes_ points into known_.
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  Pool(Pool&&) = default;
  Pool& operator=(Pool&&) = default;
  ~Pool() = default;

  /// The node stays where it is while the pool lives, whatever terms are made meanwhile.
  const Node& node(Term term) const { return *nodes_[static_cast<std::size_t>(term)]; }
  unsigned width(Term term) const { return node(term).width; }
  std::size_t size() const { return nodes_.size(); }

  // ---- Leaves
  Term constant(std::uint64_t value, unsigned width);
  /// A new unknown, a multiple of `align`, a power of two; several may have the same name.
  Term unknown(const std::string& name, unsigned width, std::uint64_t align = 1);
  const std::string& name(Term unknown) const { return names_[node(unknown).value]; }
  bool is_constant(Term term) const { return node(term).op == Operator::constant; }
  bool is_constant(Term term, std::uint64_t value) const {
    return is_constant(term) && node(term).value == value;
  }

  // ---- Arithmetic
  /// The term as a sum of products; a term that is none is a product of one factor.
  Polynomial polynomial(Term term) const;
  Term of(const Polynomial& polynomial, unsigned width);
  Term add(Term a, Term b);
  Term subtract(Term a, Term b);
  Term negative(Term a);
  Term multiply(Term a, Term b);
  Term scale(Term a, std::uint64_t factor);
  /// A term that, times 2^shift, is this one; nothing if none is seen.
  std::optional<Term> without_factor(Term term, unsigned shift);
  Term high_product(Term a, Term b, bool is_signed);
  Term quotient(Term a, Term b, bool is_signed);
  Term remainder(Term a, Term b, bool is_signed);
  /// The quotient, if the term is one wherever its divisor is not 0.
  std::optional<Term> quotient_in(Term term);

  // ---- Bits
  Term bits_and(Term a, Term b);
  Term bits_or(Term a, Term b);
  Term bits_exclusive_or(Term a, Term b);
  Term bits_not(Term a);
  Term shift_left(Term a, Term amount);
  Term shift_right(Term a, Term amount, bool is_signed);
  /// The bits [begin, begin + width) of a term.
  Term part(Term a, unsigned begin, unsigned width);
  Term zero_extended(Term a, unsigned width);
  Term sign_extended(Term a, unsigned width);
  /// A term whose lowest bits are those of a, whatever the others are: without a cut, if one is
  /// seen.
  Term widened(Term a, unsigned width) { return of(widened_polynomial(a, width), width); }
  /// Extended or cut.
  Term resized(Term a, unsigned width, bool is_signed);
  /// `low` has the lowest bits.
  Term joined(Term high, Term low);
  Term count_ones(Term a, unsigned width);
  Term count_leading_zeros(Term a, unsigned width);

  // ---- One bit
  Term truth(bool value) { return constant(value ? 1 : 0, 1); }
  Term equal(Term a, Term b);
  Term below(Term a, Term b, bool is_signed);
  Term at_most(Term a, Term b, bool is_signed) { return negation(below(b, a, is_signed)); }
  Term negation(Term a);
  Term both(Term a, Term b) { return bits_and(a, b); }
  Term either(Term a, Term b) { return bits_or(a, b); }
  Term choice(Term condition, Term yes, Term no);

  /// Bits that may be 1, whatever the unknowns are.
  std::uint64_t possible_bits(Term term) const {
    return possible_bits_[static_cast<std::size_t>(term)];
  }

  /// The same operator on other operands, simplified. The new operands have the old widths.
  Term rebuilt(Term term, std::span<const Term> operands);
  /// A simpler term that has the same value wherever all facts are true: each choice that the facts
  /// decide is replaced by what it chooses.
  Term where(std::span<const Term> facts, Term term);

 private:
  struct Hash {
    std::size_t operator()(const Node& node) const;
  };

  Term intern(Node node);
  Term binary(Operator op, Term a, Term b, unsigned width);
  std::uint64_t find_possible_bits(const Node& node) const;

  Polynomial widened_polynomial(Term term, unsigned width);
  Polynomial uncut(const Polynomial& polynomial, unsigned places, unsigned width);
  /// The term without a factor 2^shift, if that divides it modulo 2^width.
  bool is_multiple(Term term, unsigned shift) const;
  Term divided(Term term, unsigned shift);
  /// The least value and the largest one, by the operands' possible bits.
  struct Limits {
    std::uint64_t least = 0;
    std::uint64_t most = 0;
  };
  Limits limits(Term term) const;
  /// Nothing if the sum may wrap around for some operands and not for others.
  std::optional<Limits> limits_of_sum(const Node& sum) const;
  bool divides_unless_zero(const Node& choice) const;
  // divisions.cpp
  std::optional<Term> rest_of_division(Term a, Term b);
  void join_divisions(Polynomial& sum, unsigned bits) const;
  std::optional<Polynomial> division_in(const Polynomial& sum, const Monomial& with_rest,
                                        std::size_t at, unsigned bits) const;
  std::optional<bool> decided(std::span<const Term> facts, Term condition);
  Term common_part(Term a, Term b);
  std::uint64_t common_factor(Term a, Term b) const;
  Term divided(Term term, std::uint64_t factor);
  std::optional<Term> choice_of_choice(Term condition, Term yes, Term no);
  bool vanishes(Term term, Term condition);
  bool is_zero_where(Term condition, Term factor);
  std::optional<Term> division_by_halves(Term condition, Term yes, Term no);
  // reciprocals.cpp
  struct Scaled;
  std::optional<Scaled> scaled(Term term);
  std::optional<Scaled> halved(Term term);
  void join_reciprocals(Polynomial& sum, unsigned bits);
  std::optional<Term> quotient_by_reciprocal(Term a, unsigned begin, unsigned bits);
  std::optional<Term> quotient_by_shift(Term a, unsigned begin, unsigned bits);
  bool has_signs(Term term, unsigned bits) const;
  /// The term without its lowest bits, where these are a part of a sum which never carries; nothing
  /// if they are not, or are 0.
  std::optional<Term> above(Term term, unsigned shift);
  Term masked(Term a, std::uint64_t mask);
  /// The operands of nested nodes of this operator, in order; the constants among them are `last`.
  std::vector<Term> flattened(Operator op, Term a, Term b) const;
  /// A simpler term for some operands of one bit.
  std::optional<Term> absorbed(bool is_and, const std::vector<Term>& operands);
  Term of_conjunction(bool is_and, std::vector<Term> operands, unsigned width);

  std::vector<const Node*> nodes_;  // the keys of known_
  std::vector<std::uint64_t> possible_bits_;
  std::vector<std::string> names_;
  std::unordered_map<Node, Term, Hash> known_;
  std::unordered_map<Term, Term> negations_;
};

}  // namespace bankproof::symbolic
