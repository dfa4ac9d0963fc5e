// Statements with unknowns in place of quotients.
//
// Solvers spend most of their time on divisions by unknowns. Often, the quotient plays no role: a
// block's tile is somewhere, and two threads are at different places of it, wherever it is. What
// cannot hold for any number in the place of a quotient cannot hold for the quotient.
//
// Of quotients and rests of two numbers by the same divisor, one fact stays: if the numbers differ,
// the quotients or the rests do.
#pragma once

#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "../execution/substitute.hpp"
#include "../terms/pool.hpp"

namespace bankproof::symbolic {

class Opaque {
 public:
  explicit Opaque(Pool& pool) : pool_(pool), by_(pool) {}

  /// The same statements if none has a division by an unknown.
  std::vector<Term> operator()(const std::vector<Term>& statements);

 private:
  /// Unknowns for the quotient and the rest of a division.
  struct Division {
    Term dividend{};
    Term divisor{};
    std::optional<Term> quotient{};
    std::optional<Term> rest{};
  };

  bool divides(Term term);
  void remember(Term term, Term hidden);
  void tell_apart(std::vector<Term>& statements);
  void hide_parts(Term statement);

  Pool& pool_;
  Substitution by_;
  std::unordered_map<Term, bool> divides_;
  std::map<std::tuple<Term, Term, bool>, Division> divisions_;
  std::unordered_set<Term> looked_at_;
};

}  // namespace bankproof::symbolic
