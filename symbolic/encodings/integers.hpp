// Terms as whole numbers, for solvers of linear arithmetic.
//
// A term is a polynomial of atoms, equal to it modulo 2^width. It is brought into the range of its
// width only where that is asked: by a comparison, an extension, a division, a shift to the right.
// If the ranges of the atoms show that it lies there, nothing has to be done; otherwise a new
// number says how often 2^width has to be taken away. Each product of atoms is an unknown of its
// own, of which solvers know lemmas: from u ≥ 0 and D ≥ 1 follows u·D ≥ u.
//
// Operators on bits are unknowns, and so `is_exact` is false: what follows from the statements is
// true, but an example need not be one.
#pragma once

#include <z3++.h>

#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../terms/pool.hpp"

namespace bankproof::symbolic {

class Integers {
 public:
  Integers(z3::context& context, const Pool& pool) : context_(context), pool_(pool) {}

  /// Reads bounds of unknowns from statements such as x < 1024 or n = 32·g, before they are used.
  void learn(const std::vector<Term>& statements);
  z3::expr statement(Term term);
  /// Definitions of the numbers in all statements so far; a query needs them, too.
  const std::vector<z3::expr>& definitions();
  bool is_exact() const { return is_exact_; }

 private:
  using Number = SignedWide;
  /// The sorted atoms of a product; the empty product is 1.
  using Atoms = std::vector<unsigned>;
  using Sum = std::map<Atoms, Number>;
  struct Range {
    Number least = 0;
    Number most = 0;
  };

  Sum sum(Term term);
  Sum made(Term term);
  Sum part(const Node& node);
  std::vector<z3::expr> bits_of(Term term);
  Sum bit_by_bit(const Node& node);
  std::optional<z3::expr> without_wraps(const Node& node);
  std::optional<Sum> upper_half(const Node& high_product);
  /// a = b·q + r
  struct Division {
    Sum dividend;
    Sum divisor;
    unsigned quotient = 0;
    unsigned rest = 0;
  };
  Sum divided(const Node& node, bool wants_quotient);
  unsigned quotient_of(const Sum& a, const Sum& b, Range bounds);
  std::optional<Sum> with_digits(const Sum& sum, const Division& division, const Sum& dividend);
  /// The value between 0 and 2^width, or with a sign.
  Sum value(Term term, bool is_signed);

  unsigned atom(const std::string& name, Range range);
  unsigned unknown(Term term, Range range);
  Sum of_atom(unsigned atom) const { return {{{atom}, 1}}; }
  static Sum plus(const Sum& a, const Sum& b, Number factor);
  static Sum times(const Sum& a, const Sum& b);
  static Number common_divisor(const Sum& sum);
  static Sum reduced(const Sum& sum, unsigned width);
  Range range(const Sum& sum) const;
  Range range(const Atoms& atoms) const;
  z3::expr expression(const Sum& sum);
  z3::expr product(const Atoms& atoms);
  z3::expr number(Number value);
  /// a ≤ b, and lemmas about the products of the difference.
  z3::expr at_most(const Sum& a, const Sum& b);
  void add_lemmas(const Sum& sum);
  void add_lemma(const Sum& multiple, const Sum& u);
  Sum unwrapped(const Sum& sum) const;
  void add_products_of_indices();
  void add_lemmas_of_digits(const Sum& sum);
  void add_products_of_comparisons();
  void add_divisions_of_comparisons();
  void add_comparisons_of_quotients();
  static std::optional<Range> multiple(const Range& range, Number factor);
  Range bounds(Term term, bool is_signed) const;
  Range found_bounds(Term term, bool is_signed) const;
  std::optional<Range> bounds_of_operator(const Node& node) const;
  bool narrow(Term term, bool is_signed, const Range& to);
  bool narrow_factors(const Node& product, const Range& to);
  bool narrow_operands(const Node& sum, bool is_signed, const Range& to);
  bool learn(Term statement, bool is_negated);
  void learn_product(Term statement);
  void define(const z3::expr& fact) { definitions_.push_back(fact); }

  z3::context& context_;
  const Pool& pool_;
  std::vector<z3::expr> atoms_;
  std::vector<Range> ranges_;
  std::map<Atoms, z3::expr> products_;
  std::unordered_map<Term, Sum> sums_;
  std::map<std::pair<Term, bool>, Sum> values_;
  std::unordered_map<Term, z3::expr> statements_;
  std::unordered_map<Term, std::vector<z3::expr>> bits_;
  std::map<std::tuple<Term, Term, bool>, Division> divisions_;  // by terms and signedness
  std::map<unsigned, std::pair<Sum, Sum>> divided_;  // what quotients are of, and all divisors
  std::map<std::pair<Sum, Sum>, unsigned> quotients_;
  std::unordered_map<Term, Range> known_;                  // bounds of unknowns
  mutable std::map<std::pair<Term, bool>, Range> bounds_;  // by what is known so far
  std::map<Atoms, Number> known_products_;      // of factors ≥ 0, the most that each can be
  std::vector<std::pair<Term, Term>> indices_;  // each less than its size
  std::map<unsigned, Sum> lazy_;                // what values are, but for the wraps
  std::set<Sum> compared_;                      // the differences of what is compared
  std::set<Sum> explained_;                     // sums of which there are lemmas
  std::vector<z3::expr> definitions_;
  bool is_exact_ = true;
};

}  // namespace bankproof::symbolic
